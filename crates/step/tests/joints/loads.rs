//! With how much force and torque joints hold, against what levers and weights ask for.

use super::*;
use isostep_collision::Sphere;
use isostep_math::Quat;
use isostep_math::random::Rng;
use isostep_step::{BallMotor, Event, Limits, Motor, Pull, Snapshot, Spring};

/// Of a rod of 10 kg and 2 m, and of half of it.
const WEIGHT: Fx = fx!(98.1);

/// A wall at the origin that holds a rod along x by a frame turned by `turn`, `at` along the rod; its middle is at 1 m.
fn held_rod(kind: JointKind, turn: Quat, at: Fx) -> (World, BodyHandle, JointHandle) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let wall = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let rod = BodyDef { mass: Some(fx!(10)), ..BodyDef::dynamic(Vec3::X) };
    let rod = world.add_body(rod).unwrap();
    let shape = Obb::from_half_extents(vec3(fx!(1), fx!(0.1), fx!(0.1))).unwrap();
    world.add_collider(rod, ColliderDef::new(shape)).unwrap();
    let frames = [at, at - fx!(1)].map(|x| Pose::new(turn, Vec3::X * x));
    let joint = world.add_joint(JointDef::new(kind, (wall, frames[0]), (rod, frames[1]))).unwrap();
    (world, rod, joint)
}

/// Joints that hold the rod level by its end, each by rows of its own.
fn holds() -> [(&'static str, JointKind, Quat); 7] {
    let shut = Some(Limits::default());
    let ajar = Some(Limits { lower: fx!(-0.0001), upper: fx!(0.0001) });
    let motor = Some(Motor { max_force: fx!(500), ..Motor::default() });
    // Frames have their x axes along z, up, and along the rod.
    let across = Quat::from_rotation_y(-Fx::FRAC_PI_2);
    let up = Quat::from_rotation_z(Fx::FRAC_PI_2);
    [
        ("fixed", JointKind::Fixed, Quat::IDENTITY),
        ("a hinge that is shut", JointKind::Hinge { limits: shut, motor: None }, across),
        ("a hinge on its limit", JointKind::Hinge { limits: ajar, motor: None }, across),
        ("a motor of a hinge", JointKind::Hinge { limits: None, motor }, across),
        ("a slider that is shut", JointKind::Slider { limits: shut, motor: None }, up),
        ("a motor of a slider", JointKind::Slider { limits: None, motor }, up),
        ("a wheel", JointKind::Wheel { limits: None, suspension: motor, motor, steering: Fx::ZERO }, across),
    ]
}

#[test]
fn a_joint_bears_the_weight_and_the_lever_of_a_rod_whichever_of_its_rows_does() {
    for (name, kind, turn) in holds() {
        let (mut world, rod, joint) = held_rod(kind, turn, fx!(0));
        steps(&mut world, 120);
        assert!(sleeps(&world, rod), "{name}");
        let told = |world: &World| {
            let view = world.joint(joint).unwrap();
            (view.force(), view.torque())
        };
        let (force, torque) = told(&world);
        assert!(force.abs_diff_eq(Vec3::Y * WEIGHT, fx!(0.005)), "{name}: {force} N");
        assert!(torque.abs_diff_eq(Vec3::Z * WEIGHT, fx!(0.01)), "{name}: {torque} N m");
        // It is of the state.
        let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
        assert_eq!(told(&World::from_snapshot(&snapshot)), (force, torque), "{name}");
    }
}

/// What was told of hinges and sliders left out what their limits and motors hold of points and rotations.
#[test]
fn a_joint_breaks_by_what_it_bears_whichever_of_its_rows_does() {
    let (least, most) = (WEIGHT - fx!(0.5), WEIGHT + fx!(2));
    for (name, kind, turn) in holds() {
        for (load, is_torque) in [(least, false), (least, true), (most, false), (most, true)] {
            let (mut world, _, joint) = held_rod(kind, turn, fx!(0));
            let of = |wanted: bool| (wanted == is_torque).then_some(load);
            world.set_joint_break(joint, of(false), of(true)).unwrap();
            steps(&mut world, 1);
            let told = world.events().iter().find_map(|event| match *event {
                Event::JointBreak { force, torque, .. } => Some([force, torque]),
                _ => None,
            });
            assert_eq!(told.is_some(), load == least, "{name}: {told:?}");
            let loads = told.unwrap_or([WEIGHT; 2]);
            assert!(loads.iter().all(|load| load.abs_diff_eq(WEIGHT, fx!(1))), "{name}: {loads:?}");
        }
    }
}

#[test]
fn a_rod_that_falls_is_held_by_its_end_as_its_inertia_says() {
    let hinge = JointKind::Hinge { limits: None, motor: None };
    let (mut world, _, joint) = held_rod(hinge, Quat::from_rotation_y(-Fx::FRAC_PI_2), fx!(0));
    steps(&mut world, 1);
    let view = world.joint(joint).unwrap();
    // Its end is 1 m from the middle, k² = (2² + 0.2²) / 12: F = m g k² / (1 + k²).
    let k = fx!(4.04) / fx!(12);
    let force = WEIGHT * k / (Fx::ONE + k);
    // What keeps it on its circle grows from 0.
    assert!(view.force().abs_diff_eq(Vec3::Y * force, fx!(0.25)), "{} against {force}", view.force());
    assert!(view.force().y.abs_diff_eq(force, fx!(0.001)), "{} against {force}", view.force());
    assert!(view.torque().length() < fx!(0.001), "{}", view.torque());
}

#[test]
fn each_link_of_a_chain_bears_what_hangs_on_it_and_both_of_its_sides_tell() {
    let ball = JointKind::Ball { swing_limit: None, twist_limits: None, motor: None };
    for swapped in [false, true] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let mut above = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        let mut joints = Vec::new();
        for link in 0..4 {
            let y = fx!(-0.5) - Fx::from_int(link);
            let body = BodyDef { mass: Some(Fx::from_int(link + 1)), ..BodyDef::dynamic(Vec3::Y * y) };
            let body = add(&mut world, body);
            let pair = if swapped { [body, above] } else { [above, body] };
            let def = joint_at(&world, ball, pair, Vec3::Y * (y + Fx::HALF));
            joints.push(world.add_joint(def).unwrap());
            above = body;
        }
        steps(&mut world, 240);
        let mut below = 0_i32;
        for (joint, mass) in joints.into_iter().rev().zip((1..=4).rev()) {
            below += mass;
            let weight = fx!(9.81) * Fx::from_int(if swapped { -below } else { below });
            let force = world.joint(joint).unwrap().force();
            assert!(force.abs_diff_eq(Vec3::Y * weight, fx!(0.02)), "{force} against {weight}");
        }
    }
}

