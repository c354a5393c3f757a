//! [`LogWriter`]: a log, written as it happens.

use crate::block::{self, HEADER, Kind, preamble};
use crate::chunk::{
    HASHED, PlayerInputs, TRACED, check_commands, check_inputs, check_trace, put_commands, put_trace,
};
use crate::codec::put;
use crate::error::{FinishError, WriteError};
use crate::header::{Header, LogKind};
use crate::index::{END_MARK, Index, end_mark};
use crate::limits::{MAX_BLOCK_BYTES, MAX_CHUNK_COMMANDS, MAX_CHUNK_TICKS, MAX_LOG_BYTES};
use isostep_step::{Command, Trace};
use std::io::Write;

/// When a writer writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriterOptions {
    /// After so many ticks, 1 to 4096; what is beyond counts as the nearest. A process that dies loses fewer ticks than
    /// this.
    pub flush_ticks: u32,
    /// Or when they have so many bytes, before compression; at most 16 MiB.
    pub flush_bytes: u32,
    /// A keyframe is due at each tick that this divides; never if it is 0. Seeking and finding what differs start from
    /// one.
    pub keyframe_interval: u32,
}

impl Default for WriterOptions {
    /// A second at 60 Hz or 64 KiB; a keyframe each ten seconds at 60 Hz.
    fn default() -> Self {
        Self { flush_ticks: 60, flush_bytes: 1 << 16, keyframe_interval: 600 }
    }
}

/// What is known of the state after a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check<'a> {
    /// Its hash.
    pub hash: Option<u128>,
    /// Its trace.
    pub trace: Option<&'a Trace>,
}

impl Check<'_> {
    /// Nothing.
    pub const NONE: Self = Self { hash: None, trace: None };

    /// The hash.
    #[must_use]
    pub const fn hash(hash: u128) -> Self {
        Self { hash: Some(hash), trace: None }
    }
}

/// Writes a log to a sink: only ever at its end, a whole block at a time.
///
/// Only what is certain belongs into a log: a game that rolls back writes a tick when all its inputs are known.
///
/// A log ends before it has more than [`MAX_LOG_BYTES`]: the tick or keyframe that might not leave room for the index is
/// refused, and so is all that comes after it. What was written before can be finished, and goes on in another log.
///
/// ```
/// use isostep_replay::{Check, Header, Log, LogWriter, WriterOptions};
///
/// let header = Header::inputs("pong", 1, 2, 7);
/// let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default())?;
/// writer.inputs(&[[1, 0], [0, 3]], Check::hash(0x1234))?;
/// writer.inputs(&[[1, 0], [0, 0]], Check::hash(0x5678))?;
/// let log = Log::from_bytes(writer.finish(None)?)?;
/// assert_eq!((log.first_tick(), log.end_tick()), (0, 2));
/// let chunk = log.chunk(0)?;
/// assert_eq!(chunk.frame(1).unwrap().events.inputs().of(0), [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    sink: W,
    header: Header,
    options: WriterOptions,
    index: Index,
    /// How many bytes were written.
    written: u64,
    is_broken: bool,
    /// Why nothing more is taken: how much what was refused first would have needed.
    full: Option<Full>,
    pub(crate) max_bytes: u64,
    pending: Pending,
    /// The commands of the tick that comes next.
    commands: Vec<u8>,
    block: Vec<u8>,
}

/// What there would be too much of.
#[derive(Clone, Copy, Debug)]
struct Full {
    what: &'static str,
    found: u64,
    max: u64,
}

impl From<Full> for WriteError {
    fn from(Full { what, found, max }: Full) -> Self {
        Self::TooMuch { what, found, max }
    }
}

/// The ticks of the chunk that is not written yet.
#[derive(Debug, Default)]
struct Pending {
    flags: Vec<u8>,
    /// Of a log of commands.
    commands: Vec<u8>,
    command_count: u32,
    /// Of a log of inputs, by player.
    inputs: Vec<PlayerInputs>,
    hashes: Vec<u8>,
    traces: Vec<u8>,
    last_trace: Trace,
}

impl Pending {
    fn bytes(&self) -> usize {
        let inputs = self.inputs.iter().map(PlayerInputs::byte_count).sum::<usize>();
        8 + self.flags.len() + self.commands.len() + inputs + self.hashes.len() + self.traces.len()
    }

    fn clear(&mut self) {
        for part in [&mut self.flags, &mut self.commands, &mut self.hashes, &mut self.traces] {
            part.clear();
        }
        self.command_count = 0;
        self.inputs.iter_mut().for_each(PlayerInputs::clear);
        self.last_trace = Trace::default();
    }

