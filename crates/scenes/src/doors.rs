//! What joints are for: doors, a seesaw, a lift, a rope, a sign, a hand, and an engine that never rests.

use crate::stage::{FREE_HINGE, Stage, ball, cuboid, number, x_to_y, x_to_z};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, JointDef, JointKind, Limits, Motor, Pull, Spring};

/// From set to set, in m.
const SET: Fx = fx!(6);

pub(crate) fn fill(stage: &mut Stage, sets: u32) {
    let ground = stage.fixed_box(vec3(fx!(300), fx!(1), fx!(300)), Vec3::NEG_Y);
    for set in 0..sets {
        let z = (number(set) - number(sets - 1) * Fx::HALF) * SET;
        let at = |x: Fx| vec3(x, fx!(0), z);
        closing_door(stage, at(fx!(-9)));
        swing_door(stage, at(fx!(-6)));
        seesaw(stage, ground, at(fx!(-2.5)));
        lift(stage, ground, at(fx!(1)));
        rope(stage, at(fx!(3)));
        sign(stage, at(fx!(5)));
        hand(stage, ground, at(fx!(7)));
        engine(stage, ground, at(fx!(9)));
    }
}

fn limits(lower: Fx, upper: Fx) -> Option<Limits> {
    Some(Limits { lower, upper })
}

fn boxed(stage: &mut Stage, half_extents: Vec3, center: Vec3) -> BodyHandle {
    stage.add(BodyDef::dynamic(center), ColliderDef::new(cuboid(half_extents)))
}

/// A board of 1 m × 2 m on a post to its left, 5 cm above the ground.
fn door(stage: &mut Stage, at: Vec3, kind: JointKind) {
    let post = stage.fixed_box(vec3(fx!(0.05), fx!(1.1), fx!(0.05)), at + Vec3::Y * fx!(1.1));
    let center = vec3(fx!(0.56), fx!(1.05), fx!(0));
    let board = stage.add(
        BodyDef::dynamic(at + center),
        ColliderDef::new(cuboid(vec3(fx!(0.5), fx!(1), fx!(0.03)))).with_density(fx!(500)),
    );
    stage.join(kind, [post, board], Pose::new(x_to_y(), at));
}

/// A motor with a spring opens it, without overshoot.
fn closing_door(stage: &mut Stage, at: Vec3) {
    let spring = Some(Spring { frequency: fx!(0.5), damping_ratio: fx!(1) });
    let motor = Motor { position: fx!(1.2), velocity: fx!(0), spring, max_force: fx!(200) };
    door(stage, at, JointKind::Hinge { limits: limits(fx!(-1.5), fx!(1.5)), motor: Some(motor) });
}

/// A ball hits it; it goes to its limit, and a brake brings it to rest.
fn swing_door(stage: &mut Stage, at: Vec3) {
    let motor = Motor { max_force: fx!(4), ..Motor::default() };
    door(stage, at, JointKind::Hinge { limits: limits(fx!(-1.4), fx!(1.4)), motor: Some(motor) });
    let thrown = BodyDef::dynamic(at + vec3(fx!(0.8), fx!(1), fx!(2))).moving(vec3(fx!(0), fx!(2), fx!(-6)));
    stage.add(thrown, ColliderDef::new(ball(fx!(0.15))));
}

/// A plank on which a heavy box and a light one lie.
fn seesaw(stage: &mut Stage, ground: BodyHandle, at: Vec3) {
    let height = Vec3::Y * fx!(0.6);
    let plank = boxed(stage, vec3(fx!(1.5), fx!(0.05), fx!(0.3)), at + height);
    let kind = JointKind::Hinge { limits: limits(fx!(-0.3), fx!(0.3)), motor: None };
    stage.join(kind, [ground, plank], Pose::new(x_to_z(), at + height));
    for (x, half) in [(fx!(-1.2), fx!(0.15)), (fx!(1), fx!(0.25))] {
        let on_plank = vec3(x, fx!(0.06) + half, fx!(0));
        boxed(stage, Vec3::splat(half), at + height + on_plank);
    }
}

