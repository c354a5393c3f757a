//! Ways between two rotations, and through time.

use super::angles::{angle_of_half, half_of};
use super::exponential::{exponential, exponential_of_words, half_sin_cos, mul_q62, nearly_exponential};
use super::{Quat, hamilton};
use crate::exact::{mul_high_signed, product};
use crate::vector::unit::{aligned, unit, unit_q94, unit_wide};
use crate::{Fx, Vec3};

/// What leads from one rotation to another the short way, seen from the first.
struct Arc {
    /// Its axis, Q2.62.
    axis: [i64; 3],
    /// Its angle in [0, π].
    angle: Fx,
}

impl Quat {
    /// The rotation between `self` and `end`, by components and normalised: the short way, and fast.
    ///
    /// The path is that of [`slerp`](Self::slerp), the speed along it is not constant. `self` at `s` = 0 and
    /// `end` or its negative, whichever is nearer, at `s` = 1, both to the bit; elsewhere each component is
    /// within 0.51 units of 2⁻³². Components beyond ±1 count as ±1. Where the sum is zero, the identity.
    #[doc(alias = "lerp")]
    #[must_use]
    pub const fn nlerp(self, end: Self, s: Fx) -> Self {
        let end = self.nearer_of(end);
        if let Some(end) = self.at_end(end, s) {
            return end;
        }
        let (a, b) = (self.to_unit_bits(), end.to_unit_bits());
        let mut sum = [0; 4];
        let mut i = 0;
        while i < 4 {
            // |b − a| ≤ 2^33 and |s| ≤ 2^63, Q.64.
            sum[i] = ((a[i] as i128) << 32) + product(b[i] - a[i], s.0);
            i += 1;
        }
        Self::normalized(sum)
    }

    /// The rotation at `s` of the way from `self` to `end`: the short way, at constant speed.
    ///
    /// `self` at `s` = 0 and `end` or its negative, whichever is nearer, at `s` = 1, both to the bit; elsewhere
    /// each component is within 1.01 units of 2⁻³². `s` is not restricted to [0, 1]. Equal rotations give
    /// `self`, opposite ones a way about an axis that is fixed by their bits. Components beyond ±1 count as
    /// ±1.
    ///
    /// As exp(s log(end self⁻¹)), never divided by a sine, so no case of small angles is needed.
    #[must_use]
    pub const fn slerp(self, end: Self, s: Fx) -> Self {
        let end = self.nearer_of(end);
        if let Some(end) = self.at_end(end, s) {
            return end;
        }
        match self.arc_to(end) {
            Some(arc) => self.along(&arc, product(arc.angle.0, s.0)),
            None => self,
        }
    }

    /// The rotation that is `max_angle` radians from `self` on the short way to `rhs`, or `rhs` where that is
    /// nearer. Below zero, away from `rhs`, up to the opposite of it.
    ///
    /// Each component within 0.51 units of 2⁻³²; equal rotations give `rhs`.
    #[must_use]
    pub const fn rotate_towards(self, rhs: Self, max_angle: Fx) -> Self {
        let Some(arc) = self.arc_to(rhs) else { return rhs };
        if max_angle.0 >= arc.angle.0 {
            return rhs;
        }
        // From angle − π on it is the opposite; both angles are in [0, π], so that fits.
        let angle = max_angle.max(Fx(arc.angle.0 - Fx::PI.0));
        self.along(&arc, (angle.0 as i128) << 32)
    }

