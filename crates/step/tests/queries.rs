//! What a world answers about its space: what a look at every collider would say, in the world's order, at any moment.

use isostep_collision::{
    Capsule, HalfSpace, Obb, Ray, Shape, Sphere, cast_ray, cast_shape, closest_points_from, overlaps,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_step::{
    BodyDef, BodyHandle, BodyView, ColliderDef, ColliderHandle, ColliderView, Filter, Queries, QueryFilter,
    Snapshot, World, WorldConfig,
};

fn random_shape(rng: &mut Rng) -> Shape {
    let size = rng.fx_range(fx!(0.3), fx!(1.2));
    match rng.below(3) {
        0 => Sphere::from_radius(size).unwrap().into(),
        1 => Capsule::along_y(size, fx!(0.4)).unwrap().into(),
        _ => Obb::from_half_extents(vec3(size, fx!(0.5), fx!(0.8))).unwrap().into(),
    }
}

/// A heap of all shapes, layers and groups, with sensors, bodies of two colliders, and orders against the slots.
fn heap(rng: &mut Rng) -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    for index in 0..60 {
        let place = rng.unit_vec3() * rng.fx_range(fx!(0), fx!(8)) + Vec3::Y * fx!(8);
        let place = if rng.bool() { place.round() } else { place };
        let mut def = BodyDef::dynamic(place).rotated(rng.unit_quat().normalize());
        def.order = 100 - index;
        let body = world.add_body(def).unwrap();
        for _ in 0..1 + rng.below(2) {
            let filter = Filter { layer: rng.below(3) as u8, groups: 1 << rng.below(3), ..Filter::default() };
            let mut collider = ColliderDef::new(random_shape(rng)).with_filter(filter);
            collider.sensor = rng.below(4) == 0;
            world.add_collider(body, collider).unwrap();
        }
    }
    world
}

fn random_filter(rng: &mut Rng, world: &World) -> QueryFilter {
    let all: Vec<BodyHandle> = world.bodies().map(|body| body.handle()).collect();
    QueryFilter {
        layers: if rng.bool() { u32::MAX } else { rng.below(8) },
        groups: if rng.bool() { u32::MAX } else { rng.below(8) },
        solids: rng.below(5) > 0,
        sensors: rng.bool(),
        excluded: if rng.bool() { rng.choose(&all).copied() } else { None },
    }
}

/// All colliders that a filter admits, in the world's order: bodies by their orders, then by slots.
fn admitted<'a>(world: &'a World, filter: &QueryFilter) -> Vec<ColliderView<'a>> {
    let mut bodies: Vec<_> = world.bodies().collect();
    // Here the orders of bodies fall with their slots, but for the ground's.
    bodies.sort_by_key(|body| if body.handle().index == 0 { 0 } else { 1000 - body.handle().index });
    let colliders = bodies.iter().flat_map(BodyView::colliders).filter_map(|handle| world.collider(handle));
    colliders
        .filter(|collider| {
            let wanted = if collider.is_sensor() { filter.sensors } else { filter.solids };
            wanted
                && filter.layers >> collider.filter().layer & 1 == 1
                && filter.groups & collider.filter().groups != 0
                && filter.excluded != Some(collider.body())
        })
        .collect()
}

