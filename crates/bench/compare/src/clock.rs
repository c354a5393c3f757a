//! Clocks. What one thread does is timed by [`isostep_compare_scene::thread_time`].

use std::time::{Duration, Instant};

/// The time that passes during `work`, of which several threads do parts, and what comes of it.
pub(crate) fn wall_time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_while_a_thread_sleeps() {
        let nap = || std::thread::sleep(Duration::from_millis(40));
        assert!(wall_time(nap).0 >= Duration::from_millis(40));
    }
}
