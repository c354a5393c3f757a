//! [`Log`]: a log that was read.

use crate::block::{Block, Kind, PREAMBLE, check_preamble};
use crate::chunk::Chunk;
use crate::error::LogError;
use crate::header::Header;
use crate::index::{END_MARK, check_end_mark};
use crate::limits::MAX_LOG_BYTES;
use crate::sequence::{Sequence, read_header};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A log in memory, all checksums of which hold up to where it ends.
///
/// A log whose writer was stopped, or that was damaged, is one that ends early: [`damage`](Self::damage) says where and
/// why.
#[derive(Clone, Debug)]
pub struct Log {
    bytes: Vec<u8>,
    header: Header,
    blocks: Sequence,
    last_hash: Option<u128>,
    damage: Option<LogError>,
}

/// What a log says of a chunk without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkInfo {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// Its first tick.
    pub first_tick: u64,
    /// How many ticks it has.
    pub ticks: u32,
    /// How many bytes it takes, besides 32 of its header.
    pub stored_bytes: u32,
    /// How many bytes that is when decompressed.
    pub raw_bytes: u32,
}

/// What a log says of a keyframe without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyframeInfo {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// The tick of the state that it has.
    pub tick: u64,
    /// How many bytes it takes, besides 32 of its header.
    pub stored_bytes: u32,
    /// How many bytes that is when decompressed.
    pub raw_bytes: u32,
}

