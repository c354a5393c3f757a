//! The two bodies of each contact in a part of a block: what rows ask of their velocities, and do to them.

use super::motion::{MOST_SPIN, SPIN_BITS, shorten};
use super::normals::MOST;
use super::records::{Gather, Records};
use super::{ANGULAR_DROP, Block, Column, LINEAR_BITS, LINEAR_DROP, Row, Tilt, exceed, load, load3};
use isostep_math::wide::{
    Backend, Lanes, Mask, Multiplicand, add3, chunk_at, dot3, held_multiplicands3, multiplicands3, scale3,
    sub3,
};

/// Bits of a velocity that counts as moving: half a millimetre a second, 2⁻¹¹ m/s.
const MOVING_BITS: u32 = LINEAR_BITS - 11;

/// The velocities of both bodies.
#[derive(Clone, Copy)]
pub(super) struct Pair<B: Backend<N>, const N: usize> {
    linear_a: [Lanes<B, N>; 3],
    angular_a: [Lanes<B, N>; 3],
    linear_b: [Lanes<B, N>; 3],
    angular_b: [Lanes<B, N>; 3],
    /// As of the block.
    masses: [Lanes<B, N>; 2],
    /// As of the block, where a body is held to some axes.
    free: Option<[Lanes<B, N>; 2]>,
}

