//! Snapshots: the state of a world, to go back to or to send.
//!
//! In memory a snapshot is a [`State`] of its own, and saving into one that was used before copies what changed since
//! (`tracked`). As bytes it is a header, then the state by bincode, little-endian and of fixed widths:
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `ISOSNAP` and a zero |
//! | 8 | 4 | version of the format |
//! | 12 | 4 | [`SIM_VERSION`] |
//! | 16 | 8 | length of the payload |
//! | 24 | 16 | XXH3-128 of the payload |
//! | 40 | | payload |
//!
//! `check` refuses what is no state of a world, so bytes from anywhere are harmless.

mod check;

use crate::body::{Body, Motion};
use crate::collider::Collider;
use crate::config::WorldConfig;
use crate::contact::Contacts;
use crate::filter::LayerMatrix;
use crate::hash::{Difference, HashCache, difference};
use crate::joint::{Joint, JointImpulses};
use crate::state::{Asleep, Force, News, State};
use crate::tracked::{Tokens, Tracked};
use crate::world::World;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use isostep_math::random::Rng;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// The version of what a step computes: it changes with any bit of any result.
pub const SIM_VERSION: u32 = 31;

/// The version of the bytes of snapshots.
pub const SNAPSHOT_VERSION: u32 = 7;

const MAGIC: [u8; 8] = *b"ISOSNAP\0";
const HEADER: usize = 40;

/// The state of a world at one tick.
///
/// ```
/// use isostep_math::{Vec3, fx};
/// use isostep_step::{BodyDef, Snapshot, World, WorldConfig};
///
/// let mut world = World::new(WorldConfig::default())?;
/// let ball = world.add_body(BodyDef::dynamic(Vec3::ZERO))?;
/// let mut saved = Snapshot::new();
/// world.save(&mut saved);
/// world.step();
/// let after = world.state_hash();
///
/// // Back, and forth again; also in another world, on another machine.
/// world.load(&saved);
/// assert_eq!(world.body(ball).unwrap().position(), Vec3::ZERO);
/// let mut other = World::from_snapshot(&Snapshot::from_bytes(&saved.to_bytes())?);
/// other.step();
/// assert_eq!(other.state_hash(), after);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: State,
    copied: usize,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self::new()
    }
}

/// Why bytes are no snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// They do not begin as a snapshot does.
    #[error("no snapshot: it begins with other bytes")]
    Magic,
    /// Another format.
    #[error("a snapshot of format {found}: this program reads {supported}")]
    Format {
        /// The version of the bytes.
        found: u32,
        /// The one that can be read.
        supported: u32,
    },
    /// Another simulation.
    #[error("a snapshot of simulation {found}: this program steps {supported}")]
    Simulation {
        /// The version of the bytes.
        found: u32,
        /// The one of this program.
        supported: u32,
    },
    /// Fewer or more bytes than the header says.
    #[error("{found} bytes of a snapshot of {expected}")]
    Length {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// The bytes were changed.
    #[error("the checksum of the snapshot is {found:032x} and should be {expected:032x}")]
    Checksum {
        /// Of the bytes.
        found: u128,
        /// In the header.
        expected: u128,
    },
    /// The payload is not what bincode writes.
    #[error("the payload cannot be decoded: {0}")]
    Payload(String),
    /// The payload is no state of a world.
    #[error("{what} {index}: {reason}")]
    Invalid {
        /// What is wrong.
        what: &'static str,
        /// Which of them.
        index: usize,
        /// Why: of values out of their range, which they are and what is allowed.
        reason: Cow<'static, str>,
    },
}

impl Snapshot {
    /// Of an empty world: a place to save to.
    #[must_use]
    pub fn new() -> Self {
        Self { state: State::new(WorldConfig::default()), copied: 0 }
    }

