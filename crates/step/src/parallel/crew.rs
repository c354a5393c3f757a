//! [`Crew`]: threads that go through the stages of a job together, as [`Flow`] says.
//!
//! The caller leads. Helpers are the second closures of [`rayon::join`]: an idle thread of the pool steals one, or the leader
//! runs it at the end, when nothing is left to do. That allocates nothing, and cannot block where several worlds step in one
//! pool: idle threads take older work first, and so the steps of other worlds before the helpers of this one.
//!
//! Helpers stay for all jobs of a step, as a [`Company`]: to wake a thread takes about as long as most jobs last. A leader
//! that is no thread of the pool calls for them, and begins meanwhile; who comes when the step is over
//! helps with the next one.

use super::flow::{Chunk, Flow, Job, Line, MOST_COLUMNS, Words, wait_until};
use super::shared::Lent;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::ops::Range;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicU32, Ordering};
use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most threads that work on a step: stages are too short for more.
pub(super) const MOST_THREADS: usize = 16;
/// One column for each, and one for what a single thread does.
const _: () = assert!(MOST_THREADS < MOST_COLUMNS);

/// How many threads steps may use, and memory to lead them.
pub(crate) struct Crew {
    limit: usize,
    /// Whether threads share what is not worth it, too.
    eager: bool,
    /// Memory for jobs of one stage.
    once: Flow<()>,
    words: Words,
    /// Memory for bounds of chunks.
    pub(super) bounds: Vec<u32>,
    /// Those who helped in the last step, or help in this one.
    company: Option<Arc<Company>>,
}

impl Default for Crew {
    fn default() -> Self {
        let (once, words) = (Flow::default(), Words::default());
        Self { limit: MOST_THREADS, eager: false, once, words, bounds: Vec::new(), company: None }
    }
}

/// A copy has the same limit.
impl Clone for Crew {
    fn clone(&self) -> Self {
        Self { limit: self.limit, eager: self.eager, ..Self::default() }
    }
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("limit", &self.limit).field("eager", &self.eager).finish_non_exhaustive()
    }
}

impl Crew {
    /// Lets at most so many threads work on a step.
    pub(crate) fn limit(&mut self, threads: usize) {
        self.limit = threads.clamp(1, MOST_THREADS);
    }

    /// Lets threads share whatever there is, in the smallest chunks: for tests with small worlds.
    pub(crate) fn be_eager(&mut self) {
        self.eager = true;
    }

    /// See [`be_eager`](Self::be_eager).
    pub(crate) const fn is_eager(&self) -> bool {
        self.eager
    }

    /// Whether threads are to share so many of something, of which fewer than `least` are not worth it.
    pub(crate) fn shares(&self, count: usize, least: usize) -> bool {
        (self.eager || count >= least) && self.threads() > 1
    }

    /// How many threads share so many of something, of which fewer than `least` are not worth it.
    pub(crate) fn parts(&self, count: usize, least: usize) -> usize {
        if self.shares(count, least) { self.threads() } else { 1 }
    }

    /// How many threads may work: 1 where others are of no use.
    pub(crate) fn threads(&self) -> usize {
        // The question may start the global pool.
        if self.limit == 1 { 1 } else { self.limit.min(rayon::current_num_threads()) }
    }

    /// Goes through all stages, with as many threads as may work.
    ///
    /// Where two chunks of different stages have something in common that one of them changes, each must wait for the
    /// column of the other. Nobody else does anything of the job meanwhile.
    pub(crate) fn run<J: Job>(&mut self, job: &mut J, flow: &Flow<J::Work>) {
        let threads = self.threads();
        self.go_through(job, flow, threads);
    }

    /// Works on so many chunks that have nothing in common, alone if others are not worth it.
    pub(super) fn run_once<J: Job<Work = ()>>(&mut self, is_worth_it: bool, job: &mut J, chunks: usize) {
        let threads = if is_worth_it || self.eager { self.threads() } else { 1 };
        let mut flow = core::mem::take(&mut self.once);
        flow.clear();
        // One for each thread, to note what is done in words of its own.
        let of_column = |chunk| Chunk { column: (chunk * threads / chunks) as u32, awaits: 0 };
        flow.chunks_mut().extend((0..chunks).map(of_column));
        let group = flow.add_group(0..chunks as u32);
        flow.add_stage((), group);
        self.go_through(job, &flow, threads);
        self.once = flow;
    }

