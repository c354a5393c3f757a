//! [`Flow`]: stages of chunks, of which each waits for those before it that it has something in common with.
//!
//! ```text
//! column     0       1       2       3
//! stage 1 │ chunk │ chunk │ chunk │ chunk │
//! stage 2 │ chunk │ chunk │ chunk │ chunk │   that of column 0 waits for columns 0 and 1, and no other
//! ```
//!
//! Chunks are of columns, which belong to threads, and say which columns they wait for. A chunk begins once those have done
//! all their chunks of the stages before; so whatever two chunks have in common they work on one after the other, in the
//! order of their stages, and chunks of one stage do not meet. Threads wait for their neighbours alone, and nobody tells all
//! that a stage is over.
//!
//! A chunk has one word, the number of the last stage in which somebody took it, and it is taken by setting that to
//! the number of another one. A column has one, too: how many chunks it has done. How many that must be before a
//! stage every thread counts by itself ([`Cursor`]). Threads have the same columns in all stages, so that they find in
//! their caches what they had in the stage before; who has to wait for others, or is done, takes what they left behind.
//! So a thread that is late or absent delays nobody: others take its chunks, and the leader alone can finish everything.
//! Nobody waits but for chunks that another thread is in the middle of.
#![allow(unsafe_code, reason = "who takes a chunk promises that nobody else has it")]

use super::shared::Claim;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

/// The most columns: a bit each in a word.
pub(crate) const MOST_COLUMNS: usize = u64::BITS as usize;

/// Looks at words that have not changed yet, some microseconds, before a thread gives way to others: what it waits for may
/// have no core to run on.
const SPINS: u32 = 300;

/// What a crew does.
pub(crate) trait Job: Sync {
    /// What is done in a stage.
    type Work: Copy + Send + Sync;

    /// Does it to a chunk.
    fn run(&self, work: Self::Work, claim: &mut Claim);
}

/// Stages, their chunks, and what these wait for.
#[derive(Clone, Debug)]
pub(crate) struct Flow<W> {
    groups: Vec<Group>,
    stages: Vec<Stage<W>>,
    chunks: Vec<Chunk>,
}

/// What a thread does at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    pub(crate) column: u32,
    /// The columns that it waits for, a bit each: its own one, and those that have something in common with it. Or none, if
    /// it waits for nothing.
    pub(crate) awaits: u64,
}

/// Chunks that may be worked on at the same time.
#[derive(Clone, Debug)]
struct Group {
    chunks: Range<u32>,
    /// How many of them are of each column.
    of_columns: [u32; MOST_COLUMNS],
}

/// What is done to the chunks of a group.
#[derive(Clone, Copy, Debug)]
struct Stage<W> {
    work: W,
    group: u32,
    /// The place of the thread that has the first chunks of the group; others follow.
    first: usize,
}

/// Nothing to do.
impl<W> Default for Flow<W> {
    fn default() -> Self {
        Self { groups: Vec::new(), stages: Vec::new(), chunks: Vec::new() }
    }
}

impl<W: Copy> Flow<W> {
    /// No stages, groups and chunks.
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.stages.clear();
        self.chunks.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// The chunks, in the order of their numbers.
    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The same, to add some, or to say what they wait for.
    pub(crate) fn chunks_mut(&mut self) -> &mut Vec<Chunk> {
        &mut self.chunks
    }

    /// Makes a group of chunks, and returns its number: groups are numbered in the order in which they are made.
    pub(crate) fn add_group(&mut self, chunks: Range<u32>) -> u32 {
        let mut of_columns = [0; MOST_COLUMNS];
        for chunk in &self.chunks[chunks.start as usize..chunks.end as usize] {
            of_columns[chunk.column as usize] += 1;
        }
        self.groups.push(Group { chunks, of_columns });
        self.groups.len() as u32 - 1
    }

    /// Makes a stage, after those that there are.
    pub(crate) fn add_stage(&mut self, work: W, group: u32) {
        self.add_stage_from(0, work, group);
    }

    /// Makes a stage, after those that there are, of which the first chunks are for the thread at a place.
    pub(crate) fn add_stage_from(&mut self, first: usize, work: W, group: u32) {
        debug_assert!((group as usize) < self.groups.len());
        self.stages.push(Stage { work, group, first });
    }

