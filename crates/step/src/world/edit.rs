//! What each command does; `joints` has those about joints.

mod joints;

use super::World;
use super::step::forces::velocity_change;
use crate::body::{Body, BodyDef, BodyFlags, BodyKind, BodyMass, Motion};
use crate::collider::{Collider, ColliderDef};
use crate::command::validate::{
    validate_damping, validate_gravity_scale, validate_layer, validate_place, validate_pose,
    validate_position,
};
use crate::command::{Command, CommandError, Outcome};
use crate::config::validate_gravity;
use crate::handle::{BodyHandle, ColliderHandle, NONE};
use crate::joint::validate::{arm_that_is_too_long, validate_break, validate_softness};
use crate::state::{Force, MAX_STREAMS};
use alloc::vec::Vec;
use isostep_collision::tree::MAX_LEAVES;
use isostep_collision::{Mass, MassError, MassProperties, Shape};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Vec3};

/// How far a dynamic body may reach from its centre of mass: lever arms are Q7.24.
const MAX_REACH: Fx = Fx::from_int(120);

/// What it is called in errors.
const CENTER: &str = "the centre of mass";

impl World {
    pub(super) fn edit(&mut self, command: &Command) -> Result<Outcome, CommandError> {
        match *command {
            Command::AddBody(ref def) => return self.insert_body(def).map(Outcome::Body),
            Command::AddCollider { body, ref collider } => {
                return self.insert_collider(body, collider).map(Outcome::Collider);
            }
            Command::AddJoint(ref def) => return self.insert_joint(def).map(Outcome::Joint),
            Command::DrawRandom { stream } => return self.draw(stream).map(Outcome::Random),
            Command::RemoveBody(body) => self.delete_body(body)?,
            Command::RemoveCollider(collider) => self.delete_collider(collider)?,
            Command::SetPose { body, ref pose } => self.put(body, pose)?,
            Command::SetVelocity { body, linear, angular } => {
                let index = self.moving(body)?;
                self.forget_target(index);
                self.set_motion(index, |motion, body| {
                    (motion.linear_velocity, motion.angular_velocity) = (linear, angular);
                    motion.driven = false;
                    body.flags.locks.hold(&mut motion.linear_velocity, &mut motion.angular_velocity);
                });
            }
            Command::SetKinematicTarget { body, ref pose } => {
                validate_pose("the target", pose)?;
                let index = self.index(body)?;
                if self.state.bodies[index].kind != BodyKind::Kinematic {
                    return Err(CommandError::NotKinematic(body));
                }
                self.change_body(index).target = Some(*pose);
            }
            Command::ApplyImpulse { body, impulse } => self.push(body, impulse, Vec3::ZERO)?,
            Command::ApplyImpulseAt { body, impulse, point } => {
                let arm = self.arm(body, point)?;
                self.push(body, impulse, arm.cross(impulse))?;
            }
            Command::ApplyAngularImpulse { body, impulse } => self.push(body, Vec3::ZERO, impulse)?,
            Command::ApplyForce { body, force } => self.pull(body, force, Vec3::ZERO)?,
            Command::ApplyForceAt { body, force, point } => {
                let arm = self.arm(body, point)?;
                self.pull(body, force, arm.cross(force))?;
            }
            Command::ApplyTorque { body, torque } => self.pull(body, Vec3::ZERO, torque)?,
            Command::Wake(body) => {
                let index = self.index(body)?;
                self.wake(&[index]);
            }
            Command::SetGravityScale { body, scale } => {
                validate_gravity_scale(scale)?;
                let index = self.index(body)?;
                self.change_body(index).gravity_scale = scale;
                self.wake(&[index]);
            }
            Command::SetDamping { body, linear, angular } => {
                validate_damping(linear, angular)?;
                let index = self.index(body)?;
                let body = self.change_body(index);
                (body.linear_damping, body.angular_damping) = (linear, angular);
                self.wake(&[index]);
            }
            Command::SetLocks { body, locks } => {
                let index = self.index(body)?;
                self.change_body(index).flags.locks = locks;
                self.set_motion(index, |motion, body| {
                    body.flags.locks.hold(&mut motion.linear_velocity, &mut motion.angular_velocity);
                });
            }
            Command::SetMass { body, mass } => {
                let index = self.dynamic(body)?;
                let weighed = self.weighed(index, MassChange::Override(mass))?;
                self.change_body(index).mass_override = mass;
                self.weigh(index, weighed);
                self.wake(&[index]);
            }
            Command::SetCanSleep { body, can_sleep } => {
                let index = self.index(body)?;
                self.change_body(index).can_sleep = can_sleep;
                if !can_sleep {
                    self.wake(&[index]);
                }
            }
            Command::SetBodyUserData { body, user_data } => {
                let index = self.index(body)?;
                self.change_body(index).user_data = user_data;
            }
            Command::SetMaterial { collider, material } => {
                material.validate()?;
                let index = self.collider_index(collider)?;
                self.change_collider(index).material = material;
                self.wake_owner(index);
            }
            Command::SetFilter { collider, filter } => {
                validate_layer(filter.layer)?;
                let index = self.collider_index(collider)?;
                self.change_collider(index).filter = filter;
                self.derived.collider_changed(index);
                self.wake_owner(index);
                self.note_arrival(index);
            }
            Command::SetColliderUserData { collider, user_data } => {
                let index = self.collider_index(collider)?;
                self.change_collider(index).user_data = user_data;
            }
            Command::SetGravity(gravity) => {
                validate_gravity(gravity)?;
                self.state.config.gravity = gravity;
                self.wake_all();
            }
            Command::SetLayersMeet { a, b, meet } => {
                validate_layer(a)?;
                validate_layer(b)?;
                self.state.layers.set(a, b, meet);
                self.derived.meetings_changed();
                self.wake_all();
            }
            Command::SetPairExcluded { a, b, excluded } => self.exclude(a, b, excluded)?,
            Command::RemoveJoint(joint) => {
                let slot = self.joint_index(joint)?;
                self.remove_joint_slot(slot);
            }
            Command::SetJointKind { joint, ref kind } => self.set_kind_of_joint(joint, kind)?,
            Command::SetJointSoftness { joint, softness } => {
                validate_softness(softness)?;
                self.change_joint(joint, |joint| joint.softness = softness)?;
            }
            Command::SetJointBreak { joint, force, torque } => {
                validate_break(force, torque)?;
                self.change_joint(joint, |joint| {
                    (joint.break_force, joint.break_torque) = (force, torque);
                })?;
            }
            Command::SetJointCollide { joint, collide } => {
                self.change_joint(joint, |joint| joint.collide_connected = collide)?;
            }
            Command::SetJointUserData { joint, user_data } => {
                let slot = self.joint_index(joint)?;
                let token = self.tokens.draw();
                self.state.joints.change(slot, token).user_data = user_data;
            }
            Command::SetContinuous { body, continuous } => {
                let index = self.index(body)?;
                self.change_body(index).flags.continuous = continuous;
            }
        }
        Ok(Outcome::Done)
    }