    /// The tick at which it was saved.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.state.tick
    }

    /// The hash of its state: [`World::state_hash`].
    #[must_use]
    pub fn state_hash(&self) -> u128 {
        HashCache::default().root(&self.state)
    }

    /// How many bytes the last save copied: those of bodies, colliders, joints and contacts that had changed since this snapshot was
    /// saved before.
    #[must_use]
    pub const fn copied_bytes(&self) -> usize {
        self.copied
    }

    /// The first field in which two snapshots differ.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        difference(&self.state, &other.state)
    }

    /// The snapshot as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// Adds the snapshot as bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.resize(start + HEADER, 0);
        let mut sink = Sink(bytes);
        bincode::serde::encode_into_writer(Columns::of(&self.state), &mut sink, codec())
            .expect("memory takes what is written");
        let payload = &bytes[start + HEADER..];
        let (length, checksum) = (payload.len() as u64, xxh3_128(payload));
        let header = &mut bytes[start..start + HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&SNAPSHOT_VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&SIM_VERSION.to_le_bytes());
        header[16..24].copy_from_slice(&length.to_le_bytes());
        header[24..40].copy_from_slice(&checksum.to_le_bytes());
    }

    /// The snapshot that [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// If the bytes are no snapshot, of another version, damaged, or no state of a world; or if its state would be written as
    /// other bytes: every state has exactly one encoding.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let (header, payload) = bytes
            .split_first_chunk::<HEADER>()
            .ok_or(SnapshotError::Length { found: bytes.len() as u64, expected: HEADER as u64 })?;
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if header[..8] != MAGIC {
            return Err(SnapshotError::Magic);
        }
        if word(8) != SNAPSHOT_VERSION {
            return Err(SnapshotError::Format { found: word(8), supported: SNAPSHOT_VERSION });
        }
        if word(12) != SIM_VERSION {
            return Err(SnapshotError::Simulation { found: word(12), supported: SIM_VERSION });
        }
        let length = u64::from(word(16)) | u64::from(word(20)) << 32;
        if length != payload.len() as u64 {
            return Err(SnapshotError::Length {
                found: bytes.len() as u64,
                expected: length.saturating_add(HEADER as u64),
            });
        }
        let expected = (0..4).map(|i| u128::from(word(24 + 4 * i)) << (32 * i)).sum();
        let found = xxh3_128(payload);
        if found != expected {
            return Err(SnapshotError::Checksum { found, expected });
        }
        let (columns, read) = bincode::serde::decode_from_slice::<OwnedColumns, _>(payload, codec())
            .map_err(|error| SnapshotError::Payload(alloc::format!("{error}")))?;
        if read != payload.len() {
            return Err(SnapshotError::Length {
                found: bytes.len() as u64,
                expected: (read + HEADER) as u64,
            });
        }
        let state = columns.into_state();
        check::check(&state)?;
        let mut comparison = Comparison { payload, at: 0 };
        // An error says that they differ, and the comparison where.
        let _ = bincode::serde::encode_into_writer(Columns::of(&state), &mut comparison, codec());
        if comparison.at != payload.len() {
            let (index, reason) =
                (HEADER + comparison.at, Cow::Borrowed("the state is written with another one"));
            return Err(SnapshotError::Invalid { what: "byte", index, reason });
        }
        Ok(Self { state, copied: 0 })
    }
}

impl World {
    /// Saves the state, and copies only what changed since the snapshot was saved from, or loaded into, this world.
    pub fn save(&self, snapshot: &mut Snapshot) {
        snapshot.copied = snapshot.state.copy_from(&self.state, |_| (), |_| (), |_| (), |_| ());
    }

