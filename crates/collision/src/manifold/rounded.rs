//! Spheres and capsules against each other and against boxes: one point between the closest points of the cores,
//! two where a segment lies along a face, along an edge or along another segment.

use super::posed::Posed;
use super::{ContactPoint, FeatureId, PointWords};
use crate::distance::arithmetic::direction;
use crate::distance::pair::Pair;
use crate::distance::sphere_box::SphereBox;
use crate::distance::zonotope::Contact;
use crate::distance::{on_a, on_b};
use crate::exact::narrow_axis;
use crate::shape::{Capsule, Obb, Shape};
use isostep_math::{Fx, Vec3, fx};

/// A contact in the coordinates of the world, before its anchors are taken into those of the shapes.
#[derive(Clone, Copy)]
pub(super) struct WorldPoint {
    pub(super) on_a: Vec3,
    pub(super) on_b: Vec3,
    pub(super) separation: Fx,
    pub(super) feature: u32,
}

/// The contact of two shapes of which one is a sphere or a capsule and the other no half-space: the normal from a
/// to b, and its points.
pub(super) fn contact(a: &Posed, b: &Posed, margin: Fx, push: &mut impl FnMut(WorldPoint)) -> Option<Vec3> {
    let (normal, closest) = closest(a, b)?;
    if closest.separation > margin {
        return None;
    }
    let (axes_a, axes_b, a, b) = (&a.axes, &b.axes, &a.world, &b.world);
    let two = match (a, b) {
        (Shape::Capsule(a), Shape::Capsule(b)) => along_segment(&a.into(), &b.into(), normal, 0),
        (Shape::Capsule(a), Shape::Box(b)) => along_box(a, b, axes_b, normal),
        (Shape::Box(a), Shape::Capsule(b)) => {
            along_box(b, a, axes_a, -normal).map(|points| points.map(WorldPoint::flipped))
        }
        _ => None,
    };
    // Where the stretch misses the closest point, the shapes do not lie along each other after all; nor do they within
    // the margin if both its ends are beyond that.
    let tolerance = stretch_tolerance(a).max(stretch_tolerance(b));
    let enough = |points: &[WorldPoint; 2]| {
        points.iter().any(|point| point.separation <= margin.min(closest.separation + tolerance))
    };
    match two.filter(enough) {
        Some(points) => points.into_iter().filter(|point| point.separation <= margin).for_each(push),
        None => push(closest),
    }
    Some(normal)
}

impl WorldPoint {
    /// The same with the two shapes exchanged.
    pub(super) fn flipped(self) -> Self {
        Self { on_a: self.on_b, on_b: self.on_a, ..self }
    }
}

/// How a sphere and a box stand to each other, if these are such, the centre of the one outside of the other.
#[inline(always)]
pub(super) fn sphere_and_box<'a>(a: &'a Posed, b: &'a Posed) -> Option<SphereBox<'a>> {
    let (sphere, obb, axes, box_first) = match (&a.world, &b.world) {
        (Shape::Sphere(sphere), Shape::Box(obb)) => (sphere, obb, &b.axes, false),
        (Shape::Box(obb), Shape::Sphere(sphere)) => (sphere, obb, &a.axes, true),
        _ => return None,
    };
    SphereBox::new(sphere, obb, axes, box_first)
}

/// The contact of a sphere and a box in either order: the bits are those of [`contact`].
#[inline(always)]
pub(super) fn of_sphere_and_box(
    found: &SphereBox<'_>,
    a: &Posed,
    b: &Posed,
    margin: Fx,
) -> Option<(Vec3, WorldPoint)> {
    let separation = found.separation();
    if separation > margin {
        return None;
    }
    // From the first to the second: what is given for a sphere before a box is turned round for one behind it.
    let (on_a, on_b) = match (&a.world, &b.world) {
        (Shape::Sphere(sphere), Shape::Box(obb)) => {
            (sphere.center() + found.on_sphere(), obb.center() + found.on_box())
        }
        (Shape::Box(obb), Shape::Sphere(sphere)) => {
            (obb.center() - found.on_box(), sphere.center() - found.on_sphere())
        }
        _ => return None,
    };
    Some((found.normal(), WorldPoint { on_a, on_b, separation, feature: 0 }))
}

/// The normal from a to b and the point where they are closest, or deepest: between the points of their cores.
fn closest(a: &Posed, b: &Posed) -> Option<(Vec3, WorldPoint)> {
    let (core_a, core_b) = (a.core()?, b.core()?);
    let pair = Pair::new(&core_a, &core_b, [0; 3]);
    let contact = Contact::of(&pair);
    let point = WorldPoint {
        on_a: pair.to_world(&core_a, on_a(&pair, &contact.found)),
        on_b: pair.to_world(&core_b, on_b(&pair, &contact.found)),
        separation: pair.to_fx(contact.gap - pair.radius()),
        feature: 0,
    };
    Some((direction(contact.found.toward), point))
}

/// By how much the nearer end of a stretch may be farther than the closest point: a 256th of the radius.
fn stretch_tolerance(shape: &Shape) -> Fx {
    match shape {
        Shape::Capsule(capsule) => capsule.radius() >> 8,
        _ => Fx::ZERO,
    }
}

