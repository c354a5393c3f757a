//! [`Ray`]: a stretch of a straight line, and the exact test of a box that is swept along one.
//!
//! A ray reaches from its origin along a displacement, and fractions of the displacement tell where: 0 is the
//! origin, 1 the far end. So nothing needs a unit direction, a fraction is a [`Fx`] in [0, 1] with 32 bits
//! behind the point, and only differences of coordinates count: a scene moved as a whole gives the same bits.

use crate::exact::bits;
use crate::shape::Aabb;
use isostep_math::exact::product;
use isostep_math::{Fx, Vec3};

/// The points `origin + t · displacement` for fractions t in [0, `max_fraction`].
///
/// ```
/// use isostep_collision::{Aabb, Ray};
/// use isostep_math::{Vec3, fx, vec3};
///
/// let ray = Ray::new(vec3(fx!(-3), fx!(0), fx!(0)), vec3(fx!(8), fx!(0), fx!(0)));
/// let target = Aabb::from_center_half_extents(Vec3::ZERO, Vec3::ONE)?;
/// let entry = ray.enter_aabb(&target).unwrap();
/// assert_eq!((entry, ray.at(entry)), (fx!(0.25), Vec3::NEG_X));
/// assert_eq!(ray.with_max_fraction(fx!(0.2)).enter_aabb(&target), None);
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ray {
    origin: Vec3,
    displacement: Vec3,
    max_fraction: Fx,
}

impl Ray {
    /// The ray from `origin` all along `displacement`, which may be zero: a point.
    #[must_use]
    pub const fn new(origin: Vec3, displacement: Vec3) -> Self {
        Self { origin, displacement, max_fraction: Fx::ONE }
    }

    /// The ray cut off at another fraction of its displacement, which is clamped to [0, 1].
    #[must_use]
    pub const fn with_max_fraction(self, max_fraction: Fx) -> Self {
        Self { max_fraction: max_fraction.clamp(Fx::ZERO, Fx::ONE), ..self }
    }

    /// Where it starts.
    #[inline]
    #[must_use]
    pub const fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The way to its far end, of any length.
    #[inline]
    #[must_use]
    pub const fn displacement(&self) -> Vec3 {
        self.displacement
    }

    /// The fraction of the displacement at which it stops, in [0, 1].
    #[inline]
    #[must_use]
    pub const fn max_fraction(&self) -> Fx {
        self.max_fraction
    }

    /// The point at `fraction`, to nearest per component, saturating. Fractions outside of the ray are allowed.
    #[must_use]
    pub fn at(&self, fraction: Fx) -> Vec3 {
        self.origin + self.displacement * fraction
    }

    /// The least fraction at which the ray touches the box, rounded down; 0 where it starts inside, `None`
    /// where it misses.
    ///
    /// Whether it touches is decided exactly, at any distance: the surface belongs to the box, and grazing an
    /// edge counts. Rounded down, the fraction is never beyond the box, and less than 2⁻³² of the displacement
    /// before it. The empty box is always missed.
    #[must_use]
    pub fn enter_aabb(&self, aabb: &Aabb) -> Option<Fx> {
        Sweep::point(self).enter(bits(aabb.min()), bits(aabb.max()), self.max_fraction)
    }
}

/// A box that moves along a displacement without turning; a ray is the sweep of a box without extent.
#[derive(Clone, Copy)]
pub(crate) struct Sweep {
    pub(crate) min: [i64; 3],
    pub(crate) max: [i64; 3],
    pub(crate) displacement: [i64; 3],
}

impl Sweep {
    pub(crate) const fn point(ray: &Ray) -> Self {
        let origin = bits(ray.origin);
        Self { min: origin, max: origin, displacement: bits(ray.displacement) }
    }

    /// The least fraction up to `max_fraction`, within [0, 1], at which the sweep touches the box from `min` to
    /// `max`, rounded down. The decision is exact; neither box may be empty but in the way of `Aabb::EMPTY`
    /// against a point.
    ///
    /// They touch at the fraction t where, on each axis,
    ///
    /// ```text
    /// low ≤ d t ≤ high   with   low = min − self.max,  high = max − self.min
    /// ```
    ///
    /// so the fractions of an axis are an interval between quotients, and the answer is the greatest lower end
    /// if no upper end lies below. Quotients are compared by cross products, not divided: numerators are below
    /// 2^64 and denominators at most 2^63 in magnitude, so a product is at most 2^127 − 2^63.
    pub(crate) fn enter(&self, min: [i64; 3], max: [i64; 3], max_fraction: Fx) -> Option<Fx> {
        self.enter_near(min, max, max_fraction).unwrap_or_else(|| self.enter_any(min, max, max_fraction))
    }

