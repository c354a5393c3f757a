//! What commands do to joints.

use super::World;
use crate::command::CommandError;
use crate::handle::{BodyHandle, JointHandle};
use crate::joint::validate::validate_reach;
use crate::joint::{Joint, JointDef, JointImpulses, JointKind, MAX_JOINTS};
use alloc::vec::Vec;
use core::mem::discriminant;

impl World {
    /// The slot of a joint.
    pub(crate) fn joint_index(&self, handle: JointHandle) -> Result<u32, CommandError> {
        match self.state.joints.get(handle.index) {
            Some(joint) if joint.alive && joint.generation == handle.generation => Ok(handle.index),
            _ => Err(CommandError::StaleJoint(handle)),
        }
    }

    pub(in crate::world) fn insert_joint(&mut self, def: &JointDef) -> Result<JointHandle, CommandError> {
        def.validate()?;
        let bodies = self.joinable(def.body_a, def.body_b)?;
        let frames = [def.frame_a, def.frame_b];
        validate_reach(&frames, bodies.map(|body| &self.state.bodies[body]))?;
        let full = self.state.free_joints.is_empty() && self.state.joints.len() >= MAX_JOINTS as usize;
        if full {
            return Err(CommandError::Full { what: "joints", max: MAX_JOINTS });
        }
        let token = self.tokens.draw();
        let index = self.state.free_joints.pop().unwrap_or_else(|| {
            self.state.joints.push(Joint::VACANT, token);
            self.state.joint_impulses.push(JointImpulses::NONE, token);
            (self.state.joints.len() - 1) as u32
        });
        let generation = self.state.joints[index].generation;
        *self.state.joints.change(index, token) = Joint {
            generation,
            alive: true,
            collide_connected: def.collide_connected,
            bodies,
            frames,
            kind: def.kind,
            softness: def.softness,
            break_force: def.break_force,
            break_torque: def.break_torque,
            order: def.order,
            user_data: def.user_data,
        };
        self.derived.joint_changed();
        self.wake(&bodies);
        Ok(JointHandle { index, generation })
    }

    /// The slots of two bodies that a joint can join.
    fn joinable(&self, a: BodyHandle, b: BodyHandle) -> Result<[u32; 2], CommandError> {
        let bodies = [self.index(a)?, self.index(b)?];
        if bodies[0] == bodies[1] {
            return Err(CommandError::SameBody(a));
        }
        if !bodies.iter().any(|&body| self.state.bodies[body].is_dynamic()) {
            return Err(CommandError::NoDynamicBody { a, b });
        }
        Ok(bodies)
    }

    /// Changes a joint, and wakes both its bodies.
    pub(super) fn change_joint(
        &mut self,
        handle: JointHandle,
        change: impl FnOnce(&mut Joint),
    ) -> Result<(), CommandError> {
        let slot = self.joint_index(handle)?;
        let token = self.tokens.draw();
        let joint = self.state.joints.change(slot, token);
        change(joint);
        let bodies = joint.bodies;
        self.derived.joint_changed();
        self.wake(&bodies);
        Ok(())
    }

    pub(super) fn set_kind_of_joint(
        &mut self,
        handle: JointHandle,
        kind: &JointKind,
    ) -> Result<(), CommandError> {
        kind.validate()?;
        let slot = self.joint_index(handle)?;
        let current = self.state.joints[slot].kind;
        if discriminant(&current) != discriminant(kind) {
            let (current, given) = (current.name(), kind.name());
            return Err(CommandError::OtherJointKind { joint: handle, current, given });
        }
        let impulses = self.state.joint_impulses[slot].applied_by(kind, &current);
        if impulses != self.state.joint_impulses[slot] {
            let token = self.tokens.draw();
            *self.state.joint_impulses.change(slot, token) = impulses;
        }
        self.change_joint(handle, |joint| joint.kind = *kind)
    }

    /// Wakes the bodies of the joint in a slot, which is one, and gives the slot up.
    pub(in crate::world) fn remove_joint_slot(&mut self, slot: u32) {
        let Joint { generation, bodies, alive, .. } = self.state.joints[slot];
        debug_assert!(alive);
        // Before: what hangs on the one body by this joint wakes with the other.
        self.wake(&bodies);
        let token = self.tokens.draw();
        *self.state.joints.change(slot, token) =
            Joint { generation: generation.wrapping_add(1), ..Joint::VACANT };
        *self.state.joint_impulses.change(slot, token) = JointImpulses::NONE;
        self.state.free_joints.push(slot);
        self.derived.joint_changed();
    }

    /// Removes the joints of a body, by ascending slots.
    pub(super) fn remove_joints_of(&mut self, body: u32) {
        let own: Vec<u32> = self.state.joints_of(body).map(|(slot, _)| slot).collect();
        own.into_iter().for_each(|slot| self.remove_joint_slot(slot));
    }
}
