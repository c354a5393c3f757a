//! [`State`]: all that the future of a world depends on, and nothing else.
//!
//! A snapshot holds exactly this, and the hash is over exactly this. What is derived from it (the tree, lists of
//! awake bodies, the solver's rows) lives in the world beside it and is rebuilt at will.

use crate::body::{Body, Motion};
use crate::collider::Collider;
use crate::config::WorldConfig;
use crate::contact::{ContactPair, Contacts};
use crate::filter::LayerMatrix;
use crate::handle::{BodyHandle, ColliderHandle, JointHandle};
use crate::joint::{Joint, JointImpulses};
use crate::tracked::Tracked;
use alloc::vec::Vec;
use isostep_collision::{Mass, Shape};
use isostep_math::random::Rng;
use isostep_math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

/// How many random streams a world can have.
pub(crate) const MAX_STREAMS: usize = 1 << 16;

/// The state of a world.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) config: WorldConfig,
    pub(crate) tick: u64,
    pub(crate) layers: LayerMatrix,
    /// By slot.
    pub(crate) bodies: Tracked<Body>,
    /// By slot of the body.
    pub(crate) motions: Tracked<Motion>,
    /// By slot.
    pub(crate) colliders: Tracked<Collider>,
    /// By slot.
    pub(crate) joints: Tracked<Joint>,
    /// By slot of the joint.
    pub(crate) joint_impulses: Tracked<JointImpulses>,
    /// Slots of bodies that were given up; the last one is taken next.
    pub(crate) free_bodies: Vec<u32>,
    /// Slots of colliders that were given up; the last one is taken next.
    pub(crate) free_colliders: Vec<u32>,
    /// Slots of joints that were given up; the last one is taken next.
    pub(crate) free_joints: Vec<u32>,
    /// Pairs of bodies that pass through each other, ascending, the lower slot first.
    pub(crate) exclusions: Vec<(u32, u32)>,
    /// Forces that act over the next step, by ascending slots of bodies.
    pub(crate) forces: Vec<Force>,
    /// Streams that were drawn from, by ascending numbers.
    pub(crate) streams: Vec<(u32, Rng)>,
    /// Contacts of awake bodies.
    pub(crate) contacts: Contacts,
    /// Contacts of sleeping bodies, in which nobody is awake.
    pub(crate) asleep: Asleep,
    /// Colliders in sensors, by ascending slots: the sensor, and what is in it.
    pub(crate) sensed: Vec<(u32, u32)>,
    /// Solids that came or were put elsewhere since the last step, of bodies that contacts do not move, by ascending slots:
    /// the next step wakes what sleeps there.
    pub(crate) arrived: Vec<u32>,
    /// What commands made since the last step that the next one has to tell.
    pub(crate) news: News,
}

/// What commands made that the next step has to tell, in the order in which it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct News {
    /// Bodies that were woken, by slots.
    pub(crate) woken: Vec<u32>,
    /// Contacts that ended because a collider was removed.
    pub(crate) parted: Vec<(ColliderHandle, ColliderHandle)>,
    /// Colliders in sensors of which one was removed.
    pub(crate) left: Vec<(ColliderHandle, ColliderHandle)>,
}

impl News {
    pub(crate) fn clear(&mut self) {
        let Self { woken, parted, left } = self;
        woken.clear();
        parted.clear();
        left.clear();
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self { woken, parted, left } = other;
        self.woken.clone_from(woken);
        self.parted.clone_from(parted);
        self.left.clone_from(left);
    }
}

/// Contacts of those who sleep with whoever is not awake either.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asleep {
    pub(crate) contacts: Contacts,
    /// Of their last change.
    pub(crate) token: u64,
}

/// A force on a body over the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Force {
    /// The slot of the body.
    pub(crate) body: u32,
    /// At its centre of mass, in N.
    pub(crate) force: Vec3,
    /// In N·m.
    pub(crate) torque: Vec3,
}

