//! What a user may look at of contacts.
//!
//! The state keeps of a contact what the next step starts with: the impulses of the last substep. Where the shapes touch
//! follows from where they are, by the narrow phase of the step. So a world that was loaded has the same contacts to the bit.

use super::{BodyView, ColliderView, World};
use crate::contact::{ContactPair, Contacts, PointImpulse};
use crate::handle::{BodyHandle, ColliderHandle};
use crate::solver::IMPULSE_BITS;
use isostep_collision::manifold::{ContactPoint, manifold};
use isostep_collision::{FeatureId, Mass};
use isostep_math::exact::{round_shift, saturate};
use isostep_math::{Fx, Vec3};

/// Two colliders that touched in the last step, or nearly did; to look at.
///
/// Forces are what the contact did over the last substep, divided by its time: impulses of a substep times
/// [`tick_rate`](crate::WorldConfig::tick_rate) · [`substeps`](crate::WorldConfig::substeps). Where bodies rest, awake or
/// asleep, that is what the contact bears: of a box on the ground, its weight. A hit is over within a substep or a few, so there
/// it is the end of it, with the bounce: what it exchanged in all of the step is told by
/// [`Event::ContactImpact`](crate::Event::ContactImpact). The masses are those that the bodies have now; one that left the world
/// in the last step counts as if it had not moved in that.
///
/// ```
/// use isostep_collision::{HalfSpace, Obb};
/// use isostep_math::{Vec3, fx, vec3};
/// use isostep_step::{BodyDef, ColliderDef, World, WorldConfig};
///
/// let mut world = World::new(WorldConfig::default())?;
/// let ground = world.add_body(BodyDef::fixed(Vec3::ZERO))?;
/// world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0))))?;
/// let def = BodyDef { mass: Some(fx!(20)), ..BodyDef::dynamic(vec3(fx!(0), fx!(0.5), fx!(0))) };
/// let body = world.add_body(def)?;
/// world.add_collider(body, ColliderDef::new(Obb::from_half_extents(Vec3::splat(fx!(0.5)))?))?;
/// for _ in 0..120 {
///     world.step();
/// }
/// let contact = world.body(body).unwrap().contacts().next().unwrap();
/// assert!(contact.normal_force().abs_diff_eq(fx!(196.2), fx!(0.1)));
/// let manifold = contact.manifold().unwrap();
/// assert_eq!((manifold.normal, manifold.points().len()), (Vec3::Y, 4));
/// assert!(manifold.points().iter().all(|point| point.normal_force > fx!(40)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ContactView<'a> {
    /// The collider that comes first in the world's order.
    pub a: ColliderHandle,
    /// The other one.
    pub b: ColliderHandle,
    /// Whether they touched.
    pub touching: bool,
    /// How many points the contact had, 1 to 4.
    pub points: u8,
    pair: &'a ContactPair,
    impulses: &'a [PointImpulse],
    /// Whether nobody in it is awake.
    asleep: bool,
    world: &'a World,
}

/// Where two shapes touch, or nearly do: [`ContactView::manifold`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContactManifold {
    /// Unit vector from a to b in the world.
    pub normal: Vec3,
    points: [ManifoldPoint; 4],
    count: u8,
}

/// A point of a [`ContactManifold`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ManifoldPoint {
    /// Where it is on the surface of a, in the world.
    pub on_a: Vec3,
    /// Where it is on the surface of b, in the world.
    pub on_b: Vec3,
    /// The distance of the two along the normal, in m: below zero where they penetrate, up to the world's speculative margin.
    pub separation: Fx,
    /// The part of [`ContactView::normal_force`] at this point, in N: at least 0, and 0 if the last step had no such point.
    pub normal_force: Fx,
    /// What makes the point: equal from one step to the next while the same corners, edges and faces meet.
    pub feature: FeatureId,
}

impl ManifoldPoint {
    /// What a manifold of fewer points has behind them.
    const NONE: Self = Self {
        on_a: Vec3::ZERO,
        on_b: Vec3::ZERO,
        separation: Fx::ZERO,
        normal_force: Fx::ZERO,
        feature: FeatureId(0),
    };
}

