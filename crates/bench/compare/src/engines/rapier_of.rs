//! Rapier, in either precision: two crates of one source.

use anyhow::{Result, ensure};

/// Lets threads share the steps of a world.
#[cfg(feature = "threads")]
pub(crate) fn share(world: &mut rapier3d::prelude::PhysicsWorld, threads: usize) -> Result<()> {
    Ok(world.configure_thread_pool(threads)?)
}

/// Refuses to, where Rapier was built without.
#[cfg(not(feature = "threads"))]
pub(crate) fn share(_: &mut rapier3d::prelude::PhysicsWorld, threads: usize) -> Result<()> {
    ensure!(threads == 1, "Rapier has {threads} threads in builds with the feature `threads` only");
    Ok(())
}

/// The other precision has one thread in every build.
pub(crate) fn share_f64(_: &mut rapier3d_f64::prelude::PhysicsWorld, threads: usize) -> Result<()> {
    ensure!(threads == 1, "the Rapier of f64 is built for one thread here, not for {threads}");
    Ok(())
}

/// Makes a module `$name` of the crate `$rapier`, whose numbers are `$real` and whose steps `$share` shares.
macro_rules! rapier {
    ($name:ident, $rapier:ident, $real:ty, $share:ident) => {
        pub(crate) mod $name {
            use std::time::Duration;

            use anyhow::Result;
            use bincode::config;
            use bincode::serde::{decode_from_slice, encode_into_std_write};
            use isostep_compare_scene::{
                DENSITY, FRICTION, GRAVITY, Ray, Scene, Shape, TIME_STEP, thread_time,
            };
            use $rapier::math::{Pose, Rotation, Vector};
            use $rapier::prelude::{
                ColliderBuilder, PhysicsWorld, QueryFilter, Ray as WorldRay, RigidBodyBuilder,
                RigidBodyHandle,
            };

            use crate::engine::{Contacts, Engine, Hits, Motion, RAY_LENGTH, SnapshotTimes};
            use crate::median::median;

            /// How often a way of saving is timed.
            const SNAPSHOTS: usize = 31;

            /// A world of Rapier with its default settings.
            pub(crate) struct Rapier {
                world: PhysicsWorld,
                dynamic: Vec<RigidBodyHandle>,
            }

            impl Rapier {
                /// Builds a scene; with or without its recycling of contacts.
                pub(crate) fn new(scene: &Scene, threads: usize, recycling: bool) -> Result<Self> {
                    let mut world = PhysicsWorld::default();
                    world.gravity = vector([0.0, GRAVITY, 0.0]);
                    world.integration_parameters.dt = TIME_STEP as $real;
                    world.integration_parameters.contact_recycling = recycling;
                    super::rapier_of::$share(&mut world, threads)?;
                    let mut dynamic = Vec::new();
                    for body in &scene.bodies {
                        let [x, y, z, w] = body.rotation.map(|part| part as $real);
                        let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
                        let builder = if body.is_dynamic {
                            RigidBodyBuilder::dynamic()
                        } else {
                            RigidBodyBuilder::fixed()
                        };
                        let builder = builder
                            .pose(Pose::from_parts(vector(body.position), rotation))
                            .linvel(vector(body.velocity))
                            .can_sleep(false);
                        let collider = match body.shape {
                            Shape::Box { half_extents: [x, y, z] } => {
                                ColliderBuilder::cuboid(x as $real, y as $real, z as $real)
                            }
                            Shape::Sphere { radius } => ColliderBuilder::ball(radius as $real),
                        };
                        let collider =
                            collider.density(DENSITY as $real).friction(FRICTION as $real).restitution(0.0);
                        let (handle, _) = world.insert(builder, collider);
                        if body.is_dynamic {
                            dynamic.push(handle);
                        }
                    }
                    Ok(Self { world, dynamic })
                }

                fn save(&self, bytes: &mut Vec<u8>) {
                    bytes.clear();
                    encode_into_std_write(&self.world, bytes, config::legacy()).expect("memory takes all");
                }

                fn load(&mut self, bytes: &[u8]) {
                    let (world, _): (PhysicsWorld, usize) =
                        decode_from_slice(bytes, config::legacy()).expect("it was just written");
                    // The pipeline is no state but memory and threads, and is kept.
                    let pipeline = std::mem::take(&mut self.world.physics_pipeline);
                    self.world = PhysicsWorld { physics_pipeline: pipeline, ..world };
                }
            }

            impl Engine for Rapier {
                fn step(&mut self) {
                    self.world.step();
                }

                fn motions(&self) -> Vec<Motion> {
                    let motion = |&handle: &RigidBodyHandle| {
                        let body = &self.world.bodies[handle];
                        let rotation = body.rotation();
                        Motion {
                            position: floats(body.center_of_mass()),
                            rotation: [rotation.x, rotation.y, rotation.z, rotation.w].map(f64::from),
                            linear_velocity: floats(body.linvel()),
                            angular_velocity: floats(body.angvel()),
                        }
                    };
                    self.dynamic.iter().map(motion).collect()
                }

                fn contacts(&self) -> Contacts {
                    let mut sum = Contacts { pairs: 0, points: 0 };
                    for pair in self.world.contact_pairs().filter(|pair| pair.has_any_active_contact()) {
                        sum.pairs += 1;
                        sum.points += pair
                            .manifolds
                            .iter()
                            .map(|manifold| manifold.data.solver_contacts.len())
                            .sum::<usize>();
                    }
                    sum
                }

                fn cast_rays(&mut self, rays: &[Ray]) -> Hits {
                    let queries = self.world.query_pipeline_with_filter(QueryFilter::default());
                    let mut hits = Hits::default();
                    for ray in rays {
                        let ray = WorldRay::new(vector(ray.origin).into(), vector(ray.direction));
                        let hit = queries.cast_ray_and_get_normal(&ray, RAY_LENGTH as $real, true);
                        if let Some((_, hit)) = hit {
                            hits.count += 1;
                            hits.distance += f64::from(hit.time_of_impact);
                            hits.up += f64::from(hit.normal.y);
                        }
                    }
                    hits
                }

                fn snapshots(&mut self) -> Vec<SnapshotTimes> {
                    let (mut saves, mut loads, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
                    for _ in 0..SNAPSHOTS {
                        self.step();
                        saves.push(thread_time(|| self.save(&mut bytes)).0.as_secs_f64());
                        self.step();
                        loads.push(thread_time(|| self.load(&bytes)).0.as_secs_f64());
                    }
                    let [save, load] = [saves, loads].map(|times| Duration::from_secs_f64(median(times)));
                    let how = concat!(stringify!($rapier), ", bincode");
                    vec![SnapshotTimes { how, save, load, bytes: bytes.len() }]
                }

                fn allocates_in_rust(&self) -> bool {
                    true
                }
            }

            /// The nearest numbers.
            fn vector(numbers: [f64; 3]) -> Vector {
                let [x, y, z] = numbers.map(|number| number as $real);
                Vector::new(x, y, z)
            }

            fn floats(vector: Vector) -> [f64; 3] {
                [vector.x, vector.y, vector.z].map(f64::from)
            }
        }
    };
}
pub(crate) use rapier;