/// The angular velocities of both bodies, Q21.
pub(super) struct Spins<B: Backend<N>, const N: usize> {
    a: [Multiplicand<B, N>; 3],
    b: [Multiplicand<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Spins<B, N> {
    /// How fast the ends of the arms of a row part by rotation, Q45.
    #[inline(always)]
    pub(super) fn along(&self, row: &Row, at: usize) -> Lanes<B, N> {
        dot3(load3(&row.arm_b, at), self.b) - dot3(load3(&row.arm_a, at), self.a)
    }

    /// How much faster the ends of a tilt's arms part than the centre, Q21.
    #[inline(always)]
    pub(super) fn tilting(&self, tilt: &Tilt, at: usize) -> Multiplicand<B, N> {
        let arm = load3(&tilt.arm, at);
        (dot3(arm, self.b) - dot3(arm, self.a)).held_multiplicand::<24>()
    }
}

impl<B: Backend<N>, const N: usize> Pair<B, N> {
    #[inline(always)]
    pub(super) fn gather<V: Gather + ?Sized>(block: &Block, at: usize, velocities: &V) -> Self {
        let a = velocities.gather::<B, N>(chunk_at(&block.a, at));
        let b = velocities.gather::<B, N>(chunk_at(&block.b, at));
        Self {
            linear_a: [a[0], a[1], a[2]],
            angular_a: [a[4], a[5], a[6]],
            linear_b: [b[0], b[1], b[2]],
            angular_b: [b[4], b[5], b[6]],
            masses: [load(&block.masses[0], at), load(&block.masses[1], at)],
            free: if block.locked {
                Some([load(&block.free[0], at), load(&block.free[1], at)])
            } else {
                None
            },
        }
    }

    /// Whether one of the bodies turns whatever contacts do, and the other one goes around with it.
    ///
    /// Its arms, and so the directions in which it takes others along, are those of the middle of the tick. So what friction
    /// has to add in a tick it asks for in the first of its substeps, and may not get at once.
    #[inline(always)]
    pub(super) fn is_carried_around(&self) -> Mask<B, N> {
        let (zero, [x_a, y_a, z_a], [x_b, y_b, z_b]) = (Lanes::zero(), self.angular_a, self.angular_b);
        let turns_a = self.masses[0].equal(zero) & !(x_a | y_a | z_a).equal(zero);
        let turns_b = self.masses[1].equal(zero) & !(x_b | y_b | z_b).equal(zero);
        turns_a | turns_b
    }

    /// Whether the centres move against each other by [`MOVING_BITS`] or more along an axis.
    #[inline(always)]
    pub(super) fn is_moving(&self) -> Mask<B, N> {
        exceed::<B, N, MOVING_BITS>(&sub3(self.linear_b, self.linear_a))
    }

    /// Writes the velocities. Angular ones have no component of more than 2¹⁰ rad/s, which is what products have room for.
    #[inline(always)]
    pub(super) fn scatter(&mut self, block: &Block, at: usize, velocities: &mut Records<'_>) {
        self.hold_spins();
        self.put(block, at, velocities);
    }

    /// As [`scatter`](Self::scatter), of the lanes of a mask; others keep what they had, which may be more than that.
    #[inline(always)]
    pub(super) fn scatter_within(
        &mut self,
        lanes: Mask<B, N>,
        before: &Self,
        block: &Block,
        at: usize,
        velocities: &mut Records<'_>,
    ) {
        self.hold_spins();
        for k in 0..3 {
            self.linear_a[k] = lanes.select(self.linear_a[k], before.linear_a[k]);
            self.angular_a[k] = lanes.select(self.angular_a[k], before.angular_a[k]);
            self.linear_b[k] = lanes.select(self.linear_b[k], before.linear_b[k]);
            self.angular_b[k] = lanes.select(self.angular_b[k], before.angular_b[k]);
        }
        self.put(block, at, velocities);
    }

    /// Shortens angular velocities with a component of more than 2¹⁰ rad/s, in all lanes, whichever the sweep is about: those of
    /// bodies are within that whenever a sweep begins, so what it leaves alone stays as it was.
    #[inline(always)]
    fn hold_spins(&mut self) {
        let zero = Lanes::zero();
        // From 0 on, and below twice that.
        let offset = Lanes::splat(1 << SPIN_BITS);
        let mut any = zero;
        for k in 0..3 {
            any = any | (self.angular_a[k] + offset) | (self.angular_b[k] + offset);
        }
        if any.shr_logical::<{ SPIN_BITS + 1 }>() != zero {
            self.angular_a = slow_down(self.angular_a);
            self.angular_b = slow_down(self.angular_b);
        }
    }

    #[inline(always)]
    fn put(&self, block: &Block, at: usize, velocities: &mut Records<'_>) {
        let zero = Lanes::zero();
        let ([a, b, c], [d, e, f]) = (self.linear_a, self.angular_a);
        velocities.scatter(&[a, b, c, zero, d, e, f, zero], chunk_at(&block.a, at));
        let ([a, b, c], [d, e, f]) = (self.linear_b, self.angular_b);
        velocities.scatter(&[a, b, c, zero, d, e, f, zero], chunk_at(&block.b, at));
    }

    /// How fast the centres part along a direction, Q51.
    #[inline(always)]
    pub(super) fn parting(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        dot3(direction, multiplicands3::<B, N, LINEAR_DROP>(sub3(self.linear_b, self.linear_a)))
    }

    /// The angular velocities as multiplicands.
    #[inline(always)]
    pub(super) fn spins(&self) -> Spins<B, N> {
        Spins {
            a: held_multiplicands3::<B, N, ANGULAR_DROP>(self.angular_a),
            b: held_multiplicands3::<B, N, ANGULAR_DROP>(self.angular_b),
        }
    }

    /// The relative velocities along two rows, Q51.
    #[inline(always)]
    pub(super) fn along(
        &self,
        directions: [[Lanes<B, N>; 3]; 2],
        [first, second]: &[Row; 2],
        at: usize,
    ) -> [Lanes<B, N>; 2] {
        // Small bodies turn fast here: wrapped, a velocity would have friction drive what it is to hold.
        let moving = held_multiplicands3::<B, N, LINEAR_DROP>(sub3(self.linear_b, self.linear_a));
        let spins = self.spins();
        [
            dot3(directions[0], moving) + spins.along(first, at).shl::<6>(),
            dot3(directions[1], moving) + spins.along(second, at).shl::<6>(),
        ]
    }

    /// Changes the velocities by an impulse along a row.
    #[inline(always)]
    pub(super) fn push(&mut self, direction: [Lanes<B, N>; 3], row: &Row, impulse: Lanes<B, N>, at: usize) {
        self.twist([&row.angular_a, &row.angular_b], impulse, at);
        self.part(direction, impulse);
    }

    /// The same by the sum of the impulses of some points. One product has room for one of these, so there are as many as it
    /// takes: more than one in a hit at hundreds of metres a second.
    #[inline(always)]
    pub(super) fn push_by_sum(
        &mut self,
        direction: [Lanes<B, N>; 3],
        row: &Row,
        sum: Lanes<B, N>,
        at: usize,
    ) {
        let most = Lanes::splat(MOST);
        let part = sum.clamp(-most, most);
        self.push(direction, row, part, at);
        let rest = sum - part;
        if rest != Lanes::zero() {
            *self = self.pushed_by_rest(direction, row, rest, at);
        }
    }

    /// What of a sum is left after one product, which is seldom anything. By value, as [`slow_down`].
    #[cold]
    #[inline(never)]
    fn pushed_by_rest(
        mut self,
        direction: [Lanes<B, N>; 3],
        row: &Row,
        mut rest: Lanes<B, N>,
        at: usize,
    ) -> Self {
        let most = Lanes::splat(MOST);
        // Four points have less than four times as much.
        for _ in 0..3 {
            let part = rest.clamp(-most, most);
            self.push(direction, row, part, at);
            rest -= part;
        }
        self
    }

    /// Lets the centres part by an impulse along a direction, each as far as it is free to.
    #[inline(always)]
    fn part(&mut self, direction: [Lanes<B, N>; 3], impulse: Lanes<B, N>) {
        let own_a = self.masses[0].mul32(impulse).multiplicand::<30>();
        let own_b = self.masses[1].mul32(impulse).multiplicand::<30>();
        let (mut along_a, mut along_b) = (direction, direction);
        if let Some([free_a, free_b]) = self.free {
            (along_a, along_b) = (free_part(direction, free_a), free_part(direction, free_b));
        }
        self.linear_a = sub3(self.linear_a, scale3(along_a, own_a));
        self.linear_b = add3(self.linear_b, scale3(along_b, own_b));
    }

    /// The relative angular velocity about a direction, Q21.
    #[inline(always)]
    pub(super) fn spin(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let relative = held_multiplicands3::<B, N, ANGULAR_DROP>(sub3(self.angular_b, self.angular_a));
        dot3(direction, relative).shr_round::<30>()
    }

    /// Changes the angular velocities by an angular impulse along a row of them.
    #[inline(always)]
    pub(super) fn twist(
        &mut self,
        [a, b]: [&[Column; 3]; 2],
        impulse: impl Into<Multiplicand<B, N>>,
        at: usize,
    ) {
        let impulse = impulse.into();
        self.angular_a = sub3(self.angular_a, scale3(load3(a, at), impulse));
        self.angular_b = add3(self.angular_b, scale3(load3(b, at), impulse));
    }
}

/// Velocities shortened to a greatest component of [`MOST_SPIN`]. They come and go by value: what a function that is not inlined has
/// a reference to lies in memory in all of the kernel.
#[cold]
#[inline(never)]
fn slow_down<B: Backend<N>, const N: usize>([x, y, z]: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    let mut words = [x.to_array(), y.to_array(), z.to_array()];
    for lane in 0..N {
        let mut vector = [words[0][lane], words[1][lane], words[2][lane]];
        shorten(&mut vector, MOST_SPIN);
        for (words, word) in words.iter_mut().zip(vector) {
            words[lane] = word;
        }
    }
    let [x, y, z] = words;
    [Lanes::from_array(x), Lanes::from_array(y), Lanes::from_array(z)]
}

/// The part of a direction along axes that are free, a bit each.
#[inline(always)]
pub(super) fn free_part<B: Backend<N>, const N: usize>(
    direction: [Lanes<B, N>; 3],
    free: Lanes<B, N>,
) -> [Lanes<B, N>; 3] {
    let zero = Lanes::zero();
    let [x, y, z] = direction;
    [
        free.low_bits::<1>().gt(zero).keep(x),
        free.shr::<1>().low_bits::<1>().gt(zero).keep(y),
        free.shr::<2>().gt(zero).keep(z),
    ]
}
