//! Rigid paths, and how fast shapes on them can come towards a plane.

use super::Moving;
use crate::shape::Shape;
use isostep_math::{Fx, Pose, Quat, Vec3};

/// A motion from a pose: evenly along a line, and evenly about an axis through the origin that moves along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RigidPath {
    /// The pose at fraction 0.
    pub start: Pose,
    /// How far the origin moves, in m.
    pub displacement: Vec3,
    /// The axis about which it turns, times the angle in radians, which may be more than a turn.
    pub turn: Vec3,
}

impl RigidPath {
    /// Of what stays where it is.
    #[must_use]
    pub const fn resting(pose: Pose) -> Self {
        Self { start: pose, displacement: Vec3::ZERO, turn: Vec3::ZERO }
    }

    /// From one pose to another, turning the short way.
    #[must_use]
    pub fn between(start: Pose, end: Pose) -> Self {
        let turn = end.rotation.mul_quat(start.rotation.conjugate());
        let turn = if turn.w.is_negative() { turn.saturating_neg() } else { turn };
        let displacement = end.translation.saturating_sub(start.translation);
        let turn = if end.rotation == start.rotation { Vec3::ZERO } else { turn.to_scaled_axis() };
        Self { start, displacement, turn }
    }

    /// Whether it goes nowhere.
    #[must_use]
    pub fn is_resting(&self) -> bool {
        self.displacement == Vec3::ZERO && self.turn == Vec3::ZERO
    }

    /// The pose at a fraction of the path, each number rounded once to nearest; saturating.
    #[must_use]
    pub fn at(&self, fraction: Fx) -> Pose {
        let moved = if fraction == Fx::ONE {
            self.displacement
        } else {
            self.displacement.saturating_scale(fraction)
        };
        let rotation = if self.turn == Vec3::ZERO {
            self.start.rotation
        } else {
            self.start.rotation.integrate(self.turn, fraction)
        };
        Pose::new(rotation, self.start.translation.saturating_add(moved))
    }

    /// The part of the path from one fraction to a later one.
    #[must_use]
    pub fn part(&self, begin: Fx, end: Fx) -> Self {
        if begin == Fx::ZERO && end == Fx::ONE {
            return *self;
        }
        let length = end.saturating_sub(begin);
        Self {
            start: self.at(begin),
            displacement: self.displacement.saturating_scale(length),
            turn: self.turn.saturating_scale(length),
        }
    }
}

/// A moving shape, with what does not change on its way.
pub(super) struct Track<'a> {
    moving: &'a Moving,
    /// Where it is all the time, if it rests.
    resting: Option<Shape>,
    turn: Vec3,
    /// No point of the core is farther from the origin.
    reach: Fx,
    /// |ω × c| + Σ |ω × g|.
    spin: Fx,
}

impl<'a> Track<'a> {
    pub(super) fn new(moving: &'a Moving) -> Self {
        let Moving { shape, path } = moving;
        let is_half_space = matches!(shape, Shape::HalfSpace(_));
        let turn = if is_half_space { Vec3::ZERO } else { path.turn };
        let still = turn == Vec3::ZERO && path.displacement == Vec3::ZERO;
        let resting = still.then(|| shape.transformed(&path.start));
        let (reach, spin) =
            if turn == Vec3::ZERO { (Fx::ZERO, Fx::ZERO) } else { spin_of(shape, path.start.rotation, turn) };
        Self { moving, resting, turn, reach, spin }
    }

    /// The shape in the world at a fraction of the path.
    pub(super) fn at(&self, fraction: Fx) -> Shape {
        match self.resting {
            Some(shape) => shape,
            None if self.turn == Vec3::ZERO => {
                let RigidPath { start, displacement, .. } = self.moving.path;
                let path = RigidPath { start, displacement, turn: Vec3::ZERO };
                self.moving.shape.transformed(&path.at(fraction))
            }
            None => self.moving.shape.transformed(&self.moving.path.at(fraction)),
        }
    }

    /// How far the shape comes at the most along a unit direction, over the whole path.
    pub(super) fn toward(&self, normal: Vec3) -> Fx {
        let straight = self.moving.path.displacement.dot(normal);
        if self.turn == Vec3::ZERO {
            return straight;
        }
        let by_reach = raised(normal.cross(self.turn).length()).saturating_mul(self.reach);
        straight.saturating_add(raised(by_reach.min(self.spin)))
    }

    /// How far turning carries a point of the core at the most, over the whole path.
    pub(super) fn turning(&self) -> Fx {
        raised(raised(self.turn.length()).saturating_mul(self.reach).min(self.spin))
    }
}

/// A length rounded up.
fn raised(length: Fx) -> Fx {
    length.saturating_add(Fx::EPSILON)
}

/// How far the core reaches from the origin, and |ω × c| + Σ |ω × g|: rounded up.
fn spin_of(shape: &Shape, rotation: Quat, turn: Vec3) -> (Fx, Fx) {
    // About the axes of the shape: lengths are the same.
    let turn = rotation.inverse_mul_vec3(turn);
    let speed = |arm: Vec3| raised(raised(turn.cross(arm).length()));
    match shape {
        Shape::Sphere(sphere) => (raised(sphere.center().length()), speed(sphere.center())),
        Shape::Capsule(capsule) => {
            let (a, b) = (capsule.a(), capsule.b());
            let ends = speed(a).max(speed(b));
            (raised(a.length().max(b.length())), ends)
        }
        Shape::Box(obb) => {
            let halves = obb.half_extents().to_array();
            let spans =
                obb.axes().into_iter().zip(halves).map(|(axis, half)| speed(axis.saturating_scale(half)));
            let spin = spans.fold(speed(obb.center()), Fx::saturating_add);
            (raised(obb.center().length().saturating_add(obb.half_extents().length())), spin)
        }
        Shape::HalfSpace(_) => (Fx::ZERO, Fx::ZERO),
    }
}
