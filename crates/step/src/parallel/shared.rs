//! Memory that the threads of a job write to at the same time, each in places of its own.
//!
//! What makes it sound, besides the borrow that [`Shared::new`] takes of the whole slice:
//!
//! * nobody has two claims to one chunk at a time, which whoever makes a [`Claim`] promises;
//! * the ranges of chunks do not overlap, which [`Shared::new`] looks after;
//! * no other thread has a record that somebody changes, which whoever asks for [`Shared::records`] promises;
//! * a function that is [`Lent`] is taken back before it is gone, and who calls it holds a lock meanwhile.
//!
//! All that makes references of pointers is here. The other unsafe code of the crate are those promises, which
//! [`flow`](super::flow) and [`schedule`](crate::solver::schedule) make where they argue for them.
#![allow(unsafe_code, reason = "threads write to disjoint parts of a slice")]

use crate::solver::BLOCK;
use crate::solver::bodies::Velocity;
use crate::solver::records::Gather;
use core::marker::PhantomData;
use core::mem::transmute;
use core::ops::Range;
use isostep_math::wide::{Backend, Lanes, prefetch};
use std::sync::{PoisonError, RwLock};

/// A function that other threads may call as long as it is lent to them.
#[derive(Default)]
pub(super) struct Lent(RwLock<Option<Function>>);

type Function = &'static (dyn Fn(usize) + Sync);

impl Lent {
    /// Lends a function while `work` lasts, and gets it back: when this returns, nobody is in it any more.
    pub(super) fn lend<R>(&self, function: &(dyn Fn(usize) + Sync), work: impl FnOnce() -> R) -> R {
        let back = Back(self);
        // SAFETY: `back` takes it out again before this returns or panics. Who calls it has the lock meanwhile.
        let function = unsafe { transmute::<&(dyn Fn(usize) + Sync), Function>(function) };
        self.set(Some(function));
        let result = work();
        drop(back);
        result
    }

    /// Calls the function, if there is one.
    pub(super) fn call(&self, argument: usize) {
        if let Some(function) = *self.0.read().unwrap_or_else(PoisonError::into_inner) {
            function(argument);
        }
    }

    fn set(&self, function: Option<Function>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = function;
    }
}

/// Takes back what was lent.
struct Back<'a>(&'a Lent);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

/// The right to work on a chunk, alone, as long as there is this.
#[derive(Debug)]
pub(crate) struct Claim {
    chunk: u32,
}

impl Claim {
    /// To a chunk.
    ///
    /// # Safety
    /// There is no other claim to the chunk, in any thread, as long as there is this one, and what was done with earlier ones
    /// has been seen by this thread.
    pub(super) const unsafe fn new(chunk: u32) -> Self {
        Self { chunk }
    }

    /// The number of the chunk.
    pub(super) const fn chunk(&self) -> usize {
        self.chunk as usize
    }
}

