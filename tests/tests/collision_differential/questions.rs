//! What is asked of a pair, and how right the answers have to be.

use crate::figures::Figures;
use crate::number::{DoubleDouble, Number, Vector, along, dot, length, minus};
use crate::reference::{Body, Gap, PlaneReference, Reference, base_of, raw};
use isostep_collision::manifold::Manifold;
use isostep_collision::{
    HalfSpace, Obb, Penetration, Shape, closest_points, distance as distance_of, overlaps, penetrates,
    penetration_of,
};
use isostep_math::{Fx, Pose, Vec3};

/// Depths and directions, relative to the pair's size.
const DEPTH: f64 = 1.0 / (1 << 28) as f64;
const DIRECTION: f64 = 1.0 / (1 << 28) as f64;
/// Distances, relative to the pair's size; and points beside a plane, whose unit normal is rounded to 2⁻⁶⁰ but stored
/// to 2⁻³².
const DISTANCE: f64 = 1.0 / (1_u64 << 53) as f64;
const BESIDE_PLANE: f64 = 1.0 / (1_u64 << 44) as f64;

fn vector(v: Vec3) -> Vector<DoubleDouble> {
    raw(v).map(DoubleDouble::of)
}

/// How far from length 1 a stored direction is, in units of 2⁻³².
fn off_unit(direction: Vec3) -> f64 {
    length(vector(direction)).to_f64() - 4_294_967_296.0
}

/// A direction and a depth as the vector they mean.
fn translation(found: &Penetration) -> Vector<DoubleDouble> {
    let scale = DoubleDouble::of(found.depth.to_bits().into()) / DoubleDouble::of(1 << 32);
    vector(found.direction).map(|part| part * scale)
}

/// The minimum translation: as deep as the reference says, and b so moved touches a.
pub(crate) fn penetration(
    a: &Shape,
    b: &Shape,
    reference: &Reference,
    gap: Gap,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let found = penetration_of(a, b);
    assert_eq!(found.is_some(), penetrates(a, b), "{}", context());
    assert!(overlaps(a, b) || found.is_none(), "{}", context());
    let Some(found) = found else { return };
    let size = reference.size;
    let depth = DoubleDouble::of(found.depth.to_bits().into());
    assert!(found.depth > Fx::ZERO, "{}", context());
    figures.error("depth", (depth + gap.value).to_f64(), (1.0, DEPTH, size), context);
    figures.error("unit", off_unit(found.direction), (2.0, f64::MIN_POSITIVE, size), context);
    let moved = reference.moved(translation(&found)).gap().value.to_f64();
    figures.error("left after moving", moved, (1.0, DEPTH, size), context);
    let toward = reference.exact.gap_toward(vector(found.direction)).expect("a direction");
    let loss = (gap.value - (toward - reference.exact.radius)).to_f64();
    figures.error("direction", loss, (1.0, DIRECTION, size), context);
    // As it is applied, rounded to units.
    let rounded = reference.moved(vector(found.translation_of_b())).gap().value.to_f64();
    figures.error("left by units", rounded, (2.0, DEPTH, size), context);
}

/// How far a point is from the surface of a shape: `body` is the shape relative to `base`.
fn off_surface(body: &Body<DoubleDouble>, base: Vec3, point: Vec3) -> f64 {
    (body.core_distance(minus(vector(point), vector(base))) - body.radius).to_f64()
}

/// Distance and closest points.
pub(crate) fn distance(
    a: &Shape,
    b: &Shape,
    reference: &Reference,
    gap: Gap,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let (size, gap) = (reference.size, gap.value.to_f64());
    let found = distance_of(a, b);
    figures.error("distance", found.to_bits() as f64 - gap.max(0.0), (0.5, DISTANCE, size), context);
    let points = closest_points(a, b);
    assert_eq!(points.map_or(Fx::ZERO, |points| points.distance), found, "{}", context());
    let Some(points) = points else { return };
    let base = base_of(a);
    for (body, point) in [(&reference.a, points.on_a), (&reference.b, points.on_b)] {
        figures.error("points", off_surface(body, base, point), (1.0, DISTANCE, size), context);
    }
    let between = length(minus(vector(points.on_b), vector(points.on_a))).to_f64();
    figures.error("points apart", between - gap, (2.0, DISTANCE, size), context);
    figures.error("unit", off_unit(points.normal), (2.0, f64::MIN_POSITIVE, size), context);
    let toward = reference.exact.gap_toward(vector(points.normal)).expect("a normal");
    let loss = gap - (toward - reference.exact.radius).to_f64();
    let title = if gap > 0.0 { "normal" } else { "normal in the band" };
    figures.error(title, loss, (1.0, DIRECTION, size), context);
}

