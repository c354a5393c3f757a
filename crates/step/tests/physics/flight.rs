//! Bodies that touch nothing.

use super::*;
use isostep_step::AxisLocks;

#[test]
fn a_body_falls_half_g_t_squared_within_a_hundredth_of_a_millimetre_in_ten_seconds() {
    for rate in [30, 60, 144] {
        let config = WorldConfig { tick_rate: rate, ..WorldConfig::default() };
        let mut world = World::new(config).unwrap();
        let body = add(&mut world, BodyDef::dynamic(Vec3::ZERO), ball(HALF), Material::default());
        steps(&mut world, 10 * rate);
        let view = world.body(body).unwrap();
        assert_within(view.position(), vec3(ZERO, fx!(-490.5), ZERO), fx!(0.00001), "position");
        assert_within(view.linear_velocity(), vec3(ZERO, fx!(-98.1), ZERO), fx!(0.00001), "velocity");
    }
}

#[test]
fn where_gravity_is_weak_bodies_do_not_fall_asleep_in_mid_air() {
    let gravity = vec3(ZERO, fx!(-0.04), ZERO);
    let mut world = World::new(WorldConfig { gravity, ..WorldConfig::default() }).unwrap();
    let stays = BodyDef { gravity_scale: ZERO, ..BodyDef::dynamic(Vec3::X * fx!(5)) };
    let locks = AxisLocks::TRANSLATION_Y;
    let held = BodyDef { locks, ..BodyDef::dynamic(Vec3::X * fx!(-5)) };
    let [falls, stays, held] = [BodyDef::dynamic(Vec3::ZERO), stays, held]
        .map(|def| add(&mut world, def, ball(HALF), Material::default()));
    steps(&mut world, 600);
    assert_near(world.body(falls).unwrap().position().y, fx!(-2), fx!(0.001), "way");
    assert!([stays, held].iter().all(|&body| world.body(body).unwrap().is_asleep()), "nothing moves them");
}

#[test]
fn a_projectile_follows_its_parabola_within_a_hundredth_of_a_millimetre() {
    let mut world = world(true);
    let (start, velocity) = (vec3(fx!(3), fx!(-7), fx!(11)), vec3(fx!(31.7), fx!(44.3), fx!(-12.9)));
    let body = add(&mut world, BodyDef::dynamic(start).moving(velocity), cube(HALF), Material::default());
    for tick in 1..=600 {
        world.step();
        let t = seconds(tick);
        let expected = start + velocity * t - Vec3::Y * (fx!(4.905) * t * t);
        assert_within(world.body(body).unwrap().position(), expected, fx!(0.00001), "position");
    }
}

#[test]
fn without_gravity_a_body_goes_straight_on_and_keeps_its_velocity_to_the_bit() {
    let mut world = world(false);
    let velocity = vec3(fx!(1.25), fx!(-333.3), fx!(0.001));
    let body =
        add(&mut world, BodyDef::dynamic(Vec3::ZERO).moving(velocity), cube(HALF), Material::default());
    steps(&mut world, 600);
    let view = world.body(body).unwrap();
    assert_eq!(view.linear_velocity(), velocity);
    assert_within(view.position(), velocity * fx!(10), fx!(0.000001), "position");
}

#[test]
fn gravity_counts_as_much_as_its_scale_says() {
    let mut world = world(true);
    let bodies = [fx!(0), fx!(1), fx!(-1), fx!(2.5), fx!(50)].map(|scale| {
        let def = BodyDef { gravity_scale: scale, ..BodyDef::dynamic(Vec3::X * scale * fx!(5)) };
        (add(&mut world, def, ball(HALF), Material::default()), scale)
    });
    steps(&mut world, 60);
    for (body, scale) in bodies {
        let fallen = world.body(body).unwrap().position().y;
        assert!(fallen.abs_diff_eq(fx!(-4.905) * scale, fx!(0.00001)), "{scale}: {fallen}");
    }
}

#[test]
fn the_greatest_gravity_pulls_down_and_with_the_greatest_force_too() {
    for rate in [20, 25, 60] {
        let config = WorldConfig {
            tick_rate: rate,
            substeps: 1,
            gravity: vec3(ZERO, fx!(-1000), ZERO),
            ..WorldConfig::default()
        };
        let mut world = World::new(config).unwrap();
        let def = BodyDef { gravity_scale: fx!(100), ..BodyDef::dynamic(Vec3::ZERO) };
        let body = add(&mut world, def, ball(HALF), Material::default());
        for _ in 0..3 {
            world.apply_force(body, vec3(ZERO, Fx::MIN, ZERO)).unwrap();
            world.step();
            let velocity = world.body(body).unwrap().linear_velocity();
            assert_eq!(velocity, vec3(ZERO, -config.max_linear_speed, ZERO), "{rate} ticks a second");
        }
    }
}

#[test]
fn speeds_stop_at_their_caps_and_directions_stay() {
    let config = WorldConfig {
        gravity: Vec3::ZERO,
        max_linear_speed: fx!(100),
        max_angular_speed: fx!(50),
        ..WorldConfig::default()
    };
    let mut world = World::new(config).unwrap();
    let body = add(&mut world, BodyDef::dynamic(Vec3::ZERO), ball(HALF), Material::default());
    world.set_velocity(body, vec3(fx!(300), fx!(400), ZERO), vec3(ZERO, fx!(60), fx!(80))).unwrap();
    world.step();
    let view = world.body(body).unwrap();
    assert_within(view.linear_velocity(), vec3(fx!(60), fx!(80), ZERO), fx!(0.000001), "velocity");
    assert_within(view.angular_velocity(), vec3(ZERO, fx!(30), fx!(40)), fx!(0.000001), "turn");
    for _ in 0..60 {
        world.apply_force(body, Vec3::X * fx!(2000000000)).unwrap();
        world.apply_torque(body, Vec3::X * fx!(2000000000)).unwrap();
        world.step();
        let view = world.body(body).unwrap();
        assert!(view.linear_velocity().length() <= fx!(100.000001), "{}", view.linear_velocity());
        assert!(view.angular_velocity().length() <= fx!(50.000001), "{}", view.angular_velocity());
    }
}

