//! Whether joints are such as commands make them, and steps leave them.

use super::{Checked, require};
use crate::command::validate_pose;
use crate::joint::validate::{validate_break, validate_reach, validate_softness};
use crate::joint::{Joint, JointImpulses};
use crate::state::State;

pub(super) fn check_joint(state: &State, index: u32) -> Checked {
    let (joint, impulses) = (&state.joints[index], &state.joint_impulses[index]);
    let require = |holds, reason| require(holds, "joint", index as usize, reason);
    if !joint.alive {
        let vacant = Joint { generation: joint.generation, ..Joint::VACANT };
        let is_vacant = *joint == vacant && *impulses == JointImpulses::NONE;
        return require(is_vacant, "a slot that is free has content");
    }
    let [a, b] = joint.bodies;
    let is_body = |body: u32| state.bodies.get(body).is_some_and(|body| body.alive);
    require(is_body(a) && is_body(b), "a body of it does not exist")?;
    require(a != b, "it joins a body with itself")?;
    let is_dynamic = |body: u32| state.bodies[body].is_dynamic();
    require(is_dynamic(a) || is_dynamic(b), "none of its bodies is dynamic")?;
    for (frame, body) in joint.frames.iter().zip(joint.bodies) {
        require(validate_pose(frame).is_ok(), "a frame of it is no pose")?;
        require(validate_reach(frame, state.bodies[body].kind).is_ok(), "a frame of it is too far away")?;
    }
    require(joint.kind.validate().is_ok(), "a limit, motor or target of it is out of range")?;
    require(validate_softness(joint.softness).is_ok(), "its softness is out of range")?;
    let breaks = validate_break(joint.break_force, joint.break_torque);
    require(breaks.is_ok(), "what breaks it is not above 0")?;
    let rests = |body: u32| state.motions[body].frozen || !is_dynamic(body);
    let is_island = state.motions[a].asleep == state.motions[b].asleep || rests(a) || rests(b);
    require(is_island, "it joins one that sleeps with one that is awake")
}