    /// The content of the block.
    fn content(&self) -> Vec<u8> {
        let mut content = Vec::with_capacity(self.bytes());
        content.extend_from_slice(&[0; 4]);
        content.extend_from_slice(&(self.traces.len() as u32).to_le_bytes());
        content.extend_from_slice(&self.flags);
        let start = content.len();
        // A log has the one or the other.
        content.extend_from_slice(&self.commands);
        self.inputs.iter().for_each(|player| player.put(&mut content));
        let events = (content.len() - start) as u32;
        content[..4].copy_from_slice(&events.to_le_bytes());
        content.extend_from_slice(&self.hashes);
        content.extend_from_slice(&self.traces);
        content
    }

    fn check(&mut self, check: Check<'_>) {
        let Check { hash, trace } = check;
        self.flags.push(if hash.is_some() { HASHED } else { 0 } | if trace.is_some() { TRACED } else { 0 });
        if let Some(hash) = hash {
            self.hashes.extend_from_slice(&hash.to_le_bytes());
        }
        if let Some(trace) = trace {
            put_trace(&mut self.traces, trace, &mut self.last_trace);
        }
    }
}

impl<W: Write> LogWriter<W> {
    /// Begins a log: the header is written at once.
    ///
    /// # Errors
    /// If the header says what cannot be, or the sink fails.
    pub fn new(sink: W, header: Header, options: WriterOptions) -> Result<Self, WriteError> {
        header.validate()?;
        let options = WriterOptions {
            flush_ticks: options.flush_ticks.clamp(1, MAX_CHUNK_TICKS),
            flush_bytes: options.flush_bytes.min(MAX_BLOCK_BYTES / 4),
            ..options
        };
        let index = Index { end_tick: header.first_tick, ..Index::default() };
        let inputs = vec![PlayerInputs::default(); header.players as usize];
        let pending = Pending { inputs, ..Pending::default() };
        let mut content = Vec::new();
        put(&mut content, &header);
        let mut block = preamble().to_vec();
        block::put(&mut block, Kind::Head, [0, 0], &content);
        let mut writer = Self {
            sink,
            header,
            options,
            index,
            written: 0,
            is_broken: false,
            full: None,
            max_bytes: MAX_LOG_BYTES,
            pending,
            commands: Vec::new(),
            block,
        };
        writer.write()?;
        Ok(writer)
    }

    /// What the log is of.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The tick that comes next.
    #[must_use]
    pub const fn next_tick(&self) -> u64 {
        self.index.end_tick
    }

    /// Whether the tick that comes next is to have the hash of the state after it.
    #[must_use]
    pub const fn wants_hash(&self) -> bool {
        self.header.wants_hash(self.index.end_tick + 1)
    }

    /// Whether the state of the tick that comes next is to be written as a keyframe.
    #[must_use]
    pub fn wants_keyframe(&self) -> bool {
        let (tick, interval) = (self.index.end_tick, u64::from(self.options.keyframe_interval));
        !self.has_keyframe(tick) && (self.lacks_keyframe() || interval != 0 && tick % interval == 0)
    }

    /// How many bytes went to the sink, in blocks that it took whole.
    #[must_use]
    pub const fn written_bytes(&self) -> u64 {
        self.written
    }

    /// Writes the state of the tick that comes next: `Snapshot::to_bytes` in a log of commands, the game's own bytes in
    /// one of inputs. The ticks before it are written as well. A second one of a tick is not written.
    ///
    /// # Errors
    /// If there are too many bytes of it or of the log, or the sink fails.
    pub fn keyframe(&mut self, state: &[u8]) -> Result<(), WriteError> {
        if state.len() as u64 > u64::from(MAX_BLOCK_BYTES) {
            let (found, max) = (state.len() as u64, MAX_BLOCK_BYTES.into());
            return Err(WriteError::TooMuch { what: "bytes of a keyframe", found, max });
        }
        self.flush()?;
        let tick = self.next_tick();
        if self.has_keyframe(tick) {
            return Ok(());
        }
        self.check_full()?;
        block::put(&mut self.block, Kind::Keyframe, [tick, 0], state);
        if let Err(full) = self.check_room(self.block.len() as u64, [0, 1]) {
            self.block.clear();
            return Err(self.fill(full));
        }
        let offset = self.write()?;
        self.index.keyframes.push((offset, tick));
        Ok(())
    }

