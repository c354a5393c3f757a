//! What collides with what.

use serde::{Deserialize, Serialize};

/// How many layers there are.
pub const LAYERS: usize = 32;

/// What a collider collides with: two meet if the world's matrix lets their layers meet, if each one's mask has the
/// other's groups, and if their bodies are not an excluded pair. Sensors ask layers and masks alone: they see excluded pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Filter {
    /// The layer, below [`LAYERS`].
    pub layer: u8,
    /// The groups it is in, a bit each.
    pub groups: u32,
    /// The groups it collides with, a bit each.
    pub mask: u32,
}

impl Default for Filter {
    /// Layer 0, in all groups, collides with all of them.
    fn default() -> Self {
        Self { layer: 0, groups: u32::MAX, mask: u32::MAX }
    }
}

/// Which layers meet: a symmetric matrix, all of them at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LayerMatrix([u32; LAYERS]);

impl Default for LayerMatrix {
    fn default() -> Self {
        Self([u32::MAX; LAYERS])
    }
}

impl LayerMatrix {
    /// Whether two layers meet; layers from [`LAYERS`] on meet nothing.
    #[must_use]
    pub fn meet(&self, a: u8, b: u8) -> bool {
        self.0.get(usize::from(a)).is_some_and(|row| row.checked_shr(u32::from(b)).unwrap_or(0) & 1 == 1)
    }

    /// Lets two layers below [`LAYERS`] meet, or not.
    pub(crate) fn set(&mut self, a: u8, b: u8, meet: bool) {
        for (row, column) in [(a, b), (b, a)] {
            let bit = 1 << column;
            let row = &mut self.0[usize::from(row)];
            *row = if meet { *row | bit } else { *row & !bit };
        }
    }

    /// Whether it is symmetric: one read from bytes need not be.
    pub(crate) fn is_symmetric(&self) -> bool {
        // Bit by bit: of shifts by each number of bits compilers may make powers of two in floats.
        (0..LAYERS).all(|a| {
            let mut row = self.0[a];
            self.0[..a].iter().all(|other| {
                let is_same = row & 1 == other >> a & 1;
                row >>= 1;
                is_same
            })
        })
    }

    /// The rows, a bit per layer.
    pub(crate) const fn rows(&self) -> &[u32; LAYERS] {
        &self.0
    }

    /// Whether two filters let each other meet.
    pub(crate) fn admit(&self, a: &Filter, b: &Filter) -> bool {
        a.mask & b.groups != 0 && b.mask & a.groups != 0 && self.meet(a.layer, b.layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_masks_and_groups_must_all_agree() {
        let mut matrix = LayerMatrix::default();
        let (a, b) = (Filter { layer: 3, ..Filter::default() }, Filter { layer: 31, ..Filter::default() });
        assert!(matrix.admit(&a, &b));
        matrix.set(3, 31, false);
        assert!(!matrix.admit(&a, &b) && !matrix.admit(&b, &a) && matrix.is_symmetric());
        assert!(matrix.admit(&a, &a));
        let ghost = Filter { mask: 0, ..Filter::default() };
        assert!(!matrix.admit(&ghost, &a) && !matrix.admit(&a, &ghost));
        assert!(!matrix.meet(32, 0) && !matrix.meet(0, 200));
    }

    #[test]
    fn a_matrix_with_one_bit_that_differs_is_not_symmetric() {
        for a in 0..LAYERS {
            for b in 0..LAYERS {
                let mut matrix = LayerMatrix::default();
                matrix.0[a] ^= 1 << b;
                assert_eq!(matrix.is_symmetric(), a == b, "{a}, {b}");
            }
        }
    }
}
