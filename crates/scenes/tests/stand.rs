//! What is built to stand still stands after a minute, asleep or awake.
//!
//! In the first second contacts give way under their loads. From then on no contact is lost, and no piece moves or turns
//! by more than the limits of its scene, nor from the tenth second on.

use isostep_collision::Shape;
use isostep_math::{Fx, Pose, fx};
use isostep_scenes::Scene;
use isostep_step::{BodyHandle, BodyKind, BodyView, Event, World, WorldConfig};

const SECOND: u32 = 60;

/// How far a piece may be from where it was: in mm, and in degrees.
#[derive(Clone, Copy)]
struct Limits {
    moved: Fx,
    turned: Fx,
}

/// For what rests.
const RESTING: Limits = Limits { moved: fx!(3), turned: fx!(0.1) };

/// For cards that lean on each other: awake they slip a little until they rest.
const SETTLING: Limits = Limits { moved: fx!(5), turned: fx!(0.2) };

/// For a tower of loose blocks, of which some are missing: awake it sways for some time.
const SWAYING: Limits = Limits { moved: fx!(26), turned: fx!(0.4) };

fn awake() -> WorldConfig {
    WorldConfig { sleeping: false, ..WorldConfig::default() }
}

/// A scene without balls: they come to knock it over.
fn build(name: &str, size: u32, config: WorldConfig) -> World {
    let mut world = Scene::find(name).unwrap().build(size, config).unwrap();
    let is_ball = |shape: &Shape| matches!(shape, Shape::Sphere(_));
    let balls = world.colliders().filter(|collider| is_ball(collider.shape())).map(|ball| ball.body());
    for ball in balls.collect::<Vec<BodyHandle>>() {
        world.remove_body(ball).unwrap();
    }
    world
}

fn pieces(world: &World) -> Vec<(BodyHandle, Pose)> {
    let dynamic = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic);
    dynamic.map(|body| (body.handle(), body.pose())).collect()
}

/// How far two places are apart.
fn millimetres(a: &Pose, b: &Pose) -> Fx {
    a.translation.distance(b.translation) * fx!(1000)
}

/// The angle between two rotations, in degrees.
fn angle(a: &Pose, b: &Pose) -> Fx {
    let way = a.rotation.conjugate() * b.rotation;
    (way.xyz().length().min(Fx::ONE).asin() * fx!(2)).to_degrees()
}

/// The piece that is farthest by a measure, and how far that is.
fn farthest(
    before: &[(BodyHandle, Pose)],
    after: &[(BodyHandle, Pose)],
    measure: fn(&Pose, &Pose) -> Fx,
) -> (Fx, BodyHandle) {
    let measured = before.iter().zip(after).map(|((body, a), (_, b))| (measure(a, b), *body));
    measured.max().expect("pieces")
}

/// Steps a minute, and panics in the tick in which a piece is beyond the limits or a contact is lost.
fn assert_stands(name: &str, size: u32, config: WorldConfig, limits: [Limits; 2]) {
    let mut world = build(name, size, config);
    let built = pieces(&world);
    let mut reference = built.clone();
    let mut told = format!("{name} {size}, {} substeps:", config.substeps);
    for (from, to, limits) in [(0, 1, None), (1, 10, Some(limits[0])), (10, 60, Some(limits[1]))] {
        let mut worst = Limits { moved: Fx::ZERO, turned: Fx::ZERO };
        for tick in from * SECOND + 1..=to * SECOND {
            world.step();
            let now = pieces(&world);
            let (moved, mover) = farthest(&reference, &now, millimetres);
            let (turned, turner) = farthest(&reference, &now, angle);
            worst = Limits { moved: worst.moved.max(moved), turned: worst.turned.max(turned) };
            let Some(limits) = limits else { continue };
            assert!(moved <= limits.moved, "{told} tick {tick}, {mover} moved by {moved} mm");
            assert!(turned <= limits.turned, "{told} tick {tick}, {turner} turned by {turned} degrees");
            let lost = world.events().iter().find(|event| matches!(event, Event::ContactEnd { .. }));
            assert!(lost.is_none(), "{told} tick {tick}, {lost:?}");
        }
        reference = pieces(&world);
        told += &format!(" {} mm and {} degrees from second {from} to {to},", worst.moved, worst.turned);
    }
    let asleep = world.bodies().filter(BodyView::is_asleep).count();
    println!("{told} {asleep} of {} asleep", built.len());
    assert_eq!(asleep, if config.sleeping { built.len() } else { 0 });
}

#[test]
fn a_card_house_stands() {
    for size in [3, 5] {
        assert_stands("card-house", size, WorldConfig::default(), [RESTING; 2]);
        assert_stands("card-house", size, awake(), [SETTLING, RESTING]);
    }
}

#[test]
fn an_arch_stands() {
    for size in [6, 10] {
        assert_stands("arch", size, WorldConfig::default(), [RESTING; 2]);
        assert_stands("arch", size, awake(), [RESTING; 2]);
    }
}

#[test]
fn a_jenga_tower_stands() {
    for (size, later) in [(9, RESTING), (18, SWAYING)] {
        assert_stands("jenga", size, WorldConfig::default(), [SWAYING, RESTING]);
        assert_stands("jenga", size, awake(), [SWAYING, later]);
    }
}
