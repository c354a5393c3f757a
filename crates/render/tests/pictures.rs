//! Pictures show what is there, are the same bytes each time, and stay pictures whatever the world is.

use isostep_collision::{Aabb, Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_render::{Color, Direction, Frame, MAX_SIZE, MIN_SIZE, SheetError, View, contact_sheet, render};
use isostep_scenes::Scene;
use isostep_step::{
    BodyDef, BodyHandle, BodyView, ColliderDef, JointDef, JointKind, Limits, World, WorldConfig,
};

const DIRECTIONS: [Direction; 5] = [
    Direction::ThreeQuarter,
    Direction::Front,
    Direction::Side,
    Direction::Top,
    Direction::Angles { yaw: fx!(3.9), pitch: fx!(-0.7) },
];

fn empty() -> World {
    World::new(WorldConfig::default()).unwrap()
}

fn add(world: &mut World, body: BodyDef, collider: impl Into<ColliderDef>) -> BodyHandle {
    let body = world.add_body(body).unwrap();
    world.add_collider(body, collider.into()).unwrap();
    body
}

fn of(shape: impl Into<Shape>) -> ColliderDef {
    ColliderDef::new(shape)
}

fn cuboid(x: Fx, y: Fx, z: Fx) -> Obb {
    Obb::from_half_extents(vec3(x, y, z)).unwrap()
}

fn ball(radius: Fx) -> Sphere {
    Sphere::from_radius(radius).unwrap()
}

/// Everything that a world can hold, a little above the point `at`, on nothing without end.
fn all_shapes(at: Vec3) -> World {
    let mut world = empty();
    let turn = Quat::from_axis_angle(vec3(fx!(0.6), fx!(0), fx!(0.8)), fx!(0.7));
    add(&mut world, BodyDef::fixed(at - Vec3::Y), of(cuboid(fx!(4), fx!(1), fx!(3))));
    add(
        &mut world,
        BodyDef::fixed(at + vec3(fx!(0), fx!(1), fx!(-3.5))),
        of(cuboid(fx!(4), fx!(1), fx!(0.5))),
    );
    add(
        &mut world,
        BodyDef::kinematic(at + vec3(fx!(2), fx!(0.5), fx!(0))),
        of(cuboid(fx!(1), fx!(0.2), fx!(1))),
    );
    add(&mut world, BodyDef::dynamic(at + vec3(fx!(-3), fx!(1), fx!(0))).rotated(turn), of(ball(fx!(0.8))));
    let capsule = Capsule::along_y(fx!(0.5), fx!(0.4)).unwrap();
    add(&mut world, BodyDef::dynamic(at + vec3(fx!(-1), fx!(1), fx!(1))).rotated(turn), of(capsule));
    add(
        &mut world,
        BodyDef::dynamic(at + vec3(fx!(2), fx!(1.3), fx!(0))).rotated(turn),
        of(cuboid(fx!(0.5), fx!(0.4), fx!(0.6))),
    );
    // A body of two colliders.
    let dumbbell = add(&mut world, BodyDef::dynamic(at + vec3(fx!(0), fx!(0.5), fx!(2))), of(ball(fx!(0.4))));
    let other = of(ball(fx!(0.3))).at(Pose::from_translation(Vec3::X * fx!(1.2)));
    world.add_collider(dumbbell, other).unwrap();
    add(
        &mut world,
        BodyDef::fixed(at + vec3(fx!(-2), fx!(0.5), fx!(-1.5))),
        of(cuboid(fx!(0.6), fx!(0.5), fx!(0.6))).as_sensor(),
    );
    add(&mut world, BodyDef::fixed(at + vec3(fx!(3), fx!(0.6), fx!(2))), of(ball(fx!(0.5))).as_sensor());
    world
}

/// The numbers of a picture are numbers, and its elements end.
fn assert_is_picture(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<svg ").count(), svg.matches("</svg>").count());
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    assert_eq!(svg.matches('"').count() % 2, 0);
    let numbers = svg.split(|character: char| !(character.is_ascii_digit() || character == '.'));
    let longest = numbers.map(str::len).max().unwrap_or(0);
    assert!(longest <= 17, "a number of {longest} digits");
    for word in ["NaN", "inf", "Infinity"] {
        assert!(!svg.contains(&format!("{word} ")) && !svg.contains(&format!("\"{word}")), "{word}");
    }
}

#[test]
fn all_shapes_are_there() {
    let world = all_shapes(Vec3::ZERO);
    let paint = |body: &BodyView<'_>| Some(Color([body.handle().index as u8, 1, 2]));
    for direction in DIRECTIONS {
        let view = View::new(640, 400).unwrap().from_direction(direction).painted(&paint).without_sleep();
        let picture = render(&world, &view);
        assert_is_picture(&picture);
        // Two balls of a body, one of another; a sensor that is a ball.
        assert_eq!(picture.matches("url(#ball)").count(), 3, "{direction:?}");
        assert!(picture.matches("stroke-dasharray").count() >= 2, "{direction:?}");
        assert!(picture.contains("stroke-linecap=\"round\""), "{direction:?}");
    }
}

#[test]
fn equal_worlds_make_equal_pictures() {
    for scene in Scene::all() {
        let mut world = scene.small_world();
        for _ in 0..20 {
            world.step();
        }
        let view = View::new(300, 300).unwrap().with_contacts().with_labels();
        let picture = render(&world, &view);
        assert_eq!(render(&world, &view), picture, "{}", scene.name);
        let other = World::from_snapshot(&world.snapshot());
        assert_eq!(render(&other, &view), picture, "{}", scene.name);
        assert_is_picture(&picture);
    }
}

#[test]
fn a_scene_that_is_moved_makes_the_same_picture() {
    let view = View::new(400, 300).unwrap();
    let picture = render(&all_shapes(Vec3::ZERO), &view);
    let far = vec3(Fx::from_int(1 << 29), Fx::from_int(-(1 << 28)), Fx::from_int(123_456_789));
    assert_eq!(render(&all_shapes(far), &view), picture);
}

#[test]
fn what_flew_away_does_not_shrink_the_rest() {
    let mut world = all_shapes(Vec3::ZERO);
    let view = View::new(400, 300).unwrap();
    let before = render(&world, &view);
    add(&mut world, BodyDef::dynamic(vec3(fx!(5000), fx!(0), fx!(0))), of(ball(fx!(1))));
    assert_eq!(render(&world, &view), before);
    add(
        &mut world,
        BodyDef::fixed(vec3(fx!(0), fx!(-400), fx!(0))),
        of(cuboid(fx!(9000), fx!(10), fx!(9000))),
    );
    assert_eq!(render(&world, &view), before);
}

#[test]
fn sleeping_bodies_are_grey_unless_that_is_not_wanted() {
    let mut world = empty();
    add(&mut world, BodyDef::fixed(Vec3::ZERO), of(HalfSpace::ground(fx!(0))));
    let body =
        add(&mut world, BodyDef::dynamic(Vec3::Y * Fx::HALF), of(cuboid(Fx::HALF, Fx::HALF, Fx::HALF)));
    // So bright that its upper side stays what it is.
    let red = |_: &BodyView<'_>| Some(Color([255, 0, 0]));
    let view = View::new(200, 200).unwrap().painted(&red);
    let upper_side = |world: &World, view: &View<'_>| render(world, view).matches("fill=\"#ff0000\"").count();
    let awake = upper_side(&world, &view);
    for _ in 0..200 {
        world.step();
    }
    assert!(world.body(body).unwrap().is_asleep());
    assert_eq!(upper_side(&world, &view) + 1, awake);
    assert_eq!(upper_side(&world, &view.without_sleep()), awake);
}

#[test]
fn contacts_are_marked_where_bodies_touch() {
    let mut world = Scene::find("pyramid").unwrap().small_world();
    for _ in 0..5 {
        world.step();
    }
    let view = View::new(400, 300).unwrap();
    let without = render(&world, &view).len();
    let with = render(&world, &view.with_contacts()).len();
    assert!(with > without + 1000, "{with} {without}");
}

/// What lines of joints are drawn in, and the axes of hinges and sliders.
const LINES: &str = "#1d3f9e";
const AXES: &str = "#c05a00";

/// Two crates 4 m apart, around a point, joined halfway between them.
fn joined(kind: JointKind, at: Vec3) -> World {
    let mut world = empty();
    let ends = [vec3(fx!(-2), fx!(0), fx!(0)), vec3(fx!(2), fx!(0), fx!(0))];
    let bodies =
        ends.map(|end| add(&mut world, BodyDef::dynamic(at + end), of(cuboid(fx!(0.5), fx!(0.5), fx!(0.5)))));
    let frames = ends.map(|end| Pose::from_translation(-end));
    world.add_joint(JointDef::new(kind, (bodies[0], frames[0]), (bodies[1], frames[1]))).unwrap();
    world
}

/// The path data of the first path in a color, after the part that says where it starts.
fn path_in<'a>(picture: &'a str, color: &str, width: &str) -> Option<&'a str> {
    let line = picture.lines().find(|line| line.contains(color) && line.contains(width))?;
    line.split(" d=\"").nth(1)?.split('"').next()
}

