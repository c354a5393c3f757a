//! Blocks: what a log is a sequence of.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 4 | what it is: `HEAD`, `KEYF`, `TICK`, `INDX` |
//! | 4 | 4 | how many bytes are stored |
//! | 8 | 4 | how many bytes they are when decompressed; the same number if they are not compressed |
//! | 12 | 4 | how many ticks it has |
//! | 16 | 8 | its first tick |
//! | 24 | 4 | CRC-32 of the stored bytes |
//! | 28 | 4 | CRC-32 of the 28 bytes above; of `HEAD`, of the preamble before them as well |
//! | 32 | | the stored bytes, plain or as DEFLATE (RFC 1951) makes them |

use crate::codec::Source;
use crate::error::LogError;
use crate::limits::{MAX_BLOCK_BYTES, MAX_CHUNK_TICKS, MAX_HEADER_BYTES, MAX_RATIO};
use isostep_step::SIM_VERSION;
use std::borrow::Cow;

/// The version of the format of logs.
pub const FORMAT_VERSION: u32 = 1;

/// What a log begins with, and nothing else does.
pub const MAGIC: [u8; 8] = *b"ISOREPL\0";
/// How hard the compressor tries, from 0 to 10.
const LEVEL: u8 = 3;
/// Shorter contents stay as they are, and so do headers: a person reads them in a dump.
const LEAST_COMPRESSED: usize = 128;
/// How many bytes come before the first block.
pub(crate) const PREAMBLE: usize = 16;
/// How many bytes a block has before its content.
pub(crate) const HEADER: usize = 32;

/// What a log that is too short has only a part of.
pub(crate) const BLOCK_HEADER: &str = "the header of a block";
pub(crate) const BLOCK: &str = "a block";

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Head,
    Keyframe,
    Ticks,
    Index,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Head, Self::Keyframe, Self::Ticks, Self::Index];

    const fn tag(self) -> [u8; 4] {
        match self {
            Self::Head => *b"HEAD",
            Self::Keyframe => *b"KEYF",
            Self::Ticks => *b"TICK",
            Self::Index => *b"INDX",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Head => "header",
            Self::Keyframe => "keyframe",
            Self::Ticks => "chunk of ticks",
            Self::Index => "index",
        }
    }
}

/// A block of a log, found by its header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    /// Where it begins.
    pub(crate) offset: u64,
    pub(crate) stored: u32,
    pub(crate) raw: u32,
    pub(crate) ticks: u32,
    pub(crate) tick: u64,
    checksum: u32,
}

/// The bytes before the first block.
pub(crate) fn preamble() -> [u8; PREAMBLE] {
    let mut bytes = [0; PREAMBLE];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    bytes[12..].copy_from_slice(&SIM_VERSION.to_le_bytes());
    bytes
}

/// # Errors
/// If the bytes are no log, or one of another version.
pub(crate) fn check_preamble(bytes: &[u8]) -> Result<(), LogError> {
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err(LogError::Magic);
    }
    let mut source = Source(bytes.get(MAGIC.len()..).unwrap_or_default());
    let mut version = || {
        source.u32().map_err(|_| LogError::Truncated {
            offset: 0,
            what: "the preamble",
            expected: PREAMBLE as u64,
            found: bytes.len() as u64,
        })
    };
    let format = version()?;
    if format != FORMAT_VERSION {
        return Err(LogError::Format { found: format, supported: FORMAT_VERSION });
    }
    let simulation = version()?;
    if simulation != SIM_VERSION {
        return Err(LogError::Simulation { found: simulation, supported: SIM_VERSION });
    }
    Ok(())
}

