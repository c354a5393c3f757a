//! Every command about joints, with values that are allowed and values that are not: after an error the world is as it
//! was.

use super::*;
use isostep_math::Quat;
use isostep_step::{
    BallMotor, BodyKind, Command, CommandError, JointError, Limits, MAX_COORDINATE, MAX_JOINT_LENGTH,
    MAX_MOTOR_SPEED, MAX_SPRING_DAMPING_RATIO, MAX_SPRING_FREQUENCY, Motor, Outcome, Pull, Section, Spring,
};

const PAST_PI: Fx = Fx::from_bits(Fx::PI.to_bits() + 1);
const ABOVE_LENGTH: Fx = Fx::from_bits(MAX_JOINT_LENGTH.to_bits() + 1);
const ABOVE_SPEED: Fx = Fx::from_bits(MAX_MOTOR_SPEED.to_bits() + 1);
const SPRING: Spring = Spring { frequency: fx!(2), damping_ratio: fx!(0.5) };
const MOTOR: Motor = Motor { position: fx!(0.5), velocity: fx!(1), spring: Some(SPRING), max_force: fx!(10) };

struct Scene {
    world: World,
    dynamic: BodyHandle,
    other: BodyHandle,
    kinematic: BodyHandle,
    fixed: BodyHandle,
    /// Removed.
    stale: BodyHandle,
}

fn scene() -> Scene {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let dynamic = add(&mut world, BodyDef::dynamic(Vec3::Y * fx!(3)));
    let other = add(&mut world, BodyDef::dynamic(Vec3::X * fx!(3)));
    let kinematic = add(&mut world, BodyDef::kinematic(Vec3::X * fx!(-3)));
    let fixed = add(&mut world, BodyDef::fixed(Vec3::Z * fx!(3)));
    let stale = add(&mut world, BodyDef::dynamic(Vec3::Z * fx!(9)));
    world.remove_body(stale).unwrap();
    Scene { world, dynamic, other, kinematic, fixed, stale }
}

impl Scene {
    fn def(&self, kind: JointKind) -> JointDef {
        JointDef::new(kind, (self.dynamic, Pose::IDENTITY), (self.other, Pose::IDENTITY))
    }

    #[track_caller]
    fn refuses(&mut self, command: Command, expected: CommandError) {
        door::refuses(&mut self.world, &command, expected);
    }

    #[track_caller]
    fn takes(&mut self, command: Command) -> Outcome {
        door::takes(&mut self.world, &command)
    }

    #[track_caller]
    fn adds(&mut self, kind: JointKind) -> JointHandle {
        match self.takes(Command::AddJoint(self.def(kind))) {
            Outcome::Joint(joint) => joint,
            other => panic!("{other:?}"),
        }
    }
}

fn out_of(field: &'static str, value: Fx, min: Fx, max: Fx) -> CommandError {
    CommandError::Joint(JointError::OutOfRange { field, value, min, max })
}

fn too_far(frame: &'static str, distance: Fx) -> CommandError {
    CommandError::Joint(JointError::FrameTooFar { frame, distance })
}

fn negative(field: &'static str, value: Fx) -> CommandError {
    CommandError::Joint(JointError::Negative { field, value })
}

fn limits(lower: Fx, upper: Fx) -> Option<Limits> {
    Some(Limits { lower, upper })
}

fn ball(swing_limit: Option<Fx>, twist_limits: Option<Limits>, motor: Option<BallMotor>) -> JointKind {
    JointKind::Ball { swing_limit, twist_limits, motor }
}

const MINUS_PI: Fx = fx!(-3.14159265358979323846);