#[test]
fn joints_are_lines_from_the_middles_to_where_they_hold() {
    let view = View::new(1200, 600).unwrap().from_direction(Direction::Front);
    let picture = render(&joined(JointKind::Fixed, Vec3::ZERO), &view);
    assert_is_picture(&picture);
    // From the middles of both crates, which are as far to the left and to the right, to the middle of both.
    let arms = path_in(&picture, LINES, "stroke-opacity=\".55\"").unwrap();
    let numbers: Vec<i64> = arms.split(['M', 'l', ' ']).filter_map(|number| number.parse().ok()).collect();
    let [left, y, way, 0, right, other_y, back, 0] = numbers[..] else { panic!("{arms}") };
    assert_eq!((left + way, y, right + back), (6000, other_y, 6000), "{arms}");
    assert!(way > 2000 && back == -way, "{arms}");
    assert!(!picture.contains(AXES));
    let without = render(&joined(JointKind::Fixed, Vec3::ZERO), &view.clone().without_joints());
    assert!(!without.contains(LINES) && without.len() < picture.len());
}

#[test]
fn hinges_and_sliders_show_their_axes() {
    let view = View::new(1200, 600).unwrap().from_direction(Direction::Front);
    let hinge = render(&joined(JointKind::Hinge { limits: None, motor: None }, Vec3::ZERO), &view);
    // 16 pixels to each side, level.
    let rod = path_in(&hinge, AXES, "").unwrap();
    let numbers: Vec<i64> = rod.split(['M', 'l', ' ']).filter_map(|number| number.parse().ok()).collect();
    let [from, _, way, 0] = numbers[..] else { panic!("{rod}") };
    assert!((from - 5840).abs() <= 2 && (way - 320).abs() <= 2, "{rod}");
    let limits = Some(Limits { lower: fx!(-2), upper: fx!(1) });
    let slider = render(&joined(JointKind::Slider { limits, motor: None }, Vec3::ZERO), &view);
    let rail = path_in(&slider, AXES, "").unwrap();
    let crates = path_in(&slider, LINES, "stroke-opacity=\".55\"").unwrap();
    // From the middle of the left crate, 2 m away, to 1 m beyond the middle.
    let [start, middle] = [rail, crates].map(|path| path.split('l').next().unwrap());
    assert_eq!(start, middle);
}

