//! Questions asked of a world: rays, moving shapes, overlaps, points.
//!
//! Answers are a function of the world's state: right after a snapshot was loaded, before any step, they are those of
//! the world that it was saved from. They come in a total order: by fraction or distance, then in the world's order of
//! colliders. Asking changes nothing that a step reads.

use super::World;
use crate::collider::Collider;
use crate::handle::{BodyHandle, ColliderHandle};
use alloc::vec::Vec;
use isostep_collision::{
    Aabb, CastHit, ClosestPoints, Ray, RayHit, Shape, cast_ray, cast_shape, closest_points_from, overlaps,
};
use isostep_math::{Fx, Vec3};

/// Which colliders a question is about.
///
/// ```
/// use isostep_step::QueryFilter;
///
/// let scenery = QueryFilter::default().of_layers(1 << 0 | 1 << 3);
/// let all = QueryFilter { sensors: true, ..QueryFilter::default() };
/// assert_ne!(scenery, all);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryFilter {
    /// The layers that are looked at, a bit each.
    pub layers: u32,
    /// The groups that are looked at, a bit each: a collider counts if it is in any of them.
    pub groups: u32,
    /// Whether colliders count that are no sensors.
    pub solids: bool,
    /// Whether sensors count.
    pub sensors: bool,
    /// A body whose colliders do not count. One that does not exist leaves nothing out.
    pub excluded: Option<BodyHandle>,
}

impl Default for QueryFilter {
    /// All solids, no sensors.
    fn default() -> Self {
        Self { layers: u32::MAX, groups: u32::MAX, solids: true, sensors: false, excluded: None }
    }
}

impl QueryFilter {
    /// Only colliders of these layers, a bit each.
    #[must_use]
    pub const fn of_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Only colliders in any of these groups, a bit each.
    #[must_use]
    pub const fn in_groups(self, groups: u32) -> Self {
        Self { groups, ..self }
    }

    /// Without the colliders of a body, instead of those of another one.
    #[must_use]
    pub const fn without(self, body: BodyHandle) -> Self {
        Self { excluded: Some(body), ..self }
    }

    fn admits(&self, collider: &Collider, owner: BodyHandle) -> bool {
        let wanted = if collider.sensor { self.sensors } else { self.solids };
        wanted
            && self.layers.checked_shr(collider.filter.layer.into()).unwrap_or(0) & 1 == 1
            && self.groups & collider.filter.groups != 0
            && self.excluded != Some(owner)
    }
}

/// What a ray hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColliderRayHit {
    /// The collider.
    pub collider: ColliderHandle,
    /// The body that has it.
    pub body: BodyHandle,
    /// Where.
    pub hit: RayHit,
}

/// What a moving shape hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColliderCastHit {
    /// The collider.
    pub collider: ColliderHandle,
    /// The body that has it.
    pub body: BodyHandle,
    /// Where and when.
    pub hit: CastHit,
}

/// What is closest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColliderNearest {
    /// The collider.
    pub collider: ColliderHandle,
    /// The body that has it.
    pub body: BodyHandle,
    /// How far it is from the point: 0 where it holds it.
    pub distance: Fx,
    /// Its point closest to the one that was asked for: that one itself where the collider holds it.
    pub point: Vec3,
}

/// The questions that a world answers: [`World::queries`].
///
/// ```
/// use isostep_collision::{HalfSpace, Ray, Shape, Sphere};
/// use isostep_math::{Vec3, fx, vec3};
/// use isostep_step::{BodyDef, ColliderDef, QueryFilter, World, WorldConfig};
///
/// let mut world = World::new(WorldConfig::default())?;
/// let ground = world.add_body(BodyDef::fixed(Vec3::ZERO))?;
/// world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0))))?;
/// let ball = world.add_body(BodyDef::dynamic(vec3(fx!(0), fx!(2), fx!(0))))?;
/// world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(1))?))?;
///
/// let queries = world.queries();
/// let down = Ray::new(vec3(fx!(0), fx!(5), fx!(0)), vec3(fx!(0), fx!(-8), fx!(0)));
/// let first = queries.cast_ray(&down, &QueryFilter::default()).unwrap();
/// assert_eq!((first.body, first.hit.point), (ball, vec3(fx!(0), fx!(3), fx!(0))));
/// let below = queries.cast_ray(&down, &QueryFilter::default().without(ball)).unwrap();
/// assert_eq!((below.body, below.hit.normal), (ground, Vec3::Y));
/// let blast = Shape::from(Sphere::new(vec3(fx!(2), fx!(2), fx!(0)), fx!(1.5))?);
/// assert_eq!(queries.overlapping(&blast, &QueryFilter::default()).len(), 1);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Queries<'a> {
    world: &'a World,
}

