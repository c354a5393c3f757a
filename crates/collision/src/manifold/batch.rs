//! Pairs of shapes of any kinds: boxes and spheres in lanes, the rest one at a time, results in the order of pairs.
//!
//! Pairs are taken in runs that fill one of the stages. The kernels of a run go first; then its pairs are gone through
//! in order, each of which takes what its stage has found for it. So nothing is sorted, moved or allocated but the
//! results.

use super::boxes::BoxStage;
use super::found::{self, Contacts, Head, Manifolds};
use super::posed::{Kind, PosedShapes};
use super::spheres::SphereStage;
use super::{Manifold, localize, one_at_a_time};
use alloc::vec::Vec;
use isostep_math::Fx;
use isostep_math::wide::Level;

/// The manifolds of pairs of shapes of any kinds, given by their indices into `shapes`, with points up to `margin`
/// apart: for each pair that has any, its index and its manifold, in order, in `out`, whose content is replaced.
///
/// The same bits as [`manifold`](fn@super::manifold) of each pair. Pairs of two boxes and pairs of two spheres go
/// through kernels in lanes, wherever they stand among the others. Nothing is allocated but what `out` may need to
/// grow.
///
/// # Panics
/// Where an index is beyond `shapes`; what `out` holds then means nothing.
pub fn manifolds(shapes: &PosedShapes, pairs: &[(u32, u32)], margin: Fx, out: &mut Vec<(u32, Manifold)>) {
    manifolds_at(Level::current(), shapes, pairs, margin, out);
}

/// As [`manifolds`], at a lane level of choice: the bits do not depend on it.
///
/// # Panics
/// Where an index is beyond `shapes`; what `out` holds then means nothing.
pub fn manifolds_at(
    level: Level,
    shapes: &PosedShapes,
    pairs: &[(u32, u32)],
    margin: Fx,
    out: &mut Vec<(u32, Manifold)>,
) {
    let mut manifolds = Manifolds::over(out);
    each_contact_at(level, shapes, pairs, margin, &mut |contacts| manifolds.add(contacts));
    manifolds.finish();
}

/// Shows the contacts of [`manifolds_at`], the same numbers without copying them to manifolds: run of pairs by run, those of
/// each in order.
///
/// # Panics
/// Where an index is beyond `shapes`; what was seen until then means nothing.
pub fn each_contact_at(
    level: Level,
    shapes: &PosedShapes,
    pairs: &[(u32, u32)],
    margin: Fx,
    visit: &mut impl FnMut(&Contacts<'_>),
) {
    // Many steps ask about no hits, and no probes: nothing has to be cleared for those.
    if pairs.is_empty() {
        return;
    }
    // Not as a tuple: that would be built, then copied.
    let mut boxes = BoxStage::new();
    let mut spheres = SphereStage::new();
    let mut found = found::Run::new();
    let mut indices = 0_u32..;
    let mut rest = pairs;
    while !rest.is_empty() {
        let run = Run::first_of(rest, shapes);
        boxes.find(level, shapes.boxes(), &run.boxes[..run.box_count], margin);
        spheres.find(level, shapes.spheres(), &run.spheres[..run.sphere_count], margin);
        let (mut next_box, mut next_sphere) = (0, 0);
        let (pairs, after) = rest.split_at(run.length);
        for (&pair, index) in pairs.iter().zip(&mut indices) {
            if found.is_full() {
                found.show(&boxes, visit);
            }
            match shapes.kind_of(pair) {
                kind @ (Kind::Box | Kind::OffsetBox) => {
                    if boxes.is_near(next_box) {
                        found.push(index, next_box, |points| {
                            let head = boxes.contact(next_box, shapes.boxes(), pair, points);
                            if kind == Kind::Box {
                                return head;
                            }
                            if head.is_of_faces {
                                let (found, lane) = boxes.points(next_box);
                                *points = found.map(|lanes| lanes[lane]);
                            }
                            localize(&mut points[..head.count], shapes.both(pair));
                            Head { is_of_faces: false, ..head }
                        });
                    }
                    next_box += 1;
                }
                Kind::Sphere => {
                    if let Some(contact) = spheres.contact(next_sphere) {
                        found.push(index, 0, |points| contact.localize(shapes.both(pair), &mut points[0]));
                    }
                    next_sphere += 1;
                }
                Kind::Other => {
                    let [a, b] = shapes.both(pair);
                    found.push(index, 0, |points| one_at_a_time(a, b, margin, points));
                }
            }
        }
        found.show(&boxes, visit);
        rest = after;
    }
}

/// As many pairs as the stages hold, and which of them go there.
struct Run {
    length: usize,
    boxes: [(u32, u32); BoxStage::MOST],
    box_count: usize,
    spheres: [(u32, u32); SphereStage::MOST],
    sphere_count: usize,
}

impl Run {
    /// The longest run at the start of `pairs`.
    fn first_of(pairs: &[(u32, u32)], shapes: &PosedShapes) -> Self {
        let mut run = Self {
            length: 0,
            boxes: [(0, 0); BoxStage::MOST],
            box_count: 0,
            spheres: [(0, 0); SphereStage::MOST],
            sphere_count: 0,
        };
        for &pair in pairs {
            let (held, count) = match shapes.kind_of(pair) {
                Kind::Box | Kind::OffsetBox => (&mut run.boxes[..], &mut run.box_count),
                Kind::Sphere => (&mut run.spheres[..], &mut run.sphere_count),
                Kind::Other => {
                    run.length += 1;
                    continue;
                }
            };
            let Some(slot) = held.get_mut(*count) else { break };
            *slot = pair;
            *count += 1;
            run.length += 1;
        }
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Capsule, HalfSpace, Obb, Shape, Sphere};
    use isostep_math::random::Rng;
    use isostep_math::{Pose, Quat, Vec3, fx};

    #[test]
    fn a_buffer_holds_the_same_manifolds_whatever_it_held_before() {
        let mut rng = Rng::new(41, 0);
        let kinds = [
            Shape::from(HalfSpace::ground(fx!(0))),
            Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap().into(),
            Sphere::from_radius(fx!(0.5)).unwrap().into(),
            Capsule::along_y(fx!(0.4), fx!(0.3)).unwrap().into(),
        ];
        let mut used = Vec::new();
        let mut counts = [0; 5];
        for _ in 0..200 {
            let mut word = |bits: u32| Fx::from_bits(rng.next_u64() as i64 >> (63 - bits));
            let poses: Vec<Pose> = (0..24)
                .map(|index| {
                    let turn = Quat::from_xyzw(word(31), word(31), word(31), Fx::ONE).normalize();
                    let place = Vec3::new(word(33), word(31), word(33));
                    if index % 4 == 0 { Pose::IDENTITY } else { Pose::new(turn, place) }
                })
                .collect();
            let shapes: PosedShapes = kinds.iter().cycle().zip(&poses).collect();
            let pairs: Vec<(u32, u32)> = (0..24).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
            manifolds(&shapes, &pairs, fx!(0.02), &mut used);
            let mut fresh = Vec::new();
            manifolds(&shapes, &pairs, fx!(0.02), &mut fresh);
            assert_eq!(used, fresh);
            used.iter().for_each(|(_, manifold)| counts[manifold.points().len()] += 1);
        }
        assert!(counts[1..].iter().all(|&count| count > 100), "{counts:?}");
    }
}
