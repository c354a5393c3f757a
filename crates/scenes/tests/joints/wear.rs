//! Mechanisms that move for long do not wear out.

use super::{build, gap, ticks, worst};
use isostep_math::{Fx, fx};
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
