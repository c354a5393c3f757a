//! [`LogReader`]: a log that is read as it comes.

use crate::block::{BLOCK, BLOCK_HEADER, Block, HEADER, Kind, PREAMBLE, check_preamble};
use crate::chunk::Chunk;
use crate::error::LogError;
use crate::header::Header;
use crate::index::{END, END_MARK, end_mark};
use crate::sequence::{Sequence, read_header};
use std::io::Read;

/// Reads a log block by block, with memory for one: from a file of any size, or from a match that still goes on.
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
    last_hash: Option<u128>,
    is_finished: bool,
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
    /// Reads the header.
    ///
    /// # Errors
    /// If the source fails, or gives no log, or one of another format or simulation, or a header that is damaged.
    pub fn new(mut source: R) -> Result<Self, LogError> {
        let mut preamble = [0; PREAMBLE];
        let count = fill(&mut source, &mut preamble)?;
        check_preamble(&preamble[..count])?;
        let mut offset = PREAMBLE as u64;
        let (head, stored) = read_block(&mut source, &mut offset)?;
        let header = read_header(head, &stored)?;
        let blocks = Sequence::new(&header);
        Ok(Self { source, header, blocks, offset, last_hash: None, is_finished: false })
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

    /// The next part; none at the end of a log that was finished.
    ///
    /// # Errors
    /// If the source fails, what comes next is damaged, or the log was not finished. What was read before holds.
    pub fn next_part(&mut self) -> Result<Option<LogPart>, LogError> {
        if self.is_finished {
            return Ok(None);
        }
        let start = self.offset;
        let (block, stored) = match read_block(&mut self.source, &mut self.offset) {
            Err(LogError::Truncated { found: 0, .. }) => return Err(LogError::Unfinished { offset: start }),
            read => read?,
        };
        if block.kind == Kind::Index {
            let last_hash = self.blocks.finish(block, &stored)?;
            self.read_end(block)?;
            (self.last_hash, self.is_finished) = (last_hash, true);
            return Ok(None);
        }
        self.blocks.push(block, &self.header)?;
        Ok(Some(if block.kind == Kind::Keyframe {
            LogPart::Keyframe { tick: block.tick, state: block.content(&stored)?.into_owned() }
        } else {
            LogPart::Chunk(Chunk::decode(&stored, block, &self.header)?)
        }))
    }

    fn read_end(&mut self, index: Block) -> Result<(), LogError> {
        let (mut mark, offset) = ([0; END_MARK], index.end());
        let count = fill(&mut self.source, &mut mark)?;
        if count < END_MARK {
            let (expected, found) = (END_MARK as u64, count as u64);
            return Err(LogError::Truncated { offset, what: END, expected, found });
        }
        if mark != end_mark(index.offset) {
            return Err(LogError::EndMark { offset });
        }
        let after = std::io::copy(&mut self.source, &mut std::io::sink())?;
        if after > 0 {
            return Err(LogError::TrailingBytes { offset: offset + END_MARK as u64, count: after });
        }
        Ok(())
    }
}

/// Reads a block with its stored bytes, and goes on to the next one.
fn read_block(source: &mut impl Read, offset: &mut u64) -> Result<(Block, Vec<u8>), LogError> {
    let mut header = [0; HEADER];
    let count = fill(source, &mut header)?;
    if count < HEADER {
        let (expected, found) = (HEADER as u64, count as u64);
        return Err(LogError::Truncated { offset: *offset, what: BLOCK_HEADER, expected, found });
    }
    let block = Block::of_header(&header, *offset)?;
    // The memory that this takes grows with what comes.
    let mut stored = Vec::new();
    let found = source.take(u64::from(block.stored)).read_to_end(&mut stored)?;
    if found < block.stored as usize {
        let (expected, found) = (block.end() - block.offset, (HEADER + found) as u64);
        return Err(LogError::Truncated { offset: *offset, what: BLOCK, expected, found });
    }
    block.check(&stored)?;
    *offset = block.end();
    Ok((block, stored))
}

/// Reads until a buffer is full or the source ends, and returns how many bytes came.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> Result<usize, LogError> {
    let mut count = 0;
    while count < buffer.len() {
        match source.read(&mut buffer[count..]) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(count)
}
