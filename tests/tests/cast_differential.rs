//! Casts and rays against a reference of its own: the signed gap of two shapes from its definition, in double-doubles
//! with a proof for every pair, which is a convex function of time. The first time at which it is nothing is found by
//! sections of that function alone.
//!
//! Every sweep goes through a place where the shapes are within a few units of 2⁻³² of touching, more often than not:
//! at its start, its end or between, head on, at any slant, or along faces and edges so that it just grazes. Shapes
//! are from 1 mm to 10 km, sweeps up to 2¹⁶ times as long, positions up to ±2³⁰ m.
//!
//! 20,000 sweeps of every combination, fewer in debug builds and under emulation; `ISOSTEP_PAIRS` says how many. With
//! `--nocapture`, the greatest errors are printed.
#![allow(clippy::float_arithmetic, clippy::float_cmp)]

#[path = "collision_differential/number.rs"]
mod number;
#[allow(dead_code, reason = "shared with another test")]
#[path = "collision_differential/pairs.rs"]
mod pairs;
#[allow(dead_code, reason = "shared with another test")]
#[path = "collision_differential/reference.rs"]
mod reference;

use isostep_collision::{CastHit, Ray, Shape, Sphere, cast_ray, cast_shape};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3};
use number::{DoubleDouble, Number, Vector, along, dot, length};
use pairs::{Kind, moved, pair};
use reference::{PlaneReference, Reference, raw};

fn count() -> u32 {
    let chosen = std::env::var("ISOSTEP_PAIRS").ok().and_then(|count| count.parse().ok());
    let usual = match (cfg!(target_arch = "x86_64"), cfg!(debug_assertions)) {
        (true, false) => 20_000,
        (true, true) => 2_000,
        (false, _) => 200,
    };
    chosen.unwrap_or(usual)
}

/// The gap over time, in units of 2⁻³².
trait Motion {
    fn gap(&self, time: f64) -> f64;
    /// The gap of the planes across the unit normal, which points from the target to what moves.
    fn plane_gap(&self, time: f64, normal: Vec3) -> f64;
    /// What shapes may be apart or inside each other and count as touching.
    fn tolerance(&self) -> f64;
    /// How far both shapes reach.
    fn extent(&self) -> f64;
}

/// A sweep of two shapes with cores.
struct Between {
    reference: Reference,
    way: Vector<DoubleDouble>,
    /// Of the radii, what the reference has too much: a ray is a ball of one unit to it.
    surplus: f64,
    size: f64,
}

impl Between {
    fn new(moving: &Shape, way: Vec3, target: &Shape, surplus: f64) -> Self {
        let reference = Reference::new(moving, target);
        let way = raw(way).map(DoubleDouble::of);
        let extents = reference.a.reach() + reference.b.reach();
        let far = reference.size - extents + length(way).to_f64();
        Self { size: extents + far.min(2048.0 * extents), reference, way, surplus }
    }

    /// The shapes at a time: the target comes the other way.
    fn at(&self, time: f64) -> Reference {
        self.reference.moved(self.way.map(|part| -(part * DoubleDouble::real(time))))
    }
}

impl Motion for Between {
    fn gap(&self, time: f64) -> f64 {
        self.at(time).gap().value.to_f64() + self.surplus
    }

    fn plane_gap(&self, time: f64, normal: Vec3) -> f64 {
        let toward = raw(normal).map(|part| -DoubleDouble::of(part));
        let there = self.at(time);
        let cores = there.exact.gap_toward(toward).expect("a unit normal");
        (cores - there.exact.radius).to_f64() + self.surplus
    }

    fn tolerance(&self) -> f64 {
        2.5 + self.size * (-39_f64).exp2()
    }

    fn extent(&self) -> f64 {
        self.reference.a.reach() + self.reference.b.reach()
    }
}

/// A sweep of a shape towards a half-space: the gap changes evenly.
struct TowardPlane {
    start: f64,
    /// By how much it grows until the end.
    change: f64,
    tolerance: f64,
    normal: Vec3,
}

impl Motion for TowardPlane {
    fn gap(&self, time: f64) -> f64 {
        self.start + self.change * time
    }

