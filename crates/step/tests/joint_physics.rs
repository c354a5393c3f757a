//! Joints against analytic answers.

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    BallMotor, BodyDef, BodyHandle, ColliderDef, JointDef, JointHandle, JointKind, Limits, Motor, Pull,
    Spring, World, WorldConfig,
};

const BALL: JointKind = JointKind::Ball { swing_limit: None, twist_limits: None, motor: None };
const HINGE: JointKind = JointKind::Hinge { limits: None, motor: None };
const SLIDER: JointKind = JointKind::Slider { limits: None, motor: None };
/// Turns the x axis of a frame to z.
fn about_z() -> Quat {
    Quat::from_rotation_y(-Fx::FRAC_PI_2)
}

fn world() -> (World, BodyHandle) {
    let config = WorldConfig { sleeping: false, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    (world, ground)
}

fn floating() -> (World, BodyHandle) {
    let config = WorldConfig { sleeping: false, gravity: Vec3::ZERO, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    (world, ground)
}

fn add(world: &mut World, pose: Pose, shape: impl Into<Shape>) -> BodyHandle {
    add_as(world, BodyDef { pose, ..BodyDef::default() }, shape)
}

fn add_as(world: &mut World, def: BodyDef, shape: impl Into<Shape>) -> BodyHandle {
    let body = world.add_body(def).unwrap();
    world.add_collider(body, ColliderDef::new(shape)).unwrap();
    body
}

fn at(x: Fx, y: Fx, z: Fx) -> Pose {
    Pose::from_translation(vec3(x, y, z))
}

fn sphere(radius: Fx) -> Sphere {
    Sphere::from_radius(radius).unwrap()
}

fn cuboid(half: Vec3) -> Obb {
    Obb::new(Vec3::ZERO, half, Quat::IDENTITY).unwrap()
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.step();
    }
}

/// The angle about z of a body that turns about it alone.
fn angle(world: &World, body: BodyHandle) -> Fx {
    let x = world.body(body).unwrap().pose().rotation * Vec3::X;
    x.y.atan2(x.x)
}

struct Door {
    world: World,
    door: BodyHandle,
    joint: JointHandle,
}

/// A board of 1 m × 2 m and 10 kg, hinged at its edge about z, without gravity.
fn door(limits: Option<Limits>, motor: Option<Motor>) -> Door {
    let (mut world, ground) = floating();
    let door = add(&mut world, at(fx!(0.5), fx!(0), fx!(0)), cuboid(vec3(fx!(0.5), fx!(0.05), fx!(1))));
    let frames = (Pose::from_rotation(about_z()), Pose::new(about_z(), vec3(fx!(-0.5), fx!(0), fx!(0))));
    let kind = JointKind::Hinge { limits, motor };
    let joint = world.add_joint(JointDef::new(kind, (ground, frames.0), (door, frames.1))).unwrap();
    Door { world, door, joint }
}

#[test]
fn a_hinge_turns_about_its_axis_alone_and_for_ever() {
    let Door { mut world, door, .. } = door(None, None);
    world.set_velocity(door, vec3(fx!(0), fx!(1), fx!(0)), vec3(fx!(0), fx!(0), fx!(2))).unwrap();
    let mut turned = Fx::ZERO;
    let mut last = angle(&world, door);
    for _ in 0..600 {
        world.step();
        let now = angle(&world, door);
        let step = now - last;
        turned += if step < -Fx::PI { step + Fx::TAU } else { step };
        last = now;
    }
    assert!(turned.abs_diff_eq(fx!(20), fx!(0.05)), "turned by {turned} rad in 10 s");
    let pose = world.body(door).unwrap().pose();
    let hinge = pose.transform_point(vec3(fx!(-0.5), fx!(0), fx!(0)));
    assert!(hinge.length() < fx!(0.001), "the hinge is at {hinge}");
}

#[test]
fn what_a_joint_leaves_free_keeps_its_speed_whichever_way_it_goes() {
    let turns = [fx!(0.1), fx!(0.5), fx!(1.3), fx!(2.9)];
    for turn in turns.map(|angle| Quat::from_axis_angle(vec3(fx!(0), fx!(0.8), fx!(0.6)), angle)) {
        for (kind, linear, angular) in [(HINGE, fx!(0), fx!(20)), (SLIDER, fx!(8), fx!(0))] {
            for shape in [Shape::from(sphere(fx!(0.35))), cuboid(vec3(fx!(0.1), fx!(0.5), fx!(0.5))).into()] {
                let (mut world, ground) = floating();
                let body = add(&mut world, Pose::from_rotation(turn), shape);
                let frames = [Pose::from_rotation(turn), Pose::IDENTITY];
                world.add_joint(JointDef::new(kind, (ground, frames[0]), (body, frames[1]))).unwrap();
                let axis = turn * Vec3::X;
                world.set_velocity(body, axis * linear, axis * angular).unwrap();
                run(&mut world, 600);
                let view = world.body(body).unwrap();
                let found = (view.linear_velocity(), view.angular_velocity());
                assert!(found.0.abs_diff_eq(axis * linear, fx!(0.0001)), "{} of {linear}", found.0);
                assert!(found.1.abs_diff_eq(axis * angular, fx!(0.0001)), "{} of {angular}", found.1);
            }
        }
    }
}

/// Half the energy of a box of half extents, by its mass, as it moves.
fn kinetic_energy(world: &World, body: BodyHandle, half: Vec3) -> Fx {
    let body = world.body(body).unwrap();
    let w = body.rotation().conjugate() * body.angular_velocity();
    let squares = half * half;
    let inertia = vec3(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) / fx!(3);
    body.mass().unwrap() * (body.linear_velocity().length_squared() + (w * w).dot(inertia)) * Fx::HALF
}

#[test]
fn bodies_that_tumble_on_a_hinge_or_a_slider_gain_no_energy() {
    let [half_a, half_b] = [vec3(fx!(0.18), fx!(0.1), fx!(0.11)), vec3(fx!(0.05), fx!(0.15), fx!(0.05))];
    let slider =
        JointKind::Slider { limits: Some(Limits { lower: fx!(-0.1), upper: fx!(0.1) }), motor: None };
    for kind in [BALL, HINGE, slider, JointKind::Fixed] {
        let (mut world, _) = floating();
        let a = add(&mut world, Pose::IDENTITY, cuboid(half_a));
        let b = add(&mut world, at(fx!(0), fx!(-0.3), fx!(0)), cuboid(half_b));
        let frames = (at(fx!(0.05), fx!(-0.15), fx!(0)), at(fx!(0.05), fx!(0.15), fx!(0)));
        world.add_joint(JointDef::new(kind, (a, frames.0), (b, frames.1))).unwrap();
        world.set_velocity(a, Vec3::ZERO, vec3(fx!(2), fx!(-3), fx!(4))).unwrap();
        world.set_velocity(b, Vec3::X, vec3(fx!(-5), fx!(1), fx!(2))).unwrap();
        let energy = |world: &World| kinetic_energy(world, a, half_a) + kinetic_energy(world, b, half_b);
        // What does not go with the joint is gone after the first step.
        world.step();
        let start = energy(&world);
        for tick in 0..1200 {
            world.step();
            let now = energy(&world);
            assert!(now < start * fx!(1.02), "{}: {now} J of {start} J at tick {tick}", kind.name());
        }
        let end = energy(&world);
        println!("{}: {start} J to {end} J in 20 s", kind.name());
        assert!(end > start * Fx::HALF, "{}: {end} J of {start} J are left", kind.name());
    }
}

#[test]
fn a_door_stops_at_its_limits_and_holds_them_against_gravity() {
    for sign in [Fx::ONE, Fx::NEG_ONE] {
        let limits = Limits { lower: fx!(-0.7), upper: fx!(1.2) };
        let Door { mut world, door, .. } = door(Some(limits), None);
        world.set_gravity(Vec3::Y * (sign * fx!(9.81))).unwrap();
        run(&mut world, 600);
        let wanted = if sign == Fx::ONE { fx!(1.2) } else { fx!(-0.7) };
        let found = angle(&world, door);
        // 0.2°.
        assert!(found.abs_diff_eq(wanted, fx!(0.00349)), "{found} instead of {wanted}");
        let hinge = world.body(door).unwrap().pose().transform_point(vec3(fx!(-0.5), fx!(0), fx!(0)));
        assert!(hinge.length() < fx!(0.001), "the hinge is at {hinge}");
        assert!(world.body(door).unwrap().angular_velocity().length() < fx!(0.001));
    }
}

#[test]
fn a_motor_turns_a_door_to_its_target_without_overshoot_at_critical_damping() {
    let spring = Spring { frequency: fx!(1), damping_ratio: fx!(1) };
    let motor = Motor { position: fx!(1), velocity: fx!(0), spring: Some(spring), max_force: Fx::MAX };
    let Door { mut world, door, .. } = door(Some(Limits { lower: fx!(-2), upper: fx!(2) }), Some(motor));
    let mut highest = Fx::ZERO;
    let mut at_half = Fx::ZERO;
    for tick in 0..300 {
        world.step();
        highest = highest.max(angle(&world, door));
        if tick == 29 {
            at_half = angle(&world, door);
        }
    }
    assert!(highest < fx!(1.001), "it went to {highest}");
    assert!(angle(&world, door).abs_diff_eq(fx!(1), fx!(0.001)), "it is at {}", angle(&world, door));
    // 1 − (1 + ω t) e^(−ω t) with ω = 2π and t = 0.5 s: 0.8210.
    assert!(at_half.abs_diff_eq(fx!(0.821), fx!(0.03)), "after half a second at {at_half}");
}

#[test]
fn an_undamped_spring_on_a_hinge_swings_with_its_frequency() {
    let spring = Spring { frequency: fx!(1), damping_ratio: fx!(0) };
    let motor = Motor { position: fx!(0.5), velocity: fx!(0), spring: Some(spring), max_force: Fx::MAX };
    let Door { mut world, door, .. } = door(None, Some(motor));
    let mut crossings = Vec::new();
    let mut last = angle(&world, door);
    for tick in 0..600_u32 {
        world.step();
        let now = angle(&world, door);
        if last < fx!(0.5) && now >= fx!(0.5) {
            crossings.push(tick);
        }
        last = now;
    }
    let (first, end) = (crossings[0], *crossings.last().unwrap());
    let period = Fx::from_ratio(i64::from(end - first), 60 * (crossings.len() as i64 - 1));
    assert!(period.abs_diff_eq(fx!(1), fx!(0.03)), "a period of {period} s");
}

#[test]
fn a_motor_has_its_speed_and_no_more_than_its_torque() {
    let motor = Motor { position: fx!(0), velocity: fx!(3), spring: None, max_force: fx!(5) };
    let Door { mut world, door, joint } = door(None, Some(motor));
    // The board turns with m (1² / 12 + 0.1² / 12 + 0.5²) = m 0.33417 about the hinge.
    let mass = world.body(door).unwrap().mass().unwrap();
    let expected = fx!(5) / (mass * fx!(0.3341667)) * fx!(0.5);
    run(&mut world, 30);
    let speed = world.body(door).unwrap().angular_velocity().z;
    assert!(speed.abs_diff_eq(expected, expected * fx!(0.01)), "{speed} rad/s instead of {expected}");
    let motor = Motor { max_force: fx!(100000), ..motor };
    world.set_joint_kind(joint, JointKind::Hinge { limits: None, motor: Some(motor) }).unwrap();
    run(&mut world, 60);
    let speed = world.body(door).unwrap().angular_velocity().z;
    assert!(speed.abs_diff_eq(fx!(3), fx!(0.001)), "{speed} rad/s");
}

#[test]
fn a_slider_moves_along_its_axis_within_its_limits() {
    let (mut world, ground) = world();
    let body = add(&mut world, at(fx!(0), fx!(0), fx!(0)), cuboid(vec3(fx!(0.2), fx!(0.3), fx!(0.4))));
    // Downhill at 30°.
    let slope = Quat::from_rotation_z(-Fx::FRAC_PI_6);
    let frame = Pose::from_rotation(slope);
    let kind = JointKind::Slider { limits: Some(Limits { lower: fx!(-1), upper: fx!(3) }), motor: None };
    world.add_joint(JointDef::new(kind, (ground, frame), (body, frame))).unwrap();
    run(&mut world, 60);
    let along = slope * Vec3::X;
    let way = world.body(body).unwrap().position();
    // g sin 30° t² / 2, and half a substep of speed more.
    assert!(way.dot(along).abs_diff_eq(fx!(2.4627), fx!(0.001)), "{way}");
    assert!((way - along * way.dot(along)).length() < fx!(0.001), "{way} is off the axis");
    run(&mut world, 240);
    let way = world.body(body).unwrap().position();
    assert!(way.dot(along).abs_diff_eq(fx!(3), fx!(0.001)), "{}", way.dot(along));
    assert!((way - along * way.dot(along)).length() < fx!(0.001), "{way} is off the axis");
    let tilt = world.body(body).unwrap().pose().rotation.to_scaled_axis().length();
    assert!(tilt < fx!(0.001), "tilted by {tilt}");
}

#[test]
fn a_motor_on_a_slider_lifts_what_its_force_can_and_no_more() {
    for (force, rises) in [(fx!(0.95), false), (fx!(1.05), true)] {
        let (mut world, ground) = world();
        let body = add(&mut world, Pose::IDENTITY, cuboid(vec3(fx!(0.2), fx!(0.3), fx!(0.4))));
        let weight = world.body(body).unwrap().mass().unwrap() * fx!(9.81);
        let frame = Pose::from_rotation(Quat::from_rotation_z(Fx::FRAC_PI_2));
        let motor = Motor { position: fx!(0), velocity: fx!(1), spring: None, max_force: weight * force };
        let kind = JointKind::Slider { limits: None, motor: Some(motor) };
        world.add_joint(JointDef::new(kind, (ground, frame), (body, frame))).unwrap();
        run(&mut world, 60);
        let y = world.body(body).unwrap().position().y;
        // ±0.05 g t² / 2.
        let expected = if rises { fx!(0.245) } else { fx!(-0.245) };
        assert!(y.abs_diff_eq(expected, fx!(0.01)), "at {y} with {force} of its weight");
    }
}

#[test]
fn a_rope_lets_slack_and_holds_at_its_length() {
    let (mut world, ground) = world();
    let ball = add(&mut world, at(fx!(0), fx!(-0.5), fx!(0)), sphere(fx!(0.1)));
    let kind = JointKind::Distance { limits: Some(Limits { lower: fx!(0), upper: fx!(2) }), motor: None };
    world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (ball, Pose::IDENTITY))).unwrap();
    run(&mut world, 30);
    // Free fall so far.
    let y = world.body(ball).unwrap().position().y;
    assert!(y.abs_diff_eq(fx!(-0.5) - fx!(9.81) * fx!(0.125), fx!(0.02)), "{y}");
    run(&mut world, 120);
    let y = world.body(ball).unwrap().position().y;
    assert!(y.abs_diff_eq(fx!(-2), fx!(0.001)), "it hangs at {y}");
}

