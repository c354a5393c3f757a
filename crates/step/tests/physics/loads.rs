//! What contacts tell of what they bear.

use super::*;
use isostep_collision::penetration;
use isostep_math::Pose;
use isostep_step::{AxisLocks, ColliderHandle, ContactView, Snapshot};

const GRAVITY: Fx = fx!(9.81);

/// A hundredth of a per cent.
const PRECISE: Fx = fx!(0.0001);

fn heavy(mass: Fx, position: Vec3) -> BodyDef {
    BodyDef { mass: Some(mass), ..BodyDef::dynamic(position) }
}

/// A tower of cubes of 1 m on the ground, which weigh so many kg from below upwards, after ten seconds.
fn tower(masses: &[Fx]) -> World {
    let mut world = world(true);
    add_ground(&mut world, Material::default());
    for (mass, level) in masses.iter().zip(0..) {
        let position = Vec3::Y * (HALF + Fx::from_int(level));
        add(&mut world, heavy(*mass, position), cube(HALF), Material::default());
    }
    steps(&mut world, 600);
    world
}

/// The loads of the contacts of a tower, from below upwards.
fn loads(world: &World) -> Vec<Fx> {
    world.contacts().map(|contact| contact.normal_force()).collect()
}

/// Of each contact the colliders, and how many points it has where these are now.
fn point_counts(world: &World) -> Vec<(ColliderHandle, ColliderHandle, usize)> {
    let count = |contact: ContactView<'_>| contact.manifold().map_or(0, |found| found.points().len());
    world.contacts().map(|contact| (contact.a, contact.b, count(contact))).collect()
}

/// All that can be read of contacts.
fn all_of(world: &World) -> Vec<impl PartialEq + core::fmt::Debug + use<>> {
    let all = |contact: ContactView<'_>| {
        let forces = (contact.normal_force(), contact.friction_force());
        (contact.a, contact.b, contact.bodies(), contact.touching, contact.points, forces, contact.manifold())
    };
    world.contacts().map(all).collect()
}

#[test]
fn a_box_at_rest_weighs_what_it_should_whatever_its_mass() {
    for mass in [fx!(0.001), fx!(1), fx!(20), fx!(1000), fx!(50000000)] {
        let world = tower(&[mass]);
        let [load] = loads(&world)[..] else { panic!("one contact") };
        assert_near(load, mass * GRAVITY, PRECISE, "load");
        let contact = world.contacts().next().unwrap();
        assert!(contact.friction_force().length() <= load * PRECISE, "{}", contact.friction_force());
    }
}

#[test]
fn a_load_does_not_depend_on_what_bears_it_and_on_what_the_body_is_held_to() {
    let lift = BodyDef::kinematic(Vec3::NEG_Y).moving(Vec3::Y * HALF);
    for below in [BodyDef::fixed(Vec3::NEG_Y), lift] {
        for locks in [AxisLocks::NONE, AxisLocks::ROTATION, AxisLocks::PLANE_XY] {
            let mut world = world(true);
            let ground = add(&mut world, below, cube(Fx::ONE), Material::default());
            let def = BodyDef { locks, ..BodyDef::dynamic(Vec3::Y * HALF) };
            let body = add(&mut world, def, cube(HALF), Material::default());
            steps(&mut world, 300);
            let [contact] = world.body(ground).unwrap().contacts().collect::<Vec<_>>()[..] else { panic!() };
            assert_eq!(contact.bodies(), [ground, body]);
            assert_near(contact.normal_force(), fx!(1000) * GRAVITY, PRECISE, "load");
        }
    }
}

#[test]
fn each_contact_of_a_tower_bears_all_that_is_above_it() {
    let (light, middle, great) = (fx!(2), fx!(10), fx!(100));
    for masses in [
        [middle; 3],
        [great, middle, light],
        [light, middle, great],
        [light, great, light],
        [great, light, light],
    ] {
        let world = tower(&masses);
        let found = loads(&world);
        assert_eq!(found.len(), 3, "{masses:?}");
        for (level, load) in found.into_iter().enumerate() {
            let above: Fx = masses[level..].iter().copied().sum();
            assert_near(load, above * GRAVITY, PRECISE, "load");
        }
    }
}

