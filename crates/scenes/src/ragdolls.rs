//! Ragdolls that fall, turned in every way: eleven bodies each, joined at the spine, the neck, the shoulders
//! and the hips by balls with limits of swing and twist, at the elbows and the knees by hinges with limits.
//!
//! They are of flesh: their joints resist a little, which is a motor of velocity 0 with little torque, so that they come
//! to rest.

use crate::stage::{Stage, capsule, cuboid, number};
use isostep_collision::Shape;
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BallMotor, BodyDef, BodyHandle, ColliderDef, JointDef, JointKind, Limits, Motor};

/// From pair to pair, in m.
const LANE: Fx = fx!(2.4);

/// Stands upright with its arms hanging, faces z, and has its left hand at positive x.
struct Part {
    shape: PartShape,
    /// Its middle, in m from between the feet.
    center: Vec3,
}

enum PartShape {
    /// Half the extents.
    Box(Vec3),
    /// Along y: half the height without the caps, and the radius.
    Capsule(Fx, Fx),
}

/// Where two parts meet.
struct Meeting {
    /// The parts by their places in [`PARTS`].
    parts: [usize; 2],
    /// In m from between the feet.
    at: Vec3,
    kind: Freedom,
    /// How strongly it resists, in N·m.
    resists: Fx,
}

enum Freedom {
    /// Around the direction in which the second part points at rest: towards where the cone opens, its angle, and how
    /// far it may be twisted to both sides.
    Cone { rest: Vec3, axis: Vec3, swing: Fx, twist: Fx },
    /// About x.
    Hinge { lower: Fx, upper: Fx },
}

use Freedom::{Cone, Hinge};

const fn part(shape: PartShape, x: Fx, y: Fx) -> Part {
    Part { shape, center: vec3(x, y, fx!(0)) }
}

const UPPER_ARM: PartShape = PartShape::Capsule(fx!(0.11), fx!(0.05));
const LOWER_ARM: PartShape = PartShape::Capsule(fx!(0.11), fx!(0.045));
const UPPER_LEG: PartShape = PartShape::Capsule(fx!(0.15), fx!(0.07));
const LOWER_LEG: PartShape = PartShape::Capsule(fx!(0.15), fx!(0.06));

const PARTS: [Part; 11] = [
    // Pelvis, chest, head.
    part(PartShape::Box(vec3(fx!(0.16), fx!(0.1), fx!(0.1))), fx!(0), fx!(1)),
    part(PartShape::Box(vec3(fx!(0.18), fx!(0.2), fx!(0.11))), fx!(0), fx!(1.32)),
    part(PartShape::Capsule(fx!(0.05), fx!(0.1)), fx!(0), fx!(1.7)),
    // Arms.
    part(UPPER_ARM, fx!(0.25), fx!(1.32)),
    part(LOWER_ARM, fx!(0.25), fx!(1.01)),
    part(UPPER_ARM, fx!(-0.25), fx!(1.32)),
    part(LOWER_ARM, fx!(-0.25), fx!(1.01)),
    // Legs.
    part(UPPER_LEG, fx!(0.1), fx!(0.67)),
    part(LOWER_LEG, fx!(0.1), fx!(0.24)),
    part(UPPER_LEG, fx!(-0.1), fx!(0.67)),
    part(LOWER_LEG, fx!(-0.1), fx!(0.24)),
];

const fn meeting(parts: [usize; 2], x: Fx, y: Fx, kind: Freedom, resists: Fx) -> Meeting {
    Meeting { parts, at: vec3(x, y, fx!(0)), kind, resists }
}

/// Arms hang, and reach outwards and forwards.
const fn shoulder(side: Fx) -> Freedom {
    let axis = vec3(side, fx!(-0.6), fx!(0.5));
    Cone { rest: Vec3::NEG_Y, axis, swing: fx!(1.3), twist: fx!(0.8) }
}

/// Legs hang, and reach forwards.
const fn hip(side: Fx) -> Freedom {
    let axis = vec3(side, fx!(-1), fx!(0.6));
    Cone { rest: Vec3::NEG_Y, axis, swing: fx!(0.9), twist: fx!(0.4) }
}

const ELBOW: Freedom = Hinge { lower: fx!(-2.4), upper: fx!(0) };
const KNEE: Freedom = Hinge { lower: fx!(0), upper: fx!(2.3) };