#[test]
fn a_box_on_a_rod_keeps_its_distance_and_its_energy() {
    let (mut world, ground) = world();
    let body = add(&mut world, at(fx!(2.2), fx!(0), fx!(0)), cuboid(Vec3::splat(fx!(0.2))));
    let kind = JointKind::Distance { limits: Some(Limits { lower: fx!(2), upper: fx!(2) }), motor: None };
    let end = at(fx!(-0.2), fx!(0), fx!(0));
    world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (body, end))).unwrap();
    for tick in 0..1200 {
        world.step();
        let view = world.body(body).unwrap();
        let distance = view.pose().transform_point(end.translation).length();
        assert!(distance.abs_diff_eq(fx!(2), fx!(0.0005)), "tick {tick}: {distance} m");
        // Of a cube m l² / 6 about any axis.
        let (speed, turning) = (view.linear_velocity().length(), view.angular_velocity().length());
        let kinetic = speed * speed / fx!(2) + turning * turning * fx!(0.16) / fx!(12);
        let height = view.position().y + kinetic / fx!(9.81);
        assert!(height.abs_diff_eq(fx!(0), fx!(0.05)), "tick {tick}: {height} m");
    }
}

#[test]
fn a_spring_between_two_bodies_swings_with_its_frequency() {
    let (mut world, _) = floating();
    let a = add(&mut world, at(fx!(-1.2), fx!(0), fx!(0)), sphere(fx!(0.2)));
    let b = add(&mut world, at(fx!(1.2), fx!(0), fx!(0)), sphere(fx!(0.3)));
    let spring = Spring { frequency: fx!(2), damping_ratio: fx!(0) };
    let motor = Motor { position: fx!(2), velocity: fx!(0), spring: Some(spring), max_force: Fx::MAX };
    let kind = JointKind::Distance { limits: None, motor: Some(motor) };
    world.add_joint(JointDef::new(kind, (a, Pose::IDENTITY), (b, Pose::IDENTITY))).unwrap();
    let length =
        |world: &World| world.body(a).unwrap().position().distance(world.body(b).unwrap().position());
    let mut crossings = Vec::new();
    let mut last = length(&world);
    for tick in 0..300_u32 {
        world.step();
        let now = length(&world);
        if last < fx!(2) && now >= fx!(2) {
            crossings.push(tick);
        }
        last = now;
    }
    let (first, end) = (crossings[0], *crossings.last().unwrap());
    let period = Fx::from_ratio(i64::from(end - first), 60 * (crossings.len() as i64 - 1));
    assert!(period.abs_diff_eq(fx!(0.5), fx!(0.02)), "a period of {period} s");
    // What they have together does not move.
    let momentum = [a, b].map(|body| {
        let body = world.body(body).unwrap();
        body.linear_velocity() * body.mass().unwrap()
    });
    assert!((momentum[0] + momentum[1]).length() < fx!(0.0001), "{momentum:?}");
}

#[test]
fn a_fixed_joint_carries_a_beam_without_bending() {
    let (mut world, ground) = world();
    let beam = add(&mut world, at(fx!(1), fx!(0), fx!(0)), cuboid(vec3(fx!(1), fx!(0.1), fx!(0.1))));
    let frames = (Pose::IDENTITY, at(fx!(-1), fx!(0), fx!(0)));
    world.add_joint(JointDef::new(JointKind::Fixed, (ground, frames.0), (beam, frames.1))).unwrap();
    run(&mut world, 600);
    let pose = world.body(beam).unwrap().pose();
    let end = pose.transform_point(vec3(fx!(1), fx!(0), fx!(0)));
    assert!(end.distance(vec3(fx!(2), fx!(0), fx!(0))) < fx!(0.001), "its end is at {end}");
}

