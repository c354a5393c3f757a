//! Whether joints are such as commands make them, and steps leave them.

use super::{Checked, require, valid};
use crate::command::validate::validate_pose;
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
    for frame in &joint.frames {
        valid(validate_pose("a frame", frame), "joint", index as usize)?;
    }
    let reach = validate_reach(&joint.frames, joint.bodies.map(|body| &state.bodies[body]));
    valid(reach, "joint", index as usize)?;
    let valid = |result| valid(result, "joint", index as usize);
    valid(joint.kind.validate())?;
    valid(validate_softness(joint.softness))?;
    valid(validate_break(joint.break_force, joint.break_torque))?;
    let rests = |body: u32| state.motions[body].frozen || !is_dynamic(body);
    let is_island = state.motions[a].asleep == state.motions[b].asleep || rests(a) || rests(b);
    require(is_island, "it joins one that sleeps with one that is awake")
}

#[cfg(test)]
mod tests {
    use crate::joint::{Joint, JointDef, JointImpulses, JointKind, Limits, Spring};
    use crate::state::State;
    use crate::tracked::Tracked;
    use crate::{BodyDef, World, WorldConfig};
    use alloc::string::{String, ToString};
    use alloc::vec;
    use isostep_math::{Fx, Pose, Vec3, fx};

    /// Slots of bodies: two dynamic ones, a fixed one, and a vacant one. Of joints: one, and a vacant one.
    fn state() -> State {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let dynamic = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
        let other = world.add_body(BodyDef::dynamic(Vec3::X)).unwrap();
        world.add_body(BodyDef::fixed(Vec3::Y)).unwrap();
        let gone = world.add_body(BodyDef::fixed(Vec3::Y)).unwrap();
        let hinge = JointKind::Hinge { limits: None, motor: None };
        let def = JointDef::new(hinge, (dynamic, Pose::IDENTITY), (other, Pose::IDENTITY));
        world.add_joint(def).unwrap();
        let removed = world.add_joint(def).unwrap();
        world.remove_joint(removed).unwrap();
        world.remove_body(gone).unwrap();
        world.state
    }

    /// What is said of a state with something changed.
    fn complaint(change: impl FnOnce(&mut State)) -> String {
        let mut state = state();
        change(&mut state);
        match super::super::check(&state) {
            Ok(()) => String::from("nothing"),
            Err(error) => error.to_string(),
        }
    }

    fn of_joint(change: impl FnOnce(&mut Joint)) -> String {
        complaint(|state| change(state.joints.change(0, 1)))
    }

    #[test]
    fn joints_that_no_command_makes_are_refused_with_the_reason() {
        assert_eq!(of_joint(|joint| joint.order = 5), "nothing");
        let gone = "joint 0: a body of it does not exist";
        assert_eq!(of_joint(|joint| joint.bodies[0] = 3), gone);
        assert_eq!(of_joint(|joint| joint.bodies[1] = u32::MAX), gone);
        assert_eq!(of_joint(|joint| joint.bodies[1] = 0), "joint 0: it joins a body with itself");
        let rotated = of_joint(|joint| joint.frames[1].rotation.w = fx!(2));
        assert!(rotated.starts_with("joint 0: rotation of a frame is [0, 0, 0, 2]: "), "{rotated}");
        let far = Pose::from_translation(Vec3::X * fx!(121));
        let reaching = of_joint(|joint| joint.frames[0] = far);
        assert!(reaching.starts_with("joint 0: frame a is 121 m from the centre of mass"), "{reaching}");
        let on_fixed = |joint: &mut Joint| (joint.bodies[0], joint.frames[0]) = (2, far);
        assert_eq!(of_joint(on_fixed), "nothing");
        let limits = Some(Limits { lower: fx!(1), upper: fx!(0) });
        let kind = JointKind::Hinge { limits, motor: None };
        let reason = "joint 0: hinge limits from 1 to 0: the lower one must not be above the upper one";
        assert_eq!(of_joint(|joint| joint.kind = kind), reason);
        let softness = Some(Spring::default());
        let reason = "joint 0: softness frequency is 0: it must be above 0 and at most 4000 Hz";
        assert_eq!(of_joint(|joint| joint.softness = softness), reason);
        let reason = "joint 0: break force is 0: it must be above 0";
        assert_eq!(of_joint(|joint| joint.break_force = Some(Fx::ZERO)), reason);
        let reason = "joint 0: break torque is -1: it must be above 0";
        assert_eq!(of_joint(|joint| joint.break_torque = Some(fx!(-1))), reason);
        let of_fixed = complaint(|state| {
            state.bodies.change(0, 1).kind = crate::BodyKind::Fixed;
            state.bodies.change(0, 1).mass = crate::body::BodyMass::NONE;
            state.joints.change(0, 1).bodies[1] = 2;
        });
        assert_eq!(of_fixed, "joint 0: none of its bodies is dynamic");
    }

    #[test]
    fn a_joint_between_a_sleeper_and_one_that_is_awake_is_refused() {
        let asleep = |state: &mut State| state.motions.change(0, 1).asleep = true;
        assert_eq!(complaint(asleep), "joint 0: it joins one that sleeps with one that is awake");
        let both = complaint(|state| (0..2).for_each(|body| state.motions.change(body, 1).asleep = true));
        assert_eq!(both, "nothing");
        let frozen = complaint(|state| {
            state.motions.change(0, 1).asleep = true;
            state.motions.change(1, 1).frozen = true;
        });
        assert_eq!(frozen, "nothing");
    }

    #[test]
    fn columns_and_lists_of_joints_fit_each_other() {
        let content = "joint 1: a slot that is free has content";
        assert_eq!(complaint(|state| state.joints.change(1, 1).user_data = 1), content);
        assert_eq!(complaint(|state| state.joints.change(1, 1).bodies[1] = 1), content);
        assert_eq!(complaint(|state| state.joint_impulses.change(1, 1).swing = -1), content);
        assert_eq!(complaint(|state| state.joint_impulses.change(0, 1).swing = -1), "nothing");
        assert_eq!(complaint(|state| state.joints.change(1, 1).generation = 9), "nothing");
        let impulses = vec![JointImpulses::NONE; 3];
        let longer = complaint(|state| state.joint_impulses = Tracked::from_items(impulses, 1));
        assert_eq!(longer, "joints 0: impulses of each are needed");
        assert_eq!(complaint(|state| state.free_joints.clear()), "free joints 1: the slot is missing");
        let twice = "free joints 1: the slot is taken, or named twice";
        assert_eq!(complaint(|state| state.free_joints.push(1)), twice);
        assert_eq!(complaint(|state| state.free_joints.push(0)), twice);
        assert_eq!(complaint(|state| state.free_joints.push(99)), twice);
    }
}
