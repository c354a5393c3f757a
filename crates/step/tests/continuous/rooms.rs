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

fn counts() -> (u64, u32, u32) {
    if is_short() { (4, 50, 8) } else { (500, 200, 12) }
}

#[test]
fn none_of_a_hundred_thousand_bullets_leaves_its_room() {
    let (rooms, bullets, ticks) = counts();
    let start = std::time::Instant::now();
    let mut out = 0; let mut speed = Fx::ZERO;
    let mut worst = Fx::ZERO;
    for seed in 0..rooms {
        let (mut world, mut rng) = (weightless(), Rng::new(seed, 21));
        let room = world.add_body(BodyDef::fixed(Vec3::ZERO).rotated(rng.unit_quat())).unwrap();
        for (center, shape) in walls() {
            let wall = ColliderDef::new(shape).at(isostep_math::Pose::from_translation(center));
            world.add_collider(room, wall.with_filter(WALLS)).unwrap();
        }
        let all: Vec<_> = (0..bullets)
            .map(|kind| {
                let (def, collider) = bullet(&mut rng, kind);
                add(&mut world, def, collider)
            })
            .collect();
        let mut gone = vec![false; all.len()];
        for tick in 0..ticks {
            world.step();
            let pose = world.body(room).unwrap().pose();
            for (i, &body) in all.iter().enumerate() {
                let view = world.body(body).unwrap();
                let at = pose.inverse_transform_point(view.position());
                worst = worst.max(at.abs().max_element());
                if at.abs().max_element() > HALF && !gone[i] {
                    gone[i] = true;
                    out += 1;
                    if out < 20 { println!("seed {seed} bullet {i} kind {} tick {tick} at {at} v {}", i % 5, view.linear_velocity()); }
                }
            }
        }
        speed += world.bodies().map(|b| b.linear_velocity().length()).fold(Fx::ZERO, |a, b| a + b) / Fx::from_int(bullets as i32 + 1);
    }
    println!("out {out} worst {worst} mean end speed {} time {:?}", speed / Fx::from_int(rooms as i32), start.elapsed());
    assert_eq!(out, 0);
}

#[test]
fn trace() {
    let seed = 339;
    let (mut world, mut rng) = (weightless(), Rng::new(seed, 21));
    let room = world.add_body(BodyDef::fixed(Vec3::ZERO).rotated(rng.unit_quat())).unwrap();
    for (center, shape) in walls() {
        let wall = ColliderDef::new(shape).at(isostep_math::Pose::from_translation(center));
        world.add_collider(room, wall.with_filter(WALLS)).unwrap();
    }
    let all: Vec<_> = (0..200).map(|kind| { let (def, collider) = bullet(&mut rng, kind); if kind == 159 { println!("{:?}", collider.shape); } add(&mut world, def, collider) }).collect();
    let pose = world.body(room).unwrap().pose();
    for tick in 0..14 {
        let v = world.body(all[159]).unwrap();
        println!("{tick}: at {} v {} w {} ", pose.inverse_transform_point(v.position()), pose.inverse_transform_vector(v.linear_velocity()), pose.inverse_transform_vector(v.angular_velocity()));
        let c = v.colliders().next().unwrap();
        let shape = world.collider(c).unwrap().world_shape();
        if let Shape::Capsule(cap) = shape { println!("   ends {} {}", pose.inverse_transform_point(cap.a()), pose.inverse_transform_point(cap.b())); }
        for w in world.body(room).unwrap().colliders() {
            let s = isostep_collision::impact::separation(&shape, &world.collider(w).unwrap().world_shape()).unwrap();
            if s.distance < fx!(0.03) { println!("   wall {w:?} {} n {}", s.distance, pose.inverse_transform_vector(s.normal)); }
        }
        world.step();
    }
}