#[test]
fn a_rope_and_a_swing_at_its_limit_bear_what_they_hold() {
    let slack = JointKind::Distance { limits: Some(Limits { lower: fx!(0), upper: fx!(2) }), motor: None };
    let (mut world, _, joint) = held_rod(slack, Quat::IDENTITY, fx!(1));
    steps(&mut world, 1);
    assert_eq!(world.joint(joint).unwrap().force(), Vec3::ZERO);
    steps(&mut world, 300);
    let force = world.joint(joint).unwrap().force();
    assert!(force.abs_diff_eq(Vec3::Y * WEIGHT, fx!(0.01)), "{force}");

    let ball = JointKind::Ball { swing_limit: Some(fx!(0.1)), twist_limits: None, motor: None };
    let (mut world, _, joint) = held_rod(ball, Quat::IDENTITY, fx!(0));
    steps(&mut world, 300);
    let view = world.joint(joint).unwrap();
    assert!(view.force().abs_diff_eq(Vec3::Y * WEIGHT, fx!(0.01)), "{}", view.force());
    // The lever of a rod that hangs by 0.1 rad.
    assert!(view.torque().abs_diff_eq(Vec3::Z * (WEIGHT * fx!(0.1).cos()), fx!(0.05)), "{}", view.torque());
}

