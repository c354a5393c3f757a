//! Wheels on their suspensions against analytic answers.

use isostep_collision::{HalfSpace, Obb, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    BodyDef, BodyHandle, BodyView, ColliderDef, JointDef, JointHandle, JointKind, Limits, Material, Motor,
    Spring, World, WorldConfig,
};

const GRAVITY: Fx = fx!(9.81);
/// Of a wheel, in m.
const RADIUS: Fx = fx!(0.35);
const WHEEL_MASS: Fx = fx!(20);
/// Half the extents of the chassis, in m.
const HALF: Vec3 = vec3(fx!(0.7), fx!(0.25), fx!(2));
const CHASSIS_MASS: Fx = fx!(1200);
/// From axle to axle, and between the wheels of one, in m.
const BASE: Fx = fx!(2.6);
const TRACK: Fx = fx!(1.6);
const LIMITS: Option<Limits> = Some(Limits { lower: fx!(-0.1), upper: fx!(0.1) });
const SPRING: Spring = Spring { frequency: fx!(8), damping_ratio: fx!(3) };

/// What a car has besides its suspension.
#[derive(Clone, Copy, Default)]
struct Drive {
    /// Of each wheel.
    motor: Option<Motor>,
    /// The angles of the left and the right wheel in front.
    steering: [Fx; 2],
}

struct Car {
    world: World,
    chassis: BodyHandle,
    /// Those in front first; of each axle the left one first.
    wheels: [BodyHandle; 4],
    joints: [JointHandle; 4],
}

fn kind(wheel: usize, drive: Drive) -> JointKind {
    let suspension = Motor { position: fx!(0), velocity: fx!(0), spring: Some(SPRING), max_force: Fx::MAX };
    let steering = if wheel < 2 { drive.steering[wheel] } else { Fx::ZERO };
    JointKind::Wheel { limits: LIMITS, suspension: Some(suspension), motor: drive.motor, steering }
}

impl Car {
    /// A box of 1.2 t on four wheels of 20 kg that look towards −z, on ground that goes on for ever.
    fn new(drive: Drive) -> Self {
        let grip = Material { friction: Fx::ONE, ..Material::default() };
        let mut world = World::new(WorldConfig::default()).unwrap();
        let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        let floor = ColliderDef::new(HalfSpace::ground(fx!(0)));
        world.add_collider(ground, ColliderDef { material: grip, ..floor }).unwrap();
        let height = RADIUS + fx!(0.3);
        let chassis = BodyDef { mass: Some(CHASSIS_MASS), ..BodyDef::dynamic(Vec3::Y * height) };
        let chassis = world.add_body(chassis).unwrap();
        world.add_collider(chassis, ColliderDef::new(Obb::from_half_extents(HALF).unwrap())).unwrap();
        let places = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
        let place = |(x, z)| vec3(Fx::from_int(x) * TRACK, fx!(-0.6), Fx::from_int(z) * BASE) * Fx::HALF;
        let tyre = ColliderDef::new(Sphere::from_radius(RADIUS).unwrap());
        let wheels = places.map(|at| {
            let def = BodyDef { mass: Some(WHEEL_MASS), ..BodyDef::dynamic(Vec3::Y * height + place(at)) };
            let wheel = world.add_body(def).unwrap();
            world.add_collider(wheel, ColliderDef { material: grip, ..tyre }).unwrap();
            wheel
        });
        let joints = [0, 1, 2, 3].map(|wheel| {
            let frame = Pose::from_translation(place(places[wheel]));
            let def = JointDef::new(kind(wheel, drive), (chassis, frame), (wheels[wheel], Pose::IDENTITY));
            world.add_joint(def).unwrap()
        });
        Self { world, chassis, wheels, joints }
    }

    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.world.step();
        }
    }

    /// Of the chassis.
    fn body(&self) -> BodyView<'_> {
        self.world.body(self.chassis).unwrap()
    }

    fn bodies(&self) -> [BodyHandle; 5] {
        let [a, b, c, d] = self.wheels;
        [self.chassis, a, b, c, d]
    }

    fn set(&mut self, drive: Drive) {
        for (wheel, &joint) in self.joints.iter().enumerate() {
            self.world.set_joint_kind(joint, kind(wheel, drive)).unwrap();
        }
    }
}

