//! [`Divergence`]: what a replay finds where it is not the match that was recorded.

use crate::difference::{NumberAt, TraceComparison};
use isostep_step::Difference;
use std::fmt;

/// A state that is not the one that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The tick of the state.
    pub tick: u64,
    /// The last tick before it whose state was compared and equal, or where a tick is refused, of that state; none if no state
    /// before was compared. What caused the difference happened after it. A state that a replay started from counts if it is
    /// the log's keyframe, or has the hash that the log has of it.
    pub last_equal: Option<u64>,
    /// What differs.
    pub cause: Cause,
    /// What the log's trace of this tick says of where it differs.
    pub trace: TraceComparison,
    /// The numbers that differ, where the trace tells them: the log's first, then the one found.
    pub numbers: Vec<NumberAt>,
    /// The first field that differs at the first keyframe from this tick on, and its tick: the log's first, then the one
    /// found. Only if there is no trace, or if it is the keyframe that differs.
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
    /// The index has another hash of the last state. If the last tick leads to the state that it has the hash of, the log was
    /// finished in another state. If it has none, that may be, as by a game that had run ahead, or what was replayed went
    /// elsewhere.
    LastHash {
        /// In the index.
        expected: u128,
        /// Of the state.
        found: u128,
        /// Whether the last tick has the hash that was found.
        is_hashed: bool,
    },
    /// It refuses what the tick does.
    Refused {
        /// Why.
        reason: String,
    },
    /// The tick was done, taken back and done again, and led elsewhere: a state that was saved and loaded is not the one that
    /// it was. Only if [`VerifyOptions::roll_back`] asks for it.
    RolledBack {
        /// The hash the first time.
        first: u128,
        /// The second time; or why there is none.
        again: Result<u128, String>,
        /// The first field in which the worlds differ, the first time's value first. None if they agree, or there is no second
        /// one.
        difference: Option<Box<Difference>>,
    },
}

/// What a replay compares besides what it is recorded to lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Does each tick twice, with a rollback between: saves, does it, loads what was saved, and does it again. What a simulation
    /// leaves out of [`save`](crate::Simulation::save) shows in the first tick in which it matters, but for what doing a tick again
    /// sets to the same value. For that it goes on, from the start and from each keyframe, in a simulation that was started anew
    /// and has loaded what the one before it saved. Takes three to four times as long.
    pub roll_back: bool,
}

/// Whether what this build makes of the header of a log is what the log starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Nobody knows: the log is of commands, or starts at another tick than 0 or without a keyframe; or it was not replayed from
    /// its start.
    Unknown,
    /// It is.
    Equal,
    /// It is not, and the worlds differ: the first field, the log's value first.
    World(Box<Difference>),
    /// It is not, and the worlds agree: it is in what the game keeps beside.
    Beside,
}

impl Start {
    /// Whether it is known to be another one.
    #[must_use]
    pub const fn differs(&self) -> bool {
        matches!(self, Self::World(_) | Self::Beside)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("the start was not compared"),
            Self::Equal => f.write_str("the start is the one that was recorded"),
            Self::World(difference) => write!(f, "the start is another one than the log's: {difference}"),
            Self::Beside => write!(f, "the start is another one than the log's; {BESIDE}"),
        }
    }
}

/// What there is to say of states of which the worlds agree.
pub(crate) const BESIDE: &str = "the worlds do not differ: it is in what the game keeps beside";

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, last_equal, cause, trace, numbers, keyframe } = self;
        match cause {
            Cause::Hash { expected, found } => {
                write!(f, "tick {tick}: hash {found:032x}, recorded was {expected:032x}")?;
            }
            Cause::Keyframe => write!(f, "tick {tick}: the state is not the keyframe")?,
            Cause::LastHash { expected, found, is_hashed } => {
                write!(f, "tick {tick}: hash {found:032x}, and the index has {expected:032x} of it")?;
                if !is_hashed {
                    f.write_str("; the tick has none, and the log may have been finished in another state")?;
                }
            }
            Cause::Refused { reason } => write!(f, "tick {tick}: {reason}")?,
            Cause::RolledBack { first, again: Ok(again), .. } if again == first => {
                write!(
                    f,
                    "tick {tick}: saved after a rollback it has other bytes, and the same hash {first:032x}"
                )?;
            }
            Cause::RolledBack { first, again: Ok(again), difference } => {
                write!(
                    f,
                    "tick {tick}: hash {first:032x}, and {again:032x} when done again after a rollback; "
                )?;
                match difference {
                    Some(difference) => difference.fmt(f)?,
                    None => f.write_str(BESIDE)?,
                }
            }
            Cause::RolledBack { again: Err(reason), .. } => {
                write!(f, "tick {tick}, done again after a rollback: {reason}")?;
            }
        }
        put_last_equal(f, *last_equal)?;
        put_place(f, trace, numbers, keyframe.as_ref())
    }
}

/// Goes on, after what differs, with since when.
pub(crate) fn put_last_equal(f: &mut fmt::Formatter<'_>, last_equal: Option<u64>) -> fmt::Result {
    match last_equal {
        Some(tick) => write!(f, "; equal at tick {tick}"),
        None => f.write_str("; nothing before was compared"),
    }
}

/// Goes on, after what differs and since when, with where: what traces say if there are any, the numbers, and a keyframe.
pub(crate) fn put_place(
    f: &mut fmt::Formatter<'_>,
    trace: &TraceComparison,
    numbers: &[NumberAt],
    keyframe: Option<&(u64, Difference)>,
) -> fmt::Result {
    match trace {
        TraceComparison::Differs(difference) => write!(f, "; {difference}")?,
        TraceComparison::Equal => write!(f, "; {BESIDE}")?,
        TraceComparison::Unreadable(error) => write!(f, "; the trace cannot be read: {error}")?,
        TraceComparison::Untraced => {}
    }
    for number in numbers {
        write!(f, "; {number}")?;
    }
    if let Some((tick, difference)) = keyframe {
        write!(f, "; at the keyframe of tick {tick}: {difference}")?;
    }
    Ok(())
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
    /// The hash of the last state that was reached; of the last one that was compared, where a tick was refused and the simulation
    /// could not go back to the state before it.
    pub hash: u128,
    /// Whether this build starts such a match in the state that the log starts from. The ticks are replayed from the log's.
    pub start: Start,
    /// The first state that was not the one recorded.
    pub divergence: Option<Divergence>,
}

impl Verification {
    /// Whether all that was compared was as recorded; see [`is_compared`](Self::is_compared).
    #[must_use]
    pub const fn is_identical(&self) -> bool {
        self.divergence.is_none() && !self.start.differs()
    }

    /// Whether anything was compared. A log without hashes, or one that was cut before its first, says nothing of the states
    /// that it leads to.
    #[must_use]
    pub const fn is_compared(&self) -> bool {
        self.hashes != 0 || self.keyframes != 0 || self.divergence.is_some() || self.start.differs()
    }
}