    /// The state as a snapshot of its own.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone(), copied: 0 }
    }

    /// Goes back, or forth, to the state of a snapshot, which may be of another world. Only what differs is copied.
    pub fn load(&mut self, snapshot: &Snapshot) {
        let derived = &mut self.derived;
        let (margin, layers) = (self.state.config.speculative_margin, self.state.layers);
        let mut bodies = core::mem::take(&mut derived.loaded_bodies);
        let mut motions = core::mem::take(&mut derived.loaded_motions);
        let mut colliders = core::mem::take(&mut derived.loaded_colliders);
        self.state.copy_from(
            &snapshot.state,
            |body| bodies.push(body),
            |body| motions.push(body),
            |collider| colliders.push(collider),
            |_| derived.joint_changed(),
        );
        for body in bodies.drain(..) {
            derived.body_changed(body);
            // Where its centre of mass is says where its colliders are about it.
            if (body as usize) < self.state.bodies.len() {
                self.state.colliders_of(body).for_each(|collider| derived.collider_changed(collider));
            }
        }
        motions.drain(..).for_each(|body| derived.body_changed(body));
        colliders.drain(..).for_each(|collider| derived.collider_changed(collider));
        (derived.loaded_bodies, derived.loaded_motions, derived.loaded_colliders) =
            (bodies, motions, colliders);
        if self.state.layers != layers {
            derived.meetings_changed();
        }
        if self.state.config.speculative_margin != margin {
            (0..self.state.colliders.len() as u32).for_each(|collider| derived.collider_changed(collider));
        }
        self.forget_events();
    }

    /// A world in the state of a snapshot.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut world = Self::empty(snapshot.state.config);
        world.load(snapshot);
        world
    }

    /// A hash over the whole state: equal on all machines for equal states, and different for different ones but for
    /// once in 2¹²⁸ times.
    #[must_use]
    pub fn state_hash(&self) -> u128 {
        self.derived.hashes.root(&self.state)
    }

    /// The hashes below [`state_hash`](Self::state_hash): two peers find the first body that differs by comparing
    /// them, section by section and item by item.
    #[must_use]
    pub fn hash_tree(&self) -> crate::hash::HashTree {
        self.derived.hashes.tree(&self.state)
    }

    /// The fields of an item of a section, by name, as text: what to send when the hashes of an item differ.
    #[must_use]
    pub fn fields(&self, section: crate::hash::Section, item: usize) -> Vec<(&'static str, String)> {
        crate::hash::fields(&self.state, section, item)
    }
}

impl State {
    /// Makes this state equal to another one, names the bodies, motions, colliders and joints that may differ from before,
    /// and returns how many bytes were copied.
    fn copy_from(
        &mut self,
        other: &Self,
        body: impl FnMut(u32),
        motion: impl FnMut(u32),
        collider: impl FnMut(u32),
        joint: impl FnMut(u32),
    ) -> usize {
        // All of them by name, so that none can be forgotten.
        let Self {
            config,
            tick,
            layers,
            bodies,
            motions,
            colliders,
            joints,
            joint_impulses,
            free_bodies,
            free_colliders,
            free_joints,
            exclusions,
            forces,
            streams,
            contacts,
            asleep,
            sensed,
            arrived,
            news,
        } = other;
        self.config = *config;
        self.tick = *tick;
        self.layers = *layers;
        let mut copied = self.bodies.copy_from(bodies, body) * size_of::<Body>();
        copied += self.motions.copy_from(motions, motion) * size_of::<Motion>();
        copied += self.colliders.copy_from(colliders, collider) * size_of::<Collider>();
        copied += self.joints.copy_from(joints, joint) * size_of::<Joint>();
        copied += self.joint_impulses.copy_from(joint_impulses, |_| ()) * size_of::<JointImpulses>();
        self.free_bodies.clone_from(free_bodies);
        self.free_colliders.clone_from(free_colliders);
        self.free_joints.clone_from(free_joints);
        self.exclusions.clone_from(exclusions);
        self.forces.clone_from(forces);
        self.streams.clone_from(streams);
        copied += self.contacts.copy_from(contacts);
        if self.asleep.token != asleep.token || asleep.token == 0 {
            copied += self.asleep.contacts.copy_from(&asleep.contacts);
            self.asleep.token = asleep.token;
        }
        self.sensed.clone_from(sensed);
        self.arrived.clone_from(arrived);
        self.news.copy_from(news);
        copied
    }
}

fn codec() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding()
}

