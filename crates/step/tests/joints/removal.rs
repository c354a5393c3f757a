//! Joints that go, and slots that are taken again.

use super::*;
use isostep_step::{Event, Snapshot};

#[test]
fn a_body_takes_its_joints_with_it() {
    let (mut world, ground, boxes) = row(4);
    let joints = [
        join(&mut world, boxes[0], boxes[1]),
        join(&mut world, boxes[1], boxes[2]),
        join(&mut world, boxes[2], boxes[3]),
        join(&mut world, ground, boxes[1]),
    ];
    assert_eq!(world.body(boxes[1]).unwrap().joints().collect::<Vec<_>>(), [joints[0], joints[1], joints[3]]);
    world.remove_body(boxes[1]).unwrap();
    let left: Vec<_> = world.joints().map(|joint| joint.handle()).collect();
    assert_eq!(left, [joints[2]]);
    assert!(joints[..2].iter().all(|&joint| world.joint(joint).is_none()));
    assert_eq!(world.body(ground).unwrap().joints().count(), 0);
    world.step();
    assert!(!world.events().iter().any(|event| matches!(event, Event::JointBreak { .. })));
    assert!(Snapshot::from_bytes(&world.snapshot().to_bytes()).is_ok());
    // The slot given up last is taken first, by another generation.
    let again = [(); 4].map(|()| join(&mut world, boxes[0], boxes[2]));
    assert_eq!(again.map(|joint| (joint.index, joint.generation)), [(3, 1), (1, 1), (0, 1), (4, 0)]);
}

#[test]
fn a_joint_of_rolled_back_ticks_comes_back_under_the_same_handle() {
    let (mut world, _, boxes) = row(3);
    let first = join(&mut world, boxes[0], boxes[1]);
    world.remove_joint(first).unwrap();
    let mut saved = Snapshot::new();
    world.save(&mut saved);
    let hash = world.state_hash();
    let play = |world: &mut World| {
        let joints = [join(world, boxes[0], boxes[1]), join(world, boxes[1], boxes[2])];
        world.step();
        (joints, world.state_hash())
    };
    let expected = play(&mut world);
    for _ in 0..3 {
        world.load(&saved);
        assert!(expected.0.iter().all(|&joint| world.joint(joint).is_none()));
        assert_eq!(world.state_hash(), hash);
        assert_eq!(play(&mut world), expected);
    }
    // In a world that never had them, the same.
    assert_eq!(play(&mut World::from_snapshot(&saved)), expected);
}

#[test]
fn what_hangs_on_a_removed_joint_wakes() {
    let (mut world, _, boxes) = row(3);
    let joint = join(&mut world, boxes[0], boxes[1]);
    steps(&mut world, 90);
    assert!(boxes.iter().all(|&body| sleeps(&world, body)));
    world.remove_joint(joint).unwrap();
    assert_eq!([0, 1, 2].map(|index| sleeps(&world, boxes[index])), [false, false, true]);
    world.step();
    let woken: Vec<_> = world.events().iter().filter(|event| matches!(event, Event::Wake { .. })).collect();
    assert_eq!(woken, [&Event::Wake { body: boxes[0] }, &Event::Wake { body: boxes[1] }]);
}
