//! Floors of several colliders: what slides over them feels one surface, and walls, steps and grooves stay what they are.

use isostep_collision::{Capsule, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{AxisLocks, BodyDef, BodyHandle, ColliderDef, Material, World, WorldConfig};

const ZERO: Fx = Fx::ZERO;
const HALF: Fx = fx!(0.5);

fn new_world() -> World {
    World::new(WorldConfig { sleeping: false, ..WorldConfig::default() }).unwrap()
}

fn surface(friction: Fx) -> Material {
    Material { friction, ..Material::default() }
}

fn block(half: Vec3) -> Obb {
    Obb::from_half_extents(half).unwrap()
}

fn add(world: &mut World, def: BodyDef, shape: impl Into<Shape>, friction: Fx) -> BodyHandle {
    let body = world.add_body(def).unwrap();
    world.add_collider(body, ColliderDef::new(shape).with_material(surface(friction))).unwrap();
    body
}

/// Adds a box of scenery, between two corners.
fn add_block(world: &mut World, from: Vec3, to: Vec3, friction: Fx) -> BodyHandle {
    add(world, BodyDef::fixed((from + to) * HALF), block((to - from) * HALF), friction)
}

/// Tiles of a metre whose tops are at y = 0, of one body, or each of its own.
fn add_tiles(world: &mut World, friction: Fx, one_body: bool, mut height: impl FnMut() -> Fx) {
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let tile = ColliderDef::new(block(Vec3::splat(HALF))).with_material(surface(friction));
    for x in -2..30 {
        for z in -3..4 {
            let at = vec3(Fx::from_int(x), height() - HALF, Fx::from_int(z));
            if one_body {
                let pose = Pose::from_translation(at);
                world.add_collider(ground, ColliderDef { pose, ..tile }).unwrap();
            } else {
                add(world, BodyDef::fixed(at), block(Vec3::splat(HALF)), friction);
            }
        }
    }
}

fn add_plain_floor(world: &mut World, friction: Fx) {
    add_block(world, vec3(fx!(-50), fx!(-1), fx!(-50)), vec3(fx!(50), ZERO, fx!(50)), friction);
}

/// Things that lie on the floor, with how high their middle is.
fn sliders() -> Vec<(&'static str, Shape, Fx, AxisLocks)> {
    let capsule = Capsule::along_y(fx!(0.4), fx!(0.3)).unwrap();
    vec![
        ("ball", Sphere::from_radius(fx!(0.3)).unwrap().into(), fx!(0.3), AxisLocks::NONE),
        ("marble", Sphere::from_radius(fx!(0.02)).unwrap().into(), fx!(0.02), AxisLocks::NONE),
        ("cube", block(Vec3::splat(fx!(0.3))).into(), fx!(0.3), AxisLocks::NONE),
        ("slab", block(vec3(fx!(0.6), fx!(0.1), fx!(0.4))).into(), fx!(0.1), AxisLocks::NONE),
        ("hero", capsule.into(), fx!(0.7), AxisLocks::ROTATION),
    ]
}

/// How fast it still is after two seconds, how high it came, and how fast it moved up or down.
fn slide(world: &mut World, shape: Shape, height: Fx, locks: AxisLocks, friction: Fx, speed: Fx) -> [Fx; 3] {
    let start = vec3(ZERO, height, fx!(0.2));
    let def = BodyDef { locks, ..BodyDef::dynamic(start).rotated(Quat::from_rotation_y(fx!(0.3))) };
    let body = add(world, def.moving(vec3(speed, ZERO, fx!(0.3))), shape, friction);
    let (mut highest, mut fastest) = (ZERO, ZERO);
    for _ in 0..120 {
        world.step();
        let view = world.body(body).unwrap();
        highest = highest.max(view.position().y - height);
        fastest = fastest.max(view.linear_velocity().y.abs());
    }
    [world.body(body).unwrap().linear_velocity().x, highest, fastest]
}

#[test]
fn what_slides_or_rolls_over_tiles_moves_as_on_one_floor() {
    for (name, shape, height, locks) in sliders() {
        for friction in [ZERO, fx!(0.2)] {
            for speed in [fx!(1), fx!(3), fx!(7), fx!(12)] {
                let mut plain = new_world();
                add_plain_floor(&mut plain, friction);
                let [expected, ..] = slide(&mut plain, shape, height, locks, friction, speed);
                for one_body in [true, false] {
                    let mut tiled = new_world();
                    add_tiles(&mut tiled, friction, one_body, || ZERO);
                    let [left, highest, fastest] = slide(&mut tiled, shape, height, locks, friction, speed);
                    let what = format!("{name}, {friction}, {speed} m/s, one body {one_body}");
                    assert!((left - expected).abs() < fx!(0.002), "{what}: {left} m/s instead of {expected}");
                    assert!(highest < fx!(0.001) && fastest < fx!(0.05), "{what}: {highest}, {fastest}");
                }
            }
        }
    }
}

/// Heights of tiles differ by up to three millimetres: less than the reach of what is that large.
#[test]
fn lips_of_millimetres_hold_nothing_back() {
    let mut rng = Rng::new(3, 0);
    for (name, shape, height, locks) in sliders() {
        if name == "marble" {
            continue;
        }
        for speed in [fx!(2), fx!(6)] {
            let mut world = new_world();
            add_tiles(&mut world, ZERO, true, || rng.fx_range(fx!(-0.003), ZERO));
            let [left, highest, _] = slide(&mut world, shape, height, locks, ZERO, speed);
            assert!(
                left > speed * fx!(0.995) && highest < fx!(0.001),
                "{name}: {left} of {speed}, {highest}"
            );
        }
    }
}

#[test]
fn steps_and_walls_stop_what_runs_into_them() {
    for (name, shape, height, locks) in sliders() {
        // Balls climb steps that are lower than their middle, if they are fast.
        for (rise, speed) in [(height * HALF, fx!(0.5)), (fx!(2), fx!(1)), (fx!(2), fx!(4))] {
            let [on_one, on_tiles] = [false, true].map(|tiles| {
                let mut world = new_world();
                if tiles {
                    add_tiles(&mut world, ZERO, false, || ZERO);
                } else {
                    add_plain_floor(&mut world, ZERO);
                }
                add_block(&mut world, vec3(fx!(1.5), fx!(-1), fx!(-9)), vec3(fx!(9), rise, fx!(9)), ZERO);
                let def = BodyDef { locks, ..BodyDef::dynamic(vec3(ZERO, height, fx!(0.2))) };
                let body = add(&mut world, def.moving(Vec3::X * speed), shape, ZERO);
                (0..240).fold(ZERO, |farthest, _| {
                    world.step();
                    let collider = world.body(body).unwrap().colliders().next().unwrap();
                    farthest.max(world.collider(collider).unwrap().world_shape().to_aabb().max().x)
                })
            });
            // What is round comes to be above a low step in part, and what a tick moves by less than its thickness, in the wall.
            let what = format!("{name}, rise {rise}, {speed} m/s: {on_tiles}, on one floor {on_one}");
            assert!(on_tiles > fx!(1.49) && (on_tiles - on_one).abs() < fx!(0.01), "{what}");
        }
    }
}

/// A plank whose lower edge is in the corner of a slippery floor and a wall, and that is pushed.
#[test]
fn an_edge_in_the_corner_of_floor_and_wall_stays_there() {
    for degrees in [5, 20, 45, 70] {
        for friction in [ZERO, HALF] {
            let mut world = new_world();
            add_plain_floor(&mut world, friction);
            add_block(&mut world, vec3(ZERO, fx!(-1), fx!(-9)), vec3(fx!(9), fx!(0.3), fx!(9)), friction);
            let half = vec3(fx!(1), fx!(0.05), fx!(0.3));
            // It rises away from the wall.
            let tilt = Quat::from_rotation_z(-Fx::from_int(degrees).to_radians());
            let corner = tilt * vec3(half.x, -half.y, ZERO);
            let edge = tilt * vec3(half.x, half.y, ZERO);
            let place = vec3(-edge.x.max(corner.x), -corner.y, ZERO);
            let def = BodyDef { locks: AxisLocks::ROTATION, ..BodyDef::dynamic(place).rotated(tilt) };
            let body = add(&mut world, def, block(half), friction);
            for _ in 0..180 {
                world.apply_force(body, vec3(fx!(300), ZERO, ZERO)).unwrap();
                world.step();
            }
            let moved = world.body(body).unwrap().position() - place;
            assert!(moved.length() < fx!(0.0001), "{degrees} degrees, friction {friction}: {moved}");
        }
    }
}

#[test]
fn balls_lie_in_grooves_and_corners_however_small_they_are() {
    for radius in [fx!(0.3), fx!(0.05), fx!(0.01), fx!(0.004)] {
        for degrees in [20, 45, 70] {
            let mut world = new_world();
            for side in [1, -1] {
                let tilt = Quat::from_rotation_z((Fx::from_int(side * degrees)).to_radians());
                let half = vec3(fx!(2), fx!(0.5), fx!(2));
                // The upper edge at the middle is at the origin.
                let middle = -(tilt * vec3(Fx::from_int(-side) * half.x, half.y, ZERO));
                add(&mut world, BodyDef::fixed(middle).rotated(tilt), block(half), ZERO);
            }
            let depth = radius / Fx::from_int(degrees).to_radians().cos();
            let start = Vec3::Y * (depth + radius);
            let body = add(&mut world, BodyDef::dynamic(start), Sphere::from_radius(radius).unwrap(), ZERO);
            for _ in 0..240 {
                world.step();
            }
            let place = world.body(body).unwrap().position();
            let off = place - Vec3::Y * depth;
            assert!(off.length() < fx!(0.0003), "{radius}, {degrees} degrees: {off}");
        }
    }
}

#[test]
fn what_is_smaller_than_a_gap_falls_into_it_and_what_is_larger_does_not() {
    for (gap, falls) in [(fx!(0.7), true), (fx!(0.3), false), (fx!(0.004), false)] {
        let mut world = new_world();
        add_block(&mut world, vec3(fx!(-5), fx!(-1), fx!(-5)), vec3(ZERO, ZERO, fx!(5)), ZERO);
        add_block(&mut world, vec3(gap, fx!(-1), fx!(-5)), vec3(fx!(5), ZERO, fx!(5)), ZERO);
        let start = vec3(gap * HALF, fx!(0.31), ZERO);
        let body = add(&mut world, BodyDef::dynamic(start), Sphere::from_radius(fx!(0.3)).unwrap(), ZERO);
        for _ in 0..60 {
            world.step();
        }
        let height = world.body(body).unwrap().position().y;
        assert_eq!(height < fx!(-0.5), falls, "gap {gap}: {height}");
    }
}

/// Two roofs that meet in a ridge, or in a valley, each of 5 degrees.
#[test]
fn what_comes_over_a_ridge_or_through_a_valley_stays_on_the_ground() {
    let slope = fx!(5).to_radians();
    for (name, shape, height, locks) in sliders() {
        for (is_ridge, up) in [(true, slope), (false, -slope)] {
            let mut world = new_world();
            for (tilt, side) in [(up, Fx::ONE), (-up, Fx::NEG_ONE)] {
                let tilt = Quat::from_rotation_z(tilt);
                let half = vec3(fx!(5), HALF, fx!(5));
                // An upper edge of both is at the origin.
                let middle = -(tilt * vec3(side * half.x, half.y, ZERO));
                add(&mut world, BodyDef::fixed(middle).rotated(tilt), block(half), ZERO);
            }
            let tilt = Quat::from_rotation_z(up);
            let def = BodyDef { locks, ..BodyDef::dynamic(tilt * vec3(fx!(-2), height, ZERO)).rotated(tilt) };
            let body = add(&mut world, def.moving(tilt * Vec3::X * fx!(4)), shape, ZERO);
            for _ in 0..50 {
                world.step();
            }
            let view = world.body(body).unwrap();
            // A valley holds up what is long.
            if is_ridge || !matches!(shape, Shape::Box(_)) {
                let above = Quat::from_rotation_z(up) * view.position();
                let speed = view.linear_velocity().length();
                let what = format!("{name}, ridge {is_ridge}");
                assert!(speed > fx!(3.6) && speed < fx!(4.1), "{what}: {speed} m/s");
                assert!((above.y - height).abs() < fx!(0.01), "{what}: {above}");
            }
        }
    }
}

#[test]
fn towers_stand_where_four_tiles_meet() {
    for turn in [ZERO, fx!(0.4)] {
        let mut world = new_world();
        add_tiles(&mut world, HALF, false, || ZERO);
        let tower: Vec<BodyHandle> = (0..10)
            .map(|level| {
                let place = vec3(fx!(0.5), fx!(0.25) + Fx::from_int(level) * HALF, fx!(0.5));
                let def = BodyDef::dynamic(place).rotated(Quat::from_rotation_y(turn));
                add(&mut world, def, block(Vec3::splat(fx!(0.25))), HALF)
            })
            .collect();
        for _ in 0..600 {
            world.step();
        }
        let top = world.body(tower[9]).unwrap();
        let off = top.position() - vec3(HALF, fx!(4.75), HALF);
        assert!(off.length() < fx!(0.01), "turned by {turn}: {off}");
        assert!(top.linear_velocity().length() < fx!(0.001), "turned by {turn}: {}", top.linear_velocity());
        assert_eq!(world.body(tower[0]).unwrap().contacts().count(), 5, "four tiles and a cube");
    }
}
