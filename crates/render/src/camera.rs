//! [`Camera`]: from the world to the picture, in parallel lines of sight.

use crate::plane::{Point, Rect, UNITS, divide};
use crate::scope::{Scope, Spread};
use crate::solid::Solid;
use crate::view::View;
use isostep_math::{Fx, Vec3, fx};

/// The least length that fills a picture: a hundredth of a millimetre.
const MIN_SPAN: Fx = Fx::from_bits(1 << 15);

/// From the world to the picture.
///
/// With c in the middle of the picture, a point p lies (p − c)·right · scale units to the right of it and
/// (p − c)·up · scale units above. The scale is a ratio of a number of units to a length, so that pictures of
/// millimetres and of a million kilometres are as exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) toward: Vec3,
    /// The direction to the light: above, to the left of the viewer, and a little behind them.
    pub(crate) light: Vec3,
    center: Vec3,
    middle: Point,
    units: i64,
    length: Fx,
    /// The picture.
    pub(crate) frame: Rect,
}

impl Camera {
    /// A camera that sees the subject, with a margin, and more room below where there is a caption.
    pub(crate) fn of(view: &View<'_>, scope: &Scope) -> Self {
        let [right, up, toward] = view.direction.axes();
        let (width, height) = (i64::from(view.width) * UNITS, i64::from(view.height) * UNITS);
        let margin = width.min(height) / 24;
        let below = if view.caption.is_empty() { margin } else { margin.max(caption_height(view)) };
        let room = [width - 2 * margin, height - margin - below].map(|room| room.max(1));

        let Spread { origin, low, high } = scope.spread;
        let spans = (high - low).to_array().map(|span| span.max(MIN_SPAN));
        let amid = low.midpoint(high);
        // The side that leaves less room for its length decides.
        let cross = |side: usize| i128::from(room[side]) * i128::from(spans[1 - side].to_bits());
        let side = usize::from(cross(1) < cross(0));
        Self {
            right,
            up,
            toward,
            light: light(right),
            center: origin + right * amid.x + up * amid.y,
            middle: Point::new(width / 2, margin + room[1] / 2),
            units: room[side],
            length: spans[side],
            frame: Rect { min: Point::new(0, 0), max: Point::new(width, height) },
        }
    }

    /// Where a point is seen.
    pub(crate) fn project(&self, point: Vec3) -> Point {
        let offset = point - self.center;
        let [x, y] = [self.right, self.up].map(|axis| self.units_of(offset.dot(axis)));
        Point::new(self.middle.x.saturating_add(x), self.middle.y.saturating_sub(y))
    }

    /// How long a length across the line of sight is seen.
    pub(crate) fn units_of(&self, length: Fx) -> i64 {
        divide(i128::from(length.to_bits()) * i128::from(self.units), i128::from(self.length.to_bits()))
    }

    /// The length of a pixel, in metres.
    pub(crate) fn pixel(&self) -> Fx {
        Fx::from_bits(divide(i128::from(self.length.to_bits()) * i128::from(UNITS), self.units.into()))
    }

    /// How far a point is toward the viewer.
    pub(crate) fn depth(&self, point: Vec3) -> Fx {
        (point - self.center).dot(self.toward)
    }

    /// The rectangle around a solid.
    pub(crate) fn rect(&self, solid: &Solid) -> Rect {
        let at = self.project(solid.center);
        let [x, y] = [self.right, self.up].map(|axis| self.units_of(solid.reach(axis)).saturating_add(1));
        let corner = |x: i64, y: i64| Point::new(at.x.saturating_add(x), at.y.saturating_add(y));
        Rect { min: corner(-x, -y), max: corner(x, y) }
    }
}

/// The direction to the light, of length 1, for a viewer with this direction to their right.
fn light(right: Vec3) -> Vec3 {
    let back = right.cross(Vec3::Y);
    (Vec3::Y * fx!(0.81) - right * fx!(0.56) + back * fx!(0.17)).normalize_or(Vec3::Y)
}

/// The height of the caption and of the room around it, in units.
pub(crate) fn caption_height(view: &View<'_>) -> i64 {
    text_size(view) * 5 / 2
}

/// The size of the letters, in units.
pub(crate) fn text_size(view: &View<'_>) -> i64 {
    (i64::from(view.width.min(view.height)) * UNITS / 40).clamp(6 * UNITS, 22 * UNITS)
}
