//! [`LogReader`]: a log that is read as it comes.

use crate::block::{BLOCK, BLOCK_HEADER, Block, HEADER, Kind, PREAMBLE, check_preamble};
use crate::chunk::Chunk;
use crate::error::LogError;
use crate::header::Header;
use crate::index::{END_MARK, check_end_mark};
use crate::sequence::{Sequence, read_header};
use std::io::Read;

/// Reads a log block by block, with memory for one: from a file of any size, or from a match that still goes on. Of each block
/// that was read it keeps some fifty bytes, which the index at the end is compared with: 5 MB for a match of a day in blocks
/// of a second.
///
/// Where the source ends before the log does, [`next_part`](Self::next_part) says so, and keeps what came of a block: once
/// a growing file has more, calling it again goes on from there.
///
/// It checks all that [`Log`](crate::Log) checks, in the same order, and says the same of what is wrong.
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
        fill(&mut source, &mut partial, PREAMBLE)?;
        check_preamble(&partial)?;
        partial.clear();
        let mut offset = PREAMBLE as u64;
        let head = read_block(&mut source, &mut partial, offset)?;
        let header = read_header(head, &partial[HEADER..])?;
        partial.clear();
        offset = head.end();
        let blocks = Sequence::new(&header);
        Ok(Self {
            source,
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
        let block = match read_block(&mut self.source, &mut self.partial, self.offset) {
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
        self.blocks.push(block, &self.header)?;
        let part = if block.kind == Kind::Keyframe {
            LogPart::Keyframe { tick: block.tick, state: block.content(stored)?.into_owned() }
        } else {
            LogPart::Chunk(Chunk::decode(stored, block, &self.header)?)
        };
        self.partial.clear();
        self.offset = block.end();
        Ok(Some(part))
    }

    fn read_end(&mut self, index: Block, last_hash: Option<u128>) -> Result<Option<LogPart>, LogError> {
        fill(&mut self.source, &mut self.partial, END_MARK)?;
        check_end_mark(&self.partial[..END_MARK.min(self.partial.len())], &index)?;
        // One byte is too many; who sends more may never end.
        fill(&mut self.source, &mut self.partial, END_MARK + 1)?;
        if self.partial.len() > END_MARK {
            return Err(LogError::TrailingBytes { offset: index.end() + END_MARK as u64, count: 1 });
        }
        (self.last_hash, self.is_finished) = (last_hash, true);
        Ok(None)
    }
}

/// Reads the block at an offset to the bytes that came of it before: its header, and what is stored.
fn read_block(source: &mut impl Read, bytes: &mut Vec<u8>, offset: u64) -> Result<Block, LogError> {
    fill(source, bytes, HEADER)?;
    let truncated =
        |what, expected, found| LogError::Truncated { offset, what, expected, found: found as u64 };
    let header = bytes.first_chunk().ok_or_else(|| truncated(BLOCK_HEADER, HEADER as u64, bytes.len()))?;
    let block = Block::of_header(header, offset)?;
    let length = HEADER + block.stored as usize;
    fill(source, bytes, length)?;
    if bytes.len() < length {
        return Err(truncated(BLOCK, length as u64, bytes.len()));
    }
    block.check(&bytes[HEADER..])?;
    Ok(block)
}

/// Reads until there are so many bytes or the source ends. The memory that this takes grows with what comes.
fn fill(source: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> std::io::Result<()> {
    let missing = length.saturating_sub(bytes.len());
    source.take(missing as u64).read_to_end(bytes).map(|_| ())
}
