//! [`render`]: a world as a picture.

use crate::camera::{Camera, caption_height, text_size};
use crate::contacts;
use crate::joints;
use crate::order::{Front, back_to_front, front};
use crate::paint::Painter;
use crate::plane::{Rect, UNITS};
use crate::polygon::surface;
use crate::scope::Scope;
use crate::shadow::Caster;
use crate::solid::{Finish, Plane, Solid, collect};
use crate::svg::{self, Svg, put};
use crate::view::View;
use isostep_collision::{Aabb, HalfSpace};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::{BodyKind, World};

/// A picture of a world, as the text of an SVG file. Equal worlds and views give equal text, on every machine.
///
/// The picture is about what moves: bodies that are far from all others are left out of it, and scenery that is much
/// larger is shown around what moves. Walls between the viewer and all that moves are drawn as glass. Sensors are
/// translucent, with dashed edges. Joints are lines over all that, with dots where they hold, and the axes of hinges and
/// sliders.
#[must_use]
pub fn render(world: &World, view: &View<'_>) -> String {
    let mut svg = svg::open(view.width, view.height);
    draw(&mut svg, world, view, &scope_of(world, view));
    svg.push("</svg>\n");
    svg.into_text()
}

/// What a picture of a world is about.
pub(crate) fn scope_of(world: &World, view: &View<'_>) -> Scope {
    Scope::of(&collect(world, view).0, view)
}

/// Draws a world into the frame of a view.
pub(crate) fn draw(svg: &mut Svg, world: &World, view: &View<'_>, scope: &Scope) {
    let camera = Camera::of(view, scope);
    let (solids, planes) = collect(world, view);
    let (solids, planes) = on_stage(&camera, scope, solids, planes);
    let rects: Vec<Rect> = solids.iter().map(|solid| camera.rect(solid)).collect();
    let (solids, rects): (Vec<Solid>, Vec<Rect>) =
        solids.into_iter().zip(rects).filter(|(_, rect)| rect.overlaps(&camera.frame)).unzip();
    let casters: Vec<Caster> = solids.iter().filter_map(|solid| Caster::of(&camera, solid)).collect();

    let (width, height) = (camera.frame.max.x, camera.frame.max.y);
    put!(svg, "<path fill=\"url(#sky)\" d=\"M0 0h{width}v{height}h-{width}z\"/>\n");
    let edge = edge_width(&solids, &camera);
    put!(
        svg,
        "<g stroke=\"#172030\" stroke-opacity=\".6\" stroke-width=\"{edge}\" stroke-linejoin=\"round\">\n"
    );
    let mut painter = Painter { svg, camera: &camera, stage: &scope.stage, casters: &casters, edge };
    let half_spaces: Vec<HalfSpace> = planes.iter().map(|plane| plane.half_space).collect();
    for plane in &planes {
        painter.plane(plane, surface(&plane.half_space, &scope.stage, &half_spaces));
    }
    for index in back_to_front(&camera, &solids, &rects) {
        painter.solid(&solids[index]);
    }
    if view.joints {
        joints::draw(svg, &camera, world, edge);
    }
    if view.contacts {
        contacts::draw(svg, &camera, world, edge);
    }
    svg.push("</g>\n");
    if view.labels {
        labels(svg, &camera, &solids, view);
    }
    if !view.caption.is_empty() {
        let size = text_size(view);
        let below = height - (caption_height(view) - size) / 2;
        put!(
            svg,
            "<text x=\"{size}\" y=\"{below}\" font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" \
             font-size=\"{size}\" fill=\"#44505f\">"
        );
        svg.escaped(&view.caption);
        svg.push("</text>\n");
    }
}

/// Scenery as it is drawn: half-spaces along an axis and large boxes as the parts of them on the stage, what stands
/// before the actors as glass, and what is not seen left out.
fn on_stage(
    camera: &Camera,
    scope: &Scope,
    solids: Vec<Solid>,
    planes: Vec<Plane>,
) -> (Vec<Solid>, Vec<Plane>) {
    let mut shown: Vec<Solid> = Vec::with_capacity(solids.len());
    let mut slanted: Vec<Plane> = Vec::new();
    for plane in planes {
        let aabb = plane.half_space.to_aabb();
        if aabb == Aabb::ALL {
            slanted.push(plane);
        } else {
            shown.extend(slab(&plane, &aabb.intersection(&scope.stage)));
        }
    }
    for mut solid in solids {
        if scope.is_beyond(&solid) {
            solid.cut = true;
            if !solid.aabb().overlaps(&scope.stage) {
                continue;
            }
            if solid.is_aligned() {
                solid.take_aabb(&solid.aabb().intersection(&scope.stage));
            }
        }
        shown.push(solid);
    }
    let actors = Solid::around(&scope.actors);
    for solid in &mut shown {
        if solid.kind == BodyKind::Fixed
            && solid.finish == Finish::Opaque
            && is_before(camera, solid, &actors)
        {
            solid.finish = Finish::Glass;
        }
    }
    // A half-space whose surface is seen from behind is between the viewer and all else.
    slanted.retain(|plane| plane.half_space.normal().dot(camera.toward) > fx!(0.02));
    (shown, slanted)
}

/// Whether scenery stands between the viewer and all actors.
fn is_before(camera: &Camera, scenery: &Solid, actors: &Solid) -> bool {
    // Who leans on a wall may be a little in it.
    let mut actors = *actors;
    actors.generators = actors.generators.map(|generator| generator * fx!(0.95));
    front(camera, scenery, &actors) == Some(Front::First)
        && [Vec3::X, Vec3::Y, Vec3::Z].into_iter().any(|axis| {
            let apart = (scenery.center - actors.center).dot(axis).abs();
            apart >= scenery.reach(axis) + actors.reach(axis)
        })
}

/// The part of a half-space in a box; `None` where there is none.
fn slab(plane: &Plane, aabb: &Aabb) -> Option<Solid> {
    let half_extents = aabb.half_extents();
    (half_extents.min_element() > Fx::ZERO).then(|| {
        let mut solid = Solid::around(aabb);
        (solid.body, solid.collider) = (plane.body, plane.collider);
        (solid.color, solid.finish, solid.cut) = (plane.color, plane.finish, true);
        solid
    })
}

/// Edges are thinner where bodies are small, in units.
fn edge_width(solids: &[Solid], camera: &Camera) -> i64 {
    let moving = solids.iter().filter(|solid| solid.kind == BodyKind::Dynamic);
    let mut sizes: Vec<i64> = moving.map(|solid| camera.units_of(solid.size())).collect();
    sizes.sort_unstable();
    let size = sizes.get(sizes.len() / 2).copied().unwrap_or(40 * UNITS);
    (size / 24).clamp(UNITS * 3 / 10, UNITS * 11 / 10)
}

/// The slots of bodies that move, in the middle of each.
fn labels(svg: &mut Svg, camera: &Camera, solids: &[Solid], view: &View<'_>) {
    let size = text_size(view) * 3 / 4;
    put!(
        svg,
        "<g font-family=\"sans-serif\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"#101820\" \
         stroke=\"#fff\" stroke-width=\"{}\" paint-order=\"stroke\">\n",
        size / 5
    );
    for solid in solids.iter().filter(|solid| solid.kind != BodyKind::Fixed) {
        let at = camera.project(solid.center);
        put!(svg, "<text x=\"{}\" y=\"{}\">{}</text>\n", at.x, at.y + size / 3, solid.body.index);
    }
    svg.push("</g>\n");
}
