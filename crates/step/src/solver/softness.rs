//! Contacts as springs.
//!
//! A contact is a damped spring of the frequency ω and the damping ratio ζ, integrated implicitly over the substep h
//! (E. Catto, *Soft Constraints*, 2011). With a = 2ζ + hω it is solved as
//!
//! λ ← λ − γ (v + β s) − (1 − γ) λ, β = ω / a, γ = hωa / (1 + hωa)
//!
//! for the separation s below 0 and the relative velocity v. All numbers follow from the configuration, once a step.

use super::mantissas::to_mantissa;
use super::{BLOCK, Column, INVERSE_BITS, load, store};
use crate::config::WorldConfig;
use crate::joint::Spring;
use isostep_math::exact::round_shift_i64;
use isostep_math::wide::{Backend, Lanes, Mask};
use isostep_math::{Fx, fx};

/// The factors of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Softness {
    /// β in 1/s, Q12.19.
    pub(crate) rate: i32,
    /// γ, Q2.30.
    pub(crate) mass: i32,
    /// 1 − γ, Q2.30.
    pub(crate) impulse: i32,
}

/// The factors of each contact of a block that sweeps read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    /// β, Q15.16.
    rate: Column,
    /// 1 − γ, Q11.21: what it keeps of impulses adds to inverses times speeds.
    impulse: Column,
}

impl Columns {
    /// Fraction bits of β.
    pub(super) const RATE_BITS: u32 = 16;

    pub(crate) const NONE: Self = Self { rate: [0; BLOCK], impulse: [0; BLOCK] };

    /// Of the first softness, or of the second one where a mask says so. Returns γ, Q2.30.
    #[inline(always)]
    pub(super) fn choose<B: Backend<N>, const N: usize>(
        &mut self,
        mask: Mask<B, N>,
        [first, second]: &[Softness; 2],
        at: usize,
    ) -> Lanes<B, N> {
        let [rate, mass, impulse] = first.factors();
        let [rate_2, mass_2, impulse_2] = second.factors();
        store(mask.select(Lanes::splat(rate_2), Lanes::splat(rate)), &mut self.rate, at);
        store(mask.select(Lanes::splat(impulse_2), Lanes::splat(impulse)), &mut self.impulse, at);
        mask.select(Lanes::splat(mass_2), Lanes::splat(mass))
    }

    #[inline(always)]
    pub(super) fn rate<B: Backend<N>, const N: usize>(&self, at: usize) -> Lanes<B, N> {
        load(&self.rate, at)
    }

    #[inline(always)]
    pub(super) fn impulse<B: Backend<N>, const N: usize>(&self, at: usize) -> Lanes<B, N> {
        load(&self.impulse, at)
    }
}

impl Softness {
    /// Fraction bits of the rate.
    pub(crate) const RATE_BITS: u32 = 19;

    /// Of contacts in general, and of those between a light body and one that weighs more than four times as much.
    ///
    /// One pass per substep cannot turn a heavy body around by pushing a light one, so a stiff spring between the two
    /// swings: it is softer and far more damped. Contacts with the ground are as stiff as others; having the whole mass
    /// for themselves, they give way half as much.
    pub(crate) fn of_contacts(config: &WorldConfig) -> [Self; 2] {
        let most = Fx::from_ratio(i64::from(config.substep_rate()), 3);
        let (frequency, damping) = (config.contact_frequency.min(most), config.contact_damping_ratio);
        [(frequency, damping), (frequency * fx!(0.6), damping.saturating_mul(fx!(10)))]
            .map(|(frequency, damping)| Self::new(frequency, damping, config.substep_rate()))
    }

    /// Of what holds: velocities are held firmly, and in each substep a half of each error is taken back.
    pub(crate) fn of_joints(config: &WorldConfig) -> Self {
        let rate = Fx::from_ratio(i64::from(config.substep_rate()), 2);
        Self { rate: to_mantissa(rate, Self::RATE_BITS), ..Self::VELOCITY }
    }

    /// Of a spring that a user describes.
    pub(crate) fn of_spring(spring: &Spring, substep_rate: u32) -> Self {
        let most = Fx::from_ratio(i64::from(substep_rate), 2);
        Self::new(spring.frequency.min(most), spring.damping_ratio, substep_rate)
    }

    /// Of what asks for a velocity and has no spring.
    pub(crate) const VELOCITY: Self = Self { rate: 0, mass: 1 << 30, impulse: 0 };

    /// β, γ and 1 − γ as columns have them.
    #[inline(always)]
    fn factors(&self) -> [i64; 3] {
        let rate = round_shift_i64(self.rate.into(), Self::RATE_BITS - Columns::RATE_BITS);
        [rate, self.mass.into(), round_shift_i64(self.impulse.into(), 30 - INVERSE_BITS)]
    }

    fn new(hertz: Fx, damping_ratio: Fx, substep_rate: u32) -> Self {
        let omega = hertz.saturating_mul(Fx::TAU);
        let turn = omega.saturating_div(Fx::from_int(substep_rate as i32));
        let a = damping_ratio.saturating_mul(fx!(2)).saturating_add(turn);
        let stiffness = turn.saturating_mul(a);
        let impulse = Fx::ONE.saturating_div(stiffness.saturating_add(Fx::ONE));
        let impulse = to_mantissa(impulse, 30);
        Self {
            rate: to_mantissa(omega.saturating_div(a), Self::RATE_BITS),
            mass: (1 << 30) - impulse,
            impulse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_have_the_factors_of_their_formula() {
        let [contact, uneven] = Softness::of_contacts(&WorldConfig::default());
        // ω = 160π, h = 1/240, a = 2 + 2.094395, β = 122.766566, hωa = 8.575281.
        assert_eq!(contact.rate, 64_365_037);
        assert_eq!(contact.impulse, 112_136_847);
        assert_eq!(contact.mass + contact.impulse, 1 << 30);
        assert!(uneven.rate < contact.rate / 4 && uneven.impulse < contact.impulse);
    }
}
