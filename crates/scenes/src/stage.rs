//! [`Stage`]: a world that is being filled.

use isostep_collision::{Capsule, Obb, Shape, Sphere};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, Command, ConfigError, Outcome, World, WorldConfig};

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
        self.apply(Command::AddCollider { body, collider });
        body
    }

    fn apply(&mut self, command: Command) -> Outcome {
        let outcome = self.world.apply(&command).expect("scenes have valid bodies and colliders");
        self.commands.push(command);
        outcome
    }

    /// A box that does not move.
    pub(crate) fn fixed_box(&mut self, half_extents: Vec3, center: Vec3) {
        self.add(BodyDef::fixed(center), ColliderDef::new(cuboid(half_extents)));
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

/// A count, as a coordinate.
pub(crate) fn number(count: u32) -> Fx {
    Fx::from_int(i32::try_from(count).expect("scenes are not that large"))
}
