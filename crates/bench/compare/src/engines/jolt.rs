//! Jolt, in C++ behind a wrapper in C.
#![allow(unsafe_code, reason = "every call of a C function is unsafe")]

use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, ensure};
use isostep_compare_scene::{DENSITY, FRICTION, GRAVITY, Ray, Scene, Shape, TIME_STEP, thread_time};
use oxijolt_sys as ffi;

use crate::engine::{Contacts, Engine, Hits, Motion, RAY_LENGTH, SnapshotTimes};
use crate::median::median;

/// How often a way of saving is timed.
const SNAPSHOTS: usize = 31;
/// What does not move, and what does: of objects and of the trees that they are in.
const LAYERS: [u8; 2] = [0, 1];
const STATIC: usize = 0;
const MOVING: usize = 1;
/// Of a step, in bytes: what needs more comes from the heap. It is that of Jolt's first example.
const TEMPORARY: u32 = 10 << 20;
/// Pairs and contacts that there is room for: for so many bodies at least, and for so many of each body.
const ROOM: [usize; 2] = [4_096, 16];
/// The library starts when a first world is built, and creating and destroying worlds writes what they share.
static LIBRARY: Mutex<bool> = Mutex::new(false);

/// A world of Jolt with its default settings, in single precision, with the switch that makes it deterministic across
/// platforms.
pub(crate) struct Jolt {
    system: *mut ffi::JPH_PhysicsSystem,
    jobs: *mut ffi::JPH_JobSystem,
    temporary: *mut ffi::JPH_TempAllocator,
    dynamic: Vec<ffi::JPH_BodyID>,
}

impl Jolt {
    /// Builds a scene.
    pub(crate) fn new(scene: &Scene, threads: usize) -> Result<Self> {
        ensure!(threads == 1, "Jolt is on one thread here, not on {threads}");
        let mut started = library();
        // SAFETY: no other thread creates or destroys anything of Jolt meanwhile.
        let world = unsafe {
            if !*started {
                ensure!(ffi::JPH_Init(), "Jolt does not start");
                *started = true;
            }
            Self {
                system: create_system(scene.bodies.len()),
                jobs: ffi::JPH_JobSystemSingleThreaded_Create(0),
                temporary: ffi::JPH_TempAllocator_Create(TEMPORARY),
                dynamic: Vec::new(),
            }
        };
        drop(started);
        ensure!(
            !world.system.is_null() && !world.jobs.is_null() && !world.temporary.is_null(),
            "no world of Jolt"
        );
        world.filled(scene)
    }

    /// The world with the bodies of a scene.
    fn filled(mut self, scene: &Scene) -> Result<Self> {
        // SAFETY: the world is alive, and everything that is pointed to outlives the calls: a body keeps its shape, of
        // which the reference that came with it is given back, and settings are copied.
        unsafe {
            ffi::JPH_PhysicsSystem_SetGravity(self.system, &vector([0.0, GRAVITY, 0.0]));
            let bodies = ffi::JPH_PhysicsSystem_GetBodyInterface(self.system);
            for body in &scene.bodies {
                let shape = create_shape(body.shape);
                let [x, y, z, w] = body.rotation.map(|part| part as f32);
                let (motion, layer, activation) = if body.is_dynamic {
                    (ffi::JPH_MotionType_Dynamic, MOVING, ffi::JPH_Activation_Activate)
                } else {
                    (ffi::JPH_MotionType_Static, STATIC, ffi::JPH_Activation_DontActivate)
                };
                let (position, rotation) = (vector(body.position), ffi::JPH_Quat { x, y, z, w });
                let settings = ffi::JPH_BodyCreationSettings_Create3(
                    shape,
                    &raw const position,
                    &raw const rotation,
                    motion,
                    LAYERS[layer].into(),
                );
                ffi::JPH_BodyCreationSettings_SetLinearVelocity(settings, &vector(body.velocity));
                ffi::JPH_BodyCreationSettings_SetFriction(settings, FRICTION as f32);
                ffi::JPH_BodyCreationSettings_SetRestitution(settings, 0.0);
                ffi::JPH_BodyCreationSettings_SetAllowSleeping(settings, false);
                let id = ffi::JPH_BodyInterface_CreateAndAddBody(bodies, settings, activation);
                ffi::JPH_BodyCreationSettings_Destroy(settings);
                ffi::JPH_Shape_Destroy(shape);
                if body.is_dynamic {
                    self.dynamic.push(id);
                }
            }
            let count = ffi::JPH_PhysicsSystem_GetNumBodies(self.system) as usize;
            ensure!(count == scene.bodies.len(), "Jolt has taken {count} of {} bodies", scene.bodies.len());
            // As its documentation recommends after many bodies were added.
            ffi::JPH_PhysicsSystem_OptimizeBroadPhase(self.system);
        }
        Ok(self)
    }

