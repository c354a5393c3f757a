//! Newton's cradle: balls that bounce without loss, each on two rods, and the first is let go lifted.
//!
//! Pairs that touch are solved one after another, and bounces come once in a tick: a ball that hits a row of balls that
//! touch would push them all. So there are gaps, of about what a ball moves in a tick of 1/60 s, and the next pair meets in
//! another tick. A gap is also by how much the balls between move in a swing: each is some hundredths lower than the one
//! before, at any rate of ticks.

use crate::stage::{Stage, ball, number};
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, JointDef, JointKind, Limits, Material};

const RADIUS: Fx = fx!(0.15);

/// From surface to surface, in m.
const GAP: Fx = fx!(0.02);

/// How far the balls hang below the rods' upper ends, which are as far before and behind.
const DROP: Fx = fx!(1);
const BESIDE: Fx = fx!(0.4);

/// How far the first one is lifted, in radians: it comes down with 1.3 m/s.
const LIFTED: Fx = fx!(0.42);

pub(crate) fn fill(stage: &mut Stage, balls: u32) {
    stage.ground(fx!(100));
    let height = fx!(1.5);
    let pitch = RADIUS * fx!(2) + GAP;
    let half_width = pitch * number(balls) * Fx::HALF;
    let bars = [-BESIDE, BESIDE].map(|z| {
        let center = vec3(fx!(0), height, z);
        (center, stage.fixed_box(Vec3::new(half_width, fx!(0.03), fx!(0.03)), center))
    });
    let material = Material { restitution: Fx::ONE, friction: Fx::ZERO, ..Material::default() };
    let length = vec3(fx!(0), DROP, BESIDE).length();
    let rod = JointKind::Distance { limits: Some(Limits { lower: length, upper: length }), motor: None };
    for index in 0..balls {
        let x = pitch * (number(2 * index) - number(balls - 1)) * Fx::HALF;
        let angle = if index == 0 { LIFTED } else { Fx::ZERO };
        let (sin, cos) = angle.sin_cos();
        let body = BodyDef::dynamic(vec3(x - DROP * sin, height - DROP * cos, fx!(0)));
        // Those in the middle are still for long, and are to be hit as what moves.
        let body = BodyDef { can_sleep: false, ..body };
        let body = stage.add(body, ColliderDef::new(ball(RADIUS)).with_material(material));
        for (center, bar) in bars {
            let upper = Pose::from_translation(vec3(x, height, center.z) - center);
            stage.add_joint(JointDef::new(rod, (bar, upper), (body, Pose::IDENTITY)));
        }
    }
}
