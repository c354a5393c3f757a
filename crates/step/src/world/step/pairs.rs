//! Which colliders may touch.

use super::collide::moves;
use super::{Scratch, World};
use crate::state::State;
use crate::world::derived::{Derived, Meeting};
use alloc::vec::Vec;
use isostep_collision::tree::TreeError;

/// How many pairs there may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// That a step looks at, but for those that pass through each other: the first ones in the world's order. A pile has two to
    /// four for each body, a crowd at one point half the square of its number.
    pub(super) pairs: usize,
    /// Of boxes that may overlap, in a list of the tree, and how many more for each collider that is active: more than those
    /// that lie close together have. Beyond that colliders are asked for one by one, and what comes of that is the same.
    pub(super) listed: usize,
    pub(super) listed_of_each: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pairs: 1 << 20, listed: 1 << 21, listed_of_each: 32 }
    }
}

impl World {
    /// Lists pairs of colliders whose grown boxes overlap, in the world's order.
    pub(super) fn find_pairs(&mut self) {
        let Self { state, derived, scratch, crew, .. } = self;
        derived.refresh(state, crew);
        let Scratch { pairs, sensor_pairs, probes, pair_limits, .. } = scratch;
        sensor_pairs.clear();
        probes.clear();
        let most = pair_limits.listed_of_each.saturating_mul(derived.active.len());
        let most = most.saturating_add(pair_limits.listed);
        match derived.tree.pairs_of_at_most(&derived.active, most, pairs) {
            Err(TreeError::TooManyPairs { .. }) => return self.find_pairs_of_a_crowd(),
            known => debug_assert!(known.is_ok(), "all colliders are in the tree"),
        }
        let mut kept = 0;
        for at in 0..pairs.len() {
            let (a, b) = pairs[at];
            let verdict = judge(state, derived, a, b);
            match verdict {
                Verdict::Probe | Verdict::ProbeOnly => probes.push((a, b)),
                Verdict::Sense => sensor_pairs.push(sensor_first(derived, (a, b))),
                Verdict::Solve | Verdict::Ignore => {}
            }
            pairs[kept] = (a, b);
            kept += usize::from(matches!(verdict, Verdict::Solve | Verdict::Probe));
        }
        pairs.truncate(kept);
        if !derived.ordered_by_slot() {
            for pair in pairs.iter_mut() {
                *pair = first_first(derived, *pair);
            }
            pairs.sort_unstable_by_key(|&(a, b)| (derived.rank(a), derived.rank(b)));
        }
        if pairs.len() + sensor_pairs.len() + probes.len() > pair_limits.pairs {
            keep_first(derived, pair_limits.pairs, [pairs, sensor_pairs, probes]);
        }
    }

    /// The same without a list of all boxes that overlap: collider by collider in the world's order, each with those
    /// after it.
    #[cold]
    fn find_pairs_of_a_crowd(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { pairs, sensor_pairs, probes, near, pair_limits, .. } = scratch;
        let mut left = pair_limits.pairs;
        let is_active = |collider: u32| state.is_active(derived.owner(collider));
        for first in derived.in_order(state) {
            let aabb = derived.bounds(first);
            derived.tree.query_aabb(&aabb, u32::MAX, near);
            let (rank, is_first_active) = (derived.rank(first), is_active(first));
            near.retain(|&other| derived.rank(other) > rank && (is_first_active || is_active(other)));
            near.sort_unstable_by_key(|&other| derived.rank(other));
            for &other in near.iter() {
                let pair = (first.min(other), first.max(other));
                let verdict = judge(state, derived, pair.0, pair.1);
                if matches!(verdict, Verdict::Ignore) {
                    continue;
                }
                let Some(others) = left.checked_sub(1) else { return };
                left = others;
                match verdict {
                    Verdict::Probe | Verdict::ProbeOnly => probes.push(pair),
                    Verdict::Sense => sensor_pairs.push(sensor_first(derived, pair)),
                    Verdict::Solve | Verdict::Ignore => {}
                }
                if matches!(verdict, Verdict::Solve | Verdict::Probe) {
                    pairs.push((first, other));
                }
            }
        }
    }
}

/// The sensor and the other one.
fn sensor_first(derived: &Derived, (a, b): (u32, u32)) -> (u32, u32) {
    if derived.is_sensor(a) { (a, b) } else { (b, a) }
}

/// The one that comes first in the world's order, and the other one.
fn first_first(derived: &Derived, (a, b): (u32, u32)) -> (u32, u32) {
    if derived.rank(a) > derived.rank(b) { (b, a) } else { (a, b) }
}