/// Compares every question with a look at every collider; how many answers there were.
fn compare(queries: &Queries<'_>, rng: &mut Rng) -> usize {
    let world = queries.world();
    let filter = &random_filter(rng, world);
    let all = admitted(world, filter);
    let from = rng.unit_vec3() * fx!(12) + Vec3::Y * fx!(6);
    let from = if rng.bool() { from.round() } else { from };
    let way = rng.unit_vec3() * fx!(20);

    let ray = Ray::new(from, way).with_max_fraction(rng.fx_range(fx!(0.3), fx!(1.2)));
    let mut hits: Vec<(Fx, ColliderHandle)> = all
        .iter()
        .filter_map(|collider| Some((cast_ray(&collider.world_shape(), &ray)?.fraction, collider.handle())))
        .collect();
    hits.sort_by_key(|(fraction, _)| *fraction);
    let found: Vec<_> =
        queries.cast_ray_all(&ray, filter).iter().map(|found| (found.hit.fraction, found.collider)).collect();
    assert_eq!(found, hits);
    let first = queries.cast_ray(&ray, filter);
    assert_eq!(first.map(|found| (found.hit.fraction, found.collider)), hits.first().copied());
    assert_eq!(first.map(|found| found.body), first.map(|hit| world.collider(hit.collider).unwrap().body()));
    assert_eq!(queries.cast_ray_any(&ray, filter), !hits.is_empty());
    let mut answers = hits.len();

    let moving = random_shape(rng).transformed(&isostep_math::Pose::from_translation(from));
    let mut hits: Vec<(Fx, ColliderHandle)> = all
        .iter()
        .filter_map(|collider| {
            Some((cast_shape(&moving, way, &collider.world_shape())?.fraction, collider.handle()))
        })
        .collect();
    hits.sort_by_key(|(fraction, _)| *fraction);
    let found: Vec<_> = queries
        .cast_shape_all(&moving, way, filter)
        .iter()
        .map(|found| (found.hit.fraction, found.collider))
        .collect();
    assert_eq!(found, hits);
    let first = queries.cast_shape(&moving, way, filter);
    assert_eq!(first.map(|found| (found.hit.fraction, found.collider)), hits.first().copied());
    assert_eq!(queries.cast_shape_any(&moving, way, filter), !hits.is_empty());
    answers += hits.len();

    let overlapping: Vec<ColliderHandle> = all
        .iter()
        .filter(|collider| overlaps(&collider.world_shape(), &moving))
        .map(ColliderView::handle)
        .collect();
    assert_eq!(queries.overlapping(&moving, filter), overlapping);
    assert_eq!(queries.overlaps_any(&moving, filter), !overlapping.is_empty());

    let inside = rng.unit_vec3() * fx!(4) + Vec3::Y * fx!(3);
    let containing: Vec<ColliderHandle> = all
        .iter()
        .filter(|collider| collider.world_shape().contains(inside))
        .map(ColliderView::handle)
        .collect();
    assert_eq!(queries.containing(inside, filter), containing);
    answers += overlapping.len() + containing.len();

    let most = rng.fx_range(fx!(0), fx!(9));
    let distance = |collider: &ColliderView<'_>| {
        closest_points_from(from, &collider.world_shape()).map_or(Fx::ZERO, |points| points.distance)
    };
    let nearest = all
        .iter()
        .map(|collider| (distance(collider), collider.handle()))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance);
    let found = queries.closest_point(from, most, filter);
    assert_eq!(found.map(|found| (found.distance, found.collider)), nearest);
    answers + usize::from(found.is_some())
}

#[test]
fn answers_are_those_of_a_look_at_every_collider() {
    let mut rng = Rng::new(1, 0);
    let mut answers = 0;
    for _ in 0..6 {
        let mut world = heap(&mut rng);
        for _ in 0..4 {
            for _ in 0..25 {
                answers += compare(&world.queries(), &mut rng);
            }
            for _ in 0..20 {
                world.step();
            }
        }
    }
    assert!(answers > 800, "{answers}");
}

#[test]
fn answers_follow_commands_and_loads_at_once() {
    let mut rng = Rng::new(2, 0);
    let mut world = heap(&mut rng);
    for _ in 0..30 {
        world.step();
    }
    let saved = world.snapshot();
    let down = Ray::new(vec3(fx!(0), fx!(40), fx!(0)), Vec3::Y * fx!(-80));
    let filter = QueryFilter { sensors: true, ..QueryFilter::default() };
    let before = world.queries().cast_ray_all(&down, &filter);

    let lid = world.add_body(BodyDef::fixed(vec3(fx!(0), fx!(30), fx!(0)))).unwrap();
    world.add_collider(lid, ColliderDef::new(Sphere::from_radius(fx!(1)).unwrap())).unwrap();
    assert_eq!(world.queries().cast_ray(&down, &filter).unwrap().body, lid);
    world.set_pose(lid, isostep_math::Pose::from_translation(Vec3::X * fx!(90))).unwrap();
    assert_eq!(world.queries().cast_ray_all(&down, &filter), before);
    world.remove_body(lid).unwrap();
    assert_eq!(world.queries().cast_ray_all(&down, &filter), before);
    for _ in 0..30 {
        world.step();
    }

    // Back, and in a world that never stepped.
    world.load(&saved);
    assert_eq!(world.queries().cast_ray_all(&down, &filter), before);
    let mut other = World::from_snapshot(&Snapshot::from_bytes(&saved.to_bytes()).unwrap());
    assert_eq!(other.queries().cast_ray_all(&down, &filter), before);
    for _ in 0..50 {
        compare(&other.queries(), &mut rng);
    }
}