#[test]
fn joints_that_are_moved_make_the_same_picture() {
    let view = View::new(400, 300).unwrap();
    let far = vec3(Fx::from_int(1 << 29), Fx::from_int(-(1 << 28)), Fx::from_int(123_456_789));
    let rope = JointKind::Distance { limits: Some(Limits { lower: fx!(0), upper: fx!(9) }), motor: None };
    assert_eq!(render(&joined(rope, Vec3::ZERO), &view), render(&joined(rope, far), &view));
}

#[test]
fn joints_that_reach_far_make_pictures() {
    let mut world = joined(JointKind::Fixed, Vec3::ZERO);
    let far = Fx::from_int(1 << 30);
    let rock = add(&mut world, BodyDef::fixed(Vec3::splat(far)), of(ball(fx!(1))));
    let body = world.bodies().next().unwrap().handle();
    let limits = Some(Limits { lower: fx!(-120), upper: fx!(120) });
    let slider = JointKind::Slider { limits, motor: None };
    for frame in [Vec3::ZERO, Vec3::splat(-far), vec3(-far, far, -far)] {
        let frame = Pose::from_translation(frame);
        world.add_joint(JointDef::new(slider, (rock, frame), (body, Pose::IDENTITY))).unwrap();
    }
    for direction in DIRECTIONS {
        assert_is_picture(&render(&world, &View::new(300, 300).unwrap().from_direction(direction)));
    }
}

