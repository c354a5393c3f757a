//! As much as a small game has: 60 obstacles, and boxes and balls that are thrown about among them.

use crate::random::Lcg;
use crate::stage::{Stage, ball, cuboid, light, number};
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef};

pub(crate) fn fill(stage: &mut Stage, rows: u32) {
    let mut random = Lcg::new(5);
    stage.ground(fx!(14));
    stage.walls(fx!(12), fx!(6), fx!(14));
    for i in 0..11 {
        for j in 0..5 {
            let half = vec3(random.between(300, 700), random.between(200, 1200), random.between(300, 700));
            let center = vec3((number(i) - fx!(5)) * fx!(2.1), half.y, (number(j) - fx!(2)) * fx!(4.2));
            let turn = Quat::from_rotation_y(random.between(-500, 500));
            stage.add(BodyDef::fixed(center).rotated(turn), ColliderDef::new(cuboid(half)));
        }
    }
    let place = |index: u32| (number(index % 8) - fx!(3.5)) * fx!(2.6);
    for index in 0..8 * rows {
        let half = vec3(random.between(250, 500), random.between(250, 500), random.between(250, 500));
        let side = number(index / 8 % 2) - Fx::HALF;
        let y = fx!(3.5) + number(index / 16) * fx!(1.5);
        let center = vec3(place(index), y, side * fx!(7) + random.between(-1000, 1000));
        let axis =
            vec3(random.between(-1000, 1000), random.between(-1000, 1000), random.between(-1000, 1000));
        let turn = Quat::from_axis_angle(axis.normalize_or(Vec3::Y), random.between(-800, 800));
        let velocity =
            vec3(random.between(-5000, 5000), random.between(-1000, 2000), random.between(-5000, 5000));
        stage.add(BodyDef::dynamic(center).rotated(turn).moving(velocity), light(cuboid(half)));
    }
    for index in 0..8 * rows.div_ceil(2) {
        let radius = random.between(300, 500);
        let y = fx!(3.5) + number(index / 8) * fx!(1.5);
        let center = vec3(place(index) + fx!(1.2), y, random.between(-2000, 2000));
        let velocity =
            vec3(random.between(-6000, 6000), random.between(-1000, 2000), random.between(-6000, 6000));
        stage.add(BodyDef::dynamic(center).moving(velocity), light(ball(radius)));
    }
}
