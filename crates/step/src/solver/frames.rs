//! What rows are made of, by bodies: rotations and masses.

use super::bodies::Record;
use super::keep3;
use super::words::pair;
use crate::body::{AxisLocks, Body, Motion};
use isostep_math::exact::round_shift_i64;
use isostep_math::wide::{Backend, Lanes};
use isostep_math::{Fx, Quat, Vec3, fx};

/// [`Parts`] in two lines of the caches: words of two numbers of 32 bits, the nine of the rotation below all others but the
/// axes, which have the last word for themselves.
pub(crate) type Frame = Record<12>;

/// The parts of a frame, of one body or in lanes.
#[derive(Clone, Copy)]
pub(crate) struct Parts<T> {
    /// By rows, Q2.30.
    pub(crate) rotation: [[T; 3]; 3],
    /// k⁻² in the world as xx, yy, zz, xy, xz, yz: mantissas in Q2.30 with one exponent.
    pub(crate) gyration: [T; 6],
    pub(crate) gyration_exponent: T,
    /// The mantissa of 31 bits of the inverse mass; 0 where contacts do not move the body.
    pub(crate) inverse_mass: T,
    pub(crate) mass_exponent: T,
    /// The axes along which it can move: a bit each.
    pub(crate) free: T,
    /// By how much arms are turned, as a rotation vector in rad. Of a kinematic body what it turns in half of the tick, Q2.30: see
    /// [`put_half_turn`]. Of a dynamic one how far they lag behind, Q32: see [`Motion::turned_by`].
    pub(super) turn: [T; 3],
}

impl Parts<i64> {
    pub(crate) const ZERO: Self = Self {
        rotation: [[0; 3]; 3],
        gyration: [0; 6],
        gyration_exponent: 0,
        inverse_mass: 0,
        mass_exponent: 0,
        free: 0,
        turn: [0; 3],
    };

    /// The frame of parts of 32 bits each.
    #[inline]
    pub(crate) const fn pack(&self) -> Frame {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rotation;
        let [xx, yy, zz, xy, xz, yz] = self.gyration;
        let [turn_xy, turn_z] = turn_words(self.turn);
        Record([
            pair(a as i32, xx as i32),
            pair(b as i32, yy as i32),
            pair(c as i32, zz as i32),
            pair(d as i32, xy as i32),
            pair(e as i32, xz as i32),
            pair(f as i32, yz as i32),
            pair(g as i32, self.gyration_exponent as i32),
            pair(h as i32, self.inverse_mass as i32),
            pair(i as i32, self.mass_exponent as i32),
            self.free,
            turn_xy,
            turn_z,
        ])
    }
}

/// The last words of a frame.
const fn turn_words([x, y, z]: [i64; 3]) -> [i64; 2] {
    [pair(x as i32, y as i32), z]
}

impl<B: Backend<N>, const N: usize> Parts<Lanes<B, N>> {
    /// The parts of the records at the indices. Numbers of the rotation, and the first one of the turn, have others above
    /// their 32 bits: for products.
    #[inline(always)]
    pub(super) fn gather(frames: &[Frame], records: &[u32; N]) -> Self {
        let [a, b, c, d, e, f, g, h, i, free, j, z] = Lanes::gather_records(frames, records);
        Self {
            rotation: [[a, b, c], [d, e, f], [g, h, i]],
            gyration: [
                a.shr::<32>(),
                b.shr::<32>(),
                c.shr::<32>(),
                d.shr::<32>(),
                e.shr::<32>(),
                f.shr::<32>(),
            ],
            gyration_exponent: g.shr::<32>(),
            inverse_mass: h.shr::<32>(),
            mass_exponent: i.shr::<32>(),
            free,
            turn: [j, j.shr::<32>(), z],
        }
    }

    /// What kinematic bodies turn in half of the tick, for products.
    #[inline(always)]
    pub(super) fn half_turn(&self) -> [Lanes<B, N>; 3] {
        keep3(self.inverse_mass.equal(Lanes::zero()), self.turn)
    }

    /// How far the arms of dynamic bodies lag behind, for products.
    #[inline(always)]
    pub(super) fn lag(&self) -> [Lanes<B, N>; 3] {
        keep3(self.inverse_mass.gt(Lanes::zero()), self.turn)
    }
}

/// The matrix of a rotation by rows, Q2.30.
fn rows_of(rotation: Quat) -> [[i64; 3]; 3] {
    let mut rows = rotation.to_rotation_rows();
    for row in &mut rows {
        for entry in row {
            *entry = round_shift_i64(*entry, Quat::ROTATION_BITS - 30);
        }
    }
    rows
}

/// Writes the frame of a body, whose rotation has these rows if they are known.
pub(crate) fn find_frame(frame: &mut Frame, rows: Option<[[i64; 3]; 3]>, body: &Body, motion: &Motion) {
    let rotation = rows.unwrap_or_else(|| rows_of(motion.rotation));
    if !body.is_dynamic() {
        *frame = Parts { rotation, ..Parts::ZERO }.pack();
        return;
    }
    let gyration = body.mass.inverse_gyration;
    let inverse_mass = body.mass.inverse_mass;
    let parts = Parts {
        rotation,
        gyration: tensor_of(gyration.mantissas, body, motion, rotation),
        gyration_exponent: i64::from(gyration.exponent),
        inverse_mass: i64::from(inverse_mass.mantissas[0]),
        mass_exponent: i64::from(inverse_mass.exponent),
        free: free_axes(body.flags.locks),
        turn: motion.lag.map(i64::from),
    };
    *frame = parts.pack();
}

