//! Clocks.
//!
//! What one thread does is timed by the processor time of that thread. While other programs have the processor it stands
//! still, so a busy machine changes figures by what programs take from each other's caches and power, and by no more.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// The processor time that this thread spends on `work`, and what comes of it.
pub(crate) fn thread_time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = ThreadTime::now();
    let result = work();
    (start.elapsed(), result)
}

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
    fn a_thread_that_sleeps_takes_no_processor_time() {
        let nap = || std::thread::sleep(Duration::from_millis(40));
        assert!(wall_time(nap).0 >= Duration::from_millis(40));
        assert!(thread_time(nap).0 < Duration::from_millis(20));
    }
}