#[test]
fn a_caption_is_text_and_no_markup() {
    let picture = render(&empty(), &View::new(100, 100).unwrap().captioned("</svg><script>\u{1}&"));
    assert!(picture.contains("&lt;/svg&gt;&lt;script&gt;&amp;</text>"), "{picture}");
    assert_is_picture(&picture);
}

#[test]
fn hostile_worlds_make_pictures() {
    let far = Fx::from_int(1 << 30);
    let mut worlds = vec![empty()];
    let places = [Vec3::ZERO, Vec3::splat(far), Vec3::splat(-far), vec3(far, -far, Fx::ZERO)];
    for (count, kind) in [(1, 0), (4, 0), (4, 1), (4, 2)] {
        let mut world = empty();
        // What moves has a limit.
        let huge = if kind == 2 { isostep_collision::shape::MAX_EXTENT } else { fx!(100) };
        let radius = if kind == 2 { huge } else { fx!(0.001) };
        for place in &places[..count] {
            let body = match kind {
                0 => BodyDef::dynamic(*place),
                1 => BodyDef::kinematic(*place),
                _ => BodyDef::fixed(*place),
            };
            add(&mut world, body, of(ball(huge)));
            add(&mut world, body, of(Capsule::along_y(huge, fx!(0.001)).unwrap()));
            add(&mut world, body, of(cuboid(radius, Fx::EPSILON, huge)));
            add(&mut world, body, of(cuboid(Fx::EPSILON, Fx::EPSILON, Fx::EPSILON)));
            add(&mut world, body, of(ball(Fx::EPSILON)).as_sensor());
        }
        for normal in
            [Vec3::Y, Vec3::NEG_X, vec3(fx!(0.6), fx!(0.8), fx!(0)), vec3(fx!(0), fx!(-0.6), fx!(0.8))]
        {
            let plane = HalfSpace::new(Vec3::ZERO, normal).unwrap();
            add(&mut world, BodyDef::fixed(Vec3::splat(far)), of(plane));
            add(&mut world, BodyDef::fixed(Vec3::ZERO), of(plane).as_sensor());
        }
        worlds.push(world);
    }
    // A tiny thing alone.
    let mut world = empty();
    add(&mut world, BodyDef::dynamic(Vec3::ONE), of(ball(Fx::EPSILON)));
    worlds.push(world);
    // A body without a collider.
    let mut world = empty();
    world.add_body(BodyDef::dynamic(Vec3::ONE)).unwrap();
    worlds.push(world);

    for (index, world) in worlds.iter_mut().enumerate() {
        for ticks in 0..2 {
            for direction in DIRECTIONS {
                for (width, height) in
                    [(MIN_SIZE, MIN_SIZE), (MAX_SIZE, MIN_SIZE), (MAX_SIZE, MAX_SIZE), (64, 48)]
                {
                    let view = View::new(width, height)
                        .unwrap()
                        .from_direction(direction)
                        .with_contacts()
                        .with_labels();
                    println!("world {index}, tick {ticks}, {direction:?}, {width}x{height}");
                    assert_is_picture(&render(world, &view));
                    let part = Aabb::from_points([Vec3::splat(Fx::MIN), Vec3::splat(Fx::MAX)]);
                    assert_is_picture(&render(world, &view.clone().of(part)));
                    assert_is_picture(&render(world, &view.of(Aabb::from_points([Vec3::ONE]))));
                }
            }
            world.step();
        }
    }
}

#[test]
fn a_contact_sheet_has_its_frames_side_by_side() {
    let mut world = Scene::find("arch").unwrap().small_world();
    let first = world.clone();
    for _ in 0..30 {
        world.step();
    }
    let frames = [("tick 0", &first), ("tick 30", &world)]
        .map(|(caption, world)| Frame { caption: caption.to_owned(), world });
    let view = View::new(200, 120).unwrap();
    let sheet = contact_sheet(&frames, 2, &view).unwrap();
    assert_is_picture(&sheet);
    assert!(sheet.contains("width=\"424\" height=\"136\"") && sheet.contains("tick 30</text>"));
    assert_eq!(sheet.matches("<svg ").count(), 3);

    assert_eq!(contact_sheet(&[], 2, &view), Err(SheetError::Frames { found: 0 }));
    assert_eq!(contact_sheet(&frames, 0, &view), Err(SheetError::NoColumns));
    let large = View::new(MAX_SIZE, 100).unwrap();
    assert_eq!(contact_sheet(&frames, 2, &large), Err(SheetError::Size { width: 32_792, height: 116 }));
}
