//! What was set can be read back.

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    AxisLocks, BodyDef, BodyHandle, BodyKind, ColliderDef, ColliderHandle, CombineRule, Continuous, Event,
    Filter, Material, Snapshot, World, WorldConfig,
};

fn still() -> World {
    World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap()
}

fn ball(radius: Fx) -> ColliderDef {
    ColliderDef::new(Sphere::from_radius(radius).unwrap())
}

/// Of which each field is another one than by default.
fn unusual(kind: BodyKind) -> BodyDef {
    let moves = kind != BodyKind::Fixed;
    let velocity = |v: Vec3| if moves { v } else { Vec3::ZERO };
    BodyDef {
        kind,
        pose: Pose::new(Quat::from_rotation_y(fx!(0.7)), vec3(fx!(1), fx!(-2), fx!(1000))),
        linear_velocity: velocity(vec3(fx!(3), fx!(0.25), fx!(0))),
        angular_velocity: velocity(vec3(fx!(0), fx!(-1), fx!(0))),
        gravity_scale: fx!(-0.5),
        linear_damping: fx!(0.1),
        angular_damping: fx!(0.2),
        locks: AxisLocks::TRANSLATION_Z.with(AxisLocks::ROTATION_X),
        continuous: Continuous::All,
        mass: (kind == BodyKind::Dynamic).then_some(fx!(12.5)),
        can_sleep: false,
        order: 9,
        user_data: u64::MAX,
    }
}

#[test]
fn bodies_tell_what_they_were_added_with() {
    let mut world = still();
    for kind in [BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Fixed] {
        for def in [unusual(kind), BodyDef { kind, ..BodyDef::default() }] {
            let body = world.add_body(def).unwrap();
            world.add_collider(body, ball(Fx::ONE)).unwrap();
            let view = world.body(body).unwrap();
            assert_eq!(view.def(), def);
            assert_eq!((view.gravity_scale(), view.order()), (def.gravity_scale, def.order));
            assert_eq!(view.linear_damping(), def.linear_damping);
            assert_eq!(view.angular_damping(), def.angular_damping);
            assert_eq!((view.can_sleep(), view.mass_override()), (def.can_sleep, def.mass));
        }
    }
}

#[test]
fn bodies_tell_what_commands_made_of_them() {
    let mut world = still();
    let body = world.add_body(BodyDef::default()).unwrap();
    let def = unusual(BodyKind::Dynamic);
    world.set_pose(body, def.pose).unwrap();
    world.set_gravity_scale(body, def.gravity_scale).unwrap();
    world.set_damping(body, def.linear_damping, def.angular_damping).unwrap();
    world.set_locks(body, def.locks).unwrap();
    world.set_continuous(body, def.continuous).unwrap();
    world.set_velocity(body, def.linear_velocity, def.angular_velocity).unwrap();
    world.set_mass(body, def.mass).unwrap();
    world.set_can_sleep(body, def.can_sleep).unwrap();
    world.set_body_user_data(body, def.user_data).unwrap();
    // All but the order can be changed.
    assert_eq!(world.body(body).unwrap().def(), BodyDef { order: 0, ..def });
    assert_eq!(world.body(body).unwrap().mass(), Some(fx!(12.5)));
    world.set_mass(body, None).unwrap();
    let view = world.body(body).unwrap();
    assert_eq!((view.mass_override(), view.mass()), (None, Some(Fx::ONE)));
}

#[test]
fn a_body_with_its_colliders_can_be_made_again_from_what_it_tells() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let turned = Pose::new(Quat::from_rotation_z(fx!(0.3)), vec3(fx!(0), fx!(-1), fx!(0)));
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0))).at(turned)).unwrap();
    let body = world.add_body(unusual(BodyKind::Dynamic)).unwrap();
    let shapes: [Shape; 3] = [
        Capsule::along_y(fx!(0.5), fx!(0.25)).unwrap().into(),
        Obb::from_half_extents(vec3(fx!(0.3), fx!(0.4), fx!(0.5))).unwrap().into(),
        Sphere::from_radius(fx!(0.6)).unwrap().into(),
    ];
    for (shape, x) in shapes.into_iter().zip(0..) {
        let place = Pose::new(Quat::from_rotation_x(fx!(0.9)), Vec3::X * Fx::from_int(x));
        world.add_collider(body, ColliderDef::new(shape).at(place)).unwrap();
    }
    (0..20).for_each(|_| world.step());

    let mut copy = World::new(WorldConfig::default()).unwrap();
    for view in world.bodies() {
        let made = copy.add_body(view.def()).unwrap();
        for collider in view.colliders() {
            copy.add_collider(made, world.collider(collider).unwrap().def()).unwrap();
        }
    }
    for (one, other) in world.bodies().zip(copy.bodies()) {
        assert_eq!(one.local_center_of_mass(), other.local_center_of_mass());
        assert_eq!((one.mass(), one.rotation()), (other.mass(), other.rotation()));
        let slack = Fx::from_bits(2);
        assert!(one.center_of_mass().abs_diff_eq(other.center_of_mass(), slack));
        assert_eq!(one.angular_velocity(), other.angular_velocity());
        let [linear, other] = [one, other].map(|body| body.linear_velocity());
        assert!(linear.abs_diff_eq(other, fx!(0.0000001)), "{linear} {other}");
        let center = one.pose().transform_point(one.local_center_of_mass());
        assert!(center.abs_diff_eq(one.center_of_mass(), slack), "{center}");
    }
    let defs = |world: &World| world.colliders().map(|collider| collider.def()).collect::<Vec<_>>();
    assert_eq!(defs(&world), defs(&copy));
}

