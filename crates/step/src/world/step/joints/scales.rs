//! The powers of two by which the impulses of a joint are scaled, and the inertia that bodies have in it.

use super::Side;
use super::placing::Placing;
use crate::body::Scaled;
use crate::joint::JointKind;
use crate::solver::frames::tensor;
use isostep_math::{Fx, Quat, Vec3};

/// Powers of two by which impulses are scaled: `solver::joints` derives them.
pub(super) struct Scales {
    pub(super) points: i32,
    pub(super) rotations: i32,
    pub(super) lever: i32,
}

impl Placing<'_> {
    /// Inverses of gyrations with which bodies that joints move count. Those that are less in the joint than they are go to the
    /// block.
    pub(super) fn bound_gyrations(&mut self) -> [Option<Scaled<3>>; 2] {
        let is_held = self.joint.kind.keeps_points_still();
        [0, 1].map(|k| {
            let Side { body, motion, is_movable, .. } = self.sides[k];
            self.block.bounded[k][self.lane] = 0;
            if !is_movable {
                return None;
            }
            let gyration = body.mass.inverse_gyration;
            let Some(bounded) = bounded(gyration, self.arm(k)).filter(|_| is_held) else {
                return Some(gyration);
            };
            self.block.bounded[k][self.lane] = 1;
            self.block.exponents[k][self.lane] = i32::from(bounded.exponent);
            for (column, entry) in
                self.block.tensors[k].iter_mut().zip(tensor(bounded.mantissas, body, motion))
            {
                column[self.lane] = entry as i32;
            }
            Some(bounded)
        })
    }

    /// From the centre of mass of a body to the origin of its frame, in its own axes.
    fn arm(&self, k: usize) -> Vec3 {
        self.joint.frames[k].translation.saturating_sub(self.sides[k].body.mass.center)
    }

    /// Scales by magnitudes that do not depend on poses, so that impulses mean the same in each step.
    pub(super) fn scales(&self, gyrations: &[Option<Scaled<3>>; 2]) -> Scales {
        let (mut lightest, mut arms, mut largest, mut least, mut turning) = (NEVER, 0, NEVER, NEVER, NEVER);
        for Side { body, .. } in self.sides.iter().filter(|side| side.is_movable) {
            lightest = lightest.max(i32::from(body.mass.inverse_mass.exponent));
        }
        for (k, gyration) in gyrations.iter().enumerate() {
            let Some(gyration) = gyration else { continue };
            let smallest = gyration.mantissas.into_iter().filter(|&mantissa| mantissa > 0).min();
            let Some(smallest) = smallest else { continue };
            let inverse_mass = self.sides[k].body.mass.inverse_mass;
            let squared = 63 - square_of(self.arm(k)).leading_zeros() as i32;
            let magnitude = i32::from(inverse_mass.exponent) - lightest + i32::from(gyration.exponent);
            arms = arms.max(magnitude + squared);
            turning = turning.max(magnitude + squared.div_euclid(2) + 1);
            largest = largest.max(magnitude);
            least = least.max(magnitude - 30 + log2(i64::from(smallest)));
        }
        let rotations = if largest == NEVER { 0 } else { (largest + least).div_euclid(2).clamp(-24, 24) };
        // What turns about a point of a joint turns less easily than about its centre.
        let still = if self.joint.kind.turns_about_points() && largest != NEVER { arms.max(0) } else { 0 };
        // Rows have room for 2⁹: of what turns bodies by impulses at points, T [r]×, and against rotation, T.
        Scales {
            points: (arms / 2).max(turning - 9).clamp(0, 10),
            rotations: (rotations - still.div_euclid(2)).max(largest - 9).clamp(-24, 24),
            lever: self.lever(gyrations),
        }
    }

    /// The power of two by which angles are measured, of a joint with rows about axes: so that K of such a row is from 1/4 to 1. A
    /// ball joint may have two, about whatever axes: there it is between what is nearest to that for both.
    fn lever(&self, gyrations: &[Option<Scaled<3>>; 2]) -> i32 {
        let about_x = || self.ease(gyrations, false);
        let ease = match self.joint.kind {
            JointKind::Ball { swing_limit: Some(_), .. } => {
                (about_x() + self.ease(gyrations, true)).div_euclid(2)
            }
            JointKind::Ball { twist_limits: Some(_), .. }
            | JointKind::Hinge { limits: Some(_), .. }
            | JointKind::Hinge { motor: Some(_), .. }
            | JointKind::Wheel { motor: Some(_), .. } => about_x(),
            _ => return 0,
        };
        (ease + 2).div_euclid(2).clamp(-6, 12)
    }

    /// How easily bodies turn against each other about the x axes of their frames, or about those about which it is hardest: the
    /// binary logarithm of the sum of f / (k² + r²) in 1/m², with the arms r from the axes.
    fn ease(&self, gyrations: &[Option<Scaled<3>>; 2], hardest: bool) -> i32 {
        let weights = self.sides.each_ref().map(|side| side.body.mass.inverse_mass);
        let movable = gyrations.each_ref().map(Option::is_some);
        let greatest = (0..2).filter(|&k| movable[k]).map(|k| weights[k].exponent).max().unwrap_or(0);
        // Of at most 31 bits.
        let weight = |k: usize| {
            let Scaled { mantissas: [mantissa], exponent } = weights[k];
            if movable[k] { u64::from(mantissa.unsigned_abs()) >> (greatest - exponent).min(63) } else { 0 }
        };
        let sum = (weight(0) + weight(1)).max(1);
        let mut ease = 0;
        for (k, gyration) in gyrations.iter().enumerate() {
            let Some(gyration) = gyration else { continue };
            let axis = (!hardest).then(|| x_axis(self.joint.frames[k].rotation));
            let inertia = inertia(self.arm(k), axis, self.sides[k].body.mass.axes, gyration);
            // A fraction in Q30, and Q32 below it.
            ease += (((weight(k) << 30) / sum) << 32) / inertia;
        }
        log2(ease as i64) - 30
    }
}