    /// How many threads have something to do.
    pub(super) fn most_threads(&self) -> usize {
        let threads = |stage: &Stage<W>| stage.first + self.groups[stage.group as usize].chunks.len();
        self.stages.iter().map(threads).max().unwrap_or(0)
    }

    /// Does all of it in this thread.
    pub(super) fn run_alone(&self, job: &mut impl Job<Work = W>) {
        for stage in &self.stages {
            for chunk in self.groups[stage.group as usize].chunks.clone() {
                // SAFETY: nobody else has the job, and the claim before this one is gone.
                job.run(stage.work, &mut unsafe { Claim::new(chunk) });
            }
        }
    }

    /// Makes ready what threads tell each other while they go through it.
    pub(super) fn open<'a>(&'a self, words: &'a mut Words, threads: usize) -> Board<'a, W> {
        words.taken.clear();
        words.taken.resize_with(self.chunks.len(), Line::default);
        #[cfg(debug_assertions)]
        self.check(&mut words.taken);
        // Those that are only waited for have nothing to do.
        let columns =
            self.chunks.iter().map(|chunk| u64::BITS - (chunk.awaits | 1 << chunk.column).leading_zeros());
        let columns = columns.max().unwrap_or(0) as usize;
        words.done.clear();
        words.done.resize_with(columns, Line::default);
        Board { flow: self, words, threads }
    }
}

#[cfg(debug_assertions)]
impl<W> Flow<W> {
    /// Sees that chunks of several stages wait for their own columns: they have one [`Claim`] at a time by that. Counts stages in
    /// words that are 0, and leaves them so.
    fn check(&self, stages: &mut [Line]) {
        for chunk in self.stages.iter().flat_map(|stage| self.groups[stage.group as usize].chunks.clone()) {
            *stages[chunk as usize].0.get_mut() += 1;
        }
        for (chunk, stages) in self.chunks.iter().zip(stages) {
            let stages = core::mem::take(stages.0.get_mut());
            assert!(stages < 2 || chunk.awaits >> chunk.column & 1 == 1, "{chunk:?} is in {stages} stages");
        }
    }
}

/// Memory for what the threads of a job tell each other.
#[derive(Default)]
pub(super) struct Words {
    /// By chunks: the last stage in which each was taken, from 1 on.
    taken: Vec<Line>,
    /// By columns: how many of their chunks were done, in all stages.
    done: Vec<Line>,
}

/// A word in cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Line(pub(super) AtomicU32);

/// What the threads of a job go through, and what they tell each other.
pub(super) struct Board<'a, W> {
    flow: &'a Flow<W>,
    words: &'a Words,
    threads: usize,
}

/// A place in the stages.
struct Cursor<'a, W> {
    flow: &'a Flow<W>,
    stage: usize,
    /// By columns: how many of their chunks are done before the stage.
    before: [u32; MOST_COLUMNS],
}

impl<'a, W: Copy> Cursor<'a, W> {
    const fn start(flow: &'a Flow<W>) -> Self {
        Self { flow, stage: 0, before: [0; MOST_COLUMNS] }
    }

    /// The chunks of the stage; none after the last one.
    fn chunks(&self) -> Option<Range<u32>> {
        let stage = self.flow.stages.get(self.stage)?;
        Some(self.flow.groups[stage.group as usize].chunks.clone())
    }

    /// The place of the thread that has the first chunks of the stage.
    fn first(&self) -> usize {
        self.flow.stages[self.stage].first
    }

    /// The number of the stage, for words.
    const fn number(&self) -> u32 {
        self.stage as u32 + 1
    }

    fn advance(&mut self) {
        let own = &self.flow.groups[self.flow.stages[self.stage].group as usize].of_columns;
        for (before, own) in self.before.iter_mut().zip(own) {
            *before += own;
        }
        self.stage += 1;
    }
}

/// What came of an attempt to do a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// It is done.
    Done,
    /// Somebody has it, or had it.
    Taken,
    /// Chunks before it are not done yet.
    Blocked,
}