    /// As [`enter`](Self::enter), where all differences fit a word; `None` where they do not.
    #[inline]
    fn enter_near(&self, min: [i64; 3], max: [i64; 3], max_fraction: Fx) -> Option<Option<Fx>> {
        // Numerators and denominators, which are above 0.
        let exceeds = |a: (i64, i64), b: (i64, i64)| product(a.0, b.1) > product(b.0, a.1);
        let (mut entry, mut exit) = ((0, 1), (max_fraction.to_bits(), Fx::ONE.to_bits()));
        for axis in 0..3 {
            let d = self.displacement[axis];
            let (low, high) =
                (min[axis].checked_sub(self.max[axis])?, max[axis].checked_sub(self.min[axis])?);
            if d == 0 {
                if low > 0 || high < 0 {
                    return Some(None);
                }
                continue;
            }
            // Towards lower coordinates the axis is mirrored.
            let (near, far) = if d > 0 { (low, high) } else { (high.checked_neg()?, low.checked_neg()?) };
            let d = d.checked_abs()?;
            if exceeds((near, d), entry) {
                entry = (near, d);
            }
            if exceeds(exit, (far, d)) {
                exit = (far, d);
            }
        }
        let quotient = Quotient { numerator: entry.0.into(), denominator: entry.1 };
        Some(if exceeds(entry, exit) { None } else { Some(quotient.floor_fraction()) })
    }

    #[cold]
    fn enter_any(&self, min: [i64; 3], max: [i64; 3], max_fraction: Fx) -> Option<Fx> {
        let mut entry = Quotient { numerator: 0, denominator: 1 };
        let mut exit = Quotient { numerator: max_fraction.to_bits().into(), denominator: Fx::ONE.to_bits() };
        for axis in 0..3 {
            let low = i128::from(min[axis]) - i128::from(self.max[axis]);
            let high = i128::from(max[axis]) - i128::from(self.min[axis]);
            let d = self.displacement[axis];
            if d == 0 {
                if low > 0 || high < 0 {
                    return None;
                }
                continue;
            }
            // Towards lower coordinates the axis is mirrored. The magnitude 2^63 of the end of the range does
            // not fit a positive word: the denominator stays negative, and the numerators follow it.
            let (near, far) = if d > 0 { (low, high) } else { (high, low) };
            let near = Quotient { numerator: near, denominator: d };
            let far = Quotient { numerator: far, denominator: d };
            if near.exceeds(entry) {
                entry = near;
            }
            if exit.exceeds(far) {
                exit = far;
            }
        }
        if entry.exceeds(exit) { None } else { Some(entry.floor_fraction()) }
    }
}

/// A quotient of whole numbers: the numerator below 2^64 in magnitude, the denominator not zero.
#[derive(Clone, Copy)]
struct Quotient {
    numerator: i128,
    denominator: i64,
}

impl Quotient {
    /// Whether it is greater than `other`, exact.
    #[inline]
    fn exceeds(self, other: Self) -> bool {
        let left = self.numerator * i128::from(other.denominator);
        let right = other.numerator * i128::from(self.denominator);
        // Each negative denominator turns the comparison around.
        if (self.denominator < 0) == (other.denominator < 0) { left > right } else { left < right }
    }

