//! Mechanisms that move for long do not wear out.

use super::{build, gap, ticks, worst};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::JointKind;

#[test]
fn an_engine_that_runs_for_ten_minutes_holds_its_joints_to_a_millimetre_and_its_speed() {
    let mut world = build("doors", 1);
    let motor = |kind: &JointKind| matches!(kind, JointKind::Hinge { limits: None, motor: Some(_) });
    let crank = world.joints().find(|joint| motor(joint.kind())).unwrap().handle();
    let mut turned = Fx::ZERO;
    let mut last = world.joint(crank).unwrap().angle();
    let mut widest = Fx::ZERO;
    let ticks = ticks(36_000, 300);
    for tick in 0..ticks {
        world.step();
        let now = world.joint(crank).unwrap().angle();
        let step = now - last;
        turned += if step < -Fx::PI { step + Fx::TAU } else { step };
        last = now;
        // What falls and is thrown has come to rest by then.
        if tick >= 240 {
            widest = widest.max(worst(&world, gap));
        }
    }
    let expected = fx!(4) * Fx::from_ratio(i64::from(ticks), 60);
    println!("the widest gap is {widest} m, it turned by {turned} rad instead of {expected}");
    assert!(widest < fx!(0.001), "{widest}");
    assert!(turned.abs_diff_eq(expected, expected * fx!(0.002) + fx!(0.2)), "{turned} instead of {expected}");
}

#[test]
fn a_car_that_drives_for_ten_minutes_holds_its_wheels_to_a_few_millimetres_and_its_speed() {
    let mut world = build("cars", 1);
    let chassis = world.joints().next().unwrap().bodies()[0];
    let mut widest = Fx::ZERO;
    let (mut way, mut tilt) = (Fx::ZERO, Fx::ONE);
    let ticks = ticks(36_000, 300);
    for tick in 0..ticks {
        world.step();
        widest = widest.max(worst(&world, gap));
        let body = world.body(chassis).unwrap();
        tilt = tilt.min((body.rotation() * Vec3::Y).y);
        // From then on it has its speed.
        if tick >= 180 {
            way += body.linear_velocity().length() * Fx::from_ratio(1, 60);
        }
    }
    let expected = fx!(7) * Fx::from_ratio(i64::from(ticks) - 180, 60);
    println!("the widest gap is {widest} m, it drove {way} m of {expected}, and its side was {tilt} up");
    assert!(widest < fx!(0.005), "{widest}");
    assert!(way.abs_diff_eq(expected, expected * fx!(0.03)), "{way} m instead of {expected}");
    assert!(tilt > fx!(0.95), "{tilt}");
}
