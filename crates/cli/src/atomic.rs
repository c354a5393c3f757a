//! [`AtomicFile`]: a file that appears when it is whole.

use crate::failure::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};
use tempfile::{Builder, NamedTempFile};

/// Writes to a temporary file beside the wanted one, and renames it at the end: whoever reads the wanted one sees what
/// was there before, or all of it.
///
/// What is replaced keeps its permissions, though not its owner. Of a symbolic link, the file that it leads to is
/// replaced. What exists and is no regular file, such as a FIFO or a device, is written to as it is.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    sink: Sink,
    written: u64,
}

#[derive(Debug)]
enum Sink {
    /// What becomes the target at the end, or is removed. Nobody else has a file of its name.
    Replacement {
        temporary: NamedTempFile,
        target: PathBuf,
    },
    AsItIs(File),
}

impl AtomicFile {
    /// # Errors
    /// If there is no such folder, or it cannot be written to.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let sink = Sink::open(path).map_err(|error| Failure::Write { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), sink, written: 0 })
    }

    /// Gives the file its name, and returns what was written.
    ///
    /// # Errors
    /// If the disk or the folder does not take it.
    pub(crate) fn commit(self) -> Result<Written, Failure> {
        let Self { path, sink, written: bytes } = self;
        let is_file = matches!(sink, Sink::Replacement { .. });
        sink.commit().map_err(|error| Failure::Write { path, error })?;
        Ok(Written { bytes, is_file })
    }
}

/// What came to be at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) bytes: u64,
    /// Whether it is a file, and not a pipe or a device: that may be the standard output itself.
    pub(crate) is_file: bool,
}

impl Sink {
    fn open(path: &Path) -> io::Result<Self> {
        let (target, permissions) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                return OpenOptions::new().write(true).open(path).map(Self::AsItIs);
            }
            Ok(found) => (fs::canonicalize(path)?, Some(found.permissions())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (end_of_links(path), None),
            Err(error) => return Err(error),
        };
        let name = target.file_name().ok_or(io::ErrorKind::NotFound)?;
        if is_of_folder(&target) {
            // Nothing can be renamed to it at the end.
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such folder"));
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Of a name that is as long as names may be, the beginning leaves room for what makes it another one.
        let name: String = name.to_string_lossy().chars().take(40).collect();
        let prefix = format!(".{name}.");
        let mut builder = Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        // As of any new file: less what the user's mask takes away.
        #[cfg(unix)]
        builder.permissions(everybody);
        let temporary = builder.tempfile_in(folder).map_err(|error| {
            // Of a name that nobody knows it tells otherwise.
            io::Error::new(error.kind(), format!("{} in the folder {}", error.kind(), folder.display()))
        })?;
        // Before anything is in it. Elsewhere than on Unix, a permission is no more than whether files can be removed.
        if let Some(permissions) = permissions.filter(|_| cfg!(unix)) {
            if temporary.as_file().metadata()?.permissions() != permissions {
                temporary.as_file().set_permissions(permissions)?;
            }
        }
        Ok(Self::Replacement { temporary, target })
    }

    fn commit(self) -> io::Result<()> {
        if let Self::Replacement { temporary, target } = self {
            temporary.as_file().sync_all()?;
            temporary.persist(target)?;
        }
        Ok(())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Replacement { temporary, .. } => temporary.as_file_mut(),
            Self::AsItIs(file) => file,
        }
    }
}

/// Whether a path ends as only those of folders do.
fn is_of_folder(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    let is_end = |text: &[u8]| text.last().is_some_and(|&last| is_separator(char::from(last)));
    is_end(text) || text.strip_suffix(b".").is_some_and(is_end)
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
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<Written, Failure> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|error| Failure::Write { path: path.to_owned(), error })?;
    file.commit()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.sink.writer().write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.writer().flush()
    }
}
