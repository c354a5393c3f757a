//! The tables of what was measured in each scene.

use anyhow::{Result, bail};
use comfy_table::Table;
use isostep_compare_scene::Scene;

use crate::engine::{EngineName, RAY_LENGTH};
use crate::likeness::End;
use crate::rays::RayTiming;
use crate::table::{self, grouped, megabytes, microseconds, milliseconds, significant};
use crate::timing::{Contestant, Steps, Timing};

/// How far the mean height of isostep's bodies may be beyond what Rapier's have, as a part of it.
const MEAN_HEIGHT_TOLERANCE: f64 = 0.05;
/// How far isostep's highest body may be beyond Rapier's, as a part of it: which body ends on top is chance in a pile.
const HIGHEST_TOLERANCE: f64 = 0.15;
/// How much more kinetic energy isostep's bodies may have than Rapier's, as a multiple of it and in J: that of a body of 1 kg at
/// 1 m/s, or of two hundred that creep.
const ENERGY_TOLERANCE: (f64, f64) = (10.0, 0.5);

/// A scene with what was measured in it.
pub(crate) struct Measured {
    pub(crate) scene: Scene,
    pub(crate) timings: Vec<Timing>,
}

/// How long steps take, in ms, and how many times as long as in the first column.
pub(crate) fn steps(measured: &[Measured], steps: Steps) -> Table {
    let head = ["scene", "bodies that move"].map(str::to_owned).into_iter();
    let mut table = table::new(head.chain(titles(measured)), 1);
    for Measured { scene, timings } in measured {
        let name = vec![scene.name.clone(), grouped(scene.dynamic_bodies().count())];
        let first = timings.first().map_or(f64::NAN, |timing| timing.of(steps));
        let cells = timings.iter().enumerate().map(|(column, timing)| {
            let time = timing.of(steps);
            let shown = milliseconds(time);
            if column == 0 { shown } else { format!("{shown} ({:.2}×)", time / first) }
        });
        table.add_row(name.into_iter().chain(cells));
    }
    table
}

/// What the scenes came to.
pub(crate) fn ends(measured: &[Measured]) -> Table {
    let head = [
        "scene",
        "engine",
        "touching pairs",
        "points",
        "highest, m",
        "mean height, m",
        "kinetic energy, J",
        "escaped",
    ];
    let mut table = table::new(head.map(str::to_owned), 2);
    for Measured { scene, timings } in measured {
        for Timing { contestant, contacts, end, .. } in timings {
            table.add_row([
                scene.name.clone(),
                contestant.title(),
                grouped(contacts.pairs),
                grouped(contacts.points),
                format!("{:.3}", end.highest),
                format!("{:.3}", end.mean_height),
                format!("{:.4}", end.kinetic_energy),
                end.escaped.to_string(),
            ]);
        }
    }
    table
}

/// Allocations a step, and the peak of memory, also by body that moves.
pub(crate) fn memory(measured: &[Measured]) -> [Table; 2] {
    let head = || std::iter::once("scene".to_owned()).chain(titles(measured));
    let mut allocations = table::new(head(), 1);
    let mut memory = table::new(head(), 1);
    let dash = || "–".to_owned();
    for Measured { scene, timings } in measured {
        let name = std::iter::once(scene.name.clone());
        let counts =
            timings.iter().map(|timing| timing.allocations.map_or_else(dash, |count| format!("{count:.1}")));
        allocations.add_row(name.clone().chain(counts));
        let bodies = scene.dynamic_bodies().count().max(1) as f64;
        let shown = |bytes| format!("{} ({} kB)", megabytes(bytes), significant(bytes as f64 / 1e3 / bodies));
        let peaks = timings.iter().map(|timing| timing.peak_memory.map_or_else(dash, shown));
        memory.add_row(name.chain(peaks));
    }
    [allocations, memory]
}

/// How long saving and loading take. Steps the worlds on.
pub(crate) fn snapshots(measured: &mut [Measured]) -> Table {
    let head = ["scene", "way", "save, µs", "load, µs", "bytes"];
    let mut table = table::new(head.map(str::to_owned), 2);
    for Measured { scene, timings } in measured {
        let shown = |timing: &&mut Timing| {
            matches!(timing.contestant.engine, EngineName::Isostep | EngineName::Rapier | EngineName::Jolt)
        };
        for timing in timings.iter_mut().filter(shown) {
            for times in timing.world.snapshots() {
                table.add_row([
                    scene.name.clone(),
                    times.how.to_owned(),
                    microseconds(times.save.as_secs_f64()),
                    microseconds(times.load.as_secs_f64()),
                    grouped(times.bytes),
                ]);
            }
        }
    }
    table
}

/// How long rays take.
pub(crate) fn rays(timings: &[RayTiming], count: usize) -> Table {
    let head = ["engine", "ns a ray", "hits", "mean distance, m"];
    let mut table = table::new(head.map(str::to_owned), 1);
    for RayTiming { title, seconds, hits } in timings {
        debug_assert!(hits.distance <= RAY_LENGTH * count as f64);
        table.add_row([
            title.clone(),
            significant(seconds * 1e9),
            format!("{} of {}", grouped(hits.count), grouped(count)),
            format!("{:.3}", hits.distance / hits.count as f64),
        ]);
    }
    table
}

