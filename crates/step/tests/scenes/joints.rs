//! Bodies that are joined, and scripts that join, change and part them.

use super::{add, any_collider, cube, ground};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{
    BallMotor, BodyDef, BodyKind, ColliderDef, JointDef, JointHandle, JointKind, Limits, Motor, Pull, Spring,
    World, WorldConfig,
};

/// A chain that hangs on a kinematic hook above the ground, and boxes beside it.
pub(super) fn joined() -> World {
    let mut world = World::new(WorldConfig { seed: 4, sleep_ticks: 8, ..WorldConfig::default() }).unwrap();
    ground(&mut world);
    let mut rng = Rng::new(3, 0);
    let mut above =
        add(&mut world, BodyDef::kinematic(vec3(fx!(0), fx!(3), fx!(0))), ColliderDef::new(cube(fx!(0.2))));
    let below = Pose::from_translation(vec3(fx!(0), fx!(-0.25), fx!(0)));
    for link in 1..=4 {
        let at = vec3(fx!(0), fx!(3) - Fx::from_int(link) / fx!(2), fx!(0));
        let next = add(&mut world, BodyDef::dynamic(at), ColliderDef::new(cube(fx!(0.2))));
        let ball = JointKind::Ball { swing_limit: Some(fx!(1)), twist_limits: None, motor: None };
        let def = JointDef::new(ball, (above, below), (next, below.inverse()));
        world.add_joint(JointDef { order: rng.below(2), ..def }).unwrap();
        above = next;
    }
    for x in 2..6 {
        let at = vec3(Fx::from_int(x), fx!(0.6), Fx::from_int(x % 2));
        add(&mut world, BodyDef::dynamic(at), any_collider(&mut rng));
    }
    world
}

/// Commands about joints at random, drawn from the world itself.
pub(super) fn rejoin(world: &mut World) {
    let mut rng = Rng::new(world.draw_random(3).unwrap(), 5);
    // Long enough without for all to fall asleep.
    if world.tick() % 120 > 60 || rng.chance(1, 2) {
        return;
    }
    let bodies: Vec<_> = world.bodies().map(|body| body.handle()).collect();
    let [a, b] = [0, 1].map(|_| *rng.choose(&bodies).unwrap());
    let is_dynamic = [a, b].iter().any(|&body| world.body(body).unwrap().kind() == BodyKind::Dynamic);
    let joints: Vec<_> = world.joints().map(|joint| joint.handle()).collect();
    if joints.len() < 3 || (rng.chance(1, 4) && joints.len() < 12) {
        if a != b && is_dynamic {
            let def = any_joint(&mut rng, world, [a, b]);
            world.add_joint(def).unwrap();
        }
        return;
    }
    let Some(&joint) = rng.choose(&joints) else { return };
    change(world, joint, &mut rng);
}

fn change(world: &mut World, joint: JointHandle, rng: &mut Rng) {
    match rng.below(12) {
        0..2 => world.remove_joint(joint).unwrap(),
        2 => world.set_joint_softness(joint, rng.bool().then(|| any_spring(rng))).unwrap(),
        3 => {
            let strength = rng.fx_range(fx!(1), fx!(4000));
            world.set_joint_break(joint, rng.bool().then_some(strength), None).unwrap();
        }
        4 => world.set_joint_collide(joint, rng.bool()).unwrap(),
        5 => world.set_joint_user_data(joint, u64::from(rng.below(9))).unwrap(),
        6 => {
            let [_, body] = world.joint(joint).unwrap().bodies();
            if world.bodies().count() > 7 && world.body(body).unwrap().kind() == BodyKind::Dynamic {
                world.remove_body(body).unwrap();
            }
        }
        7 => {
            let at = vec3(rng.fx_range(fx!(-2), fx!(2)), fx!(4), rng.fx_range(fx!(-2), fx!(2)));
            if world.bodies().count() < 12 {
                add(world, BodyDef::dynamic(at), any_collider(rng));
            }
        }
        _ => {
            let current = *world.joint(joint).unwrap().kind();
            let kind = any_kind_like(rng, &current);
            world.set_joint_kind(joint, kind).unwrap();
        }
    }
}

fn any_joint(rng: &mut Rng, world: &World, [a, b]: [isostep_step::BodyHandle; 2]) -> JointDef {
    let at = world.body(a).unwrap().position().lerp(world.body(b).unwrap().position(), Fx::HALF);
    let at = Pose::new(rng.unit_quat(), at);
    let frame = |body| {
        let frame = at.relative_to(world.body(body).unwrap().pose());
        Pose::new(frame.rotation, frame.translation.clamp_length_max(fx!(100)))
    };
    let variant = rng.below(7);
    JointDef {
        softness: rng.chance(1, 3).then(|| any_spring(rng)),
        collide_connected: rng.bool(),
        order: rng.below(3),
        ..JointDef::new(any_kind(rng, variant), (a, frame(a)), (b, frame(b)))
    }
}

fn any_spring(rng: &mut Rng) -> Spring {
    Spring { frequency: rng.fx_range(fx!(0.5), fx!(20)), damping_ratio: rng.fx_range(fx!(0), fx!(2)) }
}

