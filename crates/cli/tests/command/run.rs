//! Runs the command.

use std::path::Path;
use std::process::{Command, Output};

/// What a run of the command gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// The only document that it printed.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Panics unless it ended with a code.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Panics unless all texts are in what it printed.
    #[track_caller]
    pub(crate) fn prints(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.out.contains(text), "{text:?} is missing: {self:?}");
        }
        self
    }

    /// Panics unless it ended with code 2, printed nothing, and all texts are in the error.
    #[track_caller]
    pub(crate) fn refuses(self, texts: &[&str]) -> Self {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{self:?}");
        for text in texts {
            assert!(self.err.contains(text), "{text:?} is missing: {self:?}");
        }
        self
    }
}

/// Runs the command with arguments, in this folder.
pub(crate) fn isostep(folder: &Path, arguments: &str) -> Run {
    run_of(command(folder, arguments).output().expect("the command was built"))
}

/// As [`isostep`], with a variable of the environment.
pub(crate) fn isostep_with(folder: &Path, arguments: &str, (variable, value): (&str, &str)) -> Run {
    run_of(command(folder, arguments).env(variable, value).output().expect("the command was built"))
}

/// As [`isostep`], with a path behind the arguments that may be any.
#[cfg(unix)]
pub(crate) fn isostep_of(folder: &Path, arguments: &str, path: &Path) -> Run {
    run_of(command(folder, arguments).arg(path).output().expect("the command was built"))
}

/// As [`isostep`], with a pipe as the standard input, through which bytes come.
#[cfg(unix)]
pub(crate) fn isostep_reading(folder: &Path, arguments: &str, input: &[u8]) -> Run {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = command(folder, arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the command was built");
    // What refuses it need not read it.
    let _ = child.stdin.take().expect("it is a pipe").write_all(input);
    run_of(child.wait_with_output().expect("it runs"))
}

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isostep"));
    command.args(arguments.split_whitespace()).current_dir(folder);
    command
}

fn run_of(output: Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all that it prints is text");
    Run {
        code: output.status.code().expect("it ended by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}
