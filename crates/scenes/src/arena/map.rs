//! What stands where.

use super::state::{ArenaState, PickUp, PlayerState};
use super::tag::Tag;
use super::{Arena, BodyHandle};
use crate::stage::{ball, capsule, cuboid};
use isostep_collision::{Aabb, Shape};
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use isostep_step::{
    AxisLocks, BodyDef, ColliderDef, CombineRule, Command, Filter, Material, World, WorldConfig,
};

/// Where pick-ups can come.
pub(super) const SPOTS: usize = 8;

/// Layers of colliders.
pub(super) mod layer {
    pub(crate) const SCENERY: u8 = 0;
    pub(crate) const PLAYERS: u8 = 1;
    pub(crate) const THINGS: u8 = 2;
    pub(crate) const SHOTS: u8 = 3;
    pub(crate) const PICK_UPS: u8 = 4;
}

/// Half the height of the straight part of a player, and the radius.
pub(super) const PLAYER: (Fx, Fx) = (fx!(0.5), fx!(0.4));

/// Half the length of the field.
const FIELD: Fx = fx!(16);

/// The room between the walls and the goals, up to the beams: what a picture of a game shows.
#[must_use]
pub fn field() -> Aabb {
    Aabb::from_points([vec3(-FIELD, fx!(0), fx!(-12)), vec3(FIELD, BEAM, fx!(12))])
}

/// How high the beams are that hooks swing from.
const BEAM: Fx = fx!(5.5);

/// How far the beams are from the middle, along x.
pub(super) const BEAMS: [Fx; 2] = [fx!(-5), fx!(5)];

/// Half the width of a goal.
const GOAL: Fx = fx!(3);

/// Crates: x, z, and how many lie on each other.
const CRATES: [(Fx, Fx, u8); 6] = [
    (fx!(-6), fx!(-4), 3),
    (fx!(6), fx!(4), 3),
    (fx!(-3), fx!(6), 2),
    (fx!(3), fx!(-6), 2),
    (fx!(-8), fx!(7), 1),
    (fx!(8), fx!(-7), 1),
];

pub(super) fn build(players: usize, seed: u64) -> Arena {
    let config = WorldConfig { seed, ..WorldConfig::default() };
    let world = World::new(config).expect("the default is valid");
    let mut arena = Arena { world, state: ArenaState::default(), commands: Vec::new() };
    arena.set_layers();
    arena.build_scenery();
    for side in 0..2 {
        arena.build_goal(side);
    }
    arena.build_mechanisms();
    arena.state.platforms = [0, 1].map(|index| arena.build_platform(index));
    for (x, z, count) in CRATES {
        for level in 0..count {
            let center = vec3(x, Fx::HALF + Fx::from_int(level.into()), z);
            let def = thing(cuboid(Vec3::splat(Fx::HALF))).with_density(fx!(100));
            let body = BodyDef { user_data: Tag::Crate.to_bits(), ..BodyDef::dynamic(center) };
            let body = arena.add_body(body, def);
            arena.state.crates.extend(body);
        }
    }
    let bouncy = Material { restitution: fx!(0.7), rolling_resistance: fx!(0.01), ..Material::default() };
    let def = thing(ball(fx!(0.6))).with_density(fx!(30)).with_material(bouncy);
    let body = BodyDef { user_data: Tag::Ball.to_bits(), ..BodyDef::dynamic(BALL) };
    arena.state.ball = arena.add_body(body, def);
    for player in 0..players {
        arena.build_player(player);
    }
    arena.state.pick_ups = [PickUp::default(); SPOTS];
    arena.state.pick_up_in = 60;
    arena
}

/// Where the ball starts.
pub(super) const BALL: Vec3 = vec3(fx!(0), fx!(2), fx!(0));

/// Where a player starts.
pub(super) fn spawn(player: usize) -> Vec3 {
    let side = if player % 2 == 0 { fx!(-9) } else { fx!(9) };
    let row = Fx::from_int((player / 2) as i32);
    vec3(side, fx!(1), (row - fx!(1.5)) * fx!(3))
}

/// Where a pick-up lies: on an ellipse around the middle, in the room behind the doors, on the tower in the middle.
pub(super) fn spot(index: usize) -> Vec3 {
    match index {
        6 => return vec3(fx!(-13), fx!(0.7), fx!(9)),
        7 => return vec3(fx!(3.25), fx!(3.3), fx!(-10.5)),
        _ => {}
    }
    let (sin, cos) = (Fx::from_int(index as i32) * fx!(1.0471975511965977)).sin_cos();
    vec3(cos * fx!(11), fx!(0.7), sin * fx!(7.5))
}

/// Where a platform is at a tick: one goes up and down, the other to and fro.
pub(super) fn platform(index: usize, tick: u64) -> Vec3 {
    // The remainder of 480 ticks of a whole turn.
    let angle = Fx::from_ratio((tick % 480) as i64, 480) * fx!(6.283185307179586);
    let swing = angle.sin();
    match index {
        0 => vec3(fx!(0), fx!(1.6) + swing * fx!(1.4), fx!(-10)),
        _ => vec3(swing * fx!(6), fx!(1.5), fx!(10)),
    }
}