impl<W: Copy> Board<'_, W> {
    /// Goes through all stages, and waits until all chunks are done.
    pub(super) fn lead(&self, job: &impl Job<Work = W>) {
        let end = self.work(job, 0);
        wait_until(|| (0..self.words.done.len()).all(|column| self.is_done(column, &end)));
    }

    /// Goes through all stages, from a place among the threads, until nothing is left to take.
    pub(super) fn help(&self, job: &impl Job<Work = W>, place: usize) {
        self.work(job, place);
    }

    /// Goes through all stages, and then through what is left; returns the place after the last stage.
    fn work(&self, job: &impl Job<Work = W>, place: usize) -> Cursor<'_, W> {
        let mut own = Cursor::start(self.flow);
        let mut rest = Rest { cursor: Cursor::start(self.flow), next: 0 };
        while let Some(chunks) = own.chunks() {
            let place = (place + self.threads - own.first() % self.threads) % self.threads;
            let share = |place: usize| chunks.start + (chunks.len() * place).div_ceil(self.threads) as u32;
            let chunks = share(place)..share(place + 1);
            let mut waits = 0;
            loop {
                let mut is_blocked = false;
                for chunk in chunks.clone() {
                    is_blocked |= self.attempt(job, &own, chunk) == Attempt::Blocked;
                }
                if !is_blocked {
                    break;
                }
                if !self.catch_up(job, &mut rest, own.stage) {
                    wait(&mut waits);
                }
            }
            own.advance();
        }
        let mut waits = 0;
        while rest.cursor.stage < own.stage {
            if !self.catch_up(job, &mut rest, own.stage) {
                wait(&mut waits);
            }
        }
        own
    }

    /// Does the first chunk that is left and can be done, of the stages before one; or says that there is none.
    fn catch_up(&self, job: &impl Job<Work = W>, rest: &mut Rest<'_, W>, end: usize) -> bool {
        while rest.cursor.stage < end {
            let Some(chunks) = rest.cursor.chunks() else { return false };
            let mut all_taken = true;
            for chunk in rest.next.max(chunks.start)..chunks.end {
                match self.attempt(job, &rest.cursor, chunk) {
                    Attempt::Done => return true,
                    Attempt::Taken if all_taken => rest.next = chunk + 1,
                    Attempt::Taken => {}
                    Attempt::Blocked => all_taken = false,
                }
            }
            if !all_taken {
                return false;
            }
            rest.cursor.advance();
            rest.next = 0;
        }
        false
    }

    /// Does a chunk, if nobody has taken it for the stage, and all before it are done.
    ///
    /// Who comes too late finds the number of the stage, or of a later one. Whoever takes a chunk has seen that all before it
    /// were done, so no order is needed in taking it.
    fn attempt(&self, job: &impl Job<Work = W>, cursor: &Cursor<'_, W>, chunk: u32) -> Attempt {
        let (taken, number) = (&self.words.taken[chunk as usize].0, cursor.number());
        let last = taken.load(Ordering::Relaxed);
        if last >= number {
            return Attempt::Taken;
        }
        let Chunk { column, mut awaits } = self.flow.chunks[chunk as usize];
        while awaits != 0 {
            if !self.is_done(awaits.trailing_zeros() as usize, cursor) {
                return Attempt::Blocked;
            }
            awaits &= awaits - 1;
        }
        match taken.compare_exchange(last, number, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => {}
            Err(now) if now >= number => return Attempt::Taken,
            // For a stage before this one, which is in the middle of it.
            Err(_) => return Attempt::Blocked,
        }
        let _report = Report(&self.words.done[column as usize].0);
        // SAFETY: this thread alone has changed the word of the chunk to this stage. Whoever had the chunk in a stage before has
        // let it go, and what that did has been seen: a chunk waits for its own column. Whoever wants it in a later one waits
        // until the report is made, which is when the claim is gone.
        job.run(self.flow.stages[cursor.stage].work, &mut unsafe { Claim::new(chunk) });
        Attempt::Done
    }

    /// Whether a column has done all its chunks before the stage, or more of them.
    fn is_done(&self, column: usize, cursor: &Cursor<'_, W>) -> bool {
        self.words.done[column].0.load(Ordering::Acquire) >= cursor.before[column]
    }
}

/// What is left behind of earlier stages.
struct Rest<'a, W> {
    cursor: Cursor<'a, W>,
    /// Chunks of the stage before this one are taken.
    next: u32,
}

/// Tells of a chunk that was done, also when it panics: others go on, and the leader gets the panic when all is done.
struct Report<'a>(&'a AtomicU32);

