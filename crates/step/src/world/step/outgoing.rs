//! What contacts leave in the solver's blocks, block by block: from there the world's order takes a line of the caches for
//! each contact, instead of one for each of its numbers.

use crate::parallel::Crew;
use crate::solver::words::{both, lower, upper};
use crate::solver::{BLOCK, Block, load, load_total, load3};
use alloc::vec::Vec;
use isostep_math::wide::{Backend, Kernel, Lanes, Level};

/// What a contact leaves, two numbers of 32 bits a word.
///
/// | word | lower | upper |
/// |---|---|---|
/// | 0, 1 | friction x, z, a vector of the world | friction y, twist |
/// | 2, 3 | impulses of points 0, 2 | 1, 3 |
/// | 4 | the exponent of κ | a bit for each point that pressed |
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Outgoing {
    words: [i64; 8],
}

impl Outgoing {
    const NONE: Self = Self { words: [0; 8] };

    pub(super) const fn friction(&self) -> [i32; 3] {
        [lower(self.words[0]), upper(self.words[0]), lower(self.words[1])]
    }

    pub(super) const fn twist(&self) -> i32 {
        upper(self.words[1])
    }

    /// Of all four points.
    pub(super) const fn impulses(&self) -> [i32; 4] {
        let [_, _, first, second, ..] = self.words;
        [lower(first), upper(first), lower(second), upper(second)]
    }

    pub(super) const fn scale(&self) -> u8 {
        self.words[4] as u8
    }

    /// Whether any of so many points pushed the bodies apart.
    pub(super) const fn is_pressed(&self, points: usize) -> bool {
        upper(self.words[4]) & ((1 << points) - 1) != 0
    }
}

/// Collects what the contacts of all lanes leave.
pub(super) fn collect(blocks: &[Block], least: usize, out: &mut Vec<Outgoing>, crew: &mut Crew) {
    out.resize(blocks.len() * BLOCK, Outgoing::NONE);
    let level = Level::current();
    crew.for_each(out, CHUNK, least, |first, out| {
        level.dispatch(Collect { blocks: &blocks[first / BLOCK..], out });
    });
}

/// Lanes of a chunk.
const CHUNK: usize = 16 * BLOCK;

struct Collect<'a> {
    /// At least those of the lanes.
    blocks: &'a [Block],
    out: &'a mut [Outgoing],
}

impl Kernel for Collect<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        const { assert!(N <= BLOCK, "a part of a block has no more lanes than that") };
        for (block, out) in self.blocks.iter().zip(self.out.chunks_mut(BLOCK)) {
            for at in (0..block.filled).step_by(N) {
                let records = Lanes::to_records(&words::<B, N>(block, at));
                for i in 0..N {
                    out[at + i].words = records[i];
                }
            }
        }
    }
}

#[inline(always)]
fn words<B: Backend<N>, const N: usize>(block: &Block, at: usize) -> [Lanes<B, N>; 8] {
    let zero = Lanes::zero();
    let (first, second) = (load3::<B, N>(&block.tangents[0], at), load3::<B, N>(&block.tangents[1], at));
    let along_first = load::<B, N>(&block.friction_impulse[0], at);
    let along_second = load::<B, N>(&block.friction_impulse[1], at);
    let mut friction = [zero; 3];
    for k in 0..3 {
        let sum = first[k].mul32(along_first) + second[k].mul32(along_second);
        friction[k] = sum.shr_round::<30>();
    }
    let (mut impulses, mut pressed) = ([zero; 4], zero);
    for (index, point) in block.points[..block.count].iter().enumerate() {
        impulses[index] = load(&point.impulse, at);
        let pushed = load_total::<B, N>(&point.total, at).gt(zero);
        pressed += pushed.keep(Lanes::splat(1 << index));
    }
    [
        both(friction[0], friction[1]),
        both(friction[2], load(&block.twist_impulse, at)),
        both(impulses[0], impulses[1]),
        both(impulses[2], impulses[3]),
        both(load(&block.scale, at), pressed),
        zero,
        zero,
        zero,
    ]
}