/// A collider of the layer of things.
pub(super) fn thing(shape: impl Into<Shape>) -> ColliderDef {
    of_layer(shape, layer::THINGS)
}

pub(super) fn of_layer(shape: impl Into<Shape>, layer: u8) -> ColliderDef {
    ColliderDef::new(shape).with_filter(Filter { layer, ..Filter::default() })
}

impl Arena {
    fn set_layers(&mut self) {
        self.command(Command::SetLayersMeet { a: layer::SHOTS, b: layer::SHOTS, meet: false });
        for other in [layer::SCENERY, layer::THINGS, layer::SHOTS, layer::PICK_UPS] {
            self.command(Command::SetLayersMeet { a: layer::PICK_UPS, b: other, meet: false });
        }
    }

    fn build_scenery(&mut self) {
        let boxes = [
            // The ground.
            (vec3(FIELD, fx!(1), fx!(12)), vec3(fx!(0), fx!(-1), fx!(0)), Quat::IDENTITY),
            // Walls along the field.
            (vec3(FIELD, fx!(2), fx!(0.5)), vec3(fx!(0), fx!(2), fx!(12.5)), Quat::IDENTITY),
            (vec3(FIELD, fx!(2), fx!(0.5)), vec3(fx!(0), fx!(2), fx!(-12.5)), Quat::IDENTITY),
            // Ledges in two corners, and ramps that lead onto them.
            (vec3(fx!(3), fx!(1), fx!(2)), vec3(fx!(13), fx!(1), fx!(10)), Quat::IDENTITY),
            (vec3(fx!(3), fx!(1), fx!(2)), vec3(fx!(-13), fx!(1), fx!(-10)), Quat::IDENTITY),
            (vec3(fx!(3), fx!(0.1), fx!(1.5)), vec3(fx!(7.3), fx!(0.95), fx!(10)), turned(fx!(0.34))),
            (vec3(fx!(3), fx!(0.1), fx!(1.5)), vec3(fx!(-7.3), fx!(0.95), fx!(-10)), turned(fx!(-0.34))),
        ];
        for (half_extents, center, turn) in boxes {
            self.fixed_box(half_extents, BodyDef::fixed(center).rotated(turn));
        }
        for x in BEAMS {
            self.fixed_box(vec3(fx!(0.2), fx!(0.2), fx!(12.9)), BodyDef::fixed(vec3(x, BEAM, fx!(0))));
            for z in [fx!(-12.5), fx!(12.5)] {
                self.fixed_box(vec3(fx!(0.2), fx!(0.65), fx!(0.2)), BodyDef::fixed(vec3(x, fx!(4.65), z)));
            }
        }
        // Walls beside the goals.
        let half_width = (fx!(12) - GOAL) * Fx::HALF;
        for x in [-FIELD - Fx::HALF, FIELD + Fx::HALF] {
            for z in [-GOAL - half_width, GOAL + half_width] {
                let wall = cuboid(vec3(Fx::HALF, fx!(2), half_width));
                self.add_body(BodyDef::fixed(vec3(x, fx!(2), z)), ColliderDef::new(wall));
            }
        }
    }

    pub(super) fn fixed_box(&mut self, half_extents: Vec3, body: BodyDef) -> Option<BodyHandle> {
        self.add_body(body, ColliderDef::new(cuboid(half_extents)))
    }

    fn build_goal(&mut self, side: usize) {
        let x = if side == 0 { -FIELD - fx!(1.5) } else { FIELD + fx!(1.5) };
        let body =
            BodyDef { user_data: Tag::Goal(side).to_bits(), ..BodyDef::fixed(vec3(x, fx!(0), fx!(0))) };
        let sensor = ColliderDef::new(cuboid(vec3(fx!(1), fx!(4), GOAL))).as_sensor();
        self.add_body(body, sensor);
    }

    fn build_platform(&mut self, index: usize) -> Option<BodyHandle> {
        let body = BodyDef::kinematic(platform(index, 0));
        self.add_body(body, ColliderDef::new(cuboid(vec3(fx!(1.5), fx!(0.2), fx!(1.5)))))
    }

    fn build_player(&mut self, player: usize) {
        let body = BodyDef {
            locks: AxisLocks::ROTATION,
            mass: Some(fx!(80)),
            user_data: Tag::Player(player).to_bits(),
            ..BodyDef::dynamic(spawn(player))
        };
        let slippery =
            Material { friction: Fx::ZERO, friction_rule: CombineRule::Multiply, ..Material::default() };
        let (half_height, radius) = PLAYER;
        let def = of_layer(capsule(half_height, radius), layer::PLAYERS).with_material(slippery);
        let Some(body) = self.add_body(body, def) else { return };
        let facing = if player % 2 == 0 { [127, 0] } else { [-127, 0] };
        self.state.players.push(PlayerState {
            body,
            score: 0,
            held: 0,
            facing,
            stunned: 0,
            jump_in: 0,
            push_in: 0,
            shoot_in: 0,
            rope: None,
            hook_in: 0,
        });
    }
}

fn turned(angle: Fx) -> Quat {
    Quat::from_rotation_z(angle)
}
