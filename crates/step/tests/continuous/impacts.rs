//! What becomes of bodies that were stopped: they bounce, slide and spin as slow ones do.

use super::*;

/// A thin floor below y = 0.
fn floor(world: &mut World, material: Material) {
    let def = BodyDef::fixed(Vec3::Y * fx!(-0.005));
    add(world, def, ColliderDef::new(slab(fx!(50), fx!(0.005), fx!(50))).with_material(material));
}

#[test]
fn a_ball_bounces_off_a_thin_floor_to_the_square_of_its_restitution() {
    for radius in [fx!(0.02), fx!(0.1)] {
        for height in [fx!(3), fx!(20), fx!(117.3)] {
            for restitution in [fx!(0.4), fx!(0.8), fx!(1)] {
                let mut world = World::new(WorldConfig::default()).unwrap();
                floor(&mut world, surface(fx!(0.5), restitution));
                let start = vec3(fx!(0), height + radius, fx!(0));
                let collider = ColliderDef::new(ball(radius)).with_material(surface(fx!(0.5), restitution));
                let body = add(&mut world, BodyDef::dynamic(start), collider);
                let mut ticks = 0;
                while world.body(body).unwrap().linear_velocity().y <= fx!(0) {
                    world.step();
                    ticks += 1;
                    assert!(ticks < 1000, "no bounce");
                }
                let view = world.body(body).unwrap();
                let apex = view.position().y - radius + view.linear_velocity().y.squared() / fx!(19.62);
                let expected = height * restitution.squared();
                let off = (apex - expected).abs();
                assert!(
                    off < expected * fx!(0.03),
                    "from {height} m with {restitution}: {apex} and not {expected}"
                );
            }
        }
    }
}

#[test]
fn balls_of_any_speed_bounce_off_a_wall_with_their_restitution() {
    for speed in [fx!(4), fx!(30), fx!(123.4), fx!(499)] {
        for restitution in [fx!(0), fx!(0.5), fx!(1)] {
            let mut world = weightless();
            let material = surface(fx!(0), restitution);
            add(
                &mut world,
                BodyDef::fixed(Vec3::ZERO),
                ColliderDef::new(slab(fx!(0.005), fx!(9), fx!(9))).with_material(material),
            );
            let def = BodyDef::dynamic(Vec3::X * fx!(-7)).moving(vec3(speed, speed / fx!(50), fx!(0)));
            let body = add(&mut world, def, ColliderDef::new(ball(fx!(0.1))).with_material(material));
            let mut impacts = Vec::new();
            for _ in 0..120 {
                world.step();
                impacts.extend(world.events().iter().filter_map(|event| match event {
                    Event::ContactImpact { approach_speed, .. } => Some(*approach_speed),
                    _ => None,
                }));
            }
            let velocity = world.body(body).unwrap().linear_velocity();
            assert!(
                velocity.x.abs_diff_eq(-speed * restitution, speed * fx!(0.002) + fx!(0.002)),
                "{speed}, {restitution}: {velocity}"
            );
            assert!(velocity.y.abs_diff_eq(speed / fx!(50), speed * fx!(0.001)), "it slides on: {velocity}");
            assert!(matches!(impacts[..], [one] if one.abs_diff_eq(speed, fx!(0.01))), "{impacts:?}");
        }
    }
}

/// Tiles beside each other, with a gap of nothing: an edge every half metre.
#[test]
fn what_slides_or_rolls_fast_over_tiles_is_not_held_up() {
    for (speed, shape) in [
        (fx!(40), ball(fx!(0.1))),
        (fx!(200), ball(fx!(0.1))),
        (fx!(40), slab(fx!(0.1), fx!(0.02), fx!(0.1))),
        (fx!(150), slab(fx!(0.1), fx!(0.02), fx!(0.1))),
    ] {
        let mut world = World::new(WorldConfig { sleeping: false, ..WorldConfig::default() }).unwrap();
        let smooth = surface(fx!(0), fx!(0));
        let tiles = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        for i in 0..500 {
            let at = Pose::from_translation(vec3(Fx::from_int(i) * fx!(0.5), fx!(-0.01), fx!(0)));
            let tile = ColliderDef::new(slab(fx!(0.25), fx!(0.01), fx!(1))).at(at).with_material(smooth);
            world.add_collider(tiles, tile).unwrap();
        }
        let height = if matches!(shape, Shape::Sphere(_)) { fx!(0.1) } else { fx!(0.02) };
        let def = BodyDef::dynamic(vec3(fx!(0), height, fx!(0))).moving(Vec3::X * speed);
        let body = add(&mut world, def, ColliderDef::new(shape).with_material(smooth));
        for _ in 0..60 {
            world.step();
        }
        let view = world.body(body).unwrap();
        assert!(view.position().x.abs_diff_eq(speed, speed * fx!(0.01)), "{speed}: {}", view.position());
        assert!(
            view.linear_velocity().x.abs_diff_eq(speed, speed * fx!(0.01)),
            "{speed}: {}",
            view.linear_velocity()
        );
    }
}

