//! What a user may look at; `joints` has what there is of joints.

mod joints;

pub use joints::JointView;

use super::World;
use crate::body::{AxisLocks, Body, BodyKind, Continuous, Motion};
use crate::collider::Collider;
use crate::config::WorldConfig;
use crate::filter::{Filter, LayerMatrix};
use crate::handle::{BodyHandle, ColliderHandle};
use crate::material::Material;
use isostep_collision::{Mass, Shape};
use isostep_math::{Fx, Pose, Quat, Vec3};

/// A body, to look at.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<'a> {
    handle: BodyHandle,
    body: &'a Body,
    motion: &'a Motion,
    world: &'a World,
}

impl<'a> BodyView<'a> {
    /// Its handle.
    #[must_use]
    pub const fn handle(&self) -> BodyHandle {
        self.handle
    }

    /// The pose of its origin.
    #[must_use]
    pub fn pose(&self) -> Pose {
        self.body.pose(self.motion)
    }

    /// Where its origin is.
    #[must_use]
    pub fn position(&self) -> Vec3 {
        self.pose().translation
    }

    /// How it is turned.
    #[must_use]
    pub const fn rotation(&self) -> Quat {
        self.motion.rotation
    }

    /// Where its centre of mass is.
    #[must_use]
    pub const fn center_of_mass(&self) -> Vec3 {
        self.motion.center
    }

    /// The velocity of its centre of mass, in m/s.
    #[must_use]
    pub const fn linear_velocity(&self) -> Vec3 {
        self.motion.linear_velocity
    }

    /// Its angular velocity, in rad/s.
    #[must_use]
    pub const fn angular_velocity(&self) -> Vec3 {
        self.motion.angular_velocity
    }

    /// The velocity of a point of it, in m/s; saturating.
    #[must_use]
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.motion.velocity_at(point)
    }

    /// How it moves.
    #[must_use]
    pub const fn kind(&self) -> BodyKind {
        self.body.kind
    }

    /// Its mass in kg, to nearest, saturating; `None` if it is not dynamic.
    #[must_use]
    pub fn mass(&self) -> Option<Fx> {
        self.body.is_dynamic().then(|| Mass::from_bits(self.body.mass.mass).to_fx())
    }

    /// Whether it sleeps.
    #[must_use]
    pub const fn is_asleep(&self) -> bool {
        self.motion.asleep
    }

    /// Whether it left the world and is held where it was last.
    #[must_use]
    pub const fn is_frozen(&self) -> bool {
        self.motion.frozen
    }

    /// Where it cannot move.
    #[must_use]
    pub const fn locks(&self) -> AxisLocks {
        self.body.flags.locks
    }

    /// What it never passes through.
    #[must_use]
    pub const fn continuous(&self) -> Continuous {
        self.body.flags.continuous
    }

    /// The user's data.
    #[must_use]
    pub const fn user_data(&self) -> u64 {
        self.body.user_data
    }

    /// Its colliders, in the order in which they were added.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderHandle> + 'a {
        let state = &self.world.state;
        state.colliders_of(self.handle.index).map(|index| state.collider_handle(index))
    }
}

/// A collider, to look at.
#[derive(Clone, Copy, Debug)]
pub struct ColliderView<'a> {
    handle: ColliderHandle,
    collider: &'a Collider,
    world: &'a World,
}

impl ColliderView<'_> {
    /// Its handle.
    #[must_use]
    pub const fn handle(&self) -> ColliderHandle {
        self.handle
    }

    /// The body that has it.
    #[must_use]
    pub fn body(&self) -> BodyHandle {
        self.world.body_handle(self.collider.body)
    }

    /// Its shape in the coordinates of the body.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.collider.shape
    }

    /// Its shape in the world, with the bits that the step and the queries see.
    #[must_use]
    pub fn world_shape(&self) -> Shape {
        let state = &self.world.state;
        let pose = state.motions[self.collider.body].central_pose();
        state.central_shape(self.collider).transformed(&pose)
    }

    /// Its surface.
    #[must_use]
    pub const fn material(&self) -> &Material {
        &self.collider.material
    }

    /// What it collides with.
    #[must_use]
    pub const fn filter(&self) -> &Filter {
        &self.collider.filter
    }

    /// Whether it only reports what overlaps it.
    #[must_use]
    pub const fn is_sensor(&self) -> bool {
        self.collider.sensor
    }

    /// In kg/m³.
    #[must_use]
    pub const fn density(&self) -> Fx {
        self.collider.density
    }

    /// The user's data.
    #[must_use]
    pub const fn user_data(&self) -> u64 {
        self.collider.user_data
    }
}

/// Two colliders that touched in the last step, or nearly did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactView {
    /// The collider that comes first in the world's order.
    pub a: ColliderHandle,
    /// The other one.
    pub b: ColliderHandle,
    /// Whether they touched.
    pub touching: bool,
    /// How many points the contact has, 1 to 4.
    pub points: u8,
}

impl World {
    /// The body of a handle; `None` if it was removed.
    #[must_use]
    pub fn body(&self, handle: BodyHandle) -> Option<BodyView<'_>> {
        let index = self.index(handle).ok()?;
        Some(self.view(index))
    }

    /// All bodies, by ascending slots.
    pub fn bodies(&self) -> impl Iterator<Item = BodyView<'_>> {
        let bodies = self.state.bodies.items().iter().zip(0..);
        bodies.filter(|(body, _)| body.alive).map(|(_, index)| self.view(index))
    }

    /// The collider of a handle; `None` if it was removed.
    #[must_use]
    pub fn collider(&self, handle: ColliderHandle) -> Option<ColliderView<'_>> {
        let index = self.collider_index(handle).ok()?;
        Some(ColliderView { handle, collider: &self.state.colliders[index], world: self })
    }

    /// All colliders, by ascending slots.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderView<'_>> {
        let colliders = self.state.colliders.items().iter().zip(0..);
        colliders.filter(|(collider, _)| collider.alive).map(|(collider, index)| ColliderView {
            handle: self.state.collider_handle(index),
            collider,
            world: self,
        })
    }

    /// The contacts of the last step: first those of awake bodies, then those in which all sleep, each in the world's
    /// order.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView> + '_ {
        let (awake, asleep) = (&self.state.contacts.pairs, &self.state.asleep.contacts.pairs);
        awake.iter().chain(asleep).map(|pair| ContactView {
            a: self.state.collider_handle(pair.a),
            b: self.state.collider_handle(pair.b),
            touching: pair.touching,
            points: pair.count,
        })
    }

    /// How many ticks it has advanced.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.state.tick
    }

    /// What holds for the whole world.
    #[must_use]
    pub const fn config(&self) -> &WorldConfig {
        &self.state.config
    }

    /// Which layers meet.
    #[must_use]
    pub const fn layers(&self) -> &LayerMatrix {
        &self.state.layers
    }

    fn view(&self, index: u32) -> BodyView<'_> {
        BodyView {
            handle: self.body_handle(index),
            body: &self.state.bodies[index],
            motion: &self.state.motions[index],
            world: self,
        }
    }

    pub(crate) fn body_handle(&self, index: u32) -> BodyHandle {
        BodyHandle { index, generation: self.state.bodies[index].generation }
    }
}
