//! What holds bodies together.
//!
//! A joint is a line from the middle of each body that moves to the place where it is held, a dot at each of both places,
//! and a bold line from one to the other: a rope, or how far something is from where it is to be. Hinges have their axis
//! as a rod, sliders and suspensions theirs as a rail as long as their limits. Joints are drawn over everything, as one looks
//! at them to see where they are.

use crate::camera::Camera;
use crate::plane::{UNITS, clip};
use crate::svg::{Svg, put};
use isostep_math::{Fx, Vec3};
use isostep_step::{BodyKind, JointKind, JointView, World};

/// Half the length of the axis of a hinge, and of a slider without limits, in pixels.
const AXIS: i32 = 16;

/// How lines are drawn: their color and opacity, and their width in parts of the width of edges.
const ARM: (&str, i64) = ("stroke=\"#1d3f9e\" stroke-opacity=\".55\"", 1);
const LINK: (&str, i64) = ("stroke=\"#1d3f9e\" stroke-opacity=\".9\"", 3);
const RAIL: (&str, i64) = ("stroke=\"#c05a00\" stroke-opacity=\".9\"", 2);
const DOT: (&str, i64) = ("stroke=\"#1d3f9e\" stroke-opacity=\"1\"", 6);

/// Draws all joints of a world.
pub(crate) fn draw(svg: &mut Svg, camera: &Camera, world: &World, edge: i64) {
    let [mut arms, mut links, mut rails, mut dots] = core::array::from_fn(|_| Svg::default());
    for joint in world.joints() {
        let anchors = joint.anchors();
        for (body, at) in joint.bodies().into_iter().zip(anchors) {
            let Some(body) = world.body(body).filter(|body| body.kind() != BodyKind::Fixed) else { continue };
            line(&mut arms, camera, body.center_of_mass(), at);
        }
        line(&mut links, camera, anchors[0], anchors[1]);
        if let Some([from, to]) = axis(camera, world, &joint) {
            line(&mut rails, camera, from, to);
        }
        for at in anchors {
            line(&mut dots, camera, at, at);
        }
    }
    for (path, (stroke, width)) in [(arms, ARM), (links, LINK), (rails, RAIL), (dots, DOT)] {
        let path = path.into_text();
        if !path.is_empty() {
            let width = (edge * width).max(UNITS / 2);
            put!(
                svg,
                "<path fill=\"none\" {stroke} stroke-linecap=\"round\" stroke-width=\"{width}\" d=\"{path}\"/>\n"
            );
        }
    }
}

/// The ends of what shows the axis that a joint leaves free.
fn axis(camera: &Camera, world: &World, joint: &JointView<'_>) -> Option<[Vec3; 2]> {
    let def = joint.def();
    let [from, _] = joint.anchors();
    let own = if matches!(def.kind, JointKind::Wheel { .. }) { Vec3::Y } else { Vec3::X };
    let along = world.body(def.body_a)?.rotation() * (def.frame_a.rotation * own);
    let some = camera.pixel() * Fx::from_int(AXIS);
    let [low, high] = match def.kind {
        JointKind::Hinge { .. }
        | JointKind::Slider { limits: None, .. }
        | JointKind::Wheel { limits: None, .. } => [-some, some],
        JointKind::Slider { limits: Some(limits), .. } | JointKind::Wheel { limits: Some(limits), .. } => {
            [limits.lower, limits.upper]
        }
        _ => return None,
    };
    let at = |way: Fx| from.saturating_add(along.saturating_scale(way));
    Some([at(low), at(high)])
}

/// A line as far as it is in the frame; a dot where both ends are one.
fn line(path: &mut Svg, camera: &Camera, from: Vec3, to: Vec3) {
    let (from, to) = (camera.project(from), camera.project(to));
    let frame = &camera.frame;
    let is_seen = [from, to].map(|point| frame.contains(point));
    if is_seen == [true; 2] {
        path.line(&[from, to]);
    } else if from != to {
        if let [from, .., to] = clip(&[from, to], &frame.corners())[..] {
            path.line(&[from, to]);
        }
    }
}
