//! A ray against a box, where words of 30 bits tell enough: most boxes are missed, or hit on one certain face.
//!
//! Along each axis of the box, the ray is between two planes during an interval of time (`sweep` has the formulas), and
//! these intervals are compared. Here all of it is rounded to 2⁻³⁰ of the pair, by 64-bit arithmetic, and [`ERROR`] bounds
//! what that does; what is closer than this is [`Verdict::Unsure`], and `sweep` decides. A face that is certain gives its
//! time and normal by the words and roundings of `sweep`, so the answer is the same to the bit.
//!
//! # Errors
//! In units of 2³⁰ local words, of which a pair has less than 2³⁰: offset and travel are cut to whole units, which an axis of
//! length 1 makes √3 of. The rotation comes from components of 31 bits: sums of their products are off by 2, cutting them by
//! 1, and a quaternion off unit length by 8 units of 2⁻³² makes 2 more of 2⁻³⁰; over the components of an offset that is 15.
//! Exact spans are an axis times a half extent to nearest; where the half extent is at least a unit, that is another 2,
//! cutting it is 1. All together is below 20, which [`ERROR`] has three times.

use super::Method;
use crate::distance::arithmetic::{clamped_ratio, direction};
use crate::distance::pair::Span;
use crate::exact::{bits, dot, length_squared};
use crate::ray::Ray;
use crate::shape::Obb;
use isostep_math::{Fx, Quat, Vec3};

/// Fraction bits of axes.
const AXIS_BITS: u32 = 30;
/// What products with axes, and their sums with extents, may be off by.
const ERROR: i64 = 64 << AXIS_BITS;
/// Coordinates that differ by less than 2²⁵ m: all local words are then halves shifted up.
const NEAR: u64 = 1 << 57;
/// From local words to units.
const UNIT_SHIFT: u32 = 30;

/// What is known of a ray and a box.
pub(super) enum Verdict {
    /// It does not touch it, or not within its length.
    Missed,
    /// It enters at a time in Q60, through the face with this outward normal.
    Entered { time: i64, normal: Vec3 },
    /// It takes more bits to tell.
    Unsure,
}

/// A quotient whose parts may be off by [`ERROR`]: the numerator above that, the denominator above twice that, both
/// below 2^62.
#[derive(Clone, Copy)]
struct Time {
    numerator: i64,
    denominator: i64,
}

impl Time {
    /// Whether it is greater than `other`, whatever the errors are.
    #[inline(always)]
    const fn surely_exceeds(self, other: Self) -> bool {
        let least = (self.numerator - ERROR) as i128 * (other.denominator - ERROR) as i128;
        let most = (other.numerator + ERROR) as i128 * (self.denominator + ERROR) as i128;
        least > most
    }
}

/// The columns of the rotation, its axes, each entry within 8 units of 2⁻³⁰.
#[inline(always)]
const fn axes(rotation: Quat) -> [[i64; 3]; 3] {
    let Quat { x, y, z, w } = rotation;
    let (x, y, z, w) = (x.to_bits() >> 1, y.to_bits() >> 1, z.to_bits() >> 1, w.to_bits() >> 1);
    // Magnitudes are at most 2^31, and the sum of two products, of a quaternion of unit length, 2^62.
    const SHIFT: u32 = 2 * 31 - 1 - AXIS_BITS;
    const ONE: i64 = 1 << AXIS_BITS;
    [
        [ONE - ((y * y + z * z) >> SHIFT), (x * y + z * w) >> SHIFT, (x * z - y * w) >> SHIFT],
        [(x * y - z * w) >> SHIFT, ONE - ((x * x + z * z) >> SHIFT), (y * z + x * w) >> SHIFT],
        [(x * z + y * w) >> SHIFT, (y * z - x * w) >> SHIFT, ONE - ((x * x + y * y) >> SHIFT)],
    ]
}

#[inline(always)]
const fn short_dot(a: [i64; 3], b: [i64; 3]) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) const fn largest(v: [i64; 3]) -> u64 {
    let (x, y, z) = (v[0].unsigned_abs(), v[1].unsigned_abs(), v[2].unsigned_abs());
    let xy = if x > y { x } else { y };
    if xy > z { xy } else { z }
}

