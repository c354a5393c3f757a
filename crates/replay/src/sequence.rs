//! [`Sequence`]: the blocks that a log has so far, in the only order that makes sense.

use crate::block::{Block, Kind};
use crate::codec::Source;
use crate::error::LogError;
use crate::header::Header;
use crate::index::Index;

/// Blocks after the header, none of which leaves a gap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) chunks: Vec<Block>,
    pub(crate) keyframes: Vec<Block>,
    /// The tick after the last one.
    pub(crate) end_tick: u64,
}

/// The header in the content of the first block of a log.
///
/// # Errors
/// If it is another block, or the content no header of a log.
pub(crate) fn read_header(head: Block, stored: &[u8]) -> Result<Header, LogError> {
    if head.kind != Kind::Head {
        return Err(head.misplaced(Kind::Head.name()));
    }
    if head.tick != 0 {
        return Err(head.invalid("it has a tick"));
    }
    let content = head.content(stored)?;
    let mut source = Source(&content);
    let header: Header = source.value().map_err(|reason| head.invalid(reason))?;
    source.end().map_err(|reason| head.invalid(reason))?;
    header.validate()?;
    Ok(header)
}

impl Sequence {
    /// Without blocks, from the first tick of a log.
    pub(crate) const fn new(header: &Header) -> Self {
        Self { chunks: Vec::new(), keyframes: Vec::new(), end_tick: header.first_tick }
    }

    /// Takes a keyframe or a chunk.
    ///
    /// # Errors
    /// If it does not go on where the last one ended, or is another block.
    pub(crate) fn push(&mut self, block: Block, header: &Header) -> Result<(), LogError> {
        self.check(block, header)?;
        self.add(block);
        Ok(())
    }

    /// Whether a keyframe or a chunk goes on where the last one ended.
    ///
    /// # Errors
    /// If it does not, or is another block.
    pub(crate) fn check(&self, block: Block, header: &Header) -> Result<(), LogError> {
        let (expected, found) = (self.end_tick, block.tick);
        if found != expected && matches!(block.kind, Kind::Keyframe | Kind::Ticks) {
            return Err(LogError::Gap { offset: block.offset, block: block.kind.name(), expected, found });
        }
        match block.kind {
            Kind::Head | Kind::Index => return Err(block.misplaced("ticks, a keyframe or the index")),
            Kind::Keyframe => {
                if self.keyframes.last().is_some_and(|last| last.tick == block.tick) {
                    return Err(block.invalid("there is one of its tick before it"));
                }
            }
            Kind::Ticks => {
                if self.keyframes.is_empty() && header.needs_keyframe() {
                    return Err(block.misplaced("a keyframe"));
                }
                if block.ticks == 0 {
                    return Err(block.invalid("it has no ticks"));
                }
            }
        }
        Ok(())
    }

    /// Takes a keyframe or a chunk that was checked.
    pub(crate) fn add(&mut self, block: Block) {
        if block.kind == Kind::Keyframe {
            self.keyframes.push(block);
        } else {
            self.chunks.push(block);
            self.end_tick += u64::from(block.ticks);
        }
    }

    /// Compares the index with the blocks, and returns the hash of the last state.
    ///
    /// # Errors
    /// If it is the index of other blocks, or none.
    pub(crate) fn finish(&self, index: Block, stored: &[u8]) -> Result<Option<u128>, LogError> {
        if index.tick != 0 {
            return Err(index.invalid("it has a tick"));
        }
        // Before any of it is decompressed: of these blocks no index has more.
        if u64::from(index.raw) > Index::byte_count(self.chunks.len(), self.keyframes.len()) {
            return Err(index.invalid(Index::OTHER));
        }
        let content = index.content(stored)?;
        Index::check(&content, self.end_tick, &self.chunks, &self.keyframes)
            .map_err(|reason| index.invalid(reason))
    }
}
