//! Back and forth: a world that was restored continues like the one that never stopped.

#[path = "rollback/bytes.rs"]
mod bytes;
#[path = "scenes/mod.rs"]
mod scenes;
#[path = "rollback/size.rs"]
mod size;

use isostep_math::Vec3;
use isostep_math::random::Rng;
use isostep_step::{BodyDef, Command, Event, Snapshot, World, WorldConfig};
use scenes::{SCENES, Scene};

/// What a tick leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Tick {
    hash: u128,
    events: Vec<Event>,
}

fn advance(world: &mut World, scene: &Scene) -> Tick {
    (scene.command)(world);
    world.step();
    Tick { hash: world.state_hash(), events: world.events().to_vec() }
}

#[test]
fn from_every_tick_a_fresh_world_continues_for_two_seconds_like_the_one_that_never_stopped() {
    const TICKS: usize = 240;
    for scene in &SCENES {
        let mut world = (scene.build)();
        let (mut snapshots, mut ticks) = (Vec::new(), Vec::new());
        for tick in 0..TICKS + 120 {
            if tick < TICKS {
                snapshots.push(world.snapshot());
            }
            ticks.push(advance(&mut world, scene));
        }
        let last = world.snapshot().to_bytes();
        let mut kinds = [0; 5];
        for event in ticks.iter().flat_map(|tick| &tick.events) {
            match event {
                Event::ContactBegin { .. } => kinds[0] += 1,
                Event::ContactEnd { .. } => kinds[1] += 1,
                Event::ContactImpact { .. } => kinds[2] += 1,
                Event::Sleep { .. } => kinds[3] += 1,
                Event::Wake { .. } => kinds[4] += 1,
                _ => {}
            }
        }
        assert!(kinds[..3].iter().all(|&count| count > 0), "{}: too little happens: {kinds:?}", scene.name);
        for (tick, snapshot) in snapshots.iter().enumerate() {
            let mut fresh = World::from_snapshot(snapshot);
            let steps = if tick % 16 == 0 { TICKS + 120 - tick } else { 120 };
            for (now, expected) in ticks.iter().enumerate().skip(tick).take(steps) {
                let found = advance(&mut fresh, scene);
                assert_eq!(found.events, expected.events, "{}: from tick {tick} at {now}", scene.name);
                assert_eq!(found.hash, expected.hash, "{}: from tick {tick} at {now}", scene.name);
            }
            if tick % 16 == 0 {
                assert!(fresh.snapshot().to_bytes() == last, "{}: from tick {tick}", scene.name);
            }
        }
    }
}

#[test]
fn a_world_of_bytes_and_a_copy_continue_like_the_one_they_are_of() {
    for scene in &SCENES {
        let mut world = (scene.build)();
        let mut copy = world.clone();
        for tick in 0..200 {
            if tick == 50 {
                copy = world.clone();
            }
            let bytes = world.snapshot().to_bytes();
            let read = Snapshot::from_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", scene.name));
            assert!(read.to_bytes() == bytes);
            assert_eq!(read.state_hash(), world.state_hash());
            let mut fresh = World::from_snapshot(&read);
            let expected = advance(&mut world, scene);
            assert_eq!(advance(&mut fresh, scene), expected, "{}", scene.name);
            assert_eq!(advance(&mut copy, scene), expected, "{}, tick {tick}", scene.name);
            let mut ahead = world.clone();
            assert_eq!(advance(&mut fresh, scene), advance(&mut ahead, scene), "{}, tick {tick}", scene.name);
        }
    }
}

/// Ticks of the sync-test: ten thousand, or as many as the variable says.
fn sync_ticks() -> u64 {
    std::env::var("ISOSTEP_SYNC_TICKS").map_or(10_000, |ticks| ticks.parse().expect("a number of ticks"))
}

/// What happened while a game was rolled back all the time.
#[derive(Default)]
struct Happenings {
    bodies_came: u64,
    bodies_went: u64,
    joints_came: u64,
    joints_broke: u64,
}

/// Plays a scene, in every tick of which the last up to twelve ticks are simulated again.
fn play_rolled_back(scene: &Scene, ticks: u64) -> Happenings {
    const WINDOW: usize = 13;
    let (mut world, mut rng) = ((scene.build)(), Rng::new(5, 5));
    let mut saved: Vec<Snapshot> = (0..WINDOW).map(|_| Snapshot::new()).collect();
    let mut expected = vec![None; WINDOW];
    let mut happenings = Happenings::default();
    let counts = |world: &World| (world.bodies().count(), world.joints().count());
    let mut before = counts(&world);
    for tick in 0..ticks as usize {
        world.save(&mut saved[tick % WINDOW]);
        let now = advance(&mut world, scene);
        let breaks = now.events.iter().filter(|event| matches!(event, Event::JointBreak { .. })).count();
        happenings.joints_broke += breaks as u64;
        expected[tick % WINDOW] = Some(now);
        let after = counts(&world);
        happenings.bodies_came += u64::from(after.0 > before.0);
        happenings.bodies_went += u64::from(after.0 < before.0);
        happenings.joints_came += u64::from(after.1 > before.1);
        before = after;
        let back = (1 + rng.below(12) as usize).min(tick + 1);
        let first = tick + 1 - back;
        world.load(&saved[first % WINDOW]);
        for again in first..=tick {
            world.save(&mut saved[again % WINDOW]);
            let found = advance(&mut world, scene);
            let expected = expected[again % WINDOW].as_ref().unwrap();
            let name = scene.name;
            assert_eq!(&found, expected, "{name}: tick {again} simulated again from {first}, at tick {tick}");
        }
    }
    happenings
}

