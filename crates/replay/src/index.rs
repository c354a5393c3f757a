//! The index at the end of a log that was finished, and the mark after it.
//!
//! The content of an `INDX` block, little-endian: the tick after the last one in 8 bytes; 1 or 0 for a hash of the last
//! state or none, and the hash in 16, or zeros; the number of chunks in 4, then of each the offset in 8, the first tick in 8
//! and the number of ticks in 4; the number of keyframes in 4, then of each the offset in 8 and the tick in 8. The end mark
//! is the offset of the index in 8 bytes, `ISOEND` with two zeros, and the CRC-32 of these 16 bytes.

use crate::block::Block;
use crate::codec::{Reason, Source};
use crate::error::LogError;

/// How many bytes the mark has.
pub(crate) const END_MARK: usize = 20;

/// The end mark of a log whose index begins at an offset.
pub(crate) fn end_mark(offset: u64) -> [u8; END_MARK] {
    let mut bytes = [0; END_MARK];
    bytes[..8].copy_from_slice(&offset.to_le_bytes());
    bytes[8..16].copy_from_slice(b"ISOEND\0\0");
    let checksum = crc32fast::hash(&bytes[..16]);
    bytes[16..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Whether what comes after an index, up to as many bytes as the mark has, is the mark.
///
/// # Errors
/// If they are fewer or others.
pub(crate) fn check_end_mark(found: &[u8], index: &Block) -> Result<(), LogError> {
    let offset = index.end();
    if found.len() < END_MARK {
        let (expected, found) = (END_MARK as u64, found.len() as u64);
        return Err(LogError::Truncated { offset, what: "the end mark", expected, found });
    }
    if found == end_mark(index.offset) { Ok(()) } else { Err(LogError::EndMark { offset }) }
}

/// What blocks there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) end_tick: u64,
    pub(crate) last_hash: Option<u128>,
    /// Offset, first tick, and how many ticks.
    pub(crate) chunks: Vec<(u64, u64, u32)>,
    /// Offset and tick.
    pub(crate) keyframes: Vec<(u64, u64)>,
}

impl Index {
    /// Why an index is not the one of a log.
    pub(crate) const OTHER: Reason = "it is not of the blocks before it";

    /// How many bytes the content has with so many chunks and keyframes.
    pub(crate) const fn byte_count(chunks: usize, keyframes: usize) -> u64 {
        33 + 20 * chunks as u64 + 16 * keyframes as u64
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.end_tick.to_le_bytes());
        bytes.push(u8::from(self.last_hash.is_some()));
        bytes.extend_from_slice(&self.last_hash.unwrap_or(0).to_le_bytes());
        bytes.extend_from_slice(&(self.chunks.len() as u32).to_le_bytes());
        for (offset, tick, ticks) in &self.chunks {
            bytes.extend_from_slice(&offset.to_le_bytes());
            bytes.extend_from_slice(&tick.to_le_bytes());
            bytes.extend_from_slice(&ticks.to_le_bytes());
        }
        bytes.extend_from_slice(&(self.keyframes.len() as u32).to_le_bytes());
        for (offset, tick) in &self.keyframes {
            bytes.extend_from_slice(&offset.to_le_bytes());
            bytes.extend_from_slice(&tick.to_le_bytes());
        }
    }

    /// The hash of the last state, of an index that is of these blocks.
    pub(crate) fn check(
        content: &[u8],
        end_tick: u64,
        chunks: &[Block],
        keyframes: &[Block],
    ) -> Result<Option<u128>, Reason> {
        let same = |holds: bool| if holds { Ok(()) } else { Err(Self::OTHER) };
        let mut source = Source(content);
        same(source.u64()? == end_tick)?;
        let (is_there, hash) = (source.u8()?, source.u128()?);
        let hash = match is_there {
            0 if hash == 0 => None,
            1 => Some(hash),
            _ => return Err("the hash of the last state is neither there nor not"),
        };
        same(source.u32()? as usize == chunks.len())?;
        for block in chunks {
            let found = (source.u64()?, source.u64()?, source.u32()?);
            same(found == (block.offset, block.tick, block.ticks))?;
        }
        same(source.u32()? as usize == keyframes.len())?;
        for block in keyframes {
            same((source.u64()?, source.u64()?) == (block.offset, block.tick))?;
        }
        source.end()?;
        Ok(hash)
    }
}
