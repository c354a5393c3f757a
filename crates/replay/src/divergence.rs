//! [`Divergence`]: what a replay finds where it is not the match that was recorded.

use crate::difference::{NumberAt, TraceDifference};
use isostep_step::Difference;
use std::fmt;

/// A state that is not the one that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The tick of the state.
    pub tick: u64,
    /// The last tick before it whose state was compared and equal; the first tick of the log, if none was. What caused
    /// the difference happened after it.
    pub last_equal: u64,
    /// What differs.
    pub cause: Cause,
    /// What the log's trace of this tick says of where it differs, if there is one.
    pub trace: Option<TraceDifference>,
    /// The numbers that differ, where the trace tells them: the log's first, then the one found.
    pub numbers: Vec<NumberAt>,
    /// The first field that differs at the first keyframe from this tick on, and its tick: the log's first, then the one
    /// found. Only if there is no trace.
    pub keyframe: Option<(u64, Difference)>,
}

/// What shows that a state is not the one that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Its hash.
    Hash {
        /// In the log.
        expected: u128,
        /// Of the state.
        found: u128,
    },
    /// The hashes agree or there are none, and a keyframe has other bytes.
    Keyframe,
    /// The last tick leads to the state that it has the hash of, and the index has another hash of it: the log was finished
    /// in another state.
    LastHash {
        /// In the index.
        expected: u128,
        /// Of the state.
        found: u128,
    },
    /// It refuses what the tick does.
    Refused {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, last_equal, cause, trace, numbers, keyframe } = self;
        match cause {
            Cause::Hash { expected, found } => {
                write!(f, "tick {tick}: hash {found:032x}, recorded was {expected:032x}")?;
            }
            Cause::Keyframe => write!(f, "tick {tick}: the state is not the keyframe")?,
            Cause::LastHash { expected, found } => {
                write!(f, "tick {tick}: hash {found:032x}, and the index has {expected:032x} of it")?;
            }
            Cause::Refused { reason } => write!(f, "tick {tick}: {reason}")?,
        }
        write!(f, "; equal at tick {last_equal}")?;
        if let Some(trace) = trace {
            write!(f, "; {trace}")?;
        }
        for number in numbers {
            write!(f, "; {number}")?;
        }
        if let Some((tick, difference)) = keyframe {
            write!(f, "; at the keyframe of tick {tick}: {difference}")?;
        }
        Ok(())
    }
}

/// What came of replaying a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// How many ticks were replayed.
    pub ticks: u64,
    /// How many hashes were compared and equal.
    pub hashes: u64,
    /// How many keyframes were compared and equal.
    pub keyframes: u64,
    /// The hash of the last state that was reached.
    pub hash: u128,
    /// The first state that was not the one recorded.
    pub divergence: Option<Divergence>,
}

impl Verification {
    /// Whether all that was compared was as recorded; see [`is_compared`](Self::is_compared).
    #[must_use]
    pub const fn is_identical(&self) -> bool {
        self.divergence.is_none()
    }

    /// Whether anything was compared. A log without hashes, or one that was cut before its first, says nothing of the states
    /// that it leads to.
    #[must_use]
    pub const fn is_compared(&self) -> bool {
        self.hashes != 0 || self.keyframes != 0 || self.divergence.is_some()
    }
}
