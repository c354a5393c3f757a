//! What scenes are said to show is what happens in them.

use isostep_math::{Fx, Vec3, fx};
use isostep_scenes::Scene;
use isostep_step::{BodyKind, Event, World, WorldConfig};

fn dynamic_positions(world: &World) -> Vec<Vec3> {
    let dynamic = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic);
    dynamic.map(|body| body.position()).collect()
}

/// Steps a scene for its ticks, and how far bodies were moved at the most.
fn farthest_move(name: &str, size: u32) -> Fx {
    let scene = Scene::find(name).unwrap();
    let mut world = scene.build(size, WorldConfig { sleeping: false, ..WorldConfig::default() }).unwrap();
    let before = dynamic_positions(&world);
    for _ in 0..scene.ticks {
        world.step();
    }
    let moves = before.iter().zip(dynamic_positions(&world)).map(|(before, after)| before.distance(after));
    moves.fold(Fx::ZERO, Fx::max)
}

#[test]
fn what_is_built_to_stand_stands() {
    for (name, size) in [("pyramid", 12), ("stacks", 2), ("card-house", 3), ("card-house", 5), ("arch", 10)] {
        let moved = farthest_move(name, size);
        println!("{name} {size}: {moved} m");
        assert!(moved < fx!(0.15), "{name}: {moved}");
    }
}

#[test]
fn the_tower_falls_when_the_ball_comes() {
    assert!(farthest_move("jenga", 18) > fx!(2));
}

#[test]
fn a_pit_holds_what_falls_into_it() {
    for (name, layers, width) in [("pile-of-boxes", 3, fx!(6)), ("pile-of-spheres", 2, fx!(10))] {
        let scene = Scene::find(name).unwrap();
        let mut world = scene.build(layers, WorldConfig::default()).unwrap();
        for _ in 0..300 {
            world.step();
        }
        for position in dynamic_positions(&world) {
            assert!(position.y > fx!(0.4) && position.x.abs().max(position.z.abs()) < width, "{position}");
        }
    }
}

#[test]
fn on_a_slope_the_steep_friction_stays_and_the_low_slides() {
    let scene = Scene::find("slope").unwrap();
    let mut world = scene.world();
    let before = dynamic_positions(&world);
    for _ in 0..120 {
        world.step();
    }
    // A box and a ball a lane, friction rising from lane to lane.
    let moved: Vec<Fx> =
        before.iter().zip(dynamic_positions(&world)).map(|(before, after)| before.distance(after)).collect();
    println!("{moved:?}");
    let boxes: Vec<Fx> = moved.iter().copied().step_by(2).collect();
    assert!(boxes[0] > fx!(5) && *boxes.last().unwrap() < fx!(0.05), "{boxes:?}");
    assert!(boxes.windows(2).all(|pair| pair[0] >= pair[1] - fx!(0.01)), "{boxes:?}");
    assert!(moved.iter().skip(1).step_by(2).all(|ball| *ball > fx!(3)), "{moved:?}");
}

#[test]
fn the_mixture_has_events_of_all_kinds() {
    let mut world = Scene::find("mixture").unwrap().small_world();
    let mut kinds = [0; 4];
    for _ in 0..300 {
        world.step();
        for event in world.events() {
            match event {
                Event::ContactBegin { .. } => kinds[0] += 1,
                Event::ContactImpact { .. } => kinds[1] += 1,
                Event::SensorEnter { .. } => kinds[2] += 1,
                Event::SensorLeave { .. } => kinds[3] += 1,
                _ => {}
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 10), "{kinds:?}");
}
