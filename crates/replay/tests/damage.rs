//! Whatever happens to the bytes of a log: what is whole of it is read, and what is wrong is said.
#![allow(unsafe_code, reason = "an allocator that counts")]

mod game;

use game::{Pushing, command_log, input_log};
use isostep_math::random::Rng;
use isostep_replay::{
    Check, CommandSimulation, DiffError, FORMAT_VERSION, Header, Log, LogError, LogPart, LogReader,
    LogWriter, PlayError, Player, TraceComparison, WriterOptions, diff, limits,
};
use isostep_step::{SIM_VERSION, Trace};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Read;

struct Counting;

std::thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all of it is the system's allocator; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = LIVE.try_with(|live| {
            live.set(live.get() + layout.size());
            let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
        });
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = LIVE.try_with(|live| live.set(live.get().saturating_sub(layout.size())));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const OPTIONS: WriterOptions = WriterOptions { flush_ticks: 4, flush_bytes: 1 << 16, keyframe_interval: 8 };

fn small_logs() -> [Vec<u8>; 2] {
    [
        command_log(14, OPTIONS, |header| header.with_traces().with_note("small")).1,
        input_log(14, OPTIONS, Pushing::header().with_traces()).1,
    ]
}

/// Reads all of a log.
fn read_all(log: &Log) -> Result<u64, LogError> {
    let mut ticks = 0;
    for index in 0..log.chunks().len() {
        let chunk = log.chunk(index)?;
        for frame in chunk.frames() {
            ticks += 1;
            let _ = (frame.events.commands().len(), frame.events.inputs().iter().count());
            let _ = chunk.trace_after(frame.tick)?;
        }
    }
    for index in 0..log.keyframes().len() {
        log.keyframe(index)?;
    }
    Ok(ticks)
}

#[test]
fn a_log_that_is_cut_at_any_byte_yields_the_ticks_before_it_and_says_where_it_ends() {
    for bytes in small_logs() {
        let whole = Log::from_bytes(bytes.clone()).unwrap();
        assert_eq!((whole.damage(), whole.end_tick()), (None, 14));
        let ends: Vec<_> = whole
            .chunks()
            .map(|chunk| {
                (chunk.offset + 32 + u64::from(chunk.stored_bytes), chunk.first_tick + u64::from(chunk.ticks))
            })
            .collect();
        let mut with_header = 0;
        for length in 0..bytes.len() {
            let log = match Log::from_bytes(bytes[..length].to_vec()) {
                Ok(log) => log,
                Err(error) => {
                    assert!(matches!(error, LogError::Truncated { .. }), "{length}: {error}");
                    assert_eq!(with_header, 0);
                    continue;
                }
            };
            with_header += 1;
            let kept = ends.iter().filter(|(end, _)| *end <= length as u64).map(|&(_, tick)| tick).max();
            assert_eq!(log.end_tick(), kept.unwrap_or(0), "{length}");
            match log.damage() {
                Some(LogError::Truncated { offset, expected, found, .. }) => {
                    assert!(offset + found == length as u64 && found < expected, "{length}");
                }
                Some(LogError::Unfinished { offset }) => assert_eq!(*offset, length as u64),
                other => panic!("{length}: {other:?}"),
            }
            assert_eq!(read_all(&log), Ok(log.end_tick()));
        }
        assert!(with_header > bytes.len() / 2);
    }
}

/// A source that gives a few bytes at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(self.0.len()).min(7);
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// What a reader finds in bytes: the tick at which it ends, and what is wrong.
fn read_as_it_comes(bytes: &[u8]) -> (u64, Option<LogError>) {
    let mut reader = match LogReader::new(Trickle(bytes)) {
        Ok(reader) => reader,
        Err(error) => return (0, Some(error)),
    };
    let mut keyframes = 0;
    loop {
        match reader.next_part() {
            Ok(Some(LogPart::Chunk(chunk))) => assert_eq!(chunk.end_tick(), reader.end_tick()),
            Ok(Some(LogPart::Keyframe { tick, state })) => {
                assert!(tick == reader.end_tick() && !state.is_empty());
                keyframes += 1;
            }
            Ok(Some(other)) => panic!("{other:?}"),
            Ok(None) => {
                assert!(keyframes > 0 && reader.last_hash().is_some());
                assert!(reader.next_part().unwrap().is_none());
                return (reader.end_tick(), None);
            }
            Err(error) => return (reader.end_tick(), Some(error)),
        }
    }
}