#[test]
fn colliders_tell_what_they_were_added_with_and_what_commands_made_of_them() {
    let mut world = still();
    let body = world.add_body(BodyDef::default()).unwrap();
    let material = Material {
        friction: fx!(0.1),
        restitution: fx!(0.2),
        rolling_resistance: fx!(0.3),
        friction_rule: CombineRule::Min,
        restitution_rule: CombineRule::Multiply,
    };
    let def = ColliderDef {
        density: fx!(3),
        material,
        filter: Filter { layer: 5, groups: 6, mask: 7 },
        sensor: true,
        user_data: 8,
        ..ball(fx!(0.5))
    };
    let collider = world.add_collider(body, def).unwrap();
    assert_eq!(world.collider(collider).unwrap().def(), def);

    // A shape that is moved is where it is in the coordinates of the body.
    let moved = Pose::from_translation(vec3(fx!(1), fx!(2), fx!(3)));
    let other = world.add_collider(body, def.at(moved)).unwrap();
    let view = world.collider(other).unwrap();
    assert_eq!(view.def(), ColliderDef { shape: def.shape.transformed(&moved), ..def });

    let filter = Filter::default();
    world.set_material(collider, Material::default()).unwrap();
    world.set_filter(collider, filter).unwrap();
    world.set_collider_user_data(collider, 0).unwrap();
    let changed = ColliderDef { material: Material::default(), filter, user_data: 0, ..def };
    assert_eq!(world.collider(collider).unwrap().def(), changed);
}

#[test]
fn the_target_of_a_kinematic_body_is_told_until_it_is_there() {
    let mut world = still();
    let body = world.add_body(BodyDef::kinematic(Vec3::ZERO)).unwrap();
    assert_eq!(world.body(body).unwrap().kinematic_target(), None);
    let target = Pose::new(Quat::from_rotation_x(fx!(0.1)), Vec3::X);
    world.set_kinematic_target(body, target).unwrap();
    assert_eq!(world.body(body).unwrap().kinematic_target(), Some(target));
    world.step();
    let view = world.body(body).unwrap();
    assert_eq!((view.kinematic_target(), view.pose()), (None, target));
}

#[test]
fn excluded_pairs_are_told_until_one_of_them_is_gone() {
    let mut world = still();
    let bodies = [0, 1, 2].map(|x| world.add_body(BodyDef::dynamic(Vec3::X * Fx::from_int(x))).unwrap());
    let [a, b, c] = bodies;
    world.set_pair_excluded(c, a, true).unwrap();
    world.set_pair_excluded(b, a, true).unwrap();
    world.set_pair_excluded(b, c, true).unwrap();
    world.set_pair_excluded(c, b, false).unwrap();
    assert!(world.is_pair_excluded(a, c) && world.is_pair_excluded(c, a) && world.is_pair_excluded(a, b));
    assert!(!world.is_pair_excluded(b, c) && !world.is_pair_excluded(a, a));
    assert_eq!(world.excluded_pairs().collect::<Vec<_>>(), [(a, b), (a, c)]);
    world.remove_body(b).unwrap();
    assert!(!world.is_pair_excluded(a, b));
    // Who takes the slot has nothing of it.
    let next = world.add_body(BodyDef::default()).unwrap();
    assert!(next.index == b.index && !world.is_pair_excluded(a, next));
    assert_eq!(world.excluded_pairs().collect::<Vec<_>>(), [(a, c)]);
}

