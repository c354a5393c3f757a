//! Sine, cosine and tangent.
//!
//! An argument |x| < 2³¹ becomes x = k π/2 + r with |r| ≤ π/4, r in Q2.126. The product k π/2 is formed from
//! 190 bits of π/2, so r is right to 2⁻¹²⁵ and 10⁹ is as exact an argument as 1: the multiples of π/2 come
//! no nearer to a Q32.32 than about 2⁻⁶⁵. Then, with u = r²,
//!
//! sin r = r − r u (1/6 − u (1/120 − …)),  cos r = 1 − u/2 + u² (1/24 − u (1/720 − …)),
//!
//! in unsigned 64-bit fractions, each product the high word of one multiplication.

use super::tables::{COS, HALF_PI, HALF_PI_TAIL, SIN, TWO_OVER_PI};
use crate::Fx;
use crate::exact::{div_rem_wide, mul_high};

/// x = quadrant · π/2 + r.
#[derive(Clone, Copy)]
pub(crate) struct Reduced {
    /// k modulo 4.
    pub(crate) quadrant: u32,
    /// Whether r < 0.
    pub(crate) negative: bool,
    /// |r| ≤ π/4 + 2⁻³¹, Q2.126.
    pub(crate) magnitude: u128,
}

/// Reduces the magnitude of an argument, given as raw bits of at most 2^63.
#[inline(always)]
pub(crate) const fn reduce(x: u64) -> Reduced {
    // k to nearest from the product Q32; off at the boundary by 2⁻³¹ of a quadrant at most.
    let k = (mul_high(x, TWO_OVER_PI) + (1 << 31)) >> 32;
    // All modulo 4, in Q2.126: the difference is small, so what wraps cancels.
    let multiple = HALF_PI.wrapping_mul(k as u128).wrapping_add((HALF_PI_TAIL as u128 * k as u128) >> 64);
    let r = ((x as u128) << 94).wrapping_sub(multiple) as i128;
    Reduced { quadrant: k as u32 & 3, negative: r < 0, magnitude: r.unsigned_abs() }
}

/// v₀ − u (v₁ − u (v₂ − …)) for fractions in Q0.64.
macro_rules! alternating {
    ($u:expr, $coefficients:expr) => {{
        let mut value = $coefficients[$coefficients.len() - 1];
        let mut i = $coefficients.len() - 1;
        while i > 0 {
            i -= 1;
            value = $coefficients[i] - mul_high($u, value);
        }
        value
    }};
}

/// cos √u for u ≤ (π/4)² in Q0.64, as Q1.63 within 2⁻⁶⁰.
#[inline(always)]
const fn cos_of_square(u: u64) -> u64 {
    (1 << 63) - (u >> 2) + (mul_high(mul_high(u, u), alternating!(u, COS)) >> 1)
}

/// (sin |x|, cos |x|) as magnitudes in Q0.64 and Q1.63 before the quadrant is applied.
#[inline(always)]
const fn sin_cos_kernel(magnitude: u128) -> (u64, u64) {
    let r = (magnitude >> 62) as u64;
    let u = mul_high(r, r);
    (r - mul_high(mul_high(r, u), alternating!(u, SIN)), cos_of_square(u))
}

/// `value · 2^-shift` to nearest for a fraction; exact halves do not occur but at 0.
#[inline(always)]
const fn round_off(value: u64, shift: u32) -> i64 {
    ((value >> shift) + ((value >> (shift - 1)) & 1)) as i64
}

#[inline(always)]
const fn with_sign(magnitude: i64, negative: bool) -> i64 {
    let mask = -(negative as i64);
    (magnitude ^ mask) - mask
}

impl Fx {
    /// (sin self, cos self), self in radians; within 0.5 ulp + 2⁻²⁷ ulp on the whole range.
    ///
    /// sin(−x) = −sin x and cos(−x) = cos x to the bit.
    ///
    /// ```
    /// use isostep_math::{Fx, fx};
    /// let (sin, cos) = Fx::FRAC_PI_6.sin_cos();
    /// assert_eq!((sin.to_string(), cos.to_string()), ("0.5".into(), "0.8660254038".into()));
    /// assert_eq!(fx!(1000000000).sin().to_string(), "0.5458434494");
    /// ```
    #[inline]
    #[must_use]
    pub const fn sin_cos(self) -> (Self, Self) {
        let reduced = reduce(self.0.unsigned_abs());
        let (s, c) = sin_cos_kernel(reduced.magnitude);
        let s = with_sign(round_off(s, 32), reduced.negative);
        let c = round_off(c, 31);
        // Quadrant k: (s, c), (c, −s), (−s, −c), (−c, s).
        let (sin, cos) = if reduced.quadrant & 1 == 0 { (s, c) } else { (c, -s) };
        let flip = reduced.quadrant & 2 != 0;
        (Self(with_sign(sin, flip != (self.0 < 0))), Self(with_sign(cos, flip)))
    }

