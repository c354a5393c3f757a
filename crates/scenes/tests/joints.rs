//! Scenes of joints: what they show is what mechanics says, they come to rest, and they obey the laws.
//!
//! Reference curves are integrated here, in the same numbers but by another method, at a rate at which that has no error
//! to speak of.

#[path = "joints/cradle.rs"]
mod cradle;
#[path = "joints/laws.rs"]
mod laws;
#[path = "joints/pendulum.rs"]
mod pendulum;
#[path = "joints/rest.rs"]
mod rest;
#[path = "joints/wear.rs"]
mod wear;

use isostep_math::{Fx, fx};
use isostep_scenes::Scene;
use isostep_step::{BodyKind, BodyView, JointKind, JointView, World, WorldConfig};

/// A scene in a size and the default configuration.
fn build(name: &str, size: u32) -> World {
    Scene::find(name).unwrap().build(size, WorldConfig::default()).unwrap()
}

/// Ticks of a test: fewer where each takes long (docs/targets.md).
fn ticks(all: u32, some: u32) -> u32 {
    if std::env::var_os("ISOSTEP_SHORT_LOGS").is_some() { some } else { all }
}

fn moving(world: &World) -> impl Iterator<Item = BodyView<'_>> {
    world.bodies().filter(|body| body.kind() == BodyKind::Dynamic)
}

fn is_at_rest(world: &World) -> bool {
    moving(world).all(|body| body.is_asleep())
}

/// How far what a joint holds together is apart, in m.
fn gap(joint: &JointView<'_>) -> Fx {
    let place = joint.relative_pose().translation;
    match joint.kind() {
        JointKind::Slider { .. } => place.with_x(fx!(0)).length(),
        JointKind::Wheel { .. } => place.with_y(fx!(0)).length(),
        JointKind::Distance { limits: Some(limits), .. } => {
            let distance = place.length();
            (distance - limits.upper).max(limits.lower - distance).max(Fx::ZERO)
        }
        JointKind::Distance { .. } | JointKind::Target { .. } => Fx::ZERO,
        _ => place.length(),
    }
}

/// How far a joint is beyond its limits of angles, in rad.
fn beyond(joint: &JointView<'_>) -> Fx {
    let angle = joint.angle();
    let mut most = Fx::ZERO;
    let limits = match *joint.kind() {
        JointKind::Ball { swing_limit, twist_limits, .. } => {
            most = swing_limit.map_or(most, |limit| joint.swing() - limit);
            twist_limits
        }
        JointKind::Hinge { limits, .. } => limits,
        _ => None,
    };
    limits.map_or(most, |limits| most.max(angle - limits.upper).max(limits.lower - angle)).max(Fx::ZERO)
}

/// The greatest measure of all joints.
fn worst(world: &World, measure: fn(&JointView<'_>) -> Fx) -> Fx {
    world.joints().map(|joint| measure(&joint)).fold(Fx::ZERO, Fx::max)
}