/// Where the ray enters the box.
pub(super) fn enter(ray: &Ray, obb: &Obb) -> Verdict {
    let (from, to, travel) = (bits(ray.origin()), bits(obb.center()), bits(ray.displacement()));
    let way = [to[0].checked_sub(from[0]), to[1].checked_sub(from[1]), to[2].checked_sub(from[2])];
    let [Some(x), Some(y), Some(z)] = way else { return Verdict::Unsure };
    let way = [x, y, z];
    let halves = bits(obb.half_extents());
    let reach = halves[0] + halves[1] + halves[2];
    let (distance, length) = (largest(way), largest(travel));
    let longest = distance.max(length);
    if longest >= NEAR || i128::from(longest) > Method::PointToBox.far() * i128::from(reach + 1) {
        return Verdict::Unsure;
    }
    // As `Pair` scales them: below 2^60, so the shift is at least 0.
    let extent = 2 * (distance + length + reach as u64) + 1;
    let shift = extent.leading_zeros() - 4 + 1;
    let words = |v: [i64; 3]| [v[0] << shift, v[1] << shift, v[2] << shift];
    let units = |v: [i64; 3]| [v[0] >> UNIT_SHIFT, v[1] >> UNIT_SHIFT, v[2] >> UNIT_SHIFT];
    let (offset, travel, halves) = (words(way), words(travel), words(halves));
    let (short_offset, short_travel, short_halves) = (units(offset), units(travel), units(halves));
    if short_halves[0] == 0 || short_halves[1] == 0 || short_halves[2] == 0 {
        return Verdict::Unsure;
    }
    match face(short_offset, short_travel, short_halves, axes(obb.rotation()), ray.max_fraction()) {
        Face::Missed => Verdict::Missed,
        Face::Unsure => Verdict::Unsure,
        Face::Across(axis) => {
            let span = Span::of_box(obb.axes_q58()[axis], halves[axis]).fine;
            let along = dot(offset, span);
            let closing = dot(travel, span);
            let closing = if along < 0 { -closing } else { closing };
            let normal = direction(span);
            Verdict::Entered {
                time: clamped_ratio(along.abs() - length_squared(span), closing),
                normal: if along < 0 { normal } else { -normal },
            }
        }
    }
}

/// Which face the ray enters.
enum Face {
    Missed,
    /// One of the two across this axis.
    Across(usize),
    Unsure,
}