impl ContactManifold {
    /// Its points, 1 to 4.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..usize::from(self.count)]
    }
}

impl<'a> ContactView<'a> {
    fn new(world: &'a World, pair: &'a ContactPair, impulses: &'a [PointImpulse], asleep: bool) -> Self {
        Self {
            a: world.state.collider_handle(pair.a),
            b: world.state.collider_handle(pair.b),
            touching: pair.touching,
            points: pair.count,
            pair,
            impulses,
            asleep,
            world,
        }
    }

    /// What makes forces of its impulses.
    fn forces(&self) -> Forces {
        let state = &self.world.state;
        // Beside what is awake a sleeper does not move; among sleepers contacts are what they were before.
        let moves = |body: u32| state.is_movable(body) && (self.asleep || !state.motions[body].asleep);
        let mass = state.lighter_mass(state.bodies_of(self.pair.a, self.pair.b), moves);
        Forces { mass, scale: self.pair.scale, rate: state.config.substep_rate() }
    }

    /// The bodies of a and b.
    #[must_use]
    pub fn bodies(&self) -> [BodyHandle; 2] {
        let state = &self.world.state;
        state.bodies_of(self.pair.a, self.pair.b).map(|body| self.world.body_handle(body))
    }

    /// With how much force it pushed both bodies apart along its normal in the last substep, in N: at least 0, to nearest,
    /// saturating.
    #[must_use]
    pub fn normal_force(&self) -> Fx {
        self.forces().of(self.impulses.iter().map(|point| i64::from(point.normal)).sum())
    }

    /// The force of friction on b in the last substep, a vector of the world in N; that on a is its opposite. Each component to
    /// nearest, saturating.
    ///
    /// It is the friction against sliding. What surfaces do against turning about the normal, and against rolling, is no force.
    #[must_use]
    pub fn friction_force(&self) -> Vec3 {
        let forces = self.forces();
        Vec3::from_array(self.pair.friction.map(|impulse| forces.of(i64::from(impulse))))
    }

    /// Where they touch, by the narrow phase of the step, with the bodies where they are now: what the next step begins
    /// with, if nothing changes before. `None` where they are farther apart than the world's speculative margin.
    ///
    /// Bodies have moved since points were solved, so there may be others now. Computed anew by each call. Places are
    /// what [`Pose::transform_point`](isostep_math::Pose::transform_point) makes of the points in the coordinates of
    /// both bodies.
    #[must_use]
    pub fn manifold(&self) -> Option<ContactManifold> {
        let state = &self.world.state;
        let [a, b] = [self.pair.a, self.pair.b].map(|collider| {
            let collider = &state.colliders[collider];
            (state.central_shape(collider), state.motions[collider.body].central_pose())
        });
        let found = manifold(&a.0, &a.1, &b.0, &b.1, state.config.speculative_margin);
        let forces = self.forces();
        let point = |point: &ContactPoint| {
            let known = self.impulses.iter().find(|known| known.feature == point.feature.0);
            ManifoldPoint {
                on_a: a.1.transform_point(point.anchor_a),
                on_b: b.1.transform_point(point.anchor_b),
                separation: point.separation,
                normal_force: known.map_or(Fx::ZERO, |known| forces.of(i64::from(known.normal))),
                feature: point.feature,
            }
        };
        let mut points = [ManifoldPoint::NONE; 4];
        for (place, found) in points.iter_mut().zip(found.points()) {
            *place = point(found);
        }
        let count = found.points().len() as u8;
        (count > 0).then_some(ContactManifold { normal: found.normal, points, count })
    }

    fn has_body(&self, body: u32) -> bool {
        self.world.state.bodies_of(self.pair.a, self.pair.b).contains(&body)
    }
}

/// What makes forces of the impulses of a contact.
#[derive(Clone, Copy, Debug)]
struct Forces {
    /// That of the lighter body that moves.
    mass: Option<Mass>,
    /// The exponent of κ.
    scale: u8,
    /// Substeps a second.
    rate: u32,
}

