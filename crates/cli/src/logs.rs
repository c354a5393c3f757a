//! Logs in files.

use crate::failure::Failure;
use isostep_replay::Log;
use std::path::Path;
use std::sync::Arc;

/// The log in a file: all of it, or if `valid_part`, what is whole of it.
///
/// # Errors
/// If it cannot be read, or is damaged and only all of it will do.
pub(crate) fn open(path: &Path, valid_part: bool) -> Result<Arc<Log>, Failure> {
    let log = Log::open(path).map_err(|error| Failure::log(path, error))?;
    checked(path, log, valid_part)
}

/// A log, if it is whole or need not be.
///
/// # Errors
/// As [`open`].
pub(crate) fn checked(path: &Path, log: Log, valid_part: bool) -> Result<Arc<Log>, Failure> {
    match log.damage() {
        Some(error) if !valid_part => Err(Failure::Damaged {
            path: path.to_owned(),
            error: error.clone(),
            first: log.first_tick(),
            end: log.end_tick(),
        }),
        _ => Ok(Arc::new(log)),
    }
}