/// The kinds that are about an axis, with what is said of their limits and of the positions, velocities, forces and springs of
/// their motors, and with the ends of what they measure.
type Axis = (fn(Option<Limits>, Option<Motor>) -> JointKind, [&'static str; 5], Fx, Fx);

const AXES: [Axis; 4] = [
    (
        |limits, motor| JointKind::Hinge { limits, motor },
        ["hinge limit", "motor angle", "motor velocity", "motor force", "motor spring"],
        MINUS_PI,
        Fx::PI,
    ),
    (
        |limits, motor| JointKind::Slider { limits, motor },
        ["slider limit", "motor position", "motor velocity", "motor force", "motor spring"],
        fx!(-120),
        MAX_JOINT_LENGTH,
    ),
    (
        |limits, motor| JointKind::Distance { limits, motor },
        ["distance limit", "motor distance", "motor velocity", "motor force", "motor spring"],
        Fx::ZERO,
        MAX_JOINT_LENGTH,
    ),
    (
        |limits, suspension| JointKind::Wheel { limits, suspension, motor: None, steering: Fx::PI },
        ["suspension limit", "suspension position", "suspension velocity", "suspension force", "suspension"],
        fx!(-120),
        MAX_JOINT_LENGTH,
    ),
];

fn wheel(motor: Option<Motor>, steering: Fx) -> JointKind {
    JointKind::Wheel { limits: None, suspension: None, motor, steering }
}

/// Kinds whose numbers are all at an end of what is allowed.
fn extreme_kinds() -> Vec<JointKind> {
    let hardest = Spring { frequency: MAX_SPRING_FREQUENCY, damping_ratio: MAX_SPRING_DAMPING_RATIO };
    let softest = Spring { frequency: Fx::EPSILON, damping_ratio: Fx::ZERO };
    let fastest = BallMotor {
        velocity: Vec3::splat(MAX_MOTOR_SPEED),
        spring: Some(hardest),
        max_torque: Fx::MAX,
        ..BallMotor::default()
    };
    let pull = |spring, max_force| Some(Pull { spring, max_force });
    let corner = Pose::from_translation(vec3(MAX_JOINT_LENGTH, -MAX_JOINT_LENGTH, fx!(0)));
    let mut kinds = vec![
        JointKind::Fixed,
        ball(None, None, None),
        ball(Some(Fx::PI), limits(-Fx::PI, Fx::PI), Some(fastest)),
        ball(Some(Fx::ZERO), limits(Fx::PI, Fx::PI), Some(BallMotor::default())),
        JointKind::Target { pose: corner, linear: pull(hardest, Fx::MAX), angular: pull(softest, Fx::ZERO) },
        JointKind::Target { pose: Pose::IDENTITY, linear: None, angular: None },
        wheel(Some(Motor { position: Fx::PI, ..MOTOR }), -Fx::PI),
        wheel(Some(Motor { position: -Fx::PI, ..MOTOR }), Fx::PI),
    ];
    for (kind, _, min, max) in AXES {
        let slow = Motor { position: min, velocity: -MAX_MOTOR_SPEED, spring: None, max_force: Fx::ZERO };
        let fast = Motor { position: max, spring: Some(softest), max_force: Fx::MAX, ..slow };
        kinds.extend([
            kind(None, None),
            kind(limits(min, max), Some(slow)),
            kind(limits(max, max), Some(fast)),
            kind(limits(min, min), None),
        ]);
    }
    kinds
}

/// Kinds with one number that is not allowed, and what is said of it.
fn wrong_kinds() -> Vec<(JointKind, CommandError)> {
    let zero = Fx::ZERO;
    let mut wrong = vec![
        (ball(Some(-Fx::EPSILON), None, None), out_of("swing limit", -Fx::EPSILON, zero, Fx::PI)),
        (ball(Some(PAST_PI), None, None), out_of("swing limit", PAST_PI, zero, Fx::PI)),
        (ball(None, limits(-PAST_PI, zero), None), out_of("twist limit", -PAST_PI, -Fx::PI, Fx::PI)),
        (ball(None, limits(zero, PAST_PI), None), out_of("twist limit", PAST_PI, -Fx::PI, Fx::PI)),
        (
            ball(None, limits(fx!(1), fx!(0.5)), None),
            CommandError::Joint(JointError::InvertedLimits {
                field: "twist limit",
                lower: fx!(1),
                upper: fx!(0.5),
            }),
        ),
    ];
    let long = Quat::from_xyzw(fx!(0), fx!(0), fx!(0.1), fx!(1));
    let unnormalized = |of| CommandError::UnnormalizedRotation { of, rotation: long };
    let of_motor = |motor| ball(None, None, Some(motor));
    wrong.push((of_motor(BallMotor { rotation: long, ..BallMotor::default() }), unnormalized("the motor")));
    for axis in 0..3 {
        let mut velocity = [zero; 3];
        velocity[axis] = -ABOVE_SPEED;
        let velocity = Vec3::from_array(velocity);
        let error = out_of("motor velocity", -ABOVE_SPEED, -MAX_MOTOR_SPEED, MAX_MOTOR_SPEED);
        wrong.push((of_motor(BallMotor { velocity, ..BallMotor::default() }), error));
    }
    let pushing = BallMotor { max_torque: -Fx::EPSILON, ..BallMotor::default() };
    wrong.push((of_motor(pushing), negative("motor torque", -Fx::EPSILON)));

    for (kind, [limit, position, velocity, force, spring_of], min, max) in AXES {
        let (below, above) = (min - Fx::EPSILON, max + Fx::EPSILON);
        let inverted = JointError::InvertedLimits { field: limit, lower: max, upper: min };
        wrong.extend([
            (kind(limits(below, max), None), out_of(limit, below, min, max)),
            (kind(limits(min, above), None), out_of(limit, above, min, max)),
            (kind(limits(max, min), None), CommandError::Joint(inverted)),
        ]);
        let motors = [
            (Motor { position: above, ..MOTOR }, out_of(position, above, min, max)),
            (Motor { position: below, ..MOTOR }, out_of(position, below, min, max)),
            (
                Motor { velocity: ABOVE_SPEED, ..MOTOR },
                out_of(velocity, ABOVE_SPEED, -MAX_MOTOR_SPEED, MAX_MOTOR_SPEED),
            ),
            (Motor { max_force: fx!(-1), ..MOTOR }, negative(force, fx!(-1))),
        ];
        wrong.extend(motors.map(|(motor, error)| (kind(None, Some(motor)), error)));
        wrong.extend(
            wrong_springs(spring_of)
                .map(|(spring, error)| (kind(None, Some(Motor { spring: Some(spring), ..MOTOR })), error)),
        );
    }
    for (spring, error) in wrong_springs("motor spring") {
        wrong.push((of_motor(BallMotor { spring: Some(spring), ..BallMotor::default() }), error));
    }
    let turned = Motor { position: PAST_PI, ..MOTOR };
    let pushing = Motor { max_force: -Fx::EPSILON, ..MOTOR };
    wrong.extend([
        (wheel(Some(turned), zero), out_of("motor angle", PAST_PI, -Fx::PI, Fx::PI)),
        (wheel(Some(pushing), zero), negative("motor force", -Fx::EPSILON)),
        (wheel(None, PAST_PI), out_of("steering", PAST_PI, -Fx::PI, Fx::PI)),
        (wheel(None, -PAST_PI), out_of("steering", -PAST_PI, -Fx::PI, Fx::PI)),
    ]);
    let drawn = |linear, angular| JointKind::Target { pose: Pose::IDENTITY, linear, angular };
    for (spring, error) in wrong_springs("linear pull") {
        wrong.push((drawn(Some(Pull { spring, max_force: Fx::ONE }), None), error));
    }
    for (spring, error) in wrong_springs("angular pull") {
        wrong.push((drawn(None, Some(Pull { spring, max_force: Fx::ONE })), error));
    }
    let pull = Some(Pull { spring: SPRING, max_force: -Fx::EPSILON });
    wrong.push((drawn(pull, None), negative("linear pull force", -Fx::EPSILON)));
    wrong.push((drawn(None, pull), negative("angular pull torque", -Fx::EPSILON)));
    let far = Pose::from_translation(vec3(fx!(0), -ABOVE_LENGTH, fx!(0)));
    let error = out_of("target position", -ABOVE_LENGTH, -MAX_JOINT_LENGTH, MAX_JOINT_LENGTH);
    wrong.push((JointKind::Target { pose: far, linear: None, angular: None }, error));
    let long = Pose::from_rotation(long);
    wrong.push((JointKind::Target { pose: long, linear: None, angular: None }, unnormalized("the target")));
    wrong
}

/// Springs of something with one number that is not allowed, and what is said of it.
fn wrong_springs(of: &str) -> impl Iterator<Item = (Spring, CommandError)> + use<> {
    let [frequency_of, damping_of] = match of {
        "softness" => ["softness frequency", "softness damping ratio"],
        "motor spring" => ["motor spring frequency", "motor spring damping ratio"],
        "suspension" => ["suspension frequency", "suspension damping ratio"],
        "linear pull" => ["linear pull frequency", "linear pull damping ratio"],
        "angular pull" => ["angular pull frequency", "angular pull damping ratio"],
        _ => unreachable!("no spring of a {of}"),
    };
    let (most, most_damping) = (MAX_SPRING_FREQUENCY, MAX_SPRING_DAMPING_RATIO);
    let frequency = |frequency| Spring { frequency, ..SPRING };
    let damping = |damping_ratio| Spring { damping_ratio, ..SPRING };
    let out_of_frequency =
        |value| CommandError::Joint(JointError::FrequencyOutOfRange { field: frequency_of, value });
    let (above, above_damping) = (most + Fx::EPSILON, most_damping + Fx::EPSILON);
    let out_of_damping = |value| out_of(damping_of, value, Fx::ZERO, most_damping);
    [
        (frequency(Fx::ZERO), out_of_frequency(Fx::ZERO)),
        (frequency(fx!(-1)), out_of_frequency(fx!(-1))),
        (frequency(above), out_of_frequency(above)),
        (damping(-Fx::EPSILON), out_of_damping(-Fx::EPSILON)),
        (damping(above_damping), out_of_damping(above_damping)),
    ]
    .into_iter()
}

#[test]
fn kinds_with_numbers_out_of_range_are_refused_with_the_number_and_the_range() {
    for (kind, error) in wrong_kinds() {
        let mut scene = scene();
        scene.refuses(Command::AddJoint(scene.def(kind)), error);
        // One of the same variant, that has nothing wrong.
        let right = extreme_kinds().into_iter().find(|right| right.name() == kind.name()).unwrap();
        let joint = scene.adds(right);
        scene.refuses(Command::SetJointKind { joint, kind }, error);
    }
}

#[test]
fn kinds_with_numbers_at_the_ends_of_their_ranges_are_taken() {
    for kind in extreme_kinds() {
        let mut scene = scene();
        let joint = scene.adds(kind);
        assert_eq!(scene.world.joint(joint).unwrap().def(), scene.def(kind));
        scene.takes(Command::SetJointKind { joint, kind });
    }
}

#[test]
fn a_joint_needs_two_bodies_of_which_one_is_dynamic() {
    let mut scene = scene();
    let of = |a, b| Command::AddJoint(JointDef::new(FREE, (a, Pose::IDENTITY), (b, Pose::IDENTITY)));
    let Scene { dynamic, other, kinematic, fixed, stale, .. } = scene;
    let foreign = BodyHandle { index: 700, generation: 0 };
    for gone in [stale, foreign] {
        scene.refuses(of(gone, dynamic), CommandError::StaleBody(gone));
        scene.refuses(of(dynamic, gone), CommandError::StaleBody(gone));
    }
    scene.refuses(of(dynamic, dynamic), CommandError::SameBody(dynamic));
    for (a, b) in [(kinematic, fixed), (fixed, kinematic)] {
        scene.refuses(of(a, b), CommandError::NoDynamicBody { a, b });
    }
    for (a, b) in [(dynamic, other), (dynamic, fixed), (kinematic, dynamic), (dynamic, other)] {
        scene.takes(of(a, b));
    }
    assert_eq!(scene.world.joints().count(), 4);
}

#[test]
fn no_collider_comes_or_goes_that_leaves_a_frame_too_far_from_the_centre_of_mass() {
    let mut scene = scene();
    let at = |x: Fx| Pose::from_translation(Vec3::X * x);
    let far = add(&mut scene.world, BodyDef::dynamic(Vec3::ZERO));
    let heavy = ColliderDef::new(cube()).with_density(fx!(20000)).at(at(fx!(100)));
    // Between 0 and 100, but for the part of the lighter one.
    let collider = match scene.takes(Command::AddCollider { body: far, collider: heavy }) {
        Outcome::Collider(collider) => collider,
        other => panic!("{other:?}"),
    };
    let center = scene.world.body(far).unwrap().center_of_mass().x;
    assert!(center > fx!(90) && center < fx!(100), "{center}");
    let joint =
        |frame: Fx| Command::AddJoint(JointDef::new(FREE, (scene.other, Pose::IDENTITY), (far, at(frame))));
    let (behind, ahead) = (joint(fx!(-50)), joint(fx!(200)));
    scene.refuses(behind, too_far("b", fx!(50) + center));
    let Outcome::Joint(joint) = scene.takes(ahead) else { panic!("no joint") };
    let error = CommandError::JointTooFar { joint, distance: fx!(200) };
    scene.refuses(Command::RemoveCollider(collider), error);
    let text = "a frame of joint 0.0 would be 200 m from the centre of mass: at most 120 m are allowed";
    assert_eq!(error.to_string(), text);
    let heavier = ColliderDef::new(Obb::from_half_extents(Vec3::ONE).unwrap()).with_density(fx!(20000));
    let refused = scene.world.add_collider(far, heavier).unwrap_err();
    assert!(refused.to_string().starts_with("a frame of joint 0.0 would be 18"), "{refused}");
    scene.takes(Command::AddCollider { body: far, collider: heavy });
}

#[test]
fn frames_are_near_the_centres_of_bodies_that_move_and_anywhere_on_fixed_ones() {
    let mut scene = scene();
    let Scene { dynamic, kinematic, fixed, .. } = scene;
    let of = |a: (BodyHandle, Pose), b: (BodyHandle, Pose)| Command::AddJoint(JointDef::new(FREE, a, b));
    let at = |x: Fx| Pose::from_translation(vec3(fx!(0), x, fx!(0)));
    for (body, kind) in [(dynamic, BodyKind::Dynamic), (kinematic, BodyKind::Kinematic)] {
        assert_eq!(scene.world.body(body).unwrap().kind(), kind);
        let partner = (if body == dynamic { kinematic } else { dynamic }, Pose::IDENTITY);
        scene.refuses(of((body, at(ABOVE_LENGTH)), partner), too_far("a", ABOVE_LENGTH));
        scene.refuses(of(partner, (body, at(-ABOVE_LENGTH))), too_far("b", ABOVE_LENGTH));
        scene.takes(of((body, at(-MAX_JOINT_LENGTH)), partner));
        // By its length, not by components.
        let corner = Pose::from_translation(Vec3::splat(fx!(100)));
        scene.refuses(of((body, corner), partner), too_far("a", corner.translation.length()));
    }
    let partner = (dynamic, Pose::IDENTITY);
    scene.takes(of((fixed, at(MAX_COORDINATE)), partner));
    scene.takes(of(partner, (fixed, at(-MAX_COORDINATE))));
    let beyond = at(MAX_COORDINATE + Fx::EPSILON);
    let error = |of| CommandError::PositionOutOfRange { of, position: beyond.translation };
    scene.refuses(of((fixed, beyond), partner), error("frame a"));
    scene.refuses(of(partner, (fixed, beyond)), error("frame b"));
    let rotation = Quat::from_xyzw(fx!(0), fx!(0), fx!(0), fx!(2));
    let long = Pose::from_rotation(rotation);
    for (a, b, wrong) in [(long, Pose::IDENTITY, "frame a"), (Pose::IDENTITY, long, "frame b")] {
        let error = CommandError::UnnormalizedRotation { of: wrong, rotation };
        scene.refuses(of((dynamic, a), (fixed, b)), error);
    }
}

#[test]
fn softness_and_what_breaks_a_joint_have_their_ranges() {
    let mut scene = scene();
    let joint = scene.adds(JointKind::Fixed);
    let def = scene.def(JointKind::Fixed);
    for (spring, error) in wrong_springs("softness") {
        let softness = Some(spring);
        scene.refuses(Command::AddJoint(JointDef { softness, ..def }), error);
        scene.refuses(Command::SetJointSoftness { joint, softness }, error);
    }
    for value in [Fx::ZERO, -Fx::EPSILON, Fx::MIN] {
        let wrong = Some(value);
        let error = |field| CommandError::Joint(JointError::NotPositive { field, value });
        scene.refuses(Command::AddJoint(JointDef { break_force: wrong, ..def }), error("break force"));
        scene.refuses(Command::AddJoint(JointDef { break_torque: wrong, ..def }), error("break torque"));
        scene.refuses(Command::SetJointBreak { joint, force: wrong, torque: None }, error("break force"));
        scene.refuses(Command::SetJointBreak { joint, force: None, torque: wrong }, error("break torque"));
    }
    let softness = Some(SPRING);
    scene.takes(Command::SetJointSoftness { joint, softness });
    scene.takes(Command::SetJointBreak { joint, force: Some(Fx::EPSILON), torque: Some(Fx::MAX) });
    scene.takes(Command::SetJointCollide { joint, collide: true });
    scene.takes(Command::SetJointUserData { joint, user_data: 77 });
    let changed = JointDef {
        softness,
        break_force: Some(Fx::EPSILON),
        break_torque: Some(Fx::MAX),
        collide_connected: true,
        user_data: 77,
        ..def
    };
    assert_eq!(scene.world.joint(joint).unwrap().def(), changed);
    assert_eq!(scene.world.joint(joint).unwrap().user_data(), 77);
}

#[test]
fn handles_of_joints_that_are_gone_or_never_were_are_refused_by_every_command() {
    let mut scene = scene();
    let removed = scene.adds(JointKind::Fixed);
    scene.takes(Command::RemoveJoint(removed));
    let kept = scene.adds(JointKind::Fixed);
    assert_eq!(kept, JointHandle { index: removed.index, generation: removed.generation + 1 });
    let foreign = JointHandle { index: 700, generation: 0 };
    let future = JointHandle { generation: kept.generation + 1, ..kept };
    for joint in [removed, foreign, future] {
        assert!(scene.world.joint(joint).is_none());
        for command in [
            Command::RemoveJoint(joint),
            Command::SetJointKind { joint, kind: JointKind::Fixed },
            Command::SetJointSoftness { joint, softness: None },
            Command::SetJointBreak { joint, force: None, torque: None },
            Command::SetJointCollide { joint, collide: true },
            Command::SetJointUserData { joint, user_data: 1 },
        ] {
            scene.refuses(command, CommandError::StaleJoint(joint));
        }
    }
}

#[test]
fn a_joint_stays_of_its_kind() {
    let kinds = extreme_kinds();
    for &kind in &kinds {
        let mut scene = scene();
        let joint = scene.adds(kind);
        for &other in &kinds {
            let command = Command::SetJointKind { joint, kind: other };
            if other.name() == kind.name() {
                scene.takes(command);
                assert_eq!(scene.world.joint(joint).unwrap().kind(), &other);
                continue;
            }
            let (current, given) = (kind.name(), other.name());
            scene.refuses(command, CommandError::OtherJointKind { joint, current, given });
        }
    }
}

#[test]
fn a_frequency_that_is_too_low_and_one_that_is_too_high_are_told_the_same_limits() {
    let mut scene = scene();
    let def = scene.def(JointKind::Fixed);
    let joint = scene.adds(JointKind::Fixed);
    let slider = scene.adds(JointKind::Slider { limits: None, motor: None });
    for (frequency, value) in [(fx!(0), "0"), (fx!(-2.5), "-2.5"), (fx!(5000), "5000")] {
        let spring = Some(Spring { frequency, ..SPRING });
        let told = |of: &str| format!("{of} frequency is {value}: it must be above 0 and at most 4000 Hz");
        let added = scene.world.add_joint(JointDef { softness: spring, ..def }).unwrap_err();
        assert_eq!(added.to_string(), told("softness"));
        let set = scene.world.set_joint_softness(joint, spring).unwrap_err();
        assert_eq!(set.to_string(), told("softness"));
        let motor = Some(Motor { spring, ..MOTOR });
        let set = scene.world.set_joint_kind(slider, JointKind::Slider { limits: None, motor }).unwrap_err();
        assert_eq!(set.to_string(), told("motor spring"));
    }
}

#[test]
fn errors_say_what_was_wrong_in_words() {
    let scene = scene();
    let texts = [
        (
            out_of("swing limit", fx!(4), fx!(0), fx!(3)).to_string(),
            "swing limit is 4: it must be from 0 to 3",
        ),
        (
            CommandError::from(JointError::NotPositive { field: "break force", value: fx!(-2) }).to_string(),
            "break force is -2: it must be above 0",
        ),
        (
            too_far("b", fx!(121)).to_string(),
            "frame b is 121 m from the centre of mass of its body: at most 120 m are allowed on a body that moves",
        ),
        (negative("motor force", fx!(-1)).to_string(), "motor force is -1: it must be at least 0"),
        (
            JointError::InvertedLimits { field: "hinge limit", lower: fx!(1), upper: fx!(0.5) }.to_string(),
            "hinge limits from 1 to 0.5: the lower one must not be above the upper one",
        ),
        (
            CommandError::NoDynamicBody { a: scene.fixed, b: scene.kinematic }.to_string(),
            "neither body 3.0 nor body 2.0 is dynamic: a joint would move nothing",
        ),
        (
            CommandError::StaleJoint(JointHandle { index: 3, generation: 1 }).to_string(),
            "joint 3.1 does not exist",
        ),
    ];
    for (text, expected) in texts {
        assert_eq!(text, expected);
    }
}

#[test]
fn an_added_joint_has_no_impulses_yet() {
    let mut scene = scene();
    let joint = scene.adds(JointKind::Fixed);
    let numbers = scene.world.numbers(Section::JointImpulses, joint.index as usize);
    assert_eq!(numbers.len(), 18);
    assert!(numbers.iter().all(|number| number.bits == 0));
}

#[test]
fn a_joint_that_differs_is_named_by_its_field() {
    let mut scene = scene();
    let joint = scene.adds(JointKind::Hinge { limits: None, motor: Some(MOTOR) });
    let before = scene.world.snapshot();
    scene.world.set_joint_break(joint, Some(fx!(5)), None).unwrap();
    let difference = before.difference(&scene.world.snapshot()).unwrap();
    assert!(difference.to_string().starts_with("Joints[0].break_force: None against Some("), "{difference}");
    scene.world.load(&before);
    let faster = Motor { velocity: fx!(1.5), ..MOTOR };
    scene.world.set_joint_kind(joint, JointKind::Hinge { limits: None, motor: Some(faster) }).unwrap();
    let difference = before.difference(&scene.world.snapshot()).unwrap();
    assert_eq!((difference.section, difference.item, difference.field), (Section::Joints, 0, "kind"));
    let [number] = &difference.numbers[..] else { panic!("{difference}") };
    assert_eq!(number.left.name(), "kind.motor.velocity");
    let half = scene.world.hash_tree();
    let (section, item) = World::from_snapshot(&before).hash_tree().first_difference(&half).unwrap();
    assert_eq!((section, item), (Section::Joints, 0));
}
