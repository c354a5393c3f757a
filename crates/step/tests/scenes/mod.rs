//! Small scenes with all that a world has, and scripts that command them: functions of the world and its tick, so that a
//! tick that is simulated again gets the same commands.
#![allow(dead_code, reason = "each test binary uses some of it")]

pub(crate) mod joints;

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{
    AxisLocks, BodyDef, BodyHandle, BodyKind, ColliderDef, Continuous, Filter, Material, World, WorldConfig,
};

/// A scene by name: how it begins, and what happens before each step.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) build: fn() -> World,
    pub(crate) command: fn(&mut World),
}

pub(crate) const SCENES: [Scene; 6] = [
    Scene { name: "tumbling", build: tumbling, command: |_| () },
    Scene { name: "sleepers", build: sleepers, command: disturb },
    Scene { name: "carried", build: carried, command: carry },
    Scene { name: "crowd", build: crowd, command: meddle },
    Scene { name: "joined", build: joints::joined, command: joints::rejoin },
    Scene { name: "shots", build: shots, command: shoot },
];

pub(crate) fn ground(world: &mut World) -> BodyHandle {
    let body = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(body, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    body
}

pub(crate) fn cube(half: Fx) -> Shape {
    Obb::from_half_extents(Vec3::splat(half)).unwrap().into()
}

pub(crate) fn add(world: &mut World, def: BodyDef, collider: ColliderDef) -> BodyHandle {
    let body = world.add_body(def).unwrap();
    world.add_collider(body, collider).unwrap();
    body
}

/// A collider of any kind but a half-space.
pub(crate) fn any_collider(rng: &mut Rng) -> ColliderDef {
    let mut size = || rng.fx_range(fx!(0.15), fx!(0.5));
    let (x, y, z) = (size(), size(), size());
    let shape: Shape = match rng.below(4) {
        0 => Sphere::from_radius(x).unwrap().into(),
        1 => Capsule::along_y(x, y).unwrap().into(),
        _ => Obb::from_half_extents(vec3(x, y, z)).unwrap().into(),
    };
    let material = Material {
        friction: rng.fx_range(fx!(0), fx!(1)),
        restitution: rng.fx_range(fx!(0), fx!(0.7)),
        rolling_resistance: if rng.chance(1, 3) { fx!(0.02) } else { fx!(0) },
        ..Material::default()
    };
    ColliderDef::new(shape).with_material(material)
}

pub(crate) fn any_body(rng: &mut Rng, height: Fx) -> BodyDef {
    let mut side = || rng.fx_range(fx!(-2), fx!(2));
    let (x, z, velocity) = (side(), side(), vec3(side(), side(), side()));
    let turn = rng.unit_vec3() * fx!(3);
    BodyDef::dynamic(vec3(x, height, z)).rotated(rng.unit_quat()).moving(velocity).turning(turn)
}

/// Bodies of all shapes, some of two colliders, that fall onto each other.
fn tumbling() -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    ground(&mut world);
    let mut rng = Rng::new(1, 0);
    for i in 0..10 {
        let def = any_body(&mut rng, Fx::from_int(i) * fx!(0.6) + fx!(0.8));
        let body = add(&mut world, def, any_collider(&mut rng));
        if i % 4 == 0 {
            let beside = Pose::from_translation(vec3(fx!(0.5), fx!(0.1), fx!(0)));
            world.add_collider(body, any_collider(&mut rng).at(beside)).unwrap();
        }
    }
    world
}

/// Two stacks that fall asleep, and are woken.
fn sleepers() -> World {
    let config = WorldConfig { sleep_ticks: 10, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    ground(&mut world);
    for i in 0..6 {
        let (x, y) = (Fx::from_int(i % 2) * fx!(4), Fx::from_int(i / 2) + fx!(0.5));
        add(&mut world, BodyDef::dynamic(vec3(x, y, fx!(0))), ColliderDef::new(cube(fx!(0.5))));
    }
    world
}

fn disturb(world: &mut World) {
    match world.tick() {
        60 => {
            let shot = BodyDef::dynamic(vec3(fx!(-3), fx!(1.5), fx!(0.1))).moving(Vec3::X * fx!(9));
            add(world, shot, ColliderDef::new(Sphere::from_radius(fx!(0.4)).unwrap()));
        }
        100 => {
            let lowest = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic).nth(1);
            let lowest = lowest.map(|body| body.handle());
            world.remove_body(lowest.unwrap()).unwrap();
        }
        160 => world.set_gravity(vec3(fx!(3), fx!(-9), fx!(0))).unwrap(),
        _ => {}
    }
}

