//! Lines at round coordinates, on grounds and walls without end.

use super::Painter;
use crate::plane::{Point, clip};
use crate::svg::put;
use isostep_math::{Fx, Vec3, fx};

/// The most lines of a grid each way.
const GRID_LINES: i32 = 40;

impl Painter<'_> {
    /// Lines at round coordinates.
    pub(super) fn grid(&mut self, corners: &[Vec3], u: Vec3, v: Vec3) {
        let Some(&origin) = corners.first() else { return };
        let mut lines: Vec<[Point; 2]> = Vec::new();
        let span = |axis: Vec3| {
            let along = corners.iter().map(|&corner| (corner - origin).dot(axis));
            along.fold((Fx::MAX, Fx::MIN), |(low, high), along| (low.min(along), high.max(along)))
        };
        let longest = [u, v].map(span).map(|(low, high)| high - low).into_iter().fold(Fx::ZERO, Fx::max);
        let Some(step) = round_step(longest) else { return };
        for (axis, other) in [(u, v), (v, u)] {
            let (low, high) = span(axis);
            let start = origin.dot(axis);
            // Lines are where the coordinate is a multiple of the step.
            let first = step - (start + low).rem_euclid(step);
            for index in 0..GRID_LINES {
                let along = low + first + step * Fx::from_int(index);
                if along >= high {
                    break;
                }
                let at = |corner: Vec3| (corner - origin).dot(axis) - along;
                lines.extend(
                    crossing(corners, at, other).map(|ends| ends.map(|end| self.camera.project(end))),
                );
            }
        }
        let frame = self.camera.frame.corners();
        put!(self.svg, "<path fill=\"none\" stroke-opacity=\".13\" d=\"");
        for line in lines {
            let seen = clip(&line, &frame);
            if let [from, .., to] = seen[..] {
                self.svg.line(&[from, to]);
            }
        }
        self.svg.push("\"/>\n");
    }
}

/// Where a convex polygon crosses a plane: a line along a direction. `at` is the distance from the plane.
fn crossing(corners: &[Vec3], at: impl Fn(Vec3) -> Fx, along: Vec3) -> Option<[Vec3; 2]> {
    let mut crossings = Vec::with_capacity(2);
    for (index, &corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let (here, there) = (at(corner), at(next));
        if (here < Fx::ZERO) != (there < Fx::ZERO) {
            crossings.push(corner.lerp(next, here / (here - there)));
        }
    }
    crossings.sort_unstable_by_key(|point| point.dot(along));
    match crossings[..] {
        [from, .., to] => Some([from, to]),
        _ => None,
    }
}

/// A step of 1, 2 or 5 times a power of ten, of which about a dozen make a length; `None` for a length without end.
fn round_step(length: Fx) -> Option<Fx> {
    let wanted = length / fx!(12);
    let steps = (-3..=8).flat_map(|power: i32| {
        let ten = 10_i64.pow(power.unsigned_abs());
        [1, 2, 5].map(
            |digit| {
                if power < 0 { Fx::from_ratio(digit, ten) } else { Fx::from_ratio(digit * ten, 1) }
            },
        )
    });
    steps.into_iter().find(|step| *step >= wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_round_steps() {
        assert_eq!(round_step(fx!(12)), Some(fx!(1)));
        assert_eq!(round_step(fx!(40)), Some(fx!(5)));
        assert_eq!(round_step(fx!(20)), Some(fx!(2)));
        assert_eq!(round_step(Fx::ZERO), Some(fx!(0.001)));
        assert!(round_step(Fx::MAX).is_some());
    }
}
