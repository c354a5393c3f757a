//! Which solid is painted before which: from back to front.
//!
//! Of two convex solids that have no point in common, a plane lies between; the one on the viewer's side of it may hide
//! the other, and never the other way around. So each pair that overlaps in the picture has an order, which depends on
//! no depth of a centre or a face: a card that leans on another and a crate on a large ground come out right. The pairs
//! make a graph, and of what nothing waits for any more, the farthest is painted first. Where three solids hide each
//! other in a ring, or two go into each other, the farthest centre comes first.
//!
//! The plane is found among the separating axes of the sums of segments that solids are (see `solid`): their
//! directions, the cross products of those, and the directions between centres and ends.

use crate::camera::Camera;
use crate::plane::Rect;
use crate::solid::{Finish, Form, Solid};
use isostep_math::{Fx, Vec3};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// What comes first is painted first: the depth, then the place among the solids.
type Key = (Fx, usize);

/// The order in which solids are painted, as indices.
pub(crate) fn back_to_front(camera: &Camera, solids: &[Solid], rects: &[Rect]) -> Vec<usize> {
    let key = |index: usize| (camera.depth(solids[index].center), index);
    let mut hides: Vec<Vec<usize>> = vec![Vec::new(); solids.len()];
    let mut waits: Vec<usize> = vec![0; solids.len()];
    for (a, b) in overlapping(rects) {
        let (behind, before) = match front(camera, &solids[a], &solids[b]) {
            Some(Front::First) => (b, a),
            Some(Front::Second) => (a, b),
            None => continue,
        };
        hides[behind].push(before);
        waits[before] += 1;
    }

    let mut ready: BinaryHeap<Reverse<Key>> =
        (0..solids.len()).filter(|&index| waits[index] == 0).map(|index| Reverse(key(index))).collect();
    let mut left: BTreeSet<Key> = (0..solids.len()).map(key).collect();
    let mut order = Vec::with_capacity(solids.len());
    loop {
        // In a ring nothing is ready.
        let next = ready.pop().map(|Reverse(next)| next).or_else(|| left.first().copied());
        let Some(next) = next else { return order };
        if !left.remove(&next) {
            continue;
        }
        order.push(next.1);
        for &before in &hides[next.1] {
            waits[before] -= 1;
            if waits[before] == 0 {
                ready.push(Reverse(key(before)));
            }
        }
    }
}

/// The pairs of rectangles that overlap.
fn overlapping(rects: &[Rect]) -> Vec<(usize, usize)> {
    let mut by_side: Vec<usize> = (0..rects.len()).collect();
    by_side.sort_unstable_by_key(|&index| (rects[index].min.x, index));
    let (mut pairs, mut open) = (Vec::new(), Vec::<usize>::new());
    for &index in &by_side {
        open.retain(|&other| rects[other].max.x >= rects[index].min.x);
        pairs.extend(
            open.iter().filter(|&&other| rects[other].overlaps(&rects[index])).map(|&other| (other, index)),
        );
        open.push(index);
    }
    pairs
}

/// Which of two solids may hide the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Front {
    First,
    Second,
}

/// Which of two solids may hide the other; `None` where neither does.
pub(crate) fn front(camera: &Camera, a: &Solid, b: &Solid) -> Option<Front> {
    let offset = b.center - a.center;
    let gap = |axis: Vec3| offset.dot(axis).abs() - a.reach(axis) - b.reach(axis);

    // Side by side in the picture, but for a part of a pixel.
    let across = offset - camera.toward * offset.dot(camera.toward);
    let outlines = [a, b].into_iter().flat_map(|solid| solid.axes).map(|axis| axis.cross(camera.toward));
    let mut sides = outlines.chain([across]).map(Vec3::normalize_or_zero).filter(|axis| *axis != Vec3::ZERO);
    let overlap = -camera.pixel() * Fx::HALF;
    if sides.any(|axis| gap(axis) >= overlap) {
        return None;
    }

    let mut widest: Option<(Fx, Vec3)> = None;
    let mut consider = |axis: Vec3| {
        let axis = axis.normalize_or_zero();
        if axis == Vec3::ZERO {
            return;
        }
        let gap = gap(axis);
        if widest.is_none_or(|(widest, _)| gap > widest) {
            widest = Some((gap, axis));
        }
    };
    a.axes.into_iter().chain(b.axes).for_each(&mut consider);
    for first in a.axes {
        for second in b.axes {
            consider(first.cross(second));
        }
    }
    if a.form != Form::Box || b.form != Form::Box {
        consider(offset);
        for (from, to) in [(a, b), (b, a)] {
            ends(from).into_iter().for_each(|end| consider(end - nearest(to, end)));
        }
    }
    let (gap, axis) = widest?;
    // What is in a sensor is neither before nor behind it.
    if gap < Fx::ZERO && (a.finish == Finish::Sensor || b.finish == Finish::Sensor) {
        return None;
    }
    let ahead = offset.dot(axis).signum() * axis.dot(camera.toward);
    match ahead.to_bits() {
        0 => None,
        1.. => Some(Front::Second),
        _ => Some(Front::First),
    }
}

