//! Continuous collision: what is fast for its size is stopped where it would go through something.
//!
//! A step finds contacts where bodies are when it begins, and from there as far as the speculative margin. A body that
//! moves by no more than three quarters of its own thickness (the radius of the largest ball in its thinnest collider) is
//! then still before, or next to the surface of, whatever it meets, and the contact of the next step pushes it out on the
//! right side. One that moves farther is *fast*. After the substeps, before bodies move, the step looks along its path for
//! what it would go through (`barriers`), and lets it end where it meets the first of these. It keeps its velocity: the
//! contact of the next step, which is within the margin, bounces it, brings it to rest or lets it slide, as it does with
//! everything that is slow.
//!
//! **What blocks.** A pair blocks only if it would overlap by more than half of the moving one's thickness or a quarter of
//! the other's: what slides along a floor of many tiles, rolls over an edge or grazes a corner is left to contacts. If it
//! would, the body ends a quarter of the margin before the surface; or, where the pair was within the margin from the
//! start, so that the solver had its contact, at that depth: a contact that turns faster than the solver foresaw. Of what
//! overlaps more than that already, nothing goes much deeper in a step, and all can come out. It may turn, though: a needle
//! that sticks in a wall can come to lie along it, and be on its other side without having been deeper. So its middle, the
//! largest ball that fits there, is held as a body of that size would be. So a path never leads past anything, and no body
//! is held where contacts would let it move.
//!
//! **What moves.** Times of impact are of the relative motion, so it does not matter which of both is fast: a kinematic
//! body that is looks for slow ones, around all that it sweeps over and as much farther as they move. A body that a
//! kinematic one hits goes with it for the rest of the tick, as if glued, as far as what else there is lets it. Bullets
//! ([`Continuous::All`]) look for dynamic bodies as well, after these have been stopped at what stops them.
//!
//! All of it is a function of poses and velocities of this step: what was stopped, and where, is not remembered.

mod barriers;
mod bullets;
mod paths;

use paths::Paths;
pub(super) use paths::travel;

use super::{Scratch, World};
use crate::body::{BodyKind, Continuous};
use crate::state::State;
use crate::world::derived::Derived;
use alloc::vec::Vec;
use barriers::{Barriers, Search, is_fast_against};
use isostep_collision::Aabb;
use isostep_collision::impact::{Moving, RigidPath};
use isostep_math::{Fx, Pose, Vec3};

/// A dynamic body that may go through something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    slot: u32,
    path: RigidPath,
    is_bullet: bool,
}

/// A kinematic body that is fast.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    slot: u32,
    /// All that it sweeps over is in there.
    around: Aabb,
}

/// Where a path ends before its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The slot of the body.
    pub(super) slot: u32,
    /// How much of its tick it moved by itself.
    pub(super) fraction: Fx,
    /// Towards what stands there and stops it, if it touched that when the step began: so their contact has not held it.
    pub(super) pressed: Option<Vec3>,
    /// From where the step began to where the body ends.
    pub(super) path: RigidPath,
}

impl Stop {
    /// Where the body ends: the pose about its centre.
    pub(super) fn pose(&self) -> Pose {
        self.path.at(Fx::ONE)
    }
}

/// Memory for the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    movers: Vec<Mover>,
    drivers: Vec<Driver>,
    /// By ascending slots.
    stops: Vec<Stop>,
    found: Vec<u32>,
    candidates: Vec<u32>,
    /// Bullets, in the order in which they are looked at, and up to which fraction of their paths.
    bullets: Vec<(usize, Fx)>,
    /// The slots of bullets, ascending, and their places in that order.
    turns: Vec<(u32, usize)>,
}

impl World {
    /// Finds where the paths of fast bodies end.
    pub(super) fn stop_fast_bodies(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { bodies, coloring, continuous: memory, .. } = scratch;
        memory.clear();
        let paths = Paths::new(state, bodies, coloring);
        let (dynamic, kinematic) = bodies.slots[1..].split_at(bodies.movable);
        // How far slow bodies come towards kinematic ones at the most.
        let mut nearer = Fx::ZERO;
        for (record, &slot) in (1..).zip(dynamic) {
            match paths.slow_motion(record, slot, derived.sizes[slot as usize]) {
                Some(moved) => nearer = nearer.max(moved),
                None => memory.add(state, slot, paths.of_record(record, slot)),
            }
        }
        for (record, &slot) in (1 + dynamic.len() as u32..).zip(kinematic) {
            let path = paths.of_record(record, slot);
            if paths.is_fast(&path, derived.sizes[slot as usize], BodyKind::Kinematic) {
                memory.drive(state, derived, &paths, (slot, &path), nearer);
            }
        }
        if memory.movers.is_empty() {
            return;
        }
        memory.sort();
        let barriers = Barriers { state, derived, paths: &paths };
        memory.stop_all(&barriers);
        memory.stop_bullets(&barriers);
    }

