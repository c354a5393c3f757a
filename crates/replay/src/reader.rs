//! [`LogReader`]: a log that is read as it comes.

use crate::block::{BLOCK, BLOCK_HEADER, Block, HEADER, Kind, PREAMBLE, check_preamble};
use crate::chunk::Chunk;
use crate::error::LogError;
use crate::header::Header;
use crate::index::{END_MARK, check_end_mark};
use crate::limits::MAX_LOG_BYTES;
use crate::sequence::{Sequence, read_header};
use std::io::Read;

/// Reads a log block by block, with memory for one: from a file of up to [`MAX_LOG_BYTES`], or from a match that still goes on.
/// Of each block that was read it keeps some fifty bytes, which the index at the end is compared with: 5 MB for a match of a
/// day in blocks of a second.
///
/// Where the source ends before the log does, [`next_part`](Self::next_part) says so, and keeps what came of a block: once
/// a growing file has more, calling it again goes on from there.
///
/// It checks all that [`Log`](crate::Log) checks, in the same order, and says the same of what is wrong. Besides, it decodes each
/// block that it gives, which a log does when it is asked for it: it ends before a block whose content makes no sense.
///
/// ```
/// use isostep_replay::{Header, LogPart, LogReader, Recorder, WriterOptions};
/// use isostep_step::{World, WorldConfig};
///
/// let world = World::new(WorldConfig::default())?;
/// let header = Header::commands(&world);
/// let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default())?;
/// for _ in 0..100 {
///     recorder.step()?;
/// }
/// let (_, bytes) = recorder.finish()?;
///
/// let mut reader = LogReader::new(&bytes[..])?;
/// let mut ticks = 0;
/// while let Some(part) = reader.next_part()? {
///     if let LogPart::Chunk(chunk) = part {
///         ticks += chunk.frames().count();
///     }
/// }
/// assert_eq!(ticks, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogReader<R> {
    source: R,
    max_bytes: u64,
    header: Header,
    blocks: Sequence,
    offset: u64,
    /// What came of the block at `offset`, or of the end mark and the byte after it.
    partial: Vec<u8>,
    /// The index, once it was read: the end mark is next.
    index: Option<(Block, Option<u128>)>,
    last_hash: Option<u128>,
    is_finished: bool,
    /// Why nothing more is read.
    failure: Option<LogError>,
}

/// What a log is made of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LogPart {
    /// A state to start from.
    Keyframe {
        /// The tick of the state.
        tick: u64,
        /// The state, as [`Simulation::save`](crate::Simulation::save) wrote it.
        state: Vec<u8>,
    },
    /// Ticks.
    Chunk(Chunk),
}

impl<R: Read> LogReader<R> {
    /// Reads the header, which has to be there as a whole: what came of one that is not is lost.
    ///
    /// # Errors
    /// If the source fails, or gives no log, or one of another format or simulation, or a header that is damaged.
    pub fn new(mut source: R) -> Result<Self, LogError> {
        let mut partial = Vec::new();
        fill(&mut source, &mut partial, PREAMBLE, MAX_LOG_BYTES)?;
        check_preamble(&partial)?;
        partial.clear();
        let mut offset = PREAMBLE as u64;
        let head = read_block(&mut source, &mut partial, offset, MAX_LOG_BYTES)?;
        let header = read_header(head, &partial[HEADER..])?;
        partial.clear();
        offset = head.end();
        let blocks = Sequence::new(&header);
        Ok(Self {
            source,
            max_bytes: MAX_LOG_BYTES,
            header,
            blocks,
            offset,
            partial,
            index: None,
            last_hash: None,
            is_finished: false,
            failure: None,
        })
    }

    /// What the log is of.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The tick after the last one that was read.
    #[must_use]
    pub const fn end_tick(&self) -> u64 {
        self.blocks.end_tick
    }

    /// The hash of the last state, once the log was read to its end, if it was finished with one.
    #[must_use]
    pub const fn last_hash(&self) -> Option<u128> {
        self.last_hash
    }

    /// The next part; none at the end of a log that was finished, once the source has ended, too: what follows a log is an error.
    ///
    /// # Errors
    /// If the source fails, what comes next is damaged, or the log was not finished. What was read before holds.
    ///
    /// After [`LogError::Truncated`], [`LogError::Unfinished`] and [`LogError::Io`] the next call asks the source for what
    /// is missing, and loses nothing. After any other error, it is the same again.
    pub fn next_part(&mut self) -> Result<Option<LogPart>, LogError> {
        if self.is_finished {
            return Ok(None);
        }
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let part = self.read_part();
        if let Err(error) = &part {
            let is_short = |error: &LogError| {
                matches!(
                    error,
                    LogError::Truncated { .. } | LogError::Unfinished { .. } | LogError::Io { .. }
                )
            };
            self.failure = Some(error.clone()).filter(|error| !is_short(error));
        }
        part
    }

