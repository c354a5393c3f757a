//! How high towers, walls and colonnades stand: no time is measured, so each engine says the same on every run.

use std::f64::consts::{FRAC_PI_2, PI};

use anyhow::Result;
use comfy_table::Table;
use isostep_compare_scene::{Body, STEP_RATE, Scene, Shape};

use crate::engine::{Engine, EngineName, Motion};
use crate::likeness::dot;
use crate::random::Random;
use crate::table;

/// For so long it has to stand, in s.
const SECONDS: usize = 30;
/// Steps of a second, after each of which it is looked at.
const SECOND: usize = STEP_RATE as usize;
/// In how many ways, each with its bodies a little elsewhere.
const WAYS: u64 = 3;
/// The fewest storeys.
const FEWEST: usize = 4;
/// How far bodies are from where they belong, at the most, as a part of the unit: those of towers, and those of what is wider.
const TOWER_OFFSET: f64 = 0.01;
const OFFSET: f64 = 0.004;
/// Bricks of a course of a wall, whose every other course has a half brick at each end, and of a round tower.
const WALL: usize = 6;
const RING: usize = 16;
/// Columns of a storey of a colonnade.
const COLUMNS: usize = 4;
/// How much bricks are shorter than what they have to fill.
const GAP: f64 = 0.999;

/// Something of equal storeys.
struct Building {
    name: &'static str,
    /// What its pieces are measured in, in m.
    unit: f64,
    /// The most storeys that are tried.
    most: usize,
    /// Puts the storey of that number, counted from below, onto what is there.
    storey: fn(&mut Pieces, usize),
}

const BUILDINGS: [Building; 9] = [
    Building { name: "tower of boxes", unit: 0.05, most: 150, storey: box_on_box },
    Building { name: "tower of boxes", unit: 0.1, most: 150, storey: box_on_box },
    Building { name: "tower of boxes", unit: 0.2, most: 150, storey: box_on_box },
    Building { name: "tower of boxes", unit: 1.0, most: 150, storey: box_on_box },
    Building { name: "wall of bricks", unit: 0.1, most: 60, storey: course_of_wall },
    Building { name: "round tower of bricks", unit: 0.1, most: 60, storey: course_of_ring },
    Building { name: "Jenga tower", unit: 0.1, most: 60, storey: three_across },
    Building { name: "colonnade", unit: 0.1, most: 24, storey: columns_and_lintels },
    Building { name: "colonnade", unit: 0.3, most: 24, storey: columns_and_lintels },
];

/// The pieces of a building, from below.
struct Pieces {
    bodies: Vec<Body>,
    unit: f64,
    /// Where the next storey stands, in m.
    height: f64,
    random: Random,
}

impl Pieces {
    /// Puts a box, with half extents in units: its centre at `x` and `z`, its bottom at `height` above that of the storey, all in
    /// units, and turned by an angle about the vertical. It is up to `offset` units elsewhere along x and z.
    fn put(&mut self, half_extents: [f64; 3], [x, height, z]: [f64; 3], angle: f64, offset: f64) {
        let [x, z] = [x, z].map(|place| (place + offset * self.random.next()) * self.unit);
        self.bodies.push(Body {
            shape: Shape::Box { half_extents: half_extents.map(|half| half * self.unit) },
            is_dynamic: true,
            position: [x, self.height + (height + half_extents[1]) * self.unit, z],
            rotation: [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()],
            velocity: [0.0; 3],
        });
    }

    /// What is put next stands so many units higher.
    fn rise(&mut self, by: f64) {
        self.height += by * self.unit;
    }
}

/// The place of one of `count` in a row around 0, at a distance of `spacing` from the next.
fn in_row(index: usize, count: usize, spacing: f64) -> f64 {
    (index as f64 - (count - 1) as f64 / 2.0) * spacing
}

fn box_on_box(pieces: &mut Pieces, _: usize) {
    pieces.put([0.5; 3], [0.0; 3], 0.0, TOWER_OFFSET);
    pieces.rise(1.0);
}

/// Bricks of 2 × 1 × 1, each over the joint of two.
fn course_of_wall(pieces: &mut Pieces, storey: usize) {
    let is_odd = storey % 2 == 1;
    let count = WALL - usize::from(is_odd);
    for index in 0..count {
        pieces.put([GAP, 0.5, 0.5], [in_row(index, count, 2.0), 0.0, 0.0], 0.0, OFFSET);
    }
    if is_odd {
        let end = WALL as f64 - 0.5;
        for x in [-end, end] {
            pieces.put([GAP / 2.0, 0.5, 0.5], [x, 0.0, 0.0], 0.0, OFFSET);
        }
    }
    pieces.rise(1.0);
}

