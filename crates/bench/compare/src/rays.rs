//! Rays with normals into scenes that have come to rest.

use std::hint::black_box;

use crate::clock::thread_time;
use crate::engine::Hits;
use crate::median::median;
use crate::scene::Ray;
use crate::timing::Timing;

/// How long rays take in an engine.
pub(crate) struct RayTiming {
    pub(crate) title: String,
    /// A ray, in seconds: the median over the runs.
    pub(crate) seconds: f64,
    pub(crate) hits: Hits,
}

/// Casts all rays in each engine, in turn, `repeat` times after once to warm up.
pub(crate) fn time(timings: &mut [Timing], rays: &[Ray], repeat: usize) -> Vec<RayTiming> {
    let mut seconds = vec![Vec::new(); timings.len()];
    for run in 0..=repeat {
        for (timing, seconds) in timings.iter_mut().zip(&mut seconds) {
            let (time, hits) = thread_time(|| timing.world.cast_rays(rays));
            black_box(hits);
            if run > 0 {
                seconds.push(time.as_secs_f64() / rays.len() as f64);
            }
        }
    }
    let timing = |(timing, seconds): (&mut Timing, Vec<f64>)| RayTiming {
        title: timing.contestant.title(),
        seconds: median(seconds),
        hits: timing.world.cast_rays(rays),
    };
    timings.iter_mut().zip(seconds).map(timing).collect()
}
