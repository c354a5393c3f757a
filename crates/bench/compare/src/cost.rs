//! What isostep pays for being deterministic, and what lanes bring: the same scene under other conditions.

use std::path::{Path, PathBuf};

use anyhow::Result;
use comfy_table::Table;
use isostep_compare_scene::Scene;
use isostep_math::wide::Level;

use crate::child::{self, Request};
use crate::engine::EngineName;
use crate::table::{self, milliseconds};
use crate::timing::{Contestant, Steps, typical};

/// Steps each scene in processes of their own under each condition, in turn, and tells the time of a step over the last
/// quarter.
pub(crate) fn table(scenes: &[PathBuf], repeat: usize) -> Result<Table> {
    let alone = Request::plain(Contestant::alone(EngineName::Isostep));
    let levels: Vec<String> = Level::available().map(|level| level.name().to_string()).collect();
    let mut conditions = vec![
        ("as it is".to_owned(), alone),
        ("with a hash of the state".to_owned(), Request { hashing: true, ..alone }),
    ];
    // The last level is the one that is used without the variable.
    for level in levels.iter().rev().skip(1) {
        let request = Request { variable: Some((Level::VARIABLE, level)), ..alone };
        conditions.push((format!("lanes: {level}"), request));
    }

    let head = std::iter::once("scene".to_owned()).chain(conditions.iter().map(|(name, _)| name.clone()));
    let mut table = table::new(head, 1);
    for path in scenes {
        eprintln!("the cost of determinism in {}", path.display());
        let scene = Scene::read(path)?;
        let runs = runs((path, scene.steps), &conditions, repeat)?;
        let first = typical(&runs[0], Steps::Settled);
        let cells = runs.iter().enumerate().map(|(column, runs)| {
            let time = typical(runs, Steps::Settled);
            let shown = milliseconds(time);
            if column == 0 { shown } else { format!("{shown} ({:.2}×)", time / first) }
        });
        table.add_row(std::iter::once(scene.name).chain(cells));
    }
    Ok(table)
}

/// How long each step took, by condition and run, in seconds.
fn runs(
    (scene, steps): (&Path, usize),
    conditions: &[(String, Request)],
    repeat: usize,
) -> Result<Vec<Vec<Vec<f64>>>> {
    let mut all = vec![Vec::new(); conditions.len()];
    for _ in 0..repeat {
        for ((_, request), runs) in conditions.iter().zip(&mut all) {
            runs.push(child::run(*request, scene, steps)?.times);
        }
    }
    Ok(all)
}