    fn read_part(&mut self) -> Result<Option<LogPart>, LogError> {
        if let Some((index, last_hash)) = self.index {
            return self.read_end(index, last_hash);
        }
        let block = match read_block(&mut self.source, &mut self.partial, self.offset, self.max_bytes) {
            Err(LogError::Truncated { offset, found: 0, .. }) => return Err(LogError::Unfinished { offset }),
            read => read?,
        };
        let stored = &self.partial[HEADER..];
        if block.kind == Kind::Index {
            let last_hash = self.blocks.finish(block, stored)?;
            self.partial.clear();
            self.index = Some((block, last_hash));
            return self.read_end(block, last_hash);
        }
        self.blocks.check(block, &self.header)?;
        let part = if block.kind == Kind::Keyframe {
            LogPart::Keyframe { tick: block.tick, state: block.content(stored)?.into_owned() }
        } else {
            LogPart::Chunk(Chunk::decode(stored, block, &self.header)?)
        };
        self.blocks.add(block);
        self.partial.clear();
        self.offset = block.end();
        Ok(Some(part))
    }

    fn read_end(&mut self, index: Block, last_hash: Option<u128>) -> Result<Option<LogPart>, LogError> {
        let room = self.max_bytes.saturating_sub(index.end());
        fill(&mut self.source, &mut self.partial, END_MARK, room)?;
        check_end_mark(&self.partial[..END_MARK.min(self.partial.len())], &index)?;
        // One byte is too many; who sends more may never end.
        fill(&mut self.source, &mut self.partial, END_MARK + 1, room)?;
        if self.partial.len() > END_MARK {
            return Err(LogError::TrailingBytes { offset: index.end() + END_MARK as u64, count: 1 });
        }
        (self.last_hash, self.is_finished) = (last_hash, true);
        Ok(None)
    }
}

/// Reads the block at an offset of a log of so many bytes at the most to the bytes that came of it before: its header, and
/// what is stored.
fn read_block(
    source: &mut impl Read,
    bytes: &mut Vec<u8>,
    offset: u64,
    max_bytes: u64,
) -> Result<Block, LogError> {
    let room = max_bytes.saturating_sub(offset);
    fill(source, bytes, HEADER, room)?;
    let truncated =
        |what, expected, found| LogError::Truncated { offset, what, expected, found: found as u64 };
    let header = bytes.first_chunk().ok_or_else(|| truncated(BLOCK_HEADER, HEADER as u64, bytes.len()))?;
    let block = Block::of_header(header, offset)?;
    let length = HEADER + block.stored as usize;
    fill(source, bytes, length, room)?;
    if bytes.len() < length {
        return Err(truncated(BLOCK, length as u64, bytes.len()));
    }
    block.check(&bytes[HEADER..])?;
    Ok(block)
}

/// Reads until there are so many bytes or the source ends. The memory that this takes grows with what comes.
///
/// # Errors
/// If the source fails, or has more than there is room for in a log.
fn fill(source: &mut impl Read, bytes: &mut Vec<u8>, length: usize, room: u64) -> Result<(), LogError> {
    let wanted = (length as u64).min(room.saturating_add(1));
    let missing = wanted.saturating_sub(bytes.len() as u64);
    source.take(missing).read_to_end(bytes)?;
    if bytes.len() as u64 > room { Err(LogError::TooLarge { max: MAX_LOG_BYTES }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::{Check, LogWriter, WriterOptions};

    /// How many ticks a reader finds in bytes of which a log may have so many, and what is wrong.
    fn ticks(bytes: &[u8], max_bytes: u64) -> (u64, Option<LogError>) {
        let mut reader = LogReader { max_bytes, ..LogReader::new(bytes).unwrap() };
        assert_eq!(LogReader::new(bytes).unwrap().max_bytes, MAX_LOG_BYTES);
        loop {
            match reader.next_part() {
                Ok(Some(_)) => {}
                Ok(None) => return (reader.end_tick(), None),
                Err(error) => {
                    assert_eq!(reader.next_part().unwrap_err(), error);
                    return (reader.end_tick(), Some(error));
                }
            }
        }
    }

    #[test]
    fn a_log_is_read_up_to_the_bytes_that_one_may_have() {
        let options = WriterOptions { flush_ticks: 1, ..WriterOptions::default() };
        let mut writer = LogWriter::new(Vec::new(), Header::inputs("pong", 1, 1, 7), options).unwrap();
        let mut ends = vec![writer.written_bytes()];
        for tick in 0..5 {
            writer.inputs(&[[tick as u8]], Check::hash(tick)).unwrap();
            ends.push(writer.written_bytes());
        }
        let bytes = writer.finish(None).unwrap();
        let length = bytes.len() as u64;
        assert_eq!(ticks(&bytes, length), (5, None));
        for max_bytes in ends[0]..length {
            let whole = ends.iter().filter(|&&end| end <= max_bytes).count() as u64 - 1;
            let too_large = Some(LogError::TooLarge { max: MAX_LOG_BYTES });
            assert_eq!(ticks(&bytes, max_bytes), (whole, too_large), "{max_bytes}");
        }
    }
}