/// Bricks of 2 × 1 × 1 around a circle, whose inner corners do not meet.
fn course_of_ring(pieces: &mut Pieces, storey: usize) {
    let radius = 2.1 * RING as f64 / (2.0 * PI) + 1.0;
    for index in 0..RING {
        let angle = (index as f64 + 0.5 * (storey % 2) as f64) * 2.0 * PI / RING as f64;
        let place = [radius * angle.cos(), 0.0, radius * angle.sin()];
        pieces.put([1.0, 0.5, 0.5], place, FRAC_PI_2 - angle, OFFSET);
    }
    pieces.rise(1.0);
}

/// Three blocks of 3 × 0.6 × 1 side by side, across those below.
fn three_across(pieces: &mut Pieces, storey: usize) {
    for index in 0..3 {
        let (aside, along) = (in_row(index, 3, 1.0), 1.5);
        let (half_extents, place) = if storey % 2 == 1 {
            ([along, 0.3, GAP / 2.0], [0.0, 0.0, aside])
        } else {
            ([GAP / 2.0, 0.3, along], [aside, 0.0, 0.0])
        };
        pieces.put(half_extents, place, 0.0, OFFSET);
    }
    pieces.rise(0.6);
}

/// Columns of 0.4 × 2 × 0.4, and lintels from each to the next.
fn columns_and_lintels(pieces: &mut Pieces, _: usize) {
    for index in 0..COLUMNS {
        pieces.put([0.2, 1.0, 0.2], [in_row(index, COLUMNS, 2.0), 0.0, 0.0], 0.0, OFFSET);
    }
    for index in 0..COLUMNS - 1 {
        pieces.put([0.99, 0.2, 0.3], [in_row(index, COLUMNS - 1, 2.0), 2.0, 0.0], 0.0, OFFSET);
    }
    pieces.rise(2.4);
}

