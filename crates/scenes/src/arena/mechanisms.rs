//! What moves on joints: doors, seesaws and the rope bridge.
//!
//! Nothing of it is kept beside the world: no rule of the game asks for it, and none of its joints breaks.

use super::map::thing;
use super::tag::Tag;
use super::{Arena, BodyHandle};
use crate::stage::cuboid;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, Command, JointDef, JointKind, Limits, Motor, Spring};

/// The middles of the doorways of the room, on the ground.
pub(super) const DOORWAYS: [Vec3; 2] = [vec3(fx!(-10), fx!(0), fx!(9)), vec3(fx!(-13), fx!(0), fx!(6))];

/// Half the height of the walls of the room.
const ROOM: Fx = fx!(1.2);

/// Half the extents of a leaf of a door that turns about y, from its hinge along x.
const LEAF: Vec3 = vec3(fx!(0.47), fx!(1.1), fx!(0.06));

/// Half the height of the towers.
const TOWER: Fx = fx!(1.3);

/// Where the bridge hangs: its ends along x, its height there, and its middle along z.
const SPAN: [Fx; 2] = [fx!(4.5), fx!(13)];
const DECK: Fx = fx!(2.55);
const BRIDGE: Fx = fx!(-10.5);

/// How far the middle of the bridge is below its ends.
const SAG: Fx = fx!(0.45);

/// How many planks the bridge has.
const PLANKS: u32 = 12;

/// How far a plank of the bridge rolls against the next, in rad.
const ROLL: Fx = fx!(0.03);

/// Whether a place is in the room behind the doors.
pub(super) fn is_in_room(place: Vec3) -> bool {
    let [right, front] = DOORWAYS;
    place.x < right.x && place.z > front.z
}

impl Arena {
    pub(super) fn build_mechanisms(&mut self) {
        self.build_room();
        for index in 0..2 {
            self.build_seesaw(index);
        }
        self.build_bridge();
    }

    /// A room in a corner with a double door in each of its two walls.
    fn build_room(&mut self) {
        // What turns x along the wall of each doorway.
        let turns = [Quat::from_rotation_y(Fx::FRAC_PI_2), Quat::IDENTITY];
        for (index, (middle, turn)) in DOORWAYS.into_iter().zip(turns).enumerate() {
            for side in 0..2 {
                let sign = if side == 0 { Fx::NEG_ONE } else { Fx::ONE };
                let wall = BodyDef::fixed(middle + turn * vec3(sign * fx!(2), ROOM, fx!(0))).rotated(turn);
                let wall = self.fixed_box(vec3(fx!(1), ROOM, fx!(0.2)), wall);
                self.build_door(2 * index + side, wall, middle + turn * (Vec3::X * sign), turn, sign);
            }
        }
    }

    /// A leaf that hangs on a wall and closes by itself.
    fn build_door(&mut self, index: usize, wall: Option<BodyHandle>, hinge: Vec3, turn: Quat, sign: Fx) {
        let hinge = hinge + Vec3::Y * (LEAF.y + fx!(0.05));
        // From the hinge to the middle of the leaf, with 3 cm of air at the wall.
        let arm = Vec3::X * (-sign * (LEAF.x + fx!(0.03)));
        let body = BodyDef {
            user_data: Tag::Door(index).to_bits(),
            ..BodyDef::dynamic(hinge + turn * arm).rotated(turn)
        };
        let leaf = self.add_body(body, thing(cuboid(LEAF)).with_density(fx!(100)));
        let spring = Spring { frequency: fx!(0.6), damping_ratio: fx!(0.9) };
        let closer = Motor { spring: Some(spring), max_force: fx!(150), ..Motor::default() };
        let limits = Limits { lower: fx!(-1.5), upper: fx!(1.5) };
        let upright = Quat::from_rotation_z(Fx::FRAC_PI_2);
        self.join(
            JointKind::Hinge { limits: Some(limits), motor: Some(closer) },
            (wall, Pose::new(upright, vec3(-sign, hinge.y - ROOM, fx!(0)))),
            (leaf, Pose::new(upright, -arm)),
        );
    }