#[test]
fn a_game_that_rolls_back_up_to_twelve_ticks_in_every_tick_stays_in_sync() {
    let Happenings { bodies_came, .. } = play_rolled_back(&SCENES[3], sync_ticks());
    assert!(bodies_came > sync_ticks() / 100, "only {bodies_came} bodies came");
}

#[test]
fn a_game_whose_joints_break_and_whose_bodies_go_stays_in_sync_while_it_rolls_back() {
    let found = play_rolled_back(&SCENES[4], sync_ticks());
    let Happenings { bodies_came, bodies_went, joints_came, joints_broke } = found;
    println!(
        "{bodies_came} bodies came and {bodies_went} went, {joints_came} joints came and {joints_broke} broke"
    );
    let least = sync_ticks() / 400;
    assert!(bodies_came > least && bodies_went > least, "{bodies_came} came, {bodies_went} went");
    assert!(joints_came > least && joints_broke > least, "{joints_came} came, {joints_broke} broke");
}

#[test]
fn snapshots_may_be_saved_and_loaded_in_any_order_between_two_worlds() {
    let scene = &SCENES[3];
    let mut truth = (scene.build)();
    let mut hashes = vec![truth.state_hash()];
    let mut exact = vec![truth.snapshot()];
    for _ in 0..200 {
        hashes.push(advance(&mut truth, scene).hash);
        exact.push(truth.snapshot());
    }
    let mut worlds = [(scene.build)(), World::from_snapshot(&exact[100])];
    let mut saved = [Snapshot::new(), Snapshot::new(), Snapshot::new()];
    let mut rng = Rng::new(77, 1);
    for turn in 0..4000 {
        let world = &mut worlds[rng.below(2) as usize];
        let snapshot = &mut saved[rng.below(3) as usize];
        match rng.below(5) {
            0 => world.save(snapshot),
            1 => world.load(snapshot),
            2 => world.load(&exact[rng.below(200) as usize]),
            _ if world.tick() < 200 && world.bodies().count() > 0 => {
                advance(world, scene);
            }
            _ => {}
        }
        if world.bodies().count() > 0 {
            assert_eq!(world.state_hash(), hashes[world.tick() as usize], "turn {turn}");
        }
        if snapshot.tick() > 0 {
            assert_eq!(snapshot.state_hash(), hashes[snapshot.tick() as usize], "turn {turn}");
        }
    }
}

#[test]
fn the_first_difference_between_two_snapshots_has_a_name() {
    let scene = &SCENES[0];
    let (mut one, mut other) = ((scene.build)(), (scene.build)());
    for _ in 0..30 {
        advance(&mut one, scene);
        advance(&mut other, scene);
    }
    assert_eq!(one.snapshot().difference(&other.snapshot()), None);
    let body = other.bodies().nth(3).unwrap().handle();
    other.set_body_user_data(body, 9).unwrap();
    let difference = one.snapshot().difference(&other.snapshot()).unwrap();
    let text = "Bodies[3].user_data: 0 against 9 (0x0000000000000000 against 0x0000000000000009)";
    assert_eq!(difference.to_string(), text);
    assert_ne!(one.state_hash(), other.state_hash());
}

#[test]
fn what_one_world_alone_has_is_named_without_its_numbers_and_ticks_by_their_name() {
    let difference = |one: &World, other: &World| {
        one.snapshot().difference(&other.snapshot()).expect("they differ").to_string()
    };
    let (mut one, other) =
        (World::new(WorldConfig::default()).unwrap(), World::new(WorldConfig::default()).unwrap());
    one.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
    assert_eq!(difference(&one, &other), "Bodies[0]: present against absent");
    assert_eq!(difference(&other, &one), "Bodies[0]: absent against present");
    let mut later = World::new(WorldConfig::default()).unwrap();
    later.step();
    let text = "World[0].tick: 0 against 1 (0x0000000000000000 against 0x0000000000000001)";
    assert_eq!(difference(&other, &later), text);
    let mut apart = World::new(WorldConfig::default()).unwrap();
    apart.apply(&Command::SetLayersMeet { a: 1, b: 2, meet: false }).unwrap();
    assert!(difference(&other, &apart).starts_with("World[3].layers that it meets: "));
    let mut drawn = World::new(WorldConfig::default()).unwrap();
    drawn.apply(&Command::DrawRandom { stream: 4 }).unwrap();
    let said = difference(&other, &drawn);
    assert!(said.starts_with("Lists[5].count of random streams: 0 against 1 "), "{said}");
}