    /// The slot of a body.
    pub(crate) fn index(&self, handle: BodyHandle) -> Result<u32, CommandError> {
        match self.state.bodies.get(handle.index) {
            Some(body) if body.alive && body.generation == handle.generation => Ok(handle.index),
            _ => Err(CommandError::StaleBody(handle)),
        }
    }

    /// The slot of a collider.
    pub(crate) fn collider_index(&self, handle: ColliderHandle) -> Result<u32, CommandError> {
        match self.state.colliders.get(handle.index) {
            Some(collider) if collider.alive && collider.generation == handle.generation => Ok(handle.index),
            _ => Err(CommandError::StaleCollider(handle)),
        }
    }

    fn dynamic(&self, handle: BodyHandle) -> Result<u32, CommandError> {
        let index = self.index(handle)?;
        if self.state.bodies[index].is_dynamic() { Ok(index) } else { Err(CommandError::NotDynamic(handle)) }
    }

    fn moving(&self, handle: BodyHandle) -> Result<u32, CommandError> {
        let index = self.index(handle)?;
        match self.state.bodies[index].kind {
            BodyKind::Fixed => Err(CommandError::IsFixed(handle)),
            _ => Ok(index),
        }
    }

    fn change_body(&mut self, index: u32) -> &mut Body {
        let token = self.tokens.draw();
        self.state.bodies.change(index, token)
    }