    fn go_through<J: Job>(&mut self, job: &mut J, flow: &Flow<J::Work>, threads: usize) {
        let helpers = 1..threads.min(flow.most_threads()).max(1);
        if helpers.is_empty() {
            return flow.run_alone(job);
        }
        let board = flow.open(&mut self.words, threads);
        let help = |place: usize| board.help(job, place);
        match self.company.as_ref().filter(|company| company.is_together()) {
            Some(company) => company.share(&help, || board.lead(job)),
            None if is_in_pool() => {
                rayon::join(|| board.lead(job), || fan_out(helpers, &help));
            }
            // A thread of the pool would lead in its place, and waking that takes longer than what is this small.
            None => board.lead(job),
        }
    }

    /// Those who are to be [led](Company::lead) through all jobs of a step, and how many they are with the caller.
    pub(crate) fn gather(&mut self) -> (Arc<Company>, usize) {
        let threads = self.threads();
        let company = self.company.get_or_insert_with(Arc::default);
        company.panic().take();
        company.jobs.0.store(0, Ordering::Relaxed);
        (Arc::clone(company), threads)
    }
}

/// Threads that help with one job after the other.
pub(crate) struct Company {
    /// How many jobs there were; [`CLOSED`] before and after.
    jobs: Line,
    /// Helps with the job, from a place.
    job: Lent,
    /// What a helper panicked with in the job.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// How many were called for, and have not gone yet.
    called: AtomicU32,
}

impl Default for Company {
    fn default() -> Self {
        Self {
            jobs: Line(AtomicU32::new(CLOSED)),
            job: Lent::default(),
            panic: Mutex::default(),
            called: AtomicU32::new(0),
        }
    }
}

impl Company {
    fn is_together(&self) -> bool {
        self.jobs.0.load(Ordering::Relaxed) != CLOSED
    }

    /// Does what has jobs for as many threads in it, the caller among them.
    pub(crate) fn lead<R: Send>(self: &Arc<Self>, threads: usize, work: impl FnOnce() -> R + Send) -> R {
        if is_in_pool() {
            // Without an allocation; from outside, a thread of the pool would have to wake up before anything is done.
            return rayon::join(|| self.keep(work), || self.help(threads)).0;
        }
        self.lead_from_here(threads, work)
    }

    /// The same, with work that stays in the thread of the caller.
    pub(crate) fn lead_from_here<R>(self: &Arc<Self>, threads: usize, work: impl FnOnce() -> R) -> R {
        self.call(threads);
        self.keep(work)
    }

    /// Keeps those who help until the work is done. They may go then, also when it panics.
    fn keep<R>(&self, work: impl FnOnce() -> R) -> R {
        let _close = Close(&self.jobs.0);
        work()
    }