/// The inertia of a wheel about its axle: it is a ball.
fn inertia() -> Fx {
    fx!(0.4) * WHEEL_MASS * RADIUS * RADIUS
}

/// A wheel without weight at a chassis that does not move, with its axle where it is steered to.
fn held_wheel(kind: JointKind, axle: Quat) -> (World, BodyHandle, JointHandle) {
    let config = WorldConfig { gravity: Vec3::ZERO, sleeping: false, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let chassis = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let wheel = world
        .add_body(BodyDef { mass: Some(WHEEL_MASS), ..BodyDef::dynamic(Vec3::ZERO) }.rotated(axle))
        .unwrap();
    world.add_collider(wheel, ColliderDef::new(Sphere::from_radius(RADIUS).unwrap())).unwrap();
    let def = JointDef::new(kind, (chassis, Pose::IDENTITY), (wheel, Pose::IDENTITY));
    let joint = world.add_joint(def).unwrap();
    (world, wheel, joint)
}

#[test]
fn a_suspension_swings_with_its_frequency_however_the_wheel_spins() {
    let spring = Some(Spring { frequency: fx!(1), damping_ratio: fx!(0) });
    let suspension = Some(Motor { spring, max_force: Fx::MAX, ..Motor::default() });
    for steering in [fx!(0), fx!(0.5)] {
        let kind = JointKind::Wheel { limits: None, suspension, motor: None, steering };
        let turn = Quat::from_rotation_y(steering);
        let (mut world, wheel, joint) = held_wheel(kind, turn);
        let axle = turn * Vec3::X;
        world.set_velocity(wheel, Vec3::Y * fx!(0.5), axle * fx!(20)).unwrap();
        let mut crossings = 0;
        let mut last = Fx::ZERO;
        for tick in 1..=600 {
            world.step();
            let now = world.joint(joint).unwrap().position().unwrap();
            if tick > 1 && (now < Fx::ZERO) != (last < Fx::ZERO) {
                crossings += 1;
            }
            last = now;
        }
        // It starts at 0, and comes back twice in each of ten seconds, if not quite the last time.
        assert!((19..=20).contains(&crossings), "it crossed its middle {crossings} times");
        let spin = world.body(wheel).unwrap().angular_velocity();
        assert!(spin.abs_diff_eq(axle * fx!(20), fx!(0.001)), "it spins by {spin}");
        let place = world.body(wheel).unwrap().position().with_y(fx!(0));
        assert!(place.length() < fx!(0.00001), "it is at {place}");
    }
}

#[test]
fn a_wheel_has_the_speed_of_its_motor_and_no_more_than_its_torque() {
    let motor = Some(Motor { velocity: fx!(-30), max_force: fx!(2), ..Motor::default() });
    let shut = Some(Limits::default());
    let kind = JointKind::Wheel { limits: shut, suspension: None, motor, steering: fx!(0.7) };
    let turn = Quat::from_rotation_y(fx!(0.7));
    let (mut world, wheel, joint) = held_wheel(kind, turn);
    let axle = turn * Vec3::X;
    for _ in 0..60 {
        world.step();
    }
    let expected = axle * (-fx!(2) / inertia());
    let found = world.body(wheel).unwrap().angular_velocity();
    assert!(found.abs_diff_eq(expected, fx!(0.002)), "{found} instead of {expected}");
    let torque = world.joint(joint).unwrap().torque();
    assert!(torque.abs_diff_eq(axle * fx!(-2), fx!(0.001)), "{torque}");
    for _ in 0..900 {
        world.step();
    }
    let found = world.body(wheel).unwrap().angular_velocity();
    assert!(found.abs_diff_eq(axle * fx!(-30), fx!(0.001)), "{found}");
    assert!(world.joint(joint).unwrap().torque().length() < fx!(0.001));
}

#[test]
fn a_motor_with_a_spring_turns_a_wheel_to_its_angle() {
    let spring = Some(Spring { frequency: fx!(2), damping_ratio: fx!(1) });
    let motor = Some(Motor { position: fx!(-2.5), spring, max_force: Fx::MAX, ..Motor::default() });
    let kind = JointKind::Wheel { limits: None, suspension: None, motor, steering: fx!(0) };
    let (mut world, _, joint) = held_wheel(kind, Quat::IDENTITY);
    for _ in 0..180 {
        world.step();
    }
    let angle = world.joint(joint).unwrap().angle();
    assert!(angle.abs_diff_eq(fx!(-2.5), fx!(0.0001)), "{angle}");
}

#[test]
fn springs_bear_a_car_where_they_and_its_weight_are_in_balance() {
    let mut car = Car::new(Drive::default());
    car.run(240);
    // The inertia that a spring feels: that of the wheel, and that of the chassis at the end of two arms.
    let [x, z] = [TRACK * Fx::HALF, BASE * Fx::HALF];
    let [pitch, roll] =
        [HALF.y * HALF.y + HALF.z * HALF.z, HALF.x * HALF.x + HALF.y * HALF.y].map(|k| k / fx!(3));
    let of_chassis = (Fx::ONE + z * z / pitch + x * x / roll) / CHASSIS_MASS;
    let felt = Fx::ONE / (Fx::ONE / WHEEL_MASS + of_chassis);
    let rate = Fx::TAU * SPRING.frequency;
    let load = GRAVITY * CHASSIS_MASS / fx!(4);
    let sag = load / (felt * rate * rate);
    for joint in car.joints {
        let joint = car.world.joint(joint).unwrap();
        let found = joint.position().unwrap();
        assert!(found.abs_diff_eq(sag, fx!(0.0001)), "a wheel is {found} m up instead of {sag}");
        // On the wheel, and down.
        assert!(
            joint.force().abs_diff_eq(Vec3::NEG_Y * load, load * fx!(0.001)),
            "{} N of {load}",
            joint.force()
        );
        assert!(joint.torque().length() < fx!(0.1), "{} N m", joint.torque());
    }
    assert!(car.body().linear_velocity().length() < fx!(0.0001));
}

#[test]
fn a_car_without_springs_stands_on_the_limits_of_its_suspension() {
    let mut car = Car::new(Drive::default());
    for joint in car.joints {
        let kind = JointKind::Wheel { limits: LIMITS, suspension: None, motor: None, steering: Fx::ZERO };
        car.world.set_joint_kind(joint, kind).unwrap();
    }
    car.run(240);
    for joint in car.joints {
        let joint = car.world.joint(joint).unwrap();
        assert!(joint.position().unwrap().abs_diff_eq(fx!(0.1), fx!(0.0005)), "{:?}", joint.position());
        let load = GRAVITY * CHASSIS_MASS / fx!(4);
        assert!(joint.force().abs_diff_eq(Vec3::NEG_Y * load, load * fx!(0.01)), "{}", joint.force());
    }
}

#[test]
fn cars_drive_straight_however_fast() {
    for speed in [10, 30, 60] {
        let speed = Fx::from_int(speed);
        let motor = Motor { velocity: -speed / RADIUS, max_force: fx!(600), ..Motor::default() };
        let mut car = Car::new(Drive { motor: Some(motor), ..Drive::default() });
        // The torque of four motors moves the car, and turns its wheels.
        car.run(120);
        let mass = CHASSIS_MASS + fx!(4) * (WHEEL_MASS + inertia() / RADIUS / RADIUS);
        let expected = (fx!(2400) / RADIUS / mass * fx!(2)).min(speed);
        let found = -car.body().linear_velocity().z;
        assert!(found.abs_diff_eq(expected, expected * fx!(0.01)), "{found} instead of {expected} m/s");
        car.run(1680);
        let body = car.body();
        let velocity = body.linear_velocity();
        assert!(velocity.abs_diff_eq(Vec3::NEG_Z * speed, speed * fx!(0.002)), "{velocity}");
        assert!(body.position().x.abs() < fx!(0.001), "it is at {}", body.position());
    }
}

#[test]
fn a_car_goes_around_in_the_circle_of_its_steering() {
    for (radius, side) in [(8, 1), (20, -1), (60, 1)] {
        let radius = Fx::from_int(radius);
        let side = Fx::from_int(side);
        // Each wheel in front stands across the line from it to the middle of the circle.
        let steering = [-1, 1].map(|x| side * BASE.atan2(radius + side * Fx::from_int(x) * TRACK * Fx::HALF));
        let mut car = Car::new(Drive { motor: None, steering });
        car.run(60);
        // It rolls on its way, without a motor.
        for body in car.bodies() {
            let turning = side * fx!(3) / radius;
            let arm =
                car.world.body(body).unwrap().position() - vec3(-side * radius, fx!(0), BASE * Fx::HALF);
            let velocity = Vec3::Y.cross(arm) * turning;
            car.world.set_velocity(body, velocity, Vec3::Y * turning).unwrap();
        }
        car.run(60);
        for _ in 0..4 {
            car.run(60);
            let body = car.body();
            let axle = body.velocity_at(body.pose().transform_point(vec3(fx!(0), fx!(0), BASE * Fx::HALF)));
            let found = axle.with_y(fx!(0)).length() / body.angular_velocity().y;
            assert!(found.abs_diff_eq(side * radius, radius * fx!(0.005)), "{found} m instead of {radius}");
        }
    }
}

#[test]
fn wheels_that_are_steered_at_once_turn_and_leave_the_car_at_rest() {
    let mut car = Car::new(Drive::default());
    car.world.set_gravity(Vec3::ZERO).unwrap();
    for body in car.bodies() {
        let at = car.world.body(body).unwrap().position() + Vec3::Y;
        car.world.set_pose(body, Pose::from_translation(at)).unwrap();
    }
    car.run(120);
    for steering in [fx!(0.6), fx!(-0.6)] {
        car.set(Drive { motor: None, steering: [steering; 2] });
        car.run(6);
        for (wheel, expected) in car.wheels.into_iter().zip([steering, steering, fx!(0), fx!(0)]) {
            let axle = car.world.body(wheel).unwrap().rotation() * Vec3::X;
            let body = car.body().rotation();
            let wanted = body * (Quat::from_rotation_y(expected) * Vec3::X);
            assert!(axle.distance(wanted) < fx!(0.001), "{axle} instead of {wanted}");
        }
        for body in car.bodies().map(|body| car.world.body(body).unwrap()) {
            assert!(body.linear_velocity().length() < fx!(0.001), "{}", body.linear_velocity());
            assert!(body.angular_velocity().length() < fx!(0.001), "{}", body.angular_velocity());
        }
    }
}

#[test]
fn brakes_hold_a_car_on_a_slope_and_it_falls_asleep() {
    let brake = Motor { max_force: fx!(1000), ..Motor::default() };
    let mut car = Car::new(Drive { motor: Some(brake), ..Drive::default() });
    // As on a slope of 15 %.
    car.world.set_gravity(vec3(fx!(0), fx!(-9.7), fx!(1.45))).unwrap();
    car.run(600);
    assert!(car.body().is_asleep());
    let position = car.body().position();
    assert!(position.with_y(fx!(0)).length() < fx!(0.05), "it rolled to {position}");
}

#[test]
fn a_car_that_falls_lands_on_its_wheels_and_comes_to_rest() {
    let mut car = Car::new(Drive::default());
    for body in car.bodies() {
        let pose = car.world.body(body).unwrap().pose();
        let turn = Quat::from_axis_angle(vec3(fx!(0.6), fx!(0), fx!(0.8)), fx!(0.4));
        let pose = Pose::new(turn, Vec3::Y * fx!(3)).mul_pose(pose);
        car.world.set_pose(body, pose).unwrap();
    }
    let mut widest = Fx::ZERO;
    for _ in 0..480 {
        car.run(1);
        for joint in car.joints {
            let place = car.world.joint(joint).unwrap().relative_pose().translation;
            widest = widest.max(place.with_y(fx!(0)).length());
            let beyond = (place.y.abs() - fx!(0.1)).max(Fx::ZERO);
            widest = widest.max(beyond);
        }
    }
    let body = car.body();
    println!("the widest gap was {widest} m");
    assert!(widest < fx!(0.02), "{widest}");
    assert!((body.rotation() * Vec3::Y).y > fx!(0.999), "it lies on its side");
    assert!(body.linear_velocity().length() < fx!(0.001), "{}", body.linear_velocity());
}