    fn change_collider(&mut self, index: u32) -> &mut Collider {
        let token = self.tokens.draw();
        self.state.colliders.change(index, token)
    }

    /// Changes how a body moves, wakes it, and notes that it did.
    fn set_motion(&mut self, index: u32, change: impl FnOnce(&mut Motion, &Body)) {
        self.wake(&[index]);
        let token = self.tokens.draw();
        let (body, motion) = (&self.state.bodies[index], self.state.motions.change(index, token));
        change(motion, body);
        if motion.frozen {
            (motion.linear_velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
        }
        let limits = &self.state.config;
        motion.linear_velocity = motion.linear_velocity.clamp_length_max(limits.max_linear_speed);
        motion.angular_velocity = motion.angular_velocity.clamp_length_max(body.most_turn(limits));
        self.derived.body_changed(index);
    }

    pub(super) fn insert_body(&mut self, def: &BodyDef) -> Result<BodyHandle, CommandError> {
        def.validate()?;
        let mass = match def.kind {
            BodyKind::Dynamic => BodyMass::new(None, mass_of(def.mass)?),
            BodyKind::Kinematic | BodyKind::Fixed => BodyMass::NONE,
        };
        // Nothing is refused from here on but a world that is full.
        let token = self.tokens.draw();
        let index = match self.state.free_bodies.pop() {
            Some(index) => index,
            None if self.state.bodies.len() < MAX_LEAVES as usize => {
                self.state.bodies.push(Body::VACANT, token);
                self.state.motions.push(Motion::NONE, token);
                (self.state.bodies.len() - 1) as u32
            }
            None => return Err(CommandError::Full { what: "bodies", max: MAX_LEAVES }),
        };
        let generation = self.state.bodies[index].generation;
        *self.state.bodies.change(index, token) = Body {
            generation,
            alive: true,
            kind: def.kind,
            can_sleep: def.can_sleep,
            flags: BodyFlags { locks: def.locks, continuous: def.continuous },
            order: def.order,
            first_collider: NONE,
            gravity_scale: def.gravity_scale,
            linear_damping: def.linear_damping,
            angular_damping: def.angular_damping,
            mass_override: def.mass,
            target: None,
            user_data: def.user_data,
            mass,
        };
        *self.state.motions.change(index, token) =
            Motion { center: def.pose.translation, rotation: def.pose.rotation, ..Motion::NONE };
        self.derived.body_changed(index);
        if def.kind != BodyKind::Fixed {
            self.set_motion(index, |motion, body| {
                (motion.linear_velocity, motion.angular_velocity) =
                    (def.linear_velocity, def.angular_velocity);
                body.flags.locks.hold(&mut motion.linear_velocity, &mut motion.angular_velocity);
            });
        }
        Ok(BodyHandle { index, generation })
    }

    pub(super) fn insert_collider(
        &mut self,
        body: BodyHandle,
        def: &ColliderDef,
    ) -> Result<ColliderHandle, CommandError> {
        def.validate()?;
        let owner = self.index(body)?;
        if self.state.bodies[owner].kind != BodyKind::Fixed && matches!(def.shape, Shape::HalfSpace(_)) {
            return Err(CommandError::NotFixed(body));
        }
        let full = self.state.free_colliders.is_empty() && self.state.colliders.len() >= MAX_LEAVES as usize;
        if full {
            return Err(CommandError::Full { what: "colliders", max: MAX_LEAVES });
        }
        let shape = def.shape.transformed(&def.pose);
        validate_place(&shape)?;
        let (density, sensor) = (def.density, def.sensor);
        let added = MassChange::Add(&shape, (!sensor).then_some(density));
        let mass = self.weighed(owner, added)?;
        let token = self.tokens.draw();
        let index = self.state.free_colliders.pop().unwrap_or_else(|| {
            self.state.colliders.push(Collider::vacant(), token);
            (self.state.colliders.len() - 1) as u32
        });
        let generation = self.state.colliders[index].generation;
        *self.state.colliders.change(index, token) = Collider {
            generation,
            alive: true,
            sensor,
            body: owner,
            next: NONE,
            shape,
            density,
            material: def.material,
            filter: def.filter,
            user_data: def.user_data,
        };
        match self.state.colliders_of(owner).last() {
            Some(last) => self.state.colliders.change(last, token).next = index,
            None => self.state.bodies.change(owner, token).first_collider = index,
        }
        self.derived.collider_changed(index);
        self.weigh(owner, mass);
        self.wake(&[owner]);
        self.note_arrival(index);
        Ok(ColliderHandle { index, generation })
    }

    fn delete_collider(&mut self, handle: ColliderHandle) -> Result<(), CommandError> {
        let index = self.collider_index(handle)?;
        let owner = self.state.colliders[index].body;
        let mass = self.weighed(owner, MassChange::Remove(index))?;
        self.wake_around(owner);
        self.unlink(index);
        self.weigh(owner, mass);
        Ok(())
    }

    /// Takes a collider from its body and gives its slot up.
    fn unlink(&mut self, index: u32) {
        self.forget(index);
        let token = self.tokens.draw();
        let Collider { body: owner, next, generation, .. } = self.state.colliders[index];
        let before = self.state.colliders_of(owner).find(|&other| self.state.colliders[other].next == index);
        match before {
            Some(before) => self.state.colliders.change(before, token).next = next,
            None => self.state.bodies.change(owner, token).first_collider = next,
        }
        *self.state.colliders.change(index, token) =
            Collider { generation: generation.wrapping_add(1), ..Collider::vacant() };
        self.state.free_colliders.push(index);
        if let Ok(place) = self.state.arrived.binary_search(&index) {
            self.state.arrived.remove(place);
        }
        self.derived.collider_changed(index);
    }

    /// Notes a collider that came, was put elsewhere or meets others than before, if no contact moves its body: a body that
    /// is awake wakes what it touches.
    fn note_arrival(&mut self, index: u32) {
        let state = &mut self.state;
        let Collider { body: owner, sensor, .. } = state.colliders[index];
        if sensor || state.is_movable(owner) {
            return;
        }
        if let Err(place) = state.arrived.binary_search(&index) {
            state.arrived.insert(place, index);
        }
    }

    /// Ends the contacts of a collider that is about to go, and what sensors have of it.
    fn forget(&mut self, index: u32) {
        let state = &mut self.state;
        let handles = |a: u32, b: u32| {
            [a, b].map(|index| ColliderHandle { index, generation: state.colliders[index].generation })
        };
        for contacts in [&mut state.contacts, &mut state.asleep.contacts] {
            contacts.remove_all_of(index, |pair| {
                if pair.touching {
                    let [a, b] = handles(pair.a, pair.b);
                    state.news.parted.push((a, b));
                }
            });
        }
        state.asleep.token = self.tokens.draw();
        state.sensed.retain(|&(sensor, visitor)| {
            let stays = sensor != index && visitor != index;
            if !stays {
                let [sensor, visitor] = handles(sensor, visitor);
                state.news.left.push((sensor, visitor));
            }
            stays
        });
    }

    fn delete_body(&mut self, handle: BodyHandle) -> Result<(), CommandError> {
        let index = self.index(handle)?;
        self.wake_around(index);
        while let Some(collider) = self.state.colliders.get(self.state.bodies[index].first_collider) {
            debug_assert!(collider.alive);
            self.unlink(self.state.bodies[index].first_collider);
        }
        self.remove_joints_of(index);
        let token = self.tokens.draw();
        *self.state.bodies.change(index, token) =
            Body { generation: handle.generation.wrapping_add(1), ..Body::VACANT };
        *self.state.motions.change(index, token) = Motion::NONE;
        self.state.free_bodies.push(index);
        self.state.exclusions.retain(|&(a, b)| a != index && b != index);
        self.state.forces.retain(|force| force.body != index);
        self.state.news.woken.retain(|&body| body != index);
        self.derived.body_changed(index);
        Ok(())
    }

    /// Puts the origin of a body at a pose.
    fn put(&mut self, handle: BodyHandle, pose: &Pose) -> Result<(), CommandError> {
        validate_pose("the body", pose)?;
        let index = self.index(handle)?;
        let center = pose.transform_point(self.state.bodies[index].mass.center);
        validate_position(CENTER, center)?;
        self.wake_around(index);
        if self.state.motions[index].frozen {
            // What it was given out there came to nothing.
            self.state.forces.retain(|force| force.body != index);
        }
        self.forget_target(index);
        self.set_motion(index, |motion, _| {
            (motion.center, motion.rotation, motion.frozen) = (center, pose.rotation, false);
            motion.lag = [0; 3];
        });
        let mut next = self.state.bodies[index].first_collider;
        while next != NONE {
            self.note_arrival(next);
            next = self.state.colliders[next].next;
        }
        Ok(())
    }

    /// Where a kinematic body was to go, before it was told something else.
    fn forget_target(&mut self, index: u32) {
        if self.state.bodies[index].target.is_some() {
            self.change_body(index).target = None;
        }
    }

    /// From the centre of mass of a dynamic body to a point.
    fn arm(&self, handle: BodyHandle, point: Vec3) -> Result<Vec3, CommandError> {
        let index = self.dynamic(handle)?;
        validate_position("the point", point)?;
        Ok(point.saturating_sub(self.state.motions[index].center))
    }

    /// Changes velocities by impulses.
    fn push(&mut self, handle: BodyHandle, impulse: Vec3, angular: Vec3) -> Result<(), CommandError> {
        let index = self.dynamic(handle)?;
        self.set_motion(index, |motion, body| {
            let (mut linear, mut turn) = velocity_change(body, motion, impulse, angular);
            body.flags.locks.hold(&mut linear, &mut turn);
            motion.linear_velocity = motion.linear_velocity.saturating_add(linear);
            motion.angular_velocity = motion.angular_velocity.saturating_add(turn);
        });
        Ok(())
    }

    /// Adds forces for the next step.
    fn pull(&mut self, handle: BodyHandle, force: Vec3, torque: Vec3) -> Result<(), CommandError> {
        let index = self.dynamic(handle)?;
        self.wake(&[index]);
        let forces = &mut self.state.forces;
        match forces.binary_search_by_key(&index, |force| force.body) {
            Ok(place) => {
                forces[place].force = forces[place].force.saturating_add(force);
                forces[place].torque = forces[place].torque.saturating_add(torque);
            }
            Err(place) => forces.insert(place, Force { body: index, force, torque }),
        }
        Ok(())
    }

    fn exclude(&mut self, a: BodyHandle, b: BodyHandle, excluded: bool) -> Result<(), CommandError> {
        let (first, second) = (self.index(a)?, self.index(b)?);
        if first == second {
            return Err(CommandError::SameBody(a));
        }
        let pair = (first.min(second), first.max(second));
        match (self.state.exclusions.binary_search(&pair), excluded) {
            (Err(place), true) => self.state.exclusions.insert(place, pair),
            (Ok(place), false) => {
                self.state.exclusions.remove(place);
            }
            _ => return Ok(()),
        }
        self.wake(&[first, second]);
        Ok(())
    }

    pub(super) fn draw(&mut self, stream: u32) -> Result<u64, CommandError> {
        let streams = &mut self.state.streams;
        let place = match streams.binary_search_by_key(&stream, |(number, _)| *number) {
            Ok(place) => place,
            Err(_) if streams.len() >= MAX_STREAMS => {
                return Err(CommandError::Full { what: "random streams", max: MAX_STREAMS as u32 });
            }
            Err(place) => {
                streams.insert(place, (stream, Rng::new(self.state.config.seed, u64::from(stream))));
                place
            }
        };
        Ok(streams[place].1.next_u64())
    }

    fn wake_owner(&mut self, collider: u32) {
        let owner = self.state.colliders[collider].body;
        self.wake_around(owner);
    }

    /// The mass that a body has after a change; `None` where it has none.
    fn weighed(&self, index: u32, change: MassChange<'_>) -> Result<Option<BodyMass>, CommandError> {
        let body = &self.state.bodies[index];
        if !body.is_dynamic() {
            return Ok(None);
        }
        let stays = |&collider: &u32| !matches!(change, MassChange::Remove(removed) if removed == collider);
        let colliders = self.state.colliders_of(index).filter(stays);
        let mut shapes: Vec<(Shape, Option<Fx>)> = colliders
            .map(|collider| &self.state.colliders[collider])
            .map(|collider| (collider.shape, (!collider.sensor).then_some(collider.density)))
            .collect();
        if let MassChange::Add(shape, density) = change {
            shapes.push((*shape, density));
        }
        let kilograms = match change {
            MassChange::Override(mass) => mass,
            _ => body.mass_override,
        };
        let mass = mass_of_shapes(self.body_handle(index), &shapes, mass_of(kilograms)?)?;
        let origin = body.pose(&self.state.motions[index]);
        validate_position(CENTER, origin.transform_point(mass.center))?;
        if mass.center != body.mass.center {
            for (slot, joint) in self.state.joints_of(index) {
                let mut own = joint.frames.iter().zip(joint.bodies).filter(|&(_, body)| body == index);
                let too_long = own.find_map(|(frame, _)| arm_that_is_too_long(frame, mass.center));
                if let Some(distance) = too_long {
                    return Err(CommandError::JointTooFar { joint: self.state.joint_handle(slot), distance });
                }
            }
        }
        Ok(Some(mass))
    }

    /// Gives a body a mass; its origin stays where it is, and each of its points keeps its velocity, as far as locks and the
    /// greatest speeds allow.
    fn weigh(&mut self, index: u32, mass: Option<BodyMass>) {
        let Some(mass) = mass else { return };
        let token = self.tokens.draw();
        let (body, motion) = (&self.state.bodies[index], &self.state.motions[index]);
        if mass.center != body.mass.center {
            let center = body.pose(motion).transform_point(mass.center);
            let linear_velocity =
                motion.velocity_at(center).clamp_length_max(self.state.config.max_linear_speed);
            let mut moved = Motion { center, linear_velocity, ..*motion };
            body.flags.locks.hold(&mut moved.linear_velocity, &mut moved.angular_velocity);
            *self.state.motions.change(index, token) = moved;
        }
        self.state.bodies.change(index, token).mass = mass;
        let most_turn = self.state.bodies[index].most_turn(&self.state.config);
        let turn = self.state.motions[index].angular_velocity;
        if turn.length() > most_turn {
            self.state.motions.change(index, token).angular_velocity = turn.clamp_length_max(most_turn);
        }
        for collider in self.state.colliders_of(index) {
            self.derived.collider_changed(collider);
        }
        self.derived.body_changed(index);
    }
}

/// What changes of that by which a body has its mass.
#[derive(Clone, Copy)]
enum MassChange<'a> {
    /// Another collider is about to come, of a density if it is no sensor.
    Add(&'a Shape, Option<Fx>),
    /// The collider in a slot is about to go.
    Remove(u32),
    /// The mass in kg that it has whatever its colliders say.
    Override(Option<Fx>),
}

fn mass_of(kilograms: Option<Fx>) -> Result<Option<Mass>, MassError> {
    kilograms.map(Mass::new).transpose()
}

/// The mass of a dynamic body of shapes with densities; sensors have none.
pub(crate) fn mass_of_shapes(
    body: BodyHandle,
    shapes: &[(Shape, Option<Fx>)],
    mass: Option<Mass>,
) -> Result<BodyMass, CommandError> {
    let mut parts = Vec::new();
    for (shape, density) in shapes {
        if let Some(density) = density {
            parts.push(shape.mass_properties(*density)?);
        }
    }
    let mut mass = BodyMass::new(MassProperties::combine(&parts), mass);
    for (shape, _) in shapes.iter().filter(|(_, density)| density.is_some()) {
        mass.extent = mass.extent.max(shape.farthest_distance(mass.center));
    }
    if mass.extent > MAX_REACH {
        return Err(CommandError::BodyTooLarge { body, extent: mass.extent, max: MAX_REACH });
    }
    Ok(mass)
}