/// The minimum translation out of a half-space.
pub(crate) fn penetration_of_plane(
    plane: &HalfSpace,
    shape: &Shape,
    reference: &PlaneReference,
    gap: DoubleDouble,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let (a, b) = (Shape::HalfSpace(*plane), *shape);
    let found = penetration_of(&a, &b);
    assert_eq!(found.is_some(), penetrates(&a, &b), "{}", context());
    let Some(found) = found else { return };
    let depth = DoubleDouble::of(found.depth.to_bits().into());
    figures.error("depth", (depth + gap).to_f64(), (1.0, DEPTH, reference.size), context);
    let own = length(reference.normal);
    let moved = gap + dot(translation(&found), reference.normal) / own;
    figures.error("left after moving", moved.to_f64(), (1.0, DEPTH, reference.size), context);
    let flipped = penetration_of(&b, &a).map(|found| (-found.direction, found.depth));
    assert_eq!(flipped, Some((found.direction, found.depth)), "{}", context());
}

/// The distance from a half-space.
pub(crate) fn distance_to_plane(
    plane: &HalfSpace,
    shape: &Shape,
    reference: &PlaneReference,
    gap: DoubleDouble,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let (a, b) = (Shape::HalfSpace(*plane), *shape);
    let (size, gap) = (reference.size, gap.to_f64());
    let found = distance_of(&a, &b);
    figures.error("distance", found.to_bits() as f64 - gap.max(0.0), (0.5, DISTANCE, size), context);
    let Some(points) = closest_points(&a, &b) else { return };
    let on_plane = dot(minus(vector(points.on_a), vector(plane.point())), reference.normal);
    let off = (on_plane / length(reference.normal)).to_f64();
    figures.error("points", off, (1.0, BESIDE_PLANE, size), context);
    let off = off_surface(&reference.body, plane.point(), points.on_b);
    figures.error("points", off, (1.0, BESIDE_PLANE, size), context);
    let between = length(minus(vector(points.on_b), vector(points.on_a))).to_f64();
    figures.error("points apart", between - gap, (2.0, DISTANCE, size), context);
}

/// What lengths of a manifold may be off: mantissas have 29 bits of the pair's largest length.
const MANTISSA: f64 = 1.0 / (1 << 25) as f64;
/// By how much the chosen axis may be worse than the best one: a face of b must be better than one of a by a 128th of the
/// smallest half extent, and edges better than both by that, or by a quarter up to one of the margin.
fn bias(smallest: f64, margin: f64) -> f64 {
    smallest / 128.0 + (smallest / 4.0).min(margin / 4.0).max(smallest / 128.0)
}
/// Of points whose depths differ by less than a 4096th of their distance, the deepest may be left out.
const REDUCTION: f64 = 1.0 / 4096.0;
/// Edges are compared by squares of 30 bits of the margin or the depth, whichever is larger; their sines are above 2⁻⁸.
const SQUARE_ROOT: f64 = 1.0 / (1 << 13) as f64;
const LEAST_SINE: f64 = 1.0 / 256.0;

/// A manifold of boxes: points on both, as far apart as they say, along a normal that is as good as any but for the bias.
pub(crate) fn manifold(
    (a, b): (&Obb, &Obb),
    margin: Fx,
    manifold: &Manifold,
    reference: &Reference,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let size = reference.size;
    let facet = reference.manifold_gap().to_f64();
    let margin = margin.to_bits() as f64;
    let smallest = a.half_extents().min(b.half_extents()).min_element().to_bits() as f64;
    let bias = bias(smallest, margin);
    if manifold.is_empty() {
        figures.error("empty though deep", (-facet).max(0.0), (2.0, MANTISSA, size), context);
        // Boxes that are apart have a point if one would meet the other within the margin, moved along the normal: here,
        // along any of those that are as good.
        let allowed = bias + margin.max(facet.abs()) * SQUARE_ROOT;
        let depth = reference.least_depth_within(margin, facet - allowed).to_f64();
        figures.error("empty though near", depth.max(0.0), (2.0, MANTISSA, size), context);
        return;
    }
    figures.error("unit", off_unit(manifold.normal), (8.0, f64::MIN_POSITIVE, size), context);
    let toward = reference.exact.gap_toward(vector(manifold.normal)).expect("a normal").to_f64();
    let allowed = bias + margin.max(facet.abs()) * SQUARE_ROOT;
    let loss = (facet - toward - allowed).max(0.0);
    figures.error("normal", loss, (2.0, MANTISSA / LEAST_SINE, size), context);
    let least = manifold.points().iter().map(|point| point.separation.to_bits()).min().unwrap_or(0) as f64;
    figures.error("deeper than it is", (toward - least).max(0.0), (2.0, MANTISSA, size), context);
    figures.error("beyond the margin", (least - margin).max(0.0), (2.0, MANTISSA, size), context);
    let moved = vector(manifold.normal).map(|part| part * DoubleDouble::real(-least / 4_294_967_296.0));
    let left = -reference.moved(moved).manifold_gap().to_f64() - bias;
    figures.error("left along the normal", left.max(0.0), (2.0, REDUCTION, size), context);
    for point in manifold.points() {
        let mut world = [[DoubleDouble::ZERO; 3]; 2];
        let sides = [(a, &reference.a, point.anchor_a), (b, &reference.b, point.anchor_b)];
        for (world, (obb, body, anchor)) in world.iter_mut().zip(sides) {
            let anchor = raw(anchor);
            let halves = raw(obb.half_extents());
            *world = body.center;
            for axis in 0..3 {
                let part = DoubleDouble::of(anchor[axis]) / DoubleDouble::of(halves[axis]);
                *world = along(*world, body.spans[axis], part);
            }
            let off = body.core_distance(*world).to_f64();
            figures.error("points", off, (2.0, MANTISSA, size), context);
        }
        let apart = dot(minus(world[1], world[0]), vector(manifold.normal)).to_f64() / 4_294_967_296.0;
        let separation = point.separation.to_bits() as f64;
        figures.error("separation", apart - separation, (2.0, MANTISSA, size), context);
    }
}