#[test]
fn asking_changes_nothing() {
    let mut asked = heap(&mut Rng::new(3, 0));
    let mut other = heap(&mut Rng::new(3, 0));
    let mut rng = Rng::new(4, 0);
    for _ in 0..60 {
        compare(&asked.queries(), &mut rng);
        asked.step();
        assert!(
            !asked.queries().containing(vec3(fx!(0), fx!(-1), fx!(0)), &QueryFilter::default()).is_empty()
        );
        other.step();
        assert_eq!(asked.state_hash(), other.state_hash());
        assert_eq!(asked.events(), other.events());
    }
}

#[test]
fn of_what_is_hit_at_once_the_first_in_the_worlds_order_counts() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ball = ColliderDef::new(Sphere::from_radius(fx!(1)).unwrap());
    let place = |z: Fx| vec3(fx!(4), fx!(0), z);
    let [late, early] = [7, 3].map(|order| {
        let body = world.add_body(BodyDef { order, ..BodyDef::dynamic(place(fx!(0))) }).unwrap();
        world.add_collider(body, ball).unwrap();
        body
    });
    let ray = Ray::new(Vec3::ZERO, Vec3::X * fx!(8));
    let filter = QueryFilter::default();
    let queries = world.queries();
    let all: Vec<BodyHandle> = queries.cast_ray_all(&ray, &filter).iter().map(|hit| hit.body).collect();
    assert_eq!(all, [early, late]);
    assert_eq!(queries.cast_ray(&ray, &filter).unwrap().body, early);
    assert_eq!(queries.cast_ray(&ray, &filter.without(early)).unwrap().body, late);
    assert_eq!(queries.closest_point(Vec3::ZERO, fx!(9), &filter).unwrap().body, early);
    let nearest = queries.closest_point(Vec3::ZERO, fx!(9), &filter).unwrap();
    assert_eq!((nearest.distance, nearest.point), (fx!(3), vec3(fx!(3), fx!(0), fx!(0))));
}

#[test]
fn degenerate_questions_have_answers() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let body = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let collider = world.add_collider(body, ColliderDef::new(Sphere::from_radius(fx!(1)).unwrap())).unwrap();
    let filter = QueryFilter::default();
    let far = Vec3::splat(Fx::MAX);
    let queries = world.queries();
    // A ray without length is a point, a shape that does not move hits what it overlaps.
    let hit = queries.cast_ray(&Ray::new(Vec3::ZERO, Vec3::ZERO), &filter).unwrap();
    assert_eq!((hit.hit.fraction, hit.hit.normal), (Fx::ZERO, Vec3::ZERO));
    assert_eq!(queries.cast_ray(&Ray::new(Vec3::X * fx!(2), Vec3::ZERO), &filter), None);
    let moving = Shape::from(Sphere::new(Vec3::X, fx!(1)).unwrap());
    assert!(queries.cast_shape(&moving, Vec3::ZERO, &filter).unwrap().hit.is_inside());
    // The ends of the range.
    assert_eq!(queries.cast_ray(&Ray::new(far, far), &filter), None);
    assert!(queries.cast_ray(&Ray::new(-far, far * fx!(2)), &filter).is_some());
    assert_eq!(queries.cast_shape(&moving, far, &filter).map(|hit| hit.collider), Some(collider));
    assert_eq!(queries.closest_point(far, Fx::MAX, &filter).map(|found| found.collider), Some(collider));
    assert!(queries.containing(far, &filter).is_empty());
    // Distances below zero, filters that admit nothing, bodies that do not exist.
    assert_eq!(queries.closest_point(Vec3::ZERO, Fx::NEG_ONE, &filter), None);
    let down = Ray::new(Vec3::Y * fx!(3), Vec3::Y * fx!(-6));
    for nothing in [filter.of_layers(0), filter.in_groups(0), filter.without(body), filter.of_layers(2)] {
        assert_eq!(queries.cast_ray(&down, &nothing), None);
        assert!(!queries.cast_ray_any(&down, &nothing) && !queries.overlaps_any(&moving, &nothing));
    }
    let nobody = BodyHandle { index: 9, generation: 9 };
    assert!(queries.cast_ray(&down, &filter.without(nobody)).is_some());
    // An empty world has nothing.
    let mut empty = World::new(WorldConfig::default()).unwrap();
    let queries = empty.queries();
    assert_eq!(queries.cast_ray(&down, &filter), None);
    assert_eq!(queries.closest_point(Vec3::ZERO, Fx::MAX, &filter), None);
}
