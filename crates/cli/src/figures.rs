//! Numbers as people read them, in integers, and texts of strangers.

use std::time::Duration;

/// In microseconds, with a decimal.
pub(crate) fn microseconds(nanoseconds: u64) -> String {
    let tenths = (nanoseconds + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// In seconds, with milliseconds.
pub(crate) fn seconds(time: Duration) -> String {
    let milliseconds = (time.as_micros() + 500) / 1000;
    format!("{}.{:03} s", milliseconds / 1000, milliseconds % 1000)
}

/// How long ticks are when they are played.
pub(crate) fn real_time(ticks: u64, tick_rate: u32) -> Duration {
    let rate = u128::from(tick_rate.max(1));
    let nanoseconds = u128::from(ticks) * 1_000_000_000 / rate;
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

/// How many times faster `time` is than `real_time`.
pub(crate) fn speed(real_time: Duration, time: Duration) -> u64 {
    u64::try_from(real_time.as_nanos() / time.as_nanos().max(1)).unwrap_or(u64::MAX)
}

/// Bytes in the unit that suits them.
pub(crate) fn bytes(count: u64) -> String {
    let (unit, name) = match count {
        0..1_000 => return format!("{count} bytes"),
        1_000..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    let tenths = count / (unit / 10);
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// A count with its noun.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A text that somebody else wrote: what a terminal would obey and what does not show is escaped.
pub(crate) fn printable(text: &str) -> String {
    let quoted = format!("{text:?}");
    // Quotes do no harm.
    quoted[1..quoted.len() - 1].replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(microseconds(1_249), "1.2");
        assert_eq!(seconds(Duration::from_micros(61_001_500)), "61.002 s");
        assert_eq!(real_time(90, 60), Duration::from_millis(1500));
        assert_eq!(speed(real_time(600, 60), Duration::from_millis(50)), 200);
        assert_eq!(speed(real_time(600, 60), Duration::ZERO), 10_000_000_000);
        assert_eq!(["999 bytes", "1.0 kB", "12.3 MB"], [999, 1_049, 12_345_678].map(bytes));
        assert_eq!(printable("a \"b\" 'c' é\u{1b}[31m\n\u{202e}"), "a \"b\" 'c' é\\u{1b}[31m\\n\\u{202e}");
        assert_eq!([counted(1, "log"), counted(0, "log")], ["1 log", "0 logs"]);
    }
}
