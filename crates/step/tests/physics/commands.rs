//! What forces and impulses do.

use super::*;
use isostep_math::Pose;
use isostep_step::{AxisLocks, Snapshot};

#[test]
fn a_force_gives_the_acceleration_that_the_mass_allows() {
    for mass in [fx!(0.01), fx!(1), fx!(12.5), fx!(30000)] {
        let mut world = world(false);
        let def = BodyDef { mass: Some(mass), ..BodyDef::dynamic(Vec3::ZERO) };
        let body = add(&mut world, def, ball(HALF), Material::default());
        let force = vec3(fx!(3), fx!(-1), fx!(0.5)) * mass;
        for _ in 0..120 {
            world.apply_force(body, force).unwrap();
            world.step();
        }
        let expected = force / mass;
        let view = world.body(body).unwrap();
        assert_within(view.linear_velocity(), expected * fx!(2), fx!(0.00001), "velocity");
        assert_within(view.position(), expected * fx!(2), fx!(0.00001), "position");
        world.step();
        let after = world.body(body).unwrap().linear_velocity();
        assert_within(after, expected * fx!(2), fx!(0.00001), "a force acts for one step");
    }
}

#[test]
fn the_density_of_colliders_makes_the_mass_unless_it_is_given() {
    let mut world = world(false);
    let body = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
    assert_eq!(world.body(body).unwrap().mass(), Some(Fx::ONE));
    world.add_collider(body, ColliderDef::new(cube(HALF)).with_density(fx!(700))).unwrap();
    assert_near(world.body(body).unwrap().mass().unwrap(), fx!(700), fx!(0.000001), "mass");
    world.set_mass(body, Some(fx!(3))).unwrap();
    assert_eq!(world.body(body).unwrap().mass(), Some(fx!(3)));
    world.set_mass(body, None).unwrap();
    assert_near(world.body(body).unwrap().mass().unwrap(), fx!(700), fx!(0.000001), "mass");
}

#[test]
fn an_impulse_at_a_point_moves_and_turns() {
    let mut world = world(false);
    let tilt = Quat::from_rotation_z(fx!(0.4));
    let def = BodyDef { mass: Some(fx!(2)), ..BodyDef::dynamic(vec3(fx!(100), fx!(5), ZERO)).rotated(tilt) };
    let body = add(&mut world, def, cube(HALF), Material::default());
    let arm = vec3(fx!(0.25), fx!(0.5), fx!(-0.5));
    let impulse = vec3(fx!(4), fx!(-1), fx!(3));
    world.apply_impulse_at(body, impulse, vec3(fx!(100), fx!(5), ZERO) + arm).unwrap();
    let view = world.body(body).unwrap();
    assert_within(view.linear_velocity(), impulse / fx!(2), fx!(0.000001), "velocity");
    // A cube of side 1 has m / 6 about every axis.
    assert_within(view.angular_velocity(), arm.cross(impulse) * fx!(3), fx!(0.00001), "turn");
    let at = vec3(fx!(100), fx!(5), ZERO) + arm;
    let expected = impulse / fx!(2) + (arm.cross(impulse) * fx!(3)).cross(arm);
    assert_within(view.velocity_at(at), expected, fx!(0.00001), "velocity of the point");
}

#[test]
fn a_force_at_a_point_is_a_force_and_a_torque() {
    let (mut one, mut other) = (world(false), world(false));
    let bodies = [&mut one, &mut other]
        .map(|world| add(world, BodyDef::dynamic(Vec3::ZERO), cube(HALF), Material::default()));
    let (force, point) = (vec3(fx!(400), fx!(-80), fx!(9)), vec3(fx!(0.5), fx!(0.2), fx!(-0.1)));
    for _ in 0..10 {
        let now = one.body(bodies[0]).unwrap().center_of_mass();
        one.apply_force_at(bodies[0], force, now + point).unwrap();
        other.apply_force(bodies[1], force).unwrap();
        other.apply_torque(bodies[1], point.cross(force)).unwrap();
        one.step();
        other.step();
    }
    let views = [one.body(bodies[0]).unwrap(), other.body(bodies[1]).unwrap()];
    assert!(
        views[0].linear_velocity().length() > fx!(0.01) && views[0].angular_velocity().length() > fx!(0.01)
    );
    assert_within(views[0].linear_velocity(), views[1].linear_velocity(), fx!(0.000001), "velocity");
    assert_within(views[0].angular_velocity(), views[1].angular_velocity(), fx!(0.000001), "turn");
}