    /// Lets others help while the caller leads, who gets the panic of a helper when all is done.
    fn share(&self, help: &(dyn Fn(usize) + Sync), lead: impl FnOnce()) {
        let help = |place: usize| {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| help(place))) {
                *self.panic() = Some(payload);
            }
        };
        self.job.lend(&help, || {
            self.jobs.0.fetch_add(1, Ordering::Release);
            lead();
        });
        let payload = self.panic().take();
        if let Some(payload) = payload {
            resume_unwind(payload);
        }
    }

    fn panic(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls for as many threads of the pool as there are to be with the leader, which does not wait for them: not for
    /// those that come, and not for those that have other work. Whoever did not come yet is not called again.
    fn call(self: &Arc<Self>, threads: usize) {
        let missing = self.called.load(Ordering::Relaxed) as usize + 1..threads;
        for place in missing {
            self.called.fetch_add(1, Ordering::Relaxed);
            let company = Arc::clone(self);
            rayon::spawn(move || {
                company.help_at(place);
                company.called.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }

    /// Helps with all jobs, from as many places as there are threads, besides that of the leader.
    fn help(&self, threads: usize) {
        fan_out(1..threads, &|place| self.help_at(place));
    }

    fn help_at(&self, place: usize) {
        let mut seen = 0;
        loop {
            seen = next(&self.jobs.0, seen);
            if seen == CLOSED {
                return;
            }
            // Or with the next one, if that one is over. Who helps twice finds nothing left.
            self.job.call(place);
        }
    }
}

/// Whether the caller is a thread of a pool.
fn is_in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// Offers help at all places to the pool.
fn fan_out(places: Range<usize>, help: &(impl Fn(usize) + Sync)) {
    match places.len() {
        0 => {}
        1 => help(places.start),
        length => {
            let middle = places.start + length / 2;
            rayon::join(|| fan_out(places.start..middle, help), || fan_out(middle..places.end, help));
        }
    }
}

/// The number of no job: there are no more.
const CLOSED: u32 = u32::MAX;

/// Tells helpers that there are no more jobs, also when the leader panics.
struct Close<'a>(&'a AtomicU32);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.store(CLOSED, Ordering::Release);
    }
}

/// Waits for another number than `seen`.
fn next(number: &AtomicU32, seen: u32) -> u32 {
    let mut next = seen;
    wait_until(|| {
        next = number.load(Ordering::Acquire);
        next != seen
    });
    next
}

#[cfg(test)]
mod tests {
    use super::super::Claim;
    use super::*;

    /// Notes what was done, in which order.
    struct Notes(Mutex<Vec<(u32, u32)>>);

    impl Job for Notes {
        type Work = u32;

        fn run(&self, work: u32, claim: &mut Claim) {
            // Long enough for others to come.
            std::thread::sleep(std::time::Duration::from_micros(50));
            self.0.lock().unwrap().push((work, claim.chunk() as u32));
        }
    }

    /// Stages of so many chunks, from one number to another, of which all wait for all before.
    fn stages_of(sizes: &[(u32, u32)]) -> Flow<u32> {
        let mut flow = Flow::default();
        let count = sizes.iter().map(|&(_, end)| end).max().unwrap_or(0);
        flow.chunks_mut().extend((0..count).map(|column| Chunk { column, awaits: (1 << count) - 1 }));
        for (&(start, end), work) in sizes.iter().zip(0..) {
            let group = flow.add_group(start..end);
            flow.add_stage(work, group);
        }
        flow
    }

    const SIZES: [(u32, u32); 8] = [(0, 5), (0, 5), (5, 6), (2, 5), (6, 6), (0, 6), (5, 6), (1, 4)];

    /// What there is to note of stages.
    fn all_of(sizes: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> {
        let works = sizes.iter().zip(0..);
        works.flat_map(|(&(start, end), work)| (start..end).map(move |chunk| (work, chunk)))
    }

    #[test]
    fn every_chunk_is_done_once_and_no_stage_begins_before_the_one_before_it_is_over() {
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for _ in 0..20 {
                let mut notes = Notes(Mutex::new(Vec::new()));
                pool.install(|| Crew::default().run(&mut notes, &stages_of(&SIZES)));
                let mut done = notes.0.into_inner().unwrap();
                assert!(done.is_sorted_by_key(|(work, _)| *work), "{threads} threads: {done:?}");
                done.sort_unstable();
                assert!(done.iter().copied().eq(all_of(&SIZES)), "{threads} threads: {done:?}");
            }
        }
    }

    /// Waits until a second thread has come, in the first stage.
    struct Meeting(AtomicU32);

    impl Job for Meeting {
        type Work = u32;

        fn run(&self, _: u32, _: &mut Claim) {
            self.0.fetch_add(1, Ordering::SeqCst);
            while self.0.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn idle_threads_of_the_pool_help() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let mut meeting = Meeting(AtomicU32::new(0));
        pool.install(|| Crew::default().run(&mut meeting, &stages_of(&[(0, 2)])));
    }

