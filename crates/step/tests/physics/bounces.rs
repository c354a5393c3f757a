//! What hits the ground: how it leaves it.

use super::*;
use isostep_math::random::Rng;

/// Half the extents of boxes.
const HALVES: [Vec3; 3] =
    [vec3(HALF, HALF, HALF), vec3(Fx::ONE, HALF, fx!(0.3)), vec3(fx!(0.4), HALF, fx!(0.4))];

/// With which velocities a body leaves the ground that it meets with others, without gravity.
fn hit(shape: impl Into<Shape>, material: Material, def: BodyDef) -> [Vec3; 2] {
    let mut world = world(false);
    add_ground(&mut world, material);
    let body = add(&mut world, def, shape, material);
    steps(&mut world, 60);
    let view = world.body(body).unwrap();
    [view.linear_velocity(), view.angular_velocity()]
}

/// A body whose lowest points are half a metre above the ground.
fn falling(rotation: Quat, velocity: Vec3) -> BodyDef {
    BodyDef::dynamic(Vec3::Y).rotated(rotation).moving(velocity)
}

#[test]
fn a_box_that_lands_flat_leaves_with_its_restitution_and_does_not_turn() {
    for half in HALVES {
        for yaw in [ZERO, fx!(0.4), fx!(2)] {
            for restitution in [ZERO, fx!(0.25), HALF, Fx::ONE] {
                let def = falling(Quat::from_rotation_y(yaw), Vec3::Y * fx!(-6));
                let shape = Obb::from_half_extents(half).unwrap();
                let [linear, angular] = hit(shape, surface(HALF, restitution), def);
                let what = format!("{half}, yaw {yaw}, restitution {restitution}");
                assert_within(linear, Vec3::Y * fx!(6) * restitution, fx!(0.03), &what);
                assert!(angular.length() < fx!(0.06), "{what}: it turns by {angular}");
            }
        }
    }
}

#[test]
fn a_box_that_lands_flat_and_slides_loses_what_friction_takes_and_does_not_turn() {
    for half in HALVES {
        for yaw in [ZERO, fx!(0.4)] {
            for (restitution, friction, speed) in [
                (ZERO, fx!(0.3), fx!(5)),
                (HALF, fx!(0.3), fx!(5)),
                (fx!(1), fx!(0.3), fx!(5)),
                (ZERO, fx!(0.6), fx!(9)),
                (HALF, fx!(0.6), fx!(9)),
                (ZERO, fx!(0.6), fx!(2)),
                (HALF, fx!(0.6), fx!(2)),
            ] {
                let def = falling(Quat::from_rotation_y(yaw), vec3(speed, fx!(-6), ZERO));
                let shape = Obb::from_half_extents(half).unwrap();
                let [linear, angular] = hit(shape, surface(friction, restitution), def);
                let what = format!("{half}, yaw {yaw}, {friction}, {restitution}, {speed} m/s");
                // μ (1 + e) v, or all of it.
                let left = (speed - friction * (Fx::ONE + restitution) * fx!(6)).max(ZERO);
                assert_within(linear, vec3(left, fx!(6) * restitution, ZERO), fx!(0.15), &what);
                assert!(angular.length() < fx!(0.3), "{what}: it turns by {angular}");
            }
        }
    }
}

#[test]
fn a_ball_that_bounces_loses_what_friction_takes_until_it_rolls() {
    for friction in [fx!(0.05), fx!(0.2), fx!(0.8)] {
        for restitution in [ZERO, HALF, Fx::ONE] {
            let def = falling(Quat::IDENTITY, vec3(fx!(5), fx!(-6), ZERO));
            let [linear, angular] = hit(ball(HALF), surface(friction, restitution), def);
            let what = format!("friction {friction}, restitution {restitution}");
            let lost = (friction * (Fx::ONE + restitution) * fx!(6)).min(fx!(10) / fx!(7));
            assert_within(linear, vec3(fx!(5) - lost, fx!(6) * restitution, ZERO), fx!(0.001), &what);
            // ⅖ m r² ω = m r Δv.
            assert_within(angular, Vec3::Z * lost * fx!(-5), fx!(0.005), &what);
        }
    }
}