#[test]
fn a_log_that_is_read_as_it_comes_says_the_same_wherever_it_is_cut_or_damaged() {
    for bytes in small_logs() {
        let whole = |bytes: &[u8]| match Log::from_bytes(bytes.to_vec()) {
            Ok(log) => (log.end_tick(), log.damage().cloned()),
            Err(error) => (0, Some(error)),
        };
        assert_eq!(read_as_it_comes(&bytes), (14, None));
        for length in 0..bytes.len() {
            assert_eq!(read_as_it_comes(&bytes[..length]), whole(&bytes[..length]), "{length}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            assert_eq!(read_as_it_comes(&damaged), whole(&damaged), "{place}");
        }
        let longer = [&bytes[..], b"m"].concat();
        assert_eq!(read_as_it_comes(&longer), whole(&longer));
    }
}

/// A file that grows: now and then it ends, or cannot be read, and has more later.
struct Growing<'a> {
    rest: &'a [u8],
    step: usize,
    calls: usize,
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.calls += 1;
        match self.calls % 4 {
            1 => Ok(0),
            3 => Err(std::io::ErrorKind::WouldBlock.into()),
            _ => {
                let length = self.step.min(buffer.len());
                let count = Trickle(self.rest).read(&mut buffer[..length])?;
                self.rest = &self.rest[count..];
                Ok(count)
            }
        }
    }
}

#[test]
fn a_log_is_read_while_it_grows() {
    for bytes in small_logs() {
        let whole = Log::from_bytes(bytes.clone()).unwrap();
        for step in 1..=7 {
            // The header is there from the beginning.
            let start = whole.keyframes().next().unwrap().offset as usize + 5;
            let (head, rest) = bytes.split_at(start);
            let mut reader = LogReader::new(head.chain(Growing { rest, step, calls: 0 })).unwrap();
            let (mut ticks, mut keyframes, mut waits) = (0, 0, 0);
            loop {
                match reader.next_part() {
                    Ok(Some(LogPart::Chunk(chunk))) => ticks += chunk.frames().count(),
                    Ok(Some(_)) => keyframes += 1,
                    Ok(None) => break,
                    Err(LogError::Truncated { .. } | LogError::Unfinished { .. } | LogError::Io { .. }) => {
                        waits += 1;
                    }
                    Err(error) => panic!("{step}: {error}"),
                }
            }
            assert_eq!((ticks, keyframes), (14, whole.keyframes().len()));
            assert!(reader.last_hash() == whole.last_hash() && waits > 100);
        }
    }
}

#[test]
fn a_byte_after_the_end_is_one_too_many_whenever_it_comes() {
    /// What a source gives when it is asked the next time: bytes, or an error.
    struct Script<'a>(Vec<Option<&'a [u8]>>);
    impl Read for Script<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.first_mut() {
                None => Ok(0),
                Some(None) => {
                    self.0.remove(0);
                    Err(std::io::ErrorKind::WouldBlock.into())
                }
                Some(Some(bytes)) => {
                    let count = Trickle(bytes).read(buffer)?;
                    *bytes = &bytes[count..];
                    if bytes.is_empty() {
                        self.0.remove(0);
                    }
                    Ok(count)
                }
            }
        }
    }
    fn end<R: Read>(reader: &mut LogReader<R>) -> Result<u64, LogError> {
        while reader.next_part()?.is_some() {}
        Ok(reader.end_tick())
    }
    for bytes in small_logs() {
        let (log, offset) = (&bytes[..], bytes.len() as u64);
        for script in [
            vec![Some(log), Some(b"more")],
            vec![Some(log), None, Some(b"more")],
            vec![Some(log), Some(b"more"), None],
            vec![Some(log), Some(b"m"), None, Some(b"ore")],
        ] {
            let mut reader = LogReader::new(Script(script)).unwrap();
            let found = loop {
                match end(&mut reader) {
                    Err(LogError::Io { .. }) => {}
                    other => break other,
                }
            };
            assert_eq!(found, Err(LogError::TrailingBytes { offset, count: 1 }));
            assert_eq!(end(&mut reader), found);
            assert_eq!(found.unwrap_err().to_string(), format!("a byte follows the end at byte {offset}"));
        }
        // Nor is all that comes after it read, which may have no end.
        let mut reader = LogReader::new(log.chain(std::io::repeat(7))).unwrap();
        assert_eq!(end(&mut reader), Err(LogError::TrailingBytes { offset, count: 1 }));
        let mut reader = LogReader::new(Script(vec![Some(log), None])).unwrap();
        assert!(matches!(end(&mut reader), Err(LogError::Io { .. })));
        assert_eq!(end(&mut reader), Ok(14));
    }
}