    /// Steps once; false if there was no room for a contact.
    fn update(&self) -> bool {
        // SAFETY: the world is alive.
        let error = unsafe {
            ffi::JPH_PhysicsSystem_Update2(self.system, TIME_STEP as f32, 1, self.temporary, self.jobs)
        };
        error == ffi::JPH_PhysicsUpdateError_None
    }

    fn save(&self) -> Recorder {
        // SAFETY: the world is alive, and without a list all bodies are saved.
        unsafe {
            let recorder = Recorder(ffi::JPH_StateRecorder_Create());
            let all = ffi::JPH_StateRecorderState_All;
            ffi::JPH_PhysicsSystem_SaveState(self.system, recorder.0, all, ptr::null(), 0);
            recorder
        }
    }

    fn load(&self, recorder: &Recorder) {
        // SAFETY: the world is alive and the one that was saved.
        let done = unsafe {
            ffi::JPH_StateRecorder_Rewind(recorder.0);
            ffi::JPH_PhysicsSystem_RestoreState(self.system, recorder.0)
        };
        assert!(done, "what was just saved can be loaded");
    }
}

impl Drop for Jolt {
    fn drop(&mut self) {
        let _guard = library();
        // SAFETY: nothing else has the world, and no step is going on. The layers and filters are the system's.
        unsafe {
            ffi::JPH_PhysicsSystem_Destroy(self.system);
            ffi::JPH_JobSystem_Destroy(self.jobs);
            ffi::JPH_TempAllocator_Destroy(self.temporary);
        }
    }
}

impl Engine for Jolt {
    fn step(&mut self) {
        assert!(self.update(), "Jolt has no room for all contacts");
    }

    fn motions(&self) -> Vec<Motion> {
        let zero = vector([0.0; 3]);
        let motion = |&id: &ffi::JPH_BodyID| {
            let [mut position, mut linear, mut angular] = [zero; 3];
            let mut rotation = ffi::JPH_Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
            // SAFETY: no body was removed.
            unsafe {
                let bodies = ffi::JPH_PhysicsSystem_GetBodyInterfaceNoLock(self.system);
                ffi::JPH_BodyInterface_GetCenterOfMassPosition(bodies, id, &raw mut position);
                ffi::JPH_BodyInterface_GetRotation(bodies, id, &raw mut rotation);
                ffi::JPH_BodyInterface_GetLinearVelocity(bodies, id, &raw mut linear);
                ffi::JPH_BodyInterface_GetAngularVelocity(bodies, id, &raw mut angular);
            }
            Motion {
                position: floats(position),
                rotation: [rotation.x, rotation.y, rotation.z, rotation.w].map(f64::from),
                linear_velocity: floats(linear),
                angular_velocity: floats(angular),
            }
        };
        self.dynamic.iter().map(motion).collect()
    }

