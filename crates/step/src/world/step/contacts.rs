//! Contacts on their way out of the solver's blocks.

use super::incoming::{Contact, NEW};
use super::{AHEAD, SHARED_CONTACTS, Scratch, World, outgoing};
use crate::contact::{ContactPair, PointImpulse};
use crate::event::Event;
use crate::solver::bodies::Bodies;
use crate::solver::{BLOCK, Block, IMPULSE_BITS};
use crate::state::State;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};
use isostep_collision::Mass;
use isostep_collision::manifold::{ContactPoint, Found, PosedShapes, each_contact_at};
use isostep_math::wide::{Level, prefetch};
use isostep_math::{Fx, fx};

/// By chunks of contacts: whether there is something to tell of one of them.
#[derive(Debug, Default)]
pub(super) struct News(Vec<AtomicBool>);

impl Clone for News {
    /// Nothing: each step asks anew.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl News {
    fn hold(&mut self, chunks: usize) {
        self.0.resize_with(chunks, AtomicBool::default);
    }

    fn put(&self, chunk: usize, is_some: bool) {
        self.0[chunk].store(is_some, Ordering::Relaxed);
    }

    fn is_some(&self, chunk: usize) -> bool {
        self.0[chunk].load(Ordering::Relaxed)
    }
}

impl World {
    /// Takes the impulses out, and says which contacts began, ended or hit.
    pub(super) fn take_contacts(&mut self) {
        let Self { state, derived, scratch, events, crew, .. } = self;
        let Scratch { pairs, bodies, coloring, blocks, incoming, outgoing, .. } = scratch;
        let Scratch { contacts: [next, _], news, hits, hit_lanes, .. } = scratch;
        let (incoming, before) = (&*incoming, &state.contacts.pairs);
        outgoing::collect(blocks, SHARED_CONTACTS, outgoing, crew);
        let (outgoing, places) = (&*outgoing, &coloring.contacts.places);
        let lane_of = |number: usize| {
            let (block, lane) = places[number];
            (block as usize, usize::from(lane))
        };
        let threshold = state.config.restitution_threshold;
        // Contacts at rest are many: no point of theirs is fast enough.
        let is_fast = |contact: &Contact| {
            let [a, b] = contact.records().map(|record| bodies.speeds[record as usize]);
            a.saturating_add(b) > threshold
        };
        // All of it is written over.
        next.pairs.resize(incoming.count(), ContactPair::default());
        next.points.resize(incoming.point_count(), PointImpulse::default());
        let is_worth_it = incoming.count() >= SHARED_CONTACTS;
        let (parts, bounds) = ((&mut next.pairs[..], &mut next.points[..]), incoming.bounds());
        news.hold(bounds[0].len());
        let news = &*news;
        crew.for_each_of_two(parts, bounds, is_worth_it, |chunk_number, next, mut points| {
            let first = bounds[0][chunk_number] as usize;
            let chunk = incoming.chunk(chunk_number);
            let contacts = chunk.contacts().iter().zip(incoming.pairs_of(chunk_number, pairs));
            let mut next_old = chunk.contacts().first().map_or(0, Contact::old);
            let mut is_some = next_old == NEW;
            for ((pair, (contact, colliders)), number) in next.iter_mut().zip(contacts).zip(first..) {
                let (own, rest) = core::mem::take(&mut points).split_at_mut(contact.count());
                points = rest;
                let touched = before.get(contact.old() as usize).is_some_and(|old| old.touching);
                prefetch((&raw const *contact).wrapping_add(AHEAD));
                if let Some(&(block, lane)) = places.get(number + AHEAD) {
                    prefetch(&raw const outgoing[block as usize * BLOCK + usize::from(lane)]);
                }
                let (block, lane) = lane_of(number);
                let left = &outgoing[block * BLOCK + lane];
                for ((point, &feature), normal) in
                    own.iter_mut().zip(chunk.features_of(contact)).zip(left.impulses())
                {
                    *point = PointImpulse { feature, normal };
                }
                let touching = contact.is_touching(left.is_pressed(contact.count()), touched);
                *pair = ContactPair {
                    a: colliders.0,
                    b: colliders.1,
                    friction: left.friction(),
                    twist: left.twist(),
                    count: contact.count() as u8,
                    scale: left.scale(),
                    touching,
                };
                is_some = is_some || contact.old() != next_old || touching != touched || is_fast(contact);
                next_old = next_old.wrapping_add(1);
            }
            news.put(chunk_number, is_some);
        });

        let ended = |pair: &ContactPair| Event::ContactEnd {
            a: state.collider_handle(pair.a),
            b: state.collider_handle(pair.b),
        };
        // Two that fell asleep, or a body that became fixed, do not part.
        let gone = |pairs: &[ContactPair], events: &mut Vec<Event>| {
            events.extend(pairs.iter().filter(|old| old.touching).map(ended));
        };
        let mut next_old = 0;
        hits.clear();
        hit_lanes.clear();
        for (chunk, first) in bounds[0][..bounds[0].len() - 1].iter().enumerate() {
            let contacts = incoming.chunk(chunk).contacts();
            if let ([first, ..], false) = (contacts, news.is_some(chunk)) {
                // They are those from this one on of the step before.
                gone(&before[next_old..first.old() as usize], events);
                next_old = first.old() as usize + contacts.len();
                continue;
            }
            for ((pair, contact), number) in next.pairs[*first as usize..].iter().zip(contacts).zip(*first..)
            {
                let mut touched = false;
                if contact.old() != NEW {
                    let old = contact.old() as usize;
                    gone(&before[next_old..old], events);
                    (touched, next_old) = (before[old].touching, old + 1);
                }
                match (touched, pair.touching) {
                    (false, true) => events.push(Event::ContactBegin {
                        a: state.collider_handle(pair.a),
                        b: state.collider_handle(pair.b),
                    }),
                    (true, false) => events.push(ended(pair)),
                    _ => {}
                }
                if is_fast(contact) {
                    let (block, lane) = lane_of(number as usize);
                    let is_pressed = outgoing[block * BLOCK + lane].is_pressed(contact.count());
                    if is_pressed && may_hit(state, bodies, contact, (pair.a, pair.b), &blocks[block], lane) {
                        hits.push((pair.a, pair.b));
                        hit_lanes.push((block, lane));
                    }
                }
            }
        }
        gone(&before[next_old..], events);
        let (margin, shapes) = (state.config.speculative_margin, &derived.shapes);
        each_contact_at(Level::current(), shapes, hits, margin, &mut |found| {
            for found in found.iter() {
                let (block, lane) = hit_lanes[found.pair as usize];
                events.extend(impact(state, shapes, hits[found.pair as usize], &found, &blocks[block], lane));
            }
        });
        debug_assert_eq!(bodies.slots.len(), bodies.velocities.len());
        core::mem::swap(&mut state.contacts, next);
    }
}

