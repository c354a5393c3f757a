//! [`HashStream`]: hashes of states as text, to compare machines without sending logs.
//!
//! ```text
//! # Whatever one likes to say.
//! simulation 2
//! 60 6f0c5b9f0d0a4a5f6d9d0f8f1f6c2c11
//! 120 0b1de77d2fba0e6a0b4d6b3c9e1f2a37
//! ```
//!
//! Empty lines and those that begin with `#` say nothing. `simulation` has the version of what was stepped, and comes
//! before the hashes. Each other line has a tick in decimal, a space, and the hash of the state of that tick in 32
//! hexadecimal digits; ticks ascend.

use crate::diff::StateDifference;
use crate::error::LogError;
use crate::log::Log;
use isostep_step::SIM_VERSION;
use std::fmt;
use std::str::FromStr;

/// Hashes of states, by ascending ticks.
///
/// ```
/// use isostep_replay::HashStream;
///
/// let head = format!("simulation {}\n", isostep_step::SIM_VERSION);
/// let stream: HashStream = format!("{head}60 000000000000000000000000000000ff\n").parse()?;
/// assert_eq!(stream.hashes(), [(60, 0xff)]);
/// assert!(format!("{head}60 ff\n").parse::<HashStream>().unwrap_err().to_string().starts_with("line 2: "));
/// # Ok::<(), isostep_replay::HashStreamError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashStream {
    hashes: Vec<(u64, u128)>,
}

/// Why text is no stream of hashes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct HashStreamError {
    /// The number of the line, the first one's is 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: HashLineError,
}

/// Why a line is none of a stream of hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HashLineError {
    /// Another simulation.
    #[error("hashes of simulation {found}: this program steps {supported}")]
    Simulation {
        /// The version of the stream.
        found: u32,
        /// The one of this program.
        supported: u32,
    },
    /// A hash before the version.
    #[error("a line \"simulation <version>\" must come before the hashes")]
    NoVersion,
    /// No tick and hash.
    #[error("a line has a tick, a space, and 32 hexadecimal digits")]
    Form,
    /// A tick that does not come after the one before.
    #[error("tick {tick} does not come after the one before it")]
    Order {
        /// The tick.
        tick: u64,
    },
}

impl HashStream {
    /// The hashes that a log has, up to where it ends.
    ///
    /// # Errors
    /// If the log makes no sense somewhere.
    pub fn of_log(log: &Log) -> Result<Self, LogError> {
        let mut hashes = Vec::new();
        for index in 0..log.chunks().len() {
            let chunk = log.chunk(index)?;
            hashes.extend(chunk.frames().filter_map(|frame| Some((frame.tick + 1, frame.hash?))));
        }
        if let Some(hash) = log.last_hash() {
            if hashes.last().is_none_or(|&(tick, _)| tick < log.end_tick()) {
                hashes.push((log.end_tick(), hash));
            }
        }
        Ok(Self { hashes })
    }

    /// Ticks and hashes of their states.
    #[must_use]
    pub fn hashes(&self) -> &[(u64, u128)] {
        &self.hashes
    }

    /// The hash of a tick.
    #[must_use]
    pub fn of(&self, tick: u64) -> Option<u128> {
        let place = self.hashes.binary_search_by_key(&tick, |&(tick, _)| tick).ok()?;
        Some(self.hashes[place].1)
    }

    /// How many ticks both have a hash of.
    #[must_use]
    pub fn in_common(&self, other: &Self) -> usize {
        self.hashes.iter().filter(|(tick, _)| other.of(*tick).is_some()).count()
    }

    /// The first state of which both have a hash, and another one; none if all that both have are equal.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<StateDifference> {
        let mut last_equal = None;
        for &(tick, hash) in &self.hashes {
            let Some(others) = other.of(tick) else { continue };
            if hash != others {
                let hashes = Some([hash, others]);
                return Some(StateDifference { tick, last_equal, hashes, ..StateDifference::default() });
            }
            last_equal = Some(tick);
        }
        None
    }

    /// Appends a hash. Returns `false`, and changes nothing, unless its tick comes after the others.
    #[must_use]
    pub fn push(&mut self, tick: u64, hash: u128) -> bool {
        let comes_after = self.hashes.last().is_none_or(|&(last, _)| last < tick);
        if comes_after {
            self.hashes.push((tick, hash));
        }
        comes_after
    }
}

impl fmt::Display for HashStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "simulation {SIM_VERSION}")?;
        self.hashes.iter().try_for_each(|(tick, hash)| writeln!(f, "{tick} {hash:032x}"))
    }
}

impl FromStr for HashStream {
    type Err = HashStreamError;

    fn from_str(text: &str) -> Result<Self, HashStreamError> {
        let (mut stream, mut is_known) = (Self::default(), false);
        for (index, line) in text.lines().enumerate() {
            let error = |reason| HashStreamError { line: index + 1, reason };
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(version) = line.strip_prefix("simulation ") {
                let found = version.parse().map_err(|_| error(HashLineError::Form))?;
                if found != SIM_VERSION {
                    return Err(error(HashLineError::Simulation { found, supported: SIM_VERSION }));
                }
                is_known = true;
                continue;
            }
            if !is_known {
                return Err(error(HashLineError::NoVersion));
            }
            let (tick, hash) = hash_of(line).ok_or(error(HashLineError::Form))?;
            if !stream.push(tick, hash) {
                return Err(error(HashLineError::Order { tick }));
            }
        }
        Ok(stream)
    }
}

fn hash_of(line: &str) -> Option<(u64, u128)> {
    let (tick, hash) = line.split_once(' ')?;
    let is_digits = hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = u128::from_str_radix(hash, 16).ok().filter(|_| is_digits)?;
    Some((tick.parse().ok()?, hash))
}