impl World {
    /// The world, to be asked about. Its accelerators are brought up to date for that, which no later step and no
    /// hash can tell.
    #[must_use]
    pub fn queries(&mut self) -> Queries<'_> {
        self.derived.refresh(&self.state, &mut self.crew);
        Queries { world: self }
    }
}

impl<'a> Queries<'a> {
    /// The world that is asked.
    #[must_use]
    pub const fn world(&self) -> &'a World {
        self.world
    }

    /// The first collider that the ray hits, of several at one fraction the one that comes first in the world's order;
    /// `None` if it hits none.
    ///
    /// Colliders are solid: a ray that starts inside of one hits it at once, with a normal of zero. A ray without
    /// length is a point.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, filter: &QueryFilter) -> Option<ColliderRayHit> {
        let mut first: Option<(Fx, u32, u32, RayHit)> = None;
        self.along_ray(ray, filter, |collider, hit| {
            let key = (hit.fraction, self.world.derived.rank(collider));
            if first.is_none_or(|(fraction, rank, ..)| key < (fraction, rank)) {
                first = Some((key.0, key.1, collider, hit));
            }
            first.map_or(Fx::ONE, |(fraction, ..)| fraction)
        });
        first.map(|(_, _, collider, hit)| self.ray_hit(collider, hit))
    }

    /// Whether the ray hits any collider.
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray, filter: &QueryFilter) -> bool {
        let mut any = false;
        self.along_ray(ray, filter, |_, _| {
            any = true;
            Fx::NEG_ONE
        });
        any
    }

    /// All colliders that the ray hits, by fraction, then in the world's order.
    #[must_use]
    pub fn cast_ray_all(&self, ray: &Ray, filter: &QueryFilter) -> Vec<ColliderRayHit> {
        let mut all = Vec::new();
        self.along_ray(ray, filter, |collider, hit| {
            all.push((hit.fraction, self.world.derived.rank(collider), collider, hit));
            Fx::ONE
        });
        all.sort_unstable_by_key(|&(fraction, rank, ..)| (fraction, rank));
        all.into_iter().map(|(_, _, collider, hit)| self.ray_hit(collider, hit)).collect()
    }

    /// The first collider that `moving` hits on its way along `displacement`, of several at one fraction the one that
    /// comes first in the world's order; `None` if it hits none.
    ///
    /// It does not turn on its way. What it overlaps at the start it hits at once, with a normal of zero; what it only
    /// touches, and slides along or leaves, it does not hit. Without displacement it hits what it overlaps.
    #[must_use]
    pub fn cast_shape(
        &self,
        moving: &Shape,
        displacement: Vec3,
        filter: &QueryFilter,
    ) -> Option<ColliderCastHit> {
        let mut first: Option<(Fx, u32, u32, CastHit)> = None;
        self.in_way(moving, displacement, filter, |collider, hit| {
            let key = (hit.fraction, self.world.derived.rank(collider));
            if first.is_none_or(|(fraction, rank, ..)| key < (fraction, rank)) {
                first = Some((key.0, key.1, collider, hit));
            }
            first.map_or(Fx::ONE, |(fraction, ..)| fraction)
        });
        first.map(|(_, _, collider, hit)| self.cast_hit(collider, hit))
    }

    /// Whether `moving` hits any collider on its way along `displacement`.
    #[must_use]
    pub fn cast_shape_any(&self, moving: &Shape, displacement: Vec3, filter: &QueryFilter) -> bool {
        let mut any = false;
        self.in_way(moving, displacement, filter, |_, _| {
            any = true;
            Fx::NEG_ONE
        });
        any
    }

    /// All colliders that `moving` hits on its way along `displacement`, passing through them, by fraction, then in the
    /// world's order.
    #[must_use]
    pub fn cast_shape_all(
        &self,
        moving: &Shape,
        displacement: Vec3,
        filter: &QueryFilter,
    ) -> Vec<ColliderCastHit> {
        let mut all = Vec::new();
        self.in_way(moving, displacement, filter, |collider, hit| {
            all.push((hit.fraction, self.world.derived.rank(collider), collider, hit));
            Fx::ONE
        });
        all.sort_unstable_by_key(|&(fraction, rank, ..)| (fraction, rank));
        all.into_iter().map(|(_, _, collider, hit)| self.cast_hit(collider, hit)).collect()
    }

    /// All colliders that touch or overlap `shape`, in the world's order.
    #[must_use]
    pub fn overlapping(&self, shape: &Shape, filter: &QueryFilter) -> Vec<ColliderHandle> {
        let near = self.near(&shape.to_aabb(), filter).into_iter();
        near.filter(|&collider| overlaps(self.shape(collider), shape))
            .map(|collider| self.collider_handle(collider))
            .collect()
    }

    /// Whether any collider touches or overlaps `shape`.
    #[must_use]
    pub fn overlaps_any(&self, shape: &Shape, filter: &QueryFilter) -> bool {
        let near = self.near(&shape.to_aabb(), filter).into_iter();
        near.into_iter().any(|collider| overlaps(self.shape(collider), shape))
    }

    /// All colliders that hold `point`, surfaces included, in the world's order.
    #[must_use]
    pub fn containing(&self, point: Vec3, filter: &QueryFilter) -> Vec<ColliderHandle> {
        let near = self.near(&Aabb::from_points([point]), filter).into_iter();
        near.filter(|&collider| self.shape(collider).contains(point))
            .map(|collider| self.collider_handle(collider))
            .collect()
    }

    /// The collider closest to `point` within `max_distance`, of several at one distance the one that comes first in the
    /// world's order; `None` if there is none, and for a negative distance.
    #[must_use]
    pub fn closest_point(
        &self,
        point: Vec3,
        max_distance: Fx,
        filter: &QueryFilter,
    ) -> Option<ColliderNearest> {
        let around = Aabb::from_points([point]).expand(max_distance.max(Fx::ZERO));
        let near = self.near(&around, filter).into_iter();
        let measured = near.map(|collider| {
            let points = closest_points_from(point, self.shape(collider));
            let found =
                points.map_or((Fx::ZERO, point), |ClosestPoints { distance, on_b, .. }| (distance, on_b));
            (found, collider)
        });
        // In the world's order, of which the least by distance keeps the first.
        let nearest = measured
            .filter(|((distance, _), _)| *distance <= max_distance)
            .min_by_key(|((distance, _), _)| *distance);
        nearest.map(|((distance, point), collider)| ColliderNearest {
            collider: self.collider_handle(collider),
            body: self.owner(collider),
            distance,
            point,
        })
    }

    /// Calls `visitor` for hits until it returns a fraction before the next.
    fn along_ray(&self, ray: &Ray, filter: &QueryFilter, mut visitor: impl FnMut(u32, RayHit) -> Fx) {
        let mut end = ray.max_fraction();
        self.world.derived.tree.ray(ray, u32::MAX, |collider, entry| {
            if self.is_wanted(collider, filter) {
                // What it hits later is of no use any more.
                let ray = ray.with_max_fraction(end.min(ray.max_fraction()));
                if let Some(hit) = cast_ray(self.shape(collider), &ray) {
                    // Rounding lets no hit come before the box that the order of the tree goes by.
                    end = visitor(collider, RayHit { fraction: hit.fraction.max(entry), ..hit });
                }
            }
            end
        });
    }

    /// As [`along_ray`](Self::along_ray), for a shape.
    fn in_way(
        &self,
        moving: &Shape,
        displacement: Vec3,
        filter: &QueryFilter,
        mut visitor: impl FnMut(u32, CastHit) -> Fx,
    ) {
        let mut end = Fx::ONE;
        self.world.derived.tree.cast(&moving.to_aabb(), displacement, u32::MAX, |collider, entry| {
            if self.is_wanted(collider, filter) {
                if let Some(hit) = cast_shape(moving, displacement, self.shape(collider)) {
                    end = visitor(collider, CastHit { fraction: hit.fraction.max(entry), ..hit });
                }
            }
            end
        });
    }

    /// The colliders whose boxes touch `aabb`, in the world's order; and some that are not far from it.
    fn near(&self, aabb: &Aabb, filter: &QueryFilter) -> Vec<u32> {
        let mut near = Vec::new();
        self.world.derived.tree.query_aabb(aabb, u32::MAX, &mut near);
        near.retain(|&collider| self.is_wanted(collider, filter));
        near.sort_unstable_by_key(|&collider| self.world.derived.rank(collider));
        near
    }

    fn is_wanted(&self, collider: u32, filter: &QueryFilter) -> bool {
        filter.admits(&self.world.state.colliders[collider], self.owner(collider))
    }

    fn shape(&self, collider: u32) -> &Shape {
        self.world.derived.shapes.world(collider as usize)
    }

    fn collider_handle(&self, collider: u32) -> ColliderHandle {
        self.world.state.collider_handle(collider)
    }

    fn owner(&self, collider: u32) -> BodyHandle {
        self.world.body_handle(self.world.state.colliders[collider].body)
    }

    fn ray_hit(&self, collider: u32, hit: RayHit) -> ColliderRayHit {
        ColliderRayHit { collider: self.collider_handle(collider), body: self.owner(collider), hit }
    }

    fn cast_hit(&self, collider: u32, hit: CastHit) -> ColliderCastHit {
        ColliderCastHit { collider: self.collider_handle(collider), body: self.owner(collider), hit }
    }
}
