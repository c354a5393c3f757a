//! What joints have for a tick: how impulses share between their bodies.

use super::super::frames::{Frame, Parts};
use super::super::mantissas::{Reciprocal, shr_each_half_up};
use super::super::prepare::weights;
use super::super::{Over, Pass, load, store};
use super::JointBlock;
use isostep_math::wide::{Backend, Lanes, Level, chunk_at};

/// Finds fractions and tensors.
pub(crate) struct PrepareJoints<'a> {
    pub(crate) frames: &'a [Frame],
}

impl PrepareJoints<'_> {
    pub(crate) fn run(self, blocks: &mut [JointBlock], level: Level) {
        level.dispatch(Over::new(blocks, self));
    }
}

impl Pass<JointBlock> for PrepareJoints<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        let a = Parts::<Lanes<B, N>>::gather(self.frames, chunk_at(&block.a, at));
        let b = Parts::<Lanes<B, N>>::gather(self.frames, chunk_at(&block.b, at));
        let [weight_a, weight_b] = weights(&a, &b);
        let zero = Lanes::zero();
        let sum = Reciprocal::of((weight_a + weight_b).max(Lanes::splat(1)));
        let scale = load::<B, N>(&block.scale, at);
        for (body, (frame, weight)) in [(a, weight_a), (b, weight_b)].into_iter().enumerate() {
            let fraction = sum.share(weight);
            let mut bit = frame.free;
            for k in 0..3 {
                let free = bit.low_bits::<1>().gt(zero).keep(fraction);
                bit = bit.shr::<1>();
                store(free, &mut block.fractions[body][k], at);
                store(shr_each_half_up(free, scale), &mut block.scaled[body][k], at);
            }
            let bounded = load::<B, N>(&block.bounded[body], at).gt(zero);
            for (column, gyration) in block.tensors[body].iter_mut().zip(frame.gyration) {
                let gyration = bounded.select(load(column, at), gyration);
                store(gyration.mul32(fraction).shr_round::<30>(), column, at);
            }
            let exponent = bounded.select(load(&block.exponents[body], at), frame.gyration_exponent);
            store(exponent, &mut block.exponents[body], at);
        }
    }
}
