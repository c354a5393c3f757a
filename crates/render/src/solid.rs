//! [`Solid`]: a collider as it is drawn.
//!
//! All shapes but half-spaces are the sum of up to three segments ±g around a centre, and a ball: a ball has none of
//! the segments, a capsule one, a box three and no ball. How far a solid reaches along a unit vector n is then
//! Σ |n·g| + radius.

use crate::color::{self, Color};
use crate::view::View;
use isostep_collision::{Aabb, HalfSpace, Obb, Shape};
use isostep_math::{Fx, Quat, Vec3};
use isostep_step::{BodyHandle, BodyKind, ColliderHandle, World};

/// Which shape a solid has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Ball,
    Capsule,
    Box,
}

/// How a solid is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    Opaque,
    /// Translucent, with dashed edges.
    Sensor,
    /// Edges alone: it stands before what the picture is about.
    Glass,
}

/// A collider as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub(crate) body: BodyHandle,
    pub(crate) collider: ColliderHandle,
    pub(crate) kind: BodyKind,
    pub(crate) color: Color,
    pub(crate) finish: Finish,
    pub(crate) form: Form,
    pub(crate) center: Vec3,
    /// The directions of the generators, of length 1.
    pub(crate) axes: [Vec3; 3],
    pub(crate) generators: [Vec3; 3],
    pub(crate) radius: Fx,
    /// How the body is turned.
    pub(crate) rotation: Quat,
    /// Whether it is so large that it is only drawn where the picture is about something.
    pub(crate) cut: bool,
}

/// A half-space as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub(crate) body: BodyHandle,
    pub(crate) collider: ColliderHandle,
    pub(crate) color: Color,
    pub(crate) finish: Finish,
    pub(crate) half_space: HalfSpace,
}

impl Solid {
    /// A box of nobody.
    pub(crate) fn around(aabb: &Aabb) -> Self {
        let nobody = Plane {
            body: BodyHandle { index: u32::MAX, generation: 0 },
            collider: ColliderHandle { index: u32::MAX, generation: 0 },
            color: color::by_default(BodyKind::Fixed, 0),
            finish: Finish::Opaque,
            half_space: HalfSpace::ground(Fx::ZERO),
        };
        let mut solid = Self::bare(&nobody, BodyKind::Fixed, Quat::IDENTITY);
        solid.take_aabb(aabb);
        solid
    }

    /// The solid of a shape; `None` for a half-space.
    fn of(plane: &Plane, kind: BodyKind, rotation: Quat, shape: &Shape) -> Option<Self> {
        let mut solid = Self::bare(plane, kind, rotation);
        match shape {
            Shape::Sphere(sphere) => {
                solid.form = Form::Ball;
                (solid.center, solid.radius) = (sphere.center(), sphere.radius());
            }
            Shape::Capsule(capsule) => {
                solid.form = Form::Capsule;
                (solid.center, solid.radius) = (capsule.center(), capsule.radius());
                solid.generators[0] = capsule.b() - capsule.center();
                solid.axes[0] = solid.generators[0].normalize_or_zero();
            }
            Shape::Box(obb) => solid.take_box(obb),
            Shape::HalfSpace(_) => return None,
            other => solid.take_aabb(&other.to_aabb()),
        }
        Some(solid)
    }

    /// A point.
    fn bare(plane: &Plane, kind: BodyKind, rotation: Quat) -> Self {
        Self {
            body: plane.body,
            collider: plane.collider,
            kind,
            color: plane.color,
            finish: plane.finish,
            form: Form::Box,
            center: Vec3::ZERO,
            axes: [Vec3::ZERO; 3],
            generators: [Vec3::ZERO; 3],
            radius: Fx::ZERO,
            rotation,
            cut: false,
        }
    }

    fn take_box(&mut self, obb: &Obb) {
        self.center = obb.center();
        self.axes = obb.axes();
        let halves = obb.half_extents().to_array();
        self.generators = core::array::from_fn(|axis| self.axes[axis] * halves[axis]);
    }

    /// Makes it an axis-aligned box.
    pub(crate) fn take_aabb(&mut self, aabb: &Aabb) {
        self.center = aabb.center();
        self.axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let halves = aabb.half_extents().to_array();
        self.generators = core::array::from_fn(|axis| self.axes[axis] * halves[axis]);
    }

    /// How far it reaches from its centre along a vector of length 1.
    pub(crate) fn reach(&self, along: Vec3) -> Fx {
        self.generators.iter().fold(self.radius, |sum, generator| sum + generator.dot(along).abs())
    }

    /// The smallest axis-aligned box around it, to a unit or two.
    pub(crate) fn aabb(&self) -> Aabb {
        let reach = Vec3::new(self.reach(Vec3::X), self.reach(Vec3::Y), self.reach(Vec3::Z));
        Aabb::from_points([self.center - reach, self.center + reach])
    }

    /// Its greatest extent along an axis of the world.
    pub(crate) fn size(&self) -> Fx {
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.reach(axis)).into_iter().fold(Fx::ZERO, Fx::max)
    }

    /// Whether it is a box along the axes of the world.
    pub(crate) fn is_aligned(&self) -> bool {
        self.form == Form::Box && self.axes == [Vec3::X, Vec3::Y, Vec3::Z]
    }
}

/// All that a world has to draw: solids and planes, in the order of bodies, then of colliders.
pub(crate) fn collect(world: &World, view: &View<'_>) -> (Vec<Solid>, Vec<Plane>) {
    let (mut solids, mut planes) = (Vec::new(), Vec::new());
    for body in world.bodies() {
        let own = view.paint.and_then(|paint| paint(&body));
        for collider in body.colliders().filter_map(|handle| world.collider(handle)) {
            let is_sensor = collider.is_sensor();
            let color = match own {
                None if is_sensor => color::SENSOR,
                own => own.unwrap_or(color::by_default(body.kind(), body.handle().index)),
            };
            let is_grey = view.sleep && body.is_asleep() && body.kind() == BodyKind::Dynamic;
            let mut plane = Plane {
                body: body.handle(),
                collider: collider.handle(),
                color: if is_grey { color.asleep() } else { color },
                finish: if is_sensor { Finish::Sensor } else { Finish::Opaque },
                half_space: HalfSpace::ground(Fx::ZERO),
            };
            match (collider.world_shape(), body.kind()) {
                (Shape::HalfSpace(half_space), _) => {
                    plane.half_space = half_space;
                    planes.push(plane);
                }
                (shape, kind) => solids.extend(Solid::of(&plane, kind, body.rotation(), &shape)),
            }
        }
    }
    (solids, planes)
}