#[test]
fn what_sleeps_bears_what_it_did_when_it_fell_asleep() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    add_ground(&mut world, Material::default());
    for level in 0..3 {
        let position = Vec3::Y * (HALF + Fx::from_int(level));
        add(&mut world, heavy(fx!(5), position), cube(HALF), Material::default());
    }
    steps(&mut world, 300);
    assert!(world.bodies().skip(1).all(|body| body.is_asleep()));
    for (load, count) in loads(&world).into_iter().zip([3, 2, 1]) {
        assert_near(load, Fx::from_int(count) * fx!(5) * GRAVITY, PRECISE, "load");
    }
}

#[test]
fn friction_and_the_normal_hold_a_box_on_a_slope() {
    // A slope of 18°, by tilting gravity.
    let gravity = vec3(fx!(3), fx!(-9), fx!(0.5));
    let config = WorldConfig { gravity, sleeping: false, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    add_ground(&mut world, Material::default());
    add(&mut world, heavy(fx!(8), Vec3::Y * HALF), cube(HALF), Material::default());
    steps(&mut world, 300);
    let contact = world.contacts().next().unwrap();
    let normal = contact.manifold().unwrap().normal * contact.normal_force();
    assert_within(normal + contact.friction_force(), gravity * fx!(-8), fx!(0.02), "force on the box");
    assert_within(contact.friction_force(), vec3(fx!(-24), ZERO, fx!(-4)), fx!(0.02), "friction");
}

#[test]
fn what_slides_is_held_by_the_coefficient_of_friction_times_the_normal_force() {
    let mut world = world(true);
    add_ground(&mut world, surface(fx!(0.25), ZERO));
    let def = heavy(fx!(4), Vec3::Y * HALF).moving(Vec3::X * fx!(10));
    add(&mut world, def, cube(HALF), surface(fx!(0.25), ZERO));
    steps(&mut world, 60);
    let contact = world.contacts().next().unwrap();
    assert_near(contact.normal_force(), fx!(4) * GRAVITY, fx!(0.001), "load");
    assert_within(contact.friction_force(), Vec3::X * fx!(-9.81), fx!(0.02), "friction");
}

#[test]
fn points_bear_their_parts_where_they_are() {
    // A dumbbell of which one weight is three times the other.
    let mut world = world(true);
    add_ground(&mut world, Material::default());
    let body = world.add_body(BodyDef::dynamic(vec3(fx!(3), HALF, fx!(-1)))).unwrap();
    for (x, density) in [(fx!(-1), fx!(10)), (fx!(1), fx!(30))] {
        let weight = ColliderDef::new(cube(HALF)).at(Pose::from_translation(Vec3::X * x));
        world.add_collider(body, weight.with_density(density)).unwrap();
    }
    steps(&mut world, 600);
    let view = world.body(body).unwrap();
    let (mut force, mut moment, mut points) = (ZERO, Vec3::ZERO, 0);
    for contact in view.contacts() {
        let manifold = contact.manifold().unwrap();
        assert_eq!((manifold.normal, manifold.points().len()), (Vec3::Y, usize::from(contact.points)));
        let sum: Fx = manifold.points().iter().map(|point| point.normal_force).sum();
        assert!(sum.abs_diff_eq(contact.normal_force(), fx!(0.000001)), "{sum}");
        for point in manifold.points() {
            assert_eq!(point.separation, point.on_b.y - point.on_a.y);
            assert!(point.on_a.y.abs_diff_eq(ZERO, fx!(0.000000001)) && point.separation.abs() < fx!(0.001));
            let lever = point.on_b - view.center_of_mass();
            assert!((lever.z.abs() - HALF).abs() < fx!(0.001), "at a corner: {lever}");
            moment += lever.with_y(ZERO) * point.normal_force;
            force += point.normal_force;
            points += 1;
        }
    }
    assert_eq!(points, 8);
    assert_near(force, fx!(40) * GRAVITY, PRECISE, "load");
    assert!(moment.length() < force * fx!(0.001), "{moment} N m about the centre of mass");
}

#[test]
fn a_manifold_is_where_shapes_are_now() {
    let mut world = tower(&[fx!(1), fx!(1)]);
    let [low, high] = [1, 2].map(|index| world.bodies().nth(index).unwrap().handle());
    let between = |world: &World| {
        let colliders = [low, high].map(|body| world.body(body).unwrap().colliders().next().unwrap());
        let contact = world.contact(colliders[1], colliders[0]).unwrap();
        assert_eq!([contact.a, contact.b], colliders);
        contact.manifold()
    };
    // Deeper, by a command.
    let raised = |y: Fx| Pose::from_translation(Vec3::Y * y);
    world.set_pose(low, raised(HALF)).unwrap();
    world.set_pose(high, raised(fx!(1.25))).unwrap();
    let deep = between(&world).unwrap();
    let shapes = world.colliders().skip(1).map(|collider| collider.world_shape()).collect::<Vec<_>>();
    let depth = penetration(&shapes[0], &Pose::IDENTITY, &shapes[1], &Pose::IDENTITY).unwrap().depth;
    assert!(deep.points().iter().all(|point| point.separation == -depth && depth == fx!(0.25)));
    assert!(deep.points().iter().all(|point| point.normal_force > fx!(2)), "the same corners meet");
    // Apart, within the margin and beyond it.
    world.set_pose(high, raised(fx!(1.515))).unwrap();
    let apart = between(&world).unwrap();
    assert!(apart.points().iter().all(|point| point.separation.abs_diff_eq(fx!(0.015), fx!(0.000000002))));
    world.set_pose(high, raised(fx!(1.53))).unwrap();
    assert_eq!(between(&world), None);
    // On another face: nothing is known of its points.
    let turned = Quat::from_rotation_x(Fx::FRAC_PI_2);
    world.set_pose(high, Pose::new(turned, Vec3::Y * fx!(1.5))).unwrap();
    let other = between(&world).unwrap();
    assert!(other.points().len() == 4 && other.points().iter().all(|point| point.normal_force == ZERO));
}

#[test]
fn a_world_that_was_loaded_tells_the_same_of_its_contacts_to_the_bit() {
    let mut world = tower(&[fx!(3), fx!(1), fx!(200)]);
    let thrown = BodyDef { order: 7, ..BodyDef::dynamic(vec3(fx!(4), fx!(2.6), ZERO)) };
    let thrown = thrown.moving(Vec3::X * fx!(-9)).turning(Vec3::splat(fx!(2)));
    add(&mut world, thrown, cube(HALF), surface(HALF, HALF));
    let mut other = tower(&[fx!(1)]);
    let (mut busy, mut hits) = (0, 0);
    for _ in 0..60 {
        let expected = point_counts(&world);
        world.step();
        // A step solves the points that were told of before it.
        for (a, b, count) in expected {
            assert_eq!(world.contact(a, b).map_or(0, |contact| usize::from(contact.points)), count);
        }
        let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
        other.load(&snapshot);
        assert_eq!(all_of(&world), all_of(&World::from_snapshot(&snapshot)));
        assert_eq!(all_of(&world), all_of(&other));
        // A question changes nothing of it.
        let before = all_of(&world);
        let _ = world.queries();
        assert_eq!(all_of(&world), before);
        busy += usize::from(world.contacts().any(|contact| contact.friction_force() != Vec3::ZERO));
        hits += world.contacts().filter(|contact| contact.normal_force() > fx!(2500)).count();
    }
    assert!(busy > 0 && hits > 0, "{busy} {hits}");
}

#[test]
fn the_end_of_a_hit_is_no_more_than_the_event_tells_of_all_of_it() {
    let mut world = world(false);
    let wall = add(&mut world, BodyDef::fixed(Vec3::X * fx!(3)), cube(Fx::ONE), surface(ZERO, HALF));
    let def = heavy(fx!(2), Vec3::ZERO).moving(Vec3::X * fx!(6));
    add(&mut world, def, ball(HALF), surface(ZERO, HALF));
    let mut impacts = 0;
    for _ in 0..60 {
        world.step();
        for event in world.events() {
            let isostep_step::Event::ContactImpact { a, b, impulse, .. } = *event else { continue };
            assert_near(impulse, fx!(2) * fx!(9), fx!(0.001), "impulse");
            let last = world.contact(a, b).unwrap().normal_force() / fx!(240);
            // The bounce comes last, and stopping it before.
            assert!(last >= fx!(2) * fx!(2.999) && last <= impulse, "{last} of {impulse}");
            impacts += 1;
        }
    }
    assert_eq!(impacts, 1);
    assert_eq!(world.body(wall).unwrap().contacts().count(), 0, "it is gone again");
}