#[test]
fn a_ball_joint_keeps_within_its_cone_and_its_twist() {
    let limit = fx!(0.6);
    let twist = Limits { lower: fx!(-0.3), upper: fx!(0.4) };
    let kind = JointKind::Ball { swing_limit: Some(limit), twist_limits: Some(twist), motor: None };
    for (gravity, torque) in [
        (vec3(fx!(0), fx!(-9.81), fx!(0)), fx!(4)),
        (vec3(fx!(0), fx!(5), fx!(7)), fx!(-4)),
        (vec3(fx!(0), fx!(-7), fx!(-3)), fx!(4)),
    ] {
        let (mut world, ground) = world();
        world.set_gravity(gravity).unwrap();
        let arm = add(&mut world, at(fx!(0.5), fx!(0), fx!(0)), cuboid(vec3(fx!(0.5), fx!(0.1), fx!(0.1))));
        let frames = (Pose::IDENTITY, at(fx!(-0.5), fx!(0), fx!(0)));
        world.add_joint(JointDef::new(kind, (ground, frames.0), (arm, frames.1))).unwrap();
        for _ in 0..900 {
            world.apply_torque(arm, world.body(arm).unwrap().pose().rotation * (Vec3::X * torque)).unwrap();
            world.step();
        }
        let body = world.body(arm).unwrap();
        let x = body.pose().rotation * Vec3::X;
        let swing = x.dot(Vec3::X).acos();
        assert!(swing.abs_diff_eq(limit, fx!(0.00349)), "a swing of {swing}");
        assert!(x.dot(gravity.normalize()) > fx!(0.5), "it hangs along {x}");
        let rotation = body.pose().rotation;
        let twist_now = fx!(2) * rotation.x.atan2(rotation.w);
        let wanted = if torque > Fx::ZERO { twist.upper } else { twist.lower };
        assert!(twist_now.abs_diff_eq(wanted, fx!(0.00349)), "a twist of {twist_now} instead of {wanted}");
    }
}

#[test]
fn a_motor_turns_a_ball_joint_to_its_rotation() {
    let (mut world, ground) = floating();
    let arm = add(&mut world, at(fx!(0.5), fx!(0), fx!(0)), cuboid(vec3(fx!(0.5), fx!(0.1), fx!(0.2))));
    let spring = Spring { frequency: fx!(2), damping_ratio: fx!(1) };
    let rotation = Quat::from_rotation_z(fx!(0.7)).mul_quat(Quat::from_rotation_x(fx!(-0.5)));
    let motor = BallMotor { rotation, velocity: Vec3::ZERO, spring: Some(spring), max_torque: Fx::MAX };
    let kind = JointKind::Ball { swing_limit: None, twist_limits: None, motor: Some(motor) };
    let frames = (Pose::IDENTITY, at(fx!(-0.5), fx!(0), fx!(0)));
    world.add_joint(JointDef::new(kind, (ground, frames.0), (arm, frames.1))).unwrap();
    run(&mut world, 180);
    let off = rotation.conjugate().mul_quat(world.body(arm).unwrap().pose().rotation).to_scaled_axis();
    assert!(off.length() < fx!(0.001), "off by {off}");
}

#[test]
fn a_target_carries_a_body_and_lets_it_hang_where_its_force_ends() {
    for (force, follows) in [(fx!(3), true), (fx!(0.5), false)] {
        let (mut world, ground) = world();
        let body = add(&mut world, Pose::IDENTITY, cuboid(vec3(fx!(0.2), fx!(0.3), fx!(0.4))));
        let weight = world.body(body).unwrap().mass().unwrap() * fx!(9.81);
        let spring = Spring { frequency: fx!(5), damping_ratio: fx!(1) };
        let pull = Pull { spring, max_force: weight * force };
        let pose = Pose::new(Quat::from_rotation_y(fx!(1)), vec3(fx!(1), fx!(0.5), fx!(0)));
        let kind = JointKind::Target {
            pose,
            linear: Some(pull),
            angular: Some(Pull { max_force: Fx::MAX, ..pull }),
        };
        world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (body, Pose::IDENTITY))).unwrap();
        run(&mut world, 300);
        let found = world.body(body).unwrap().pose();
        let off = pose.rotation.conjugate().mul_quat(found.rotation).to_scaled_axis().length();
        assert!(off < fx!(0.001), "turned off by {off}");
        // g / ω² below the target.
        let sag = pose.translation - found.translation;
        if follows {
            assert!(sag.distance(Vec3::Y * fx!(0.00994)) < fx!(0.001), "{sag}");
        } else {
            assert!(sag.y > fx!(10), "{sag}");
        }
    }
}

#[test]
fn small_bodies_are_held_on_long_arms_as_firmly_as_others() {
    for radius in [fx!(0.01), fx!(0.05), fx!(0.3)] {
        for arm in [fx!(0.1), fx!(0.5), fx!(2), fx!(8)] {
            let brake = BallMotor { max_torque: Fx::MAX, ..BallMotor::default() };
            for kind in [
                JointKind::Fixed,
                HINGE,
                SLIDER,
                JointKind::Ball { swing_limit: None, twist_limits: None, motor: Some(brake) },
            ] {
                let (mut world, ground) = world();
                let ball = add(&mut world, at(arm, fx!(0), fx!(0)), sphere(radius));
                // Neither the x axis of the hinge nor that of the slider is one along which gravity acts.
                let frame = Pose::from_rotation(if kind == JointKind::Fixed {
                    Quat::IDENTITY
                } else {
                    Quat::from_rotation_z(if matches!(kind, JointKind::Hinge { .. }) {
                        Fx::FRAC_PI_2
                    } else {
                        Fx::ZERO
                    })
                });
                let of_ball = Pose::new(frame.rotation, vec3(-arm, fx!(0), fx!(0)));
                world.add_joint(JointDef::new(kind, (ground, frame), (ball, of_ball))).unwrap();
                run(&mut world, 300);
                let view = world.body(ball).unwrap();
                let sag = view.position().distance(vec3(arm, fx!(0), fx!(0)));
                let what = format!("{kind:?}, a ball of {radius} m on {arm} m");
                // A brake asks for no place.
                let most = if matches!(kind, JointKind::Ball { .. }) { arm * fx!(0.002) } else { Fx::ZERO };
                assert!(sag < most + fx!(0.0005), "{what}: {sag} m off");
                assert!(view.angular_velocity().length() < fx!(0.01), "{what}: {}", view.angular_velocity());
            }
        }
    }
}

/// How fast a body of 1 kg turns at the most in a second, that is fixed by a joint at a place of its own, with it and the frames of the
/// joint turned at random.
fn fastest(rng: &mut Rng, half: Vec3, place: Vec3, kind: JointKind) -> Fx {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let wall = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let def = BodyDef { mass: Some(fx!(1)), can_sleep: false, ..BodyDef::dynamic(Vec3::ZERO) };
    let body = add_as(&mut world, def.rotated(rng.unit_quat()), cuboid(half));
    let own = Pose::new(rng.unit_quat(), place);
    let there = world.body(body).unwrap().pose().mul_pose(own);
    let there = Pose::new(there.rotation.normalize(), there.translation);
    world.add_joint(JointDef::new(kind, (wall, there), (body, own))).unwrap();
    let ticks = (0..60).map(|_| {
        world.step();
        world.body(body).unwrap().angular_velocity().length()
    });
    ticks.max().unwrap()
}

#[test]
fn sticks_are_held_at_their_ends_and_beside_them() {
    let brake = JointKind::Ball {
        swing_limit: None,
        twist_limits: None,
        motor: Some(BallMotor { max_torque: Fx::MAX, ..BallMotor::default() }),
    };
    let mut rng = Rng::new(30, 1);
    for half in [
        vec3(fx!(0.02), fx!(0.02), fx!(0.5)),
        vec3(fx!(0.01), fx!(0.03), fx!(0.5)),
        vec3(fx!(0.05), fx!(0.05), fx!(1)),
        vec3(fx!(0.002), fx!(0.002), fx!(0.1)),
    ] {
        for (kind, name) in [(JointKind::Fixed, "fixed"), (SLIDER, "slider"), (brake, "brake")] {
            for arm in [Vec3::Z, Vec3::Z * fx!(2), Vec3::X, vec3(fx!(0.7), fx!(0), fx!(0.7))] {
                for _ in 0..8 {
                    let fastest = fastest(&mut rng, half, arm * half.z, kind);
                    assert!(fastest < fx!(0.02), "{name} at {arm} of {half}: {fastest} rad/s");
                }
            }
        }
    }
}

#[test]
fn limits_hold_what_is_small_on_long_arms() {
    let limits = Some(Limits { lower: Fx::ZERO, upper: Fx::ZERO });
    let mut rng = Rng::new(30, 2);
    for half in [Vec3::ONE * fx!(0.02), vec3(fx!(0.02), fx!(0.02), fx!(0.5))] {
        for length in [fx!(0.3), fx!(0.65), fx!(0.8), fx!(1), fx!(1.5), fx!(4), fx!(16)] {
            for _ in 0..12 {
                let arm = rng.unit_vec3() * length;
                let fastest = fastest(&mut rng, half, arm, JointKind::Hinge { limits, motor: None });
                assert!(fastest < fx!(0.1), "{half} on {arm}: {fastest} rad/s");
            }
        }
    }
}

