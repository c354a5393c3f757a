//! The methods that [`Vec2`](crate::Vec2) and [`Vec3`](crate::Vec3) share, component by component.

/// Methods for a vector of `$n` components, in glam's order.
macro_rules! vector_methods {
    ($Vector:ident, $n:literal, $($c:ident),+) => {
        impl $Vector {
            /// All components 0.
            pub const ZERO: Self = Self::splat(Fx::ZERO);
            /// All components 1.
            pub const ONE: Self = Self::splat(Fx::ONE);
            /// All components −1.
            pub const NEG_ONE: Self = Self::splat(Fx::NEG_ONE);
            /// All components the least number.
            pub const MIN: Self = Self::splat(Fx::MIN);
            /// All components the greatest number.
            pub const MAX: Self = Self::splat(Fx::MAX);

            /// The vector of these components.
            #[inline(always)]
            #[must_use]
            pub const fn new($($c: Fx),+) -> Self {
                Self { $($c),+ }
            }

            /// All components `v`.
            #[inline]
            #[must_use]
            pub const fn splat(v: Fx) -> Self {
                Self { $($c: v),+ }
            }

            /// The vector with `f` applied to every component.
            #[inline]
            #[must_use]
            pub fn map(self, mut f: impl FnMut(Fx) -> Fx) -> Self {
                Self { $($c: f(self.$c)),+ }
            }

            /// The vector of the components in the array.
            #[inline]
            #[must_use]
            pub const fn from_array(a: [Fx; $n]) -> Self {
                let [$($c),+] = a;
                Self { $($c),+ }
            }

            /// The components as an array.
            #[inline]
            #[must_use]
            pub const fn to_array(self) -> [Fx; $n] {
                [$(self.$c),+]
            }

            /// The raw bits of the components.
            #[inline(always)]
            pub(crate) const fn to_bits(self) -> [i64; $n] {
                [$(self.$c.0),+]
            }

            /// The vector of components with these raw bits.
            #[inline(always)]
            pub(crate) const fn from_bits(bits: [i64; $n]) -> Self {
                let [$($c),+] = bits;
                Self { $($c: Fx($c)),+ }
            }

            /// `self + rhs`, each component exact or at an end of the range. The operator `+`.
            #[inline]
            #[must_use]
            pub const fn saturating_add(self, rhs: Self) -> Self {
                Self { $($c: self.$c.saturating_add(rhs.$c)),+ }
            }

            /// `self − rhs`, each component exact or at an end of the range. The operator `-`.
            #[inline]
            #[must_use]
            pub const fn saturating_sub(self, rhs: Self) -> Self {
                Self { $($c: self.$c.saturating_sub(rhs.$c)),+ }
            }

            /// `−self`, exact; `MAX` for a component `MIN`. The unary operator `-`.
            #[inline]
            #[must_use]
            pub const fn saturating_neg(self) -> Self {
                Self { $($c: self.$c.saturating_neg()),+ }
            }

            /// `self · rhs`, each component to nearest, saturating. The operator `*` with a number.
            #[inline]
            #[must_use]
            pub const fn saturating_scale(self, rhs: Fx) -> Self {
                Self { $($c: self.$c.saturating_mul(rhs)),+ }
            }

            /// The dot product: exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating.
            #[inline]
            #[must_use]
            pub const fn dot(self, rhs: Self) -> Fx {
                Fx(dot(self.to_bits(), rhs.to_bits()))
            }

            /// The lesser of each pair of components.
            #[inline]
            #[must_use]
            pub const fn min(self, rhs: Self) -> Self {
                Self { $($c: self.$c.min(rhs.$c)),+ }
            }

            /// The greater of each pair of components.
            #[inline]
            #[must_use]
            pub const fn max(self, rhs: Self) -> Self {
                Self { $($c: self.$c.max(rhs.$c)),+ }
            }

            /// Each component restricted to `min ..= max`; where `min > max`, `max` wins.
            #[inline]
            #[must_use]
            pub const fn clamp(self, min: Self, max: Self) -> Self {
                self.max(min).min(max)
            }

            /// The least component.
            #[inline]
            #[must_use]
            pub const fn min_element(self) -> Fx {
                let least = Fx::MAX;
                $(let least = self.$c.min(least);)+
                least
            }

            /// The greatest component.
            #[inline]
            #[must_use]
            pub const fn max_element(self) -> Fx {
                let greatest = Fx::MIN;
                $(let greatest = self.$c.max(greatest);)+
                greatest
            }

            /// The sum of the components, exact, saturated once.
            #[inline]
            #[must_use]
            pub const fn element_sum(self) -> Fx {
                Fx(saturate(0 $(+ self.$c.0 as i128)+))
            }

            /// The absolute value of each component; `MAX` for `MIN`.
            #[inline]
            #[must_use]
            pub const fn abs(self) -> Self {
                Self { $($c: self.$c.abs()),+ }
            }

            /// −1, 0 or 1 for each component.
            #[inline]
            #[must_use]
            pub const fn signum(self) -> Self {
                Self { $($c: self.$c.signum()),+ }
            }

            /// The magnitudes of `self` with the signs of `rhs`; a zero counts as positive.
            #[inline]
            #[must_use]
            pub const fn copysign(self, rhs: Self) -> Self {
                Self { $($c: self.$c.copysign(rhs.$c)),+ }
            }

            /// The length to nearest (≤ 0.5 units of 2⁻³²), `MAX` where it is beyond the range.
            ///
            /// The sum of squares is exact, so one raw unit and the ends of the range are no special cases.
            #[inline]
            #[must_use]
            pub const fn length(self) -> Fx {
                Fx(sqrt_round_u128(sum_of_squares(self.to_bits())))
            }

            /// The squared length, exact, then to nearest, saturating: 0 below a length of about 2⁻¹⁶,
            /// `MAX` from about 46341 on.
            #[inline]
            #[must_use]
            pub const fn length_squared(self) -> Fx {
                Fx(narrow_squares(sum_of_squares(self.to_bits())))
            }

            /// 1/length within 0.51 units of 2⁻³² for lengths from 2⁻¹⁸, within 2⁻⁵⁶ of its value below, `MAX`
            /// where it is beyond the range and for zero.
            #[inline]
            #[must_use]
            pub const fn length_recip(self) -> Fx {
                let n = sum_of_squares(self.to_bits());
                if n == 0 {
                    return Fx::MAX;
                }
                let (y, exponent) = rsqrt_u128(n);
                // 2^64/√n; the exponent is 64 for n = 1 and more for the others.
                Fx(saturate(match exponent - 64 {
                    0 => y as i128,
                    shift => round_shift(y as i128, shift),
                }))
            }

            /// The distance between two points to nearest (≤ 0.5 units of 2⁻³²), `MAX` where it is beyond the
            /// range.
            ///
            /// Right also where the difference of the two does not fit the type.
            #[inline]
            #[must_use]
            pub const fn distance(self, rhs: Self) -> Fx {
                match distances(self.to_bits(), rhs.to_bits()) {
                    Some(difference) => Fx(sqrt_round_u128(sum_of_squares(difference))),
                    None => Fx::MAX,
                }
            }

            /// The squared distance, exact, then to nearest, saturating.
            #[inline]
            #[must_use]
            pub const fn distance_squared(self, rhs: Self) -> Fx {
                match distances(self.to_bits(), rhs.to_bits()) {
                    Some(difference) => Fx(narrow_squares(sum_of_squares(difference))),
                    None => Fx::MAX,
                }
            }

            /// The vector of the same direction and length 1; **zero for zero**, where glam has NaN.
            ///
            /// Right on the whole range: every component is within 0.51 units of 2⁻³² of the exact one, for one
            /// raw unit as for the ends, so the length is within 1 unit of 1. Symmetric under negation and
            /// under permutation of the components, to the bit.
            #[inline]
            #[must_use]
            pub const fn normalize(self) -> Self {
                self.normalize_or_zero()
            }

            /// As [`normalize`](Self::normalize), but `None` for zero.
            #[inline]
            #[must_use]
            pub const fn try_normalize(self) -> Option<Self> {
                match unit::<32, $n>(self.to_bits()) {
                    Some(bits) => Some(Self::from_bits(bits)),
                    None => None,
                }
            }

            /// As [`normalize`](Self::normalize), but `fallback` for zero.
            #[inline]
            #[must_use]
            pub const fn normalize_or(self, fallback: Self) -> Self {
                match unit::<32, $n>(self.to_bits()) {
                    Some(bits) => Self::from_bits(bits),
                    None => fallback,
                }
            }

            /// As [`normalize`](Self::normalize): zero for zero.
            #[inline]
            #[must_use]
            pub const fn normalize_or_zero(self) -> Self {
                self.normalize_or(Self::ZERO)
            }

            /// [`normalize`](Self::normalize) and [`length`](Self::length) at once; for zero, the first unit
            /// vector and 0, as in glam.
            #[inline]
            #[must_use]
            pub const fn normalize_and_length(self) -> (Self, Fx) {
                (self.normalize_or(Self::X), self.length())
            }

            /// Whether the squared length is within 2⁻²⁰ of 1, which allows for vectors that come from `f32`.
            #[inline]
            #[must_use]
            pub const fn is_normalized(self) -> bool {
                self.length_squared().abs_diff_eq(Fx::ONE, NORMALIZED_TOLERANCE)
            }

            /// The projection of `self` onto the line of `rhs`, of any length; zero for a zero `rhs`.
            ///
            /// Within 0.51 units of 2⁻³² where `self` is shorter than 2²⁰, within 2⁻⁵⁶ of its length beyond.
            #[inline]
            #[must_use]
            pub const fn project_onto(self, rhs: Self) -> Self {
                match unit::<62, $n>(rhs.to_bits()) {
                    // |self| |unit| < √3 · 2^63 · 2^62 in Q.94.
                    Some(unit) => Self::from_bits(times(dot_q64(self.to_bits(), unit), unit, 124)),
                    None => Self::ZERO,
                }
            }

            /// What remains of `self` without its projection onto the line of `rhs`; `self` for a zero `rhs`.
            ///
            /// Errors as in [`project_onto`](Self::project_onto).
            #[inline]
            #[must_use]
            pub const fn reject_from(self, rhs: Self) -> Self {
                match unit::<62, $n>(rhs.to_bits()) {
                    Some(unit) => self.less(times_wide(dot_q64(self.to_bits(), unit), unit, 124)),
                    None => self,
                }
            }

            /// `rhs (self · rhs)`, exact, then one rounding to nearest, saturating: the projection onto a
            /// `rhs` of length 1.
            #[inline]
            #[must_use]
            pub const fn project_onto_normalized(self, rhs: Self) -> Self {
                Self::from_bits(times(dot_q64(self.to_bits(), rhs.to_bits()), rhs.to_bits(), 64))
            }

            /// What remains of `self` without its projection onto the line of a `rhs` of length 1: exact, then
            /// one rounding to nearest, saturating.
            #[inline]
            #[must_use]
            pub const fn reject_from_normalized(self, rhs: Self) -> Self {
                let n = rhs.to_bits();
                self.less(times_wide(dot_q64(self.to_bits(), n), n, 64))
            }

            /// Each component to the nearest whole number, ties away from zero.
            #[inline]
            #[must_use]
            pub const fn round(self) -> Self {
                Self { $($c: self.$c.round()),+ }
            }

            /// Each component to the greatest whole number not above it.
            #[inline]
            #[must_use]
            pub const fn floor(self) -> Self {
                Self { $($c: self.$c.floor()),+ }
            }

            /// Each component to the least whole number not below it; `MAX` where that is 2³¹.
            #[inline]
            #[must_use]
            pub const fn ceil(self) -> Self {
                Self { $($c: self.$c.ceil()),+ }
            }

            /// Each component to the whole number toward zero.
            #[inline]
            #[must_use]
            pub const fn trunc(self) -> Self {
                Self { $($c: self.$c.trunc()),+ }
            }

            /// `self − self.floor()`, exact.
            #[inline]
            #[must_use]
            pub const fn fract(self) -> Self {
                Self { $($c: self.$c.fract()),+ }
            }

            /// 1/x for each component, to nearest; `MAX` for 0.
            #[inline]
            #[must_use]
            pub const fn recip(self) -> Self {
                Self { $($c: self.$c.recip()),+ }
            }

            /// `self + (rhs − self) s`, each component exact, then one rounding to nearest, saturating.
            ///
            /// `s` is not restricted to [0, 1]; at 0 and 1 the result is `self` and `rhs` to the bit.
            #[inline]
            #[must_use]
            pub const fn lerp(self, rhs: Self, s: Fx) -> Self {
                Self { $($c: self.$c.lerp(rhs.$c, s)),+ }
            }

            /// The point at `max_distance` from `self` on the way to `rhs`, or `rhs` where that is nearer; below
            /// zero, away from it.
            ///
            /// Each component is within 0.51 units of 2⁻³² for distances up to 2²⁰, saturating. Where the
            /// points are the same, `rhs`.
            #[inline]
            #[must_use]
            pub const fn move_towards(self, rhs: Self, max_distance: Fx) -> Self {
                let way = [$(rhs.$c.0 as i128 - self.$c.0 as i128),+];
                let reached = match distances(self.to_bits(), rhs.to_bits()) {
                    Some(way) => sum_of_squares(way) <= square_of_positive(max_distance.0),
                    None => false,
                };
                if reached {
                    return rhs;
                }
                match unit_wide::<62, $n>(way) {
                    Some(unit) => self.saturating_add(Self::from_bits(scaled(unit, max_distance.0, 62))),
                    None => rhs,
                }
            }

            /// The point halfway, exact, then to nearest, ties away from zero.
            #[inline]
            #[must_use]
            pub const fn midpoint(self, rhs: Self) -> Self {
                Self { $($c: self.$c.midpoint(rhs.$c)),+ }
            }

            /// Whether every component differs by `max_abs_diff` at the most.
            #[inline]
            #[must_use]
            pub const fn abs_diff_eq(self, rhs: Self, max_abs_diff: Fx) -> bool {
                $(self.$c.abs_diff_eq(rhs.$c, max_abs_diff))&&+
            }

            /// The vector with its length restricted to `min ..= max`; where `min > max`, `max` wins. Zero
            /// stays zero, and lengths below zero count as zero.
            ///
            /// Unchanged where the length is within the bounds; each component within 0.51 units of 2⁻³² of
            /// the exact one for bounds up to 2²⁰.
            #[inline]
            #[must_use]
            pub const fn clamp_length(self, min: Fx, max: Fx) -> Self {
                let n = sum_of_squares(self.to_bits());
                if n > square_of_positive(max.0) {
                    self.with_length(max)
                } else if n < square_of_positive(min.0) {
                    self.with_length(min.min(max))
                } else {
                    self
                }
            }

            /// As [`clamp_length`](Self::clamp_length) with an upper bound only.
            #[inline]
            #[must_use]
            pub const fn clamp_length_max(self, max: Fx) -> Self {
                if sum_of_squares(self.to_bits()) > square_of_positive(max.0) { self.with_length(max) } else { self }
            }

            /// As [`clamp_length`](Self::clamp_length) with a lower bound only.
            #[inline]
            #[must_use]
            pub const fn clamp_length_min(self, min: Fx) -> Self {
                if sum_of_squares(self.to_bits()) < square_of_positive(min.0) { self.with_length(min) } else { self }
            }

            /// The vector of this direction and a length of `length`, or of zero where that is negative.
            #[inline(always)]
            const fn with_length(self, length: Fx) -> Self {
                match unit::<62, $n>(self.to_bits()) {
                    Some(unit) => Self::from_bits(scaled(unit, length.max(Fx::ZERO).0, 62)),
                    None => Self::ZERO,
                }
            }

            /// `self · a + b` for each component, exact, then one rounding to nearest, saturating.
            #[inline]
            #[must_use]
            pub const fn mul_add(self, a: Self, b: Self) -> Self {
                Self { $($c: self.$c.mul_add(a.$c, b.$c)),+ }
            }

            /// `self − 2 (self · normal) normal`: mirrored at the plane through the origin with that normal.
            ///
            /// The second term is exact, then rounded once to nearest, ties away from zero; saturating. `normal` has length 1;
            /// another length scales that term by its square.
            #[inline]
            #[must_use]
            pub const fn reflect(self, normal: Self) -> Self {
                let n = normal.to_bits();
                self.less(times_wide(dot_q64(self.to_bits(), n), n, 63))
            }

            /// `self` − `wide` in raw bits, saturating once.
            #[inline]
            const fn less(self, wide: [i128; $n]) -> Self {
                let mut bits = self.to_bits();
                let mut i = 0;
                while i < $n {
                    // A term of ±2^127 is beyond all that this can be, and saturates either way.
                    bits[i] = saturate((bits[i] as i128).saturating_sub(wide[i]));
                    i += 1;
                }
                Self::from_bits(bits)
            }
        }
    };
}
pub(crate) use vector_methods;
