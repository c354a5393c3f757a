//! The readable way to commands.

use super::World;
use crate::body::{AxisLocks, BodyDef, Continuous};
use crate::collider::ColliderDef;
use crate::command::{Command, CommandError};
use crate::filter::Filter;
use crate::handle::{BodyHandle, ColliderHandle, JointHandle};
use crate::joint::{JointDef, JointKind, Spring};
use crate::material::Material;
use isostep_math::{Fx, Pose, Vec3};

/// A method for a command that gives nothing back.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) => $command:expr;)*) => {
        impl World {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// As [`World::apply`].
                pub fn $name(&mut self, $($argument: $type),*) -> Result<(), CommandError> {
                    self.apply(&$command).map(|_| ())
                }
            )*
        }
    };
}

impl World {
    /// Adds a body: [`Command::AddBody`].
    ///
    /// # Errors
    /// As [`World::apply`].
    pub fn add_body(&mut self, def: BodyDef) -> Result<BodyHandle, CommandError> {
        self.insert_body(&def)
    }

    /// Adds a collider to a body: [`Command::AddCollider`].
    ///
    /// # Errors
    /// As [`World::apply`].
    pub fn add_collider(
        &mut self,
        body: BodyHandle,
        collider: ColliderDef,
    ) -> Result<ColliderHandle, CommandError> {
        self.insert_collider(body, &collider)
    }

    /// Joins two bodies: [`Command::AddJoint`].
    ///
    /// # Errors
    /// As [`World::apply`].
    pub fn add_joint(&mut self, def: JointDef) -> Result<JointHandle, CommandError> {
        self.insert_joint(&def)
    }

    /// Draws 64 random bits from a stream: [`Command::DrawRandom`].
    ///
    /// # Errors
    /// As [`World::apply`].
    pub fn draw_random(&mut self, stream: u32) -> Result<u64, CommandError> {
        self.draw(stream)
    }
}

