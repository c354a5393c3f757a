//! The bytes of logs are those that `docs/format-isr.md` says, on every machine.

use isostep_math::random::Rng;
use isostep_replay::{Check, Header, Log, LogWriter, WriterOptions};
use isostep_step::{ColumnTrace, Trace};
use xxhash_rust::xxh3::xxh3_128;

const DOCS: &str = include_str!("../../../docs/format-isr.md");

/// The log that the documentation shows.
fn example() -> Vec<u8> {
    let header = Header::inputs("pong", 2, 2, 7).with_traces().with_hash_interval(2).with_note("hi");
    let options = WriterOptions { flush_ticks: 3, flush_bytes: 1 << 16, keyframe_interval: 3 };
    let mut writer = LogWriter::new(Vec::new(), header, options).unwrap();
    writer.keyframe(b"start").unwrap();
    let trace = Trace {
        columns: [
            ColumnTrace { items: vec![0x0A0B_0C0D, 0], sums: vec![300, 0, u64::MAX] },
            ColumnTrace { items: vec![0, 0x1234_5678], sums: vec![1 << 32] },
            ColumnTrace::default(),
            ColumnTrace::default(),
            ColumnTrace::default(),
        ],
        others: [1, 2, 3, 4],
    };
    writer.inputs(&[&[5, 250][..], &[]], Check::NONE).unwrap();
    let check = Check { hash: Some(0x00FF_EEDD_CCBB_AA99_8877_6655_4433_2211), trace: Some(&trace) };
    writer.inputs(&[&[6, 250][..], &[1]], check).unwrap();
    writer.inputs(&[&[6, 251][..], &[2]], Check::NONE).unwrap();
    writer.finish(Some(0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF)).unwrap()
}

/// The bytes of a dump: of each line what stands between the offset and the bar.
fn bytes_of_dump(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text.lines() {
        let Some((numbers, _)) = line.split_once('|') else { continue };
        let mut numbers = numbers.split_whitespace();
        let offset = numbers.next().and_then(|offset| usize::from_str_radix(offset, 16).ok());
        assert_eq!(offset, Some(bytes.len()), "{line}");
        bytes.extend(numbers.map(|number| u8::from_str_radix(number, 16).unwrap()));
    }
    bytes
}

#[test]
fn the_dump_in_the_documentation_is_the_log_that_it_says() {
    let dump = DOCS.split("```hexdump\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (found, expected) = (bytes_of_dump(dump), example());
    let place = found.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!((found.len(), place), (expected.len(), None), "{}", hex(&expected));
    let log = Log::from_bytes(found).unwrap();
    assert_eq!((log.damage(), log.end_tick()), (None, 3));
    assert_eq!(log.chunk(0).unwrap().frame(2).unwrap().events.inputs().of(0), [6, 251]);
    let trace = log.chunk(0).unwrap().trace_after(1).unwrap().unwrap();
    assert_eq!(trace.columns[0].sums, [300, 0, u64::MAX]);
}

fn hex(bytes: &[u8]) -> String {
    let rows = bytes.chunks(16).enumerate().map(|(row, bytes)| {
        let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("\n{:04x}  {}", 16 * row, bytes.join(" "))
    });
    rows.collect()
}

#[test]
fn compressed_bytes_are_the_same_on_every_machine() {
    let options = WriterOptions { flush_ticks: 100, flush_bytes: 1 << 20, keyframe_interval: 0 };
    let mut writer = LogWriter::new(Vec::new(), Header::inputs("pong", 2, 4, 7), options).unwrap();
    let (mut rng, mut inputs) = (Rng::new(1, 0), [[0_u8; 6]; 4]);
    let state: Vec<_> = (0..20_000_u32).map(|place| (place % 7 * (place / 900)) as u8).collect();
    for tick in 0..1000_u64 {
        if tick % 400 == 0 {
            writer.keyframe(&state).unwrap();
        }
        inputs[rng.below(4) as usize][rng.below(6) as usize] = rng.below(9) as u8;
        writer.inputs(&inputs, Check::hash(u128::from(tick) << 60)).unwrap();
    }
    let bytes = writer.finish(None).unwrap();
    let log = Log::from_bytes(bytes.clone()).unwrap();
    assert!(log.chunks().all(|chunk| chunk.stored_bytes < chunk.raw_bytes));
    assert_eq!((bytes.len(), xxh3_128(&bytes)), (6682, 38_329_195_137_510_346_871_021_987_502_462_732_993));
}