/// The tensor of a body in the world, of numbers for its principal axes: xx, yy, zz, xy, xz, yz.
pub(crate) fn tensor(numbers: [i32; 3], body: &Body, motion: &Motion) -> [i64; 6] {
    tensor_of(numbers, body, motion, rows_of(motion.rotation))
}

/// As [`tensor`], of a body whose rotation has these rows.
fn tensor_of(numbers: [i32; 3], body: &Body, motion: &Motion, rotation: [[i64; 3]; 3]) -> [i64; 6] {
    let mut tensor = unlocked_tensor(numbers, body, motion, rotation);
    body.flags.locks.rotations().for_each(|axis| lock(&mut tensor, axis));
    tensor
}

/// What is left of a change of the angular velocity if a body may not turn about all axes: what holds it has its share in how it
/// turns about the others.
pub(crate) fn held_turn(turn: Vec3, body: &Body, motion: &Motion) -> Vec3 {
    let locks = body.flags.locks;
    if !locks.any_rotation() {
        return turn;
    }
    let numbers = body.mass.inverse_gyration.mantissas;
    let mut tensor = unlocked_tensor(numbers, body, motion, rows_of(motion.rotation));
    let mut turn = turn.to_array();
    for axis in locks.rotations() {
        let held = core::mem::replace(&mut turn[axis], Fx::ZERO);
        let pivot = tensor[ENTRIES[axis][axis]];
        if pivot > 0 {
            for other in (0..3).filter(|&other| other != axis) {
                let share = Fx::from_ratio(tensor[ENTRIES[other][axis]], pivot);
                turn[other] = turn[other].saturating_sub(held.saturating_mul(share));
            }
        }
        lock(&mut tensor, axis);
    }
    Vec3::from_array(turn)
}

/// Where the entries of a tensor lie, by row and column.
const ENTRIES: [[usize; 3]; 3] = [[0, 3, 4], [3, 1, 5], [4, 5, 2]];

/// Makes of the inverse of an inertia that of a body which may not turn about an axis of the world: the inverse of the inertia
/// without that axis, by Schur's complement, as no entry of an inverse alone says how much the others hold.
fn lock(tensor: &mut [i64; 6], axis: usize) {
    let [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
    let of = |i: usize, j: usize| ENTRIES[i][j];
    let pivot = tensor[of(axis, axis)];
    if pivot > 0 {
        // Entries have 31 bits, so products fit; halves are rounded away from zero, and a mirror changes signs alone.
        let share = |a: i64, b: i64| {
            let product = a * b;
            (product + product.signum() * (pivot / 2)) / pivot
        };
        let (a, b) = (tensor[of(first, axis)], tensor[of(second, axis)]);
        tensor[of(first, first)] = (tensor[of(first, first)] - share(a, a)).max(0);
        tensor[of(second, second)] = (tensor[of(second, second)] - share(b, b)).max(0);
        tensor[of(first, second)] -= share(a, b);
    }
    for other in 0..3 {
        tensor[of(axis, other)] = 0;
    }
}

/// The tensor of a body that may turn about all axes.
fn unlocked_tensor(numbers: [i32; 3], body: &Body, motion: &Motion, rotation: [[i64; 3]; 3]) -> [i64; 6] {
    let [x, y, z] = numbers.map(i64::from);
    if x == y && y == z {
        [x, y, z, 0, 0, 0]
    } else {
        let axes = match body.mass.axes {
            Quat::IDENTITY => rotation,
            axes => rows_of(motion.rotation.mul_quat(axes)),
        };
        turned([x, y, z], &axes)
    }
}

/// The most that a kinematic body turns in half of a tick for that to count: where it turns faster, nothing rests on it.
const MOST_HALF_TURN: Fx = fx!(0.125);

/// Notes what a kinematic body turns in half of a tick of the length `period`.
///
/// What it carries goes along with its velocity at the start of the tick, in a straight line, and where the body turns, that leads
/// outwards. The chord to where a point of it will be is along ω × (r + ω h / 2 × r) to first order: so friction takes arms that
/// are turned by half. What is along the normal is left as it is, for surfaces that turn in themselves.
pub(crate) fn put_half_turn(frame: &mut Frame, motion: &Motion, period: Fx) {
    let turn = motion.angular_velocity.saturating_scale(period * Fx::HALF);
    if turn.length() <= MOST_HALF_TURN {
        let words = turn_words(turn.to_array().map(|angle| angle.to_bits() >> 2));
        [frame[10], frame[11]] = words;
    }
}

/// A bit for each axis of the world along which a body can move.
fn free_axes(locks: AxisLocks) -> i64 {
    (0..3).map(|axis| i64::from(!locks.translation(axis)) << axis).sum()
}

/// The tensor with the eigenvalues `d` along the columns of `axes`, Q30: xx, yy, zz, xy, xz, yz.
fn turned(d: [i64; 3], axes: &[[i64; 3]; 3]) -> [i64; 6] {
    let mut scaled = *axes;
    for row in &mut scaled {
        for k in 0..3 {
            row[k] = round_shift_i64(row[k] * d[k], 30);
        }
    }
    let entry = |i: usize, j: usize| {
        let (a, b) = (scaled[i], axes[j]);
        round_shift_i64(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], 30)
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}
