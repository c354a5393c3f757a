//! All shapes on a plane, some of which bounce, under an arm that turns, over a sensor.

use crate::stage::{Stage, ball, capsule, cuboid, number};
use isostep_collision::{HalfSpace, Shape};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, Material};

pub(crate) fn fill(stage: &mut Stage, layers: u32) {
    stage.add(BodyDef::fixed(Vec3::ZERO), ColliderDef::new(HalfSpace::ground(fx!(0))));
    // Planes that lean inwards, so that everything stays.
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let inward = (normal + Vec3::Y * fx!(0.5)).normalize();
        let wall = HalfSpace::new(normal * fx!(-6), inward).expect("a unit normal");
        stage.add(BodyDef::fixed(Vec3::ZERO), ColliderDef::new(wall));
    }
    let arm = BodyDef::kinematic(vec3(fx!(0), fx!(0.6), fx!(0))).turning(Vec3::Y * fx!(1.5));
    stage.add(arm, ColliderDef::new(cuboid(vec3(fx!(4), fx!(0.2), fx!(0.2)))));
    let sensor = ColliderDef::new(cuboid(vec3(fx!(3), fx!(0.5), fx!(3)))).as_sensor();
    stage.add(BodyDef::fixed(vec3(fx!(0), fx!(0.5), fx!(0))), sensor);

    let mut rng = Rng::new(11, 0);
    for layer in 0..layers {
        for index in 0..16 {
            let place = |index: u32| (number(index % 4) - fx!(1.5)) * fx!(1.6);
            let y = fx!(2) + number(layer) * fx!(1.6);
            let body = BodyDef::dynamic(vec3(place(index), y, place(index / 4)))
                .rotated(rng.unit_quat().normalize())
                .moving(rng.unit_vec3() * fx!(2))
                .turning(rng.unit_vec3() * fx!(3));
            let size = rng.fx_range(fx!(0.25), fx!(0.5));
            let shape: Shape = match index % 4 {
                0 => ball(size).into(),
                1 => capsule(size, fx!(0.25)).into(),
                _ => cuboid(vec3(size, fx!(0.3), rng.fx_range(fx!(0.25), fx!(0.5)))).into(),
            };
            let bouncy =
                Material { restitution: Fx::from_ratio(i64::from(index), 20), ..Material::default() };
            let mut def = ColliderDef::new(shape).with_material(bouncy);
            if index % 4 == 3 {
                // Off the middle of its body, and turned in it.
                def = def.at(Pose::new(Quat::from_rotation_x(fx!(0.5)), vec3(fx!(0.3), fx!(0), fx!(0.1))));
            }
            stage.add(body, def);
        }
    }
}