    /// The rotation after `dt` seconds at the constant `angular_velocity`, in radians per second in world
    /// axes: exp(ω dt / 2) · self, normalised.
    ///
    /// ω dt is kept exact, the exponential and the product to 58 bits, and each component is rounded once: a step
    /// is within 0.51 units of 2⁻³² of the exact turn of `self`, and the length stays within 1.02 units of 1,
    /// however many steps there were. Only those roundings accumulate: after 10⁷ steps about a fixed axis the
    /// angle is off by some thousand units, below 10⁻⁶ radians. Angles beyond 2³² count as that; the identity
    /// replaces a zero `self`.
    ///
    /// ```
    /// use isostep_math::{Fx, Quat, Vec3, fx};
    /// // One turn per second about Z, sixty steps.
    /// let mut q = Quat::IDENTITY;
    /// for _ in 0..60 {
    ///     q = q.integrate(Vec3::Z * Fx::TAU, Fx::from_ratio(1, 60));
    /// }
    /// assert!(q.angle_between(Quat::IDENTITY) < fx!(0.00000003));
    /// ```
    #[inline]
    #[must_use]
    pub const fn integrate(self, angular_velocity: Vec3, dt: Fx) -> Self {
        let [x, y, z] = angular_velocity.to_bits();
        let is_whole = dt.0 == Fx::ONE.0;
        // In Q.64, of which half angles in Q.62 are an eighth.
        let p = if is_whole {
            [(x as i128) << 32, (y as i128) << 32, (z as i128) << 32]
        } else {
            [product(x, dt.0), product(y, dt.0), product(z, dt.0)]
        };
        if let Some(turned) = self.nearly_turned([p[0] >> 3, p[1] >> 3, p[2] >> 3]) {
            return turned;
        }
        let turn = if is_whole { exponential_of_words([x, y, z]) } else { exponential(p) };
        // |turn| < 1.01 · 2^62 and |self| ≤ 2^64.
        Self::normalized(hamilton(turn, self.to_bits()))
    }

    /// exp(h) `self` with a length of 1, for small h in Q.62 and a `self` of nearly unit length: to the bit that of
    /// [`normalized`](Self::normalized), or `None`.
    ///
    /// With |self|² = 1 + δ, the product is too long by the factor √(1 + δ), and 1/√(1 + δ) = 1 − δ/2 + 3δ²/8 − …, of which
    /// the third term is below 2⁻⁶¹. Words in Q.60 are off by less than half of `ERROR` then: 4 units for what products lose, 8
    /// for the turn, 2 for the length, and 10 that the long way may be off by. They have 28 bits more than the result, and
    /// whichever of them is not so close to the middle between two numbers is rounded right.
    #[inline(always)]
    const fn nearly_turned(self, h: [i128; 3]) -> Option<Self> {
        const ERROR: i64 = 64;
        const DROP: u32 = 28;
        let q = self.to_bits();
        // Four squares of 2^63 wrap to zero, which is as far from unit length.
        let square = product(q[0], q[0])
            .wrapping_add(product(q[1], q[1]))
            .wrapping_add(product(q[2], q[2]))
            .wrapping_add(product(q[3], q[3]));
        let excess = square.wrapping_sub(1 << 64);
        let half_angle = [h[0] as i64, h[1] as i64, h[2] as i64];
        let is_short =
            half_angle[0] as i128 == h[0] && half_angle[1] as i128 == h[1] && half_angle[2] as i128 == h[2];
        if excess.unsigned_abs() >> 34 != 0 || !is_short {
            return None;
        }
        let Some([ax, ay, az, aw]) = nearly_exponential(half_angle) else { return None };
        let (excess, [bx, by, bz, bw]) =
            ((excess as i64) << 28, [q[0] << 30, q[1] << 30, q[2] << 30, q[3] << 30]);
        let words = [
            mul_high_signed(aw, bx) + mul_high_signed(ax, bw) + mul_high_signed(ay, bz)
                - mul_high_signed(az, by),
            mul_high_signed(aw, by) + mul_high_signed(ay, bw) + mul_high_signed(az, bx)
                - mul_high_signed(ax, bz),
            mul_high_signed(aw, bz) + mul_high_signed(az, bw) + mul_high_signed(ax, by)
                - mul_high_signed(ay, bx),
            mul_high_signed(aw, bw)
                - mul_high_signed(ax, bx)
                - mul_high_signed(ay, by)
                - mul_high_signed(az, bz),
        ];
        let mut turned = [0; 4];
        let mut i = 0;
        while i < 4 {
            let word = words[i] - (mul_high_signed(words[i], excess) >> 29);
            let from_middle = (word - (1 << (DROP - 1)) + ERROR) & ((1 << DROP) - 1);
            if from_middle <= 2 * ERROR {
                return None;
            }
            turned[i] = (word + (1 << (DROP - 1))) >> DROP;
            i += 1;
        }
        Some(Self::from_bits(turned))
    }