#[test]
fn a_plate_that_spins_in_a_slot_stays_in_it() {
    for tilt in [fx!(0), fx!(0.02), fx!(0.05)] {
        for spin in [fx!(50), fx!(200)] {
            let mut world = weightless();
            for side in [fx!(-1), fx!(1)] {
                let def = BodyDef::fixed(Vec3::Y * side * fx!(0.02));
                add(&mut world, def, ColliderDef::new(slab(fx!(3), fx!(0.005), fx!(3))));
            }
            let def = BodyDef::dynamic(Vec3::ZERO).turning(vec3(spin * tilt, spin, fx!(0))).moving(vec3(
                fx!(0.1),
                fx!(0),
                fx!(0),
            ));
            let body = add(&mut world, def, ColliderDef::new(slab(fx!(0.25), fx!(0.01), fx!(0.25))));
            let mut turned = fx!(0);
            for tick in 0..300 {
                world.step();
                let view = world.body(body).unwrap();
                let (at, up) = (view.position(), view.rotation() * Vec3::Y);
                assert!(at.y.abs() < fx!(0.01), "{tilt}, {spin}, tick {tick}: {at}");
                assert!(up.y > fx!(0.99), "{tilt}, {spin}, tick {tick}: {up}");
                turned += view.angular_velocity().y.abs() / fx!(60);
            }
            // Friction slows it down where it touches.
            assert!(turned > fx!(5), "{tilt}, {spin}: it turned by {turned} only");
        }
    }
}

/// A needle that sticks out of a wall is deeper in it than it has to be to get through once it lies along the wall.
#[test]
fn a_needle_that_sticks_in_a_wall_does_not_turn_its_way_through() {
    let mut rng = Rng::new(6, 0);
    let mut through = 0;
    for round in 0..if is_short() { 400 } else { 4000 } {
        let mut world = weightless();
        add(&mut world, BodyDef::fixed(Vec3::ZERO), ColliderDef::new(slab(fx!(0.005), fx!(9), fx!(9))));
        let half = rng.fx_range(fx!(0.2), fx!(0.5));
        let needle: Shape = if round % 2 == 0 {
            slab(fx!(0.01), half, fx!(0.01))
        } else {
            Capsule::along_y(half, fx!(0.01)).unwrap().into()
        };
        // From beside the wall to where it only just reaches it.
        let (from, axis) = (rng.fx_range(fx!(-0.9), fx!(-0.1)) * half, rng.unit_quat());
        let reach = (axis * Vec3::Y).x.abs() * half;
        through += u32::from(reach > -from + fx!(0.03));
        let to = vec3(rng.fx_range(fx!(0), fx!(90)), rng.fx_range(fx!(-60), fx!(60)), fx!(0));
        let def = BodyDef::dynamic(Vec3::X * from).rotated(axis);
        let def = def.moving(to).turning(rng.unit_vec3() * fx!(200));
        let body = add(&mut world, def, ColliderDef::new(needle));
        for tick in 0..6 {
            world.step();
            let at = world.body(body).unwrap().position();
            assert!(at.x < fx!(0), "round {round}, tick {tick}: {at}");
        }
    }
    assert!(through > 50, "only {through} stuck in it");
}

#[test]
fn a_body_that_opts_out_passes_through_and_can_opt_in_again() {
    for stops in [false, true] {
        let mut world = weightless();
        add(&mut world, BodyDef::fixed(Vec3::ZERO), ColliderDef::new(slab(fx!(0.005), fx!(9), fx!(9))));
        let def = BodyDef { continuous: Continuous::Off, ..BodyDef::dynamic(Vec3::X * fx!(-9)) };
        let body = add(&mut world, def.moving(Vec3::X * fx!(300)), ColliderDef::new(ball(fx!(0.1))));
        assert_eq!(world.body(body).unwrap().continuous(), Continuous::Off);
        if stops {
            world.set_continuous(body, Continuous::Scenery).unwrap();
        }
        for _ in 0..10 {
            world.step();
        }
        assert_eq!(world.body(body).unwrap().position().x < fx!(0), stops);
    }
}