/// A slice of which threads change the chunks that they have claimed.
pub(crate) struct Shared<'a, T> {
    pointer: *mut T,
    length: usize,
    /// The number of the first chunk.
    first: u32,
    /// Where each chunk starts, and where the last one ends.
    bounds: &'a [u32],
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: what threads share is what it lends them. A claim lends `&mut [T]` of a chunk that nobody else has, to whatever
// thread holds the claim: that asks for `T: Send`. Records are copied out and in where no other thread changes them, so `&T`
// may be seen by several: that asks for `T: Sync`.
unsafe impl<T: Send + Sync> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    /// Of a slice in chunks, numbered from `first` on, that begin and end at `bounds`.
    ///
    /// # Panics
    /// If the bounds do not ascend, or reach beyond the slice.
    pub(crate) fn new(slice: &'a mut [T], first: u32, bounds: &'a [u32]) -> Self {
        assert!(bounds.is_sorted() && bounds.last().is_none_or(|&end| end as usize <= slice.len()));
        Self { pointer: slice.as_mut_ptr(), length: slice.len(), first, bounds, slice: PhantomData }
    }

    /// The chunk that is claimed.
    pub(crate) fn part<'c>(&self, claim: &'c mut Claim) -> &'c mut [T]
    where
        'a: 'c,
    {
        self.at(claim)
    }

    /// The chunk that is claimed, of two slices.
    ///
    /// # Panics
    /// If they are the same one.
    pub(crate) fn parts<'c, U>(
        &self,
        other: &Shared<'a, U>,
        claim: &'c mut Claim,
    ) -> (&'c mut [T], &'c mut [U])
    where
        'a: 'c,
    {
        // Empty slices may have one address.
        let is_same = self.pointer.cast::<u8>() == other.pointer.cast::<u8>();
        assert!(!is_same || self.length == 0 || other.length == 0);
        (self.at(claim), other.at(claim))
    }

    #[allow(clippy::mut_from_ref, reason = "whoever has a claim has the chunk alone")]
    fn at<'c>(&self, claim: &Claim) -> &'c mut [T]
    where
        'a: 'c,
    {
        let Range { start, end } = self.range(claim);
        // SAFETY: the bounds ascend within the slice, so the chunk is a part of it that overlaps with no other one; whoever
        // made the claim promised that it is the only one to this chunk.
        unsafe { core::slice::from_raw_parts_mut(self.pointer.add(start), end - start) }
    }

    /// Where the chunk that is claimed is in the slice.
    pub(crate) fn range(&self, claim: &Claim) -> Range<usize> {
        let index = (claim.chunk - self.first) as usize;
        self.bounds[index] as usize..self.bounds[index + 1] as usize
    }
}

impl Shared<'_, Velocity> {
    /// All records, wherever chunks begin: those from 1 to `movable` to be changed, the others to be read.
    ///
    /// # Safety
    /// As long as there is this, no other thread changes a record that is gathered with it, and none changes or reads a
    /// movable one that is scattered to; and what was done to them before has been seen by this thread.
    pub(crate) unsafe fn records(&self, movable: usize) -> Records<'_> {
        assert!(movable < self.length);
        Records { pointer: self.pointer, length: self.length, movable, slice: PhantomData }
    }
}

/// Velocities that contacts read and change, or displacements that they read, wherever they are.
///
/// Copies of it are as good as one: no reference to a record outlives a call, and its pointer keeps it on its thread. What
/// other threads do meanwhile, whoever asked for [`Shared::records`] promised.
#[derive(Clone, Copy)]
pub(crate) struct Records<'a> {
    pointer: *mut Velocity,
    length: usize,
    /// The records from 1 to this are changed, the others only read.
    movable: usize,
    slice: PhantomData<&'a mut [Velocity]>,
}

impl<'a> Records<'a> {
    /// Of all records, of which contacts move `movable` after record 0.
    pub(crate) fn new(velocities: &'a mut [Velocity], movable: usize) -> Self {
        assert!(movable < velocities.len());
        let length = velocities.len();
        Self { pointer: velocities.as_mut_ptr(), length, movable, slice: PhantomData }
    }

    /// Tells the caches of the records of both bodies of each contact.
    #[inline(always)]
    pub(crate) fn bring(&self, [a, b]: [&[u32; BLOCK]; 2]) {
        for lane in 0..BLOCK {
            prefetch(self.pointer.wrapping_add(a[lane] as usize));
            prefetch(self.pointer.wrapping_add(b[lane] as usize));
        }
    }

    /// Stores lane `i` of the columns to record `indices[i]`, if that is movable: what does not move keeps its velocity
    /// anyway, and many contacts have it at the same time.
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
                // SAFETY: movable records are within the slice, which is borrowed, or of which whoever asked for the records
                // promised that no other thread has this one.
                unsafe { (*self.pointer.add(index)).0 = records[i] };
            }
        }
    }
}

impl Gather for Records<'_> {
    #[inline(always)]
    fn gather<B: Backend<N>, const N: usize>(&self, indices: &[u32; N]) -> [Lanes<B, N>; 8] {
        let mut records = [&[0; 8]; N];
        for i in 0..N {
            let index = indices[i] as usize;
            assert!(index < self.length);
            // SAFETY: it is within the slice, which is borrowed, or of which whoever asked for the records promised that nobody
            // changes this one.
            records[i] = unsafe { &(*self.pointer.add(index)).0 };
        }
        Lanes::from_records(records)
    }
}