/// Keeps as many pairs as there may be in all lists together, the first ones in the world's order.
#[cold]
fn keep_first(derived: &Derived, most: usize, lists: [&mut Vec<(u32, u32)>; 3]) {
    let place = |&pair: &(u32, u32)| {
        let (a, b) = first_first(derived, pair);
        (derived.rank(a), derived.rank(b))
    };
    let mut places: Vec<_> = lists.iter().flat_map(|list| list.iter().map(place)).collect();
    places.sort_unstable();
    // One that is to be solved may be one to look at besides.
    places.dedup();
    if let Some(end) = places.get(most) {
        lists.into_iter().for_each(|list| list.retain(|pair| place(pair) < *end));
    }
}

/// What to do with a pair whose boxes overlap.
enum Verdict {
    /// Solve it.
    Solve,
    /// Solve it, and see whether it wakes one of them.
    Probe,
    /// See whether it wakes one of them.
    ProbeOnly,
    /// One is a sensor.
    Sense,
    /// Nothing.
    Ignore,
}

#[inline(always)]
fn judge(state: &State, derived: &Derived, a: u32, b: u32) -> Verdict {
    match derived.meeting(state, a, b) {
        Meeting::Solid => {}
        Meeting::Sensor => return Verdict::Sense,
        Meeting::Nothing => return Verdict::Ignore,
    }
    let (body_a, body_b) = (derived.owner(a), derived.owner(b));
    let (a, b) = (derived.rest(body_a), derived.rest(body_b));
    match (a.is_awake | b.is_awake, a.is_asleep | b.is_asleep) {
        (true, false) => Verdict::Solve,
        (true, true) => Verdict::Probe,
        // A kinematic body at a sleeping one: its own motion wakes.
        (false, true) if moves(state, body_a) || moves(state, body_b) => Verdict::ProbeOnly,
        _ => Verdict::Ignore,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, BodyKind, ColliderDef, WorldConfig};
    use isostep_collision::{Shape, Sphere};
    use isostep_math::random::Rng;
    use isostep_math::{Fx, Vec3, fx, vec3};

    fn ball(radius: Fx) -> Shape {
        Sphere::from_radius(radius).unwrap().into()
    }

    /// A crowd of all kinds of bodies close together, among them sensors, of which some sleep; slots are not in order.
    fn crowd(seed: u64, limits: Limits) -> World {
        let mut rng = Rng::new(seed, 0);
        let mut world = World::new(WorldConfig { sleep_ticks: 2, ..WorldConfig::default() }).unwrap();
        world.scratch.pair_limits = limits;
        for index in 0..60 {
            let kinds = [BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Fixed];
            let mut place = || rng.fx_range(fx!(-2), fx!(2));
            let place = vec3(place(), place(), place());
            let def = BodyDef { kind: kinds[index % 4], gravity_scale: fx!(0), ..BodyDef::dynamic(place) };
            let order = if seed % 2 == 0 { 0 } else { rng.below(3) };
            let body = world.add_body(BodyDef { order, ..def }).unwrap();
            let collider = ColliderDef::new(ball(fx!(0.7)));
            world
                .add_collider(body, if rng.below(5) == 0 { collider.as_sensor() } else { collider })
                .unwrap();
        }
        world
    }

    #[test]
    fn a_crowd_has_the_pairs_that_a_list_of_all_has_up_to_any_limit() {
        for seed in 0..6 {
            for pairs in [0, 1, 7, 40, 200, 1 << 20] {
                // The last one changes from listing to asking one by one, as the crowd drifts apart.
                let listed = [usize::MAX, 0, 150];
                let mut worlds =
                    listed.map(|listed| crowd(seed, Limits { pairs, listed, listed_of_each: 0 }));
                for step in 0..40 {
                    worlds.iter_mut().for_each(World::step);
                    let [all, others @ ..] = &worlds;
                    for other in others {
                        let own = [&all.scratch.pairs, &all.scratch.sensor_pairs, &all.scratch.probes];
                        let others =
                            [&other.scratch.pairs, &other.scratch.sensor_pairs, &other.scratch.probes];
                        for (own, others) in own.into_iter().zip(others) {
                            let sorted = |list: &Vec<_>| {
                                let mut list = list.clone();
                                list.sort_unstable();
                                list
                            };
                            assert!(own.len() <= pairs);
                            assert_eq!(sorted(own), sorted(others), "seed {seed}, {pairs}, step {step}");
                        }
                        assert_eq!(all.scratch.pairs, other.scratch.pairs);
                        assert_eq!(all.state_hash(), other.state_hash(), "seed {seed}, {pairs}, step {step}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_crowd_in_one_place_that_ignores_itself_takes_no_memory_for_its_pairs() {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.set_layers_meet(0, 0, false).unwrap();
        for _ in 0..4000 {
            let body = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
            world.add_collider(body, ColliderDef::new(ball(fx!(1)))).unwrap();
        }
        world.step();
        assert_eq!(world.scratch.pairs.capacity(), 0);
        assert_eq!(world.contacts().count(), 0);
    }
}
