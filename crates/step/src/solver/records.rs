//! How contacts get at the velocities of their bodies: by records, which may lie anywhere.

use super::bodies::Velocity;
use isostep_math::wide::{Backend, Lanes};

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
pub(crate) struct Records<'a>(&'a mut [Velocity]);

#[cfg(not(feature = "parallel"))]
impl<'a> Records<'a> {
    /// Of all records. Those that do not move keep their velocities: no row moves them.
    pub(crate) fn new(velocities: &'a mut [Velocity], _movable: usize) -> Self {
        Self(velocities)
    }

    /// Stores lane `i` of the columns to record `indices[i]`.
    #[inline(always)]
    pub(crate) fn scatter<B: Backend<N>, const N: usize>(
        &mut self,
        columns: &[Lanes<B, N>; 8],
        indices: &[u32; N],
    ) {
        Lanes::scatter_records(columns, self.0, indices);
    }
}

#[cfg(not(feature = "parallel"))]
impl Gather for Records<'_> {
    #[inline(always)]
    fn gather<B: Backend<N>, const N: usize>(&self, indices: &[u32; N]) -> [Lanes<B, N>; 8] {
        Lanes::gather_records(self.0, indices)
    }
}