#[test]
fn a_reader_stays_where_a_log_is_damaged() {
    for mut bytes in small_logs() {
        let second = Log::from_bytes(bytes.clone()).unwrap().chunks().nth(1).unwrap();
        bytes[second.offset as usize + 32] ^= 1;
        let mut reader = LogReader::new(&bytes[..]).unwrap();
        let error = loop {
            if let Err(error) = reader.next_part() {
                break error;
            }
        };
        assert!(matches!(error, LogError::BlockChecksum { offset, .. } if offset == second.offset));
        for _ in 0..3 {
            assert_eq!(reader.next_part().unwrap_err(), error);
        }
        assert_eq!(reader.end_tick(), 4);
    }
}

#[test]
fn a_trace_that_cannot_be_read_is_told_with_the_reason() {
    let world = game::pile(0);
    let write = |hash: u128| {
        let header = Header::commands(&world).with_traces();
        let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
        writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        let trace = Trace::default();
        writer.commands(&[], Check { hash: Some(hash), trace: Some(&trace) }).unwrap();
        let mut bytes = writer.finish(None).unwrap();
        let log = Log::from_bytes(bytes.clone()).unwrap();
        let offset = log.chunks().next().unwrap().offset as usize;
        // Two lengths, the flags, no commands and the hash come before the number of bodies in the trace.
        bytes[offset + 32 + 29..offset + 32 + 33].fill(0xFF);
        seal(&mut bytes, offset);
        Log::from_bytes(bytes).unwrap()
    };
    let divergence =
        Player::<CommandSimulation>::new(write(7)).unwrap().verify().unwrap().divergence.unwrap();
    let error = write(7).chunk(0).unwrap().trace_after(0).unwrap_err();
    assert_eq!(divergence.trace, TraceComparison::Unreadable(error.clone()));
    assert!(!divergence.trace.is_traced());
    let text = format!("; equal at tick 0; the trace cannot be read: {error}");
    assert!(divergence.to_string().ends_with(&text), "{divergence}");
    let difference = diff(&write(7), &write(8)).unwrap().unwrap();
    assert!(difference.to_string().ends_with(&text), "{difference}");
}

#[test]
fn a_reader_ends_before_a_block_whose_content_makes_no_sense() {
    for mut bytes in small_logs() {
        let whole = Log::from_bytes(bytes.clone()).unwrap();
        let second = whole.chunks().nth(1).unwrap();
        let offset = second.offset as usize;
        bytes[offset + 32..offset + 40].fill(0xFF);
        seal(&mut bytes, offset);
        let (end, error) = read_as_it_comes(&bytes);
        assert!(matches!(error, Some(LogError::Invalid { block: "chunk of ticks", .. })), "{error:?}");
        assert_eq!(end, second.first_tick);
        let log = Log::from_bytes(bytes).unwrap();
        assert_eq!((log.damage(), log.end_tick(), log.chunk(1).err()), (None, 14, error));
    }
}

#[test]
fn what_is_left_of_a_log_that_was_cut_replays() {
    let [commands, inputs] = small_logs();
    for length in (0..commands.len()).step_by(97) {
        let Ok(log) = Log::from_bytes(commands[..length].to_vec()) else { continue };
        match Player::<CommandSimulation>::new(log) {
            Ok(mut player) => assert!(player.verify().unwrap().is_identical()),
            Err(error) => assert!(matches!(error, PlayError::NoKeyframe { tick: 0 }), "{error}"),
        }
    }
    for length in (0..inputs.len()).step_by(97) {
        let Ok(log) = Log::from_bytes(inputs[..length].to_vec()) else { continue };
        let verification = Player::<Pushing>::new(log).unwrap().verify().unwrap();
        assert!(verification.is_identical());
    }
}