impl Drop for Report<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Spins, and gives way to others now and then.
pub(super) fn wait(waits: &mut u32) {
    *waits += 1;
    if *waits % SPINS == 0 {
        std::thread::yield_now();
    } else {
        core::hint::spin_loop();
    }
}

/// Spins, and gives way to others now and then, until something is so.
pub(super) fn wait_until(mut is_so: impl FnMut() -> bool) {
    let mut waits = 0;
    while !is_so() {
        wait(&mut waits);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Crew;
    use super::*;
    use isostep_math::random::Rng;
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    /// Notes when chunks begin and end.
    #[derive(Default)]
    struct Times(Mutex<Vec<(u32, u32, [Instant; 2])>>);

    impl Job for Times {
        type Work = u32;

        fn run(&self, work: u32, claim: &mut Claim) {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_micros(5 + 7 * u64::from(work) % 20) {
                core::hint::spin_loop();
            }
            self.0.lock().unwrap().push((work, claim.chunk() as u32, [begin, Instant::now()]));
        }
    }

    /// Groups of chunks of different columns, in some order, of which each waits for its own column and for some others.
    fn scattered(random: &mut Rng) -> Flow<u32> {
        let mut flow = Flow::default();
        let columns = 1 + random.next_u32() % 9;
        let groups: Vec<u32> = (0..4)
            .map(|_| {
                let start = flow.chunks.len() as u32;
                for column in 0..columns {
                    let others = random.next_u64() & random.next_u64() & ((1 << columns) - 1);
                    if random.next_u32() % 4 > 0 {
                        flow.chunks_mut().push(Chunk { column, awaits: others | 1 << column });
                    }
                }
                let end = flow.chunks.len() as u32;
                flow.add_group(start..end)
            })
            .collect();
        for work in 0..20 {
            let (first, group) = (random.below(9) as usize, random.below(groups.len() as u32) as usize);
            flow.add_stage_from(first, work, groups[group]);
        }
        flow
    }

    #[test]
    fn chunks_are_done_once_in_each_stage_and_after_all_that_they_wait_for() {
        let mut random = Rng::new(5, 0);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut crew = Crew::default();
            for _ in 0..50 {
                let flow = scattered(&mut random);
                let mut times = Times::default();
                pool.install(|| crew.run(&mut times, &flow));
                let mut times = times.0.into_inner().unwrap();
                times.sort_unstable();
                let stages = flow.stages.iter().flat_map(|stage| {
                    let chunks = flow.groups[stage.group as usize].chunks.clone();
                    chunks.map(|chunk| (stage.work, chunk))
                });
                let done = times.iter().map(|&(work, chunk, _)| (work, chunk));
                assert!(done.eq(stages), "{threads} threads: {times:?}");
                for (index, &(work, chunk, [begin, _])) in times.iter().enumerate() {
                    let awaits = flow.chunks[chunk as usize].awaits;
                    for &(earlier, other, [_, end]) in &times[..index] {
                        let is_awaited = awaits >> flow.chunks[other as usize].column & 1 != 0;
                        assert!(
                            earlier == work || !is_awaited || end <= begin,
                            "{threads} threads: chunk {chunk} of stage {work} before {other} of {earlier}"
                        );
                    }
                }
            }
        }
    }

    /// The first chunk of the first stage waits for the second one of the last.
    struct Ahead(AtomicU32);

    impl Job for Ahead {
        type Work = u32;

        fn run(&self, work: u32, claim: &mut Claim) {
            match (work, claim.chunk()) {
                (0, 0) => {
                    let begin = Instant::now();
                    while self.0.load(Ordering::Acquire) == 0 {
                        assert!(begin.elapsed() < Duration::from_secs(60), "nobody goes on");
                        std::thread::yield_now();
                    }
                }
                (9, 1) => self.0.store(1, Ordering::Release),
                _ => {}
            }
        }
    }

    #[test]
    fn chunks_wait_for_no_others() {
        let mut flow = Flow::default();
        flow.chunks_mut().extend([0, 1].map(|column| Chunk { column, awaits: 1 << column }));
        let group = flow.add_group(0..2);
        (0..10).for_each(|work| flow.add_stage(work, group));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| Crew::default().run(&mut Ahead(AtomicU32::new(0)), &flow));
    }
}
