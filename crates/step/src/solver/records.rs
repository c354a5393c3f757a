//! How contacts get at the velocities of their bodies: by records, which may lie anywhere.

#[cfg(not(feature = "parallel"))]
use super::BLOCK;
use super::Block;
#[cfg(not(feature = "parallel"))]
use super::bodies::Record;
use super::bodies::Velocity;
#[cfg(not(feature = "parallel"))]
use isostep_math::wide::prefetch;
use isostep_math::wide::{Backend, Lanes, Mask, chunk_at};

/// Where one of the bodies of contacts has joints, as `joined` tells by records.
#[inline(always)]
pub(super) fn are_joined<B: Backend<N>, const N: usize>(
    block: &Block,
    at: usize,
    joined: &[bool],
) -> Mask<B, N> {
    let (a, b): (&[u32; N], &[u32; N]) = (chunk_at(&block.a, at), chunk_at(&block.b, at));
    let mut either = [false; N];
    for lane in 0..N {
        either[lane] = joined[a[lane] as usize] || joined[b[lane] as usize];
    }
    Mask::from_array(either)
}

/// Velocities by records.
pub(crate) trait Gather {
    /// The columns of the records at the indices.
    ///
    /// # Panics
    /// Where there is no such record.
    fn gather<B: Backend<N>, const N: usize>(&self, indices: &[u32; N]) -> [Lanes<B, N>; 8];
}

impl Gather for [Velocity] {
    #[inline(always)]
    fn gather<B: Backend<N>, const N: usize>(&self, indices: &[u32; N]) -> [Lanes<B, N>; 8] {
        Lanes::gather_records(self, indices)
    }
}

#[cfg(feature = "parallel")]
pub(crate) use crate::parallel::Records;

/// Velocities that contacts read and change. With the feature `parallel` there is another one for several threads.
#[cfg(not(feature = "parallel"))]
pub(crate) struct Records<'a> {
    velocities: &'a mut [Velocity],
    /// The records from 1 to this are changed, the others only read.
    movable: usize,
}

#[cfg(not(feature = "parallel"))]
impl<'a> Records<'a> {
    /// Of all records, of which contacts move `movable` after record 0.
    pub(crate) fn new(velocities: &'a mut [Velocity], movable: usize) -> Self {
        Self { velocities, movable }
    }

    /// Tells the caches of the records of both bodies of each contact.
    #[inline(always)]
    pub(crate) fn bring(&self, [a, b]: [&[u32; BLOCK]; 2]) {
        for lane in 0..BLOCK {
            prefetch(self.velocities.as_ptr().wrapping_add(a[lane] as usize));
            prefetch(self.velocities.as_ptr().wrapping_add(b[lane] as usize));
        }
    }

    /// Stores lane `i` of the columns to record `indices[i]`, if that is movable.
    #[inline(always)]
    pub(crate) fn scatter<B: Backend<N>, const N: usize>(
        &mut self,
        columns: &[Lanes<B, N>; 8],
        indices: &[u32; N],
    ) {
        let records = Lanes::to_records(columns);
        for i in 0..N {
            let index = indices[i] as usize;
            if index.wrapping_sub(1) < self.movable {
                self.velocities[index] = Record(records[i]);
            }
        }
    }
}

#[cfg(not(feature = "parallel"))]
impl Gather for Records<'_> {
    #[inline(always)]
    fn gather<B: Backend<N>, const N: usize>(&self, indices: &[u32; N]) -> [Lanes<B, N>; 8] {
        Lanes::gather_records(self.velocities, indices)
    }
}
