//! What commands that are refused leave, and those that are taken.

use isostep_step::{Command, CommandError, Outcome, Snapshot, World};

/// Applies what is refused, and sees that the world is as it was.
#[track_caller]
pub(crate) fn refuses(world: &mut World, command: &Command, expected: CommandError) {
    let (hash, bytes) = (world.state_hash(), world.snapshot().to_bytes());
    assert_eq!(world.apply(command), Err(expected));
    assert_eq!(world.state_hash(), hash);
    assert!(world.snapshot().to_bytes() == bytes);
}

/// Applies it, and sees that it makes a state that bytes can hold, and that steps.
#[track_caller]
pub(crate) fn takes(world: &mut World, command: &Command) -> Outcome {
    let outcome = world.apply(command).unwrap();
    assert_sound(world);
    outcome
}

/// Sees that bytes can hold the states of a world, now and in the next ticks.
#[track_caller]
pub(crate) fn assert_sound(world: &World) {
    let mut ahead = world.clone();
    for _ in 0..3 {
        match Snapshot::from_bytes(&ahead.snapshot().to_bytes()) {
            Ok(read) => assert_eq!(read.state_hash(), ahead.state_hash()),
            Err(error) => panic!("the state is refused: {error}"),
        }
        ahead.step();
    }
}