#[test]
fn a_motor_of_a_ball_joint_pushes_where_it_should_however_fast_it_wants_to_be() {
    let axis = vec3(fx!(0), fx!(0.316227766), fx!(0.948683298));
    for speed in [fx!(5), fx!(100), fx!(300), fx!(500)] {
        let (mut world, wall) = floating();
        let def = BodyDef { can_sleep: false, mass: Some(fx!(1)), ..BodyDef::dynamic(Vec3::X * fx!(0.5)) };
        let body = add_as(&mut world, def, cuboid(Vec3::ONE * fx!(0.1)));
        // Half of 1 rad/s²: 0.1²·2/3 + 0.5² kg m² about any axis across the arm.
        let torque = (fx!(0.25) + fx!(0.00666667)) / fx!(2);
        let motor = Some(BallMotor { velocity: axis * speed, max_torque: torque, ..BallMotor::default() });
        let kind = JointKind::Ball { swing_limit: None, twist_limits: None, motor };
        world
            .add_joint(JointDef::new(kind, (wall, Pose::IDENTITY), (body, at(fx!(-0.5), fx!(0), fx!(0)))))
            .unwrap();
        run(&mut world, 30);
        let turns = world.body(body).unwrap().angular_velocity();
        assert!(turns.abs_diff_eq(axis * fx!(0.25), fx!(0.005)), "{speed} rad/s: {turns}");
    }
}

#[test]
fn slow_motors_go_on_and_what_they_cannot_move_falls_asleep() {
    let speed = fx!(0.02);
    let drive = |velocity| Some(Motor { velocity, max_force: fx!(10000), ..Motor::default() });
    let turn = BallMotor { velocity: Vec3::Z * speed, max_torque: fx!(10000), ..BallMotor::default() };
    let limits = Some(Limits { lower: fx!(-1), upper: fx!(0.01) });
    let on_z = Pose::from_rotation(about_z());
    for (kind, frame) in [
        (JointKind::Slider { limits: None, motor: drive(speed) }, Pose::IDENTITY),
        (JointKind::Hinge { limits: None, motor: drive(speed) }, on_z),
        (JointKind::Ball { swing_limit: None, twist_limits: None, motor: Some(turn) }, Pose::IDENTITY),
    ] {
        let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
        let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        let body = add(&mut world, Pose::IDENTITY, cuboid(Vec3::splat(Fx::HALF)));
        world.add_joint(JointDef::new(kind, (ground, frame), (body, frame))).unwrap();
        run(&mut world, 600);
        let moved = world.body(body).unwrap().position().x + angle(&world, body);
        assert!(moved.abs_diff_eq(fx!(0.2), fx!(0.0005)), "{kind:?}: by {moved}");
    }
    let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let body = add(&mut world, Pose::IDENTITY, cuboid(Vec3::splat(Fx::HALF)));
    let kind = JointKind::Slider { limits, motor: drive(fx!(1)) };
    world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (body, Pose::IDENTITY))).unwrap();
    run(&mut world, 90);
    assert!(world.body(body).unwrap().is_asleep(), "it is at its limit");
}

#[test]
fn a_swing_that_starts_from_nothing_is_limited_in_its_first_tick() {
    for (swing_limit, spin) in [(fx!(0.3), fx!(40)), (fx!(0), fx!(20)), (fx!(0.1), fx!(-8))] {
        let (mut world, ground) = floating();
        let body = add(&mut world, Pose::IDENTITY, cuboid(vec3(fx!(0.5), fx!(0.2), fx!(0.2))));
        let kind = JointKind::Ball { swing_limit: Some(swing_limit), twist_limits: None, motor: None };
        world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (body, Pose::IDENTITY))).unwrap();
        world.set_velocity(body, Vec3::ZERO, vec3(fx!(3), spin * fx!(0.6), spin * fx!(0.8))).unwrap();
        for tick in 0..60 {
            world.step();
            let swing = (world.body(body).unwrap().rotation() * Vec3::X).x.acos();
            assert!(swing < swing_limit + fx!(0.02), "tick {tick}: {swing} beyond {swing_limit}");
        }
    }
}

/// Where the frame of a slider may lie on a platform: beside it, above or below, and both.
const RAILS: [Vec3; 5] = [
    Vec3::ZERO,
    vec3(fx!(0.6), fx!(0), fx!(0)),
    vec3(fx!(0.6), fx!(0.6), fx!(0)),
    vec3(fx!(0.6), fx!(1.5), fx!(0.3)),
    vec3(fx!(0.6), fx!(-1.5), fx!(-2)),
];

/// A platform of 5 kg on a slider along y that a motor drives, after 5 s.
fn lift(rail: Vec3, limits: Option<Limits>, motor: Motor) -> (World, BodyHandle, JointHandle) {
    let (mut world, ground) = world();
    let def = BodyDef { mass: Some(fx!(5)), ..BodyDef::default() };
    let platform = add_as(&mut world, def, cuboid(vec3(fx!(0.5), fx!(0.05), fx!(0.5))));
    let frame = Pose::new(Quat::from_rotation_z(Fx::FRAC_PI_2), rail);
    let kind = JointKind::Slider { limits, motor: Some(motor) };
    let joint = world.add_joint(JointDef::new(kind, (ground, frame), (platform, frame))).unwrap();
    run(&mut world, 300);
    (world, platform, joint)
}

#[test]
fn a_lift_does_the_same_wherever_its_rail_is() {
    let spring = Some(Spring { frequency: fx!(2), damping_ratio: fx!(1) });
    let strong = Motor { max_force: fx!(1000), ..Motor::default() };
    for rail in RAILS {
        // g / (4π)²: 62.1 mm.
        let (world, platform, joint) = lift(rail, None, Motor { spring, ..strong });
        let y = world.body(platform).unwrap().position().y;
        assert!(y.abs_diff_eq(fx!(-0.0621), fx!(0.0002)), "{rail}: {y}");
        let force = world.joint(joint).unwrap().force();
        assert!(force.abs_diff_eq(vec3(fx!(0), fx!(49.05), fx!(0)), fx!(0.05)), "{rail}: {force}");
        let (world, platform, _) = lift(rail, None, strong);
        let held = world.body(platform).unwrap().pose();
        assert!(held.translation.length() < fx!(0.0005), "{rail}: {}", held.translation);
        assert!(held.rotation.to_scaled_axis().length() < fx!(0.0005), "{rail}: {}", held.rotation);
        let limits = Some(Limits { lower: fx!(-1), upper: fx!(1) });
        for velocity in [fx!(2), fx!(-2)] {
            let (world, platform, _) = lift(rail, limits, Motor { velocity, ..strong });
            let y = world.body(platform).unwrap().position().y;
            assert!(y.abs_diff_eq(velocity / fx!(2), fx!(0.0005)), "{rail}: {y}");
        }
    }
}

#[test]
fn two_bodies_slide_against_each_other_within_limits_wherever_their_rail_is() {
    for half in [vec3(fx!(0.5), fx!(0.03), fx!(0.03)), Vec3::splat(fx!(0.3))] {
        for rail in [vec3(fx!(0.3), fx!(0.3), fx!(0)), vec3(fx!(1), fx!(0.5), fx!(-0.7))] {
            let (mut world, _) = floating();
            let [a, b] = [Vec3::ZERO, rail * fx!(2)]
                .map(|center| add(&mut world, Pose::from_translation(center), cuboid(half)));
            let limits = Some(Limits { lower: fx!(-0.5), upper: fx!(0.5) });
            let motor = Some(Motor { velocity: fx!(2), max_force: fx!(2000), ..Motor::default() });
            let kind = JointKind::Slider { limits, motor };
            let frames = [rail, -rail].map(Pose::from_translation);
            let joint = world.add_joint(JointDef::new(kind, (a, frames[0]), (b, frames[1]))).unwrap();
            for tick in 0..300 {
                world.step();
                let position = world.joint(joint).unwrap().position().unwrap();
                assert!(position < fx!(0.505), "{half} {rail}: at {position} after {tick} ticks");
            }
            let position = world.joint(joint).unwrap().position().unwrap();
            assert!(position.abs_diff_eq(Fx::HALF, fx!(0.001)), "{half} {rail}: {position}");
        }
    }
}

/// A rod of 1 kg along x in its own coordinates, hinged about z at a point of its line that is so far from its middle: at an angle
/// from the axis of the hinge.
fn slanted_rod(angle: Fx, arm: Fx, limits: Option<Limits>, motor: Motor) -> (World, BodyHandle, JointHandle) {
    let (mut world, ground) = floating();
    let turn = Quat::from_rotation_y(angle - Fx::FRAC_PI_2);
    let pose = Pose::new(turn, turn * (Vec3::X * arm));
    let def = BodyDef { pose, mass: Some(Fx::ONE), ..BodyDef::default() };
    let rod = add_as(&mut world, def, cuboid(vec3(fx!(0.5), fx!(0.03), fx!(0.03))));
    let frame = Pose::from_rotation(about_z());
    let on_rod = pose.inverse().mul_pose(frame);
    let kind = JointKind::Hinge { limits, motor: Some(motor) };
    let joint = world.add_joint(JointDef::new(kind, (ground, frame), (rod, on_rod))).unwrap();
    (world, rod, joint)
}