const MEETINGS: [Meeting; 10] = [
    meeting(
        [0, 1],
        fx!(0),
        fx!(1.11),
        Cone { rest: Vec3::Y, axis: Vec3::Y, swing: fx!(0.5), twist: fx!(0.4) },
        fx!(12),
    ),
    meeting(
        [1, 2],
        fx!(0),
        fx!(1.53),
        Cone { rest: Vec3::Y, axis: Vec3::Y, swing: fx!(0.7), twist: fx!(0.9) },
        fx!(3),
    ),
    meeting([1, 3], fx!(0.23), fx!(1.46), shoulder(fx!(0.5)), fx!(3)),
    meeting([3, 4], fx!(0.25), fx!(1.165), ELBOW, fx!(1.5)),
    meeting([1, 5], fx!(-0.23), fx!(1.46), shoulder(fx!(-0.5)), fx!(3)),
    meeting([5, 6], fx!(-0.25), fx!(1.165), ELBOW, fx!(1.5)),
    meeting([0, 7], fx!(0.1), fx!(0.89), hip(fx!(0.25)), fx!(9)),
    meeting([7, 8], fx!(0.1), fx!(0.455), KNEE, fx!(6)),
    meeting([0, 9], fx!(-0.1), fx!(0.89), hip(fx!(-0.25)), fx!(9)),
    meeting([9, 10], fx!(-0.1), fx!(0.455), KNEE, fx!(6)),
];

impl Meeting {
    /// The kind of the joint, and its frames in the coordinates of a ragdoll that is not turned.
    fn joint(&self) -> (JointKind, [Quat; 2]) {
        match self.kind {
            Cone { rest, axis, swing, twist } => {
                let along = Quat::from_rotation_arc(Vec3::X, rest);
                let opening = Quat::from_rotation_arc(rest, axis.normalize()) * along;
                let motor = BallMotor {
                    rotation: Quat::IDENTITY,
                    velocity: Vec3::ZERO,
                    spring: None,
                    max_torque: self.resists,
                };
                let limits = Limits { lower: -twist, upper: twist };
                let (swing_limit, twist_limits) = (Some(swing), Some(limits));
                (JointKind::Ball { swing_limit, twist_limits, motor: Some(motor) }, [opening, along])
            }
            Hinge { lower, upper } => {
                let motor =
                    Motor { position: fx!(0), velocity: fx!(0), spring: None, max_force: self.resists };
                let limits = Some(Limits { lower, upper });
                (JointKind::Hinge { limits, motor: Some(motor) }, [Quat::IDENTITY; 2])
            }
        }
    }
}

/// A ragdoll whose feet are at a pose.
fn ragdoll(stage: &mut Stage, feet: Pose) {
    let bodies: Vec<BodyHandle> = PARTS
        .iter()
        .map(|part| {
            let pose = feet.mul_pose(Pose::from_translation(part.center));
            let shape: Shape = match part.shape {
                PartShape::Box(half_extents) => cuboid(half_extents).into(),
                PartShape::Capsule(half_height, radius) => capsule(half_height, radius).into(),
            };
            stage.add(BodyDef { pose, ..BodyDef::default() }, ColliderDef::new(shape))
        })
        .collect();
    for meeting in &MEETINGS {
        let (kind, rotations) = meeting.joint();
        let [a, b] = [0, 1].map(|side| {
            let part = meeting.parts[side];
            (bodies[part], Pose::new(rotations[side], meeting.at - PARTS[part].center))
        });
        stage.add_joint(JointDef::new(kind, a, b));
    }
}

pub(crate) fn fill(stage: &mut Stage, ragdolls: u32) {
    stage.ground(fx!(100));
    let lanes = ragdolls.div_ceil(2).min(10);
    let width = number(lanes) * LANE * Fx::HALF;
    let mut rng = Rng::new(21, 0);
    for index in 0..ragdolls {
        let x = number(index % 2) * fx!(3) - fx!(2);
        let z = number(index / 2 % lanes) * LANE + LANE * Fx::HALF - width;
        let y = fx!(3) + number(index / (2 * lanes)) * fx!(2.5);
        let turn = rng.unit_quat();
        // Turned about its middle.
        let middle = vec3(x, y, z);
        let feet = Pose::new(turn, middle + turn * vec3(fx!(0), fx!(-1), fx!(0)));
        ragdoll(stage, feet);
    }
}
