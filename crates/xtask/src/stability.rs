//! `cargo xtask stability`: how high buildings stand in isostep and in other engines, into docs/stability.md.

use std::fs;

use anyhow::{Context, Result};

use crate::performance::{compare, engines_in_c, replace};
use crate::workspace;

const PAGE: &str = "docs/stability.md";
const PART: &str = "stands";

/// Runs `compare --stands`, and puts its table into the page.
pub(crate) fn run() -> Result<()> {
    let path = workspace::root().join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    // Before minutes of stepping.
    replace(&page, PART, "").with_context(|| format!("cannot write into {PAGE}"))?;
    let table = compare(engines_in_c(), &["--stands"])?;
    let page = replace(&page, PART, &table)?;
    fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))?;
    println!("{PAGE} is written");
    Ok(())
}