    fn contacts(&self) -> Contacts {
        // Jolt tells of contacts while it steps. It looks for them before it moves anything: so the next step tells what
        // touches now, and then it is undone.
        let before = self.save();
        let mut contacts = Contacts { pairs: 0, points: 0 };
        let procs = ffi::JPH_ContactListener_Procs {
            OnContactValidate: None,
            OnContactAdded: Some(count_contact),
            OnContactPersisted: Some(count_contact),
            OnContactRemoved: None,
        };
        // All listeners share the functions, which stay set for good.
        let procs: &'static ffi::JPH_ContactListener_Procs = Box::leak(Box::new(procs));
        let guard = library();
        // SAFETY: the world is alive. It steps on this thread alone, which writes to `contacts` through the listener only,
        // and the listener is detached before it goes.
        unsafe {
            ffi::JPH_ContactListener2_SetProcs(procs);
            let listener = ffi::JPH_ContactListener2_Create((&raw mut contacts).cast());
            ffi::JPH_PhysicsSystem_SetContactListener2(self.system, listener);
            self.update();
            ffi::JPH_PhysicsSystem_SetContactListener2(self.system, ptr::null_mut());
            ffi::JPH_ContactListener2_Destroy(listener);
        }
        drop(guard);
        self.load(&before);
        contacts
    }

    fn cast_rays(&mut self, rays: &[Ray]) -> Hits {
        let mut hits = Hits::default();
        for ray in rays {
            let (origin, direction) =
                (vector(ray.origin), vector(ray.direction.map(|part| part * RAY_LENGTH)));
            let mut hit = ffi::JPH_RayCastResult { bodyID: 0, fraction: 0.0, subShapeID2: 0 };
            // SAFETY: the world is alive, and so are the bodies in it. Without filters rays hit everything.
            let up = unsafe {
                let queries = ffi::JPH_PhysicsSystem_GetNarrowPhaseQueryNoLock(self.system);
                let none = (ptr::null(), ptr::null(), ptr::null());
                let (origin, direction) = (&raw const origin, &raw const direction);
                let hit_something = ffi::JPH_NarrowPhaseQuery_CastRay(
                    queries,
                    origin,
                    direction,
                    &raw mut hit,
                    none.0,
                    none.1,
                    none.2,
                );
                hit_something.then(|| {
                    let place = vector(std::array::from_fn(|axis| {
                        ray.origin[axis] + ray.direction[axis] * RAY_LENGTH * f64::from(hit.fraction)
                    }));
                    let mut normal = vector([0.0; 3]);
                    let body = ffi::JPH_PhysicsSystem_GetBodyPtr(self.system, hit.bodyID);
                    ffi::JPH_Body_GetWorldSpaceSurfaceNormal(body, hit.subShapeID2, &place, &raw mut normal);
                    f64::from(normal.y)
                })
            };
            if let Some(up) = up {
                hits.count += 1;
                hits.distance += f64::from(hit.fraction) * RAY_LENGTH;
                hits.up += up;
            }
        }
        hits
    }

    fn snapshots(&mut self) -> Vec<SnapshotTimes> {
        let (mut saves, mut loads, mut bytes) = (Vec::new(), Vec::new(), 0);
        for _ in 0..SNAPSHOTS {
            self.step();
            let (time, recorder) = thread_time(|| self.save());
            saves.push(time.as_secs_f64());
            // SAFETY: the recorder is alive.
            bytes = unsafe { ffi::JPH_StateRecorder_GetDataSize(recorder.0) };
            self.step();
            loads.push(thread_time(|| self.load(&recorder)).0.as_secs_f64());
        }
        let [save, load] = [saves, loads].map(|times| Duration::from_secs_f64(median(times)));
        vec![SnapshotTimes { how: "Jolt, SaveState", save, load, bytes }]
    }

    fn allocates_in_rust(&self) -> bool {
        false
    }
}

/// What was saved of a world.
struct Recorder(*mut ffi::JPH_StateRecorder);

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: nothing else has it.
        unsafe { ffi::JPH_StateRecorder_Destroy(self.0) }
    }
}