    /// sin self, self in radians; as [`sin_cos`](Self::sin_cos).
    #[inline]
    #[must_use]
    pub const fn sin(self) -> Self {
        self.sin_cos().0
    }

    /// cos self, self in radians; as [`sin_cos`](Self::sin_cos).
    #[inline]
    #[must_use]
    pub const fn cos(self) -> Self {
        self.sin_cos().1
    }

    /// tan self, self in radians, saturating; odd to the bit.
    ///
    /// Within 0.5 ulp + 2⁻¹⁷ ulp where |tan| ≤ 2¹⁰, with a relative error below 2⁻⁵⁹ beyond. No argument is
    /// a pole: the multiples of π/2 are irrational.
    #[must_use]
    pub const fn tan(self) -> Self {
        let reduced = reduce(self.0.unsigned_abs());
        if reduced.magnitude == 0 {
            return Self::ZERO;
        }
        // r = m 2^(−62 − shift) with a normalised 64-bit m, so that tiny r keep their relative precision.
        let shift = reduced.magnitude.leading_zeros();
        let m = ((reduced.magnitude << shift) >> 64) as u64;
        let r = (reduced.magnitude >> 62) as u64;
        let u = mul_high(r, r);
        // sin r = p 2^(−61 − shift), cos r = c 2^−63, both with 62 or 63 bits.
        let p = mul_high(m, (1 << 63) - (mul_high(u, alternating!(u, SIN)) >> 1));
        let c = cos_of_square(u);
        let cotangent = reduced.quadrant & 1 != 0;
        let magnitude = if cotangent {
            // cos / sin = q 2^(shift − 64), in raw bits q 2^(shift − 32).
            let (q, _) = div_rem_wide(c >> 2, c << 62, p);
            if shift < 32 {
                round_off(q, 32 - shift)
            } else if q.leading_zeros() <= shift - 32 {
                i64::MAX
            } else {
                (q << (shift - 32)) as i64
            }
        } else {
            // sin / cos = q 2^(−60 − shift), in raw bits q 2^(−28 − shift).
            let (q, _) = div_rem_wide(p >> 2, p << 62, c);
            if shift > 35 { 0 } else { round_off(q, 28 + shift) }
        };
        Self(with_sign(magnitude, cotangent != (reduced.negative != (self.0 < 0))))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};

    #[test]
    fn special_angles() {
        assert_eq!(Fx::ZERO.sin_cos(), (Fx::ZERO, Fx::ONE));
        assert_eq!(Fx::FRAC_PI_2.sin_cos(), (Fx::ONE, Fx::ZERO));
        assert_eq!(Fx::PI.sin_cos(), (Fx::ZERO, Fx::NEG_ONE));
        assert_eq!((-Fx::FRAC_PI_2).sin_cos(), (Fx::NEG_ONE, Fx::ZERO));
        assert_eq!(Fx::TAU.cos(), Fx::ONE);
        assert_eq!(Fx::FRAC_PI_4.tan(), Fx::ONE);
        assert_eq!(Fx::EPSILON.tan(), Fx::EPSILON);
        assert_eq!(Fx::EPSILON.sin(), Fx::EPSILON);
    }

    #[test]
    fn large_arguments_are_as_exact_as_small_ones() {
        // 245850922 / 78256779 is the last convergent of π below 2^31: sin is 6.1e-9 there.
        assert_eq!(fx!(245850922).sin().to_bits(), 26);
        assert_eq!(Fx::MAX.sin_cos(), (fx!(-0.97131017584831014), fx!(0.23781619434665258)));
        assert_eq!(Fx::MIN.cos(), fx!(0.23781619457280336));
    }

    #[test]
    fn the_tangent_next_to_its_poles() {
        // π/2 rounds down to FRAC_PI_2: it lies 2.6e-1 units short of the pole, beyond the range.
        assert_eq!(Fx::FRAC_PI_2.tan(), Fx::MAX);
        assert_eq!((-Fx::FRAC_PI_2).tan(), Fx::MIN + Fx::EPSILON);
    }
}
