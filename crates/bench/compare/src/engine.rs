//! [`Engine`]: what every engine is asked to do, and [`EngineName`]: which there are.

use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use isostep_compare_scene::{Ray, Scene};

use crate::engines;

/// How far rays reach, in m.
pub(crate) const RAY_LENGTH: f64 = 60.0;

/// A world of some engine in which a scene was built. No body falls asleep in it.
pub(crate) trait Engine {
    /// Advances by [`isostep_compare_scene::TIME_STEP`].
    fn step(&mut self);

    /// The bodies that move, in the order of the scene.
    fn motions(&self) -> Vec<Motion>;

    /// What touches after the last step.
    fn contacts(&self) -> Contacts;

    /// How many steps were taken, with how many bodies that move asleep, if the engine tells: none is to leave work out.
    fn work(&self) -> Option<(u64, usize)> {
        None
    }

    /// Casts rays of [`RAY_LENGTH`], each to the nearest hit with its normal.
    fn cast_rays(&mut self, rays: &[Ray]) -> Hits;

    /// Saves and loads the state in each way that users of the engine have, none if it has none. Steps on between.
    fn snapshots(&mut self) -> Vec<SnapshotTimes> {
        Vec::new()
    }

    /// Computes a hash over the state, if the engine has one.
    fn hash(&mut self) -> Option<u128> {
        None
    }

    /// Whether all it allocates comes from the allocator of this program, so that allocations can be counted.
    fn allocates_in_rust(&self) -> bool;
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    /// Of the centre of mass.
    pub(crate) position: [f64; 3],
    /// x, y, z, w.
    pub(crate) rotation: [f64; 4],
    pub(crate) linear_velocity: [f64; 3],
    /// In the coordinates of the world.
    pub(crate) angular_velocity: [f64; 3],
}

/// How much touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contacts {
    pub(crate) pairs: usize,
    pub(crate) points: usize,
}

/// What rays hit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hits {
    pub(crate) count: usize,
    /// The sum of the distances, in m: different engines that see the same scene are close to each other.
    pub(crate) distance: f64,
    /// The sum of the components of the normals along y, so that none is left out.
    pub(crate) up: f64,
}

/// How long a way of saving and loading takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SnapshotTimes {
    pub(crate) how: &'static str,
    pub(crate) save: Duration,
    pub(crate) load: Duration,
    pub(crate) bytes: usize,
}

/// The engines, and settings of them, that are columns of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    Isostep,
    /// rapier3d with `enhanced-determinism`
    Rapier,
    /// The same without recycling contacts of bodies that hardly moved
    RapierFresh,
    /// rapier3d-f64 with `enhanced-determinism`
    RapierF64,
    /// Box3D: in builds with the feature `box3d`
    Box3d,
    /// Jolt with `CROSS_PLATFORM_DETERMINISTIC`: in builds with the feature `jolt`
    Jolt,
}

impl EngineName {
    /// Those in this build.
    pub(crate) fn built_in() -> Vec<Self> {
        Self::value_variants().iter().copied().filter(|name| name.is_built_in()).collect()
    }

    const fn is_built_in(self) -> bool {
        match self {
            Self::Isostep | Self::Rapier | Self::RapierFresh | Self::RapierF64 => true,
            Self::Box3d => cfg!(feature = "box3d"),
            Self::Jolt => cfg!(feature = "jolt"),
        }
    }

    /// For the head of a column.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Isostep => "isostep",
            Self::Rapier => "Rapier",
            Self::RapierFresh => "Rapier, no recycling",
            Self::RapierF64 => "Rapier f64",
            Self::Box3d => "Box3D",
            Self::Jolt => "Jolt",
        }
    }

    /// Builds a scene in a world that may work on `threads` threads.
    pub(crate) fn build(self, scene: &Scene, threads: usize) -> Result<Box<dyn Engine>> {
        Ok(match self {
            Self::Isostep => Box::new(engines::isostep::Isostep::new(scene, threads)?),
            Self::Rapier => Box::new(engines::rapier::Rapier::new(scene, threads, true)?),
            Self::RapierFresh => Box::new(engines::rapier::Rapier::new(scene, threads, false)?),
            Self::RapierF64 => Box::new(engines::rapier_f64::Rapier::new(scene, threads, true)?),
            #[cfg(feature = "box3d")]
            Self::Box3d => Box::new(engines::box3d::Box3d::new(scene, threads)?),
            #[cfg(feature = "jolt")]
            Self::Jolt => Box::new(engines::jolt::Jolt::new(scene, threads)?),
            #[cfg(not(all(feature = "box3d", feature = "jolt")))]
            other => anyhow::bail!("{} is not in this build: it has a feature of cargo", other.title()),
        })
    }
}