/// Adds a block with its content, compressed if that makes it shorter. A `HEAD` is added to the preamble alone.
pub(crate) fn put(bytes: &mut Vec<u8>, kind: Kind, [tick, ticks]: [u64; 2], content: &[u8]) {
    let start = bytes.len();
    let compressed = if kind == Kind::Head || content.len() < LEAST_COMPRESSED {
        Vec::new()
    } else {
        miniz_oxide::deflate::compress_to_vec(content, LEVEL)
    };
    let is_shorter = !compressed.is_empty() && compressed.len() < content.len();
    let stored = if is_shorter { &compressed } else { content };
    bytes.extend_from_slice(&kind.tag());
    for number in [stored.len() as u32, content.len() as u32, ticks as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&tick.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(stored).to_le_bytes());
    let covered = if kind == Kind::Head { 0 } else { start };
    let checksum = crc32fast::hash(&bytes[covered..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(stored);
}

impl Block {
    /// The block at an offset of a log, with a header that holds, content that is there and whose checksum holds.
    ///
    /// # Errors
    /// If the block is not whole, damaged, or longer than allowed.
    pub(crate) fn find(log: &[u8], offset: usize) -> Result<Self, LogError> {
        let at = offset as u64;
        let rest = &log[offset.min(log.len())..];
        let truncated =
            |what, expected| LogError::Truncated { offset: at, what, expected, found: rest.len() as u64 };
        let header = rest.first_chunk().ok_or_else(|| truncated(BLOCK_HEADER, HEADER as u64))?;
        let block = Self::of_header(header, at)?;
        let end = HEADER as u64 + u64::from(block.stored);
        let stored = rest.get(HEADER..end as usize).ok_or_else(|| truncated(BLOCK, end))?;
        block.check(stored)?;
        Ok(block)
    }

    /// The block of a header that holds, at an offset of a log whose preamble is this program's.
    ///
    /// # Errors
    /// If the header is damaged, or the block longer than allowed.
    pub(crate) fn of_header(header: &[u8; HEADER], offset: u64) -> Result<Self, LogError> {
        let (covered, expected) = header.split_at(HEADER - 4);
        let expected = Source(expected).u32().unwrap_or_default();
        let mut hasher = crc32fast::Hasher::new();
        if offset == PREAMBLE as u64 {
            hasher.update(&preamble());
        }
        hasher.update(covered);
        let found = hasher.finalize();
        if found != expected {
            return Err(LogError::HeaderChecksum { offset, expected, found });
        }
        Self::of_fields(covered, offset)
    }

    /// # Errors
    /// If the stored bytes are not those that were written.
    pub(crate) fn check(&self, stored: &[u8]) -> Result<(), LogError> {
        let found = crc32fast::hash(stored);
        if found == self.checksum {
            return Ok(());
        }
        let (offset, block, expected) = (self.offset, self.kind.name(), self.checksum);
        Err(LogError::BlockChecksum { offset, block, expected, found })
    }

    fn of_fields(fields: &[u8], offset: u64) -> Result<Self, LogError> {
        let mut source = Source(fields);
        let mut word = || source.u32().unwrap_or_default();
        let tag = word().to_le_bytes();
        let [stored, raw, ticks] = [word(), word(), word()];
        let tick = u64::from(word()) | u64::from(word()) << 32;
        let checksum = word();
        let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == tag);
        let kind = kind.ok_or(LogError::UnknownBlock { offset, tag })?;
        let limit = |what, found, max| {
            let (found, max) = (u64::from(found), u64::from(max));
            let error = LogError::TooMuch { offset, block: kind.name(), what, found, max };
            if found <= max { Ok(()) } else { Err(error) }
        };
        limit("the length", raw, if kind == Kind::Head { MAX_HEADER_BYTES } else { MAX_BLOCK_BYTES })?;
        limit("the stored length", stored, raw)?;
        limit("the compressed length", raw, stored.saturating_mul(MAX_RATIO))?;
        limit("the number of ticks", ticks, if kind == Kind::Ticks { MAX_CHUNK_TICKS } else { 0 })?;
        Ok(Self { kind, offset, stored, raw, ticks, tick, checksum })
    }

    /// Where the next one begins.
    pub(crate) const fn end(&self) -> u64 {
        self.offset + HEADER as u64 + self.stored as u64
    }

    /// The stored bytes.
    pub(crate) fn bytes<'a>(&self, log: &'a [u8]) -> &'a [u8] {
        log.get(self.offset as usize + HEADER..self.end() as usize).unwrap_or_default()
    }

    /// The content of stored bytes.
    ///
    /// # Errors
    /// If it cannot be decompressed.
    pub(crate) fn content<'a>(&self, stored: &'a [u8]) -> Result<Cow<'a, [u8]>, LogError> {
        if self.raw == self.stored {
            return Ok(Cow::Borrowed(stored));
        }
        // The memory that this takes grows with what comes out of it.
        match miniz_oxide::inflate::decompress_to_vec_with_limit(stored, self.raw as usize) {
            Ok(content) if content.len() == self.raw as usize => Ok(Cow::Owned(content)),
            _ => Err(self.invalid("it cannot be decompressed")),
        }
    }

    pub(crate) fn misplaced(&self, expected: &'static str) -> LogError {
        LogError::Misplaced { offset: self.offset, block: self.kind.name(), expected }
    }

    pub(crate) fn invalid(&self, reason: &'static str) -> LogError {
        LogError::Invalid { offset: self.offset, block: self.kind.name(), reason }
    }
}