/// A platform on its way around, a box that cannot leave its plane, a sensor and a pair that passes through each other.
fn carried() -> World {
    let mut world = World::new(WorldConfig { sleep_ticks: 15, ..WorldConfig::default() }).unwrap();
    ground(&mut world);
    let slab = Obb::from_half_extents(vec3(fx!(2), fx!(0.2), fx!(2))).unwrap();
    add(&mut world, BodyDef::kinematic(vec3(fx!(0), fx!(0.3), fx!(0))), ColliderDef::new(slab));
    for x in [fx!(-1), fx!(1)] {
        let def = BodyDef::dynamic(vec3(x, fx!(1), fx!(0)));
        add(&mut world, def, ColliderDef::new(cube(fx!(0.4))));
    }
    let flat = BodyDef { locks: AxisLocks::PLANE_XY, ..BodyDef::dynamic(vec3(fx!(0), fx!(3), fx!(0))) };
    let flat = add(&mut world, flat, ColliderDef::new(cube(fx!(0.3))));
    let ghost = BodyDef { order: 7, ..BodyDef::dynamic(vec3(fx!(0.1), fx!(5), fx!(0))) };
    let ghost = add(&mut world, ghost, ColliderDef::new(Sphere::from_radius(fx!(0.3)).unwrap()));
    world.set_pair_excluded(flat, ghost, true).unwrap();
    let zone = BodyDef::fixed(vec3(fx!(0), fx!(1.2), fx!(0)));
    add(&mut world, zone, ColliderDef::new(cube(fx!(0.6))).as_sensor());
    world
}

fn carry(world: &mut World) {
    let platform = world.bodies().find(|body| body.kind() == BodyKind::Kinematic).map(|body| body.handle());
    let t = Fx::from_ratio(world.tick() as i64, 60);
    // It rests between its rounds, long enough for its load to fall asleep.
    if world.tick() % 150 < 90 {
        let to = vec3(t.sin() * fx!(0.8), fx!(0.5) + (t * fx!(2)).sin() * fx!(0.2), fx!(0));
        let pose = Pose::new(isostep_math::Quat::from_rotation_y(t / fx!(4)), to);
        world.set_kinematic_target(platform.unwrap(), pose).unwrap();
    }
}