/// Whether the bodies of a contact may have come together faster than what [`impact`] tells of: by the arms of its rows, which
/// are there and nearly those of its points.
fn may_hit(
    state: &State,
    bodies: &Bodies,
    contact: &Contact,
    (a, b): (u32, u32),
    block: &Block,
    lane: usize,
) -> bool {
    // Arms of a body whose reach is unknown may be longer than rows have them.
    if contact.records().iter().any(|&record| bodies.speeds[record as usize] == Fx::MAX) {
        return true;
    }
    let velocities = state.bodies_of(a, b).map(|body| {
        let motion = &state.motions[body];
        [motion.linear_velocity, motion.angular_velocity]
    });
    block.approach(lane, velocities).saturating_add(ROUGHNESS) > state.config.restitution_threshold
}

/// By how much the speeds of points and those by rows may differ at the most, in m/s: arms are rounded, and halfway between what
/// they are to both bodies.
const ROUGHNESS: Fx = fx!(0.0625);

/// What there is to tell of a contact that pressed, if its bodies came together fast enough.
fn impact(
    state: &State,
    shapes: &PosedShapes,
    (a, b): (u32, u32),
    found: &Found<'_>,
    block: &Block,
    lane: usize,
) -> Option<Event> {
    let [body_a, body_b] = state.bodies_of(a, b);
    let (motion_a, motion_b) = (&state.motions[body_a], &state.motions[body_b]);
    let points = found.points().map(ContactPoint::from);
    let deepest = points.min_by_key(|point| (point.separation, point.feature))?;
    let arm_a = shapes.rotate(a as usize, motion_a.rotation, deepest.anchor_a);
    let arm_b = shapes.rotate(b as usize, motion_b.rotation, deepest.anchor_b);
    let velocity_a = motion_a.velocity_of(arm_a);
    let velocity_b = motion_b.velocity_of(arm_b);
    let approach_speed = velocity_a.saturating_sub(velocity_b).dot(found.normal);
    if approach_speed <= state.config.restitution_threshold {
        return None;
    }
    // Velocity changes of the lighter body that moves.
    let sum: i128 =
        block.points[..found.points().len()].iter().map(|point| i128::from(point.total[lane])).sum();
    let change = sum << (32 - IMPULSE_BITS) >> block.scale[lane];
    let change = Fx::from_bits(change.min(i128::from(i64::MAX)) as i64);
    let lighter = state.lighter_mass([body_a, body_b], |body| state.is_awake(body));
    let point = if state.is_awake(body_a) {
        motion_a.center.saturating_add(arm_a)
    } else {
        motion_b.center.saturating_add(arm_b)
    };
    Some(Event::ContactImpact {
        a: state.collider_handle(a),
        b: state.collider_handle(b),
        approach_speed,
        impulse: change.saturating_mul(lighter.map_or(Fx::ZERO, Mass::to_fx)),
        point,
        normal: found.normal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Motion;
    use crate::{BodyDef, ColliderDef, ColliderHandle, WorldConfig};
    use alloc::collections::BTreeSet;
    use isostep_collision::{Capsule, Obb, Shape, Sphere};
    use isostep_math::random::Rng;
    use isostep_math::{Pose, Vec3, vec3};

    /// A crowd of balls, capsules, boxes and pairs of them that spin and fly into each other between long walls.
    fn crowd(rng: &mut Rng) -> World {
        let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
        let wall: Shape = Obb::from_half_extents(vec3(fx!(200), fx!(1), fx!(3))).unwrap().into();
        for y in [fx!(-4), fx!(4)] {
            let at = vec3(rng.fx_range(fx!(-150), fx!(150)), y, fx!(0));
            let body = world.add_body(BodyDef::fixed(at)).unwrap();
            world.add_collider(body, ColliderDef::new(wall)).unwrap();
        }
        for index in 0..40 {
            let mut within = |most: Fx| rng.fx_range(-most, most);
            let mut vector = |most: Fx| vec3(within(most), within(most), within(most));
            let place = vector(fx!(2.5));
            let (linear_velocity, angular_velocity) = (vector(fx!(8)), vector(fx!(60)));
            let def = BodyDef { linear_velocity, angular_velocity, ..BodyDef::dynamic(place) };
            let body = world.add_body(def).unwrap();
            let size = rng.fx_range(fx!(0.1), fx!(0.8));
            let shapes: [Shape; 3] = [
                Sphere::from_radius(size).unwrap().into(),
                Capsule::along_y(size, size / fx!(3)).unwrap().into(),
                Obb::from_half_extents(vec3(size, size / fx!(2), fx!(0.3))).unwrap().into(),
            ];
            world.add_collider(body, ColliderDef::new(shapes[index % 3])).unwrap();
            if index % 4 == 0 {
                let pose = Pose::from_translation(vec3(size, size, fx!(0)));
                let more = ColliderDef { pose, ..ColliderDef::new(shapes[index / 4 % 3]) };
                world.add_collider(body, more).unwrap();
            }
        }
        world
    }

    #[test]
    fn no_point_comes_faster_than_its_contact_may_hit() {
        let (mut told, mut spared, mut fast) = (0, 0, 0);
        for seed in 0..8 {
            let mut world = crowd(&mut Rng::new(seed, 0));
            for _ in 0..60 {
                let motions = world.state.motions.clone();
                world.step();
                let World { state, derived, scratch, .. } = &world;
                let pairs: Vec<_> = state.contacts.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
                let margin = state.config.speculative_margin;
                each_contact_at(Level::current(), &derived.shapes, &pairs, margin, &mut |found| {
                    for found in found.iter() {
                        let number = found.pair as usize;
                        let bodies = state.bodies_of(pairs[number].0, pairs[number].1);
                        let [a, b] = bodies.map(|body| &motions[body]);
                        let (block, lane) = scratch.coloring.contacts.places[number];
                        let velocities = [a, b].map(|body| [body.linear_velocity, body.angular_velocity]);
                        let by_rows = scratch.blocks[block as usize].approach(lane.into(), velocities);
                        let points = found.points().map(ContactPoint::from);
                        let deepest = points.min_by_key(|point| (point.separation, point.feature)).unwrap();
                        let arm = |motion: &Motion, collider: u32, anchor| {
                            derived.shapes.rotate(collider as usize, motion.rotation, anchor)
                        };
                        let of_a = a.velocity_of(arm(a, pairs[number].0, deepest.anchor_a));
                        let of_b = b.velocity_of(arm(b, pairs[number].1, deepest.anchor_b));
                        let exact = (of_a - of_b).dot(found.normal);
                        assert!(exact <= by_rows + ROUGHNESS, "{exact} by points, {by_rows} by rows");
                        let speeds = bodies.map(|body| {
                            if state.bodies[body].is_dynamic() {
                                state.bodies[body].greatest_speed(&motions[body])
                            } else {
                                Fx::ZERO
                            }
                        });
                        let threshold = state.config.restitution_threshold;
                        fast += usize::from(speeds[0] + speeds[1] > threshold);
                        spared += usize::from(by_rows + ROUGHNESS <= threshold);
                        told += usize::from(exact > threshold);
                    }
                });
            }
        }
        assert!(told > 100 && 2 * spared > fast, "{told} hit, {spared} of {fast} may not");
    }

    /// Rows of boxes at rest with gaps among them, of which some are kicked about at times.
    #[test]
    fn what_begins_and_ends_is_what_changed_among_the_pairs_that_touch() {
        let mut rng = Rng::new(3, 0);
        let mut world = World::new(WorldConfig { sleep_ticks: u16::MAX, ..WorldConfig::default() }).unwrap();
        let ground = world.add_body(BodyDef::fixed(vec3(fx!(0), fx!(-1), fx!(0)))).unwrap();
        let shape = Obb::from_half_extents(vec3(fx!(100), fx!(1), fx!(100))).unwrap();
        world.add_collider(ground, ColliderDef::new(shape)).unwrap();
        let cube = ColliderDef::new(Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap());
        let mut bodies = Vec::new();
        for place in 0..400 {
            let at =
                vec3(Fx::from_int(place % 20) * fx!(1.01), fx!(0.5), Fx::from_int(place / 20) * fx!(1.03));
            bodies.push(world.add_body(BodyDef::dynamic(at)).unwrap());
            world.add_collider(bodies[place as usize], cube).unwrap();
        }
        let touching = |world: &World| -> BTreeSet<_> {
            let touching = world.contacts().filter(|contact| contact.touching);
            touching.map(|contact| (contact.a, contact.b)).collect()
        };
        let (mut before, mut quiet, mut changes) = (touching(&world), 0, 0);
        for tick in 0..240 {
            if tick % 60 == 30 {
                for _ in 0..4 {
                    let body = bodies[rng.below(400) as usize];
                    world.apply_impulse(body, vec3(fx!(1500), fx!(1500), fx!(900))).unwrap();
                }
            }
            world.step();
            let after = touching(&world);
            let found = |wanted: fn(&Event) -> Option<(ColliderHandle, ColliderHandle)>| -> BTreeSet<_> {
                let found: Vec<_> = world.events().iter().filter_map(wanted).collect();
                assert!(found.iter().collect::<BTreeSet<_>>().len() == found.len(), "each once");
                found.into_iter().collect()
            };
            let begun = found(|event| match *event {
                Event::ContactBegin { a, b } => Some((a, b)),
                _ => None,
            });
            let ended = found(|event| match *event {
                Event::ContactEnd { a, b } => Some((a, b)),
                _ => None,
            });
            assert_eq!(begun, &after - &before, "tick {tick}");
            assert_eq!(ended, &before - &after, "tick {tick}");
            changes += usize::from(tick > 40) * (begun.len() + ended.len());
            let chunks = world.scratch.incoming.bounds()[0].len() - 1;
            quiet += (0..chunks).filter(|&chunk| !world.scratch.news.is_some(chunk)).count();
            before = after;
        }
        assert!(quiet > 500 && changes > 50, "{quiet} chunks were quiet, {changes} changes");
    }

    #[test]
    fn what_comes_near_and_does_not_touch_yet_is_nothing_to_tell_of() {
        let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
        for (x, speed) in [(fx!(-0.508), fx!(0.05)), (fx!(0.508), fx!(-0.05))] {
            let linear_velocity = Vec3::X * speed;
            let body = BodyDef { linear_velocity, ..BodyDef::dynamic(Vec3::X * x) };
            let body = world.add_body(body).unwrap();
            world.add_collider(body, ColliderDef::new(Sphere::from_radius(fx!(0.5)).unwrap())).unwrap();
        }
        for _ in 0..5 {
            world.step();
            assert_eq!((world.contacts().count(), world.events().len()), (1, 0));
        }
        let told: usize = (0..20)
            .map(|_| {
                world.step();
                world.events().len()
            })
            .sum();
        assert_eq!(told, 1, "they begin to touch");
    }
}
