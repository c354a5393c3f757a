//! What the rig prints: a line per row as it goes, and at the end the table and what is wrong.

use std::path::PathBuf;
use std::time::Duration;

use comfy_table::{Table, presets};

use super::digest::{self, Digest};
use super::rows::Row;

/// How far a row came.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Not even begun, because the one before failed.
    NotReached,
    /// Done, in this time.
    Done(Duration),
    /// Failed.
    Failed {
        /// Why, in a line.
        why: String,
        /// The end of what was printed until then.
        last_words: String,
    },
}

/// What came of one row.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The row's name.
    pub(crate) row: &'static str,
    /// Who compiled it.
    pub(crate) compiler: String,
    /// Its full output.
    pub(crate) log: PathBuf,
    /// Whether it was built.
    pub(crate) built: Stage,
    /// Whether its tests ran and passed.
    pub(crate) ran: Stage,
    /// How many tests passed.
    pub(crate) tests: usize,
    /// The digest it printed.
    pub(crate) digest: Option<Digest>,
}

/// Which rows failed, and what to say about it.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// The names of the rows that failed or gave other bits.
    pub(crate) failed: Vec<&'static str>,
    /// What is wrong, a paragraph each.
    pub(crate) complaints: Vec<String>,
    /// The rows among them which gave other bits.
    odd: Vec<&'static str>,
}

impl Outcome {
    /// A row of which nothing has been done yet.
    pub(crate) fn new(row: &'static str, compiler: &str, log: PathBuf) -> Self {
        Self {
            row,
            compiler: compiler.to_owned(),
            log,
            built: Stage::NotReached,
            ran: Stage::NotReached,
            tests: 0,
            digest: None,
        }
    }

    /// Why the row failed, and its last words.
    fn failure(&self) -> Option<(&str, &str)> {
        match (&self.built, &self.ran) {
            (Stage::Failed { why, last_words }, _) | (_, Stage::Failed { why, last_words }) => {
                Some((why, last_words))
            }
            _ => None,
        }
    }
}

/// The rows as a table, for `--list`.
pub(crate) fn list(rows: &[Row]) -> Table {
    let mut table = empty_table(&["row", "target", "here"]);
    for row in rows {
        let here = row.lacking.map_or_else(|| "yes".to_owned(), |what| format!("no: this CPU has no {what}"));
        table.add_row([row.name.to_owned(), row.target.triple.to_owned(), here]);
    }
    table
}

/// One line on a row just finished.
pub(crate) fn progress(outcome: &Outcome) -> String {
    let Outcome { row, built, ran, tests, digest, .. } = outcome;
    match (built, ran) {
        (Stage::Failed { why, .. }, _) => format!("{row}: NOT BUILT: {why}"),
        (Stage::Done(build), Stage::Failed { why, .. }) => {
            format!("{row}: built in {build:.1?}, FAILED: {why}")
        }
        (Stage::Done(build), Stage::Done(run)) => {
            let digest = digest.as_ref().map_or("none", Digest::all);
            format!("{row}: built in {build:.1?}, {tests} tests passed in {run:.1?}, digest {digest}")
        }
        _ => format!("{row}: not run"),
    }
}

/// Compares the rows: each must have run well and given the digest that most of them gave.
pub(crate) fn judge(outcomes: &[Outcome]) -> Verdict {
    let digests: Vec<&Digest> = outcomes.iter().filter_map(|outcome| outcome.digest.as_ref()).collect();
    let expected = digest::majority(&digests);
    let mut verdict = Verdict::default();
    for outcome in outcomes {
        let row = outcome.row;
        if let Some((why, last_words)) = outcome.failure() {
            let log = outcome.log.display();
            verdict.complaints.push(format!("{row} failed: {why}; from {log}:\n{last_words}"));
        }
        if let (Some(digest), Some(expected)) = (&outcome.digest, expected) {
            if digest != expected {
                let sections = expected.differing_sections(digest).join(", ");
                let (all, most) = (digest.all(), expected.all());
                verdict.complaints.push(format!(
                    "{row} gives other bits: digest {all}, most rows {most}; sections that differ: {sections}"
                ));
                verdict.odd.push(row);
            }
        }
        if outcome.failure().is_some() || verdict.odd.contains(&row) {
            verdict.failed.push(row);
        }
    }
    verdict
}

/// The table of all rows.
pub(crate) fn table(outcomes: &[Outcome], verdict: &Verdict) -> Table {
    let mut table = empty_table(&["target", "compiler", "built", "ran", "digest"]);
    for outcome in outcomes {
        let built = match &outcome.built {
            Stage::Done(time) => format!("{time:.1?}"),
            Stage::Failed { .. } => "FAILED".to_owned(),
            Stage::NotReached => String::new(),
        };
        let ran = match &outcome.ran {
            Stage::Done(time) => format!("{} tests, {time:.1?}", outcome.tests),
            Stage::Failed { .. } => "FAILED".to_owned(),
            Stage::NotReached => String::new(),
        };
        let digest = outcome.digest.as_ref().map_or("none", Digest::all);
        let mark = if verdict.odd.contains(&outcome.row) { " DIFFERS" } else { "" };
        table.add_row([outcome.row, &outcome.compiler, &built, &ran, &format!("{digest}{mark}")]);
    }
    table
}

fn empty_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY).set_header(header);
    table
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Outcome, Stage, judge};
    use crate::targets::digest::Digest;

    fn outcome(row: &'static str, trig: char) -> Outcome {
        let hex = |digit: char| digit.to_string().repeat(32);
        let output = format!("digest fx {}\ndigest trig {}\ndigest all {}\n", hex('0'), hex(trig), hex(trig));
        Outcome {
            built: Stage::Done(Duration::ZERO),
            ran: Stage::Done(Duration::ZERO),
            digest: Digest::parse(&output),
            ..Outcome::new(row, "1.85.1", "no.log".into())
        }
    }

    #[test]
    fn equal_digests_pass() {
        assert!(judge(&[outcome("aarch64", '1'), outcome("s390x", '1')]).failed.is_empty());
    }

    #[test]
    fn the_odd_row_fails_and_its_sections_are_named() {
        let verdict = judge(&[outcome("aarch64", '2'), outcome("s390x", '1'), outcome("wasm32", '1')]);
        assert_eq!(verdict.failed, ["aarch64"]);
        assert!(verdict.complaints[0].ends_with("sections that differ: trig"), "{:?}", verdict.complaints);
    }

    #[test]
    fn a_row_that_failed_fails_even_with_the_right_digest() {
        let why = "`laws` ended with 101".to_owned();
        let ran = Stage::Failed { why, last_words: String::new() };
        let failed = Outcome { ran, ..outcome("i686", '1') };
        assert_eq!(judge(&[outcome("aarch64", '1'), failed]).failed, ["i686"]);
    }
}
