//! [`Output`]: where the command prints, and how it ends.

use crate::atomic::Written;
use isostep_replay::Verification;
use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};
use std::process::ExitCode;

/// What came of a command; the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// All is as it should be.
    Identical,
    /// A log starts from another state than this build would, and is otherwise replayed as it was.
    OtherStart,
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
        match (verification.is_compared(), &verification.divergence) {
            (false, _) => Self::Uncompared,
            (true, Some(_)) => Self::Different,
            (true, None) if verification.start.differs() => Self::OtherStart,
            (true, None) => Self::Identical,
        }
    }

    /// What JSON calls it where logs are replayed.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::OtherStart => "other start",
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
            Verdict::OtherStart | Verdict::Different => 1,
            Verdict::Uncompared | Verdict::Unreadable => 2,
        })
    }
}

/// Where the command prints what it finds, and what goes wrong beside it.
///
/// When nobody reads it any more, as `head` after its last line, the rest is dropped and is no error: how the command ends
/// says what it found, not who read it.
pub(crate) struct Output<'a> {
    sink: BufWriter<&'a mut dyn Write>,
    errors: &'a mut dyn Write,
    is_console: bool,
    is_colored: bool,
    is_closed: bool,
}

impl<'a> Output<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, errors: &'a mut dyn Write) -> Self {
        Self { sink: BufWriter::new(out), errors, is_console: false, is_colored: false, is_closed: false }
    }

    /// The standard output and error, with colors if somebody looks at it. Neither is locked: games may print as well.
    pub(crate) fn console(stdout: &'a mut Stdout, stderr: &'a mut Stderr) -> Self {
        let is_colored = stdout.is_terminal() && wants_color();
        Self { is_console: true, is_colored, ..Self::new(stdout, stderr) }
    }

    /// Whether it is that of the process, which may have a terminal.
    pub(crate) const fn is_console(&self) -> bool {
        self.is_console
    }

    /// For what goes wrong.
    pub(crate) const fn errors(&mut self) -> &mut dyn Write {
        self.errors
    }

    /// For what is to be said of what was written: where that is no file it may have gone to the standard output itself, of
    /// which it is all then.
    pub(crate) fn beside(&mut self, written: Written) -> &mut dyn Write {
        if written.is_file { self } else { self.errors }
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

impl Write for Output<'_> {
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