/// All in units; the axes have 30 fraction bits.
#[inline(always)]
fn face(offset: [i64; 3], travel: [i64; 3], halves: [i64; 3], axes: [[i64; 3]; 3], end: Fx) -> Face {
    let mut is_sure = true;
    let mut entry: Option<(Time, usize)> = None;
    let mut exits = [None; 3];
    for axis in 0..3 {
        // Below 3 · 2^60, and their sum below 2^62.
        let (along, travel) = (short_dot(offset, axes[axis]), short_dot(travel, axes[axis]));
        let reach = halves[axis] << AXIS_BITS;
        let gap = along.abs() - reach;
        if gap < -(travel.abs() + 2 * ERROR) {
            // Between the planes all the way.
            continue;
        }
        let closing = if along < 0 { -travel } else { travel };
        if gap > ERROR && gap - closing > 2 * ERROR {
            // Beyond a plane all the way.
            return Face::Missed;
        }
        let leaving = Time { numerator: along.abs() + reach, denominator: closing };
        if gap > ERROR && closing > 2 * ERROR {
            let entering = Time { numerator: gap, denominator: closing };
            // A time rounds to a fraction beyond the end from a unit of that later on.
            let last = i128::from(end.to_bits() + 1) * i128::from(closing + ERROR);
            if i128::from(gap - ERROR) << Fx::FRACTION_BITS >= last {
                return Face::Missed;
            }
            is_sure &= gap < closing - 2 * ERROR;
            match entry {
                Some((latest, _)) if !entering.surely_exceeds(latest) => {
                    is_sure &= latest.surely_exceeds(entering);
                }
                _ => entry = Some((entering, axis)),
            }
            exits[axis] = Some(leaving);
        } else if gap < -ERROR && along.abs() > ERROR && travel.abs() > 2 * ERROR {
            let back = Time { numerator: -gap, denominator: -closing };
            exits[axis] = Some(if closing > 0 { leaving } else { back });
        } else {
            is_sure = false;
        }
    }
    let Some((entry, axis)) = entry else { return Face::Unsure };
    for exit in exits.into_iter().flatten() {
        if entry.surely_exceeds(exit) {
            return Face::Missed;
        }
        is_sure &= exit.surely_exceeds(entry);
    }
    if is_sure { Face::Across(axis) } else { Face::Unsure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cast::ray::cast_by_sweep;
    use crate::shape::Shape;
    use isostep_math::random::Rng;
    use isostep_math::{fx, vec3};

    fn any(rng: &mut Rng, bits: u32) -> i64 {
        rng.next_u64() as i64 >> (63 - rng.below(bits))
    }

    fn vector(rng: &mut Rng, bits: u32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| Fx::from_bits(any(rng, bits))))
    }

    /// The answer of the verdict, and of the sweep where there is one to compare.
    fn check(ray: &Ray, obb: &Obb) -> bool {
        let exact = cast_by_sweep(&Shape::Box(*obb), ray);
        match enter(ray, obb) {
            Verdict::Missed => {
                assert!(exact.is_none_or(|hit| hit.0 > ray.max_fraction()), "{ray:?} {obb:?} {exact:?}");
                true
            }
            Verdict::Entered { time, normal } => {
                let fraction = Fx::from_bits(crate::cast::fraction(time));
                assert_eq!(exact, Some((fraction, normal)), "{ray:?} {obb:?}");
                true
            }
            Verdict::Unsure => false,
        }
    }

    #[test]
    fn what_is_sure_is_what_the_sweep_says() {
        let mut rng = Rng::new(5, 1);
        let (mut sure, mut hits) = (0, 0);
        for round in 0..60_000 {
            // Sizes, distances and sweeps of all magnitudes, most of them alike.
            let (size, far) = (8 + rng.below(38), rng.below(12));
            let halves = vector(&mut rng, size).abs().max(Vec3::splat(Fx::EPSILON));
            let halves =
                if round % 3 == 0 { halves } else { halves.max(Vec3::splat(Fx::from_bits(1 << (size / 2)))) };
            let rotation = Quat::from_xyzw(
                Fx::from_bits(any(&mut rng, 32)),
                Fx::from_bits(any(&mut rng, 32)),
                Fx::from_bits(any(&mut rng, 32)),
                Fx::from_bits(any(&mut rng, 32)),
            );
            let rotation = if round % 7 == 0 { Quat::IDENTITY } else { rotation.normalize() };
            let Ok(obb) = Obb::new(vector(&mut rng, 60), halves, rotation) else { continue };
            let origin = obb.center() + vector(&mut rng, (size + far).min(62));
            // To a corner, an edge, a face, or just anywhere near.
            let corner = obb.corners()[rng.below(8) as usize];
            let target = match rng.below(3) {
                0 => corner,
                1 => corner.midpoint(obb.corners()[rng.below(8) as usize]),
                _ => obb.center() + vector(&mut rng, size),
            };
            let scale = Fx::from_bits(any(&mut rng, 34).abs());
            let displacement = match rng.below(4) {
                0 => vector(&mut rng, (size + far).min(62)),
                1 => target - origin,
                _ => (target - origin) * scale,
            };
            let ray = Ray::new(origin, displacement).with_max_fraction(match rng.below(3) {
                0 => Fx::from_bits(any(&mut rng, 33).abs()),
                _ => Fx::ONE,
            });
            sure += u32::from(check(&ray, &obb));
            hits += u32::from(matches!(enter(&ray, &obb), Verdict::Entered { .. }));
        }
        assert!(sure > 20_000 && hits > 2_000, "{sure} {hits}");
    }

    #[test]
    fn a_ray_into_a_pile_is_sure() {
        let mut rng = Rng::new(6, 1);
        let mut sure = 0;
        for _ in 0..10_000 {
            let rotation = Quat::from_xyzw(fx!(0.1), fx!(0.7), Fx::from_bits(any(&mut rng, 31)), fx!(0.5));
            let obb = Obb::new(vector(&mut rng, 35), Vec3::splat(fx!(0.5)), rotation.normalize()).unwrap();
            let origin = vec3(fx!(3), fx!(30), fx!(1));
            let way = obb.center() + vector(&mut rng, 32) - origin;
            sure += u32::from(check(&Ray::new(origin, way * fx!(2)), &obb));
        }
        assert!(sure > 9_990, "{sure}");
    }
}
