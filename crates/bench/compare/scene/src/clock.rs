//! The processor time of this thread. While other programs have the processor it stands still, so a busy machine changes
//! figures by what programs take from each other's caches and power, and by no more.

use std::time::Duration;

/// The processor time that this thread spends on `work`, and what comes of it.
#[cfg(not(target_os = "wasi"))]
pub fn thread_time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = cpu_time::ThreadTime::now();
    let result = work();
    (start.elapsed(), result)
}

/// The processor time that the host's thread spends on `work`, and what comes of it. What compiles the module on other threads
/// meanwhile does not count.
#[cfg(target_os = "wasi")]
pub fn thread_time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = now();
    let result = work();
    (now().saturating_sub(start), result)
}

/// The host's clock of the processor time of this thread.
#[cfg(target_os = "wasi")]
#[allow(unsafe_code, reason = "functions of the host are unsafe to call")]
fn now() -> Duration {
    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    unsafe extern "C" {
        fn clock_time_get(clock: u32, precision: u64, nanoseconds: *mut u64) -> u16;
    }
    /// `thread_cputime_id`.
    const THREAD_TIME: u32 = 3;
    let mut nanoseconds = 0;
    // SAFETY: the host writes a number to where it is told to, and nothing else.
    let error = unsafe { clock_time_get(THREAD_TIME, 1, &raw mut nanoseconds) };
    assert_eq!(error, 0, "the host has no clock of a thread's processor time");
    Duration::from_nanos(nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_takes_no_processor_time() {
        let nap = || std::thread::sleep(Duration::from_millis(40));
        assert!(thread_time(nap).0 < Duration::from_millis(20));
    }
}
