//! The grid on which the boxes of nodes lie: cells, counted by 31-bit words from its edge.
//!
//! A node then is one cache line, and the box of a child is compared by three 64-bit subtractions. Every
//! coordinate goes through the same monotone map, so `a ≤ b` implies `cell(a) ≤ cell(b)`: boxes that overlap,
//! overlap on the grid, and no box needs rounding outward. Coordinates beyond the grid fall on its outermost
//! cells, which reach to the ends of the world; that costs speed there and changes no answer.

use super::node::{Bounds, TOP};
use alloc::vec::Vec;

/// Cells of 2⁻²⁰ m, a grid of ±2¹⁰ m: what scenes of everyday size get.
const MIN_SHIFT: u32 = 12;

/// Cells of 4 m, a grid of the whole world wherever it is centred.
const MAX_SHIFT: u32 = 34;

/// Cells from the edge of the grid to its middle.
const HALF: i64 = 1 << 30;

#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Its first cell, counted from the origin of the world.
    first: [i64; 3],
    /// A cell is 2^shift units of 2⁻³² m.
    pub(super) shift: u32,
}

impl Grid {
    pub(super) fn around(center: [i64; 3]) -> Self {
        Self::new(center, MIN_SHIFT)
    }

    fn new(center: [i64; 3], shift: u32) -> Self {
        Self { first: center.map(|coordinate| (coordinate >> shift) - HALF), shift }
    }

    /// The coordinate where cell 0 begins.
    pub(super) const fn origin(&self, axis: usize) -> i128 {
        (self.first[axis] as i128) << self.shift
    }

    /// The finest grid that reaches well beyond most of the points; the order of `centers` is lost.
    ///
    /// Quantiles, since one plane or one runaway shall not coarsen the grid for all others.
    pub(super) fn fitting(centers: &mut [Vec<i64>; 3]) -> Self {
        let mut center = [0; 3];
        let mut span = 0;
        for (center, axis) in center.iter_mut().zip(centers) {
            let count = axis.len();
            if count == 0 {
                continue;
            }
            *center = *axis.select_nth_unstable(count / 2).1;
            let low = *axis.select_nth_unstable(count / 16).1;
            let high = *axis.select_nth_unstable(count - 1 - count / 16).1;
            span = span.max(high.abs_diff(low));
        }
        // Four times the span to each side: 2^(30 + shift) ≥ 4 · span.
        let bits = u64::BITS - span.leading_zeros() + 2;
        Self::new(center, bits.saturating_sub(30).clamp(MIN_SHIFT, MAX_SHIFT))
    }

    /// The cell of a coordinate, wherever that is.
    #[inline]
    pub(super) const fn unbounded_cell(&self, coordinate: i64, axis: usize) -> i64 {
        // Both are below 2^52 in magnitude.
        (coordinate >> self.shift) - self.first[axis]
    }

    /// The cell of a coordinate; beyond the grid, the outermost one.
    #[inline]
    pub(super) const fn cell(&self, coordinate: i64, axis: usize) -> i32 {
        let cell = self.unbounded_cell(coordinate, axis);
        if cell > TOP as i64 {
            TOP
        } else if cell < 0 {
            0
        } else {
            cell as i32
        }
    }

    /// The cells of a box given as minimum and complement of the maximum.
    #[inline]
    pub(super) const fn bounds(&self, tight: &[i64; 6]) -> Bounds {
        [
            self.cell(tight[0], 0),
            self.cell(tight[1], 1),
            self.cell(tight[2], 2),
            TOP - self.cell(!tight[3], 0),
            TOP - self.cell(!tight[4], 1),
            TOP - self.cell(!tight[5], 2),
        ]
    }

    /// Whether a point falls on an outermost cell.
    pub(super) fn is_outside(&self, point: [i64; 3]) -> bool {
        (0..3).any(|axis| matches!(self.cell(point[axis], axis), 0 | TOP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_the_order_of_coordinates_at_every_distance() {
        for grid in [Grid::around([0; 3]), Grid::around([i64::MAX, 0, 0]), Grid::new([7; 3], MAX_SHIFT)] {
            let line = [i64::MIN, i64::MIN + 1, -(1 << 62), -4097, -4096, -1, 0, 1, 4096, 1 << 43, i64::MAX];
            for pair in line.windows(2) {
                assert!(grid.cell(pair[0], 0) <= grid.cell(pair[1], 0), "{pair:?} {grid:?}");
            }
        }
    }

    #[test]
    fn a_few_far_away_do_not_coarsen_the_grid() {
        let mut line: Vec<i64> = (0..100).map(|i| i << 32).collect();
        line.extend([i64::MIN, i64::MAX]);
        let grid = Grid::fitting(&mut [line.clone(), line.clone(), line]);
        assert_eq!(grid.shift, MIN_SHIFT);
        assert!(grid.is_outside([i64::MIN, 0, 0]) && !grid.is_outside([99 << 32; 3]));
        let ends = || alloc::vec![i64::MIN, 0, i64::MAX];
        let grid = Grid::fitting(&mut [ends(), ends(), ends()]);
        assert!(
            grid.shift == MAX_SHIFT && !grid.is_outside([i64::MIN; 3]) && !grid.is_outside([i64::MAX; 3])
        );
    }
}