#[test]
fn a_rod_that_is_hinged_aslant_turns_with_the_inertia_that_it_has_about_the_hinge() {
    for degrees in [90, 45, 20, 5] {
        for arm in [fx!(0), fx!(0.5), fx!(1), fx!(2)] {
            let angle = Fx::from_int(degrees).to_radians();
            let (sin, cos) = (angle.sin(), angle.cos());
            let (along, across) = (fx!(0.0006), fx!(0.0836333));
            let inertia = along * cos * cos + (across + arm * arm) * sin * sin;
            let what = format!("{degrees}°, arm {arm}");

            let spring = Some(Spring { frequency: Fx::ONE, damping_ratio: Fx::ZERO });
            let motor = Motor { position: Fx::HALF, spring, max_force: Fx::MAX, ..Motor::default() };
            let (mut world, _, joint) = slanted_rod(angle, arm, None, motor);
            let quarter = first_zero(&mut world, |world| Fx::HALF - world.joint(joint).unwrap().angle());
            assert!(quarter.abs_diff_eq(fx!(0.25), fx!(0.001)), "{what}: {quarter}");

            // 4 rad/s² for half a second.
            let motor = Motor { velocity: fx!(100), max_force: inertia * fx!(4), ..Motor::default() };
            let (mut world, rod, _) = slanted_rod(angle, arm, None, motor);
            run(&mut world, 30);
            let speed = world.body(rod).unwrap().angular_velocity().z;
            assert!(speed.abs_diff_eq(fx!(2), fx!(0.04)), "{what}: {speed}");

            let motor = Motor { velocity: fx!(10), max_force: inertia * fx!(50), ..Motor::default() };
            let limits = Some(Limits { lower: fx!(-1), upper: fx!(1) });
            let (mut world, _, joint) = slanted_rod(angle, arm, limits, motor);
            for _ in 0..120 {
                world.step();
                let found = world.joint(joint).unwrap().angle();
                assert!(found < fx!(1.03), "{what}: {found}");
            }
            let found = world.joint(joint).unwrap().angle();
            assert!(found.abs_diff_eq(Fx::ONE, fx!(0.0005)), "{what}: {found}");
        }
    }
}

#[test]
fn thin_rods_swing_about_their_ends_with_their_period() {
    for (length, width) in [
        (fx!(1), fx!(0.005)),
        (fx!(1.2), fx!(0.01)),
        (fx!(2), fx!(0.03)),
        (fx!(4), fx!(0.05)),
        (fx!(10), fx!(0.1)),
    ] {
        let (mut world, ground) = world();
        let (arm, turn) = (length >> 1, Quat::from_rotation_z(fx!(0.1)));
        let pose = Pose::new(turn, turn * (Vec3::Y * -arm));
        let rod = add(&mut world, pose, cuboid(vec3(width >> 1, arm, width >> 1)));
        let frames = [Vec3::ZERO, Vec3::Y * arm].map(|end| Pose::new(about_z(), end));
        world.add_joint(JointDef::new(HINGE, (ground, frames[0]), (rod, frames[1]))).unwrap();
        // From one pass of the middle to the next is half a period, of an amplitude of 0.1 rad a 1600th longer.
        let inertia = (length * length + width * width) / fx!(12) + arm * arm;
        let period = Fx::TAU * (inertia / (fx!(9.81) * arm)).sqrt() * fx!(1.000625);
        let x = |world: &World| world.body(rod).unwrap().position().x;
        let first = first_zero(&mut world, x);
        let second = first_zero(&mut world, |world| -x(world));
        // The second count begins with the tick after the first one's.
        let half = second + (first * fx!(60)).floor() / fx!(60) + fx!(1) / fx!(60) - first;
        assert!(half.abs_diff_eq(period >> 1, period * fx!(0.002)), "{length} × {width}: {half} of {period}");
    }
}

#[test]
fn what_is_beyond_a_limit_at_half_a_turn_is_not_at_the_other_one() {
    let half_turn = Some(Limits { lower: Fx::ZERO, upper: Fx::PI });
    for (start, speed) in [(fx!(2.9), fx!(5)), (fx!(2.9), fx!(20)), (fx!(3.1), fx!(40))] {
        for kind in [
            JointKind::Hinge { limits: half_turn, motor: None },
            JointKind::Ball { swing_limit: None, twist_limits: half_turn, motor: None },
        ] {
            let (mut world, ground) = floating();
            let turn = Quat::from_rotation_x(start);
            let body = add(&mut world, Pose::from_rotation(turn), cuboid(vec3(fx!(0.1), fx!(1), fx!(0.5))));
            world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (body, Pose::IDENTITY))).unwrap();
            world.set_velocity(body, Vec3::ZERO, Vec3::X * speed).unwrap();
            for tick in 0..60 {
                world.step();
                // From half a turn, either way.
                let y = world.body(body).unwrap().pose().rotation * Vec3::Y;
                let off = y.z.atan2(-y.y).abs();
                assert!(off <= Fx::PI - start + fx!(0.01), "{start} at {speed}, tick {tick}: {off} from π");
            }
            let spin = world.body(body).unwrap().angular_velocity().length();
            assert!(spin < fx!(0.01), "{start} at {speed}: {spin} rad/s");
        }
    }
}

/// A joint that draws the origin of b towards `to` from a.
fn drawn(to: Vec3, spring: Spring, max_force: Fx) -> JointKind {
    let pull = Pull { spring, max_force };
    JointKind::Target { pose: Pose::from_translation(to), linear: Some(pull), angular: None }
}

#[test]
fn what_is_drawn_to_a_target_goes_straight_there() {
    for (to, frequency, damping_ratio, max_force) in [
        (vec3(fx!(10), fx!(1), fx!(0)), fx!(10), fx!(1), fx!(1000)),
        (vec3(fx!(10), fx!(1), fx!(0)), fx!(10), fx!(1), Fx::MAX),
        (vec3(fx!(-30), fx!(4), fx!(9)), fx!(3), fx!(0), Fx::MAX),
        (vec3(fx!(-60), fx!(4), fx!(9)), fx!(30), fx!(0.5), Fx::MAX),
        (vec3(fx!(0.5), fx!(100), fx!(-3)), fx!(100), fx!(2), fx!(1000)),
    ] {
        let (mut world, ground) = floating();
        let ball = add(&mut world, Pose::IDENTITY, sphere(fx!(0.5)));
        let kind = drawn(to, Spring { frequency, damping_ratio }, max_force);
        world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (ball, Pose::IDENTITY))).unwrap();
        for tick in 1..=3 {
            world.step();
            let v = world.body(ball).unwrap().linear_velocity();
            let angle = v.cross(to).length().atan2(v.dot(to)).to_degrees();
            assert!(v.length() > fx!(0.01) && angle < fx!(0.1), "{to}, tick {tick}: {v}, {angle}° off");
        }
    }
}

#[test]
fn joints_draw_straight_from_beyond_what_their_numbers_reach() {
    let spring = Spring { frequency: fx!(1), damping_ratio: fx!(1) };
    let rope = JointKind::Distance { limits: Some(Limits { lower: fx!(0), upper: fx!(1) }), motor: None };
    for place in [vec3(fx!(1000), fx!(100), fx!(0)), vec3(fx!(300), fx!(-100), fx!(50))] {
        for kind in [drawn(Vec3::ZERO, spring, Fx::MAX), rope, BALL] {
            let (mut world, ground) = floating();
            let ball = add(&mut world, Pose::from_translation(place), sphere(fx!(0.5)));
            world.add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (ball, Pose::IDENTITY))).unwrap();
            run(&mut world, 2);
            let moved = world.body(ball).unwrap().position() - place;
            let angle = moved.cross(place).length().atan2(-moved.dot(place)).to_degrees();
            assert!(
                moved.length() > fx!(0.1) && angle < fx!(0.1),
                "{place}, {kind:?}: {moved}, {angle}° off"
            );
        }
    }
}

/// When a value first falls below 0, in seconds.
fn first_zero(world: &mut World, value: impl Fn(&World) -> Fx) -> Fx {
    let mut last = value(world);
    for tick in 0..600 {
        world.step();
        let now = value(world);
        if now < Fx::ZERO {
            return (Fx::from_int(tick) + last / (last - now)) / fx!(60);
        }
        last = now;
    }
    Fx::MAX
}

#[test]
fn a_spring_takes_a_quarter_of_its_period_from_however_far_away() {
    for frequency in [fx!(0.5), fx!(2), fx!(4)] {
        for way in [fx!(0.1), fx!(1), fx!(5), fx!(15)] {
            let spring = Spring { frequency, damping_ratio: Fx::ZERO };
            let motor = Some(Motor { spring: Some(spring), max_force: Fx::MAX, ..Motor::default() });
            for kind in [drawn(Vec3::ZERO, spring, Fx::MAX), JointKind::Slider { limits: None, motor }] {
                let (mut world, ground) = floating();
                let ball = add(&mut world, at(way, fx!(0), fx!(0)), sphere(fx!(0.5)));
                world
                    .add_joint(JointDef::new(kind, (ground, Pose::IDENTITY), (ball, Pose::IDENTITY)))
                    .unwrap();
                let found = first_zero(&mut world, |world| world.body(ball).unwrap().position().x);
                let expected = fx!(0.25) / frequency;
                let off = (found - expected).abs();
                assert!(
                    off < fx!(0.006),
                    "{frequency} Hz, {way} m, {kind:?}: {found} s instead of {expected}"
                );
            }
        }
    }
}