/// A platform on a slider whose motor draws it and its load to 2 m.
fn lift(stage: &mut Stage, ground: BodyHandle, at: Vec3) {
    let low = at + Vec3::Y * fx!(0.3);
    let platform = boxed(stage, vec3(fx!(0.6), fx!(0.1), fx!(0.6)), low);
    let spring = Some(Spring { frequency: fx!(0.7), damping_ratio: fx!(1) });
    let motor = Motor { position: fx!(2.5), velocity: fx!(0), spring, max_force: fx!(10000) };
    let kind = JointKind::Slider { limits: limits(fx!(0), fx!(2)), motor: Some(motor) };
    stage.join(kind, [ground, platform], Pose::new(x_to_y(), low));
    boxed(stage, Vec3::splat(fx!(0.2)), low + Vec3::Y * fx!(0.31));
}

/// A ball on a rope of 1.5 m that is slack at first.
fn rope(stage: &mut Stage, at: Vec3) {
    let top = at + Vec3::Y * fx!(2.5);
    let hook = stage.fixed_box(Vec3::splat(fx!(0.06)), top);
    let slack =
        BodyDef { linear_damping: fx!(0.4), ..BodyDef::dynamic(top + vec3(fx!(0.5), fx!(-0.4), fx!(0.3))) };
    let weight = stage.add(slack, ColliderDef::new(ball(fx!(0.15))));
    let kind = JointKind::Distance { limits: limits(fx!(0), fx!(1.5)), motor: None };
    stage.add_joint(JointDef::new(kind, (hook, Pose::IDENTITY), (weight, Pose::IDENTITY)));
}

/// A board that is fixed to a post at its edge, and a ball that falls on it.
fn sign(stage: &mut Stage, at: Vec3) {
    let post = stage.fixed_box(vec3(fx!(0.05), fx!(0.75), fx!(0.05)), at + Vec3::Y * fx!(0.75));
    let board = boxed(stage, vec3(fx!(0.5), fx!(0.04), fx!(0.3)), at + vec3(fx!(0.55), fx!(1.3), fx!(0)));
    stage.join(
        JointKind::Fixed,
        [post, board],
        Pose::from_translation(at + vec3(fx!(0.05), fx!(1.3), fx!(0))),
    );
    let falling = BodyDef::dynamic(at + vec3(fx!(0.6), fx!(2.2), fx!(0.1)));
    stage.add(falling, ColliderDef::new(ball(fx!(0.12))));
}

/// A tray that is drawn to a pose by forces that suffice for it and for a box on it.
fn hand(stage: &mut Stage, ground: BodyHandle, at: Vec3) {
    let low = at + Vec3::Y * fx!(0.4);
    let tray = boxed(stage, vec3(fx!(0.4), fx!(0.03), fx!(0.4)), low);
    let spring = Spring { frequency: fx!(3), damping_ratio: fx!(1) };
    let pose = Pose::new(Quat::from_rotation_y(fx!(0.8)), vec3(fx!(0), fx!(1), fx!(0)));
    let linear = Some(Pull { spring, max_force: fx!(2000) });
    let angular = Some(Pull { spring, max_force: fx!(500) });
    stage.join(JointKind::Target { pose, linear, angular }, [ground, tray], Pose::from_translation(low));
    boxed(stage, Vec3::splat(fx!(0.1)), low + Vec3::Y * fx!(0.14));
}

/// A crank that a motor turns, a rod, and a piston on a slider.
fn engine(stage: &mut Stage, ground: BodyHandle, at: Vec3) {
    let hub = at + Vec3::Y * fx!(1);
    let arm = vec3(fx!(0.3), fx!(0), fx!(0));
    let crank = boxed(stage, vec3(fx!(0.3), fx!(0.05), fx!(0.05)), hub);
    let motor = Motor { velocity: fx!(4), max_force: fx!(500), ..Motor::default() };
    let turned = JointKind::Hinge { limits: None, motor: Some(motor) };
    stage.join(turned, [ground, crank], Pose::new(x_to_z(), hub));
    // In front of the crank.
    let front = Vec3::Z * fx!(0.15);
    let rod = boxed(
        stage,
        vec3(fx!(0.5), fx!(0.03), fx!(0.03)),
        hub + arm + vec3(fx!(0.5), fx!(0), fx!(0)) + front,
    );
    stage.join(FREE_HINGE, [crank, rod], Pose::new(x_to_z(), hub + arm));
    let end = hub + arm + Vec3::X;
    let piston = boxed(stage, vec3(fx!(0.1), fx!(0.15), fx!(0.1)), end);
    stage.join(FREE_HINGE, [rod, piston], Pose::new(x_to_z(), end));
    let slider = JointKind::Slider { limits: None, motor: None };
    stage.join(slider, [ground, piston], Pose::from_translation(end));
}