/// Whether the library has started, for one thread at a time.
fn library() -> MutexGuard<'static, bool> {
    LIBRARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A world without bodies. All that moves collides with everything, and each layer has a tree of its own.
///
/// # Safety
/// The library has started, and no other thread creates or destroys anything of it.
unsafe fn create_system(bodies: usize) -> *mut ffi::JPH_PhysicsSystem {
    let count = LAYERS.len() as u32;
    let [at_least, of_each] = ROOM;
    let contacts = (bodies.max(at_least) * of_each) as u32;
    // SAFETY: the system takes all that is created here.
    unsafe {
        let pairs = ffi::JPH_ObjectLayerPairFilterTable_Create(count);
        ffi::JPH_ObjectLayerPairFilterTable_EnableCollision(
            pairs,
            LAYERS[MOVING].into(),
            LAYERS[MOVING].into(),
        );
        ffi::JPH_ObjectLayerPairFilterTable_EnableCollision(
            pairs,
            LAYERS[MOVING].into(),
            LAYERS[STATIC].into(),
        );
        let trees = ffi::JPH_BroadPhaseLayerInterfaceTable_Create(count, count);
        for layer in LAYERS {
            ffi::JPH_BroadPhaseLayerInterfaceTable_MapObjectToBroadPhaseLayer(trees, layer.into(), layer);
        }
        let settings = ffi::JPH_PhysicsSystemSettings {
            maxBodies: bodies as u32,
            numBodyMutexes: 0,
            maxBodyPairs: contacts,
            maxContactConstraints: contacts,
            _padding: 0,
            broadPhaseLayerInterface: trees,
            objectLayerPairFilter: pairs,
            objectVsBroadPhaseLayerFilter: ffi::JPH_ObjectVsBroadPhaseLayerFilterTable_Create(
                trees, count, pairs, count,
            ),
        };
        ffi::JPH_PhysicsSystem_Create(&raw const settings)
    }
}

/// A shape, with a reference to it. Boxes have rounded edges as by default, where they are not thinner than these.
///
/// # Safety
/// The library has started.
unsafe fn create_shape(shape: Shape) -> *mut ffi::JPH_Shape {
    // SAFETY: shapes that are convex are what the density is set of, and all are shapes.
    unsafe {
        let shape: *mut ffi::JPH_Shape = match shape {
            Shape::Box { half_extents } => {
                let least = half_extents.into_iter().fold(f64::INFINITY, f64::min);
                let radius = ffi::JPH_DEFAULT_CONVEX_RADIUS.min(least);
                ffi::JPH_BoxShape_Create(&vector(half_extents), radius as f32).cast()
            }
            Shape::Sphere { radius } => ffi::JPH_SphereShape_Create(radius as f32).cast(),
        };
        ffi::JPH_ConvexShape_SetDensity(shape.cast(), DENSITY as f32);
        shape
    }
}

/// Adds a contact to the [`Contacts`] that `counted` points to.
unsafe extern "C" fn count_contact(
    counted: *mut c_void,
    _: *const ffi::JPH_Body,
    _: *const ffi::JPH_Body,
    manifold: *const ffi::JPH_ContactManifold,
    _: *mut ffi::JPH_ContactSettings,
) {
    // SAFETY: it is what the listener was created with, and the manifold is alive during the call.
    unsafe {
        let counted = &mut *counted.cast::<Contacts>();
        counted.pairs += 1;
        counted.points += ffi::JPH_ContactManifold_GetPointCount(manifold) as usize;
    }
}

/// The nearest numbers.
fn vector(numbers: [f64; 3]) -> ffi::JPH_Vec3 {
    let [x, y, z] = numbers.map(|number| number as f32);
    ffi::JPH_Vec3 { x, y, z }
}

fn floats(vector: ffi::JPH_Vec3) -> [f64; 3] {
    [vector.x, vector.y, vector.z].map(f64::from)
}