    /// Adds a tick of a log of commands: what was applied before its step, and what is known of the state after it.
    ///
    /// # Errors
    /// If the log is of inputs, has no keyframe to start from, or there are too many commands or bytes; or if the sink
    /// fails.
    pub fn commands(&mut self, commands: &[Command], check: Check<'_>) -> Result<(), WriteError> {
        if !matches!(self.header.kind, LogKind::Commands { .. }) {
            return Err(WriteError::Kind { expected: "inputs", found: "commands" });
        }
        check_commands(commands.len())?;
        self.begin_tick()?;
        let count = commands.len() as u32;
        if self.pending.command_count + count > MAX_CHUNK_COMMANDS {
            self.flush()?;
        }
        let mut bytes = std::mem::take(&mut self.commands);
        bytes.clear();
        put_commands(&mut bytes, commands);
        let room = self.make_room(bytes.len() as u64, check);
        if room.is_ok() {
            self.pending.command_count += count;
            self.pending.commands.extend_from_slice(&bytes);
        }
        self.commands = bytes;
        room?;
        self.end_tick(check)
    }

    /// Adds a tick of a log of inputs: one of each player, by number, and what is known of the state after it.
    ///
    /// # Errors
    /// If the log is of commands, or has no keyframe to start from where it needs one; if there is not one input for each
    /// player, or one is too long, or the log would be; or if the sink fails.
    pub fn inputs<I: AsRef<[u8]>>(&mut self, inputs: &[I], check: Check<'_>) -> Result<(), WriteError> {
        if !matches!(self.header.kind, LogKind::Inputs { .. }) {
            return Err(WriteError::Kind { expected: "commands", found: "inputs" });
        }
        check_inputs(inputs, self.header.players)?;
        self.begin_tick()?;
        let bytes = inputs.iter().map(|input| 2 + input.as_ref().len() as u64).sum();
        self.make_room(bytes, check)?;
        for (player, input) in self.pending.inputs.iter_mut().zip(inputs) {
            player.push(input.as_ref());
        }
        self.end_tick(check)
    }

