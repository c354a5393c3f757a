//! Loops over slices, as jobs of one stage.

use super::crew::MOST_THREADS;
use super::{Claim, Crew, Job, Shared};

impl Crew {
    /// Works on all items, chunk by chunk: `work` gets the number of the first item and the items of a chunk. Fewer
    /// items than `least` are not worth the threads.
    pub(crate) fn for_each<T: Send + Sync>(
        &mut self,
        items: &mut [T],
        size: usize,
        least: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        if !self.shares(items.len(), least) {
            for (chunk, first) in items.chunks_mut(size).zip((0..).step_by(size)) {
                work(first, chunk);
            }
            return;
        }
        let mut bounds = core::mem::take(&mut self.bounds);
        bounds.clear();
        bounds.extend((0..items.len() as u32).step_by(size));
        bounds.push(items.len() as u32);
        self.for_each_between(items, &bounds, true, work);
        self.bounds = bounds;
    }

    /// Works on the items between bounds: `work` gets the number of the first item and the items of a chunk.
    pub(crate) fn for_each_between<T: Send + Sync>(
        &mut self,
        items: &mut [T],
        bounds: &[u32],
        is_worth_it: bool,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let mut each = Each { items: Shared::new(items, 0, bounds), work };
        self.run_once(is_worth_it, &mut each, bounds.len().saturating_sub(1));
    }

    /// Works on parts of something that `divide` makes two halves of, and of those again, until there are two parts for
    /// each thread. If it has fewer than `least` of what it counts, it is not worth the threads.
    pub(crate) fn for_each_part<T: Send + Sync>(
        &mut self,
        whole: T,
        count: usize,
        least: usize,
        divide: &impl Fn(T) -> (T, T),
        work: &(impl Fn(T) + Sync),
    ) {
        if !self.shares(count, least) {
            return work(whole);
        }
        let mut parts = [const { None }; 2 * MOST_THREADS];
        let count = 2 * self.threads();
        halve(whole, &mut parts[..count], divide);
        let bounds: [u32; 2 * MOST_THREADS + 1] = core::array::from_fn(|part| part as u32);
        self.for_each_between(&mut parts, &bounds[..=count], true, |_, parts| {
            parts.iter_mut().filter_map(Option::take).for_each(work);
        });
    }

    /// Works on chunks of two slices: chunk k of each is from bound k to bound k + 1. `work` gets its number and both
    /// parts.
    pub(crate) fn for_each_of_two<T: Send + Sync, U: Send + Sync>(
        &mut self,
        (first, second): (&mut [T], &mut [U]),
        bounds: [&[u32]; 2],
        is_worth_it: bool,
        work: impl Fn(usize, &mut [T], &mut [U]) + Sync,
    ) {
        let chunks = bounds[0].len().min(bounds[1].len()).saturating_sub(1);
        let mut pair = EachOfTwo {
            first: Shared::new(first, 0, bounds[0]),
            second: Shared::new(second, 0, bounds[1]),
            work,
        };
        self.run_once(is_worth_it, &mut pair, chunks);
    }
}

/// Divides a whole into as many parts.
fn halve<T>(whole: T, parts: &mut [Option<T>], divide: &impl Fn(T) -> (T, T)) {
    if let [part] = parts {
        *part = Some(whole);
        return;
    }
    let (first, second) = divide(whole);
    let (first_parts, second_parts) = parts.split_at_mut(parts.len() / 2);
    halve(first, first_parts, divide);
    halve(second, second_parts, divide);
}

struct Each<'a, T, F> {
    items: Shared<'a, T>,
    work: F,
}

impl<T: Send + Sync, F: Fn(usize, &mut [T]) + Sync> Job for Each<'_, T, F> {
    type Work = ();

    fn run(&self, (): (), claim: &mut Claim) {
        (self.work)(self.items.range(claim).start, self.items.part(claim));
    }
}

struct EachOfTwo<'a, T, U, F> {
    first: Shared<'a, T>,
    second: Shared<'a, U>,
    work: F,
}

impl<T: Send + Sync, U: Send + Sync, F: Fn(usize, &mut [T], &mut [U]) + Sync> Job for EachOfTwo<'_, T, U, F> {
    type Work = ();

    fn run(&self, (): (), claim: &mut Claim) {
        let chunk = claim.chunk();
        let (first, second) = self.first.parts(&self.second, claim);
        (self.work)(chunk, first, second);
    }
}