impl State {
    pub(crate) fn new(config: WorldConfig) -> Self {
        Self {
            config,
            tick: 0,
            layers: LayerMatrix::default(),
            bodies: Tracked::default(),
            motions: Tracked::default(),
            colliders: Tracked::default(),
            joints: Tracked::default(),
            joint_impulses: Tracked::default(),
            free_bodies: Vec::new(),
            free_colliders: Vec::new(),
            free_joints: Vec::new(),
            exclusions: Vec::new(),
            forces: Vec::new(),
            streams: Vec::new(),
            contacts: Contacts::default(),
            asleep: Asleep::default(),
            sensed: Vec::new(),
            arrived: Vec::new(),
            news: News::default(),
        }
    }

    /// The slots of the colliders of a body, in the order in which they were added.
    pub(crate) fn colliders_of(&self, body: u32) -> CollidersOf<'_> {
        CollidersOf { colliders: &self.colliders, next: self.bodies[body].first_collider }
    }

    /// The handle of the body in a slot.
    pub(crate) fn body_handle(&self, index: u32) -> BodyHandle {
        BodyHandle { index, generation: self.bodies[index].generation }
    }

    /// The handle of the collider in a slot.
    pub(crate) fn collider_handle(&self, index: u32) -> ColliderHandle {
        ColliderHandle { index, generation: self.colliders[index].generation }
    }

    /// The handle of the joint in a slot.
    pub(crate) fn joint_handle(&self, index: u32) -> JointHandle {
        JointHandle { index, generation: self.joints[index].generation }
    }

    /// The joints that exist, by ascending slots.
    pub(crate) fn alive_joints(&self) -> impl Iterator<Item = (u32, &Joint)> {
        (0..).zip(self.joints.items()).filter(|(_, joint)| joint.alive)
    }

    /// The joints of a body, by ascending slots: looks at all joints.
    pub(crate) fn joints_of(&self, body: u32) -> impl Iterator<Item = (u32, &Joint)> {
        self.alive_joints().filter(move |(_, joint)| joint.bodies.contains(&body))
    }

    /// The shape of a collider about the centre of mass of its body.
    pub(crate) fn central_shape(&self, collider: &Collider) -> Shape {
        match self.bodies[collider.body].mass.center {
            Vec3::ZERO => collider.shape,
            center => collider.shape.transformed(&Pose::from_translation(-center)),
        }
    }

    /// Whether contacts and joints can move a body: it is dynamic, and in the world.
    #[inline]
    pub(crate) fn is_movable(&self, body: u32) -> bool {
        self.bodies[body].is_dynamic() && !self.motions[body].frozen
    }

    /// Whether the solver moves a body.
    #[inline]
    pub(crate) fn is_awake(&self, body: u32) -> bool {
        self.is_movable(body) && !self.motions[body].asleep
    }

    /// Whether steps move a body, or look for what meets it: it is awake or kinematic.
    pub(crate) fn is_active(&self, body: u32) -> bool {
        let is_held = self.bodies[body].is_fixed() || self.motions[body].asleep;
        !is_held && !self.motions[body].frozen
    }

    /// Whether it sleeps and touches nobody who is awake: a contact of the sleeping.
    pub(crate) fn sleeps(&self, pair: &ContactPair) -> bool {
        let bodies = self.bodies_of(pair.a, pair.b);
        bodies.iter().any(|&body| self.motions[body].asleep)
            && !bodies.iter().any(|&body| self.is_awake(body))
    }

    /// The bodies of two colliders.
    pub(crate) fn bodies_of(&self, a: u32, b: u32) -> [u32; 2] {
        [self.colliders[a].body, self.colliders[b].body]
    }

    /// The mass of the lighter of two bodies that contacts move, which `moves` says: that which impulses of a contact count
    /// for.
    pub(crate) fn lighter_mass(&self, bodies: [u32; 2], moves: impl Fn(u32) -> bool) -> Option<Mass> {
        let masses = bodies.map(|body| moves(body).then(|| self.bodies[body].mass.mass()));
        masses.into_iter().flatten().min()
    }
}

/// Goes through the colliders of a body.
pub(crate) struct CollidersOf<'a> {
    colliders: &'a Tracked<Collider>,
    next: u32,
}

impl Iterator for CollidersOf<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let current = self.next;
        self.next = self.colliders.get(current)?.next;
        Some(current)
    }
}
