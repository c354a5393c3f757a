//! Bullets of up to 500 m/s in rooms with walls of a centimetre: none leaves, and all end in the same places on every
//! machine.
//!
//! A golden moves with any bit of any result. That is a change of `SIM_VERSION`, and its commit names the cause.

use isostep_collision::Obb;
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_scenes::rooms::{HALF, Room, THIN, WALLS};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, Event};
use xxhash_rust::xxh3::Xxh3;

/// Bullets in each room.
const BULLETS: u32 = 200;
/// Ticks of each room: a bullet of 500 m/s crosses it up to three times in each.
const TICKS: u32 = 6;
/// After how many rooms there is a golden. The first is enough where only the compiler is asked, the second in `cargo test`.
const GOLDEN_ROOMS: [u64; 3] = [5, 25, 500];
/// Rooms in which a needle begins with its end in a wall, and turns along that.
const ROOMS_OF_NEEDLES: [u64; 3] = [635, 666, 1866];

/// How many rooms bullets fly in.
fn rooms() -> u64 {
    let [few, some, all] = GOLDEN_ROOMS;
    match (std::env::var_os("ISOSTEP_SHORT_LOGS"), cfg!(debug_assertions)) {
        (Some(_), _) => few,
        (None, true) => some,
        (None, false) => all,
    }
}

fn assert_golden(rooms: u64, hash: u128) {
    let bullets = rooms * u64::from(BULLETS);
    insta::with_settings!({ snapshot_path => "../../fixtures/golden", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("bullets-{bullets}"), format!("{bullets} {hash:032x}"));
    });
}

#[test]
fn none_of_a_hundred_thousand_bullets_leaves_its_room_and_all_end_where_they_always_did() {
    let (mut hasher, mut impacts) = (Xxh3::new(), 0);
    let rooms = rooms();
    for seed in 0..rooms {
        let mut room = Room::new(seed, BULLETS, true);
        for tick in 0..TICKS {
            room.world.step();
            let events = room.world.events().iter();
            impacts += events.filter(|event| matches!(event, Event::ContactImpact { .. })).count() as u64;
            let escaped = room.escaped();
            assert_eq!(
                escaped,
                None,
                "seed {seed}, tick {tick}: {:?}",
                escaped.and_then(|it| room.place(it))
            );
        }
        hasher.update(&room.world.state_hash().to_le_bytes());
        if GOLDEN_ROOMS.contains(&(seed + 1)) {
            assert_golden(seed + 1, hasher.digest128());
        }
    }
    assert!(impacts > rooms * u64::from(BULLETS), "only {impacts} impacts");
}

#[test]
fn no_needle_that_begins_in_a_wall_turns_its_way_through() {
    for seed in ROOMS_OF_NEEDLES {
        let mut room = Room::new(seed, BULLETS, true);
        for tick in 0..TICKS {
            room.world.step();
            assert_eq!(room.escaped(), None, "seed {seed}, tick {tick}");
        }
    }
}

/// Boxes that meet as fast as that part faster than points which contacts do not have are taken for being apart.
#[test]
fn bullets_that_share_lanes_do_not_see_each_other() {
    // Each in three worlds; emulated, that takes six seconds.
    for seed in 0..(rooms() / 3).min(GOLDEN_ROOMS[1]) {
        let mut rooms = [(); 3].map(|()| Room::new(seed, BULLETS, true));
        rooms[1].world.shuffle_lanes(0);
        rooms[2].world.shuffle_lanes(1);
        for tick in 0..TICKS {
            rooms.iter_mut().for_each(|room| room.world.step());
            let [one, other, another] = rooms.each_ref().map(|room| room.world.state_hash());
            assert_eq!([one, one], [other, another], "seed {seed}, tick {tick}");
        }
    }
}

/// The partition moves by up to a metre in a tick, and turns a little.
#[test]
fn no_bullet_gets_past_a_partition_that_moves_to_and_fro() {
    let (rooms, bullets, ticks) = if rooms() < GOLDEN_ROOMS[2] { (2, 30, 20) } else { (40, 100, 40) };
    for seed in 0..rooms {
        let mut room = Room::new(1000 + seed, bullets, false);
        let mut rng = Rng::new(seed, 22);
        let wall = Obb::from_half_extents(vec3(THIN, HALF * fx!(2), HALF * fx!(2))).expect("extents above 0");
        let partition = room.world.add_body(BodyDef::kinematic(Vec3::ZERO)).expect("there is room");
        let collider = ColliderDef::new(wall).with_filter(WALLS);
        room.world.add_collider(partition, collider).expect("it is in range");
        // All begin beside it.
        for &bullet in &room.bullets {
            let mut pose = room.world.body(bullet).expect("a bullet").pose();
            let side = if pose.translation.x < fx!(0) { fx!(-0.75) } else { fx!(0.75) };
            pose.translation.x = pose.translation.x * fx!(0.25) + side;
            room.world.set_pose(bullet, pose).expect("it is in range");
        }
        let sides: Vec<Fx> = room.bullets.iter().map(|&bullet| side(&room, partition, bullet)).collect();
        for tick in 0..ticks {
            let to = Vec3::X * rng.fx_range(fx!(-0.5), fx!(0.5));
            let turn = Quat::from_rotation_z(rng.fx_range(fx!(-0.1), fx!(0.1)));
            room.world.set_kinematic_target(partition, Pose::new(turn, to)).expect("it is in range");
            room.world.step();
            assert_eq!(room.escaped(), None, "seed {seed}, tick {tick}");
            for (&bullet, before) in room.bullets.iter().zip(&sides) {
                let now = side(&room, partition, bullet);
                assert!(
                    now.signum() == before.signum(),
                    "seed {seed}, tick {tick}: {bullet} is at {now} from the partition"
                );
            }
        }
    }
}

/// How far the centre of a bullet is from the middle of a partition, along its normal.
fn side(room: &Room, partition: BodyHandle, bullet: BodyHandle) -> Fx {
    let [partition, bullet] = [partition, bullet].map(|body| room.world.body(body).expect("it is there"));
    partition.pose().inverse_transform_point(bullet.center_of_mass()).x
}
