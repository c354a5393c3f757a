//! The integer lanes, at the level this process uses: the digest must not depend on it.

use super::Recorder;
use crate::arguments::{Arguments, EDGES};
use isostep_math::wide::{Backend, Kernel, Lanes, Level, cross3, dot3};

/// Operands that the widest backend takes at once, a narrower one in parts.
const BLOCK: usize = 8;

/// Every operation on pairs of operands; a block's results lie together, operation by operation.
struct Operations<'a> {
    operands: &'a [[[i64; BLOCK]; 2]],
    results: Vec<i64>,
}

impl Kernel for Operations<'_> {
    type Output = Vec<i64>;

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(mut self) -> Vec<i64> {
        for [a, b] in self.operands {
            // Operation by operation within a part would depend on the lane count: collect by lane.
            let mut by_lane = [const { Vec::new() }; BLOCK];
            for part in 0..BLOCK / N {
                let take = |column: &[i64; BLOCK]| core::array::from_fn(|lane| column[part * N + lane]);
                operate::<B, N>(Lanes::from_array(take(a)), Lanes::from_array(take(b)), |result| {
                    for (lane, value) in result.to_array().into_iter().enumerate() {
                        by_lane[part * N + lane].push(value);
                    }
                });
            }
            self.results.extend(by_lane.into_iter().flatten());
        }
        self.results
    }
}

/// Hands the result of each operation to `out`.
#[inline(always)]
fn operate<B: Backend<N>, const N: usize>(a: Lanes<B, N>, b: Lanes<B, N>, mut out: impl FnMut(Lanes<B, N>)) {
    for result in
        [a + b, a - b, -a, a.mul32(b), a.mul32_unsigned(b), a.min(b), a.max(b), a.clamp(-b, b), a.abs()]
    {
        out(result);
    }
    for result in [
        a.shl::<7>(),
        a.shr::<19>(),
        a.shr_round::<1>(),
        a.shr_round::<30>(),
        a.shr_round_half_up::<30>(),
        a.shl_each(b.low_bits::<5>()),
        a.shr_each(b.low_bits::<5>()),
        a.leading_zeros(),
        a.low_bits::<31>(),
        a.negate_where_negative(b),
    ] {
        out(result);
    }
    for multiplicand in [
        a.multiplicand::<22>(),
        a.multiplicand_below::<24>(),
        a.multiplicand_half_up::<30>(),
        a.multiplicand_each(b.low_bits::<5>()),
        a.held_multiplicand::<24>(),
    ] {
        out(Lanes::load(&multiplicand.store()));
        out(multiplicand.mul32(b));
    }
    for result in [a | b, a.held::<24>(), a.shr_positive::<21>()] {
        out(result);
    }
    for mask in
        [a.gt(b), a.ge(b), a.lt(b), a.le(b), a.equal(b), a.is_negative(), a.gt(b) & b.is_negative(), !a.lt(b)]
    {
        out(mask.to_lanes());
        out(mask.select(a, b));
        out(mask.keep(b));
    }
    // Mantissas in the domain of the reciprocals.
    let mantissa = a.low_bits::<30>() + Lanes::splat(1 << 30);
    for result in
        [mantissa.recip(), mantissa.rsqrt(), (mantissa.shr::<1>()).rsqrt(), dot3([a, b, a], [b, b, mantissa])]
    {
        out(result);
    }
    for result in cross3([a, b, mantissa], [mantissa, a, b]) {
        out(result);
    }
    out(Lanes::load(&a.store()));
    out(Lanes::load(&a.store_saturating()));
}

/// The results at the level this process uses.
pub(super) fn lanes(out: &mut Recorder) {
    lanes_at(Level::current(), out);
}

/// The results at a level of choice.
pub(super) fn lanes_at(level: Level, out: &mut Recorder) {
    let mut arguments = Arguments::new(40);
    let mut operand = |index: usize| {
        if index < 40 {
            EDGES[(arguments.bits() % 24) as usize]
        } else {
            arguments.number([31, 32, 63][index % 3]).to_bits()
        }
    };
    let operands: Vec<[[i64; BLOCK]; 2]> =
        (0..400).map(|index| [(); 2].map(|()| core::array::from_fn(|_| operand(index)))).collect();
    for result in level.dispatch(Operations { operands: &operands, results: Vec::new() }) {
        out.bits(result);
    }
}
