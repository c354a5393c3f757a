//! The digest over every operation.

mod collision;
mod functions;
mod geometry;
mod lanes;
mod numbers;
mod planar;
mod world;

use isostep_math::{Fx, wide::Level};
use xxhash_rust::xxh3::Xxh3;

/// The results of one group of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// What the group is.
    pub name: &'static str,
    /// XXH3-128 over the raw bits of the results, each in eight little-endian bytes.
    pub digest: u128,
    /// How many results went in.
    pub results: u64,
}

/// Every section, and their name.
type Fill = fn(&mut Recorder);
const SECTIONS: &[(&str, Fill)] = &[
    ("arithmetic", numbers::arithmetic),
    ("rounding", numbers::rounding),
    ("text", numbers::text),
    ("roots", functions::roots),
    ("circular", functions::circular),
    ("inverse", functions::inverse),
    ("exponential", functions::exponential),
    ("cordic", functions::cordic),
    ("vectors", geometry::vectors),
    ("rotations", geometry::rotations),
    ("matrices", geometry::matrices),
    ("poses", geometry::poses),
    ("random", geometry::random),
    ("lanes", lanes::lanes),
    ("shapes", collision::shapes),
    ("overlap", collision::overlap),
    ("manifolds", collision::manifolds),
    ("casts", collision::casts),
    ("tree", collision::tree),
    ("planar", planar::planar),
    ("world", world::world),
];

/// Collects results.
pub(crate) struct Recorder {
    hasher: Xxh3,
    results: u64,
}

impl Recorder {
    fn new() -> Self {
        Self { hasher: Xxh3::new(), results: 0 }
    }

    /// One result of 64 bits.
    pub(crate) fn bits(&mut self, value: i64) {
        self.hasher.update(&value.to_le_bytes());
        self.results += 1;
    }

    /// One result.
    pub(crate) fn number(&mut self, value: Fx) {
        self.bits(value.to_bits());
    }

    /// Several results.
    pub(crate) fn numbers(&mut self, values: impl IntoIterator<Item = Fx>) {
        for value in values {
            self.number(value);
        }
    }

    /// A result that may be missing; a missing one differs from every number.
    pub(crate) fn optional(&mut self, value: Option<Fx>) {
        self.bits(i64::from(value.is_some()));
        self.number(value.unwrap_or_default());
    }

    /// A hash, as two results: the lower half, then the upper one.
    pub(crate) fn hash(&mut self, hash: u128) {
        self.bits(hash as i64);
        self.bits((hash >> 64) as i64);
    }

    /// Text, with its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.bits(text.len() as i64);
        self.hasher.update(text.as_bytes());
    }
}

/// Runs every section.
#[must_use]
pub fn sections() -> Vec<Section> {
    SECTIONS
        .iter()
        .map(|&(name, fill)| {
            let mut recorder = Recorder::new();
            fill(&mut recorder);
            Section { name, digest: recorder.hasher.digest128(), results: recorder.results }
        })
        .collect()
}

/// The digest of the section `lanes` at a level of choice: the same for all.
#[must_use]
pub fn lanes_at(level: Level) -> u128 {
    let mut recorder = Recorder::new();
    lanes::lanes_at(level, &mut recorder);
    recorder.hasher.digest128()
}

/// The golden digests, by name: those of the sections in order, then `all`.
pub fn golden() -> impl Iterator<Item = (&'static str, u128)> {
    include_str!("../../../fixtures/golden/math.snap").lines().filter_map(|line| {
        let (name, digits) = line.strip_prefix("digest ")?.split_once(' ')?;
        Some((name, u128::from_str_radix(digits, 16).ok()?))
    })
}

/// The digest of several sections: over their digests, in order.
#[must_use]
pub fn combine(sections: &[Section]) -> u128 {
    let mut hasher = Xxh3::new();
    for section in sections {
        hasher.update(&section.digest.to_le_bytes());
    }
    hasher.digest128()
}

/// One line a section, `digest <section> <32 hexadecimal digits>`, and last `digest all <32 digits>`.
#[must_use]
pub fn digest_report() -> String {
    let sections = sections();
    let lines = sections.iter().map(|section| (section.name, section.digest));
    lines
        .chain([("all", combine(&sections))])
        .map(|(name, digest)| format!("digest {name} {digest:032x}\n"))
        .collect()
}
