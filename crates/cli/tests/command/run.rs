//! Runs the command.

use std::path::Path;
use std::process::Command;

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
    let output = Command::new(env!("CARGO_BIN_EXE_isostep"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("the command was built");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all that it prints is text");
    Run {
        code: output.status.code().expect("it ended by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}
