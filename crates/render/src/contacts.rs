//! Where bodies touch.

use crate::camera::Camera;
use crate::plane::UNITS;
use crate::svg::{Svg, put};
use isostep_math::Fx;
use isostep_step::World;

/// How long normals are drawn, in pixels.
const NORMAL: i32 = 14;

/// A dot at each point of each contact that touches, and a line along its normal, away from the first collider.
pub(crate) fn draw(svg: &mut Svg, camera: &Camera, world: &World, edge: i64) {
    let (mut dots, mut normals) = (Svg::default(), Svg::default());
    let margin = camera.pixel();
    for contact in world.contacts().filter(|contact| contact.touching) {
        let Some(found) = contact.manifold() else { continue };
        let way = found.normal * (camera.pixel() * Fx::from_int(NORMAL));
        for point in found.points().iter().filter(|point| point.separation <= margin) {
            let at = point.on_a.midpoint(point.on_b);
            let (from, to) = (camera.project(at), camera.project(at + way));
            if camera.frame.contains(from) {
                dots.line(&[from]);
                normals.line(&[from, to]);
            }
        }
    }
    let (dots, normals) = (dots.into_text(), normals.into_text());
    if dots.is_empty() {
        return;
    }
    put!(
        svg,
        "<path fill=\"none\" stroke=\"#c2183a\" stroke-opacity=\".8\" stroke-width=\"{}\" d=\"{normals}\"/>\n",
        edge * 3 / 2
    );
    put!(
        svg,
        "<path fill=\"none\" stroke=\"#c2183a\" stroke-opacity=\"1\" stroke-linecap=\"round\" stroke-width=\"{}\" d=\"{dots}\"/>\n",
        5 * UNITS
    );
}
