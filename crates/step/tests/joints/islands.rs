//! Sleep and waking over joints.

use super::*;
use isostep_step::{Event, Snapshot, Spring};

fn assert_sound(world: &World) {
    if let Err(error) = Snapshot::from_bytes(&world.snapshot().to_bytes()) {
        panic!("the state is refused: {error}");
    }
}

#[test]
fn what_is_joined_sleeps_when_all_of_it_rests() {
    let (mut world, _, boxes) = row(4);
    join(&mut world, boxes[0], boxes[1]);
    join(&mut world, boxes[1], boxes[2]);
    world.set_can_sleep(boxes[2], false).unwrap();
    steps(&mut world, 90);
    assert_eq!([0, 1, 2, 3].map(|index| sleeps(&world, boxes[index])), [false, false, false, true]);
    assert_sound(&world);
    world.set_can_sleep(boxes[2], true).unwrap();
    let mut asleep = Vec::new();
    for _ in 0..60 {
        world.step();
        asleep.push([0, 1, 2].map(|index| sleeps(&world, boxes[index])));
        assert_sound(&world);
    }
    assert!(asleep.iter().all(|bodies| bodies.iter().all(|&one| one == bodies[0])), "they sleep at once");
    assert_eq!(asleep.last(), Some(&[true; 3]));
}

#[test]
fn one_that_wakes_wakes_all_that_hangs_on_it() {
    let (mut world, _, boxes) = row(5);
    // Neither the order of joints nor that of their bodies matters.
    for (a, b) in [(2, 3), (1, 0), (2, 1)] {
        join(&mut world, boxes[a], boxes[b]);
    }
    steps(&mut world, 90);
    assert!(boxes.iter().all(|&body| sleeps(&world, body)));
    world.wake_body(boxes[0]).unwrap();
    assert_eq!([0, 1, 2, 3, 4].map(|index| sleeps(&world, boxes[index])), [false, false, false, false, true]);
    world.step();
    let wakes = world.events().iter().filter(|event| matches!(event, Event::Wake { .. }));
    assert_eq!(wakes.count(), 4);
    assert_sound(&world);
}

#[test]
fn a_joint_to_something_fixed_lets_sleep_and_joins_no_islands() {
    let (mut world, _, boxes) = row(2);
    let hook = world.add_body(BodyDef::fixed(vec3(fx!(0), fx!(9), fx!(0)))).unwrap();
    join(&mut world, hook, boxes[0]);
    join(&mut world, boxes[1], hook);
    steps(&mut world, 90);
    assert!(boxes.iter().all(|&body| sleeps(&world, body)));
    world.wake_body(boxes[0]).unwrap();
    assert!(!sleeps(&world, boxes[0]) && sleeps(&world, boxes[1]));
    // The fixed one is about to move: what hangs on it has to know.
    steps(&mut world, 90);
    assert!(sleeps(&world, boxes[0]));
    world.set_pose(hook, Pose::IDENTITY).unwrap();
    assert!(!sleeps(&world, boxes[0]) && !sleeps(&world, boxes[1]));
}

#[test]
fn whoever_hangs_on_a_removed_body_wakes() {
    let (mut world, _, boxes) = row(3);
    let hook = world.add_body(BodyDef::fixed(vec3(fx!(0), fx!(9), fx!(0)))).unwrap();
    join(&mut world, hook, boxes[0]);
    join(&mut world, boxes[0], boxes[1]);
    steps(&mut world, 90);
    assert!(boxes.iter().all(|&body| sleeps(&world, body)));
    world.remove_body(hook).unwrap();
    assert_eq!([0, 1, 2].map(|index| sleeps(&world, boxes[index])), [false, false, true]);
}

#[test]
fn a_kinematic_body_that_begins_to_move_wakes_what_is_joined_to_it_and_keeps_it_awake() {
    let (mut world, _, boxes) = row(3);
    let lift = world.add_body(BodyDef::kinematic(vec3(fx!(0), fx!(5), fx!(0)))).unwrap();
    let joint = joint_at(&world, FREE, [lift, boxes[0]], Vec3::ZERO);
    world.add_joint(joint).unwrap();
    join(&mut world, boxes[0], boxes[1]);
    steps(&mut world, 90);
    assert!(boxes.iter().all(|&body| sleeps(&world, body)));
    world.set_velocity(lift, Vec3::Y * fx!(0.001), Vec3::ZERO).unwrap();
    for _ in 0..90 {
        world.step();
        assert_eq!([0, 1, 2].map(|index| sleeps(&world, boxes[index])), [false, false, true]);
        assert_sound(&world);
    }
    world.set_velocity(lift, Vec3::ZERO, Vec3::ZERO).unwrap();
    steps(&mut world, 60);
    assert!(boxes.iter().all(|&body| sleeps(&world, body)));
}

#[test]
fn every_command_about_a_joint_but_the_users_data_wakes_both_bodies() {
    let (mut world, _, boxes) = row(2);
    let joint = join(&mut world, boxes[0], boxes[1]);
    let kind = *world.joint(joint).unwrap().kind();
    steps(&mut world, 90);
    let asleep = world.snapshot();
    let is_awake = |world: &World| boxes.iter().map(|&body| !sleeps(world, body)).collect::<Vec<_>>();
    assert_eq!(is_awake(&world), [false, false]);
    world.set_joint_user_data(joint, 9).unwrap();
    assert_eq!(is_awake(&world), [false, false]);
    let softness = Some(Spring { frequency: fx!(9), damping_ratio: fx!(1) });
    let commands: [&dyn Fn(&mut World); 6] = [
        &|world| world.set_joint_kind(joint, kind).unwrap(),
        &|world| world.set_joint_softness(joint, softness).unwrap(),
        &|world| world.set_joint_break(joint, Some(fx!(9)), None).unwrap(),
        &|world| world.set_joint_collide(joint, true).unwrap(),
        &|world| world.remove_joint(joint).unwrap(),
        &|world| assert_ne!(join(world, boxes[1], boxes[0]), joint),
    ];
    for command in commands {
        world.load(&asleep);
        command(&mut world);
        assert_eq!(is_awake(&world), [true, true]);
        assert_sound(&world);
    }
}

#[test]
fn joints_asleep_cost_nothing_to_save() {
    let (mut world, _, boxes) = row(6);
    for pair in boxes.windows(2) {
        join(&mut world, pair[0], pair[1]);
    }
    steps(&mut world, 90);
    let mut saved = Snapshot::new();
    world.save(&mut saved);
    for _ in 0..5 {
        world.step();
        world.save(&mut saved);
        assert_eq!(saved.copied_bytes(), 0);
        assert_eq!(saved.state_hash(), world.state_hash());
    }
}
