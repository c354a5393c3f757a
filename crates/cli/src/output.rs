//! [`Output`]: where the command prints, and how it ends.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;

/// What came of a command; the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// All is as it should be.
    Identical,
    /// Something differs.
    Different,
    /// Something cannot be read, or cannot be done.
    Unreadable,
}

impl Verdict {
    /// [`Identical`](Self::Identical) or [`Different`](Self::Different).
    pub(crate) const fn of(is_identical: bool) -> Self {
        if is_identical { Self::Identical } else { Self::Different }
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        Self::from(verdict as u8)
    }
}

/// The standard output, with colors if somebody looks at it.
pub(crate) struct Output {
    sink: BufWriter<StdoutLock<'static>>,
    is_colored: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_colored = stdout.is_terminal() && wants_color();
        Self { sink: BufWriter::new(stdout.lock()), is_colored }
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
        writeln!(self.sink, "{document:#}")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// As <https://no-color.org> wants it.
fn wants_color() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