#[test]
fn joints_that_are_far_off_give_bodies_no_momentum() {
    let spring = Spring { frequency: fx!(8), damping_ratio: fx!(0.3) };
    let free = |angular| JointKind::Target {
        pose: Pose::IDENTITY,
        linear: Some(Pull { spring, max_force: Fx::MAX }),
        angular,
    };
    let pull = Pull { spring, max_force: fx!(40) };
    let kinds = [BALL, JointKind::Fixed, HINGE, SLIDER];
    for kind in kinds.into_iter().chain([free(None), free(Some(pull))]) {
        let (mut world, _) = floating();
        let (a, b) = (at(fx!(-1), fx!(0.3), fx!(0)), at(fx!(1), fx!(0), fx!(0.4)));
        let bodies =
            [(a, fx!(0.5)), (b, fx!(0.4))].map(|(pose, radius)| add(&mut world, pose, sphere(radius)));
        // Their origins are 1.4 m apart.
        let origins = [vec3(fx!(0.5), fx!(0.6), fx!(0)), vec3(fx!(-0.3), fx!(-0.6), fx!(0.2))];
        let [of_a, of_b] = [0, 1].map(|k| (bodies[k], Pose::from_translation(origins[k])));
        world.add_joint(JointDef::new(kind, of_a, of_b)).unwrap();
        let mut most = Fx::ZERO;
        for _ in 0..120 {
            world.step();
            let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
            for (body, radius) in bodies.into_iter().zip([fx!(0.5), fx!(0.4)]) {
                let view = world.body(body).unwrap();
                let momentum = view.linear_velocity() * view.mass().unwrap();
                let inertia = view.mass().unwrap() * radius * radius * fx!(0.4);
                linear += momentum;
                angular += view.position().cross(momentum) + view.angular_velocity() * inertia;
            }
            most = most.max(linear.length()).max(angular.length());
        }
        // Of balls of some 500 and 300 kg.
        let moved = world.body(bodies[0]).unwrap().position().distance(a.translation);
        assert!(moved > fx!(0.04) && most < fx!(0.5), "{kind:?}: {most}, and moved by {moved} m");
    }
}

#[test]
fn a_joint_that_is_too_weak_breaks_and_says_by_which_force() {
    let hang = |strength: Fx| {
        let (mut world, ground) = world();
        let ball = add(&mut world, at(fx!(0), fx!(-2), fx!(0)), sphere(fx!(0.1)));
        let weight = world.body(ball).unwrap().mass().unwrap() * fx!(9.81);
        let mut def = JointDef::new(BALL, (ground, Pose::IDENTITY), (ball, at(fx!(0), fx!(2), fx!(0))));
        def.break_force = Some(weight * strength);
        def.user_data = 7;
        let joint = world.add_joint(def).unwrap();
        let mut broken = None;
        for _ in 0..120 {
            world.step();
            for event in world.events() {
                if let isostep_step::Event::JointBreak { joint: found, force, user_data, .. } = event {
                    assert_eq!((*found, *user_data), (joint, 7));
                    broken = Some(*force / weight);
                }
            }
        }
        assert_eq!(world.remove_joint(joint).is_err(), broken.is_some());
        broken
    };
    assert_eq!(hang(fx!(1.02)), None);
    let force = hang(fx!(0.98)).expect("it holds more than it should");
    assert!(force.abs_diff_eq(fx!(1), fx!(0.01)), "broken by {force} of the weight");
}

#[test]
fn a_capsule_on_a_long_arm_keeps_its_arm() {
    let (mut world, ground) = world();
    let (a, b) = (vec3(fx!(0), fx!(-0.02), fx!(0)), vec3(fx!(0), fx!(0.02), fx!(0)));
    let bob = add(&mut world, at(fx!(10), fx!(0), fx!(0)), Capsule::new(a, b, fx!(0.02)).unwrap());
    world
        .add_joint(JointDef::new(BALL, (ground, Pose::IDENTITY), (bob, at(fx!(-10), fx!(0), fx!(0)))))
        .unwrap();
    for _ in 0..600 {
        world.step();
        let pose = world.body(bob).unwrap().pose();
        let end = pose.transform_point(vec3(fx!(-10), fx!(0), fx!(0)));
        assert!(end.length() < fx!(0.02), "its arm ends at {end}");
    }
}

#[test]
fn long_bodies_that_are_joined_at_their_ends_stay_where_they_are() {
    // Their centres are 200 m apart, and their ends meet.
    let (mut world, _) = floating();
    let beam = || Obb::from_half_extents(vec3(fx!(100), fx!(0.5), fx!(0.5))).unwrap();
    let bodies =
        [-1, 1].map(|side| add(&mut world, at(fx!(100) * Fx::from_int(side), fx!(0), fx!(0)), beam()));
    let ends = [1, -1].map(|side| at(fx!(100) * Fx::from_int(side), fx!(0), fx!(0)));
    let sides = [(bodies[0], ends[0]), (bodies[1], ends[1])];
    for kind in [BALL, JointKind::Fixed] {
        world.add_joint(JointDef::new(kind, sides[0], sides[1])).unwrap();
    }
    for _ in 0..120 {
        world.step();
    }
    for body in bodies {
        let view = world.body(body).unwrap();
        assert!(view.linear_velocity().length() < fx!(0.0001), "{}", view.linear_velocity());
        assert!(view.position().x.abs().abs_diff_eq(fx!(100), fx!(0.001)), "{}", view.position());
    }
}

/// A plate of 1 m × 0.2 m × 1 m, half a metre above the ball joint on which it spins, that leans by 1 rad, with the velocities of
/// slow precession; and the rate of that, W: I_p W² cos 1 − I ω W + m g l = 0, of moments of inertia about the axis of the plate
/// and, of the point, across it.
fn top(spin: Fx, config: WorldConfig) -> (World, BodyHandle, Fx) {
    let mut world = World::new(WorldConfig { sleeping: false, ..config }).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let lever = fx!(0.5);
    let (sin, cos) = Fx::ONE.sin_cos();
    let (about, across) = (fx!(2) / fx!(12), fx!(1.04) / fx!(12) + lever * lever);
    let (a, b, c) = (across * cos, about * spin, fx!(9.81) * lever);
    let rate = (b - (b * b - fx!(4) * a * c).sqrt()) / (fx!(2) * a);
    let axis = vec3(sin, cos, fx!(0));
    let turning = axis * (spin - rate * cos) + Vec3::Y * rate;
    let def = BodyDef {
        pose: Pose::new(Quat::from_rotation_z(fx!(-1)), axis * lever),
        linear_velocity: turning.cross(axis * lever),
        angular_velocity: turning,
        ..BodyDef::default()
    };
    let body = add_as(&mut world, def, cuboid(vec3(fx!(0.5), fx!(0.1), fx!(0.5))));
    let frames = [(ground, Pose::IDENTITY), (body, at(fx!(0), -lever, fx!(0)))];
    world.add_joint(JointDef::new(BALL, frames[0], frames[1])).unwrap();
    (world, body, rate)
}

/// How far a body went around the y axis while the world ran.
fn run_around(world: &mut World, body: BodyHandle, ticks: u32) -> Fx {
    let mut turned = fx!(0);
    let place = |world: &World| world.body(body).unwrap().position();
    for _ in 0..ticks {
        let before = place(world);
        world.step();
        let after = place(world);
        let (sin, cos) = (before.z * after.x - before.x * after.z, before.x * after.x + before.z * after.z);
        turned += sin.atan2(cos);
    }
    turned
}

#[test]
fn tops_on_joints_precess_and_neither_sink_nor_rise_nor_lose_their_spin() {
    let of = |substeps, tick_rate| WorldConfig { substeps, tick_rate, ..WorldConfig::default() };
    for (spin, config, slack) in [
        (fx!(20), of(4, 60), fx!(0.06)),
        (fx!(30), of(4, 60), fx!(0.03)),
        (fx!(20), of(8, 60), fx!(0.03)),
        (fx!(40), of(4, 120), fx!(0.03)),
        (fx!(20), of(2, 60), fx!(0.16)),
    ] {
        let (mut world, body, rate) = top(spin, config);
        let turned = run_around(&mut world, body, 10 * config.tick_rate);
        let axis = world.body(body).unwrap().rotation() * Vec3::Y;
        let lean = axis.x.hypot(axis.z).atan2(axis.y);
        let own = axis.dot(world.body(body).unwrap().angular_velocity());
        let what = format!("{spin}: leans by {lean}, turned by {turned} at {rate} rad/s, spins by {own}");
        assert!((lean - fx!(1)).abs() < slack, "{what}");
        assert!((turned - rate * fx!(10)).abs() < turned * fx!(0.013), "{what}");
        assert!((own - spin).abs() < spin * fx!(0.001), "{what}");
    }
}

#[test]
fn a_wheel_on_an_arm_goes_around_instead_of_falling() {
    let (mut world, ground) = world();
    let spin = fx!(28);
    // The wheel is 1 m out, and the arm weighs less than a twelfth of it.
    let (wheel, arm) =
        (cuboid(vec3(fx!(0.1), fx!(0.4), fx!(0.4))), cuboid(vec3(fx!(0.5), fx!(0.05), fx!(0.05))));
    let (mass, arm_mass, inertia) = (fx!(128), fx!(10), fx!(128) * fx!(0.64) / fx!(6));
    let rate = (mass + arm_mass / fx!(2)) * fx!(9.81) / (inertia * spin);
    let [arm, wheel] = [(arm, fx!(0.5), fx!(0)), (wheel, fx!(1), spin)].map(|(shape, x, spin)| {
        let body = add(&mut world, at(x, fx!(0), fx!(0)), shape);
        world.set_velocity(body, Vec3::Z * -(rate * x), vec3(spin, rate, fx!(0))).unwrap();
        body
    });
    let ends = [at(fx!(-0.5), fx!(0), fx!(0)), at(fx!(0.5), fx!(0), fx!(0))];
    world.add_joint(JointDef::new(BALL, (ground, Pose::IDENTITY), (arm, ends[0]))).unwrap();
    world.add_joint(JointDef::new(HINGE, (arm, ends[1]), (wheel, Pose::IDENTITY))).unwrap();
    let turned = run_around(&mut world, wheel, 300);
    let height = world.body(wheel).unwrap().position().y;
    assert!(height.abs() < fx!(0.12), "{height}");
    assert!((turned - rate * fx!(5)).abs() < turned * fx!(0.07), "{turned} at {rate} rad/s");
}

