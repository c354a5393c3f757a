//! [`Side`]: what `isostep diff` compares, a log or the hashes of one, from a file or a pipe.

use crate::failure::Failure;
use crate::logs;
use isostep_replay::limits::MAX_LOG_BYTES;
use isostep_replay::{HashStream, Log, LogError, MAGIC};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// What is compared.
pub(crate) enum Side {
    Log(Arc<Log>),
    Hashes(HashStream),
}

/// A log, or if the file does not begin as one and is text, a stream of hashes. It is opened once and read from its start
/// to its end, so it may be a pipe.
///
/// # Errors
/// If it cannot be read, is neither, or is a damaged log and only all of it will do.
pub(crate) fn read(path: &Path, valid_part: bool) -> Result<Side, Failure> {
    let unreadable = |error: io::Error| Failure::log(path, error.into());
    let mut file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.is_empty() {
        return Err(Failure::Empty { path: path.to_owned() });
    }
    if MAGIC.starts_with(&bytes) {
        let log = Log::read(bytes.as_slice().chain(file)).map_err(|error| Failure::log(path, error))?;
        return logs::checked(path, log, valid_part).map(Side::Log);
    }
    file.take(MAX_LOG_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_LOG_BYTES {
        return Err(Failure::log(path, LogError::TooLarge { max: MAX_LOG_BYTES }));
    }
    let text = text_of(bytes).ok_or_else(|| Failure::log(path, LogError::Magic))?;
    let stream = text.parse().map_err(|error| Failure::Hashes { path: path.to_owned(), error })?;
    Ok(Side::Hashes(stream))
}

/// Text in UTF-8, or in UTF-16 with a byte order mark, which is how PowerShell 5 redirects; without that mark.
fn text_of(bytes: Vec<u8>) -> Option<String> {
    match &bytes[..] {
        [0xFF, 0xFE, units @ ..] => utf16(units, u16::from_le_bytes),
        [0xFE, 0xFF, units @ ..] => utf16(units, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, text @ ..] => String::from_utf8(text.to_vec()).ok(),
        _ => String::from_utf8(bytes).ok(),
    }
}

fn utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Option<String> {
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    let units: Vec<_> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok()
}