/// What a contact of rounded shapes may be off by.
const CONTACT: f64 = 1.0 / (1 << 27) as f64;
/// Shapes touch along a stretch where its nearer end is no farther than the closest point by a 256th of a radius.
const STRETCH: f64 = 1.0 / 256.0;

/// Where an anchor is, relative to `base`.
fn world_of(pose: &Pose, anchor: Vec3, base: Vec3) -> Vector<DoubleDouble> {
    minus(vector(pose.transform_point(anchor)), vector(base))
}

/// A manifold with a sphere or a capsule: there if the shapes are within the margin, as deep as they are, and with points
/// on both.
pub(crate) fn rounded_manifold(
    poses: (&Pose, &Pose),
    margin: Fx,
    manifold: &Manifold,
    reference: &Reference,
    gap: f64,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let size = reference.size;
    let margin = margin.to_bits() as f64;
    if manifold.is_empty() {
        figures.error("empty though near", (margin - gap).max(0.0), (2.0, CONTACT, size), context);
        return;
    }
    figures.error("beyond the margin", (gap - margin).max(0.0), (2.0, CONTACT, size), context);
    figures.error("unit", off_unit(manifold.normal), (8.0, f64::MIN_POSITIVE, size), context);
    let toward = reference.exact.gap_toward(vector(manifold.normal)).expect("a normal");
    let loss = gap - (toward - reference.exact.radius).to_f64();
    figures.error("normal", loss, (2.0, DIRECTION, size), context);
    let least = manifold.points().iter().map(|point| point.separation.to_bits()).min().unwrap_or(0) as f64;
    let stretch = reference.exact.radius.to_f64() * STRETCH;
    let off = if least > gap { (least - gap - stretch).max(0.0) } else { gap - least };
    figures.error("depth", off, (2.0, CONTACT, size), context);
    // The base of the first shape is where its pose is.
    let base = poses.0.translation;
    for point in manifold.points() {
        let on_a = world_of(poses.0, point.anchor_a, base);
        let on_b = world_of(poses.1, point.anchor_b, base);
        for (body, at) in [(&reference.a, on_a), (&reference.b, on_b)] {
            let off = (body.core_distance(at) - body.radius).to_f64();
            figures.error("points outside", off.max(0.0), (4.0, CONTACT, size), context);
            // What is deep in a core is deeper than a radius.
            let deep = -(gap + reference.exact.radius.to_f64()).min(0.0);
            let inside = if manifold.points().len() == 1 { (-off - deep - stretch).max(0.0) } else { 0.0 };
            figures.error("points inside", inside, (4.0, CONTACT, size), context);
        }
        let apart = dot(minus(on_b, on_a), vector(manifold.normal)).to_f64() / 4_294_967_296.0;
        let separation = point.separation.to_bits() as f64;
        figures.error("separation", apart - separation, (4.0, CONTACT, size), context);
    }
}

/// A manifold with a half-space: the lowest point is as high as it is, and all are on the shape.
#[allow(clippy::too_many_arguments)]
pub(crate) fn plane_manifold(
    plane: &HalfSpace,
    pose: &Pose,
    margin: Fx,
    manifold: &Manifold,
    reference: &PlaneReference,
    gap: f64,
    figures: &mut Figures,
    context: &impl Fn() -> String,
) {
    let size = reference.size;
    let margin = margin.to_bits() as f64;
    if manifold.is_empty() {
        figures.error("empty though near", (margin - gap).max(0.0), (2.0, CONTACT, size), context);
        return;
    }
    assert_eq!(manifold.normal, plane.normal(), "{}", context());
    let least = manifold.points().iter().map(|point| point.separation.to_bits()).min().unwrap_or(0) as f64;
    figures.error("depth", least - gap, (2.0, CONTACT, size), context);
    for point in manifold.points() {
        let at = world_of(pose, point.anchor_b, plane.point());
        // The lower side of the upper end of a capsule is within it.
        let off = (reference.body.core_distance(at) - reference.body.radius).to_f64().max(0.0);
        figures.error("points outside", off, (4.0, CONTACT, size), context);
        let height = (dot(at, reference.normal) / length(reference.normal)).to_f64();
        let separation = point.separation.to_bits() as f64;
        figures.error("separation", height - separation, (4.0, CONTACT, size), context);
    }
}
