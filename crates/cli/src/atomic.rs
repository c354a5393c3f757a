//! [`AtomicFile`]: a file that appears when it is whole.

use crate::failure::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes to a temporary file beside the wanted one, and renames it at the end: whoever reads the wanted one sees what
/// was there before, or all of it.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
    is_kept: bool,
}

impl AtomicFile {
    /// # Errors
    /// If there is no such folder, or it cannot be written to.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let failure = |error| Failure::Write { path: path.to_owned(), error };
        let name = path.file_name().ok_or_else(|| failure(io::ErrorKind::IsADirectory.into()))?;
        if path.is_dir() {
            return Err(failure(io::ErrorKind::IsADirectory.into()));
        }
        let mut temporary_name = std::ffi::OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}", std::process::id()));
        let temporary = path.with_file_name(temporary_name);
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&temporary);
        let file = file.map_err(failure)?;
        Ok(Self { file, temporary, path: path.to_owned(), is_kept: false })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If the disk or the folder does not take it.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        let renamed = self.file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.path));
        self.is_kept = renamed.is_ok();
        renamed.map_err(|error| Failure::Write { path: self.path.clone(), error })
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`AtomicFile`].
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|error| Failure::Write { path: path.to_owned(), error })?;
    file.commit()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nobody would look at it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