impl Forces {
    /// Of a sum of some impulses: in N, to nearest, ties away from zero, saturating; of the mass 64 bits count.
    fn of(&self, impulse: i64) -> Fx {
        let Some(mass) = self.mass else { return Fx::ZERO };
        let mass = mass.to_bits();
        let drop = 64_u32.saturating_sub(mass.leading_zeros());
        // Sums of four impulses of 32 bits, rates below 2¹⁴, and masses of 64 bits: below 2¹¹².
        let product = i128::from(impulse) * i128::from(self.rate) * (mass >> drop) as i128;
        // The fraction bits that the product has beyond 32.
        let excess = (IMPULSE_BITS + u32::from(self.scale) + 32) as i32 - drop as i32;
        let bits =
            if excess > 0 { round_shift(product, excess as u32) } else { product << excess.unsigned_abs() };
        Fx::from_bits(saturate(bits))
    }
}

/// Contacts, and whether nobody in them is awake.
fn views<'a>(
    world: &'a World,
    contacts: &'a Contacts,
    asleep: bool,
) -> impl Iterator<Item = ContactView<'a>> + 'a {
    contacts.iter().map(move |(pair, impulses)| ContactView::new(world, pair, impulses, asleep))
}

impl World {
    /// The contacts of the last step: first those of awake bodies, then those of sleeping ones in which nobody is awake, each
    /// in the world's order.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView<'_>> + '_ {
        let state = &self.state;
        views(self, &state.contacts, false).chain(views(self, &state.asleep.contacts, true))
    }

    /// The contact of two colliders in the last step, whichever is named first; `None` if there was none, or one of them does not
    /// exist. Looks at all contacts of the world.
    #[must_use]
    pub fn contact(&self, a: ColliderHandle, b: ColliderHandle) -> Option<ContactView<'_>> {
        self.contacts().find(|contact| [(a, b), (b, a)].contains(&(contact.a, contact.b)))
    }
}

impl<'a> BodyView<'a> {
    /// Its contacts in the last step, in the order of [`World::contacts`]. Looks at all contacts of the world.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView<'a>> + 'a {
        let body = self.handle.index;
        self.world.contacts().filter(move |contact| contact.has_body(body))
    }
}

impl<'a> ColliderView<'a> {
    /// Its contacts in the last step, in the order of [`World::contacts`]. Looks at all contacts of the world.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView<'a>> + 'a {
        let own = self.handle;
        self.world.contacts().filter(move |contact| contact.a == own || contact.b == own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::fx;

    #[test]
    fn forces_are_impulses_times_mass_and_rate_to_nearest_over_the_whole_range() {
        let unit = 1_i64 << IMPULSE_BITS;
        let force = |mass: u128, scale, rate, impulse| {
            Forces { mass: Some(Mass::from_bits(mass)), scale, rate }.of(impulse)
        };
        // 3 kg changed by 0.5 m/s, in a 240th of a second.
        assert_eq!(force(3 << 64, 0, 240, unit / 2), fx!(360));
        assert_eq!(force(3 << 64, 4, 240, -8 * unit), fx!(-360));
        // Half a unit of 2⁻³² goes away from zero, a part less does not.
        assert_eq!(force(1 << 64, 12, 1, 1), Fx::EPSILON);
        assert_eq!(force(1 << 64, 12, 1, -1), -Fx::EPSILON);
        assert_eq!(force((1 << 64) - 1, 12, 1, 1), Fx::ZERO);
        let greatest = 4 * i64::from(i32::MAX);
        assert_eq!(force(u128::MAX, 0, 16_000, greatest), Fx::MAX);
        assert_eq!(force(u128::MAX, 0, 16_000, -greatest), Fx::MIN);
        assert_eq!(force(1, 62, 1, greatest), Fx::ZERO);
        // 2⁶³ kg, by 2⁻⁴⁴ m/s.
        assert_eq!(force(1 << 127, 23, 1, 1), fx!(524288));
        let held = Forces { mass: None, scale: 0, rate: 240 };
        assert_eq!(held.of(greatest), Fx::ZERO);
    }
}
