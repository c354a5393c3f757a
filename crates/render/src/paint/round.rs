//! Balls and capsules.

use super::{INK, Painter};
use crate::color::Color;
use crate::plane::{Point, UNITS};
use crate::solid::Solid;
use crate::svg::{Svg, degrees, put};
use isostep_math::{Fx, Vec3, fx};

/// The least radius of a ball that shows how it is turned.
const MIN_BEACH_BALL: i64 = 3 * UNITS;

impl Painter<'_> {
    /// A ball or a capsule that is seen through.
    pub(super) fn clear_round(&mut self, solid: &Solid) {
        let (from, to) = self.ends(solid);
        let width = 2 * self.camera.units_of(solid.radius);
        put!(
            self.svg,
            "<path fill=\"none\" stroke=\"{}\" stroke-opacity=\".42\" stroke-width=\"{width}\" stroke-linecap=\"round\" d=\"",
            solid.color
        );
        self.svg.line(&[from, to]);
        self.svg.push("\"/>\n");
        let radius = width / 2;
        for end in if from == to { vec![from] } else { vec![from, to] } {
            put!(
                self.svg,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\".8\" stroke-dasharray=\"{3} {3}\"/>\n",
                end.x,
                end.y,
                solid.color,
                4 * UNITS
            );
        }
    }

    pub(super) fn ball(&mut self, solid: &Solid) {
        let (at, radius) = (self.camera.project(solid.center), self.camera.units_of(solid.radius));
        let place = format!("cx=\"{}\" cy=\"{}\" r=\"{radius}\"", at.x, at.y);
        put!(self.svg, "<circle {place} fill=\"{}\"/>", solid.color);
        if radius >= MIN_BEACH_BALL {
            let sectors = self.sectors(solid);
            if !sectors.is_empty() {
                let light = solid.color.mixed(Color([255, 255, 255]), fx!(0.5));
                put!(self.svg, "<path fill=\"{light}\" stroke=\"none\" d=\"{sectors}\"/>");
            }
        }
        put!(self.svg, "<circle {place} fill=\"url(#ball)\"/>\n");
    }

    /// What is seen of the two opposite quarters of a ball between its own planes a and b.
    ///
    /// A quarter that is seen is a triangle of great circles: that of a, that of b and the outline of the ball. Two of
    /// them meet where the cross product of their normals points, on the side of the third. In the picture a great
    /// circle is an ellipse as wide as the ball, across the normal.
    fn sectors(&self, solid: &Solid) -> String {
        let toward = self.camera.toward;
        let third = |x, y, z| Vec3::new(Fx::from_ratio(x, 3), Fx::from_ratio(y, 3), Fx::from_ratio(z, 3));
        // No plane of the body, so that none is seen from its edge while the body is not turned.
        let (a, b) = (solid.rotation * third(2, 2, 1), solid.rotation * third(1, -2, 2));
        let mut path = Svg::default();
        for (a, b) in [(a, b), (-a, -b)] {
            let meet = |first: Vec3, second: Vec3, side: Vec3| {
                let at = first.cross(second).normalize_or_zero();
                if at.dot(side) < Fx::ZERO { -at } else { at }
            };
            let corners = [meet(toward, a, b), meet(a, b, toward), meet(b, toward, a)];
            if corners.contains(&Vec3::ZERO) {
                continue;
            }
            let seen = corners.map(|corner| self.camera.project(solid.center + corner * solid.radius));
            put!(path, "M{} {}", seen[0].x, seen[0].y);
            for (index, normal) in [a, b, toward].into_iter().enumerate() {
                self.arc(&mut path, solid.radius, normal, corners, seen, index);
            }
            path.push("z");
        }
        path.into_text()
    }

    /// The arc of a great circle from a corner of a triangle to the next one.
    fn arc(
        &self,
        path: &mut Svg,
        radius: Fx,
        normal: Vec3,
        corners: [Vec3; 3],
        seen: [Point; 3],
        from: usize,
    ) {
        let to = (from + 1) % 3;
        let camera = self.camera;
        let wide = camera.units_of(radius);
        let high = camera.units_of(radius * normal.dot(camera.toward).abs());
        let along = |axis: Vec3| normal.dot(axis);
        // The long axis lies across the normal, and y is down.
        let tilt = along(camera.right).atan2(along(camera.up));
        let sweep = u8::from(corners[from].cross(corners[to]).dot(camera.toward) < Fx::ZERO);
        let (dx, dy) = (seen[to].x - seen[from].x, seen[to].y - seen[from].y);
        put!(path, "a{wide} {high} {} 0 {sweep} {dx} {dy}", degrees(tilt));
    }

    pub(super) fn capsule(&mut self, solid: &Solid) {
        let (from, to) = self.ends(solid);
        let radius = self.camera.units_of(solid.radius);
        let edge = self.edge;
        put!(self.svg, "<g fill=\"none\" stroke-linecap=\"round\">");
        let mut strip = |color: Color, width: i64, aside: i64, opacity: &str| {
            let moved = |point: Point| Point::new(point.x - aside, point.y - aside);
            put!(self.svg, "<path stroke=\"{color}\"{opacity} stroke-width=\"{width}\" d=\"");
            self.svg.line(&[moved(from), moved(to)]);
            self.svg.push("\"/>");
        };
        strip(INK, 2 * radius + edge, 0, " stroke-opacity=\".6\"");
        strip(solid.color.lit(fx!(0.72)), 2 * radius, 0, " stroke-opacity=\"1\"");
        strip(solid.color, radius * 8 / 5, radius / 8, " stroke-opacity=\"1\"");
        strip(
            solid.color.mixed(Color([255, 255, 255]), fx!(0.45)),
            radius * 3 / 5,
            radius / 4,
            " stroke-opacity=\".7\"",
        );
        self.svg.push("</g>\n");
        if radius >= MIN_BEACH_BALL {
            self.seams(solid);
        }
    }

    /// Rings where a capsule starts to be round, and a line along it that turns with it.
    fn seams(&mut self, solid: &Solid) {
        let (axis, toward) = (solid.axes[0], self.camera.toward);
        let across = axis.cross(toward).normalize_or_zero();
        if across == Vec3::ZERO {
            return;
        }
        // The half of the ring that is seen, around the axis from one side to the other.
        let before = across.cross(axis);
        let before = if before.dot(toward) < Fx::ZERO { -before } else { before };
        let ring = |center: Vec3| -> Vec<Point> {
            let at = |index: i32| {
                let (sin, cos) = (fx!(3.141592653589793) * Fx::from_ratio(index.into(), 8)).sin_cos();
                self.camera.project(center + (across * cos + before * sin) * solid.radius)
            };
            (0..=8).map(at).collect()
        };
        let (low, high) = (solid.center - solid.generators[0], solid.center + solid.generators[0]);
        let rings = [ring(low), ring(high)];
        // Of two lines on opposite sides, the one that is seen.
        let side = axis.cross(solid.rotation * third_axis(axis, solid)).normalize_or_zero();
        let side = if side.dot(toward) < Fx::ZERO { -side } else { side };
        let seam = [low, high].map(|end| self.camera.project(end + side * solid.radius));
        put!(self.svg, "<path fill=\"none\" stroke-opacity=\".35\" d=\"");
        for ring in &rings {
            self.svg.line(ring);
        }
        self.svg.line(&seam);
        self.svg.push("\"/>\n");
    }

    /// The ends of the segment, as seen.
    fn ends(&self, solid: &Solid) -> (Point, Point) {
        let [low, high] = [solid.center - solid.generators[0], solid.center + solid.generators[0]];
        (self.camera.project(low), self.camera.project(high))
    }
}

/// An axis of the body that is not along a direction.
fn third_axis(direction: Vec3, solid: &Solid) -> Vec3 {
    let along_x = (solid.rotation * Vec3::X).dot(direction).abs();
    if along_x < fx!(0.7) { Vec3::X } else { Vec3::Z }
}