/// Two segments within 1.8° of parallel (a sine of 2⁻⁵) touch along the stretch they share.
const PARALLEL_SINE: Fx = fx!(0.03125);

/// A segment with a radius: a capsule, or the edge of a box.
struct Rod {
    a: Vec3,
    b: Vec3,
    radius: Fx,
}

impl From<&Capsule> for Rod {
    fn from(capsule: &Capsule) -> Self {
        Self { a: capsule.a(), b: capsule.b(), radius: capsule.radius() }
    }
}

impl Rod {
    /// The point at a fraction of the way from one end to the other. The same wherever the rod is.
    fn at(&self, fraction: Fx) -> Vec3 {
        self.a + (self.b - self.a) * fraction
    }
}

/// The ends of what two nearly parallel rods share, with features from this one on; `None` for others, or for less than a point.
fn along_segment(a: &Rod, b: &Rod, normal: Vec3, feature: u32) -> Option<[WorldPoint; 2]> {
    let (span_a, span_b) = (a.b - a.a, b.b - b.a);
    let (axis, length) = span_a.normalize_and_length();
    let axis_b = span_b.try_normalize()?;
    if length.is_zero() || axis.cross(axis_b).length() > PARALLEL_SINE {
        return None;
    }
    // Where the ends of b lie along a.
    let (start, end) = ((b.a - a.a).dot(axis), (b.b - a.a).dot(axis));
    let (low, high) = (start.min(end).max(Fx::ZERO), start.max(end).min(length));
    if low >= high || start == end {
        return None;
    }
    let point = |along: Fx, end_of_stretch: u32| {
        let core_a = a.a + axis * along;
        let core_b = b.at((along - start) / (end - start));
        let separation = (core_b - core_a).dot(normal) - a.radius - b.radius;
        let (on_a, on_b) = (core_a + normal * a.radius, core_b - normal * b.radius);
        WorldPoint { on_a, on_b, separation, feature: feature | end_of_stretch }
    };
    Some([point(low, 1), point(high, 2)])
}

/// Directions this near to a face's normal (1.8°) count as it: a cosine of 1 − 2⁻¹¹.
const FACE_COSINE: Fx = fx!(0.99951171875);

/// The ends of what a capsule's segment shares with a face or an edge of a box; the normal leads from the capsule to the box.
fn along_box(capsule: &Capsule, obb: &Obb, axes: &[[i64; 3]; 3], normal: Vec3) -> Option<[WorldPoint; 2]> {
    // Q58 with 32 bits more is Q90.
    let axes = axes
        .map(|axis| Vec3::from_array(axis.map(|entry| Fx::from_bits(narrow_axis(i128::from(entry) << 32)))));
    let cosines = axes.map(|axis| axis.dot(normal));
    match (0..3).find(|&axis| cosines[axis].abs() >= FACE_COSINE) {
        Some(face) => along_face(capsule, obb, &axes, (face, cosines[face]), normal),
        None => along_edge(capsule, obb, &axes, cosines, normal),
    }
}

/// The first feature of edges, beyond those of faces: four along each axis.
const EDGES: u32 = 1 << 4;

/// The ends of what a capsule's segment shares with the edge of a box that faces it; `None` where it is not along one.
fn along_edge(
    capsule: &Capsule,
    obb: &Obb,
    axes: &[Vec3; 3],
    cosines: [Fx; 3],
    normal: Vec3,
) -> Option<[WorldPoint; 2]> {
    let span = (capsule.b() - capsule.a()).try_normalize()?;
    let along = (0..3).find(|&axis| axes[axis].cross(span).length() <= PARALLEL_SINE)?;
    let halves = obb.half_extents().to_array();
    let (mut middle, mut feature) = (obb.center(), EDGES | (along as u32) << 5);
    for (place, axis) in (0..3).filter(|&axis| axis != along).enumerate() {
        let is_ahead = cosines[axis] > Fx::ZERO;
        // Towards the capsule.
        let way = axes[axis] * halves[axis];
        middle = if is_ahead { middle - way } else { middle + way };
        feature |= u32::from(is_ahead) << (2 + place);
    }
    let half = axes[along] * halves[along];
    let edge = Rod { a: middle - half, b: middle + half, radius: Fx::ZERO };
    along_segment(&capsule.into(), &edge, normal, feature)
}