/// Four boxes of masses up to a hundred times apart, in a row by arms that are mostly longer than they are, at points that are up to
/// a decimetre off, and that turn.
fn odd_chain(rng: &mut Rng, kind: JointKind) -> (World, Vec<BodyHandle>) {
    let (mut world, _) = floating();
    world.set_layers_meet(0, 0, false).unwrap();
    let bodies: Vec<_> = (0..4)
        .map(|place| {
            let mut within = |low, high| rng.fx_range(low, high);
            let half =
                vec3(within(fx!(0.1), fx!(0.5)), within(fx!(0.05), fx!(0.35)), within(fx!(0.05), fx!(0.35)));
            let body = add(&mut world, at(Fx::from_int(place) * fx!(1.2), fx!(0), fx!(0)), cuboid(half));
            let spin = [0; 3].map(|_| within(fx!(-3), fx!(3)));
            world.set_velocity(body, Vec3::ZERO, Vec3::from_array(spin)).unwrap();
            body
        })
        .collect();
    for pair in bodies.windows(2) {
        let (y, z) = (rng.fx_range(fx!(-0.05), fx!(0.05)), rng.fx_range(fx!(0), fx!(0.1)));
        let frames = [(pair[0], at(fx!(0.6), y, z)), (pair[1], at(fx!(-0.6), fx!(0), fx!(0)))];
        world.add_joint(JointDef::new(kind, frames[0], frames[1])).unwrap();
    }
    (world, bodies)
}

/// That no speed grows in ten seconds, once bodies were drawn together and exchanged what they had.
fn assert_calm(world: &mut World, fastest: impl Fn(&World) -> Fx, what: &str) {
    run(world, 30);
    let most = fastest(world);
    for tick in 30..600 {
        world.step();
        let speed = fastest(world);
        assert!(speed < most * fx!(2) + fx!(1), "{what}, tick {tick}: {speed} after {most}");
    }
}

#[test]
fn light_bodies_on_long_arms_between_heavy_ones_come_to_rest() {
    for (kind, name) in [(JointKind::Fixed, "fixed"), (HINGE, "hinges")] {
        for seed in 0..60 {
            let (mut world, bodies) = odd_chain(&mut Rng::new(seed, 0), kind);
            let fastest = |world: &World| {
                let speeds = bodies.iter().map(|&body| {
                    let body = world.body(body).unwrap();
                    body.linear_velocity().length() + body.angular_velocity().length()
                });
                speeds.max().unwrap()
            };
            assert_calm(&mut world, fastest, &format!("{name}, seed {seed}"));
        }
    }
}

#[test]
fn joints_see_nothing_of_those_that_they_are_solved_with() {
    let pull =
        Some(Pull { spring: Spring { frequency: fx!(3), damping_ratio: fx!(0.2) }, max_force: fx!(500) });
    let targets = [(pull, None), (None, pull), (pull, pull)].map(|(linear, angular)| JointKind::Target {
        pose: Pose::IDENTITY,
        linear,
        angular,
    });
    let within = |lower: Fx, upper: Fx| Some(Limits { lower, upper });
    let limited = [
        JointKind::Ball { swing_limit: Some(fx!(0.1)), twist_limits: within(fx!(0), fx!(0.1)), motor: None },
        JointKind::Hinge { limits: within(fx!(-0.1), fx!(0.1)), motor: None },
        JointKind::Slider { limits: within(fx!(0), fx!(0)), motor: None },
        JointKind::Distance { limits: within(fx!(0), fx!(0.1)), motor: None },
        JointKind::Distance { limits: within(fx!(0.3), fx!(0.3)), motor: None },
    ];
    let kinds = [BALL, JointKind::Fixed, HINGE, SLIDER].into_iter().chain(targets).chain(limited);
    for kind in kinds.clone() {
        let end = |others: &[JointKind]| {
            let (mut world, _) = floating();
            let mut first = None;
            for (place, kind) in core::iter::once(&kind).chain(others).enumerate() {
                let far = fx!(50) * Fx::from_int(place as i32);
                let pair = [0, 1].map(|side| {
                    let body =
                        add(&mut world, at(Fx::from_int(side), far, fx!(0)), cuboid(Vec3::ONE * fx!(0.2)));
                    let turning = vec3(fx!(3), Fx::from_int(side), fx!(-2));
                    world.set_velocity(body, vec3(fx!(0), Fx::from_int(side), fx!(1)), turning).unwrap();
                    body
                });
                let frames =
                    [(pair[0], at(fx!(0.5), fx!(0), fx!(0))), (pair[1], at(fx!(-0.5), fx!(0), fx!(0)))];
                world.add_joint(JointDef::new(*kind, frames[0], frames[1])).unwrap();
                first = first.or(Some(pair));
            }
            run(&mut world, 60);
            first.unwrap().map(|body| world.body(body).unwrap().pose())
        };
        let alone = end(&[]);
        for other in kinds.clone() {
            assert_eq!(end(&[other]), alone, "{kind:?} beside {other:?}");
        }
    }
}

/// A tree of four to eight boxes with masses up to two hundred times apart, on arms of up to two metres, that turn; or a star, whose
/// joints all have the first one.
fn odd_tree(rng: &mut Rng, kind: JointKind, is_star: bool) -> (World, Vec<BodyHandle>) {
    let (mut world, _) = floating();
    world.set_layers_meet(0, 0, false).unwrap();
    let mut bodies: Vec<BodyHandle> = Vec::new();
    let mut places: Vec<Vec3> = Vec::new();
    for place in 0..4 + rng.below(5) as usize {
        let of = if is_star || place == 0 { 0 } else { rng.below(place as u32) as usize };
        let mut vector = |most: Fx| Vec3::from_array([0; 3].map(|_| rng.fx_range(-most, most)));
        let center = places.get(of).map_or(Vec3::ZERO, |&center| center + vector(fx!(1.5)));
        let half = vector(fx!(0.4)).abs() + Vec3::from_array([fx!(0.08); 3]);
        let body = add(&mut world, Pose::from_translation(center), cuboid(half));
        world.set_velocity(body, Vec3::ZERO, vector(fx!(1))).unwrap();
        if place > 0 {
            let point = (center + places[of]) * fx!(0.5) + vector(fx!(0.1));
            let frames = [(bodies[of], places[of]), (body, center)]
                .map(|(body, center)| (body, Pose::from_translation(point - center)));
            world.add_joint(JointDef::new(kind, frames[0], frames[1])).unwrap();
        }
        bodies.push(body);
        places.push(center);
    }
    (world, bodies)
}

fn assert_trees_are_calm(kind: JointKind, name: &str, seeds: core::ops::Range<u64>) {
    for seed in seeds {
        let (mut world, bodies) = odd_tree(&mut Rng::new(seed, 0), kind, seed % 2 == 0);
        let fastest = |world: &World| {
            let speed = |&body| world.body(body).unwrap().linear_velocity().length();
            bodies.iter().map(speed).max().unwrap()
        };
        assert_calm(&mut world, fastest, &format!("{name}, seed {seed}"));
    }
}

#[test]
fn trees_and_stars_of_unlike_bodies_on_long_arms_do_not_shake() {
    for (kind, name) in [(JointKind::Fixed, "fixed"), (BALL, "balls"), (HINGE, "hinges")] {
        assert_trees_are_calm(kind, name, 0..40);
    }
}

#[test]
fn trees_and_stars_at_their_limits_do_not_shake() {
    let within = |reach: Fx| Some(Limits { lower: -reach, upper: reach });
    let kinds = [
        (JointKind::Hinge { limits: within(fx!(0)), motor: None }, "hinges that are held"),
        (JointKind::Hinge { limits: within(fx!(0.3)), motor: None }, "hinges"),
        (JointKind::Slider { limits: within(fx!(0)), motor: None }, "sliders that are held"),
        (JointKind::Slider { limits: within(fx!(0.1)), motor: None }, "sliders"),
        (
            JointKind::Ball { swing_limit: Some(fx!(0.5)), twist_limits: within(fx!(0.4)), motor: None },
            "balls",
        ),
    ];
    for (kind, name) in kinds {
        assert_trees_are_calm(kind, name, 0..24);
    }
}

/// Four boxes in a row, with their half extents, that go around as a whole at `rate` rad/s: about a point that is not their centre
/// of mass.
fn spinning_row(rng: &mut Rng, kind: JointKind, rate: i32) -> (World, Vec<(BodyHandle, Vec3)>) {
    let (mut world, _) = floating();
    world.set_layers_meet(0, 0, false).unwrap();
    let mut links: Vec<(BodyHandle, Vec3)> = Vec::new();
    for link in 0..4 {
        let mut within = |low, high| rng.fx_range(low, high);
        let half =
            Vec3::new(within(fx!(0.1), fx!(0.4)), within(fx!(0.1), fx!(0.3)), within(fx!(0.1), fx!(0.3)));
        let body = add(&mut world, at(Fx::from_int(link) * fx!(0.6), fx!(0), fx!(0)), cuboid(half));
        if let Some(&(before, _)) = links.last() {
            let end = vec3(fx!(0.3), within(fx!(-0.1), fx!(0.1)), within(fx!(-0.1), fx!(0.1)));
            let frames = [(before, end), (body, end - vec3(fx!(0.6), fx!(0), fx!(0)))];
            let [a, b] = frames.map(|(body, end)| (body, Pose::from_translation(end)));
            world.add_joint(JointDef::new(kind, a, b)).unwrap();
        }
        links.push((body, half));
    }
    let axis = Vec3::from_array([0; 3].map(|_| rng.fx_range(fx!(-1), fx!(1)))).normalize_or_zero();
    let (turning, center) = (axis * Fx::from_int(rate), vec3(fx!(0.9), fx!(0), fx!(0)));
    for &(body, _) in &links {
        let arm = world.body(body).unwrap().position() - center;
        world.set_velocity(body, turning.cross(arm), turning).unwrap();
    }
    (world, links)
}