/// Two sensors, and two balls in the second one.
fn zones() -> (World, [ColliderHandle; 2], [(BodyHandle, ColliderHandle); 2]) {
    let mut world = still();
    let mut add = |def: BodyDef, collider: ColliderDef| {
        let body = world.add_body(def).unwrap();
        (body, world.add_collider(body, collider).unwrap())
    };
    let zones = [fx!(-9), fx!(0)].map(|x| add(BodyDef::fixed(Vec3::X * x), ball(fx!(3)).as_sensor()).1);
    let balls = [fx!(-1), fx!(1)].map(|x| add(BodyDef::dynamic(Vec3::X * x), ball(HALF)));
    world.step();
    (world, zones, balls)
}

const HALF: Fx = Fx::HALF;

#[test]
fn sensors_tell_what_is_in_them_as_their_events_did() {
    let (mut world, [empty, full], [first, second]) = zones();
    let visitors = |world: &World, zone| world.collider(zone).unwrap().visitors().collect::<Vec<_>>();
    assert_eq!(visitors(&world, full), [first.1, second.1]);
    assert_eq!((visitors(&world, empty), visitors(&world, first.1)), (vec![], vec![]));
    assert_eq!(world.sensed().collect::<Vec<_>>(), [(full, first.1), (full, second.1)]);
    let told: Vec<_> = world
        .events()
        .iter()
        .filter_map(|event| match *event {
            Event::SensorEnter { sensor, visitor } => Some((sensor, visitor)),
            _ => None,
        })
        .collect();
    assert_eq!(world.sensed().collect::<Vec<_>>(), told);

    // What sleeps is still there, and in a world that was loaded.
    (0..90).for_each(|_| world.step());
    assert!(world.body(first.0).unwrap().is_asleep());
    let bytes = world.snapshot().to_bytes();
    let loaded = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    assert_eq!(visitors(&loaded, full), [first.1, second.1]);

    // What moves is there until a step sees that it is not; what is removed is gone at once.
    world.set_pose(first.0, Pose::from_translation(Vec3::X * fx!(-9))).unwrap();
    assert_eq!(visitors(&world, full), [first.1, second.1]);
    world.remove_body(second.0).unwrap();
    assert_eq!(visitors(&world, full), [first.1]);
    world.step();
    assert_eq!((visitors(&world, full), visitors(&world, empty)), (vec![], vec![first.1]));
    world.remove_collider(empty).unwrap();
    assert_eq!(world.sensed().count(), 0);
}

#[test]
fn contacts_are_found_by_body_by_collider_and_by_pair() {
    let mut world = World::new(WorldConfig { sleeping: false, ..WorldConfig::default() }).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let plane = world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    let [one, two] = [fx!(0), fx!(5)].map(|x| {
        let body = world.add_body(BodyDef::dynamic(vec3(x, HALF, fx!(0)))).unwrap();
        let sides = [fx!(-1), fx!(1)].map(|x| {
            let place = Pose::from_translation(Vec3::X * x);
            world.add_collider(body, ball(HALF).at(place)).unwrap()
        });
        (body, sides)
    });
    (0..30).for_each(|_| world.step());
    let pairs = |contacts: &mut dyn Iterator<Item = isostep_step::ContactView<'_>>| {
        contacts.map(|contact| (contact.a, contact.b)).collect::<Vec<_>>()
    };
    assert_eq!(world.contacts().count(), 4);
    let of_one = pairs(&mut world.body(one.0).unwrap().contacts());
    assert_eq!(of_one, [(plane, one.1[0]), (plane, one.1[1])]);
    assert_eq!(pairs(&mut world.collider(two.1[1]).unwrap().contacts()), [(plane, two.1[1])]);
    assert_eq!(pairs(&mut world.collider(plane).unwrap().contacts()), pairs(&mut world.contacts()));
    assert_eq!(pairs(&mut world.body(ground).unwrap().contacts()).len(), 4);
    for (a, b) in [(plane, one.1[0]), (one.1[0], plane)] {
        let contact = world.contact(a, b).unwrap();
        assert!(contact.touching && contact.bodies() == [ground, one.0]);
    }
    assert!(world.contact(one.1[0], one.1[1]).is_none() && world.contact(plane, plane).is_none());

    // Nothing is told of what is gone, nor of what took its slot.
    world.remove_body(one.0).unwrap();
    assert!(world.contact(plane, one.1[0]).is_none() && world.body(one.0).is_none());
    let next = world.add_body(BodyDef::dynamic(Vec3::Y * fx!(9))).unwrap();
    let next = world.add_collider(next, ball(HALF)).unwrap();
    assert!(one.1.iter().any(|gone| gone.index == next.index));
    assert!(
        world.contact(plane, next).is_none() && world.collider(next).unwrap().contacts().next().is_none()
    );
    assert_eq!(world.contacts().count(), 2);
}
