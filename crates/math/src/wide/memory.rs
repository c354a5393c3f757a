//! Gathers, scatters and transpositions: records in memory, columns in lanes.

use super::backend::Backend;
use super::{Lanes, Mask};

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
    /// # Panics
    /// When an index is not below the length of the slice, like indexing.
    #[inline(always)]
    #[must_use]
    pub fn gather_records<const K: usize>(records: &[[i64; K]], indices: &[u32; N]) -> [Self; K] {
        let mut columns = [[0; N]; K];
        for i in 0..N {
            let record = &records[indices[i] as usize];
            for k in 0..K {
                columns[k][i] = record[k];
            }
        }
        let mut out = [Self::zero(); K];
        for k in 0..K {
            out[k] = Self::from_array(columns[k]);
        }
        out
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
    /// indices the last lane stays.
    ///
    /// # Panics
    /// When an index is not below the length of the slice, like indexing; earlier lanes are stored then.
    #[inline(always)]
    pub fn scatter_records<const K: usize>(
        columns: &[Self; K],
        records: &mut [[i64; K]],
        indices: &[u32; N],
    ) {
        let mut arrays = [[0; N]; K];
        for k in 0..K {
            arrays[k] = columns[k].to_array();
        }
        for i in 0..N {
            let record = &mut records[indices[i] as usize];
            for k in 0..K {
                record[k] = arrays[k][i];
            }
        }
    }
}