/// A joint of two balls, of some kind by its number, whose frames are somewhere and away from each other.
fn random_pair(rng: &mut Rng, number: usize) -> (World, BodyHandle, JointHandle, Fx) {
    let spring = Spring { frequency: fx!(3), damping_ratio: fx!(0.4) };
    let motor = Some(Motor { velocity: fx!(1), max_force: fx!(50), ..Motor::default() });
    let sprung = Some(Motor { spring: Some(spring), max_force: Fx::MAX, ..Motor::default() });
    let limits = Some(Limits { lower: fx!(-0.2), upper: fx!(0.2) });
    let pull = Some(Pull { spring, max_force: Fx::MAX });
    let brake = Some(BallMotor { max_torque: fx!(20), ..BallMotor::default() });
    let kind = match number % 10 {
        0 => JointKind::Fixed,
        1 => JointKind::Hinge { limits: None, motor },
        2 => JointKind::Hinge { limits, motor: sprung },
        3 => JointKind::Slider { limits, motor },
        4 => JointKind::Ball { swing_limit: None, twist_limits: None, motor: None },
        5 => JointKind::Ball { swing_limit: None, twist_limits: None, motor: brake },
        6 => JointKind::Distance {
            limits: None,
            motor: sprung.map(|motor| Motor { position: fx!(2.2), ..motor }),
        },
        7 => JointKind::Target { pose: Pose::IDENTITY, linear: pull, angular: pull },
        8 => JointKind::Wheel { limits: None, suspension: sprung, motor, steering: fx!(0.4) },
        _ => JointKind::Wheel { limits, suspension: motor, motor: sprung, steering: fx!(-1) },
    };
    let gravity = Vec3::ZERO;
    let config =
        WorldConfig { tick_rate: 240, substeps: 1, gravity, sleeping: false, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let mut within = |most: Fx| Vec3::from_array([(); 3].map(|()| rng.fx_range(-most, most)));
    let radius = fx!(0.3);
    let bodies = [fx!(-1), fx!(1)].map(|x| {
        let def = BodyDef::dynamic(Vec3::X * x).moving(within(fx!(1))).turning(within(fx!(1)));
        let body = world.add_body(def).unwrap();
        world.add_collider(body, ColliderDef::new(Sphere::from_radius(radius).unwrap())).unwrap();
        body
    });
    let at = within(fx!(0.4));
    let mut frame = |body: BodyHandle| {
        Pose::from_translation(at + within(fx!(0.1))).relative_to(world.body(body).unwrap().pose())
    };
    // What a short rope pulls by turns within a tick.
    let is_rope = matches!(kind, JointKind::Distance { .. });
    let frames = bodies.map(|body| if is_rope { Pose::IDENTITY } else { frame(body) });
    let joint = world.add_joint(JointDef::new(kind, (bodies[0], frames[0]), (bodies[1], frames[1]))).unwrap();
    (world, bodies[1], joint, radius)
}

#[test]
fn what_a_joint_tells_is_what_it_does_to_the_momentum_of_its_bodies() {
    let mut rng = Rng::new(21, 0);
    for number in 0..200 {
        let (mut world, body, joint, radius) = random_pair(&mut rng, number);
        steps(&mut world, 20);
        for _ in 0..20 {
            let state = |world: &World| {
                let view = world.body(body).unwrap();
                (view.linear_velocity(), view.angular_velocity(), view.mass().unwrap())
            };
            let (v, w, mass) = state(&world);
            world.step();
            let (v_after, w_after, _) = state(&world);
            let view = world.joint(joint).unwrap();
            // Over a tick of one substep.
            let (force, torque) = (view.force() / fx!(240), view.torque() / fx!(240));
            let arm = view.anchors()[1] - world.body(body).unwrap().position();
            let inertia = mass * radius * radius * fx!(0.4);
            let (gained, turned) = ((v_after - v) * mass, (w_after - w) * inertia);
            let turned_by = torque + arm.cross(force);
            let what = format!("{:?}", view.kind());
            let scale = torque.length() + force.length();
            let mut allowed = [force.length(), scale].map(|load| load * fx!(0.02) + fx!(0.01));
            if let JointKind::Wheel { limits: Some(_), .. } = view.kind() {
                // Rows are of where bodies are after the tick, in which their axes and their arms turned.
                allowed = [scale * (fx!(0.01) + w.length() / fx!(120)) + fx!(0.01); 2];
            }
            let off = [gained.distance(force), turned.distance(turned_by)];
            assert!(
                off[0] < allowed[0],
                "{what}: {gained} N s of {force}, off by {} of {}",
                off[0],
                allowed[0]
            );
            assert!(
                off[1] < allowed[1],
                "{what}: {turned} N m s of {turned_by}, off by {} of {}",
                off[1],
                allowed[1]
            );
        }
    }
}