#[test]
fn sensors_and_what_filters_let_through_stop_nothing() {
    let ghost = Filter { groups: 2, ..Filter::default() };
    for collider in [
        ColliderDef::new(slab(fx!(0.005), fx!(9), fx!(9))).as_sensor(),
        ColliderDef::new(slab(fx!(0.005), fx!(9), fx!(9))).with_filter(ghost),
    ] {
        let mut world = weightless();
        add(&mut world, BodyDef::fixed(Vec3::ZERO), collider);
        let def = BodyDef::dynamic(Vec3::X * fx!(-9)).moving(Vec3::X * fx!(300)).as_bullet();
        let filter = Filter { mask: !2, ..Filter::default() };
        let body = add(&mut world, def, ColliderDef::new(ball(fx!(0.1))).with_filter(filter));
        for _ in 0..6 {
            world.step();
        }
        let (expected, at) = (fx!(21), world.body(body).unwrap().position().x);
        assert!(at.abs_diff_eq(expected, fx!(0.001)), "{at}");
    }
}

/// What lands on a face has four points, and all of them together more of an impulse than one product has room for.
#[test]
fn flat_hits_at_any_speed_do_not_bounce() {
    for (rate, substeps) in [(60, 4), (60, 16), (240, 4)] {
        for half in [vec3(fx!(0.5), fx!(0.5), fx!(0.5)), vec3(fx!(2), fx!(0.05), fx!(2))] {
            for speed in [fx!(250), fx!(300), fx!(350), fx!(400), fx!(450)] {
                let config = WorldConfig { tick_rate: rate, substeps, ..WorldConfig::default() };
                let mut world = World::new(config).unwrap();
                add(&mut world, BodyDef::fixed(Vec3::ZERO), ColliderDef::new(HalfSpace::ground(fx!(0))));
                let def = BodyDef::dynamic(Vec3::Y * (half.y + fx!(1))).moving(Vec3::NEG_Y * speed);
                let body = add(&mut world, def, ColliderDef::new(slab(half.x, half.y, half.z)));
                for _ in 0..8 {
                    world.step();
                }
                let velocity = world.body(body).unwrap().linear_velocity();
                assert!(velocity.length() < fx!(6), "{rate} × {substeps}, {half}, {speed}: {velocity}");
            }
        }
    }
}

/// Plates that come down on an edge lie within a hair of it, where contacts may hold them along their thickness alone.
#[test]
fn thin_plates_that_fall_do_not_hang_and_gain_no_energy() {
    for thickness in [fx!(0.002), fx!(0.005), fx!(0.01)] {
        for turn in 1..8 {
            let mut world = World::new(WorldConfig::default()).unwrap();
            add(&mut world, BodyDef::fixed(Vec3::ZERO), ColliderDef::new(HalfSpace::ground(fx!(0))));
            let angle = fx!(0.2) * Fx::from_int(turn);
            let rotation = Quat::from_axis_angle(vec3(fx!(1), fx!(0), fx!(0.3)).normalize(), angle);
            let plate = slab(fx!(0.5), thickness / fx!(2), fx!(0.5));
            let above = fx!(1) + plate.transformed(&Pose::from_rotation(rotation)).half_width(Vec3::Y);
            let def = BodyDef::dynamic(Vec3::Y * above).rotated(rotation);
            let body = add(&mut world, def, ColliderDef::new(plate));
            let (mut last, mut held, mut lowest) = (Vec3::Y * above, 0, fx!(100));
            for tick in 0..180 {
                world.step();
                let view = world.body(body).unwrap();
                let (at, velocity) = (view.position(), view.linear_velocity());
                let came = at.distance(last) * fx!(60);
                let hangs = velocity.length() > fx!(1) && came < velocity.length() * fx!(0.5);
                held = if hangs { held + 1 } else { 0 };
                assert!(
                    held < 4,
                    "{thickness} m, {angle} rad: it hangs in tick {tick} at {at} with {velocity}"
                );
                // By mass: of its height and its velocity, without its turning.
                let energy = at.y * fx!(9.81) + velocity.length_squared() / fx!(2);
                lowest = lowest.min(energy);
                assert!(energy < lowest + fx!(0.5), "{thickness} m, {angle} rad, tick {tick}: {energy}");
                last = at;
            }
        }
    }
}
