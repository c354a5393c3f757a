//! Rays with normals into scenes that have come to rest.

use isostep_compare_scene::{Ray, thread_time};
use std::hint::black_box;

use crate::engine::Hits;
use crate::median::median;
use crate::timing::Timing;

/// How long rays take in an engine.
pub(crate) struct RayTiming {
    pub(crate) title: String,
    /// A ray, in seconds: the median over the runs.
    pub(crate) seconds: f64,
    pub(crate) hits: Hits,
}

/// Casts all rays in each engine, in turn, `repeat` times, and each time once before the clock starts: what another engine
/// left in the caches and in the tables of branches is not what rays of a game meet, of which there are many in a tick.
pub(crate) fn time(timings: &mut [Timing], rays: &[Ray], repeat: usize) -> Vec<RayTiming> {
    let mut results: Vec<(Hits, Vec<f64>)> =
        timings.iter_mut().map(|timing| (timing.world.cast_rays(rays), Vec::new())).collect();
    for _ in 0..repeat {
        for (timing, (_, seconds)) in timings.iter_mut().zip(&mut results) {
            black_box(timing.world.cast_rays(rays));
            let (time, hits) = thread_time(|| timing.world.cast_rays(rays));
            black_box(hits);
            seconds.push(time.as_secs_f64() / rays.len() as f64);
        }
    }
    let timing = |(timing, (hits, seconds)): (&Timing, (Hits, Vec<f64>))| RayTiming {
        title: timing.contestant.title(),
        seconds: median(seconds),
        hits,
    };
    timings.iter().zip(results).map(timing).collect()
}
