//! Rooms with walls of a centimetre, and bullets in them: what shows that nothing passes through.

use crate::stage::{ball, capsule, cuboid};
use isostep_collision::Shape;
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, Filter, Material, World, WorldConfig};

/// Half the inside of a room, in m.
pub const HALF: Fx = fx!(1.5);

/// Half the thickness of its walls, in m.
pub const THIN: Fx = fx!(0.005);

/// Of walls. Bullets meet these, and not each other.
pub const WALLS: Filter = Filter { layer: 0, groups: 1, mask: 2 };

/// Of bullets.
const BULLETS: Filter = Filter { layer: 0, groups: 2, mask: 1 };

/// The stream of random numbers that bullets are drawn from.
const STREAM: u64 = 21;

/// A room around the origin of its world, without gravity or sleep, and the bullets in it.
#[derive(Debug)]
pub struct Room {
    /// With nothing else in it.
    pub world: World,
    /// All walls.
    pub room: BodyHandle,
    /// In the order in which they were added.
    pub bullets: Vec<BodyHandle>,
}

impl Room {
    /// A room with bullets that a seed says all of: small balls, boxes and capsules, and needles, at up to 500 m/s. A
    /// room that is turned looks anywhere.
    ///
    /// # Panics
    /// Where a world has no place for so many bullets.
    #[must_use]
    pub fn new(seed: u64, bullets: u32, turned: bool) -> Self {
        let config = WorldConfig { gravity: Vec3::ZERO, sleeping: false, ..WorldConfig::default() };
        let mut world = World::new(config).expect("the configuration is valid");
        let mut rng = Rng::new(seed, STREAM);
        let turn = if turned { rng.unit_quat() } else { Quat::IDENTITY };
        let room = world.add_body(BodyDef::fixed(Vec3::ZERO).rotated(turn)).expect("there is room");
        for wall in walls() {
            world.add_collider(room, wall).expect("walls are in range");
        }
        let bullets = (0..bullets).map(|kind| {
            let (def, collider) = bullet(&mut rng, kind);
            let bullet = world.add_body(def).expect("there is room");
            world.add_collider(bullet, collider).expect("bullets are in range");
            bullet
        });
        let bullets = bullets.collect();
        Self { world, room, bullets }
    }

    /// The centre of mass of a body in the coordinates of the room, each component below [`HALF`] inside; `None` if the
    /// body was removed.
    #[must_use]
    pub fn place(&self, body: BodyHandle) -> Option<Vec3> {
        let room = self.world.body(self.room)?.pose();
        Some(room.inverse_transform_point(self.world.body(body)?.center_of_mass()))
    }

    /// The first bullet whose centre has left the room.
    #[must_use]
    pub fn escaped(&self) -> Option<BodyHandle> {
        let is_outside = |bullet| self.place(bullet).is_none_or(|place| place.abs().max_element() >= HALF);
        self.bullets.iter().copied().find(|&bullet| is_outside(bullet))
    }
}

/// The six walls of a room.
fn walls() -> impl Iterator<Item = ColliderDef> {
    let outer = HALF + THIN * fx!(2);
    (0..6).map(move |wall| {
        let (axis, side) = (wall / 2, if wall % 2 == 0 { fx!(-1) } else { fx!(1) });
        let (mut center, mut halves) = (Vec3::ZERO, Vec3::splat(outer));
        (center[axis], halves[axis]) = ((HALF + THIN) * side, THIN);
        ColliderDef::new(cuboid(halves)).at(Pose::from_translation(center)).with_filter(WALLS)
    })
}

/// A small ball, box or capsule, or a needle.
fn bullet(rng: &mut Rng, kind: u32) -> (BodyDef, ColliderDef) {
    let mut size = |from: Fx, to: Fx| rng.fx_range(from, to);
    let (s, t, u) = (size(fx!(0.01), fx!(0.1)), size(fx!(0.01), fx!(0.1)), size(fx!(0.01), fx!(0.1)));
    let shape: Shape = match kind % 5 {
        0 => ball(s).into(),
        1 => cuboid(vec3(s, t, u)).into(),
        2 => capsule(s, t).into(),
        3 => cuboid(vec3(fx!(0.01), size(fx!(0.2), fx!(0.5)), fx!(0.01))).into(),
        _ => capsule(size(fx!(0.2), fx!(0.5)), fx!(0.01)).into(),
    };
    let spin = if kind % 5 > 2 || rng.chance(1, 4) { fx!(200) } else { fx!(20) };
    let mut side = || rng.fx_range(fx!(-0.8), fx!(0.8));
    let at = vec3(side(), side(), side());
    let speed = if rng.chance(1, 2) { fx!(500) } else { rng.fx_range(fx!(1), fx!(500)) };
    let def = BodyDef::dynamic(at)
        .rotated(rng.unit_quat())
        .moving(rng.unit_vec3() * speed)
        .turning(rng.unit_vec3() * spin);
    let material = Material {
        friction: rng.fx_range(fx!(0), fx!(1)),
        restitution: rng.fx_range(fx!(0), fx!(1)),
        ..Material::default()
    };
    (def, ColliderDef::new(shape).with_material(material).with_filter(BULLETS))
}
