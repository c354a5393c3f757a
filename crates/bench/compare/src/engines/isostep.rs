//! isostep.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Result, ensure};
use isostep_collision::Ray as WorldRay;
use isostep_compare_scene::{Ray, Scene, SceneWorld, thread_time, vector};
use isostep_math::{Fx, Vec3};
use isostep_step::{BodyHandle, BodyView, QueryFilter, Snapshot, World};
use rayon::{ThreadPoolBuilder, current_num_threads};

use crate::engine::{Contacts, Engine, Hits, Motion, RAY_LENGTH, SnapshotTimes};
use crate::median::median;

/// How often a way of saving is timed.
const SNAPSHOTS: usize = 31;

/// A world, and handles of its bodies.
pub(crate) struct Isostep {
    world: World,
    dynamic: Vec<BodyHandle>,
}

impl Isostep {
    /// Builds a scene. Several threads are those that a program has anyway: its pool, which gets as many once.
    pub(crate) fn new(scene: &Scene, threads: usize) -> Result<Self> {
        let SceneWorld { mut world, dynamic } = SceneWorld::new(scene)?;
        world.set_max_threads(threads);
        if threads > 1 {
            static POOL: OnceLock<bool> = OnceLock::new();
            let start = || ThreadPoolBuilder::new().num_threads(threads).build_global().is_ok();
            let has_as_many = *POOL.get_or_init(start) && current_num_threads() == threads;
            ensure!(has_as_many, "the pool of this process has another number of threads than {threads}");
        }
        Ok(Self { world, dynamic })
    }

    /// Times `save` and `load` after a step each, in turn.
    fn time_snapshots(
        &mut self,
        how: &'static str,
        mut save: impl FnMut(&World) -> usize,
        mut load: impl FnMut(&mut World),
    ) -> SnapshotTimes {
        let (mut saves, mut loads, mut bytes) = (Vec::new(), Vec::new(), 0);
        for _ in 0..SNAPSHOTS {
            self.step();
            let (time, size) = thread_time(|| save(&self.world));
            saves.push(time.as_secs_f64());
            bytes = size;
            // What is loaded is a tick old, as when a client rolls back.
            self.step();
            loads.push(thread_time(|| load(&mut self.world)).0.as_secs_f64());
        }
        let [save, load] = [saves, loads].map(|times| Duration::from_secs_f64(median(times)));
        SnapshotTimes { how, save, load, bytes }
    }
}

impl Engine for Isostep {
    fn step(&mut self) {
        self.world.step();
    }

    fn motions(&self) -> Vec<Motion> {
        let floats = |vector: Vec3| vector.to_array().map(Fx::to_f64);
        let motion = |&handle: &BodyHandle| {
            let body = self.world.body(handle).expect("no body was removed");
            Motion {
                position: floats(body.center_of_mass()),
                rotation: body.rotation().to_array().map(Fx::to_f64),
                linear_velocity: floats(body.linear_velocity()),
                angular_velocity: floats(body.angular_velocity()),
            }
        };
        self.dynamic.iter().map(motion).collect()
    }

    fn contacts(&self) -> Contacts {
        let touching = self.world.contacts().filter(|contact| contact.touching);
        touching.fold(Contacts { pairs: 0, points: 0 }, |sum, contact| Contacts {
            pairs: sum.pairs + 1,
            points: sum.points + usize::from(contact.points),
        })
    }

    fn work(&self) -> Option<(u64, usize)> {
        let bodies = self.dynamic.iter().map(|&handle| self.world.body(handle).expect("no body was removed"));
        Some((self.world.tick(), bodies.filter(BodyView::is_asleep).count()))
    }

    fn cast_rays(&mut self, rays: &[Ray]) -> Hits {
        let queries = self.world.queries();
        let filter = QueryFilter::default();
        let mut hits = Hits::default();
        for ray in rays {
            // What a game has are numbers of the engine; converting them is no part of a ray, but cheap beside it.
            let fixed = |numbers: [f64; 3]| vector(numbers).expect("finite numbers were read");
            let displacement = fixed(ray.direction.map(|part| part * RAY_LENGTH));
            if let Some(hit) = queries.cast_ray(&WorldRay::new(fixed(ray.origin), displacement), &filter) {
                hits.count += 1;
                hits.distance += hit.hit.fraction.to_f64() * RAY_LENGTH;
                hits.up += hit.hit.normal.y.to_f64();
            }
        }
        hits
    }

    fn snapshots(&mut self) -> Vec<SnapshotTimes> {
        // Two closures use it, never at once.
        let reused = std::cell::RefCell::new(Snapshot::new());
        let save = |world: &World| {
            world.save(&mut reused.borrow_mut());
            reused.borrow().copied_bytes()
        };
        let in_memory = self.time_snapshots("isostep, in memory", save, |world| world.load(&reused.borrow()));

        let bytes = std::cell::RefCell::new(Vec::new());
        let save = |world: &World| {
            let (mut snapshot, mut bytes) = (reused.borrow_mut(), bytes.borrow_mut());
            world.save(&mut snapshot);
            bytes.clear();
            snapshot.write(&mut bytes);
            bytes.len()
        };
        let load = |world: &mut World| {
            let snapshot = Snapshot::from_bytes(&bytes.borrow()).expect("they were just written");
            world.load(&snapshot);
        };
        vec![in_memory, self.time_snapshots("isostep, as bytes", save, load)]
    }

    fn hash(&mut self) -> Option<u128> {
        Some(self.world.state_hash())
    }

    fn allocates_in_rust(&self) -> bool {
        true
    }
}