impl Log {
    /// The log in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or has no header that holds: see [`from_bytes`](Self::from_bytes).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LogError> {
        Self::read(File::open(path)?)
    }

    /// The log that a reader gives until its end.
    ///
    /// # Errors
    /// If the reader fails, or gives more than [`MAX_LOG_BYTES`], or no header that holds: see
    /// [`from_bytes`](Self::from_bytes).
    pub fn read(mut reader: impl Read) -> Result<Self, LogError> {
        let mut bytes = Vec::new();
        // Of what is no log, or one of another version, nothing more is read.
        reader.by_ref().take(PREAMBLE as u64).read_to_end(&mut bytes)?;
        check_preamble(&bytes)?;
        let rest = MAX_LOG_BYTES + 1 - PREAMBLE as u64;
        reader.take(rest).read_to_end(&mut bytes)?;
        Self::from_bytes(bytes)
    }

    /// The log in bytes: the part of them that is whole.
    ///
    /// # Errors
    /// If they are no log, are one of another format or simulation, or the header is damaged: if nothing of them can be
    /// used. Whatever is wrong after the header is [`damage`](Self::damage).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, LogError> {
        if bytes.len() as u64 > MAX_LOG_BYTES {
            return Err(LogError::TooLarge { max: MAX_LOG_BYTES });
        }
        check_preamble(&bytes)?;
        let head = Block::find(&bytes, PREAMBLE)?;
        let header = read_header(head, head.bytes(&bytes))?;
        let blocks = Sequence::new(&header);
        let mut log = Self { bytes, header, blocks, last_hash: None, damage: None };
        log.damage = log.scan(head.end()).err();
        Ok(log)
    }

    /// What it is of.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The tick of the state that it starts from.
    #[must_use]
    pub const fn first_tick(&self) -> u64 {
        self.header.first_tick
    }

    /// The tick of the state that it ends with: one more than its last frame.
    #[must_use]
    pub const fn end_tick(&self) -> u64 {
        self.blocks.end_tick
    }

    /// The hash of the state that it ends with, if it was finished with one.
    #[must_use]
    pub const fn last_hash(&self) -> Option<u128> {
        self.last_hash
    }

    /// That hash, if this is the tick that it ends with.
    pub(crate) fn last_hash_at(&self, tick: u64) -> Option<u128> {
        self.last_hash.filter(|_| tick == self.end_tick())
    }

    /// Why it ends where it does; none if it was finished and nothing of it is damaged.
    #[must_use]
    pub const fn damage(&self) -> Option<&LogError> {
        self.damage.as_ref()
    }

    /// How many bytes it has, damaged ones as well.
    #[must_use]
    pub fn byte_count(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Its chunks, by their ticks.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkInfo> + '_ {
        self.blocks.chunks.iter().map(|block| ChunkInfo {
            offset: block.offset,
            first_tick: block.tick,
            ticks: block.ticks,
            stored_bytes: block.stored,
            raw_bytes: block.raw,
        })
    }

    /// Its keyframes, by their ticks.
    pub fn keyframes(&self) -> impl ExactSizeIterator<Item = KeyframeInfo> + '_ {
        self.blocks.keyframes.iter().map(|block| KeyframeInfo {
            offset: block.offset,
            tick: block.tick,
            stored_bytes: block.stored,
            raw_bytes: block.raw,
        })
    }

    /// A chunk, by its place among them.
    ///
    /// # Errors
    /// If its content makes no sense.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn chunk(&self, index: usize) -> Result<Chunk, LogError> {
        let block = self.blocks.chunks[index];
        Chunk::decode(block.bytes(&self.bytes), block, &self.header)
    }

    /// Which chunk has a tick; none outside.
    #[must_use]
    pub fn chunk_of(&self, tick: u64) -> Option<usize> {
        let index = self.blocks.chunks.partition_point(|block| block.tick <= tick).checked_sub(1)?;
        (tick < self.blocks.end_tick).then_some(index)
    }

    /// The state in a keyframe, by its place among them.
    ///
    /// # Errors
    /// If it cannot be decompressed.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn keyframe(&self, index: usize) -> Result<Cow<'_, [u8]>, LogError> {
        let block = self.blocks.keyframes[index];
        block.content(block.bytes(&self.bytes))
    }

    /// The last keyframe of a tick or before it.
    #[must_use]
    pub fn keyframe_before(&self, tick: u64) -> Option<usize> {
        self.blocks.keyframes.partition_point(|block| block.tick <= tick).checked_sub(1)
    }

    /// If both logs have the same chunk at a tick, byte for byte: the tick after it.
    pub(crate) fn same_chunk(&self, other: &Self, tick: u64) -> Option<u64> {
        let own = &self.blocks.chunks[self.chunk_of(tick)?];
        let others = &other.blocks.chunks[other.chunk_of(tick)?];
        let is_start = own.tick == tick && others.tick == tick && own.ticks == others.ticks;
        // Of a length that is not the one of its bytes, a block cannot be read.
        let is_same =
            is_start && own.raw == others.raw && own.bytes(&self.bytes) == others.bytes(&other.bytes);
        is_same.then(|| tick + u64::from(own.ticks))
    }

    /// Finds all blocks from an offset on, and what is wrong with the first that is wrong.
    fn scan(&mut self, mut offset: u64) -> Result<(), LogError> {
        while offset < self.byte_count() {
            let block = Block::find(&self.bytes, offset as usize)?;
            if block.kind == Kind::Index {
                return self.end(block);
            }
            self.blocks.push(block, &self.header)?;
            offset = block.end();
        }
        Err(LogError::Unfinished { offset })
    }

    /// Compares the index and the end mark with what there is.
    fn end(&mut self, index: Block) -> Result<(), LogError> {
        let last_hash = self.blocks.finish(index, index.bytes(&self.bytes))?;
        let rest = &self.bytes[index.end() as usize..];
        let (mark, after) = rest.split_at(END_MARK.min(rest.len()));
        check_end_mark(mark, &index)?;
        if !after.is_empty() {
            let (offset, count) = (index.end() + END_MARK as u64, after.len() as u64);
            return Err(LogError::TrailingBytes { offset, count });
        }
        self.last_hash = last_hash;
        Ok(())
    }
}

/// The chunk of a log that was read last: what goes through ticks reads each chunk once.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkCache(Option<(usize, Chunk)>);

impl ChunkCache {
    /// The chunk with a tick, if the log has one.
    ///
    /// # Errors
    /// If it makes no sense.
    pub(crate) fn at(&mut self, log: &Log, tick: u64) -> Result<Option<&Chunk>, LogError> {
        let Some(index) = log.chunk_of(tick) else { return Ok(None) };
        if self.0.as_ref().is_none_or(|(read, _)| *read != index) {
            self.0 = Some((index, log.chunk(index)?));
        }
        Ok(self.0.as_ref().map(|(_, chunk)| chunk))
    }
}