#[test]
fn an_angular_impulse_turns_by_the_inertia_about_its_axis() {
    let mut world = world(false);
    let rod = Obb::from_half_extents(vec3(fx!(1), fx!(0.1), fx!(0.1))).unwrap();
    let def = BodyDef { mass: Some(fx!(6)), ..BodyDef::dynamic(Vec3::ZERO) };
    let body = add(&mut world, def, rod, Material::default());
    world.apply_angular_impulse(body, vec3(fx!(0.08), fx!(4.04), ZERO)).unwrap();
    // m (y² + z²) / 3 = 0.04 and m (x² + z²) / 3 = 2.02.
    let turn = world.body(body).unwrap().angular_velocity();
    assert_within(turn, vec3(fx!(2), fx!(2), ZERO), fx!(0.00001), "turn");
}

#[test]
fn the_impulse_of_an_impact_event_is_the_change_of_momentum() {
    let mut world = world(false);
    let masses = [fx!(2), fx!(5)];
    let bodies = [0, 1].map(|i| {
        let (x, v) = [(fx!(-2), fx!(6)), (fx!(2), fx!(-1))][i];
        let def = BodyDef { mass: Some(masses[i]), ..BodyDef::dynamic(Vec3::X * x).moving(Vec3::X * v) };
        add(&mut world, def, ball(HALF), surface(ZERO, HALF))
    });
    let mut impacts = Vec::new();
    for _ in 0..60 {
        world.step();
        impacts.extend(world.events().iter().filter_map(|event| match *event {
            isostep_step::Event::ContactImpact { approach_speed, impulse, point, normal, .. } => {
                Some((approach_speed, impulse, point, normal))
            }
            _ => None,
        }));
    }
    let [(speed, impulse, point, normal)] = impacts[..] else { panic!("{impacts:?}") };
    assert_near(speed, fx!(7), fx!(0.000001), "speed");
    let gained = (world.body(bodies[1]).unwrap().linear_velocity().x + Fx::ONE) * masses[1];
    assert_near(impulse, gained, fx!(0.001), "impulse");
    assert_eq!(normal, Vec3::X);
    assert!(point.x.abs_diff_eq(fx!(1.071), fx!(0.1)) && point.with_x(ZERO) == Vec3::ZERO, "{point}");
}

#[test]
fn what_is_put_on_a_body_that_spins_or_taken_off_leaves_each_point_its_velocity() {
    let mut world = world(false);
    let spin = Vec3::Z * fx!(2);
    let def = BodyDef { angular_velocity: spin, ..BodyDef::dynamic(Vec3::Y * fx!(3)).moving(Vec3::X) };
    let body = world.add_body(def).unwrap();
    world.add_collider(body, ColliderDef::new(ball(HALF))).unwrap();
    let other = ColliderDef::new(ball(HALF)).at(Pose::from_translation(Vec3::X * fx!(2)));
    let other = world.add_collider(body, other).unwrap();
    let points = [Vec3::ZERO, Vec3::Y * fx!(3), vec3(fx!(-7), fx!(1), fx!(2))];
    let velocities = |world: &World| points.map(|point| world.body(body).unwrap().velocity_at(point));
    let expected = points.map(|point| Vec3::X + spin.cross(point - Vec3::Y * fx!(3)));
    assert_eq!(velocities(&world), expected);
    assert_eq!(world.body(body).unwrap().center_of_mass(), vec3(fx!(1), fx!(3), ZERO));
    assert_eq!(world.body(body).unwrap().linear_velocity(), vec3(fx!(1), fx!(2), ZERO));
    world.remove_collider(other).unwrap();
    assert_eq!(velocities(&world), expected);
    assert_eq!(world.body(body).unwrap().linear_velocity(), Vec3::X);

    // What is held stays, and nothing gets faster than the world allows.
    world.set_locks(body, AxisLocks::TRANSLATION_Y).unwrap();
    let other = ColliderDef::new(ball(HALF)).at(Pose::from_translation(Vec3::X * fx!(2)));
    world.add_collider(body, other).unwrap();
    assert_eq!(world.body(body).unwrap().linear_velocity(), Vec3::X);
    world.set_locks(body, AxisLocks::NONE).unwrap();
    world.set_velocity(body, Vec3::ZERO, Vec3::Z * fx!(100)).unwrap();
    let far =
        ColliderDef::new(ball(HALF)).with_density(fx!(20000)).at(Pose::from_translation(Vec3::X * fx!(100)));
    world.add_collider(body, far).unwrap();
    let speed = world.body(body).unwrap().linear_velocity().length();
    assert_near(speed, world.config().max_linear_speed, fx!(0.001), "speed");
    assert!(Snapshot::from_bytes(&world.snapshot().to_bytes()).is_ok());
}
