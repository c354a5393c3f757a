//! Gathers, scatters and transpositions: records in memory, columns in lanes.

use super::backend::Backend;
use super::{Lanes, Mask};
use core::borrow::Borrow;

/// The `N` elements from `at` on: what a kernel takes of a column at once.
///
/// The length is known, so no loop and no call is left of a copy. `copy_from_slice` is one, of a length that is not known, wherever
/// compilers do not look into it: at low levels of optimisation, and without link-time optimisation in a crate of several units.
///
/// # Panics
/// When the column ends earlier.
#[inline(always)]
#[must_use]
pub fn chunk_at<T, const N: usize>(column: &[T], at: usize) -> &[T; N] {
    match column[at..at + N].first_chunk() {
        Some(chunk) => chunk,
        None => unreachable!("slices have the length that they were asked for"),
    }
}

/// As [`chunk_at`], to be changed.
///
/// # Panics
/// When the column ends earlier.
#[inline(always)]
#[must_use]
pub fn chunk_at_mut<T, const N: usize>(column: &mut [T], at: usize) -> &mut [T; N] {
    match column[at..at + N].first_chunk_mut() {
        Some(chunk) => chunk,
        None => unreachable!("slices have the length that they were asked for"),
    }
}

impl<B: Backend<N>, const N: usize> Lanes<B, N> {
    /// Lane `i` is `values[indices[i]]`.
    ///
    /// # Panics
    /// When an index is not below the length of the slice, like indexing.
    #[inline(always)]
    #[must_use]
    pub fn gather(values: &[i64], indices: &[u32; N]) -> Self {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = values[indices[i] as usize];
        }
        Self::from_array(out)
    }

    /// Lane `i` is `values[indices[i]]`, sign-extended.
    ///
    /// # Panics
    /// When an index is not below the length of the slice, like indexing.
    #[inline(always)]
    #[must_use]
    pub fn gather32(values: &[i32], indices: &[u32; N]) -> Self {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = i64::from(values[indices[i] as usize]);
        }
        Self::from_array(out)
    }

    /// The columns of `N` records: lane `i` of column `k` is `records[indices[i]][k]`.
    ///
    /// Groups of four elements are transposed in registers, the rest is moved one by one: make records a
    /// multiple of four long.
    ///
    /// # Panics
    /// When an index is not below the length of the slice, like indexing.
    #[inline(always)]
    #[must_use]
    pub fn gather_records<R: Borrow<[i64; K]>, const K: usize>(
        records: &[R],
        indices: &[u32; N],
    ) -> [Self; K] {
        Self::from_records(rows_at(records, indices))
    }

    /// The columns of `N` records: lane `i` of column `k` is `records[i][k]`. For records that the caller finds in
    /// memory; [`Self::gather_records`] finds them by indices.
    #[inline(always)]
    #[must_use]
    pub fn from_records<const K: usize>(records: [&[i64; K]; N]) -> [Self; K] {
        let mut out = [Self::zero(); K];
        for quad in 0..K / 4 {
            let mut part = [&[0; 4]; N];
            for i in 0..N {
                part[i] = chunk_at(records[i], 4 * quad);
            }
            let columns = B::columns(part);
            for k in 0..4 {
                out[4 * quad + k] = Self(columns[k]);
            }
        }
        for k in K / 4 * 4..K {
            let mut column = [0; N];
            for i in 0..N {
                column[i] = records[i][k];
            }
            out[k] = Self::from_array(column);
        }
        out
    }

    /// The records that columns are made of: element `k` of record `i` is lane `i` of column `k`. The inverse of
    /// [`Self::from_records`].
    #[inline(always)]
    #[must_use]
    pub fn to_records<const K: usize>(columns: &[Self; K]) -> [[i64; K]; N] {
        let mut records = [[0; K]; N];
        for quad in 0..K / 4 {
            let at = 4 * quad;
            let part = B::rows([columns[at].0, columns[at + 1].0, columns[at + 2].0, columns[at + 3].0]);
            for i in 0..N {
                *chunk_at_mut(&mut records[i], at) = part[i];
            }
        }
        for k in K / 4 * 4..K {
            let column = columns[k].to_array();
            for i in 0..N {
                records[i][k] = column[i];
            }
        }
        records
    }

    /// Stores lane `i` to `values[indices[i]]`, in ascending order: of equal indices the last lane stays.
    ///
    /// # Panics
    /// When an index is not below the length of the slice, like indexing; earlier lanes are stored then.
    #[inline(always)]
    pub fn scatter(self, values: &mut [i64], indices: &[u32; N]) {
        let lanes = self.to_array();
        for i in 0..N {
            values[indices[i] as usize] = lanes[i];
        }
    }

    /// Stores the lanes where `mask` is true like [`Self::scatter`]; the others do not touch memory.
    ///
    /// # Panics
    /// When the index of a true lane is not below the length of the slice, like indexing.
    #[inline(always)]
    pub fn scatter_where(self, mask: Mask<B, N>, values: &mut [i64], indices: &[u32; N]) {
        let (mask, lanes) = (mask.to_array(), self.to_array());
        for i in 0..N {
            if mask[i] {
                values[indices[i] as usize] = lanes[i];
            }
        }
    }

    /// Stores lane `i` of column `k` to `records[indices[i]][k]`, in ascending order of lanes: of equal
    /// indices the last lane stays. The inverse of [`Self::gather_records`], with the same transpositions.
    ///
    /// # Panics
    /// When an index is not below the length of the slice, like indexing; earlier lanes are stored then.
    #[inline(always)]
    pub fn scatter_records<const K: usize>(
        columns: &[Self; K],
        records: &mut [[i64; K]],
        indices: &[u32; N],
    ) {
        for quad in 0..K / 4 {
            let at = 4 * quad;
            let part = B::rows([columns[at].0, columns[at + 1].0, columns[at + 2].0, columns[at + 3].0]);
            for i in 0..N {
                *chunk_at_mut(&mut records[indices[i] as usize], at) = part[i];
            }
        }
        for k in K / 4 * 4..K {
            let column = columns[k].to_array();
            for i in 0..N {
                records[indices[i] as usize][k] = column[i];
            }
        }
    }
}

/// The records at the indices, each index checked once.
#[inline(always)]
fn rows_at<'a, R: Borrow<[i64; K]>, const N: usize, const K: usize>(
    records: &'a [R],
    indices: &[u32; N],
) -> [&'a [i64; K]; N] {
    let mut rows = [&[0; K]; N];
    for i in 0..N {
        rows[i] = records[indices[i] as usize].borrow();
    }
    rows
}
