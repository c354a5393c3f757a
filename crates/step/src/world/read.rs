//! What a user may look at; `contacts` and `joints` have what there is of these.

mod contacts;
mod joints;

pub use contacts::{ContactManifold, ContactView, ManifoldPoint};
pub use joints::JointView;

use super::World;
use crate::body::{AxisLocks, Body, BodyDef, BodyKind, Continuous, Motion};
use crate::collider::{Collider, ColliderDef};
use crate::config::WorldConfig;
use crate::filter::{Filter, LayerMatrix};
use crate::handle::{BodyHandle, ColliderHandle};
use crate::material::Material;
use isostep_collision::Shape;
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

    /// What it is, without its colliders and joints: a body like it could be added by this.
    ///
    /// Pose and velocities are the present ones, the linear one that of its origin. Forces and a target that wait for the next
    /// step are no part of it. At the edge of the world its origin may be out of range where its centre of mass is not: such a
    /// definition is refused.
    #[must_use]
    pub fn def(&self) -> BodyDef {
        BodyDef {
            kind: self.body.kind,
            pose: self.pose(),
            linear_velocity: self.motion.velocity_at(self.position()),
            angular_velocity: self.motion.angular_velocity,
            gravity_scale: self.body.gravity_scale,
            linear_damping: self.body.linear_damping,
            angular_damping: self.body.angular_damping,
            locks: self.body.flags.locks,
            continuous: self.body.flags.continuous,
            mass: self.body.mass_override,
            can_sleep: self.body.can_sleep,
            order: self.body.order,
            user_data: self.body.user_data,
        }
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

    /// Where its centre of mass is in its own coordinates, in m; zero if it is not dynamic.
    #[must_use]
    pub const fn local_center_of_mass(&self) -> Vec3 {
        self.body.mass.center
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
        self.body.is_dynamic().then(|| self.body.mass.mass().to_fx())
    }

    /// The mass in kg that it was given, whatever its colliders weigh; `None` if these say it.
    #[must_use]
    pub const fn mass_override(&self) -> Option<Fx> {
        self.body.mass_override
    }

    /// How much gravity counts for it: −100 to 100.
    #[must_use]
    pub const fn gravity_scale(&self) -> Fx {
        self.body.gravity_scale
    }

    /// The rate at which its linear velocity decays, in 1/s: 0 to 1000.
    #[must_use]
    pub const fn linear_damping(&self) -> Fx {
        self.body.linear_damping
    }

    /// The rate at which its angular velocity decays, in 1/s: 0 to 1000.
    #[must_use]
    pub const fn angular_damping(&self) -> Fx {
        self.body.angular_damping
    }

    /// Where its origin is to be after the next step, if it is kinematic and was told so since the last one.
    #[must_use]
    pub const fn kinematic_target(&self) -> Option<Pose> {
        self.body.target
    }

    /// Whether it may fall asleep.
    #[must_use]
    pub const fn can_sleep(&self) -> bool {
        self.body.can_sleep
    }

    /// Whether it sleeps.
    #[must_use]
    pub const fn is_asleep(&self) -> bool {
        self.motion.asleep
    }

    /// Whether it left the world and is held where it was last, at rest, until its pose is set.
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

    /// Where it comes in all orders.
    #[must_use]
    pub const fn order(&self) -> u32 {
        self.body.order
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

impl<'a> ColliderView<'a> {
    /// Its handle.
    #[must_use]
    pub const fn handle(&self) -> ColliderHandle {
        self.handle
    }

    /// What it is: a collider like it could be added by this.
    ///
    /// Its shape is in the coordinates of the body, so the pose is the identity, whatever it was added with.
    #[must_use]
    pub const fn def(&self) -> ColliderDef {
        ColliderDef {
            shape: self.collider.shape,
            pose: Pose::IDENTITY,
            density: self.collider.density,
            material: self.collider.material,
            filter: self.collider.filter,
            sensor: self.collider.sensor,
            user_data: self.collider.user_data,
        }
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

    /// What was in it in the last step, if it is a sensor, by ascending slots: as [`World::sensed`] has it.
    pub fn visitors(&self) -> impl Iterator<Item = ColliderHandle> + 'a {
        let (state, own) = (&self.world.state, self.handle.index);
        let first = state.sensed.partition_point(|&(sensor, _)| sensor < own);
        let own = state.sensed[first..].iter().take_while(move |&&(sensor, _)| sensor == own);
        own.map(|&(_, visitor)| state.collider_handle(visitor))
    }
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

    /// Sensors and what was in them in the last step, as its events told: the sensor, and its visitor; by ascending slots of
    /// the first, then of the second.
    ///
    /// A step looks at the poses that it begins with. What a command removes is gone from here at once, and told of by the next
    /// step.
    pub fn sensed(&self) -> impl Iterator<Item = (ColliderHandle, ColliderHandle)> + '_ {
        let handle = |collider| self.state.collider_handle(collider);
        self.state.sensed.iter().map(move |&(sensor, visitor)| (handle(sensor), handle(visitor)))
    }

    /// Whether the colliders of two bodies pass through each other because a command said so, whichever is named first; `false`
    /// if one of them does not exist.
    ///
    /// Layers, masks and joints are not asked: see [`layers`](Self::layers), [`ColliderView::filter`] and
    /// [`JointDef::collide_connected`](crate::JointDef::collide_connected).
    #[must_use]
    pub fn is_pair_excluded(&self, a: BodyHandle, b: BodyHandle) -> bool {
        let (Ok(a), Ok(b)) = (self.index(a), self.index(b)) else { return false };
        self.state.exclusions.binary_search(&(a.min(b), a.max(b))).is_ok()
    }

    /// All pairs of bodies that pass through each other because a command said so: the lower slot first, ascending.
    pub fn excluded_pairs(&self) -> impl Iterator<Item = (BodyHandle, BodyHandle)> + '_ {
        let handle = |body| self.body_handle(body);
        self.state.exclusions.iter().map(move |&(a, b)| (handle(a), handle(b)))
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
        self.state.body_handle(index)
    }
}
