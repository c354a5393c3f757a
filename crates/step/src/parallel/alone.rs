//! A crew of one: the same calls without threads.

/// The caller alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crew {}

impl Crew {
    /// How many threads share so many of something.
    pub(crate) fn parts(&self, _count: usize, _least: usize) -> usize {
        1
    }

    /// Works on all items, chunk by chunk: `work` gets the number of the first item and the items of a chunk.
    pub(crate) fn for_each<T>(
        &mut self,
        items: &mut [T],
        size: usize,
        _least: usize,
        work: impl Fn(usize, &mut [T]),
    ) {
        for (chunk, first) in items.chunks_mut(size).zip((0..).step_by(size)) {
            work(first, chunk);
        }
    }

    /// Works on all of something that could be divided.
    pub(crate) fn for_each_part<T>(
        &mut self,
        whole: T,
        _count: usize,
        _least: usize,
        _divide: &impl Fn(T) -> (T, T),
        work: &impl Fn(T),
    ) {
        work(whole);
    }

    /// Works on the items between bounds: `work` gets the number of the first item and the items of a chunk.
    pub(crate) fn for_each_between<T>(
        &mut self,
        items: &mut [T],
        bounds: &[u32],
        _is_worth_it: bool,
        work: impl Fn(usize, &mut [T]),
    ) {
        for range in bounds.windows(2) {
            let (start, end) = (range[0] as usize, range[1] as usize);
            work(start, &mut items[start..end]);
        }
    }

    /// Works on chunks of two slices that begin where `bounds` say, and on what ends them.
    pub(crate) fn for_each_of_two<T, U>(
        &mut self,
        (first, second): (&mut [T], &mut [U]),
        bounds: [&[u32]; 2],
        _is_worth_it: bool,
        work: impl Fn(usize, &mut [T], &mut [U]),
    ) {
        for (chunk, (first_range, second_range)) in bounds[0].windows(2).zip(bounds[1].windows(2)).enumerate()
        {
            work(
                chunk,
                &mut first[first_range[0] as usize..first_range[1] as usize],
                &mut second[second_range[0] as usize..second_range[1] as usize],
            );
        }
    }
}