    /// Adds what sleeps in the way of kinematic bodies that are fast.
    pub(super) fn find_sleepers_in_the_way(&mut self, seeds: &mut Vec<u32>) {
        let Self { state, derived, scratch, .. } = self;
        let memory = &mut scratch.continuous;
        let paths = Paths::new(state, &scratch.bodies, &scratch.coloring);
        let barriers = Barriers { state, derived, paths: &paths };
        for &slot in &derived.kinematic {
            let path = paths.announced(slot);
            let size = derived.sizes[slot as usize];
            if path.is_resting() || !paths.is_fast(&path, size, BodyKind::Kinematic) {
                continue;
            }
            derived.tree.query_aabb(&swept(&path, size.extent), u32::MAX, &mut memory.found);
            for &collider in &memory.found {
                let other = state.colliders[collider].body;
                if state.motions[other].asleep
                    && state.bodies[other].flags.continuous != Continuous::Off
                    && barriers.is_hit(other, slot, &path)
                {
                    seeds.push(other);
                }
            }
        }
    }
}

impl Memory {
    /// Where paths end, by ascending slots of bodies.
    pub(super) fn stops(&self) -> &[Stop] {
        &self.stops
    }

    fn clear(&mut self) {
        self.movers.clear();
        self.drivers.clear();
        self.stops.clear();
        self.bullets.clear();
        self.turns.clear();
    }

    fn add(&mut self, state: &State, slot: u32, path: RigidPath) {
        let is_bullet = match state.bodies[slot].flags.continuous {
            Continuous::Off => return,
            Continuous::Scenery => false,
            Continuous::All => true,
        };
        self.movers.push(Mover { slot, path, is_bullet });
    }

    /// Adds a kinematic body with its path, and the dynamic ones for which it is fast: those in its way, and those that
    /// may come into it, being `nearer` in the course of the tick than the tree has them.
    fn drive(
        &mut self,
        state: &State,
        derived: &Derived,
        paths: &Paths<'_>,
        (slot, path): (u32, &RigidPath),
        nearer: Fx,
    ) {
        let extent = derived.sizes[slot as usize].extent;
        self.drivers.push(Driver { slot, around: swept(path, extent) });
        derived.tree.query_aabb(&swept(path, extent.saturating_add(nearer)), u32::MAX, &mut self.found);
        for at in 0..self.found.len() {
            let collider = self.found[at];
            let other = state.colliders[collider].body;
            if !paths.is_moved(other) || !state.bodies[other].is_dynamic() {
                continue;
            }
            let own = Moving { shape: derived.central[collider as usize], path: paths.of(other) };
            if is_fast_against(&own, path, derived.sizes[other as usize].extent) {
                self.add(state, other, own.path);
            }
        }
    }

    /// Each body once, by slots.
    fn sort(&mut self) {
        self.movers.sort_unstable_by_key(|mover| mover.slot);
        self.movers.dedup_by_key(|mover| mover.slot);
    }

    /// Stops all but bullets at fixed and kinematic bodies.
    fn stop_all(&mut self, barriers: &Barriers<'_>) {
        let Self { movers, drivers, stops, found, candidates, .. } = self;
        let path_of = |slot: u32, _| {
            let is_scenery = barriers.state.bodies[slot].kind != BodyKind::Dynamic;
            is_scenery.then(|| barriers.paths.of(slot))
        };
        let mut search = Search { barriers, drivers, farther: Fx::ZERO, path_of, found, candidates };
        for mover in movers.iter().filter(|mover| !mover.is_bullet) {
            if let Some(hit) = search.first(mover.slot, &mover.path) {
                stops.push(search.stop(mover, &hit));
            }
        }
    }
}

/// A box around all that a body of this extent touches on a path of its centre.
fn swept(path: &RigidPath, extent: Fx) -> Aabb {
    let start = path.start.translation;
    Aabb::from_points([start, start.saturating_add(path.displacement)]).expand(extent)
}
