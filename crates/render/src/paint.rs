//! How solids are drawn: boxes and planes here, balls and capsules in `round`, lines on the ground in `grid`.
//!
//! A face has the color of its body, brighter the more it is turned to the light. A ball has two sectors of a lighter
//! color, as beach balls have, and a capsule rings and a seam: so both show how they are turned.

mod grid;
mod round;

use crate::camera::Camera;
use crate::color::Color;
use crate::plane::{Point, UNITS, clip, hull};
use crate::polygon::cut_to_box;
use crate::shadow::{Caster, Face};
use crate::solid::{Finish, Form, Plane, Solid};
use crate::svg::{Svg, put};
use isostep_collision::Aabb;
use isostep_math::{Fx, Vec3, fx};
use isostep_step::{BodyHandle, BodyKind};

/// What edges are drawn in.
const INK: Color = Color([0x17, 0x20, 0x30]);

/// Draws solids into a picture.
pub(crate) struct Painter<'a> {
    pub(crate) svg: &'a mut Svg,
    pub(crate) camera: &'a Camera,
    pub(crate) stage: &'a Aabb,
    pub(crate) casters: &'a [Caster],
    /// The width of edges, in units.
    pub(crate) edge: i64,
}

/// A side of a solid that is seen.
struct Side {
    normal: Vec3,
    corners: Vec<Vec3>,
}

impl Painter<'_> {
    pub(crate) fn plane(&mut self, plane: &Plane, corners: Vec<Vec3>) {
        let side = Side { normal: plane.half_space.normal(), corners };
        let tangents: (Vec3, Vec3) = if side.normal == Vec3::Y {
            (Vec3::X, Vec3::Z)
        } else {
            let across = side.normal.cross(Vec3::Y).normalize_or(Vec3::X);
            (across, side.normal.cross(across))
        };
        self.scenery(plane.body, plane.color, &side, Some(tangents));
    }

    pub(crate) fn solid(&mut self, solid: &Solid) {
        match (solid.form, solid.finish) {
            (Form::Box, Finish::Opaque) => self.opaque_box(solid),
            (Form::Box, Finish::Sensor | Finish::Glass) => self.clear_box(solid),
            (Form::Ball, Finish::Opaque) => self.ball(solid),
            (Form::Capsule, Finish::Opaque) => self.capsule(solid),
            (Form::Ball | Form::Capsule, Finish::Sensor | Finish::Glass) => self.clear_round(solid),
        }
    }

    fn opaque_box(&mut self, solid: &Solid) {
        for side in self.sides(solid) {
            if solid.kind == BodyKind::Dynamic {
                self.fill(self.shade(solid.color, side.normal), &self.outline(&side.corners));
            } else {
                let grid = solid.cut && side.normal == Vec3::Y;
                self.scenery(solid.body, solid.color, &side, grid.then_some((Vec3::X, Vec3::Z)));
            }
        }
    }

    /// A side that shadows fall on, with a grid along two directions.
    fn scenery(&mut self, owner: BodyHandle, color: Color, side: &Side, grid: Option<(Vec3, Vec3)>) {
        let outline = self.outline(&side.corners);
        let Some(&point) = side.corners.first() else { return };
        if outline.len() < 3 {
            return;
        }
        self.fill(self.shade(color, side.normal), &outline);
        if let Some((u, v)) = grid {
            self.grid(&side.corners, u, v);
        }
        if self.camera.light.dot(side.normal) < fx!(0.1) {
            return;
        }
        let face = Face { point, normal: side.normal, outline: &outline };
        let mut any = false;
        for caster in self.casters {
            let shadow = caster.shadow(self.camera, owner, &face);
            if shadow.len() < 3 {
                continue;
            }
            if !any {
                put!(self.svg, "<path fill=\"#0b1a33\" fill-opacity=\".2\" stroke=\"none\" d=\"");
                any = true;
            }
            self.svg.polygon(&shadow);
        }
        if any {
            self.svg.push("\"/>\n");
        }
    }

    /// A box that is seen through: its far edges first.
    fn clear_box(&mut self, solid: &Solid) {
        let outline = hull(self.sides(solid).iter().flat_map(|side| self.outline(&side.corners)).collect());
        let (fill, dashes) = match solid.finish {
            Finish::Sensor => (".13", format!(" stroke-dasharray=\"{0} {0}\"", 5 * UNITS)),
            _ => (".05", String::new()),
        };
        if outline.len() >= 3 {
            put!(self.svg, "<path fill=\"{0}\" fill-opacity=\"{fill}\" stroke=\"none\" d=\"", solid.color);
            self.svg.polygon(&outline);
            self.svg.push("\"/>\n");
        }
        let stroke = if solid.finish == Finish::Sensor { solid.color } else { INK };
        put!(self.svg, "<path fill=\"none\" stroke=\"{stroke}\" stroke-opacity=\".55\"{dashes} d=\"");
        for side in self.sides(solid) {
            let outline = self.outline(&side.corners);
            if outline.len() >= 3 {
                self.svg.polygon(&outline);
            }
        }
        self.svg.push("\"/>\n");
    }

    /// The sides of a box that face the viewer; of one that is cut, the parts on the stage.
    fn sides(&self, solid: &Solid) -> Vec<Side> {
        let mut sides = Vec::with_capacity(3);
        for axis in 0..3 {
            let facing = solid.axes[axis].dot(self.camera.toward);
            if facing.abs() <= fx!(0.0001) {
                continue;
            }
            let flip = |v: Vec3| if facing < Fx::ZERO { -v } else { v };
            let (u, v) = (solid.generators[(axis + 1) % 3], solid.generators[(axis + 2) % 3]);
            let middle = solid.center + flip(solid.generators[axis]);
            let corners = vec![middle - u - v, middle + u - v, middle + u + v, middle - u + v];
            let corners = if solid.cut { cut_to_box(corners, self.stage) } else { corners };
            sides.push(Side { normal: flip(solid.axes[axis]), corners });
        }
        sides
    }

    /// A convex polygon as it is seen, cut a little outside of the frame.
    fn outline(&self, corners: &[Vec3]) -> Vec<Point> {
        let seen = hull(corners.iter().map(|&corner| self.camera.project(corner)).collect());
        if seen.len() < 3 {
            return seen;
        }
        let mut frame = self.camera.frame;
        let beyond = 4 * UNITS;
        frame.min = Point::new(frame.min.x - beyond, frame.min.y - beyond);
        frame.max = Point::new(frame.max.x + beyond, frame.max.y + beyond);
        clip(&seen, &frame.corners())
    }

    /// A color in the light that a surface gets.
    fn shade(&self, color: Color, normal: Vec3) -> Color {
        color.lit(fx!(0.79) + fx!(0.28) * self.camera.light.dot(normal))
    }

    fn fill(&mut self, color: Color, outline: &[Point]) {
        if outline.len() < 3 {
            return;
        }
        put!(self.svg, "<path fill=\"{color}\" d=\"");
        self.svg.polygon(outline);
        self.svg.push("\"/>\n");
    }
}