#[test]
fn no_point_of_a_long_body_gets_faster_than_the_world_allows() {
    let mut world = world(false);
    let rod = Obb::from_half_extents(vec3(fx!(20), fx!(0.1), fx!(0.1))).unwrap();
    let body =
        add(&mut world, BodyDef::dynamic(Vec3::ZERO).turning(Vec3::Y * fx!(200)), rod, Material::default());
    world.step();
    let turn = world.body(body).unwrap().angular_velocity().length();
    assert!(turn * fx!(20) <= fx!(500), "{turn}");
    assert!(turn * fx!(20) > fx!(495), "{turn}");
}

#[test]
fn velocities_decay_by_their_damping() {
    for (linear, angular) in [(fx!(0.5), fx!(1)), (fx!(1.5), fx!(0.1))] {
        let mut world = world(false);
        let def = BodyDef {
            linear_damping: linear,
            angular_damping: angular,
            ..BodyDef::dynamic(Vec3::ZERO).moving(Vec3::X * fx!(10)).turning(Vec3::Y * fx!(5))
        };
        let body = add(&mut world, def, ball(HALF), Material::default());
        steps(&mut world, 120);
        let view = world.body(body).unwrap();
        // Each substep keeps 1 / (1 + h d) of e^(−h d), which is t d² h / 2 too much in the end: here 0.9 %.
        assert_near(view.linear_velocity().x, fx!(10) * (linear * fx!(-2)).exp(), fx!(0.01), "velocity");
        assert_near(view.angular_velocity().y, fx!(5) * (angular * fx!(-2)).exp(), fx!(0.01), "turn");
        // v / d (1 − e^(−d t)).
        let way = fx!(10) / linear * (Fx::ONE - (linear * fx!(-2)).exp());
        assert_near(view.position().x, way, fx!(0.005), "way");
    }
}

#[test]
fn a_body_of_a_plane_stays_in_it_to_the_bit_whatever_hits_it() {
    let mut world = world(true);
    add_ground(&mut world, Material::default());
    let flat: Vec<_> = (0..12)
        .map(|i| {
            let height = Fx::from_int(i) * fx!(1.3) + fx!(0.7);
            let def = BodyDef {
                locks: AxisLocks::PLANE_XY,
                ..BodyDef::dynamic(vec3(Fx::from_int(i % 3) * fx!(0.4), height, fx!(0.125)))
            };
            add(&mut world, def, cube(HALF), Material::default())
        })
        .collect();
    let shot = BodyDef::dynamic(vec3(fx!(-5), fx!(2), fx!(0.6))).moving(Vec3::X * fx!(20));
    add(&mut world, shot, ball(fx!(0.6)), Material::default());
    for _ in 0..300 {
        world.step();
        for &body in &flat {
            let view = world.body(body).unwrap();
            assert_eq!(view.position().z, fx!(0.125));
            assert_eq!(view.linear_velocity().z, ZERO);
            assert_eq!(view.angular_velocity().with_z(ZERO), Vec3::ZERO);
            assert_eq!((view.rotation().x, view.rotation().y), (ZERO, ZERO));
        }
    }
    let moved = flat.iter().any(|&body| world.body(body).unwrap().position().x > fx!(1.5));
    assert!(moved, "the shot hit none");
}

#[test]
fn a_body_that_may_not_turn_does_not_and_one_that_may_not_move_turns() {
    let mut world = world(true);
    add_ground(&mut world, Material::default());
    let upright = BodyDef { locks: AxisLocks::ROTATION, ..BodyDef::dynamic(vec3(ZERO, HALF, ZERO)) };
    let upright = add(&mut world, upright, cube(HALF), Material::default());
    let pinned = AxisLocks::TRANSLATION_X.with(AxisLocks::TRANSLATION_Y).with(AxisLocks::TRANSLATION_Z);
    let pinned = BodyDef { locks: pinned, ..BodyDef::dynamic(vec3(fx!(5), fx!(3), ZERO)) };
    let pinned = add(&mut world, pinned, cube(HALF), Material::default());
    for (x, z) in [(fx!(-4), fx!(0.3)), (fx!(1), fx!(0.3))] {
        let shot = BodyDef::dynamic(vec3(x, if x == fx!(1) { fx!(3.2) } else { fx!(0.8) }, z));
        add(&mut world, shot.moving(Vec3::X * fx!(15)), ball(fx!(0.4)), Material::default());
    }
    let mut spun = ZERO;
    for _ in 0..120 {
        world.step();
        let (a, b) = (world.body(upright).unwrap(), world.body(pinned).unwrap());
        assert_eq!(a.rotation(), Quat::IDENTITY);
        assert_eq!(b.position(), vec3(fx!(5), fx!(3), ZERO));
        spun = spun.max(b.angular_velocity().length());
    }
    assert!(world.body(upright).unwrap().position().x > fx!(0.5), "the shot moved it");
    assert!(spun > fx!(1), "the shot turned it: {spun}");
}
