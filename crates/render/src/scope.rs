//! What a picture is about.
//!
//! The *subject* is a box around the bodies that move, without those that are far from most of them, and with scenery
//! of about its size. The *stage* is the subject and some room: scenery that is larger is only drawn there.

use crate::solid::{Finish, Solid};
use crate::view::View;
use isostep_collision::Aabb;
use isostep_math::{Fx, Vec2, Vec3, fx};
use isostep_step::BodyKind;

/// Bodies count up to so many sizes away from the middle one.
const NEAR_IN_SIZES: Fx = fx!(40);

/// Bodies count up to so many times as far away as three of four are.
const NEAR_IN_QUARTILES: Fx = fx!(3);

/// Scenery counts up to so many times the size of what moves.
const SCENERY: Fx = fx!(2.2);

/// Scenery counts up to so many times the height of what moves, or the part of its size that comes next.
const HIGH_SCENERY: Fx = fx!(1.5);

/// What moves counts as no flatter than this part of its size.
const FLAT: Fx = fx!(0.3);

/// The room beside and above the subject, and below it, in parts of its size.
const ROOM: [Fx; 2] = [fx!(0.14), fx!(0.05)];

/// What a picture is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// What moves.
    pub(crate) actors: Aabb,
    /// What moves, and scenery around it.
    pub(crate) subject: Aabb,
    /// Where large scenery is drawn.
    pub(crate) stage: Aabb,
    /// What is fitted to the frame.
    pub(crate) spread: Spread,
}

/// How far something is seen to reach from a point: to the left and down, and to the right and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    pub(crate) origin: Vec3,
    pub(crate) low: Vec2,
    pub(crate) high: Vec2,
}

impl Spread {
    const fn nothing(origin: Vec3) -> Self {
        Self { origin, low: Vec2::splat(Fx::MAX), high: Vec2::splat(Fx::MIN) }
    }

    /// With a solid as well. The first two axes of the view are to the right and up.
    fn with(self, solid: &Solid, [right, up, _]: [Vec3; 3]) -> Self {
        let offset = solid.center - self.origin;
        let at = Vec2::new(offset.dot(right), offset.dot(up));
        let reach = Vec2::new(solid.reach(right), solid.reach(up));
        Self { low: self.low.min(at - reach), high: self.high.max(at + reach), ..self }
    }

    fn merge(self, other: &Self, [right, up, _]: [Vec3; 3]) -> Self {
        let offset = other.origin - self.origin;
        let offset = Vec2::new(offset.dot(right), offset.dot(up));
        Self { low: self.low.min(other.low + offset), high: self.high.max(other.high + offset), ..self }
    }
}

impl Scope {
    /// Of the solids of a world, as a view wants them.
    pub(crate) fn of(solids: &[Solid], view: &View<'_>) -> Self {
        let axes = view.direction.axes();
        if let Some(focus) = view.focus {
            return Self::around(focus, focus, Some(&Solid::around(&focus)).into_iter(), axes);
        }
        let opaque = |solid: &&Solid| solid.finish == Finish::Opaque;
        let of_kind = |kind: BodyKind| solids.iter().filter(opaque).filter(|s| s.kind == kind).collect();
        let mut actors: Vec<&Solid> = of_kind(BodyKind::Dynamic);
        for kind in [BodyKind::Kinematic, BodyKind::Fixed] {
            if actors.is_empty() {
                actors = of_kind(kind);
            }
        }
        keep_most(&mut actors);
        let bounds = actors.iter().fold(Aabb::EMPTY, |all, solid| all.merge(&solid.aabb()));
        if bounds.is_empty() {
            let unit = Aabb::from_points([Vec3::NEG_ONE, Vec3::ONE]);
            return Self::around(unit, unit, Some(&Solid::around(&unit)).into_iter(), axes);
        }
        let size = largest(&bounds);
        let near = bounds.expand(size * Fx::HALF);
        let is_near = |solid: &&Solid| is_of_size(solid, &bounds) && solid.aabb().overlaps(&near);
        let scenery: Vec<&Solid> =
            solids.iter().filter(|solid| solid.kind != BodyKind::Dynamic).filter(is_near).collect();
        let subject = scenery.iter().fold(bounds, |all, solid| all.merge(&solid.aabb()));
        Self::around(bounds, subject, actors.into_iter().chain(scenery), axes)
    }