    /// `end` or its negative, whichever is on the side of `self`: by the exact sign of the dot product, as in
    /// [`arc_to`](Self::arc_to), or the two could go opposite ways.
    #[inline(always)]
    const fn nearer_of(self, end: Self) -> Self {
        let [.., dot] = self.relative_q64(end);
        if dot < 0 { end.saturating_neg() } else { end }
    }

    #[inline(always)]
    const fn at_end(self, end: Self, s: Fx) -> Option<Self> {
        match s {
            Fx::ZERO => Some(self),
            Fx::ONE => Some(end),
            _ => None,
        }
    }

    /// The short way to `end`, or `None` where the rotations are the same.
    #[inline(always)]
    const fn arc_to(self, end: Self) -> Option<Arc> {
        let words = aligned(self.relative_q64(end));
        let [x, y, z, w] = words;
        let axis = if w < 0 { [-x, -y, -z] } else { [x, y, z] };
        let Some(axis) = unit::<62, 3>(axis) else { return None };
        let (sin, cos) = half_of(words);
        Some(Arc { axis, angle: angle_of_half(sin, cos) })
    }

    /// `self`, turned by `angle` (64 fraction bits) on the arc.
    #[inline(always)]
    const fn along(self, arc: &Arc, angle: i128) -> Self {
        let (sin, cos) = half_sin_cos(angle);
        let [x, y, z] = arc.axis;
        let turn = [mul_q62(x, sin), mul_q62(y, sin), mul_q62(z, sin), cos];
        Self::normalized(hamilton(self.to_unit_bits(), turn))
    }

    #[inline(always)]
    pub(super) const fn normalized(q: [i128; 4]) -> Self {
        if let Some(bits) = unit_q94(q) {
            return Self::from_bits(bits);
        }
        match unit_wide::<32, 4>(q) {
            Some(bits) => Self::from_bits(bits),
            None => Self::IDENTITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn small_turns_have_the_bits_of_the_long_way() {
        let mut rng = Rng::new(31, 0);
        let mut short = 0;
        for round in 0..200_000 {
            let mut word = |shift: u32| rng.next_u64() as i64 >> shift;
            let any = Quat::from_bits([word(30), word(30), word(30), word(30)]).normalize();
            let off = [word(62), word(62), word(62), word(62)];
            // Next to the axes, with exact ones and zeros, and off by units of the last place.
            let q = match round % 4 {
                0 => any,
                1 => Quat::from_bits([any.x.0 >> 20, any.y.0 >> 26, any.z.0 >> 31, Fx::ONE.0]).normalize(),
                2 => Quat::from_bits([off[0], 0, -Fx::ONE.0, off[2]]),
                _ => {
                    Quat::from_bits([any.x.0 + off[0], any.y.0 + off[1], any.z.0 + off[2], any.w.0 + off[3]])
                }
            };
            let shift = 28 + (round / 4 % 36) as u32;
            let turn = [word(shift), word(shift), word(shift)];
            let long = Quat::normalized(hamilton(exponential_of_words(turn), q.to_bits()));
            let h = turn.map(|word| i128::from(word) << 29);
            let found = q.nearly_turned(h);
            short += u32::from(found.is_some());
            assert!(found.is_none_or(|found| found == long), "{q:?} {turn:?} {found:?} {long:?}");
            assert_eq!(q.integrate(Vec3::from_bits(turn), Fx::ONE), long);
            let dt = Fx::from_bits(word(31));
            let p = turn.map(|word| product(word, dt.0));
            let long = Quat::normalized(hamilton(exponential(p), q.to_bits()));
            assert_eq!(q.integrate(Vec3::from_bits(turn), dt), long);
        }
        assert!(short > 120_000, "{short}");
    }
}
