//! Sorting pairs: into buckets by their lesser ids, then each bucket by itself.
//!
//! Half the time of sorting by comparisons for the thousands of pairs of a step. Equal keys are equal pairs, so
//! every way of sorting gives the same list.

use alloc::vec::Vec;

/// Shorter lists are sorted at once.
const MIN_LEN: usize = 64;

/// Memory that is kept from one list to the next.
#[derive(Clone, Debug)]
pub(super) struct SortScratch {
    ends: Vec<u32>,
    sorted: Vec<(u32, u32)>,
}

impl SortScratch {
    pub(super) const fn new() -> Self {
        Self { ends: Vec::new(), sorted: Vec::new() }
    }
}

/// A word that sorts as the pair does.
#[inline]
pub(super) fn key(&(a, b): &(u32, u32)) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// Sorts pairs (a, b) by a, then by b.
pub(super) fn sort(pairs: &mut [(u32, u32)], scratch: &mut SortScratch) {
    // Buckets are counted in 32 bits.
    if pairs.len() < MIN_LEN || pairs.len() > u32::MAX as usize {
        pairs.sort_unstable_by_key(key);
        return;
    }
    // As many buckets as pairs at the most, and two more in front.
    let greatest = pairs.iter().fold(0, |greatest, &(a, _)| greatest.max(a));
    let mut shift = 0;
    while (greatest >> shift) as usize >= pairs.len() {
        shift += 1;
    }
    let SortScratch { ends, sorted } = scratch;
    ends.clear();
    ends.resize((greatest >> shift) as usize + 2, 0);
    for &(a, _) in pairs.iter() {
        ends[(a >> shift) as usize + 1] += 1;
    }
    let mut end = 0;
    for count in ends.iter_mut() {
        end += *count;
        *count = end;
    }
    // Each word now is where its bucket begins, and will be where it ends.
    sorted.clear();
    sorted.resize(pairs.len(), (0, 0));
    for &pair in pairs.iter() {
        let place = &mut ends[(pair.0 >> shift) as usize];
        sorted[*place as usize] = pair;
        *place += 1;
    }
    let mut start = 0;
    for &end in &ends[..ends.len() - 1] {
        let bucket = &mut sorted[start..end as usize];
        if bucket.len() > 1 {
            bucket.sort_unstable_by_key(key);
        }
        start = end as usize;
    }
    pairs.copy_from_slice(sorted);
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::random::Rng;

    #[test]
    fn it_sorts_whatever_the_ids_are() {
        let mut scratch = SortScratch::new();
        let mut rng = Rng::new(1, 1);
        for round in 0..60 {
            let (len, limit) = (rng.below(400), 1 + rng.below(1 << (round % 20)));
            let mut pairs: Vec<(u32, u32)> = (0..len).map(|_| (rng.below(limit), rng.below(limit))).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sort(&mut pairs, &mut scratch);
            assert_eq!(pairs, expected, "round {round}");
        }
    }
}
