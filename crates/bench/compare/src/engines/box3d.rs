//! Box3D, in C.
#![allow(unsafe_code, reason = "every call of a C function is unsafe")]

use anyhow::{Result, ensure};
use boxddd_sys::ffi;
use isostep_compare_scene::{DENSITY, FRICTION, GRAVITY, Ray, Scene, Shape, TIME_STEP};

use crate::engine::{Contacts, Engine, Hits, Motion, RAY_LENGTH};

/// What its documentation recommends.
const SUBSTEPS: i32 = 4;

/// A world of Box3D with its default settings.
pub(crate) struct Box3d {
    world: ffi::b3WorldId,
    dynamic: Vec<ffi::b3BodyId>,
}

impl Box3d {
    /// Builds a scene.
    pub(crate) fn new(scene: &Scene, threads: usize) -> Result<Self> {
        // SAFETY: the definitions come from the library, and everything they point to outlives the calls: Box3D copies
        // hulls into its world.
        unsafe {
            let mut def = ffi::b3DefaultWorldDef();
            def.gravity = vector([0.0, GRAVITY, 0.0]);
            def.enableSleep = false;
            def.workerCount = threads as u32;
            let world = ffi::b3CreateWorld(&raw const def);
            ensure!(ffi::b3World_IsValid(world), "Box3D has no world left");
            let mut dynamic = Vec::new();
            for body in &scene.bodies {
                let mut def = ffi::b3DefaultBodyDef();
                if body.is_dynamic {
                    def.type_ = ffi::b3BodyType_b3_dynamicBody;
                }
                def.position = vector(body.position);
                let [x, y, z, w] = body.rotation;
                def.rotation = ffi::b3Quat { v: vector([x, y, z]), s: w as f32 };
                def.linearVelocity = vector(body.velocity);
                let id = ffi::b3CreateBody(world, &raw const def);
                let mut def = ffi::b3DefaultShapeDef();
                def.density = DENSITY as f32;
                def.baseMaterial.friction = FRICTION as f32;
                def.baseMaterial.restitution = 0.0;
                match body.shape {
                    Shape::Box { half_extents } => {
                        let [x, y, z] = half_extents.map(|half| half as f32);
                        let hull = ffi::b3MakeBoxHull(x, y, z);
                        ffi::b3CreateHullShape(id, &raw const def, (&raw const hull).cast());
                    }
                    Shape::Sphere { radius } => {
                        let sphere = ffi::b3Sphere { center: vector([0.0; 3]), radius: radius as f32 };
                        ffi::b3CreateSphereShape(id, &raw const def, &raw const sphere);
                    }
                }
                if body.is_dynamic {
                    dynamic.push(id);
                }
            }
            Ok(Self { world, dynamic })
        }
    }
}

impl Drop for Box3d {
    fn drop(&mut self) {
        // SAFETY: nothing else has the world.
        unsafe { ffi::b3DestroyWorld(self.world) }
    }
}

impl Engine for Box3d {
    fn step(&mut self) {
        // SAFETY: the world is alive.
        unsafe { ffi::b3World_Step(self.world, TIME_STEP as f32, SUBSTEPS) }
    }

    fn motions(&self) -> Vec<Motion> {
        let motion = |&body: &ffi::b3BodyId| {
            // SAFETY: no body was removed.
            let (position, rotation, linear, angular) = unsafe {
                (
                    ffi::b3Body_GetWorldCenter(body),
                    ffi::b3Body_GetRotation(body),
                    ffi::b3Body_GetLinearVelocity(body),
                    ffi::b3Body_GetAngularVelocity(body),
                )
            };
            let [x, y, z] = floats(rotation.v);
            Motion {
                position: floats(position),
                rotation: [x, y, z, f64::from(rotation.s)],
                linear_velocity: floats(linear),
                angular_velocity: floats(angular),
            }
        };
        self.dynamic.iter().map(motion).collect()
    }

    fn contacts(&self) -> Contacts {
        // Box3D tells the contacts of a body. Those of two bodies that move are told of twice.
        let mut halves = Contacts { pairs: 0, points: 0 };
        let mut contacts: Vec<ffi::b3ContactData> = Vec::new();
        for &body in &self.dynamic {
            // SAFETY: the array has the capacity that is told, and only what was written is read.
            unsafe {
                let capacity = ffi::b3Body_GetContactCapacity(body);
                contacts.clear();
                contacts.reserve(capacity as usize);
                let count = ffi::b3Body_GetContactData(body, contacts.as_mut_ptr(), capacity);
                contacts.set_len(count as usize);
            }
            for contact in &contacts {
                // SAFETY: the shapes are those of the world, and the manifolds are alive until the next step.
                let (is_double, points) = unsafe {
                    let is_dynamic = |shape| {
                        ffi::b3Body_GetType(ffi::b3Shape_GetBody(shape)) == ffi::b3BodyType_b3_dynamicBody
                    };
                    let manifolds = if contact.manifoldCount == 0 {
                        &[]
                    } else {
                        std::slice::from_raw_parts(contact.manifolds, contact.manifoldCount as usize)
                    };
                    let points: usize = manifolds.iter().map(|manifold| manifold.pointCount as usize).sum();
                    (is_dynamic(contact.shapeIdA) && is_dynamic(contact.shapeIdB), points)
                };
                let weight = if is_double { 1 } else { 2 };
                halves.pairs += weight * usize::from(points > 0);
                halves.points += weight * points;
            }
        }
        Contacts { pairs: halves.pairs / 2, points: halves.points / 2 }
    }

    fn cast_rays(&mut self, rays: &[Ray]) -> Hits {
        let mut hits = Hits::default();
        for ray in rays {
            let translation = vector(ray.direction.map(|part| part * RAY_LENGTH));
            // SAFETY: the world is alive.
            let hit = unsafe {
                let filter = ffi::b3DefaultQueryFilter();
                ffi::b3World_CastRayClosest(self.world, vector(ray.origin), translation, filter)
            };
            if hit.hit {
                hits.count += 1;
                hits.distance += f64::from(hit.fraction) * RAY_LENGTH;
                hits.up += f64::from(hit.normal.y);
            }
        }
        hits
    }

    fn allocates_in_rust(&self) -> bool {
        false
    }
}

/// The nearest numbers.
fn vector(numbers: [f64; 3]) -> ffi::b3Vec3 {
    let [x, y, z] = numbers.map(|number| number as f32);
    ffi::b3Vec3 { x, y, z }
}

fn floats(vector: ffi::b3Vec3) -> [f64; 3] {
    [vector.x, vector.y, vector.z].map(f64::from)
}