/// The ends of the segment of a ball or a capsule; none of a box.
fn ends(solid: &Solid) -> Vec<Vec3> {
    match solid.form {
        Form::Ball => vec![solid.center],
        Form::Capsule => vec![solid.center - solid.generators[0], solid.center + solid.generators[0]],
        Form::Box => Vec::new(),
    }
}

/// The point of the segments of a solid that is nearest to another.
fn nearest(solid: &Solid, point: Vec3) -> Vec3 {
    let offset = point - solid.center;
    (0..3).fold(solid.center, |nearest, axis| {
        let direction = solid.axes[axis];
        let reach = solid.generators[axis].dot(direction).abs();
        nearest + direction * offset.dot(direction).clamp(-reach, reach)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::Scope;
    use crate::view::View;
    use isostep_collision::Aabb;
    use isostep_math::{fx, vec3};

    fn cuboid(center: Vec3, half_extents: Vec3) -> Solid {
        Solid::around(&Aabb::from_center_half_extents(center, half_extents).expect("extents above 0"))
    }

    fn camera(solids: &[Solid]) -> Camera {
        let view = View::new(1000, 1000).expect("a valid size");
        Camera::of(&view, &Scope::of(solids, &view))
    }

    fn order(solids: &[Solid]) -> Vec<usize> {
        let camera = camera(solids);
        let rects: Vec<Rect> = solids.iter().map(|solid| camera.rect(solid)).collect();
        back_to_front(&camera, solids, &rects)
    }

    #[test]
    fn what_stands_on_a_large_ground_hides_it_wherever_its_middle_is() {
        let ground = cuboid(vec3(fx!(0), fx!(-1), fx!(0)), vec3(fx!(50), fx!(1), fx!(50)));
        let far_back = cuboid(vec3(fx!(-40), fx!(0.1), fx!(-40)), Vec3::splat(fx!(0.1)));
        let near = cuboid(vec3(fx!(40), fx!(0.1), fx!(40)), Vec3::splat(fx!(0.1)));
        assert_eq!(order(&[near, far_back, ground]), [2, 1, 0]);
    }

    #[test]
    fn the_upper_of_a_stack_hides_the_lower() {
        let level = |y: i32| cuboid(Vec3::Y * Fx::from_int(y), vec3(fx!(3), fx!(0.5), fx!(0.5)));
        assert_eq!(order(&[level(2), level(0), level(1)]), [1, 2, 0]);
    }

    #[test]
    fn a_ring_that_hides_itself_is_painted_all_the_same() {
        // Three beams, each before the next at one end and behind the other one at the other.
        let long = fx!(2);
        let thin = fx!(0.1);
        let beams = [
            cuboid(vec3(fx!(0), thin, fx!(1.5)), vec3(long, thin, thin)),
            cuboid(vec3(fx!(1.5), fx!(0), thin), vec3(thin, long, thin)),
            cuboid(vec3(thin, fx!(1.5), fx!(0)), vec3(thin, thin, long)),
        ];
        let mut painted = order(&beams);
        painted.sort_unstable();
        assert_eq!(painted, [0, 1, 2]);
    }

    #[test]
    fn solids_side_by_side_have_no_order() {
        let [left, right] = [fx!(-2), fx!(2)].map(|x| cuboid(Vec3::X * x, Vec3::splat(fx!(0.5))));
        let camera = camera(&[left, right]);
        assert_eq!(front(&camera, &left, &right), None);
    }
}
