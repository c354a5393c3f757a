//! Layers of bodies that fall into a pit.

use crate::random::Lcg;
use crate::stage::{Stage, ball, cuboid, light, number};
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use isostep_step::BodyDef;

/// How far a layer is beside the middle, so that none lies exactly on the one below.
fn offset(layer: u32) -> (Fx, Fx) {
    let x = [fx!(0.25), fx!(-0.25), fx!(0.125), fx!(-0.1875)];
    let z = [fx!(-0.125), fx!(0.25), fx!(0.1875), fx!(-0.25)];
    (x[layer as usize % 4], z[layer as usize / 2 % 4])
}

/// Boxes that are turned a little and move sideways, so that the layers mix.
pub(crate) fn boxes(stage: &mut Stage, layers: u32) {
    let mut random = Lcg::new(2);
    stage.pit(fx!(6));
    for layer in 0..layers {
        let (x, z) = offset(layer);
        let y = fx!(1) + number(layer) * fx!(1.5);
        for i in 0..8 {
            for j in 0..8 {
                let axis = vec3(
                    random.between(-1000, 1000),
                    random.between(-1000, 1000),
                    random.between(-1000, 1000),
                );
                let angle = random.between(-300, 300);
                let velocity = vec3(random.between(-3000, 3000), fx!(0), random.between(-3000, 3000));
                let place = |index| (number(index) - fx!(3.5)) * fx!(1.25);
                let body = BodyDef::dynamic(vec3(place(i) + x, y, place(j) + z))
                    .rotated(Quat::from_axis_angle(axis.normalize_or(Vec3::Y), angle))
                    .moving(velocity);
                stage.add(body, light(cuboid(Vec3::splat(Fx::HALF))));
            }
        }
    }
}

/// Balls on a grid that is a little uneven.
pub(crate) fn spheres(stage: &mut Stage, layers: u32) {
    let mut random = Lcg::new(3);
    stage.pit(fx!(10));
    for layer in 0..layers {
        let (x, z) = offset(layer);
        let y = fx!(1) + number(layer) * fx!(1.2);
        for i in 0..16 {
            for j in 0..16 {
                let place = |index| (number(index) - fx!(7.5)) * fx!(1.2);
                let x = place(i) + x + random.between(-50, 50);
                let z = place(j) + z + random.between(-50, 50);
                stage.add(BodyDef::dynamic(vec3(x, y, z)), light(ball(Fx::HALF)));
            }
        }
    }
}