    /// As Q32, rounded down, for quotients within [0, 1].
    #[inline]
    fn floor_fraction(self) -> Fx {
        let (n, d) = (self.numerator.unsigned_abs(), u128::from(self.denominator.unsigned_abs()));
        match u64::try_from(n << Fx::FRACTION_BITS) {
            Ok(n) => Fx::from_bits((n / self.denominator.unsigned_abs()) as i64),
            Err(_) => Fx::from_bits(((n << Fx::FRACTION_BITS) / d) as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    fn unit_box_at(center: Vec3) -> Aabb {
        Aabb::from_center_half_extents(center, Vec3::splat(Fx::HALF)).unwrap()
    }

    #[test]
    fn rays_enter_where_they_should_from_every_side() {
        let aabb = unit_box_at(Vec3::ZERO);
        for axis in Vec3::AXES {
            for direction in [axis, -axis] {
                let ray = Ray::new(direction * fx!(-2.5), direction * fx!(4));
                assert_eq!(ray.enter_aabb(&aabb), Some(fx!(0.5)), "{direction}");
                let away = Ray::new(direction * fx!(2.5), direction * fx!(4));
                assert_eq!(away.enter_aabb(&aabb), None, "{direction}");
                assert_eq!(Ray::new(direction * fx!(0.25), direction).enter_aabb(&aabb), Some(fx!(0)));
            }
        }
    }

    #[test]
    fn touching_counts_and_a_unit_beside_does_not() {
        let aabb = unit_box_at(Vec3::ZERO);
        let along = |y: Fx| Ray::new(vec3(fx!(-4), y, fx!(0.5)), vec3(fx!(8), fx!(0), fx!(0)));
        assert_eq!(along(fx!(0.5)).enter_aabb(&aabb), Some(fx!(0.4375)));
        assert_eq!(along(fx!(0.5) + Fx::EPSILON).enter_aabb(&aabb), None);
        // Through the edge x = y = 1/2 on a diagonal that touches nothing else.
        let across = |x: Fx| Ray::new(vec3(x, fx!(1.5), fx!(0)), vec3(fx!(4), fx!(-4), fx!(0)));
        assert_eq!(across(fx!(-0.5)).enter_aabb(&aabb), Some(fx!(0.25)));
        assert_eq!(across(fx!(-0.5) + Fx::EPSILON).enter_aabb(&aabb), None);
    }

    #[test]
    fn the_ends_of_the_range_are_no_different() {
        let corner = Vec3::splat(Fx::MIN);
        let far = Aabb::new(Vec3::splat(Fx::MAX), Vec3::splat(Fx::MAX)).unwrap();
        // Two displacements of the greatest length do not reach from end to end, so the far corner is missed.
        assert_eq!(Ray::new(corner, Vec3::splat(Fx::MAX)).enter_aabb(&far), None);
        let middle = Aabb::new(Vec3::ZERO, Vec3::splat(Fx::MAX)).unwrap();
        assert_eq!(Ray::new(corner, Vec3::splat(Fx::MAX)).enter_aabb(&middle), None);
        let reached = Aabb::new(Vec3::NEG_ONE, Vec3::splat(Fx::MAX)).unwrap();
        assert_eq!(
            Ray::new(corner, Vec3::splat(Fx::MAX)).enter_aabb(&reached),
            Some(Fx::from_bits((1 << 32) - 2))
        );
        let back = Ray::new(Vec3::splat(Fx::MAX), Vec3::splat(Fx::MIN));
        assert_eq!(
            back.enter_aabb(&Aabb::new(Vec3::NEG_ONE, Vec3::ZERO).unwrap()),
            Some(Fx::from_bits(0xFFFF_FFFF))
        );
        assert_eq!(Ray::new(corner, corner).enter_aabb(&Aabb::EMPTY), None);
        assert_eq!(Ray::new(corner, Vec3::ZERO).enter_aabb(&Aabb::ALL), Some(fx!(0)));
    }

    #[test]
    fn fractions_round_down_to_a_place_before_the_box() {
        let aabb = unit_box_at(Vec3::ZERO);
        let ray = Ray::new(vec3(fx!(-1.5), fx!(0), fx!(0)), vec3(fx!(3), fx!(0), fx!(0)));
        let entry = ray.enter_aabb(&aabb).unwrap();
        assert_eq!(entry, Fx::from_bits(0x5555_5555));
        assert!(
            ray.with_max_fraction(entry).enter_aabb(&aabb).is_none(),
            "the exact entry is a little later"
        );
        assert!(ray.with_max_fraction(entry + Fx::EPSILON).enter_aabb(&aabb).is_some());
    }

    #[test]
    fn a_moved_scene_gives_the_same_fraction() {
        let near = Ray::new(vec3(fx!(-3), fx!(0.1), fx!(0.2)), vec3(fx!(7), fx!(0.3), fx!(-0.1)));
        let offset = vec3(fx!(1073741824), fx!(-1073741824), fx!(99.5));
        let far = Ray::new(near.origin() + offset, near.displacement());
        assert_eq!(near.enter_aabb(&unit_box_at(Vec3::ZERO)), far.enter_aabb(&unit_box_at(offset)));
        assert!(near.enter_aabb(&unit_box_at(Vec3::ZERO)).is_some());
    }

    #[test]
    fn words_say_what_wide_numbers_say() {
        let mut rng = isostep_math::random::Rng::new(3, 9);
        let mut told = 0;
        for _ in 0..20_000 {
            let bits = 4 + rng.below(59);
            let mut corner = || [(); 3].map(|()| rng.next_u64() as i64 >> (63 - bits));
            let (a, b, min, displacement) = (corner(), corner(), corner(), corner());
            let max = [0, 1, 2].map(|axis| min[axis].max(b[axis]));
            let sweep = Sweep { min: a, max: [0, 1, 2].map(|axis| a[axis].max(b[axis])), displacement };
            let end = Fx::from_bits((rng.next_u64() >> 31) as i64 & 0x1_FFFF_FFFF).min(Fx::ONE);
            if let Some(answer) = sweep.enter_near(min, max, end) {
                assert_eq!(answer, sweep.enter_any(min, max, end), "{a:?} {min:?} {displacement:?}");
                told += u32::from(answer.is_some());
            }
        }
        assert!(told > 1_000, "{told}");
    }
}