    /// A board on a post. It tips by a person's weight, and stays where it was left.
    fn build_seesaw(&mut self, index: usize) {
        const TILT: Fx = fx!(0.2);
        let sign = if index == 0 { Fx::ONE } else { Fx::NEG_ONE };
        let pivot = vec3(fx!(0), fx!(0.5), sign * fx!(5));
        let post = self.fixed_box(vec3(fx!(0.1), fx!(0.2), fx!(0.5)), BodyDef::fixed(pivot.with_y(fx!(0.2))));
        let tilt = Quat::from_rotation_z(sign * TILT);
        let body =
            BodyDef { user_data: Tag::Seesaw(index).to_bits(), ..BodyDef::dynamic(pivot).rotated(tilt) };
        let board = cuboid(vec3(fx!(2), fx!(0.05), fx!(0.6)));
        let board = self.add_body(body, thing(board).with_density(fx!(100)));
        let friction = Motor { max_force: fx!(15), ..Motor::default() };
        let limits = Limits { lower: -TILT, upper: TILT };
        let across = Quat::from_rotation_y(-Fx::FRAC_PI_2);
        self.join(
            JointKind::Hinge { limits: Some(limits), motor: Some(friction) },
            (post, Pose::new(across, vec3(fx!(0), fx!(0.3), fx!(0)))),
            (board, Pose::from_rotation(across)),
        );
    }

    /// Planks that hang between two towers, one with a ramp, the other beside the platform that goes up and down.
    fn build_bridge(&mut self) {
        let [start, end] = SPAN;
        let towers = [(start - fx!(1.25), fx!(1.25)), (end + fx!(1.5), fx!(1.5))].map(|(x, half_width)| {
            let center = vec3(x, TOWER, BRIDGE);
            (self.fixed_box(vec3(half_width, TOWER, fx!(1.5)), BodyDef::fixed(center)), center)
        });
        // 5.5 m long on the ground and 2.6 m high.
        let ramp = BodyDef::fixed(vec3(end + fx!(1.5), fx!(1.21), fx!(-6.293)));
        let ramp = ramp.rotated(Quat::from_rotation_x(fx!(0.4417)));
        self.fixed_box(vec3(fx!(1.5), fx!(0.1), fx!(3.04)), ramp);

        // The knots between planks are on a parabola.
        let knot = |index: u32| {
            let part = Fx::from_ratio(index.into(), PLANKS.into());
            let height = DECK - fx!(4) * SAG * part * (Fx::ONE - part);
            vec3(start + (end - start) * part, height, BRIDGE)
        };
        let mut last = (towers[0].0, knot(0) - towers[0].1);
        for index in 0..PLANKS {
            let (from, to) = (knot(index), knot(index + 1));
            let way = to - from;
            let half = Vec3::X * (way.length() * Fx::HALF);
            let slope = Quat::from_rotation_z(way.y.atan2(way.x));
            let body = BodyDef {
                user_data: Tag::Plank(index as usize).to_bits(),
                // Air and ropes: a bridge that nobody is on comes to rest.
                linear_damping: fx!(1),
                angular_damping: fx!(2),
                ..BodyDef::dynamic(from + way * Fx::HALF).rotated(slope)
            };
            let plank = thing(cuboid(vec3(fx!(0.34), fx!(0.05), fx!(0.7)))).with_density(fx!(300));
            let plank = self.add_body(body, plank);
            self.tie(last, (plank, -half));
            last = (plank, half);
        }
        self.tie(last, (towers[1].0, knot(PLANKS) - towers[1].1));
    }

    /// Ties two bodies at a knot, so that the one hardly rolls against the other.
    fn tie(&mut self, a: (Option<BodyHandle>, Vec3), b: (Option<BodyHandle>, Vec3)) {
        let [a, b] = [a, b].map(|(body, knot)| (body, Pose::from_translation(knot)));
        let roll = Limits { lower: -ROLL, upper: ROLL };
        self.join(JointKind::Ball { swing_limit: None, twist_limits: Some(roll), motor: None }, a, b);
    }

    fn join(&mut self, kind: JointKind, a: (Option<BodyHandle>, Pose), b: (Option<BodyHandle>, Pose)) {
        if let ((Some(body_a), frame_a), (Some(body_b), frame_b)) = (a, b) {
            self.command(Command::AddJoint(JointDef::new(kind, (body_a, frame_a), (body_b, frame_b))));
        }
    }
}

#[cfg(test)]
mod tests;
