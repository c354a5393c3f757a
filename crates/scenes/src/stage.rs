//! [`Stage`]: a world that is being filled.

use isostep_collision::{Capsule, Obb, Shape, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx};
use isostep_step::{
    BodyDef, BodyHandle, ColliderDef, Command, ConfigError, JointDef, JointKind, Outcome, World, WorldConfig,
};

/// A world that is being filled, and the commands that did it. Scenes only put into it what is valid.
pub(crate) struct Stage {
    world: World,
    commands: Vec<Command>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with_config(WorldConfig::default()).expect("the default is valid")
    }

    pub(crate) fn with_config(config: WorldConfig) -> Result<Self, ConfigError> {
        Ok(Self { world: World::new(config)?, commands: Vec::new() })
    }

    pub(crate) fn into_world(self) -> World {
        self.world
    }

    pub(crate) fn into_commands(self) -> Vec<Command> {
        self.commands
    }

    /// A body with one collider.
    pub(crate) fn add(&mut self, body: BodyDef, collider: ColliderDef) -> BodyHandle {
        let Outcome::Body(body) = self.apply(Command::AddBody(body)) else {
            unreachable!("that is what adding a body gives")
        };
        self.add_collider(body, collider);
        body
    }

    /// One more collider of a body.
    pub(crate) fn add_collider(&mut self, body: BodyHandle, collider: ColliderDef) {
        self.apply(Command::AddCollider { body, collider });
    }

    /// A joint whose frames both are at a pose of the world, at the place that the bodies have.
    pub(crate) fn join(&mut self, kind: JointKind, [a, b]: [BodyHandle; 2], at: Pose) {
        let frame = |body| at.relative_to(self.world.body(body).expect("scenes join what they have").pose());
        self.add_joint(JointDef::new(kind, (a, frame(a)), (b, frame(b))));
    }

    pub(crate) fn add_joint(&mut self, joint: JointDef) {
        self.apply(Command::AddJoint(joint));
    }

    fn apply(&mut self, command: Command) -> Outcome {
        let outcome = self.world.apply(&command).expect("scenes have valid bodies, colliders and joints");
        self.commands.push(command);
        outcome
    }

    /// A box that does not move.
    pub(crate) fn fixed_box(&mut self, half_extents: Vec3, center: Vec3) -> BodyHandle {
        self.add(BodyDef::fixed(center), ColliderDef::new(cuboid(half_extents)))
    }

    /// A box of 1 m³ and 1 kg.
    pub(crate) fn unit_box(&mut self, center: Vec3) {
        self.add(BodyDef::dynamic(center), light(cuboid(Vec3::splat(Fx::HALF))));
    }

    /// A slab with its upper side at height 0.
    pub(crate) fn ground(&mut self, half_width: Fx) {
        self.fixed_box(Vec3::new(half_width, Fx::ONE, half_width), Vec3::NEG_Y);
    }

    /// A slab, and four walls of 40 m around a square.
    pub(crate) fn pit(&mut self, half_width: Fx) {
        self.ground(fx!(50));
        self.walls(half_width, fx!(20), half_width + fx!(2));
    }

    /// Four walls around a square: those across x first, then those across z.
    pub(crate) fn walls(&mut self, half_width: Fx, half_height: Fx, half_length: Fx) {
        let away = half_width + Fx::ONE;
        for x in [-away, away] {
            self.fixed_box(Vec3::new(Fx::ONE, half_height, half_length), Vec3::new(x, half_height, Fx::ZERO));
        }
        for z in [-away, away] {
            self.fixed_box(Vec3::new(half_length, half_height, Fx::ONE), Vec3::new(Fx::ZERO, half_height, z));
        }
    }
}

/// A collider of 1 kg/m³.
pub(crate) fn light(shape: impl Into<Shape>) -> ColliderDef {
    ColliderDef::new(shape).with_density(Fx::ONE)
}

pub(crate) fn cuboid(half_extents: Vec3) -> Obb {
    Obb::from_half_extents(half_extents).expect("scenes have boxes with extents")
}

pub(crate) fn ball(radius: Fx) -> Sphere {
    Sphere::from_radius(radius).expect("scenes have balls with radii")
}

pub(crate) fn capsule(half_height: Fx, radius: Fx) -> Capsule {
    Capsule::along_y(half_height, radius).expect("scenes have capsules with radii")
}

/// Turns the x axis of a frame to y: a hinge that stands upright, a slider that goes up.
pub(crate) fn x_to_y() -> Quat {
    Quat::from_rotation_z(Fx::FRAC_PI_2)
}

/// Turns the x axis of a frame to z: a hinge that lies across a picture from the front.
pub(crate) fn x_to_z() -> Quat {
    Quat::from_rotation_y(-Fx::FRAC_PI_2)
}

/// A joint that holds a point and leaves all rotations free.
pub(crate) const FREE_BALL: JointKind =
    JointKind::Ball { swing_limit: None, twist_limits: None, motor: None };

/// A joint that leaves a rotation free, without an end.
pub(crate) const FREE_HINGE: JointKind = JointKind::Hinge { limits: None, motor: None };

/// A count, as a coordinate.
pub(crate) fn number(count: u32) -> Fx {
    Fx::from_int(i32::try_from(count).expect("scenes are not that large"))
}