fn crowd() -> World {
    let config = WorldConfig { seed: 11, sleep_ticks: 8, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    ground(&mut world);
    world
}

/// Commands of all kinds at random, drawn from the world itself.
pub(crate) fn meddle(world: &mut World) {
    let mut rng = Rng::new(world.draw_random(3).unwrap(), 5);
    let bodies: Vec<_> = world.bodies().skip(1).map(|body| (body.handle(), body.kind())).collect();
    let colliders: Vec<_> = world.colliders().skip(1).map(|collider| collider.handle()).collect();
    let spawns = bodies.len() < 4 || rng.chance(1, 8);
    if spawns && bodies.len() < 12 {
        let height = rng.fx_range(fx!(1), fx!(4));
        let mut def = any_body(&mut rng, height);
        def.order = rng.below(3);
        if rng.chance(1, 5) {
            def.kind = BodyKind::Kinematic;
            (def.linear_velocity, def.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
        }
        let sensor = rng.chance(1, 6);
        let collider = any_collider(&mut rng);
        add(world, def, if sensor { collider.as_sensor() } else { collider });
    }
    let (Some(&(body, kind)), Some(&collider)) = (rng.choose(&bodies), rng.choose(&colliders)) else {
        return;
    };
    let vector = rng.unit_vec3() * fx!(2);
    let dynamic = kind == BodyKind::Dynamic;
    match rng.below(40) {
        0..2 => world.remove_body(body).unwrap(),
        2 => world.remove_collider(collider).unwrap(),
        3 if dynamic => world.apply_impulse(body, vector * fx!(300)).unwrap(),
        4 if dynamic => world.apply_force(body, vector * fx!(9000)).unwrap(),
        5 if dynamic => world.apply_torque(body, vector * fx!(500)).unwrap(),
        6..8 if kind == BodyKind::Kinematic => {
            let to = world.body(body).unwrap().position() + vector.with_y(fx!(0)) / fx!(20);
            world.set_kinematic_target(body, Pose::from_translation(to)).unwrap();
        }
        8 => world.set_velocity(body, vector, Vec3::ZERO).unwrap(),
        9 => {
            let filter = Filter { layer: (rng.below(3)) as u8, ..Filter::default() };
            world.set_filter(collider, filter).unwrap();
        }
        10 => world.set_layers_meet(1, 2, rng.bool()).unwrap(),
        11 => {
            let other = rng.choose(&bodies).unwrap().0;
            if other != body {
                world.set_pair_excluded(body, other, rng.bool()).unwrap();
            }
        }
        12 => world.set_pose(body, any_body(&mut rng, fx!(2)).pose).unwrap(),
        13 => world.set_locks(body, if rng.bool() { AxisLocks::PLANE_XY } else { AxisLocks::NONE }).unwrap(),
        14 => world.set_can_sleep(body, rng.bool()).unwrap(),
        15 if dynamic => world.set_mass(body, rng.bool().then_some(fx!(40))).unwrap(),
        16 => {
            let at = Pose::new(rng.unit_quat(), vector / fx!(8));
            world.add_collider(body, any_collider(&mut rng).at(at)).map(|_| ()).unwrap();
        }
        17 => world.set_damping(body, fx!(0.1), rng.fx_range(fx!(0), fx!(1))).unwrap(),
        18 => world.set_material(collider, any_collider(&mut rng).material).unwrap(),
        19 => world.set_gravity_scale(body, rng.fx_range(fx!(0.2), fx!(1.5))).unwrap(),
        20 => world.set_continuous(body, Continuous::All).unwrap(),
        _ => {}
    }
}

/// A room of thin walls with shots in it that are too fast for them, and a piston.
fn shots() -> World {
    let config = WorldConfig { seed: 3, sleep_ticks: 8, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let room = world.add_body(BodyDef::fixed(Vec3::Y * fx!(2))).unwrap();
    for axis in 0..3 {
        for side in [fx!(-2), fx!(2)] {
            let (mut at, mut halves) = (Vec3::ZERO, Vec3::splat(fx!(2.02)));
            (at[axis], halves[axis]) = (side, fx!(0.01));
            let wall = Obb::from_half_extents(halves).unwrap();
            world.add_collider(room, ColliderDef::new(wall).at(Pose::from_translation(at))).unwrap();
        }
    }
    let slab = Obb::from_half_extents(vec3(fx!(0.02), fx!(0.5), fx!(1))).unwrap();
    add(&mut world, BodyDef::kinematic(vec3(fx!(-1.5), fx!(0.6), fx!(0))), ColliderDef::new(slab));
    for i in 0..3 {
        let at = vec3(fx!(0.5), Fx::from_int(i) * fx!(0.6) + fx!(0.3), fx!(0.2));
        add(&mut world, BodyDef::dynamic(at), ColliderDef::new(cube(fx!(0.25))));
    }
    world
}

fn shoot(world: &mut World) {
    let mut rng = Rng::new(world.draw_random(1).unwrap(), 9);
    let piston = world.bodies().find(|body| body.kind() == BodyKind::Kinematic).map(|body| body.handle());
    if world.tick() % 60 < 40 {
        let to = vec3(rng.fx_range(fx!(-1.5), fx!(0)), fx!(0.6), fx!(0));
        world.set_kinematic_target(piston.unwrap(), Pose::from_translation(to)).unwrap();
    }
    if rng.chance(1, 6) {
        if world.bodies().count() > 14 {
            let oldest = world.bodies().nth(5).map(|body| body.handle());
            world.remove_body(oldest.unwrap()).unwrap();
        }
        let mut def = any_body(&mut rng, fx!(3));
        def.pose.translation = vec3(fx!(1), fx!(3), fx!(-0.5));
        def.linear_velocity = rng.unit_vec3() * rng.fx_range(fx!(50), fx!(500));
        def.angular_velocity = rng.unit_vec3() * fx!(100);
        def.continuous = if rng.bool() { Continuous::All } else { Continuous::Scenery };
        let size = rng.fx_range(fx!(0.02), fx!(0.1));
        let shape: Shape = if rng.bool() {
            Sphere::from_radius(size).unwrap().into()
        } else {
            Capsule::along_y(size, size).unwrap().into()
        };
        add(world, def, ColliderDef::new(shape).with_material(any_collider(&mut rng).material));
    }
}