#[test]
fn a_single_flipped_bit_is_always_found_and_costs_only_what_comes_after_it() {
    for bytes in small_logs() {
        let whole = Log::from_bytes(bytes.clone()).unwrap();
        let mut kinds = [0; 5];
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                let (error, kept) = match Log::from_bytes(damaged) {
                    Ok(log) => {
                        let kept = log.end_tick();
                        assert_eq!(read_all(&log), Ok(kept));
                        (log.damage().cloned(), kept)
                    }
                    Err(error) => (Some(error), 0),
                };
                let before = whole
                    .chunks()
                    .filter(|chunk| chunk.offset + 32 + u64::from(chunk.stored_bytes) <= place as u64);
                assert_eq!(
                    kept,
                    before.map(|chunk| chunk.first_tick + u64::from(chunk.ticks)).max().unwrap_or(0)
                );
                let kind = match (error, place) {
                    (Some(LogError::Magic), 0..8) => 0,
                    (Some(LogError::Format { found, supported: FORMAT_VERSION }), 8..12) => {
                        assert_eq!(found, FORMAT_VERSION ^ 1 << (8 * (place - 8) + bit));
                        1
                    }
                    (Some(LogError::Simulation { found, supported: SIM_VERSION }), 12..16) => {
                        assert_eq!(found, SIM_VERSION ^ 1 << (8 * (place - 12) + bit));
                        1
                    }
                    (Some(LogError::HeaderChecksum { offset, .. }), _) => {
                        assert!((offset..offset + 32).contains(&(place as u64)));
                        2
                    }
                    (Some(LogError::BlockChecksum { offset, .. }), _) => {
                        assert!(offset + 32 <= place as u64);
                        3
                    }
                    (Some(LogError::EndMark { offset }), _) => {
                        assert_eq!(offset, bytes.len() as u64 - 20);
                        4
                    }
                    (other, _) => panic!("bit {bit} of byte {place}: {other:?}"),
                };
                kinds[kind] += 1;
            }
        }
        assert!(kinds[0] == 64 && kinds[1] == 64 && kinds[4] == 160 && kinds[2] > 1000 && kinds[3] > 1000);
    }
}

#[test]
fn random_damage_never_panics_and_never_passes() {
    let mut rng = Rng::new(11, 0);
    for bytes in small_logs() {
        for _ in 0..3000 {
            let mut damaged = bytes.clone();
            for _ in 0..=rng.below(6) {
                let place = rng.below(damaged.len() as u32) as usize;
                match rng.below(4) {
                    0 => damaged[place] = damaged[place].wrapping_add(1 + rng.below(255) as u8),
                    1 => drop(damaged.remove(place)),
                    2 => damaged.insert(place, rng.below(256) as u8),
                    _ => damaged.truncate(place.max(64)),
                }
            }
            if damaged == bytes {
                continue;
            }
            if let Ok(log) = Log::from_bytes(damaged) {
                assert!(log.damage().is_some());
                assert_eq!(read_all(&log), Ok(log.end_tick()));
            }
        }
    }
}

/// Puts right the checksums of the block at an offset.
fn seal(bytes: &mut [u8], offset: usize) {
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let end = bytes.len().min(offset + 32 + word(bytes, offset + 4) as usize);
    let content = crc32fast::hash(&bytes[offset + 32..end]);
    bytes[offset + 24..offset + 28].copy_from_slice(&content.to_le_bytes());
    let start = if offset == 16 { 0 } else { offset };
    let header = crc32fast::hash(&bytes[start..offset + 28]);
    bytes[offset + 28..offset + 32].copy_from_slice(&header.to_le_bytes());
}

#[test]
fn hostile_lengths_with_checksums_that_hold_take_no_memory() {
    for bytes in small_logs() {
        let whole = Log::from_bytes(bytes.clone()).unwrap();
        let mut offsets: Vec<_> = whole.chunks().map(|chunk| chunk.offset as usize).collect();
        offsets.extend(whole.keyframes().map(|keyframe| keyframe.offset as usize));
        offsets.push(16);
        for offset in offsets {
            for field in [4, 8, 12] {
                for value in [0, 1, 40, 4096, 4097, 1 << 20, 1 << 26, (1 << 26) + 1, u32::MAX - 1, u32::MAX] {
                    let mut hostile = bytes.clone();
                    hostile[offset + field..offset + field + 4].copy_from_slice(&value.to_le_bytes());
                    seal(&mut hostile, offset);
                    let length = hostile.len();
                    let (_, taken) = peak(|| Log::from_bytes(hostile).map(|log| read_all(&log)));
                    assert!(taken < 64 * length + (1 << 20), "{offset} {field} {value}: {taken} of {length}");
                }
            }
        }
    }
}