    fn around<'a>(
        actors: Aabb,
        subject: Aabb,
        solids: impl Iterator<Item = &'a Solid>,
        axes: [Vec3; 3],
    ) -> Self {
        let [beside, below] = ROOM.map(|room| (largest(&subject) * room).max(Fx::EPSILON));
        let around = Vec3::splat(beside);
        let corners = [subject.min() - around.with_y(below), subject.max() + around];
        let stage = Aabb::from_points(corners);
        // The stage is seen up to the feet of what stands on it.
        let floor = Aabb::from_points([stage.min(), stage.max().with_y(subject.min().y)]);
        let spread = Spread::nothing(subject.center()).with(&Solid::around(&floor), axes);
        let spread = solids.fold(spread, |spread, solid| spread.with(solid, axes));
        Self { actors, subject, stage, spread }
    }

    /// What both are about.
    pub(crate) fn merge(&self, other: &Self, view: &View<'_>) -> Self {
        let (actors, subject) = (self.actors.merge(&other.actors), self.subject.merge(&other.subject));
        let axes = view.direction.axes();
        let merged = Self::around(actors, subject, core::iter::empty(), axes);
        Self { spread: merged.spread.merge(&self.spread, axes).merge(&other.spread, axes), ..merged }
    }

    /// Whether scenery is so large that it is only drawn on the stage.
    pub(crate) fn is_beyond(&self, solid: &Solid) -> bool {
        solid.kind == BodyKind::Fixed && !is_of_size(solid, &self.actors)
    }
}

/// Whether scenery is about as large as the actors.
fn is_of_size(solid: &Solid, actors: &Aabb) -> bool {
    let size = largest(actors);
    let high = actors.half_extents().y.max(size * FLAT) * HIGH_SCENERY;
    // A slope is as high as it is long; a wall that is so hides what it stands around.
    solid.size() <= size * SCENERY && (solid.reach(Vec3::Y) <= high || !solid.is_aligned())
}

/// The greatest half extent.
fn largest(aabb: &Aabb) -> Fx {
    aabb.half_extents().max_element()
}

/// Leaves out solids that are far from most, or so large as to be that; one is always left.
fn keep_most(solids: &mut Vec<&Solid>) {
    let median = |value: &dyn Fn(&Solid) -> Fx| ranked(solids.iter().map(|solid| value(solid)), 1, 2);
    let middle = Vec3::new(
        median(&|solid| solid.center.x),
        median(&|solid| solid.center.y),
        median(&|solid| solid.center.z),
    );
    let distance = |solid: &Solid| (solid.center - middle).abs().max_element();
    let quartile = ranked(solids.iter().map(|solid| distance(solid)), 3, 4);
    let limit = (quartile * NEAR_IN_QUARTILES).max(median(&Solid::size) * NEAR_IN_SIZES);
    let is_near = |solid: &&Solid| distance(solid) + solid.size() <= limit;
    match solids.iter().copied().any(|solid| is_near(&solid)) {
        true => solids.retain(is_near),
        // The middle is between bodies that are all far from it.
        false => solids.truncate(1),
    }
}

/// The value at a part of the way from the least to the greatest, rounded toward the least; 0 of none.
fn ranked(values: impl Iterator<Item = Fx>, part: usize, whole: usize) -> Fx {
    let mut values: Vec<Fx> = values.collect();
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) * part / whole).copied().unwrap_or(Fx::ZERO)
}