methods! {
    /// Removes a body: [`Command::RemoveBody`].
    remove_body(body: BodyHandle) => Command::RemoveBody(body);
    /// Removes a collider: [`Command::RemoveCollider`].
    remove_collider(collider: ColliderHandle) => Command::RemoveCollider(collider);
    /// Puts the origin of a body at a pose: [`Command::SetPose`].
    set_pose(body: BodyHandle, pose: Pose) => Command::SetPose { body, pose };
    /// Sets the velocities of a body: [`Command::SetVelocity`]. One that left the world stands still until its pose is set.
    set_velocity(body: BodyHandle, linear: Vec3, angular: Vec3) => Command::SetVelocity { body, linear, angular };
    /// Lets a kinematic body be at a pose after the next step: [`Command::SetKinematicTarget`].
    set_kinematic_target(body: BodyHandle, pose: Pose) => Command::SetKinematicTarget { body, pose };
    /// Applies an impulse in N·s at the centre of mass: [`Command::ApplyImpulse`].
    apply_impulse(body: BodyHandle, impulse: Vec3) => Command::ApplyImpulse { body, impulse };
    /// Applies an impulse in N·s at a point of the world: [`Command::ApplyImpulseAt`].
    apply_impulse_at(body: BodyHandle, impulse: Vec3, point: Vec3) => Command::ApplyImpulseAt { body, impulse, point };
    /// Applies an angular impulse in N·m·s: [`Command::ApplyAngularImpulse`].
    apply_angular_impulse(body: BodyHandle, impulse: Vec3) => Command::ApplyAngularImpulse { body, impulse };
    /// Applies a force in N over the next step: [`Command::ApplyForce`].
    apply_force(body: BodyHandle, force: Vec3) => Command::ApplyForce { body, force };
    /// Applies a force in N at a point of the world over the next step: [`Command::ApplyForceAt`].
    apply_force_at(body: BodyHandle, force: Vec3, point: Vec3) => Command::ApplyForceAt { body, force, point };
    /// Applies a torque in N·m over the next step: [`Command::ApplyTorque`].
    apply_torque(body: BodyHandle, torque: Vec3) => Command::ApplyTorque { body, torque };
    /// Wakes a body with its island: [`Command::Wake`].
    wake_body(body: BodyHandle) => Command::Wake(body);
    /// Sets how much gravity counts for a body: [`Command::SetGravityScale`].
    set_gravity_scale(body: BodyHandle, scale: Fx) => Command::SetGravityScale { body, scale };
    /// Sets how fast velocities decay, in 1/s: [`Command::SetDamping`].
    set_damping(body: BodyHandle, linear: Fx, angular: Fx) => Command::SetDamping { body, linear, angular };
    /// Sets where a body cannot move: [`Command::SetLocks`].
    set_locks(body: BodyHandle, locks: AxisLocks) => Command::SetLocks { body, locks };
    /// Sets what a body never passes through: [`Command::SetContinuous`].
    set_continuous(body: BodyHandle, continuous: Continuous) => Command::SetContinuous { body, continuous };
    /// Sets the mass of a body in kg: [`Command::SetMass`].
    set_mass(body: BodyHandle, mass: Option<Fx>) => Command::SetMass { body, mass };
    /// Sets whether a body may fall asleep: [`Command::SetCanSleep`].
    set_can_sleep(body: BodyHandle, can_sleep: bool) => Command::SetCanSleep { body, can_sleep };
    /// Sets the user's data of a body: [`Command::SetBodyUserData`].
    set_body_user_data(body: BodyHandle, user_data: u64) => Command::SetBodyUserData { body, user_data };
    /// Sets the surface of a collider: [`Command::SetMaterial`].
    set_material(collider: ColliderHandle, material: Material) => Command::SetMaterial { collider, material };
    /// Sets what a collider collides with: [`Command::SetFilter`].
    set_filter(collider: ColliderHandle, filter: Filter) => Command::SetFilter { collider, filter };
    /// Sets the user's data of a collider: [`Command::SetColliderUserData`].
    set_collider_user_data(collider: ColliderHandle, user_data: u64) => Command::SetColliderUserData { collider, user_data };
    /// Sets the gravity of the world in m/s²: [`Command::SetGravity`].
    set_gravity(gravity: Vec3) => Command::SetGravity(gravity);
    /// Sets whether two layers meet: [`Command::SetLayersMeet`].
    set_layers_meet(a: u8, b: u8, meet: bool) => Command::SetLayersMeet { a, b, meet };
    /// Sets whether two bodies pass through each other: [`Command::SetPairExcluded`].
    set_pair_excluded(a: BodyHandle, b: BodyHandle, excluded: bool) => Command::SetPairExcluded { a, b, excluded };
    /// Removes a joint: [`Command::RemoveJoint`].
    remove_joint(joint: JointHandle) => Command::RemoveJoint(joint);
    /// Sets the limits, motors or targets of a joint: [`Command::SetJointKind`].
    set_joint_kind(joint: JointHandle, kind: JointKind) => Command::SetJointKind { joint, kind };
    /// Sets how what a joint holds gives way: [`Command::SetJointSoftness`].
    set_joint_softness(joint: JointHandle, softness: Option<Spring>) => Command::SetJointSoftness { joint, softness };
    /// Sets what breaks a joint, in N and N·m: [`Command::SetJointBreak`].
    set_joint_break(joint: JointHandle, force: Option<Fx>, torque: Option<Fx>) => Command::SetJointBreak { joint, force, torque };
    /// Sets whether the colliders of joined bodies meet: [`Command::SetJointCollide`].
    set_joint_collide(joint: JointHandle, collide: bool) => Command::SetJointCollide { joint, collide };
    /// Sets the user's data of a joint: [`Command::SetJointUserData`].
    set_joint_user_data(joint: JointHandle, user_data: u64) => Command::SetJointUserData { joint, user_data };
}
