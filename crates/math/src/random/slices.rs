//! Order and choice in slices.

use super::Rng;

impl Rng {
    /// An index below `len`, by 32-bit draws as long as these can reach it: the pointer width has no say.
    fn index(&mut self, len: usize) -> usize {
        match u32::try_from(len) {
            Ok(len) => self.below(len) as usize,
            Err(_) => self.below_u64(len as u64) as usize,
        }
    }

    /// Brings the elements into a random order, all orders equally likely (Fisher and Yates, from the end).
    ///
    /// A stream has 2⁶⁴ positions, so of more than 20 elements (20! < 2⁶⁴ < 21!) not every order can appear.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for last in (1..slice.len()).rev() {
            let other = self.index(last + 1);
            slice.swap(last, other);
        }
    }

    /// One of the elements, all equally likely; `None`, and no draw, if there are none.
    #[must_use]
    pub fn choose<'a, T>(&mut self, slice: &'a [T]) -> Option<&'a T> {
        if slice.is_empty() {
            return None;
        }
        let index = self.index(slice.len());
        slice.get(index)
    }

    /// The index of one of the weights, each as likely as its share of the sum; `None`, and no draw, if all
    /// weights are 0 or there are none.
    ///
    /// The sum is exact for up to 2³² weights.
    #[must_use]
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total = weights.iter().fold(0_u64, |sum, weight| sum.saturating_add(u64::from(*weight)));
        if total == 0 {
            return None;
        }
        let mut left = self.below_u64(total);
        weights.iter().position(|weight| {
            let weight = u64::from(*weight);
            let found = left < weight;
            left = left.saturating_sub(weight);
            found
        })
    }
}