/// How much memory something takes at the most.
fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let result = run();
    (result, PEAK.with(Cell::get) - before)
}

#[test]
fn a_header_and_an_index_that_would_expand_to_many_megabytes_are_not_decompressed() {
    let raw = 60_u32 << 20;
    let stored = miniz_oxide::deflate::compress_to_vec(&vec![0; raw as usize], 9);
    let bomb = |bytes: &[u8], offset: usize| {
        let mut bytes = [&bytes[..offset + 32], &stored].concat();
        bytes[offset + 4..offset + 8].copy_from_slice(&(stored.len() as u32).to_le_bytes());
        bytes[offset + 8..offset + 12].copy_from_slice(&raw.to_le_bytes());
        seal(&mut bytes, offset);
        bytes
    };
    for bytes in small_logs() {
        let head = bomb(&bytes, 16);
        let (error, taken) = peak(|| Log::from_bytes(head.clone()).unwrap_err());
        assert!(matches!(error, LogError::TooMuch { block: "header", max: 16_384, .. }), "{error}");
        let (other, by_reader) = peak(|| LogReader::new(&head[..]).unwrap_err());
        assert_eq!(other, error);
        assert!(taken < 2 * head.len() && by_reader < 1 << 12, "{taken} {by_reader}");

        let mark = bytes.len() - 20;
        let index = u64::from_le_bytes(bytes[mark..mark + 8].try_into().unwrap()) as usize;
        let longer = bomb(&bytes, index);
        let (log, taken) = peak(|| Log::from_bytes(longer.clone()).unwrap());
        assert!(matches!(log.damage(), Some(LogError::Invalid { block: "index", .. })), "{:?}", log.damage());
        assert!(taken < 2 * longer.len() + (1 << 12), "{taken}");
        assert_eq!(read_as_it_comes(&longer), (14, log.damage().cloned()));
    }
}

