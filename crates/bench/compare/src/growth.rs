//! How the time of a step grows with the number of bodies: piles of boxes of the same depth, ever wider.

use anyhow::{Context, Result};
use comfy_table::Table;
use isostep_compare_scene::{Body, Scene, Shape};

use crate::engine::EngineName;
use crate::random::Random;
use crate::table::{self, grouped, milliseconds};
use crate::timing::{Contestant, Steps, time};

/// How many boxes.
const COUNTS: [usize; 5] = [1_000, 2_000, 4_000, 8_000, 16_000];
/// How many layers they come in: as wide as they are, piles grow no deeper with their number.
const LAYERS: usize = 10;
/// Between the places of the boxes of a layer, and of layers, in m.
const SPACING: [f64; 2] = [1.25, 1.5];
/// How much more room there is than for these places, at each wall: little, so that small piles are as deep as large ones.
const MARGIN: f64 = 0.1;
/// Long enough to fall down and lie.
const STEPS: usize = 300;

/// Boxes of 1 m over a pit that has room for a layer of them. They are turned and pushed a little, each otherwise.
fn pile(count: usize) -> Scene {
    let row = ((count as f64 / LAYERS as f64).sqrt().ceil() as usize).max(1);
    let half = row as f64 * SPACING[0] / 2.0 + MARGIN;
    let fixed = |half_extents, position| Body {
        shape: Shape::Box { half_extents },
        is_dynamic: false,
        position,
        rotation: [0.0, 0.0, 0.0, 1.0],
        velocity: [0.0; 3],
    };
    let mut bodies = vec![fixed([half + 10.0, 1.0, half + 10.0], [0.0, -1.0, 0.0])];
    for side in [-1.0, 1.0] {
        bodies.push(fixed([1.0, 20.0, half + 2.0], [side * (half + 1.0), 20.0, 0.0]));
        bodies.push(fixed([half + 2.0, 20.0, 1.0], [0.0, 20.0, side * (half + 1.0)]));
    }
    let mut random = Random::new(1);
    for index in 0..count {
        let (layer, place) = (index / (row * row), index % (row * row));
        let along = |place: usize| (place as f64 - (row - 1) as f64 / 2.0) * SPACING[0];
        let turn = [random.next() * 0.1, random.next() * 0.1, random.next() * 0.1];
        let w = (1.0 - turn.iter().map(|part| part * part).sum::<f64>()).sqrt();
        bodies.push(Body {
            shape: Shape::Box { half_extents: [0.5; 3] },
            is_dynamic: true,
            position: [along(place % row), 1.0 + layer as f64 * SPACING[1], along(place / row)],
            rotation: [turn[0], turn[1], turn[2], w],
            velocity: [random.next() * 3.0, 0.0, random.next() * 3.0],
        });
    }
    Scene { name: format!("{count} boxes"), steps: STEPS, bodies }
}

/// Steps piles of all sizes: ms of a step over the last quarter, time by body relative to the smallest pile, points of contacts
/// by body, of which small piles have fewer, since more of their boxes lie at walls, and time by point relative to the smallest.
pub(crate) fn table(engines: &[EngineName], repeat: usize) -> Result<Table> {
    let contestants: Vec<Contestant> = engines.iter().map(|&engine| Contestant::alone(engine)).collect();
    let heads = engines.iter().flat_map(|engine| {
        ["ms a step", "time by body", "points a body", "time by point"]
            .map(|what| format!("{}, {what}", engine.title()))
    });
    let mut table = table::new(std::iter::once("boxes".to_owned()).chain(heads), 0);
    let mut smallest: Vec<[f64; 2]> = Vec::new();
    for count in COUNTS {
        eprintln!("a pile of {count} boxes");
        let scene = pile(count);
        let path = std::env::temp_dir().join(format!("isostep-compare-{}-{count}.txt", std::process::id()));
        std::fs::write(&path, scene.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
        let timings = time(&contestants, &scene, &path, repeat);
        // It is in the system's folder for what may go: if it cannot be removed, that harms nothing.
        let _ = std::fs::remove_file(&path);
        let timings = timings?;
        let settled: Vec<f64> = timings.iter().map(|timing| timing.of(Steps::Settled)).collect();
        let points: Vec<f64> = timings.iter().map(|timing| timing.contacts.points as f64).collect();
        let by = settled.iter().zip(&points).map(|(time, points)| [time / count as f64, time / points]);
        let by: Vec<[f64; 2]> = by.collect();
        if smallest.is_empty() {
            smallest.clone_from(&by);
        }
        let cells = settled.iter().zip(&points).zip(by.iter().zip(&smallest)).flat_map(
            |((time, points), (by, smallest))| {
                let [by_body, by_point] = [0, 1].map(|k| format!("{:.2}×", by[k] / smallest[k]));
                [milliseconds(*time), by_body, format!("{:.2}", points / count as f64), by_point]
            },
        );
        table.add_row(std::iter::once(grouped(count)).chain(cells));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_have_as_many_boxes_as_they_say_all_within_their_walls() {
        for count in COUNTS {
            let scene = pile(count);
            let Shape::Box { half_extents } = scene.bodies[1].shape else { panic!("a wall is a box") };
            let inside = half_extents[2] - 2.0;
            assert_eq!(scene.dynamic_bodies().count(), count);
            for body in scene.dynamic_bodies() {
                assert!(body.position[0].abs() < inside - 0.5 && body.position[2].abs() < inside - 0.5);
                let length: f64 = body.rotation.iter().map(|part| part * part).sum();
                assert!((length - 1.0).abs() < 1e-12);
            }
        }
    }
}