/// The binary logarithm of the greatest square of an arm over a radius of gyration that joints which hold rotations count with: on
/// arms of more than 64 such radii bodies are held as if these were larger. Their own inertia about such an axis is less than a
/// four-thousandth of what they have about the joint then, and more than numbers could follow.
const MOST_LEVER: i32 = 12;

/// Inverses of gyrations about principal axes of which none is more than 2^[`MOST_LEVER`] over the square of an arm; none where
/// they are less anyway.
fn bounded(gyration: Scaled<3>, arm: Vec3) -> Option<Scaled<3>> {
    let square = square_of(arm);
    // The bound is 2^power / square in units of the mantissas.
    let power =
        u32::try_from(MOST_LEVER + 64 + 30 - i32::from(gyration.exponent)).ok().filter(|&it| it < 127)?;
    let largest = gyration.mantissas.into_iter().max()?;
    if u128::from(largest.unsigned_abs()).saturating_mul(square) <= 1 << power {
        return None;
    }
    // Of 32 bits, of which the quotient has less than 30.
    let drop = 96_u32.saturating_sub(square.leading_zeros());
    let bound = (1_u64 << power.saturating_sub(drop)) / (square >> drop) as u64;
    let bound = bound.clamp(1, largest.unsigned_abs().into()) as i32;
    let up = bound.leading_zeros() - 2;
    let mantissas = gyration.mantissas.map(|mantissa| mantissa.min(bound) << up);
    Some(Scaled { mantissas, exponent: gyration.exponent - up as i16 })
}

/// The square of the length of an arm, Q64.
fn square_of(arm: Vec3) -> u128 {
    arm.to_array().map(|part| u128::from(part.to_bits().unsigned_abs()).pow(2)).iter().sum()
}

/// k² + r² of a body with these principal axes about an axis in Q30 at the end of an arm, which it passes the centre by at r; or
/// without one, about that about which it is greatest. In m² with 32 fraction bits, at least a unit, for what is compared by powers
/// of two.
fn inertia(arm: Vec3, axis: Option<[i64; 3]>, principal: Quat, gyration: &Scaled<3>) -> u64 {
    let squares = gyration.mantissas.map(|mantissa| square(mantissa, gyration.exponent));
    // Q22: the square of an arm of 128 m has 58 bits.
    let arm = arm.to_array().map(|part| part.to_bits() / (1 << 10));
    let whole: i64 = arm.iter().map(|part| part * part).sum();
    let (own, across) = if let Some(axis) = axis {
        let along: i64 = arm.iter().zip(axis).map(|(part, axis)| part * axis).sum::<i64>() / (1 << 30);
        let parts = match principal {
            Quat::IDENTITY => axis,
            axes => {
                let axis = Vec3::from_array(axis.map(|part| Fx::from_bits(part << 2)));
                axes.inverse_mul_vec3(axis).to_array().map(|part| part.to_bits() / 4)
            }
        };
        let own = squares
            .iter()
            .zip(parts)
            .map(|(&square, part)| (u128::from(square) * u128::from((part * part).unsigned_abs())) >> 60);
        (own.sum::<u128>() as u64, whole - along * along)
    } else {
        (squares.into_iter().max().unwrap_or(0), whole)
    };
    own.saturating_add(across.max(0).unsigned_abs() >> (44 - 32)).max(1)
}

/// The x axis turned by a rotation, Q30, toward zero: 1 − 2 (y² + z²), 2 (x y + z w), 2 (x z − y w).
fn x_axis(rotation: Quat) -> [i64; 3] {
    let [x, y, z, w] = rotation.to_array().map(|part| part.to_bits() / 4);
    let halved = 1 << 29;
    [(1 << 30) - (y * y + z * z) / halved, (x * y + z * w) / halved, (x * z - y * w) / halved]
}

/// k² in m² of a number k⁻² = mantissa 2^(exponent − 30), with 32 fraction bits, of at most 62 bits.
fn square(mantissa: i32, exponent: i16) -> u64 {
    // 2^62 / mantissa has 32 bits or more.
    let inverse = (1_u64 << 62) / u64::from(mantissa.unsigned_abs().max(1));
    if exponent < 0 {
        let up = u32::from(exponent.unsigned_abs()).min(inverse.leading_zeros().saturating_sub(2));
        inverse << up
    } else {
        inverse >> exponent.min(63)
    }
}

/// Less than any exponent.
const NEVER: i32 = -4096;

/// The place of the highest bit of a number above 0, and one less than the first of 0.
fn log2(x: i64) -> i32 {
    63 - x.leading_zeros() as i32
}