    /// Leads jobs in a pool of so many threads, which help with all of them: as halves of a join, and called for.
    fn lead_jobs(threads: usize, jobs: impl Fn(&mut Crew) + Sync) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut crew = Crew::default();
            let (company, threads) = crew.gather();
            company.lead(threads, || jobs(&mut crew));
            assert!(!company.is_together());
            let (company, threads) = crew.gather();
            company.lead_from_here(threads, || jobs(&mut crew));
            assert!(!company.is_together());
        });
    }

    #[test]
    fn a_company_does_one_job_after_the_other_and_each_chunk_once() {
        for threads in [1, 2, 3, 8] {
            lead_jobs(threads, |crew| {
                for _ in 0..20 {
                    let mut notes = Notes(Mutex::new(Vec::new()));
                    crew.run(&mut notes, &stages_of(&SIZES));
                    let mut done = notes.0.into_inner().unwrap();
                    assert!(done.is_sorted_by_key(|(work, _)| *work), "{threads} threads: {done:?}");
                    done.sort_unstable();
                    assert!(done.iter().copied().eq(all_of(&SIZES)), "{threads} threads: {done:?}");
                }
            });
        }
    }

    #[test]
    fn a_company_stays_for_all_jobs() {
        lead_jobs(2, |crew| {
            for _ in 0..100 {
                let mut meeting = Meeting(AtomicU32::new(0));
                crew.run(&mut meeting, &stages_of(&[(0, 2)]));
            }
        });
    }

    #[test]
    fn a_panic_in_a_job_of_a_company_reaches_the_caller_and_leaves_nobody_waiting() {
        for _ in 0..20 {
            lead_jobs(3, |crew| {
                for _ in 0..3 {
                    let fail = || crew.run(&mut Failure, &stages_of(&SIZES));
                    assert!(catch_unwind(AssertUnwindSafe(fail)).is_err());
                }
            });
        }
    }

    #[test]
    fn who_does_not_come_is_called_once_and_helps_when_there_is_time() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let mut crew = Crew::default();
            let (begin, begun) = std::sync::mpsc::channel();
            let (release, released) = std::sync::mpsc::channel::<()>();
            rayon::spawn(move || {
                begin.send(()).unwrap();
                released.recv().unwrap();
            });
            begun.recv().unwrap();
            for _ in 0..10 {
                let (company, threads) = crew.gather();
                company.lead_from_here(threads, || {
                    crew.run(&mut Notes(Mutex::default()), &stages_of(&SIZES[..2]));
                });
                assert_eq!(company.called.load(Ordering::SeqCst), 1);
            }
            // Together again before the thread is free: who finds nobody goes.
            let (company, _) = crew.gather();
            release.send(()).unwrap();
            company.keep(|| crew.run(&mut Meeting(AtomicU32::new(0)), &stages_of(&[(0, 2)])));
            while company.called.load(Ordering::SeqCst) > 0 {
                std::thread::yield_now();
            }
        });
    }

    /// Fails in one chunk, whoever has it.
    struct Failure;

    impl Job for Failure {
        type Work = u32;

        fn run(&self, work: u32, claim: &mut Claim) {
            std::thread::sleep(std::time::Duration::from_micros(20));
            assert!((work, claim.chunk()) != (1, 4), "a chunk fails");
        }
    }

    #[test]
    fn a_panic_in_a_chunk_reaches_the_caller_and_leaves_nobody_waiting() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for _ in 0..20 {
            let fail = || pool.install(|| Crew::default().run(&mut Failure, &stages_of(&SIZES)));
            let result = catch_unwind(AssertUnwindSafe(fail));
            assert!(result.is_err());
        }
    }

    #[test]
    fn a_limit_holds_whatever_the_pool_has() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        pool.install(|| {
            let mut crew = Crew::default();
            assert_eq!(crew.threads(), 4);
            for (limit, threads) in [(0, 1), (1, 1), (3, 3), (100, 4)] {
                crew.limit(limit);
                assert_eq!((crew.threads(), crew.clone().threads()), (threads, threads));
            }
        });
    }
}