/// Where bincode writes to.
struct Sink<'a>(&'a mut Vec<u8>);

impl bincode::enc::write::Writer for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), bincode::error::EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Where bincode writes to if that should be a payload that there is.
struct Comparison<'a> {
    payload: &'a [u8],
    /// How many bytes are the same.
    at: usize,
}

impl bincode::enc::write::Writer for Comparison<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), bincode::error::EncodeError> {
        let same = bytes.iter().zip(&self.payload[self.at..]).take_while(|(a, b)| a == b).count();
        self.at += same;
        if same == bytes.len() { Ok(()) } else { Err(bincode::error::EncodeError::UnexpectedEnd) }
    }
}

/// The state as it is written.
#[derive(Serialize)]
struct Columns<'a> {
    config: &'a WorldConfig,
    tick: u64,
    layers: &'a LayerMatrix,
    bodies: &'a [Body],
    motions: &'a [Motion],
    colliders: &'a [Collider],
    joints: &'a [Joint],
    joint_impulses: &'a [JointImpulses],
    free_bodies: &'a [u32],
    free_colliders: &'a [u32],
    free_joints: &'a [u32],
    exclusions: &'a [(u32, u32)],
    forces: &'a [Force],
    streams: &'a [(u32, Rng)],
    contacts: &'a Contacts,
    asleep: &'a Contacts,
    sensed: &'a [(u32, u32)],
    arrived: &'a [u32],
    news: &'a News,
}

/// The state as it is read: the same fields in the same order.
#[derive(Deserialize)]
struct OwnedColumns {
    config: WorldConfig,
    tick: u64,
    layers: LayerMatrix,
    bodies: Vec<Body>,
    motions: Vec<Motion>,
    colliders: Vec<Collider>,
    joints: Vec<Joint>,
    joint_impulses: Vec<JointImpulses>,
    free_bodies: Vec<u32>,
    free_colliders: Vec<u32>,
    free_joints: Vec<u32>,
    exclusions: Vec<(u32, u32)>,
    forces: Vec<Force>,
    streams: Vec<(u32, Rng)>,
    contacts: Contacts,
    asleep: Contacts,
    sensed: Vec<(u32, u32)>,
    arrived: Vec<u32>,
    news: News,
}

impl<'a> Columns<'a> {
    fn of(state: &'a State) -> Self {
        let State {
            config,
            tick,
            layers,
            bodies,
            motions,
            colliders,
            joints,
            joint_impulses,
            free_bodies,
            free_colliders,
            free_joints,
            exclusions,
            forces,
            streams,
            contacts,
            asleep: Asleep { contacts: asleep, token: _ },
            sensed,
            arrived,
            news,
        } = state;
        Self {
            config,
            tick: *tick,
            layers,
            bodies: bodies.items(),
            motions: motions.items(),
            colliders: colliders.items(),
            joints: joints.items(),
            joint_impulses: joint_impulses.items(),
            free_bodies,
            free_colliders,
            free_joints,
            exclusions,
            forces,
            streams,
            contacts,
            asleep,
            sensed,
            arrived,
            news,
        }
    }
}

impl OwnedColumns {
    fn into_state(self) -> State {
        let token = Tokens::new().draw();
        State {
            config: self.config,
            tick: self.tick,
            layers: self.layers,
            bodies: Tracked::from_items(self.bodies, token),
            motions: Tracked::from_items(self.motions, token),
            colliders: Tracked::from_items(self.colliders, token),
            joints: Tracked::from_items(self.joints, token),
            joint_impulses: Tracked::from_items(self.joint_impulses, token),
            free_bodies: self.free_bodies,
            free_colliders: self.free_colliders,
            free_joints: self.free_joints,
            exclusions: self.exclusions,
            forces: self.forces,
            streams: self.streams,
            contacts: self.contacts,
            asleep: Asleep { contacts: self.asleep, token },
            sensed: self.sensed,
            arrived: self.arrived,
            news: self.news,
        }
    }
}