#[test]
fn what_spins_as_a_whole_gains_no_energy_and_stays_together() {
    let cases = [(JointKind::Fixed, "fixed"), (HINGE, "hinges"), (BALL, "balls")];
    let cases = cases.into_iter().flat_map(|case| [2, 5, 10].map(|rate| (case, rate)));
    for ((kind, name), rate) in cases {
        for seed in 0..6 {
            let (mut world, links) = spinning_row(&mut Rng::new(seed, 0), kind, rate);
            let energy = |world: &World| {
                links.iter().fold(Fx::ZERO, |sum, &(body, half)| sum + kinetic_energy(world, body, half))
            };
            let before = energy(&world);
            run(&mut world, 600);
            let after = energy(&world) / before;
            assert!(after < fx!(1.01) && after > fx!(0.6), "{name}, {rate} rad/s, seed {seed}: {after}");
            if kind != JointKind::Fixed {
                continue;
            }
            for pair in links.windows(2) {
                let [a, b] = [0, 1].map(|k| world.body(pair[k].0).unwrap().position());
                let apart = a.distance(b);
                assert!(apart.abs_diff_eq(fx!(0.6), fx!(0.0005)), "{rate} rad/s, seed {seed}: {apart} m");
            }
        }
    }
}

#[test]
fn chains_that_are_held_out_straight_come_to_rest_where_they_were_put() {
    // How far the ends of three links, and of five, of a metre each are off after 25 s.
    for (half, most) in [
        (vec3(fx!(0.5), fx!(0.1), fx!(0.1)), [fx!(0.0001), fx!(0.001)]),
        (vec3(fx!(0.2), fx!(0.2), fx!(0.2)), [fx!(0.0001), fx!(0.03)]),
        (vec3(fx!(0.1), fx!(0.1), fx!(0.1)), [fx!(0.005), fx!(0.4)]),
    ] {
        for (links, most) in [3, 5].into_iter().zip(most) {
            let (mut world, mut last) = world();
            world.set_layers_meet(0, 0, false).unwrap();
            for link in 0..links {
                let body = add(&mut world, at(Fx::from_int(link) + fx!(0.5), fx!(0), fx!(0)), cuboid(half));
                let end = if link == 0 { fx!(0) } else { fx!(0.5) };
                let frames = [(last, at(end, fx!(0), fx!(0))), (body, at(fx!(-0.5), fx!(0), fx!(0)))];
                world.add_joint(JointDef::new(JointKind::Fixed, frames[0], frames[1])).unwrap();
                last = body;
            }
            run(&mut world, 1500);
            let end = world.body(last).unwrap();
            let (height, speed) = (end.position().y, end.linear_velocity().length());
            assert!(height.abs() < most, "{links} links of {half}: {height}");
            assert!(speed < fx!(0.04), "{links} links of {half}: {speed} m/s");
        }
    }
}

/// A ragdoll of ten boxes around a pose, each with its half extents: torso, head, and upper and lower limbs.
fn ragdoll(world: &mut World, pose: Pose, velocity: Vec3) -> Vec<(BodyHandle, Vec3)> {
    let mut parts: Vec<(BodyHandle, Vec3)> = Vec::new();
    let part = |world: &mut World, parts: &mut Vec<_>, center: Vec3, half: Vec3| {
        let body = add(world, pose.mul_pose(Pose::from_translation(center)), cuboid(half));
        world.set_velocity(body, velocity, Vec3::ZERO).unwrap();
        parts.push((body, half));
        body
    };
    let join = |world: &mut World, kind, [a, b]: [BodyHandle; 2], place: Vec3, turn: Quat| {
        let frame = pose.mul_pose(Pose::new(turn, place));
        let [a, b] = [a, b].map(|body| (body, frame.relative_to(world.body(body).unwrap().pose())));
        world.add_joint(JointDef::new(kind, a, b)).unwrap();
    };
    let (upright, across) = (Quat::from_rotation_z(Fx::FRAC_PI_2), about_z());
    let twist_limits = Some(Limits { lower: fx!(-0.5), upper: fx!(0.5) });
    let ball = |swing| JointKind::Ball { swing_limit: Some(swing), twist_limits, motor: None };
    let hinge = |lower, upper| JointKind::Hinge { limits: Some(Limits { lower, upper }), motor: None };

    let torso = part(world, &mut parts, Vec3::ZERO, vec3(fx!(0.1), fx!(0.3), fx!(0.15)));
    let head = part(world, &mut parts, Vec3::Y * fx!(0.5), Vec3::splat(fx!(0.1)));
    join(world, ball(fx!(0.6)), [torso, head], Vec3::Y * fx!(0.35), upright);
    for side in [-Fx::ONE, Fx::ONE] {
        let limb = |y: Fx, z: Fx| vec3(fx!(0), y, z * side);
        let arm = [fx!(0.05), fx!(-0.28)].map(|y| limb(y, fx!(0.22)));
        let arm = arm.map(|center| part(world, &mut parts, center, vec3(fx!(0.04), fx!(0.15), fx!(0.04))));
        join(world, ball(fx!(1.2)), [torso, arm[0]], limb(fx!(0.22), fx!(0.2)), upright);
        join(world, hinge(fx!(-2), fx!(0)), arm, limb(fx!(-0.115), fx!(0.22)), across);
        let leg = [fx!(-0.57), fx!(-1.03)].map(|y| limb(y, fx!(0.09)));
        let leg = leg.map(|center| part(world, &mut parts, center, vec3(fx!(0.06), fx!(0.21), fx!(0.06))));
        join(world, ball(fx!(1)), [torso, leg[0]], limb(fx!(-0.33), fx!(0.09)), upright);
        join(world, hinge(fx!(0), fx!(2.2)), leg, limb(fx!(-0.8), fx!(0.09)), across);
    }
    parts
}

#[test]
fn ragdolls_that_fall_gain_next_to_no_energy() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed, 0);
        let (mut world, ground) = world();
        world.add_collider(ground, ColliderDef::new(HalfSpace::ground(Fx::ZERO))).unwrap();
        let mut within = |most: Fx| rng.fx_range(-most, most);
        let turn = Vec3::from_array([0; 3].map(|_| within(fx!(3))));
        let velocity = vec3(within(fx!(3)), fx!(-6), within(fx!(3)));
        let pose = Pose::new(Quat::from_scaled_axis(turn), vec3(fx!(0), fx!(3), fx!(0)));
        let parts = ragdoll(&mut world, pose, velocity);
        let energy = |world: &World| {
            parts.iter().fold(Fx::ZERO, |sum, &(part, half)| {
                let body = world.body(part).unwrap();
                let height = body.mass().unwrap() * fx!(9.81) * body.position().y;
                sum + kinetic_energy(world, part, half) + height
            })
        };
        let first = energy(&world);
        let mut least = first;
        for tick in 0..240 {
            world.step();
            let now = energy(&world);
            least = least.min(now);
            assert!(
                now - least < first * fx!(0.08),
                "seed {seed}, tick {tick}: {least} to {now} J of {first}"
            );
        }
    }
}

#[test]
fn a_chassis_stands_on_wheels_that_bear_many_times_their_weight() {
    // How far it sinks, how fast it seems to, and how much of the weight contacts say that they do not bear: beyond 24 times the
    // weight of a wheel all of it grows.
    for (mass, off, speed, part) in [
        (fx!(800), fx!(0.0006), fx!(0.0001), fx!(0.0001)),
        (fx!(1600), fx!(0.001), fx!(0.0001), fx!(0.0001)),
        (fx!(4000), fx!(0.005), fx!(0.003), fx!(0.07)),
    ] {
        let (mut world, ground) = world();
        world.add_collider(ground, ColliderDef::new(HalfSpace::ground(Fx::ZERO))).unwrap();
        let chassis =
            add(&mut world, at(fx!(0), fx!(0.6), fx!(0)), cuboid(vec3(fx!(1.6), fx!(0.2), fx!(0.7))));
        world.set_mass(chassis, Some(mass)).unwrap();
        for (x, z) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let (x, z) = (Fx::from_int(x) * fx!(1.2), Fx::from_int(z) * fx!(0.9));
            let wheel = add(&mut world, at(x, fx!(0.35), z), sphere(fx!(0.35)));
            world.set_mass(wheel, Some(fx!(20))).unwrap();
            let (on_chassis, on_wheel) =
                (Pose::new(about_z(), vec3(x, fx!(-0.25), z)), Pose::from_rotation(about_z()));
            world.add_joint(JointDef::new(HINGE, (chassis, on_chassis), (wheel, on_wheel))).unwrap();
        }
        run(&mut world, 300);
        let chassis = world.body(chassis).unwrap();
        let height = chassis.position().y;
        assert!(height.abs_diff_eq(fx!(0.6), off), "{mass} kg are at {height} m");
        assert!(chassis.linear_velocity().length() < speed, "{mass} kg: {}", chassis.linear_velocity());
        let borne: Fx = world.body(ground).unwrap().contacts().map(|contact| contact.normal_force()).sum();
        let weight = (mass + fx!(80)) * fx!(9.81);
        assert!(borne.abs_diff_eq(weight, weight * part), "{mass} kg: {borne} N instead of {weight} N");
    }
}
