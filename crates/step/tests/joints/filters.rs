//! Whether joined bodies meet.

use super::*;
use isostep_step::Snapshot;

/// Two boxes that overlap by a tenth, without gravity.
fn overlapping() -> (World, [BodyHandle; 2]) {
    let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
    let bodies = [fx!(0), fx!(0.9)].map(|x| add(&mut world, BodyDef::dynamic(vec3(x, fx!(0), fx!(0)))));
    (world, bodies)
}

/// Whether they have a contact after the next step.
fn meet(world: &World) -> bool {
    let mut ahead = world.clone();
    ahead.step();
    let mut restored = World::from_snapshot(&Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    restored.step();
    assert_eq!(restored.state_hash(), ahead.state_hash());
    ahead.contacts().next().is_some()
}

fn joint(world: &mut World, [a, b]: [BodyHandle; 2], collide_connected: bool) -> JointHandle {
    let def = joint_at(world, FREE, [a, b], Vec3::ZERO);
    world.add_joint(JointDef { collide_connected, ..def }).unwrap()
}

#[test]
fn joined_bodies_pass_through_each_other_unless_all_their_joints_let_them_meet() {
    let (mut world, bodies) = overlapping();
    assert!(meet(&world));
    let first = joint(&mut world, bodies, true);
    assert!(meet(&world));
    let [a, b] = bodies;
    let second = joint(&mut world, [b, a], false);
    assert!(!meet(&world), "one of them does not let them");
    world.set_joint_collide(second, true).unwrap();
    assert!(meet(&world));
    world.set_joint_collide(first, false).unwrap();
    assert!(!meet(&world));
    world.remove_joint(first).unwrap();
    assert!(meet(&world));
}

#[test]
fn a_joint_is_the_business_of_its_two_bodies_alone() {
    let (mut world, [a, b]) = overlapping();
    let third = add(&mut world, BodyDef::dynamic(vec3(fx!(1.8), fx!(0), fx!(0))));
    joint(&mut world, [a, third], false);
    world.step();
    assert_eq!(world.contacts().count(), 2);
    joint(&mut world, [a, b], false);
    world.step();
    assert_eq!(world.contacts().count(), 1);
}

#[test]
fn contacts_of_bodies_that_are_joined_end() {
    let (mut world, bodies) = overlapping();
    world.step();
    assert_eq!(world.contacts().filter(|contact| contact.touching).count(), 1);
    joint(&mut world, bodies, false);
    world.step();
    let ends = world.events().iter().filter(|event| matches!(event, isostep_step::Event::ContactEnd { .. }));
    assert_eq!(ends.count(), 1);
    assert_eq!(world.contacts().count(), 0);
}

#[test]
fn sensors_see_what_is_joined_to_them() {
    let (mut world, bodies) = overlapping();
    world.add_collider(bodies[0], ColliderDef::new(cube()).as_sensor()).unwrap();
    joint(&mut world, bodies, false);
    world.step();
    let enters =
        world.events().iter().filter(|event| matches!(event, isostep_step::Event::SensorEnter { .. }));
    assert_eq!(enters.count(), 1);
}
