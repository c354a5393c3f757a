//! [`AtomicFile`]: a file that appears when it is whole.

use crate::failure::Failure;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes to a temporary file beside the wanted one, and renames it at the end: whoever reads the wanted one sees what
/// was there before, or all of it.
///
/// What is replaced keeps its permissions, though not its owner. Of a symbolic link, the file that it leads to is
/// replaced. What exists and is no regular file, such as a FIFO or a device, is written to as it is.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: File,
    path: PathBuf,
    replacement: Option<Replacement>,
    written: u64,
}

/// What is renamed at the end, and to what.
#[derive(Debug)]
struct Replacement {
    temporary: PathBuf,
    target: PathBuf,
    is_renamed: bool,
}

impl AtomicFile {
    /// # Errors
    /// If there is no such folder, or it cannot be written to.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let opened = Self::open(path).map_err(|error| Failure::Write { path: path.to_owned(), error });
        opened.map(|(file, replacement)| Self { file, path: path.to_owned(), replacement, written: 0 })
    }

    fn open(path: &Path) -> io::Result<(File, Option<Replacement>)> {
        let (target, permissions) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok((OpenOptions::new().write(true).open(path)?, None)),
            Ok(found) => (fs::canonicalize(path)?, Some(found.permissions())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (end_of_links(path), None),
            Err(error) => return Err(error),
        };
        let name = target.file_name().ok_or(io::ErrorKind::NotFound)?;
        let mut temporary_name = OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}", std::process::id()));
        let temporary = target.with_file_name(temporary_name);
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&temporary)?;
        let replacement = Replacement { temporary, target, is_renamed: false };
        // Before anything is in it. Elsewhere than on Unix, a permission is no more than whether files can be removed.
        if let Some(permissions) = permissions.filter(|_| cfg!(unix)) {
            if file.metadata()?.permissions() != permissions {
                file.set_permissions(permissions)?;
            }
        }
        Ok((file, Some(replacement)))
    }

    /// Gives the file its name, and returns how many bytes were written.
    ///
    /// # Errors
    /// If the disk or the folder does not take it.
    pub(crate) fn commit(mut self) -> Result<u64, Failure> {
        if let Some(replacement) = &mut self.replacement {
            let renamed = self.file.sync_all().and_then(|()| replacement.rename());
            renamed.map_err(|error| Failure::Write { path: self.path.clone(), error })?;
        }
        Ok(self.written)
    }
}

impl Replacement {
    fn rename(&mut self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.target)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_renamed {
            // Nobody would look at it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Where the symbolic links at a path lead to, of which the last one leads to nothing.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    // A circle is an error before this is asked.
    while let Ok(next) = fs::read_link(&end) {
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

/// Whether two paths lead to the same file, which exists.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Writes a whole file.
///
/// # Errors
/// As [`AtomicFile`].
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|error| Failure::Write { path: path.to_owned(), error })?;
    file.commit().map(|_| ())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
