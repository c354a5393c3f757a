//! [`Output`]: where the command prints, and how it ends.

use isostep_replay::Verification;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;

/// What came of a command; the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// All is as it should be.
    Identical,
    /// Something differs.
    Different,
    /// There is nothing to compare with.
    Uncompared,
    /// Something cannot be read, or cannot be done.
    Unreadable,
}

impl Verdict {
    /// [`Identical`](Self::Identical) or [`Different`](Self::Different).
    pub(crate) const fn of(is_identical: bool) -> Self {
        if is_identical { Self::Identical } else { Self::Different }
    }

    /// Of a log that was replayed.
    pub(crate) const fn of_replay(verification: &Verification) -> Self {
        match verification.is_compared() {
            true => Self::of(verification.is_identical()),
            false => Self::Uncompared,
        }
    }

    /// What JSON calls it where logs are replayed.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Different => "diverged",
            Self::Uncompared => "uncompared",
            Self::Unreadable => "unreadable",
        }
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        Self::from(match verdict {
            Verdict::Identical => 0,
            Verdict::Different => 1,
            Verdict::Uncompared | Verdict::Unreadable => 2,
        })
    }
}

/// The standard output, with colors if somebody looks at it.
///
/// When nobody reads it any more, as `head` after its last line, the rest is dropped and is no error: how the command ends
/// says what it found, not who read it.
pub(crate) struct Output {
    sink: BufWriter<StdoutLock<'static>>,
    is_colored: bool,
    is_closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_colored = stdout.is_terminal() && wants_color();
        Self { sink: BufWriter::new(stdout.lock()), is_colored, is_closed: false }
    }

    /// Green.
    pub(crate) fn good(&self, text: &str) -> String {
        self.colored("32", text)
    }

    /// Red.
    pub(crate) fn bad(&self, text: &str) -> String {
        self.colored("31", text)
    }

    fn colored(&self, color: &str, text: &str) -> String {
        if self.is_colored { format!("\x1b[1;{color}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// One document of JSON.
    pub(crate) fn json(&mut self, document: &serde_json::Value) -> io::Result<()> {
        writeln!(self, "{document:#}")
    }

    /// What came of writing; `closed` if nobody reads any more.
    fn unless_closed<T>(&mut self, written: io::Result<T>, closed: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(closed)
            }
            written => written,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let written = self.sink.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.sink.flush();
        self.unless_closed(flushed, ())
    }
}

/// As <https://no-color.org> wants it.
fn wants_color() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
