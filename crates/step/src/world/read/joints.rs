//! What a user may look at of a joint.

use super::{BodyView, World};
use crate::handle::{BodyHandle, JointHandle};
use crate::joint::coordinates::{Anchor, hinge_angle, rotation_error, swing_angle};
use crate::joint::{Joint, JointDef, JointKind};
use crate::world::step::joints::load_of;
use isostep_math::{Fx, Pose, Vec3};

/// A joint, to look at.
///
/// What it measures follows from where its bodies are now, to nearest; how far it is from what it should be says how
/// much the joint gives way.
#[derive(Clone, Copy, Debug)]
pub struct JointView<'a> {
    handle: JointHandle,
    joint: &'a Joint,
    world: &'a World,
}

impl JointView<'_> {
    /// Its handle.
    #[must_use]
    pub const fn handle(&self) -> JointHandle {
        self.handle
    }

    /// What it is: a joint like it could be added by this.
    #[must_use]
    pub fn def(&self) -> JointDef {
        let [body_a, body_b] = self.bodies();
        let Joint { frames: [frame_a, frame_b], .. } = *self.joint;
        JointDef {
            body_a,
            body_b,
            frame_a,
            frame_b,
            kind: self.joint.kind,
            softness: self.joint.softness,
            collide_connected: self.joint.collide_connected,
            break_force: self.joint.break_force,
            break_torque: self.joint.break_torque,
            order: self.joint.order,
            user_data: self.joint.user_data,
        }
    }

    /// What it holds, with its limits, motors and targets.
    #[must_use]
    pub const fn kind(&self) -> &JointKind {
        &self.joint.kind
    }

    /// The bodies a and b.
    #[must_use]
    pub fn bodies(&self) -> [BodyHandle; 2] {
        self.joint.bodies.map(|body| self.world.body_handle(body))
    }

    /// The user's data.
    #[must_use]
    pub const fn user_data(&self) -> u64 {
        self.joint.user_data
    }

    /// Where the origins of the frames of a and b are in the world; saturating.
    #[must_use]
    pub fn anchors(&self) -> [Vec3; 2] {
        self.frames().map(|frame| frame.point())
    }

    /// The pose of frame b in frame a, which its steering turns if it is of a wheel. Positions enter by differences only;
    /// saturating.
    #[must_use]
    pub fn relative_pose(&self) -> Pose {
        let [a, b] = self.frames();
        b.relative_to(&a)
    }

    /// By which rotation b is turned against a, the shortest way: its axis in frame a, times its angle in rad.
    ///
    /// Each component within 1.01 units of 2⁻³² of that of [`relative_pose`](Self::relative_pose).
    #[must_use]
    pub fn rotation_vector(&self) -> Vec3 {
        rotation_error(self.relative_pose().rotation)
    }

    /// By which angle b is turned against a about the x axis, in rad: the angle of a hinge or a wheel, the twist of a ball
    /// joint.
    ///
    /// In (−π, π], but −π for a negative angle that rounds to it; 0 where the x axes are opposite.
    #[must_use]
    pub fn angle(&self) -> Fx {
        hinge_angle(self.relative_pose().rotation)
    }

    /// The angle between the x axes of both frames, in [0, π] rad: the swing of a ball joint.
    #[must_use]
    pub fn swing(&self) -> Fx {
        swing_angle(self.relative_pose().rotation)
    }

    /// Where it is on the axis that its limits are about: the angle of a hinge in rad, how far b is along the x axis of a
    /// slider or the y axis of a wheel's suspension, the distance between the origins of both frames, in m; saturating.
    /// `None` of the other kinds.
    #[must_use]
    pub fn position(&self) -> Option<Fx> {
        match self.joint.kind {
            JointKind::Hinge { .. } => Some(self.angle()),
            JointKind::Slider { .. } => Some(self.relative_pose().translation.x),
            JointKind::Distance { .. } => Some(self.relative_pose().translation.length()),
            JointKind::Wheel { .. } => Some(self.relative_pose().translation.y),
            _ => None,
        }
    }

    /// With how much force it held body b at the origin of its frame in the last substep, in the world, in N: body a had as
    /// much the other way. To nearest, saturating.
    ///
    /// Forces of motors and limits along an axis are in it. Of what rests, awake or asleep, it is what the joint bears: of a
    /// lamp on a rope, its weight. Directions are those of where the bodies are now, after the last substep moved them: what a
    /// rope of a centimetre pulls by may have turned since.
    #[must_use]
    pub fn force(&self) -> Vec3 {
        self.load()[0]
    }

    /// With how much torque it held body b besides, in the world, in N·m, with what motors and limits of angles did: as
    /// [`force`](Self::force).
    #[must_use]
    pub fn torque(&self) -> Vec3 {
        self.load()[1]
    }

    fn load(&self) -> [Vec3; 2] {
        load_of(&self.world.state, self.handle.index)
    }

    fn frames(&self) -> [Anchor; 2] {
        let state = &self.world.state;
        let (bodies, frames) = (self.joint.bodies, self.joint.held_frames());
        [0, 1].map(|side| {
            let body = bodies[side];
            let pose = state.motions[body].central_pose();
            Anchor::new(pose, state.bodies[body].mass.center, frames[side])
        })
    }
}

impl<'a> BodyView<'a> {
    /// Its joints, by ascending slots. Looks at all joints of the world.
    pub fn joints(&self) -> impl Iterator<Item = JointHandle> + 'a {
        let state = &self.world.state;
        state.joints_of(self.handle.index).map(|(slot, _)| state.joint_handle(slot))
    }
}

impl World {
    /// The joint of a handle; `None` if it was removed or broke.
    ///
    /// ```
    /// use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
    /// use isostep_step::{BodyDef, JointDef, JointKind, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// let wall = world.add_body(BodyDef::fixed(Vec3::ZERO))?;
    /// let ajar = BodyDef::dynamic(vec3(fx!(2), fx!(0), fx!(0))).rotated(Quat::from_rotation_y(fx!(0.5)));
    /// let door = world.add_body(ajar)?;
    /// // Hinges turn about the x axis of their frames: here it points up.
    /// let upright = Quat::from_rotation_z(Fx::FRAC_PI_2);
    /// let frame = Pose::new(upright, vec3(fx!(2), fx!(0), fx!(0)));
    /// let hinge = JointKind::Hinge { limits: None, motor: None };
    /// let hinge = JointDef::new(hinge, (wall, frame), (door, Pose::from_rotation(upright)));
    /// let hinge = world.add_joint(hinge)?;
    ///
    /// let view = world.joint(hinge).unwrap();
    /// assert!(view.angle().abs_diff_eq(fx!(0.5), fx!(0.000000001)));
    /// assert_eq!(view.anchors(), [vec3(fx!(2), fx!(0), fx!(0)); 2]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn joint(&self, handle: JointHandle) -> Option<JointView<'_>> {
        let slot = self.joint_index(handle).ok()?;
        Some(JointView { handle, joint: &self.state.joints[slot], world: self })
    }

    /// All joints, by ascending slots.
    pub fn joints(&self) -> impl Iterator<Item = JointView<'_>> {
        self.state.alive_joints().map(|(slot, joint)| JointView {
            handle: self.state.joint_handle(slot),
            joint,
            world: self,
        })
    }
}