#[test]
fn content_that_makes_no_sense_is_an_error_of_its_block() {
    let mut rng = Rng::new(12, 0);
    for bytes in small_logs() {
        let whole = Log::from_bytes(bytes.clone()).unwrap();
        for chunk in whole.chunks() {
            let offset = chunk.offset as usize;
            for _ in 0..300 {
                let mut hostile = bytes.clone();
                for _ in 0..=rng.below(3) {
                    let place = offset + 32 + rng.below(chunk.stored_bytes) as usize;
                    hostile[place] = rng.below(256) as u8;
                }
                seal(&mut hostile, offset);
                let log = Log::from_bytes(hostile).unwrap();
                assert_eq!(log.damage(), None);
                match read_all(&log) {
                    Ok(ticks) => assert_eq!(ticks, 14),
                    Err(error) => {
                        let is_here =
                            matches!(error, LogError::Invalid { offset, .. } if offset == chunk.offset);
                        assert!(is_here, "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn of_two_logs_the_one_that_makes_no_sense_is_named() {
    for bytes in small_logs() {
        let sound = Log::from_bytes(bytes.clone()).unwrap();
        let chunk = sound.chunks().nth(1).unwrap();
        let (offset, length) = (chunk.offset as usize, chunk.stored_bytes as usize);
        let mut bad = bytes;
        bad[offset + 32..offset + 32 + length].fill(0xFF);
        seal(&mut bad, offset);
        let bad = Log::from_bytes(bad).unwrap();
        assert_eq!(bad.damage(), None);
        let error = diff(&bad, &sound).unwrap_err();
        assert!(matches!(&error, DiffError::Left(PlayError::Log(LogError::Invalid { .. }))), "{error}");
        let error = diff(&sound, &bad).unwrap_err();
        assert!(matches!(&error, DiffError::Right(PlayError::Log(LogError::Invalid { .. }))), "{error}");
    }
}

#[test]
fn bytes_after_the_end_are_an_error_that_keeps_the_log() {
    let [bytes, _] = small_logs();
    let length = bytes.len() as u64;
    let log = Log::from_bytes([bytes, vec![7; 3]].concat()).unwrap();
    assert_eq!(log.damage(), Some(&LogError::TrailingBytes { offset: length, count: 3 }));
    assert_eq!(read_all(&log), Ok(14));
}

#[test]
fn a_chunk_that_is_missing_or_there_twice_is_a_gap() {
    let [bytes, _] = small_logs();
    let whole = Log::from_bytes(bytes.clone()).unwrap();
    let second = whole.chunks().nth(1).unwrap();
    let (start, end) = (second.offset as usize, second.offset as usize + 32 + second.stored_bytes as usize);
    let without = [&bytes[..start], &bytes[end..]].concat();
    let log = Log::from_bytes(without).unwrap();
    assert!(matches!(log.damage(), Some(LogError::Gap { expected: 4, found: 8, .. })), "{:?}", log.damage());
    let twice = [&bytes[..end], &bytes[start..]].concat();
    let log = Log::from_bytes(twice).unwrap();
    assert!(matches!(log.damage(), Some(LogError::Gap { expected: 8, found: 4, .. })), "{:?}", log.damage());
}

#[test]
fn an_index_of_another_log_is_refused() {
    let [bytes, _] = small_logs();
    let other = command_log(15, OPTIONS, |header| header).1;
    let index_of = |bytes: &[u8]| {
        let at = bytes.len() - 20;
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
    };
    let mixed = [&bytes[..index_of(&bytes)], &other[index_of(&other)..]].concat();
    let log = Log::from_bytes(mixed).unwrap();
    assert!(matches!(log.damage(), Some(LogError::Invalid { block: "index", .. })));
    assert_eq!(read_all(&log), Ok(14));
}

#[test]
fn versions_are_refused_before_anything_is_checked() {
    let [bytes, _] = small_logs();
    let with = |at: usize, version: u32| {
        let mut other = bytes[..40].to_vec();
        other[at..at + 4].copy_from_slice(&version.to_le_bytes());
        Log::from_bytes(other).unwrap_err()
    };
    let format = with(8, 77);
    assert_eq!(format, LogError::Format { found: 77, supported: FORMAT_VERSION });
    assert_eq!(format.to_string(), format!("a log of format 77: this program reads {FORMAT_VERSION}"));
    let simulation = with(12, 78);
    assert_eq!(simulation, LogError::Simulation { found: 78, supported: SIM_VERSION });
    assert_eq!(simulation.to_string(), format!("a log of simulation 78: this program steps {SIM_VERSION}"));
    assert_eq!(Log::from_bytes(b"ISOSNAP\0".to_vec()).unwrap_err(), LogError::Magic);
    assert!(matches!(Log::from_bytes(Vec::new()), Err(LogError::Truncated { offset: 0, found: 0, .. })));
    assert!(matches!(
        Log::open("no/such/file.isr"),
        Err(LogError::Io { kind: std::io::ErrorKind::NotFound, .. })
    ));
}

#[test]
fn of_what_is_no_log_only_the_beginning_is_read() {
    struct Counted<R>(R, u64);
    impl<R: Read> Read for Counted<R> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.read(buffer)?;
            self.1 += count as u64;
            Ok(count)
        }
    }
    let [bytes, _] = small_logs();
    let mut other = bytes[..16].to_vec();
    other[12] ^= 1;
    for (beginning, is_expected) in [
        (&[][..], (|error| matches!(error, LogError::Magic)) as fn(&LogError) -> bool),
        (&other, |error| matches!(error, LogError::Simulation { .. })),
    ] {
        let mut source = Counted(beginning.chain(std::io::repeat(0)), 0);
        let error = Log::read(&mut source).unwrap_err();
        assert!(is_expected(&error), "{error}");
        assert_eq!(source.1, 16);
    }
    assert_eq!(Log::read(&bytes[..]).unwrap().end_tick(), 14);
}

#[test]
fn limits_are_those_that_the_format_says() {
    // What docs/format-isr.md says.
    assert_eq!(limits::MAX_BLOCK_BYTES, 64 << 20);
    assert_eq!((limits::MAX_CHUNK_TICKS, limits::MAX_CHUNK_COMMANDS), (4096, 65_536));
    assert_eq!((limits::MAX_PLAYERS, limits::MAX_INPUT_BYTES), (64, 1024));
}
