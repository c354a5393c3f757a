//! Bullets against what moves by itself.

use super::*;

/// A shot at a target at rest: whether it is behind it after half a second, and how fast the target is then.
fn shoot(target: &Shape, continuous: Continuous, speed: Fx, asleep: bool) -> (bool, Fx) {
    let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 1, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let def = BodyDef { can_sleep: asleep, ..BodyDef::dynamic(Vec3::ZERO) };
    let target = add(&mut world, def, ColliderDef::new(*target));
    for _ in 0..5 {
        world.step();
    }
    assert_eq!(world.body(target).unwrap().is_asleep(), asleep);
    let def = BodyDef { continuous, ..BodyDef::dynamic(Vec3::X * fx!(-3.1)) }.moving(Vec3::X * speed);
    let bullet = add(&mut world, def, ColliderDef::new(ball(fx!(0.05))));
    for _ in 0..30 {
        world.step();
    }
    let [bullet, target] = [bullet, target].map(|body| world.body(body).unwrap());
    (bullet.position().x > target.position().x, target.linear_velocity().x)
}

#[test]
fn bullets_hit_thin_boxes_and_small_balls_and_others_fly_through() {
    for target in [slab(fx!(0.005), fx!(0.5), fx!(0.5)), ball(fx!(0.03))] {
        for speed in [fx!(100), fx!(333), fx!(500)] {
            for asleep in [false, true] {
                let (passed, pushed) = shoot(&target, Continuous::All, speed, asleep);
                assert!(!passed && pushed > fx!(1), "{target:?} at {speed} m/s: {passed}, {pushed}");
            }
            // Where it begins and ends a tick, it is before or behind the target.
            let (passed, pushed) = shoot(&target, Continuous::Scenery, speed, false);
            assert!(passed && pushed == fx!(0), "{target:?} at {speed} m/s: {passed}, {pushed}");
        }
    }
}

#[test]
fn bullets_that_meet_bounce_off_each_other_halfway() {
    for (speed, offset) in [(fx!(500), fx!(0)), (fx!(200), fx!(0.01)), (fx!(77), fx!(0))] {
        let mut world = weightless();
        let bullets = [fx!(-1), fx!(1)].map(|side| {
            let at = vec3(side * fx!(3), side * offset, fx!(0));
            let def = BodyDef::dynamic(at).moving(Vec3::X * side * -speed).as_bullet();
            add(&mut world, def, ColliderDef::new(ball(fx!(0.05))).with_material(surface(fx!(0), fx!(1))))
        });
        for _ in 0..20 {
            world.step();
            let [a, b] = bullets.map(|body| world.body(body).unwrap());
            assert_eq!(a.position(), -b.position());
            assert!(a.position().x < b.position().x || offset > fx!(0), "{speed}: {}", a.position());
        }
        let velocity = world.body(bullets[0]).unwrap().linear_velocity();
        assert!(velocity.x < speed * fx!(-0.7), "{speed}: {velocity}");
        assert!(velocity.length().abs_diff_eq(speed, speed * fx!(0.01)));
    }
}

#[test]
fn a_bullet_catches_up_with_a_box_that_flees_and_one_that_comes() {
    for velocity in [fx!(200), fx!(-200), fx!(30), fx!(-300)] {
        let mut world = weightless();
        let plate = slab(fx!(0.01), fx!(0.5), fx!(0.5));
        let prey = BodyDef { mass: Some(fx!(50)), ..BodyDef::dynamic(Vec3::ZERO) }.moving(Vec3::X * velocity);
        let prey = add(&mut world, prey, ColliderDef::new(plate));
        let def = BodyDef::dynamic(Vec3::X * fx!(-6)).moving(Vec3::X * fx!(450)).as_bullet();
        let bullet = add(&mut world, def, ColliderDef::new(ball(fx!(0.04))));
        for tick in 0..30 {
            world.step();
            let [bullet, prey] = [bullet, prey].map(|body| world.body(body).unwrap().position().x);
            assert!(bullet < prey, "{velocity} m/s, tick {tick}: {bullet} and {prey}");
        }
        let after = world.body(prey).unwrap().linear_velocity().x;
        assert!(after > velocity + fx!(0.5), "{velocity} m/s: {after}");
    }
}

/// In a box of thin walls that floats freely.
#[test]
fn bullets_stay_in_a_shell_that_they_push_about() {
    let (shells, ticks) = if is_short() { (2, 30) } else { (20, 120) };
    for seed in 0..shells {
        let (mut world, mut rng) = (weightless(), Rng::new(seed, 31));
        let def = BodyDef { mass: Some(fx!(200)), ..BodyDef::dynamic(Vec3::ZERO) };
        let shell = world.add_body(def).unwrap();
        for axis in 0..3 {
            for side in [fx!(-1), fx!(1)] {
                let (mut at, mut halves) = (Vec3::ZERO, Vec3::ONE);
                (at[axis], halves[axis]) = (side, fx!(0.02));
                let wall =
                    ColliderDef::new(slab(halves.x, halves.y, halves.z)).at(Pose::from_translation(at));
                world.add_collider(shell, wall).unwrap();
            }
        }
        let bullets: Vec<_> = (0..6)
            .map(|_| {
                let at = rng.unit_vec3() * fx!(0.6);
                let def = BodyDef::dynamic(at)
                    .moving(rng.unit_vec3() * rng.fx_range(fx!(20), fx!(400)))
                    .as_bullet();
                let material = surface(fx!(0.2), fx!(0.9));
                add(
                    &mut world,
                    def,
                    ColliderDef::new(ball(fx!(0.04))).with_material(material).with_density(fx!(7000)),
                )
            })
            .collect();
        for tick in 0..ticks {
            world.step();
            let shell = world.body(shell).unwrap().pose();
            for &bullet in &bullets {
                let at = shell.inverse_transform_point(world.body(bullet).unwrap().position());
                assert!(at.abs().max_element() < fx!(1), "seed {seed}, tick {tick}: {bullet} is at {at}");
            }
        }
    }
}
