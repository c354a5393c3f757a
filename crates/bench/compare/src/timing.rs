//! How long the steps of a scene take in several engines, in turn, so that all have their share of the machine's moods.

use std::hint::black_box;
use std::path::Path;

use anyhow::{Result, ensure};
use isostep_compare_scene::{Scene, thread_time};

use crate::allocations;
use crate::child::{self, Request};
use crate::clock::wall_time;
use crate::engine::{Contacts, Engine, EngineName};
use crate::likeness::End;
use crate::median::{mean, median};

/// What is stepped: an engine on so many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contestant {
    pub(crate) engine: EngineName,
    pub(crate) threads: usize,
}

impl Contestant {
    /// On one thread.
    pub(crate) const fn alone(engine: EngineName) -> Self {
        Self { engine, threads: 1 }
    }

    /// For the head of a column.
    pub(crate) fn title(self) -> String {
        let title = self.engine.title();
        if self.threads == 1 { title.to_owned() } else { format!("{title}, {} threads", self.threads) }
    }
}

/// Which steps count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    All,
    /// The last quarter of them.
    Settled,
}

impl Steps {
    fn of(self, times: &[f64]) -> &[f64] {
        match self {
            Self::All => times,
            Self::Settled => &times[settled_from(times.len())..],
        }
    }
}

/// The first step of the last quarter.
const fn settled_from(steps: usize) -> usize {
    steps - steps.div_ceil(4)
}

/// How long a step took, in seconds: the mean over steps of the medians over runs. All runs do the same work in a step, so
/// a run in which something else had the processor for a while does not count in those steps.
pub(crate) fn typical(runs: &[Vec<f64>], steps: Steps) -> f64 {
    let count = runs.first().map_or(0, Vec::len);
    let typical: Vec<f64> = (0..count).map(|step| median(runs.iter().map(|times| times[step]))).collect();
    mean(steps.of(&typical))
}

/// A contestant after all its runs of a scene.
pub(crate) struct Timing {
    pub(crate) contestant: Contestant,
    /// How long each step took, in seconds, by run.
    pub(crate) runs: Vec<Vec<f64>>,
    /// The most memory that a process with this world and nothing else ever had in use for it, in bytes.
    pub(crate) peak_memory: Option<u64>,
    pub(crate) contacts: Contacts,
    pub(crate) end: End,
    /// Allocations a step over the last quarter, if the engine allocates where that can be counted.
    pub(crate) allocations: Option<f64>,
    /// The world after its last step.
    pub(crate) world: Box<dyn Engine>,
}

impl Timing {
    /// A step, in seconds.
    pub(crate) fn of(&self, steps: Steps) -> f64 {
        typical(&self.runs, steps)
    }
}

/// Steps a scene, which is that of the file `path`, in each engine, and that `repeat` times.
///
/// Each run that is timed has a process of its own. In one that had other worlds before, what is free of the heap lies in
/// pieces, and engines that allocate much get slower by a third.
pub(crate) fn time(
    contestants: &[Contestant],
    scene: &Scene,
    path: &Path,
    repeat: usize,
) -> Result<Vec<Timing>> {
    let mut timings: Vec<Timing> =
        contestants.iter().map(|&contestant| untimed(contestant, scene)).collect::<Result<_>>()?;
    for _ in 0..repeat {
        for timing in &mut timings {
            let report = child::run(Request::plain(timing.contestant), path, scene.steps)?;
            timing.runs.push(report.times);
            timing.peak_memory = timing.peak_memory.max(report.peak_memory);
        }
    }
    Ok(timings)
}

/// What became of a scene, and how often it allocated.
fn untimed(contestant: Contestant, scene: &Scene) -> Result<Timing> {
    let (_, allocations, world) = once(contestant, scene, false)?;
    if let Some((steps, asleep)) = world.work() {
        let (name, wanted) = (&scene.name, scene.steps);
        ensure!(steps == wanted as u64, "{name}: {steps} steps were taken, and {wanted} were asked for");
        ensure!(asleep == 0, "{name}: {asleep} bodies are asleep, and none is to be");
    }
    let allocations = world.allocates_in_rust().then_some(allocations);
    let (contacts, end) = (world.contacts(), End::of(scene, &world.motions()));
    Ok(Timing { contestant, runs: Vec::new(), peak_memory: None, contacts, end, allocations, world })
}

/// Builds a scene and steps it to its end: how long each step took, how often a step of the last quarter allocates, and the
/// world that is left. With `hashing` the hash of the state, if there is one, is part of the step.
pub(crate) fn once(
    contestant: Contestant,
    scene: &Scene,
    hashing: bool,
) -> Result<(Vec<f64>, f64, Box<dyn Engine>)> {
    let mut world = contestant.engine.build(scene, contestant.threads)?;
    let mut times = Vec::with_capacity(scene.steps);
    // With the feature `threads` even one thread of Rapier is another one than this.
    let is_alone = contestant.threads == 1 && !cfg!(feature = "threads");
    let settled = settled_from(scene.steps);
    let mut step = |times: &mut Vec<f64>| {
        let work = || {
            world.step();
            if hashing {
                black_box(world.hash());
            }
        };
        let (time, ()) = if is_alone { thread_time(work) } else { wall_time(work) };
        times.push(time.as_secs_f64());
    };
    (0..settled).for_each(|_| step(&mut times));
    let count = allocations::during(|| (settled..scene.steps).for_each(|_| step(&mut times)));
    let allocations = count as f64 / (scene.steps - settled) as f64;
    Ok((times, allocations, world))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_was_interrupted_in_one_run_does_not_count() {
        let runs = [vec![1.0, 2.0, 3.0, 9.0], vec![1.0, 70.0, 3.0, 4.0], vec![1.0, 2.0, 80.0, 4.0]];
        assert_eq!(typical(&runs, Steps::All), 2.5);
        assert_eq!(typical(&runs, Steps::Settled), 4.0);
    }
}