/// The ends of a capsule's segment over a face of a box, where the normal (from the capsule to the box) is the
/// face's with this cosine; `None` where the segment passes it by.
fn along_face(
    capsule: &Capsule,
    obb: &Obb,
    axes: &[Vec3; 3],
    (face, cosine): (usize, Fx),
    normal: Vec3,
) -> Option<[WorldPoint; 2]> {
    let matrix = obb.rotation().to_rotation_matrix();
    let local = |point: Vec3| matrix.inverse_mul_vec3(point - obb.center()).to_array();
    let (from, to) = (local(capsule.a()), local(capsule.b()));
    let halves = obb.half_extents().to_array();
    // Clip the segment to the sides of the face.
    let (mut enter, mut exit) = (Fx::ZERO, Fx::ONE);
    for axis in (0..3).filter(|&axis| axis != face) {
        for (a, b) in [
            (from[axis] - halves[axis], to[axis] - halves[axis]),
            (-from[axis] - halves[axis], -to[axis] - halves[axis]),
        ] {
            match (a > Fx::ZERO, b > Fx::ZERO) {
                (true, true) => return None,
                (true, false) => enter = enter.max(a / (a - b)),
                (false, true) => exit = exit.min(a / (a - b)),
                (false, false) => {}
            }
        }
    }
    if enter >= exit {
        return None;
    }
    // The normal points into the box: the face looks the other way.
    let outward = -cosine.signum();
    let rod = Rod::from(capsule);
    let point = |fraction: Fx, feature: u32| {
        let core = rod.at(fraction);
        let above = from[face].lerp(to[face], fraction) * outward - halves[face];
        // The foot is beside the core by the face's normal, and apart from it along the contact's.
        let (on_a, on_b) = (core + normal * capsule.radius(), core - axes[face] * (outward * above));
        let separation = above * cosine.abs() - capsule.radius();
        WorldPoint { on_a, on_b, separation, feature: feature | (face as u32) << 2 }
    };
    Some([point(enter, 1), point(exit, 2)])
}

impl WorldPoint {
    /// The point with its anchors in the coordinates of the owners of both shapes.
    #[inline(always)]
    pub(super) fn localized(&self, a: &Posed, b: &Posed) -> PointWords {
        let point = ContactPoint {
            anchor_a: a.inverse_transform_point(self.on_a),
            anchor_b: b.inverse_transform_point(self.on_b),
            separation: self.separation,
            feature: FeatureId(self.feature),
        };
        point.to_words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Sphere;
    use isostep_math::random::Rng;
    use isostep_math::{Pose, Quat};

    /// What the way for shapes of all kinds says.
    fn general(a: &Posed, b: &Posed, margin: Fx) -> Option<(Vec3, WorldPoint)> {
        closest(a, b).filter(|(_, point)| point.separation <= margin)
    }

    fn as_words((normal, point): (Vec3, WorldPoint)) -> (Vec3, Vec3, Vec3, Fx, u32) {
        (normal, point.on_a, point.on_b, point.separation, point.feature)
    }

    #[test]
    fn a_sphere_and_a_box_have_the_contact_that_the_way_for_all_shapes_finds() {
        let mut rng = Rng::new(23, 0);
        let turns =
            [Quat::IDENTITY, Quat::from_rotation_y(Fx::FRAC_PI_2), Quat::from_rotation_z(Fx::FRAC_PI_6)];
        let (mut short, mut met) = (0, 0);
        for round in 0..60_000 {
            // Sizes of raw units up to the largest, and places from inside the box to far away, many of them right on
            // an axis or a side.
            let scale = rng.below(48);
            let spread = scale.saturating_sub(rng.below(6)) + rng.below(4);
            let mut length = |bits: u32| (rng.next_u64() >> (63 - bits)) as i64;
            let halves = [0; 3].map(|_| Fx::from_bits(length(scale).clamp(1, 1 << 47)));
            let radius = Fx::from_bits(length(scale).clamp(1, 1 << 47));
            let center = Vec3::from_array([0; 3].map(|_| Fx::from_bits(length(62) - (1 << 61))));
            let mut way = Vec3::from_array([0; 3].map(|_| {
                let word = length(spread.min(60)) - length(spread.min(60));
                Fx::from_bits(if round % 5 == 0 { 0 } else { word })
            }));
            if round % 7 == 0 {
                way.x = halves[0] + Fx::from_bits(length(2)) - Fx::from_bits(1);
            }
            let mut word = || Fx::from_bits(rng.next_u64() as i64 >> 31);
            let any = Quat::from_xyzw(word(), word(), word(), word()).normalize();
            let rotation = *turns.get(round % 6).unwrap_or(&any);
            let sphere = Sphere::new(center + way, radius).unwrap();
            let ball = Posed::new(&sphere.into(), &Pose::IDENTITY);
            let obb = Obb::new(Vec3::ZERO, Vec3::from_array(halves), Quat::IDENTITY).unwrap();
            let block = Posed::new(&obb.into(), &Pose::new(rotation, center));
            let margin = Fx::from_bits(radius.to_bits() >> (round % 9));
            for (a, b) in [(&ball, &block), (&block, &ball)] {
                let found = if let Some(found) = sphere_and_box(a, b) {
                    short += 1;
                    of_sphere_and_box(&found, a, b, margin)
                } else {
                    let mut point = None;
                    let normal = contact(a, b, margin, &mut |found| point = Some(found));
                    normal.map(|normal| (normal, point.unwrap()))
                };
                met += u32::from(found.is_some());
                assert_eq!(found.map(as_words), general(a, b, margin).map(as_words), "{a:?} {b:?}");
            }
        }
        assert!(short > 40_000 && met > 60_000, "{short} {met}");
    }
}