    fn plane_gap(&self, time: f64, normal: Vec3) -> f64 {
        let off = (normal - self.normal).length();
        assert!(off <= Fx::from_bits(8), "{normal} is not {}", self.normal);
        self.gap(time)
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn extent(&self) -> f64 {
        0.0
    }
}

/// The least gap between two times and where it is: by golden sections of a convex function.
fn least(motion: &impl Motion, low: f64, high: f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (low, high);
    let mut best = (motion.gap(low), low);
    let at_high = (motion.gap(high), high);
    if at_high < best {
        best = at_high;
    }
    let (mut a, mut b) = (high - (high - low) * GOLDEN, low + (high - low) * GOLDEN);
    let (mut at_a, mut at_b) = (motion.gap(a), motion.gap(b));
    for _ in 0..44 {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - (high - low) * GOLDEN;
            at_a = motion.gap(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + (high - low) * GOLDEN;
            at_b = motion.gap(b);
        }
    }
    for found in [(at_a, a), (at_b, b)] {
        if found < best {
            best = found;
        }
    }
    best
}

/// The first time at which the gap is no more than `limit`: before the time of the least gap it falls throughout.
fn first_time(motion: &impl Motion, limit: f64, deepest: f64) -> f64 {
    let (mut low, mut high) = (0.0, deepest);
    for _ in 0..44 {
        let middle = 0.5 * (low + high);
        if motion.gap(middle) <= limit {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[derive(Default)]
struct Figures {
    hits: u32,
    inside: u32,
    misses: u32,
    grazing: u32,
    /// Where they close in by a tenth of the sweep at the least, and go on to overlap.
    timed: u32,
    /// In parts of what is allowed.
    late: f64,
    early: f64,
    deep: f64,
    plane: f64,
}

impl Figures {
    fn check(&mut self, motion: &impl Motion, way: f64, hit: Option<CastHit>, context: &dyn Fn() -> String) {
        let none = motion.tolerance();
        let start = motion.gap(0.0);
        let Some(hit) = hit else {
            self.misses += 1;
            let (deepest, _) = least(motion, 0.0, 1.0);
            let parts = start < none && motion.gap((-10_f64).exp2()) >= start - none;
            assert!(deepest > -none || (parts && start > -none), "missed, deep by {deepest}: {}", context());
            return;
        };
        let time = hit.fraction.to_bits() as f64 / 4_294_967_296.0;
        assert!((0.0..=1.0).contains(&time), "{}", context());
        if hit.is_inside() {
            self.inside += 1;
            assert!(start < none && time == 0.0, "not inside, apart by {start}: {}", context());
            return;
        }
        self.hits += 1;
        assert!(start > -none, "inside, deep by {start}: {}", context());
        assert!((hit.normal.length() - Fx::ONE).abs() <= Fx::from_bits(4), "{}", context());

        // No deeper than nothing, no farther than what the rounding of the fraction leaves.
        let there = motion.gap(time);
        assert!(there > -none, "deep by {there}: {}", context());
        assert!(there < none + way * (-32_f64).exp2(), "early, apart by {there}: {}", context());
        self.deep = self.deep.max(-there / none);

        // Not on the way out: the gap fell until then, and was nothing nowhere before.
        let shortly = (time - (-24_f64).exp2()).max(0.0);
        let was_falling = motion.gap(shortly) > there + none;
        if was_falling {
            self.check_time(motion, way, time, there, context);
        } else if time > 0.0 {
            self.grazing += 1;
            let (before, _) = least(motion, 0.0, time);
            assert!(before > -none, "passed through, deep by {before}: {}", context());
        }

        let plane = motion.plane_gap(time, hit.normal);
        // The normal is within 2⁻²⁸, and turns about the point of touch.
        let turned = none + 2.0 * motion.extent() * (-28_f64).exp2();
        self.plane = self.plane.max(-plane / turned);
        assert!(plane > -turned, "plane deep by {plane}: {}", context());
    }

    /// Where the shapes close in by a tenth of the sweep at the least, and go on to overlap: the time itself.
    fn check_time(
        &mut self,
        motion: &impl Motion,
        way: f64,
        time: f64,
        there: f64,
        context: &dyn Fn() -> String,
    ) {
        let none = motion.tolerance();
        let soon = (time + 20.0 * (there.max(0.0) + none) / way).min(1.0);
        let after = motion.gap(soon);
        // The gap falls less and less.
        let slope = (there - after) / (soon - time);
        if soon > time && slope > way / 10.0 && after <= 0.0 {
            let off = (time - first_time(motion, 0.0, soon)) * 4_294_967_296.0;
            let allowed = none / slope * 4_294_967_296.0;
            self.timed += 1;
            self.late = self.late.max(off / (allowed + 0.01));
            self.early = self.early.max(-off / (allowed + 1.0));
            assert!(off < allowed + 0.01 && off > -allowed - 1.01, "{off} units off: {}", context());
            // Within 2⁻¹⁶ of the sweep, unless that is short beside the shapes.
            assert!(off.abs() < 65536.0 || allowed > 65536.0, "{off} units off: {}", context());
        }
    }

    fn conclude(&self, name: &str) {
        let Self { hits, inside, misses, grazing, timed, late, early, deep, plane } = self;
        println!(
            "{name}: {hits} hits ({grazing} grazing, {timed} timed), {inside} inside, {misses} misses; {late:.3} late, {early:.3} early, \
             {deep:.3} deep, plane {plane:.3}"
        );
        let least = count() / 50;
        assert!(*hits > 10 * least && *inside > least && *misses > least, "{name}");
    }
}

/// A direction along a face or an edge of one of the shapes, or across the line between them.
fn grazing(rng: &mut Rng, a: &Shape, b: &Shape) -> Vec3 {
    let of = if rng.bool() { a } else { b };
    match of {
        Shape::Box(obb) => {
            let [x, y, _] = {
                let mut axes = obb.axes();
                rng.shuffle(&mut axes);
                axes
            };
            if rng.bool() { x } else { (x * rng.fx_range(Fx::NEG_ONE, Fx::ONE) + y).normalize() }
        }
        Shape::Capsule(capsule) if rng.bool() => (capsule.b() - capsule.a()).normalize_or(Vec3::X),
        _ => {
            let between = reference::base_of(b) - reference::base_of(a);
            between.cross(rng.unit_vec3()).normalize_or(Vec3::Y)
        }
    }
}

/// A sweep of `moving` through where it is.
fn sweep(rng: &mut Rng, moving: &Shape, target: &Shape, size: f64) -> (Shape, Vec3) {
    let direction = match rng.below(4) {
        0 => {
            let toward = reference::base_of(target) - reference::base_of(moving);
            toward.normalize_or(Vec3::X)
        }
        1 => rng.unit_vec3(),
        _ => grazing(rng, moving, target),
    };
    // From a sixteenth of the size to 2¹⁶ times that; up to 2²⁸ m.
    let octaves = if rng.below(4) == 0 { 21 } else { 6 };
    let octave = rng.below(octaves);
    let reach = (size / 16.0 * f64::from(octave).exp2()).min((60_f64).exp2()) as i64 + 2;
    let reach = Fx::from_bits(rng.range_i64(reach / 2, reach));
    let way = direction * reach;
    let back = match rng.below(8) {
        0 | 1 => Fx::ZERO,
        2 => Fx::ONE,
        _ => rng.fx_unit(),
    };
    (moved(moving, -(way * back)), way)
}

/// A sweep that failed, in raw bits.
fn name(moving: &Shape, way: Vec3, target: &Shape, hit: Option<CastHit>) -> String {
    let bits = |v: Vec3| format!("{:?}", v.to_array().map(Fx::to_bits));
    let shape = |shape: &Shape| match shape {
        Shape::Sphere(s) => format!("sphere {} radius {}", bits(s.center()), s.radius().to_bits()),
        Shape::Capsule(c) => {
            format!("capsule {} {} radius {}", bits(c.a()), bits(c.b()), c.radius().to_bits())
        }
        Shape::Box(b) => {
            let rotation = b.rotation().to_array().map(Fx::to_bits);
            format!("box {} halves {} rotation {rotation:?}", bits(b.center()), bits(b.half_extents()))
        }
        Shape::HalfSpace(h) => format!("half-space {} normal {}", bits(h.point()), bits(h.normal())),
        _ => unreachable!("no other shapes"),
    };
    format!("{}\nby {}\nto {}\n{hit:?}", shape(moving), bits(way), shape(target))
}

fn compare(kinds: (Kind, Kind)) {
    let mut figures = Figures::default();
    let mut rng = Rng::new(0xca57, kinds.0 as u64 * 4 + kinds.1 as u64);
    for index in 0..count() {
        let (a, b) = pair(&mut rng, kinds);
        let (moving, target) = if index % 2 == 0 { (a, b) } else { (b, a) };
        let size = Reference::new(&moving, &target).size;
        let (moving, way) = sweep(&mut rng, &moving, &target, size);
        let hit = cast_shape(&moving, way, &target);
        let motion = Between::new(&moving, way, &target, 0.0);
        let length = length(motion.way).to_f64();
        let context = || format!("sweep {index}\n{}", name(&moving, way, &target, hit));
        figures.check(&motion, length, hit, &context);
        if let Some(hit) = hit.filter(|hit| !hit.is_inside()) {
            let base = reference::base_of(&moving);
            let point = raw(hit.point - base).map(DoubleDouble::of);
            let off = (motion.reference.b.core_distance(point) - motion.reference.b.radius).to_f64();
            assert!(off.abs() <= motion.tolerance(), "point off by {off}: {}", context());
        }
    }
    figures.conclude(&format!("{:?} {:?}", kinds.0, kinds.1));
}

fn compare_rays(kind: Kind) {
    let mut figures = Figures::default();
    let mut rng = Rng::new(0xca58, kind as u64);
    for index in 0..count() {
        let (ball, target) = pair(&mut rng, (Kind::Sphere, kind));
        // About touching, as a point: the ball that touches gave its radius away.
        let Shape::Sphere(sphere) = ball else { unreachable!("asked for") };
        let aside = if rng.bool() { sphere.radius() } else { Fx::ZERO };
        let toward = (reference::base_of(&target) - sphere.center()).normalize_or(Vec3::X);
        let speck = Shape::from(Sphere::new(sphere.center() + toward * aside, Fx::EPSILON).unwrap());
        let size = Reference::new(&speck, &target).size;
        let (speck, way) = sweep(&mut rng, &speck, &target, size);
        let ray = Ray::new(reference::base_of(&speck), way);
        let hit = cast_ray(&target, &ray).map(|hit| {
            assert_eq!(hit.point, ray.at(hit.fraction));
            CastHit { fraction: hit.fraction, point: hit.point, normal: hit.normal }
        });
        let motion = Between::new(&speck, way, &target, 1.0);
        let length = length(motion.way).to_f64();
        figures.check(&motion, length, hit, &|| format!("ray {index}\n{}", name(&speck, way, &target, hit)));
    }
    figures.conclude(&format!("rays at {kind:?}"));
}

fn compare_with_planes(kind: Kind) {
    let mut figures = Figures::default();
    let mut rng = Rng::new(0xca59, kind as u64);
    for index in 0..count() {
        let (plane, shape) = pair(&mut rng, (Kind::HalfSpace, kind));
        let Shape::HalfSpace(half_space) = plane else { unreachable!("asked for") };
        let size = PlaneReference::new(&half_space, &shape).size;
        let (shape, way) = sweep(&mut rng, &shape, &plane, size);
        let reference = PlaneReference::new(&half_space, &shape);
        let travel = raw(way).map(DoubleDouble::of);
        let change = dot(travel, reference.normal) / length(reference.normal);
        let mut motion = TowardPlane {
            start: reference.gap().to_f64(),
            change: change.to_f64(),
            tolerance: 2.5 + (reference.size + length(travel).to_f64()) * (-44_f64).exp2(),
            normal: half_space.normal(),
        };
        let far = length(travel).to_f64();
        let hit = cast_shape(&shape, way, &plane);
        figures.check(&motion, far, hit, &|| format!("sweep {index}\n{}", name(&shape, way, &plane, hit)));
        // The half-space moves the other way.
        let hit = cast_shape(&plane, -way, &shape);
        motion.normal = -motion.normal;
        figures.check(&motion, far, hit, &|| format!("sweep {index}\n{}", name(&plane, -way, &shape, hit)));
    }
    figures.conclude(&format!("{kind:?} HalfSpace"));
}

#[test]
fn spheres_at_spheres() {
    compare((Kind::Sphere, Kind::Sphere));
}

#[test]
fn spheres_and_capsules() {
    compare((Kind::Sphere, Kind::Capsule));
}

#[test]
fn spheres_and_boxes() {
    compare((Kind::Sphere, Kind::Box));
}

#[test]
fn capsules_at_capsules() {
    compare((Kind::Capsule, Kind::Capsule));
}

#[test]
fn capsules_and_boxes() {
    compare((Kind::Capsule, Kind::Box));
}

#[test]
fn boxes_at_boxes() {
    compare((Kind::Box, Kind::Box));
}

#[test]
fn rays_at_spheres() {
    compare_rays(Kind::Sphere);
}

#[test]
fn rays_at_capsules() {
    compare_rays(Kind::Capsule);
}

#[test]
fn rays_at_boxes() {
    compare_rays(Kind::Box);
}

#[test]
fn spheres_and_half_spaces() {
    compare_with_planes(Kind::Sphere);
}

#[test]
fn capsules_and_half_spaces() {
    compare_with_planes(Kind::Capsule);
}

#[test]
fn boxes_and_half_spaces() {
    compare_with_planes(Kind::Box);
}

/// A sanity check of the reference itself: `along` and sections find what a formula says.
#[test]
fn the_reference_finds_the_time_of_a_formula() {
    let ball =
        |x: i32| Shape::from(Sphere::new(Vec3::new(Fx::from_int(x), Fx::ZERO, Fx::ZERO), Fx::ONE).unwrap());
    let way = Vec3::new(Fx::from_int(16), Fx::ZERO, Fx::ZERO);
    let motion = Between::new(&ball(-10), way, &ball(0), 0.0);
    let (deepest, time) = least(&motion, 0.0, 1.0);
    assert!((deepest / 4_294_967_296.0 + 2.0).abs() < 1e-9 && (time - 0.625).abs() < 1e-9);
    assert!((first_time(&motion, 0.0, time) - 0.5).abs() < 1e-12);
    let _ = along(motion.way, motion.way, DoubleDouble::ZERO);
}