/// # Errors
/// If a body of isostep is where it cannot be, or if its piles are not of the height of Rapier's, or move where those rest.
pub(crate) fn check(measured: &[Measured]) -> Result<()> {
    let mut all = Vec::new();
    for Measured { scene, timings } in measured {
        let of = |engine| timings.iter().find(|timing| timing.contestant == Contestant::alone(engine));
        if let Some(ours) = of(EngineName::Isostep) {
            // A match of 48 bodies goes another way in each of these.
            let theirs = [EngineName::Rapier, EngineName::RapierFresh, EngineName::RapierF64];
            let theirs: Vec<_> = theirs.into_iter().filter_map(of).map(|timing| timing.end).collect();
            all.extend(faults(&ours.end, &theirs).iter().map(|fault| format!("{}: {fault}", scene.name)));
        }
    }
    if all.is_empty() { Ok(()) } else { bail!("{}", all.join("\n")) }
}

/// A height above the floor of what became of a scene, in m.
type Height = fn(&End) -> f64;

/// What is wrong with what isostep made of a scene, next to what Rapier did, once or several times.
fn faults(ours: &End, theirs: &[End]) -> Vec<String> {
    let mut faults = Vec::new();
    if ours.escaped > 0 {
        faults.push(format!("{} bodies have escaped", ours.escaped));
    }
    if theirs.is_empty() {
        return faults;
    }
    let heights: [(_, Height, _); 2] = [
        ("the mean height", |end| end.mean_height - end.floor, MEAN_HEIGHT_TOLERANCE),
        ("the highest body", |end| end.highest - end.floor, HIGHEST_TOLERANCE),
    ];
    for (what, height, tolerance) in heights {
        let ours = height(ours);
        let least = theirs.iter().map(height).fold(f64::INFINITY, f64::min);
        let greatest = theirs.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        // Of a NaN too the answer is no.
        let is_close = (least * (1.0 - tolerance)..=greatest * (1.0 + tolerance)).contains(&ours);
        if !is_close {
            let percent = tolerance * 100.0;
            faults.push(format!(
                "{what} is {ours:.3} m above the floor, and from {least:.3} to {greatest:.3} m in Rapier: more than \
                 {percent} % beyond"
            ));
        }
    }
    let (factor, more) = ENERGY_TOLERANCE;
    let greatest = theirs.iter().map(|end| end.kinetic_energy).fold(0.0, f64::max);
    let is_at_rest = ours.kinetic_energy <= greatest * factor + more;
    if !is_at_rest {
        let ours = ours.kinetic_energy;
        faults.push(format!(
            "bodies have {ours:.3} J, and at most {greatest:.3} J in Rapier: they should rest"
        ));
    }
    faults
}

fn titles(measured: &[Measured]) -> Vec<String> {
    let first = measured.first().map_or(&[][..], |measured| &measured.timings);
    first.iter().map(|timing| timing.contestant.title()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pile_that_sank_or_let_a_body_out_is_a_fault_and_one_that_lies_otherwise_is_not() {
        let theirs = End { floor: 0.0, highest: 10.0, mean_height: 5.0, kinetic_energy: 0.1, escaped: 3 };
        let ours = End { highest: 11.0, mean_height: 4.9, escaped: 0, ..theirs };
        let count = |ours: End| faults(&ours, &[theirs]).len();
        assert_eq!(count(ours), 0);
        assert_eq!(count(End { escaped: 1, ..ours }), 1);
        assert_eq!(count(End { mean_height: 4.7, ..ours }), 1);
        assert_eq!(count(End { highest: 12.0, mean_height: f64::NAN, ..ours }), 2);
        assert_eq!(count(End { kinetic_energy: 1.4, ..ours }), 0);
        assert_eq!(count(End { kinetic_energy: 1.6, ..ours }), 1);
        assert_eq!(count(End { kinetic_energy: f64::NAN, ..ours }), 1);
        assert_eq!(faults(&End { escaped: 2, ..ours }, &[]), ["2 bodies have escaped"]);
        let lower = End { mean_height: 4.8, ..theirs };
        assert_eq!(faults(&End { mean_height: 4.7, ..ours }, &[theirs, lower]), [""; 0]);
        assert_eq!(faults(&End { mean_height: 4.5, ..ours }, &[theirs, lower]).len(), 1);
        let moved = |end: End, by: f64| End {
            floor: by,
            highest: end.highest + by,
            mean_height: end.mean_height + by,
            ..end
        };
        for by in [-20.0, 200.0] {
            assert_eq!(faults(&moved(ours, by), &[moved(theirs, by)]), [""; 0]);
            assert_eq!(faults(&moved(End { mean_height: 4.7, ..ours }, by), &[moved(theirs, by)]).len(), 1);
        }
    }
}
