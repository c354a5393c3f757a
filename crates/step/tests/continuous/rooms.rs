//! Bullets in rooms with walls of a centimetre.

use super::*;

/// Half the inside of a room, and of the thickness of its walls.
const HALF: Fx = fx!(1.5);
const THIN: Fx = fx!(0.005);

/// Bullets meet walls and not each other.
const WALLS: Filter = Filter { layer: 0, groups: 1, mask: 2 };
const BULLETS: Filter = Filter { layer: 0, groups: 2, mask: 1 };

/// The six walls of a room around the origin.
fn walls() -> Vec<(Vec3, Shape)> {
    let mut walls = Vec::new();
    let outer = HALF + THIN * fx!(2);
    for axis in 0..3 {
        for side in [fx!(-1), fx!(1)] {
            let (mut center, mut halves) = (Vec3::ZERO, Vec3::splat(outer));
            center[axis] = (HALF + THIN) * side;
            halves[axis] = THIN;
            walls.push((center, slab(halves.x, halves.y, halves.z)));
        }
    }
    walls
}

/// A small ball, box or capsule, or a needle, at up to 500 m/s.
fn bullet(rng: &mut Rng, kind: u32) -> (BodyDef, ColliderDef) {
    let mut size = |from: Fx, to: Fx| rng.fx_range(from, to);
    let (s, t, u) = (size(fx!(0.01), fx!(0.1)), size(fx!(0.01), fx!(0.1)), size(fx!(0.01), fx!(0.1)));
    let shape = match kind % 5 {
        0 => ball(s),
        1 => slab(s, t, u),
        2 => Capsule::along_y(s, t).unwrap().into(),
        3 => slab(fx!(0.01), size(fx!(0.2), fx!(0.5)), fx!(0.01)),
        _ => Capsule::along_y(size(fx!(0.2), fx!(0.5)), fx!(0.01)).unwrap().into(),
    };
    let spin = if kind % 5 > 2 || rng.chance(1, 4) { fx!(200) } else { fx!(20) };
    let mut side = || rng.fx_range(fx!(-0.8), fx!(0.8));
    let at = vec3(side(), side(), side());
    let speed = if rng.chance(1, 2) { fx!(500) } else { rng.fx_range(fx!(1), fx!(500)) };
    let def = BodyDef::dynamic(at)
        .rotated(rng.unit_quat())
        .moving(rng.unit_vec3() * speed)
        .turning(rng.unit_vec3() * spin);
    let material = surface(rng.fx_range(fx!(0), fx!(1)), rng.fx_range(fx!(0), fx!(1)));
    (def, ColliderDef::new(shape).with_material(material).with_filter(BULLETS))
}

/// A room turned at random with bullets in it, and the bullets.
struct Room {
    world: World,
    room: BodyHandle,
    bullets: Vec<BodyHandle>,
}

impl Room {
    fn new(seed: u64, bullets: u32, turned: bool) -> Self {
        let (mut world, mut rng) = (weightless(), Rng::new(seed, 21));
        let turn = if turned { rng.unit_quat() } else { Quat::IDENTITY };
        let room = world.add_body(BodyDef::fixed(Vec3::ZERO).rotated(turn)).unwrap();
        for (center, shape) in walls() {
            let wall = ColliderDef::new(shape).at(Pose::from_translation(center)).with_filter(WALLS);
            world.add_collider(room, wall).unwrap();
        }
        let bullets = (0..bullets).map(|kind| {
            let (def, collider) = bullet(&mut rng, kind);
            add(&mut world, def, collider)
        });
        let bullets = bullets.collect();
        Self { world, room, bullets }
    }

    /// The centre of a bullet in the coordinates of the room.
    fn place(&self, bullet: BodyHandle) -> Vec3 {
        let center = self.world.body(bullet).unwrap().center_of_mass();
        self.world.body(self.room).unwrap().pose().inverse_transform_point(center)
    }

    #[track_caller]
    fn assert_inside(&self, context: &str) {
        for &bullet in &self.bullets {
            let at = self.place(bullet);
            assert!(at.abs().max_element() < HALF, "{context}: {bullet} is at {at}");
        }
    }
}

#[test]
fn none_of_a_hundred_thousand_bullets_leaves_its_room() {
    let (rooms, bullets, ticks) = if is_short() { (4, 50, 6) } else { (500, 200, 6) };
    let mut bounces = 0;
    for seed in 0..rooms {
        let mut room = Room::new(seed, bullets, true);
        for tick in 0..ticks {
            room.world.step();
            bounces += room
                .world
                .events()
                .iter()
                .filter(|event| matches!(event, Event::ContactImpact { .. }))
                .count();
            room.assert_inside(&format!("seed {seed}, tick {tick}"));
        }
    }
    assert!(bounces as u64 > rooms * u64::from(bullets), "only {bounces} impacts");
}

/// The partition moves by up to a metre in a tick, and turns a little.
#[test]
fn no_bullet_gets_past_a_partition_that_moves_to_and_fro() {
    let (rooms, bullets, ticks) = if is_short() { (2, 30, 20) } else { (40, 100, 40) };
    for seed in 0..rooms {
        let mut room = Room::new(1000 + seed, bullets, false);
        let mut rng = Rng::new(seed, 22);
        let partition = slab(THIN, HALF * fx!(2), HALF * fx!(2));
        let partition = ColliderDef::new(partition).with_filter(WALLS);
        let partition = add(&mut room.world, BodyDef::kinematic(Vec3::ZERO), partition);
        // All begin beside it.
        for &bullet in &room.bullets {
            let mut pose = room.world.body(bullet).unwrap().pose();
            let side = if pose.translation.x < fx!(0) { fx!(-0.75) } else { fx!(0.75) };
            pose.translation.x = pose.translation.x * fx!(0.25) + side;
            room.world.set_pose(bullet, pose).unwrap();
        }
        let side = |room: &Room, bullet| {
            let partition = room.world.body(partition).unwrap().pose();
            partition.inverse_transform_point(room.world.body(bullet).unwrap().center_of_mass()).x
        };
        let before: Vec<_> = room.bullets.iter().map(|&bullet| side(&room, bullet)).collect();
        for tick in 0..ticks {
            let to = Vec3::X * rng.fx_range(fx!(-0.5), fx!(0.5));
            let turn = Quat::from_rotation_z(rng.fx_range(fx!(-0.1), fx!(0.1)));
            room.world.set_kinematic_target(partition, Pose::new(turn, to)).unwrap();
            room.world.step();
            room.assert_inside(&format!("seed {seed}, tick {tick}"));
            for (&bullet, before) in room.bullets.iter().zip(&before) {
                let now = side(&room, bullet);
                assert!(
                    now.signum() == before.signum(),
                    "seed {seed}, tick {tick}: {bullet} is at {now} from the partition"
                );
            }
        }
    }
}