    /// Writes the ticks that are not written yet.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        let ticks = self.pending.flags.len() as u64;
        if ticks == 0 {
            return Ok(());
        }
        let content = self.pending.content();
        let first = self.next_tick() - ticks;
        block::put(&mut self.block, Kind::Ticks, [first, ticks], &content);
        self.pending.clear();
        let offset = self.write()?;
        self.index.chunks.push((offset, first, ticks as u32));
        Ok(())
    }

    /// Writes what is left and the index, and gives the sink back; `hash` is that of the last state. A log that was full
    /// before does without: who was refused a tick may be past the last one that is in it.
    ///
    /// # Errors
    /// If the sink fails, now or before. The error has it, with the log as far as it was written.
    pub fn finish(mut self, hash: Option<u128>) -> Result<W, FinishError<W>> {
        match self.put_index(hash) {
            Ok(()) => Ok(self.sink),
            Err(error) => Err(FinishError { error, rest: Box::new(self.sink) }),
        }
    }

    fn put_index(&mut self, hash: Option<u128>) -> Result<(), WriteError> {
        self.flush()?;
        self.index.last_hash = hash.filter(|_| self.full.is_none());
        let mut content = Vec::new();
        self.index.put(&mut content);
        block::put(&mut self.block, Kind::Index, [0, 0], &content);
        self.block.extend_from_slice(&end_mark(self.written));
        self.write()?;
        Ok(())
    }

    /// Gives back what came of recording a tick. If that failed, the ticks that are not written yet are, and nothing any more:
    /// the tick is lost, and those after it would take its place. A log that is full takes none of them anyway, and can be
    /// finished.
    pub(crate) fn or_break_off(&mut self, recorded: Result<(), WriteError>) -> Result<(), WriteError> {
        if recorded.is_err() {
            // That something failed is said already.
            let _ = self.flush();
            self.is_broken |= self.full.is_none();
        }
        recorded
    }

    fn has_keyframe(&self, tick: u64) -> bool {
        self.index.keyframes.last().is_some_and(|&(_, last)| last == tick)
    }

    /// Whether there is nothing yet that the log could start from.
    fn lacks_keyframe(&self) -> bool {
        self.header.needs_keyframe() && self.index.keyframes.is_empty()
    }

    fn begin_tick(&self) -> Result<(), WriteError> {
        if self.lacks_keyframe() {
            return Err(WriteError::NoKeyframe { tick: self.header.first_tick });
        }
        if self.is_broken { Err(WriteError::Broken) } else { self.check_full() }
    }

    fn check_full(&self) -> Result<(), WriteError> {
        self.full.map_or(Ok(()), |full| Err(full.into()))
    }

    /// Takes nothing more from now on.
    fn fill(&mut self, full: Full) -> WriteError {
        self.full = Some(full);
        full.into()
    }

    /// Whether bytes of blocks, of so many chunks and keyframes, leave room for the index.
    fn check_room(&self, blocks: u64, [chunks, keyframes]: [usize; 2]) -> Result<(), Full> {
        let index =
            Index::byte_count(self.index.chunks.len() + chunks, self.index.keyframes.len() + keyframes);
        let max = u64::from(MAX_BLOCK_BYTES);
        if index > max {
            return Err(Full { what: "bytes of the index", found: index, max });
        }
        let (found, max) = (self.written + blocks + (HEADER + END_MARK) as u64 + index, self.max_bytes);
        if found <= max { Ok(()) } else { Err(Full { what: "bytes of the log", found, max }) }
    }

    /// Makes sure that a tick can be written, whose events have so many bytes: with those that are not written yet, or
    /// after them.
    fn make_room(&mut self, events: u64, check: Check<'_>) -> Result<(), WriteError> {
        let trace = check.trace.map_or(Ok(0), check_trace)?;
        let hash = if check.hash.is_some() { 16 } else { 0 };
        let (tick, max) = (1 + events + hash + trace, MAX_BLOCK_BYTES.into());
        let with = |pending: &Pending| pending.bytes() as u64 + tick;
        let alone = with(&Pending::default());
        if alone > max {
            return Err(WriteError::TooMuch { what: "bytes of a tick", found: alone, max });
        }
        // What is not compressed is the most that is stored.
        let both = with(&self.pending);
        if both <= max && self.check_room(HEADER as u64 + both, [1, 0]).is_ok() {
            return Ok(());
        }
        self.flush()?;
        self.check_room(HEADER as u64 + alone, [1, 0]).map_err(|full| self.fill(full))
    }

    fn end_tick(&mut self, check: Check<'_>) -> Result<(), WriteError> {
        self.pending.check(check);
        self.index.end_tick += 1;
        let is_long = self.pending.bytes() >= self.options.flush_bytes as usize;
        if is_long || self.pending.flags.len() >= self.options.flush_ticks as usize {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the block, and says where it begins.
    fn write(&mut self) -> Result<u64, WriteError> {
        if self.is_broken {
            return Err(WriteError::Broken);
        }
        let offset = self.written;
        let written = self.sink.write_all(&self.block).and_then(|()| self.sink.flush());
        let length = self.block.len() as u64;
        self.block.clear();
        self.is_broken = written.is_err();
        written?;
        self.written += length;
        Ok(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Log;
    use isostep_math::random::Rng;
    use isostep_step::{ColumnTrace, World, WorldConfig};

    /// A writer of a log that may have so many bytes.
    fn writer(header: Header, options: WriterOptions, max_bytes: u64) -> LogWriter<Vec<u8>> {
        let writer = LogWriter::new(Vec::new(), header, options).unwrap();
        assert_eq!(writer.max_bytes, MAX_LOG_BYTES);
        LogWriter { max_bytes, ..writer }
    }

    /// That a log which was refused a tick or keyframe can be finished, and has all that was taken.
    fn assert_whole(writer: LogWriter<Vec<u8>>, taken: u64, max_bytes: u64) {
        let bytes = writer.finish(Some(7)).unwrap();
        let length = bytes.len() as u64;
        assert!(length <= max_bytes && length + 2000 > max_bytes, "{length} of {max_bytes}");
        let log = Log::from_bytes(bytes).unwrap();
        assert_eq!((log.damage(), log.end_tick(), log.last_hash()), (None, taken, None));
    }

    fn is_full(error: &WriteError, max_bytes: u64) -> bool {
        matches!(*error, WriteError::TooMuch { what: "bytes of the log", found, max } if found > max && max == max_bytes)
    }

    #[test]
    fn a_log_of_inputs_ends_before_it_is_too_long_to_read() {
        let mut rng = Rng::new(3, 0);
        for (flush_ticks, keyframe_interval) in [(1, 0), (7, 0), (60, 5), (4096, 0), (3, 2)] {
            let options = WriterOptions { flush_ticks, keyframe_interval, ..WriterOptions::default() };
            for max_bytes in (3000..9000).step_by(701) {
                let mut writer = writer(Header::inputs("pong", 1, 2, 7), options, max_bytes);
                let mut taken = 0;
                let error = loop {
                    if writer.wants_keyframe() {
                        let state: Vec<_> = (0..300).map(|_| rng.below(256) as u8).collect();
                        if let Err(error) = writer.keyframe(&state) {
                            break error;
                        }
                    }
                    let inputs = [5, 40].map(|length| vec![rng.below(256) as u8; length]);
                    if let Err(error) = writer.inputs(&inputs, Check::hash(rng.next_u64().into())) {
                        break error;
                    }
                    taken += 1;
                };
                assert!(is_full(&error, max_bytes), "{error}");
                // Nothing comes after a hole, though it might fit.
                let error = writer.inputs(&[[], [0; 0]], Check::NONE).unwrap_err();
                assert!(is_full(&error, max_bytes), "{error}");
                assert!(writer.has_keyframe(taken) || is_full(&writer.keyframe(&[]).unwrap_err(), max_bytes));
                assert_eq!(writer.next_tick(), taken);
                assert_whole(writer, taken, max_bytes);
            }
        }
    }

    #[test]
    fn a_log_of_commands_ends_before_it_is_too_long_to_read() {
        let world = World::new(WorldConfig::default()).unwrap();
        let mut rng = Rng::new(4, 0);
        for max_bytes in (3000..9000).step_by(701) {
            let mut writer = writer(Header::commands(&world), WriterOptions::default(), max_bytes);
            writer.keyframe(&world.snapshot().to_bytes()).unwrap();
            let error = loop {
                let commands = [(); 9].map(|()| Command::DrawRandom { stream: rng.next_u64() as u32 });
                if let Err(error) = writer.commands(&commands, Check::NONE) {
                    break error;
                }
            };
            assert!(is_full(&error, max_bytes), "{error}");
            let taken = writer.next_tick();
            assert_whole(writer, taken, max_bytes);
        }
    }

    #[test]
    fn a_log_that_is_not_full_has_the_hash_of_its_last_state() {
        let mut writer = writer(Header::inputs("pong", 1, 1, 7), WriterOptions::default(), 3000);
        writer.inputs(&[[1]], Check::NONE).unwrap();
        assert_eq!(Log::from_bytes(writer.finish(Some(7)).unwrap()).unwrap().last_hash(), Some(7));
    }

    #[test]
    fn an_index_ends_before_it_is_too_long_for_a_block() {
        let mut writer = writer(Header::inputs("pong", 1, 1, 7), WriterOptions::default(), MAX_LOG_BYTES);
        let chunks = (MAX_BLOCK_BYTES as usize - 33) / 20;
        writer.index.chunks = vec![(0, 0, 1); chunks - 1];
        writer.inputs(&[[1]], Check::NONE).unwrap();
        writer.flush().unwrap();
        let error = writer.inputs(&[[1]], Check::NONE).unwrap_err();
        assert!(matches!(error, WriteError::TooMuch { what: "bytes of the index", .. }), "{error}");
        let mut content = Vec::new();
        writer.index.put(&mut content);
        assert_eq!(content.len() as u64, Index::byte_count(chunks, 0));
        assert!(content.len() <= MAX_BLOCK_BYTES as usize && content.len() + 20 > MAX_BLOCK_BYTES as usize);
    }

    #[test]
    fn a_trace_or_a_tick_that_readers_would_refuse_is_refused() {
        let mut writer = writer(Header::inputs("pong", 1, 1, 7), WriterOptions::default(), MAX_LOG_BYTES);
        let with = |items: usize, sums: usize| {
            let column = ColumnTrace { items: vec![1; items], sums: vec![1; sums] };
            Trace { columns: std::array::from_fn(|_| column.clone()), others: [0; 4] }
        };
        for (trace, text) in [
            (with((1 << 21) + 1, 0), "items of a column of a trace: 2097153, and at most 2097152 is allowed"),
            (with(0, 1025), "sums of a column of a trace: 1025, and at most 1024 is allowed"),
        ] {
            let error = writer.inputs(&[[1]], Check { hash: None, trace: Some(&trace) }).unwrap_err();
            assert_eq!(error.to_string(), text);
        }
        // What does not fit into one block with the ticks before it begins another one.
        let trace = with(1 << 21, 1024);
        writer.inputs(&[[1]], Check::NONE).unwrap();
        writer.inputs(&[[1]], Check { hash: None, trace: Some(&trace) }).unwrap();
        let log = Log::from_bytes(writer.finish(None).unwrap()).unwrap();
        assert_eq!((log.damage(), log.end_tick()), (None, 2));
        assert!(log.chunk(log.chunks().len() - 1).unwrap().trace_after(1).unwrap() == Some(trace));
    }
}