fn any_kind_like(rng: &mut Rng, kind: &JointKind) -> JointKind {
    (0..7).map(|variant| any_kind(rng, variant)).find(|other| other.name() == kind.name()).unwrap()
}

/// A joint of the kind of a number from 0 to 6.
fn any_kind(rng: &mut Rng, variant: u32) -> JointKind {
    let limits = |rng: &mut Rng| {
        let lower = rng.fx_range(fx!(0), fx!(1));
        rng.bool().then(|| Limits { lower, upper: lower + rng.fx_range(fx!(0), fx!(1)) })
    };
    let motor = |rng: &mut Rng| {
        rng.bool().then(|| Motor {
            position: rng.fx_range(fx!(0), fx!(1)),
            velocity: rng.fx_range(fx!(-2), fx!(2)),
            spring: rng.bool().then(|| any_spring(rng)),
            max_force: rng.fx_range(fx!(0), fx!(500)),
        })
    };
    let pull = |rng: &mut Rng| {
        rng.bool().then(|| Pull { spring: any_spring(rng), max_force: rng.fx_range(fx!(0), fx!(500)) })
    };
    match variant {
        0 => JointKind::Fixed,
        1 => {
            let motor = rng.bool().then(|| BallMotor {
                rotation: rng.unit_quat(),
                velocity: rng.unit_vec3(),
                spring: rng.bool().then(|| any_spring(rng)),
                max_torque: fx!(50),
            });
            let swing_limit = rng.bool().then(|| rng.fx_range(fx!(0), fx!(3)));
            JointKind::Ball { swing_limit, twist_limits: limits(rng), motor }
        }
        2 => JointKind::Hinge { limits: limits(rng), motor: motor(rng) },
        3 => JointKind::Slider { limits: limits(rng), motor: motor(rng) },
        4 => JointKind::Distance { limits: limits(rng), motor: motor(rng) },
        5 => {
            let steering = rng.fx_range(fx!(-1), fx!(1));
            JointKind::Wheel { limits: limits(rng), suspension: motor(rng), motor: motor(rng), steering }
        }
        _ => {
            let pose = Pose::new(rng.unit_quat(), rng.unit_vec3());
            JointKind::Target { pose, linear: pull(rng), angular: pull(rng) }
        }
    }
}

/// A world with a joint of each kind with all that it can have, one that sleeps, and a vacant slot.
pub(crate) fn every_kind() -> World {
    let mut world = World::new(WorldConfig { sleep_ticks: 8, ..WorldConfig::default() }).unwrap();
    ground(&mut world);
    let bodies: Vec<_> = (0..6)
        .map(|x| {
            let at = vec3(Fx::from_int(x) * fx!(3), fx!(0.5), fx!(0));
            add(&mut world, BodyDef::dynamic(at), ColliderDef::new(cube(fx!(0.5))))
        })
        .collect();
    let mut join = |kind: JointKind, a: usize, b: usize| {
        let [a, b] = [a, b].map(|index| bodies[index]);
        let middle = world.body(a).unwrap().position().lerp(world.body(b).unwrap().position(), Fx::HALF);
        let frame = |body| Pose::from_translation(middle - world.body(body).unwrap().position());
        let def = JointDef::new(kind, (a, frame(a)), (b, frame(b)));
        let softness = Some(Spring { frequency: fx!(9), damping_ratio: fx!(1) });
        let (force, torque) = (Some(fx!(30000)), Some(fx!(20000)));
        let def = JointDef { softness, break_force: force, break_torque: torque, user_data: 5, ..def };
        world.add_joint(def).unwrap()
    };
    let limits = Some(Limits { lower: fx!(-0.25), upper: fx!(0.75) });
    let spring = Some(Spring { frequency: fx!(2), damping_ratio: fx!(0.5) });
    let motor = Some(Motor { position: fx!(0.125), velocity: fx!(0.5), spring, max_force: fx!(10) });
    let ball_motor = Some(BallMotor { spring, max_torque: fx!(10), ..BallMotor::default() });
    let pull = spring.map(|spring| Pull { spring, max_force: fx!(40) });
    let vacant = join(JointKind::Fixed, 0, 1);
    join(JointKind::Ball { swing_limit: Some(fx!(1)), twist_limits: limits, motor: ball_motor }, 0, 1);
    join(JointKind::Hinge { limits, motor }, 1, 2);
    join(JointKind::Slider { limits, motor }, 2, 3);
    let rope = Some(Limits { lower: fx!(0), upper: fx!(3) });
    join(JointKind::Distance { limits: rope, motor }, 0, 3);
    join(JointKind::Target { pose: Pose::IDENTITY, linear: pull, angular: pull }, 1, 3);
    join(JointKind::Wheel { limits, suspension: motor, motor, steering: fx!(0.25) }, 0, 2);
    join(JointKind::Fixed, 4, 5);
    world.remove_joint(vacant).unwrap();
    for _ in 0..30 {
        world.step();
    }
    let sleeper = world.body(bodies[5]).unwrap();
    assert!(sleeper.is_asleep());
    world.wake_body(bodies[0]).unwrap();
    world.apply_impulse(bodies[0], Vec3::X * fx!(100)).unwrap();
    world.step();
    world
}