impl Building {
    /// A floor, and so many storeys on it.
    fn scene(&self, storeys: usize, way: u64) -> Scene {
        let floor = Body {
            shape: Shape::Box { half_extents: [200.0, 1.0, 200.0] },
            is_dynamic: false,
            position: [0.0, -1.0, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            velocity: [0.0; 3],
        };
        let mut pieces =
            Pieces { bodies: vec![floor], unit: self.unit, height: 0.0, random: Random::new(way) };
        (0..storeys).for_each(|storey| (self.storey)(&mut pieces, storey));
        Scene { name: format!("{} of {storeys}", self.name), steps: SECONDS * SECOND, bodies: pieces.bodies }
    }

    /// How many storeys are tried, from few to many: each time by a sixth more.
    fn storeys(&self) -> impl Iterator<Item = usize> {
        let next = |&storeys: &usize| {
            Some((storeys + (storeys / 6).max(1)).min(self.most)).filter(|&next| next > storeys)
        };
        std::iter::successors(Some(FEWEST), next)
    }

    /// The most storeys that stand, as all fewer do, in each way of putting them, and the speed of the fastest of their bodies in
    /// the last second, in m/s.
    fn tallest(&self, engine: EngineName) -> Result<Option<(usize, f64)>> {
        let mut tallest = None;
        for storeys in self.storeys() {
            let mut fastest = 0.0_f64;
            for way in 0..WAYS {
                let scene = self.scene(storeys, way);
                match stand(&mut *engine.build(&scene, 1)?, &scene, self.unit) {
                    Some(speed) => fastest = fastest.max(speed),
                    None => return Ok(tallest),
                }
            }
            tallest = Some((storeys, fastest));
        }
        Ok(tallest)
    }
}

/// Steps a scene to its end, unless a body goes further aside than `most`, in m: how fast the fastest was in the last second, in
/// m/s.
fn stand(world: &mut dyn Engine, scene: &Scene, most: f64) -> Option<f64> {
    let mut fastest = 0.0_f64;
    for step in 1..=scene.steps {
        world.step();
        let is_last_second = step > scene.steps - SECOND;
        if step % SECOND != 0 && !is_last_second {
            continue;
        }
        let motions = world.motions();
        let is_in_place = |(body, motion): (&Body, &Motion)| {
            let [x, z] = [0, 2].map(|axis| motion.position[axis] - body.position[axis]);
            // Of a NaN too the answer is no.
            x.hypot(z) <= most
        };
        if !scene.dynamic_bodies().zip(&motions).all(is_in_place) {
            return None;
        }
        if is_last_second {
            let speed = |motion: &Motion| dot(motion.linear_velocity, motion.linear_velocity).sqrt();
            fastest = motions.iter().map(speed).fold(fastest, f64::max);
        }
    }
    Some(fastest)
}

/// How many storeys of each building stand in each engine, and how quiet they are.
pub(crate) fn table(engines: &[EngineName]) -> Result<Table> {
    let heads = engines
        .iter()
        .flat_map(|engine| ["storeys", "mm/s"].map(|what| format!("{}, {what}", engine.title())));
    let mut table = table::new(["building", "unit, m"].map(str::to_owned).into_iter().chain(heads), 1);
    for building in &BUILDINGS {
        let mut row = vec![building.name.to_owned(), building.unit.to_string()];
        for &engine in engines {
            eprintln!("{} of {} m in {}", building.name, building.unit, engine.title());
            row.extend(match building.tallest(engine)? {
                None => [format!("below {FEWEST}"), "–".to_owned()],
                Some((storeys, fastest)) => {
                    let more = if storeys == building.most { "≥ " } else { "" };
                    [format!("{more}{storeys}"), table::significant(fastest * 1e3)]
                }
            });
        }
        table.add_row(row);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use isostep_compare_scene::Ray;

    use super::*;
    use crate::engine::{Contacts, Hits};
    use crate::likeness::{reach, rotate};

    #[test]
    fn storeys_grow_by_a_sixth_and_end_with_the_most() {
        for building in &BUILDINGS {
            let storeys: Vec<usize> = building.storeys().collect();
            assert_eq!((storeys.first(), storeys.last()), (Some(&FEWEST), Some(&building.most)));
            let steps = storeys.windows(2).map(|pair| (pair[1] - pair[0], (pair[0] / 6).max(1)));
            assert!(steps.into_iter().all(|(step, most)| (1..=most).contains(&step)), "{storeys:?}");
        }
    }

    /// Apart from round ones, whose bricks are turned.
    #[test]
    fn every_piece_stands_on_others_beside_its_neighbours() {
        for building in BUILDINGS.iter().filter(|building| building.name != "round tower of bricks") {
            let scene = building.scene(7, 2);
            let pieces: Vec<&Body> = scene.dynamic_bodies().collect();
            let off = 2.1 * TOWER_OFFSET * building.unit;
            for (index, one) in pieces.iter().enumerate() {
                let bottom = one.position[1] - reach(one)[1];
                let supports =
                    pieces.iter().any(|other| (other.position[1] + reach(other)[1] - bottom).abs() < 1e-9);
                assert!(
                    supports || bottom.abs() < 1e-9,
                    "{} of {}: nothing at {bottom} m",
                    index,
                    scene.name
                );
                for other in &pieces[..index] {
                    let gap = |axis: usize| {
                        (one.position[axis] - other.position[axis]).abs()
                            - reach(one)[axis]
                            - reach(other)[axis]
                    };
                    assert!(
                        [0, 1, 2].map(gap).iter().any(|&gap| gap > -off),
                        "{}: {one:?} {other:?}",
                        scene.name
                    );
                }
            }
        }
    }

    #[test]
    fn bricks_of_a_round_tower_lie_along_its_rim_each_over_a_joint() {
        let building = BUILDINGS.iter().find(|building| building.name == "round tower of bricks").unwrap();
        let scene = building.scene(2, 0);
        let bricks: Vec<&Body> = scene.dynamic_bodies().collect();
        assert_eq!(bricks.len(), 2 * RING);
        let angle = |brick: &Body| brick.position[2].atan2(brick.position[0]).rem_euclid(2.0 * PI);
        for (index, brick) in bricks.iter().enumerate() {
            // Its length is at a right angle to the way from the middle.
            let [x, _, z] = rotate(brick.rotation, [1.0, 0.0, 0.0]);
            let across = brick.position[0] * x + brick.position[2] * z;
            assert!(across.abs() < 0.01 * building.unit, "brick {index}: {across}");
            let place = angle(brick) / (2.0 * PI) * RING as f64 - 0.5 * (index / RING) as f64;
            assert!((place - place.round()).abs() < 0.01, "brick {index} at {place}");
        }
    }

    /// One body that moves aside with a velocity along x.
    struct Slide {
        position: [f64; 3],
        speed: f64,
    }

    impl Engine for Slide {
        fn step(&mut self) {
            self.position[0] += self.speed / f64::from(STEP_RATE);
        }

        fn motions(&self) -> Vec<Motion> {
            vec![Motion {
                position: self.position,
                rotation: [0.0, 0.0, 0.0, 1.0],
                linear_velocity: [self.speed, 0.0, 0.0],
                angular_velocity: [0.0; 3],
            }]
        }

        fn contacts(&self) -> Contacts {
            Contacts { pairs: 0, points: 0 }
        }

        fn cast_rays(&mut self, _: &[Ray]) -> Hits {
            Hits::default()
        }

        fn allocates_in_rust(&self) -> bool {
            false
        }
    }

    #[test]
    fn what_went_aside_by_more_than_a_unit_does_not_stand() {
        let scene = BUILDINGS[3].scene(1, 0);
        let slide = |speed| {
            let position = scene.bodies[1].position;
            stand(&mut Slide { position, speed }, &scene, 1.0)
        };
        assert_eq!(slide(0.0), Some(0.0));
        assert_eq!(slide(0.033), Some(0.033));
        assert_eq!(slide(-0.034), None);
        assert_eq!(slide(f64::NAN), None);
    }
}