/// By how much more energy a box has three ticks and more after it had the least, over that. Within three ticks it bounces.
fn most_gained(rng: &mut Rng, restitution: Fx) -> Fx {
    let half = Vec3::from_array([(); 3].map(|()| rng.fx_range(fx!(0.2), fx!(0.8))));
    let rotation = rng.unit_quat();
    let mut speed = || rng.fx_range(fx!(-8), fx!(8));
    let velocities = [vec3(speed(), fx!(-6), speed()), vec3(speed(), speed(), speed())];
    let material = surface(rng.fx_range(ZERO, Fx::ONE), restitution);
    let mut world = world(false);
    add_ground(&mut world, material);
    let def =
        BodyDef::dynamic(Vec3::Y * fx!(2)).rotated(rotation).moving(velocities[0]).turning(velocities[1]);
    let body = add(&mut world, def, Obb::from_half_extents(half).unwrap(), material);
    let mut energies = vec![energy(half, rotation, velocities)];
    let (mut least, mut most_gained) = (energies[0], ZERO);
    for tick in 0..60 {
        world.step();
        let view = world.body(body).unwrap();
        energies.push(energy(half, view.rotation(), [view.linear_velocity(), view.angular_velocity()]));
        if tick >= 2 {
            least = least.min(energies[tick - 2]);
            most_gained = most_gained.max(energies[tick + 1] / least - Fx::ONE);
        }
    }
    most_gained
}

/// Restitution that is one of velocities, and friction, may give energy where one kind of contact turns into another in a
/// bounce (T. Kane, *A dynamics puzzle*, 1984).
#[test]
fn hits_take_energy_and_almost_no_bounce_gives_any() {
    let mut rng = Rng::new(8, 0);
    for (restitution, most, usually) in [
        (ZERO, fx!(0.01), fx!(0.0001)),
        (HALF, fx!(0.0002), fx!(0.0001)),
        (fx!(0.8), fx!(0.0002), fx!(0.0001)),
        (Fx::ONE, fx!(0.35), fx!(0.05)),
    ] {
        let mut gained: Vec<Fx> = (0..500).map(|_| most_gained(&mut rng, restitution)).collect();
        gained.sort_unstable();
        let (last, usual) = (gained[499], gained[489]);
        assert!(last < most && usual < usually, "restitution {restitution}: {last}, but for ten {usual}");
    }
}

/// The most energy that a box without friction has in half a minute in a room of six metres, over that of its start. Nothing is
/// lost in a bounce.
fn most_energy(rng: &mut Rng, gravity: bool) -> Fx {
    let mut world = world(gravity);
    let material = surface(ZERO, Fx::ONE);
    let room = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    for normal in Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
        let wall = HalfSpace::new(normal * fx!(-3), normal).unwrap();
        world.add_collider(room, ColliderDef::new(wall).with_material(material)).unwrap();
    }
    let half = Vec3::from_array([(); 3].map(|()| rng.fx_range(fx!(0.1), HALF)));
    let rotation = rng.unit_quat();
    let mut speed = || rng.fx_range(fx!(-5), fx!(5));
    let velocities = [vec3(speed(), speed(), speed()), vec3(speed(), speed(), speed())];
    let def = BodyDef::dynamic(Vec3::ZERO).rotated(rotation).moving(velocities[0]).turning(velocities[1]);
    let body = add(&mut world, def, Obb::from_half_extents(half).unwrap(), material);
    let potential = |height: Fx| if gravity { (height + fx!(3)) * fx!(9.81) } else { ZERO };
    let start = energy(half, rotation, velocities) + potential(ZERO);
    let mut most = start;
    for _ in 0..1800 {
        world.step();
        let view = world.body(body).unwrap();
        let kinetic = energy(half, view.rotation(), [view.linear_velocity(), view.angular_velocity()]);
        most = most.max(kinetic + potential(view.position().y));
    }
    most / start
}

/// Some hundred bounces each, of what spins with up to 40 rad/s: with the velocities that the solver finds for the inertia of
/// the start of a tick, and all of its impulses turned with the body, boxes would have dozens of times their energy then.
#[test]
fn what_bounces_without_friction_or_loss_gains_no_energy() {
    let mut rng = Rng::new(9, 0);
    for gravity in [false, true] {
        let mut gained: Vec<Fx> = (0..40).map(|_| most_energy(&mut rng, gravity)).collect();
        gained.sort_unstable();
        let (last, middle) = (gained[39], gained[20]);
        assert!(last < fx!(1.15) && middle < fx!(1.02), "gravity {gravity}: {last}, in the middle {middle}");
    }
}
