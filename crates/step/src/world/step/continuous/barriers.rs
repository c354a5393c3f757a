//! What is in the way of a path, and where the path ends.

use super::{Mover, Paths, Stop, swept};
use crate::body::BodyKind;
use crate::state::State;
use crate::world::derived::Derived;
use crate::world::derived::sizes::thickness_of;
use crate::world::step::collide::{Meeting, meeting};
use alloc::vec::Vec;
use isostep_collision::impact::{Moving, RigidPath, separation, time_of_impact};
use isostep_math::{Fx, Pose};

/// Looks for what is in the way of bodies.
#[derive(Clone, Copy)]
pub(super) struct Barriers<'a> {
    pub(super) state: &'a State,
    pub(super) derived: &'a Derived,
    pub(super) paths: &'a Paths<'a>,
}

/// What a body hits first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) fraction: Fx,
    /// The slot of the other body.
    pub(super) other: u32,
    /// Its path.
    pub(super) path: RigidPath,
}

impl Barriers<'_> {
    /// Lists the colliders that may be in the way of a body: those near its path, or as much farther from it, and those of
    /// the kinematic bodies in whose way it is. Ascending; of all kinds of bodies, but not its own.
    pub(super) fn gather(
        &self,
        slot: u32,
        path: &RigidPath,
        farther: Fx,
        drivers: &[(u32, u32)],
        found: &mut Vec<u32>,
        candidates: &mut Vec<u32>,
    ) {
        self.near(slot, path, farther, found, candidates);
        for &(_, driver) in drivers {
            candidates.extend(self.state.colliders_of(driver));
        }
        candidates.sort_unstable();
        candidates.dedup();
    }

    /// Lists the colliders near a path, and as much farther.
    pub(super) fn near(
        &self,
        slot: u32,
        path: &RigidPath,
        farther: Fx,
        found: &mut Vec<u32>,
        candidates: &mut Vec<u32>,
    ) {
        candidates.clear();
        let extent = self.derived.sizes[slot as usize].extent.saturating_add(farther);
        self.derived.tree.query_aabb(&swept(path, extent), u32::MAX, found);
        candidates.extend(found.iter().filter(|&&collider| self.state.colliders[collider].body != slot));
    }

    /// The first of the candidates on fixed and kinematic bodies that a body hits on a path; `after` says of which part of
    /// the tick the path is, and of which body it goes with.
    pub(super) fn first(
        &self,
        slot: u32,
        path: &RigidPath,
        candidates: &[u32],
        after: Option<(Fx, u32)>,
    ) -> Option<Hit> {
        self.first_of(slot, path, candidates, |other| {
            if self.state.bodies[other].kind == BodyKind::Dynamic {
                return None;
            }
            let path = self.paths.of(other);
            match after {
                Some((_, with)) if with == other => None,
                Some((begin, _)) => Some(path.part(begin, Fx::ONE)),
                None => Some(path),
            }
        })
    }

    /// The first of the candidates that a body hits; `path_of` has the paths of the bodies that count. Of several at one
    /// time the first in the world's order.
    pub(super) fn first_of(
        &self,
        slot: u32,
        path: &RigidPath,
        candidates: &[u32],
        path_of: impl Fn(u32) -> Option<RigidPath>,
    ) -> Option<Hit> {
        let mut first: Option<((Fx, u32), Hit)> = None;
        for &candidate in candidates {
            let other = self.state.colliders[candidate].body;
            let Some(other_path) = path_of(other) else { continue };
            for own in self.state.colliders_of(slot) {
                let Some(fraction) = self.time_between([own, candidate], [path, &other_path]) else {
                    continue;
                };
                let key = (fraction, self.derived.rank(candidate));
                if first.is_none_or(|(least, _)| key < least) {
                    first = Some((key, Hit { fraction, other, path: other_path }));
                }
            }
        }
        first.map(|(_, hit)| hit)
    }

    /// Whether a body that rests is hit by a kinematic one.
    pub(super) fn is_hit(&self, slot: u32, driver: u32, path: &RigidPath) -> bool {
        let resting = RigidPath::resting(self.state.motions[slot].central_pose());
        let drivers = self.state.colliders_of(driver);
        drivers.into_iter().any(|collider| {
            let mut own = self.state.colliders_of(slot);
            own.any(|own| self.time_between([own, collider], [&resting, path]).is_some())
        })
    }

    /// When the collider of a body is to stop before another one: `None` if that does not stop it.
    fn time_between(&self, colliders: [u32; 2], paths: [&RigidPath; 2]) -> Option<Fx> {
        let [own, other] = colliders;
        if meeting(self.state, own, other) != Meeting::Solid {
            return None;
        }
        let margin = self.state.config.speculative_margin;
        let shape = |collider: u32| self.derived.central[collider as usize];
        let [moving, barrier] = [0, 1].map(|i| Moving { shape: shape(colliders[i]), path: *paths[i] });
        let thickness = thickness_of(&moving.shape);
        let extent = self.derived.sizes[self.state.colliders[own].body as usize].extent;
        if relative_motion(&moving, &barrier, extent) <= thickness >> 1 {
            return None;
        }
        // A quarter of the thinner one; half-spaces have no end.
        let deep = thickness.min(thickness_of(&barrier.shape)) >> 2;
        let [a, b] = [&moving, &barrier].map(|item| item.shape.transformed(&item.path.start));
        let before = separation(&a, &b)?.distance;
        let limit = (-deep).min(before.saturating_sub(deep >> 2));
        let through = time_of_impact(&moving, &barrier, limit, deep >> 3)?;
        if before <= margin {
            return Some(through.fraction);
        }
        let touch = time_of_impact(&moving, &barrier, margin >> 2, margin >> 3);
        Some(touch.map_or(through.fraction, |touch| touch.fraction))
    }

    /// Where a body ends that hits a fixed or kinematic one, or another that goes on: with that it goes for the rest of
    /// the tick, up to what is in the way then.
    pub(super) fn stop(
        &self,
        mover: &Mover,
        hit: &Hit,
        found: &mut Vec<u32>,
        candidates: &mut Vec<u32>,
    ) -> Stop {
        let (slot, fraction) = (mover.slot, hit.fraction);
        let own = mover.path.part(Fx::ZERO, fraction);
        if hit.path.is_resting() {
            return Stop { slot, fraction, path: own };
        }
        let at_hit = own.at(Fx::ONE);
        let carried = RigidPath::between(at_hit, carried(&hit.path, fraction, at_hit));
        self.near(slot, &carried, self.state.config.speculative_margin, found, candidates);
        let second = self.first(slot, &carried, candidates, Some((fraction, hit.other)));
        let end = carried.at(second.map_or(Fx::ONE, |second| second.fraction));
        Stop { slot, fraction, path: RigidPath::between(mover.path.start, end) }
    }
}

/// Where a pose is in the end that goes with a path from a fraction of it on.
fn carried(path: &RigidPath, fraction: Fx, pose: Pose) -> Pose {
    if path.turn == isostep_math::Vec3::ZERO {
        let rest = path.displacement.saturating_sub(path.displacement.saturating_scale(fraction));
        return Pose::new(pose.rotation, pose.translation.saturating_add(rest));
    }
    path.at(Fx::ONE).mul_pose(pose.relative_to(path.at(fraction)))
}

/// How far a point of the first shape moves at the most, seen from the second one.
///
/// From the coordinates of the second one, which turn by w, the centre of the first moves with v − w × r, where r goes from
/// one to the other and changes by v over the tick; and its points with their own turn, and with −w about the centre.
fn relative_motion(moving: &Moving, barrier: &Moving, extent: Fx) -> Fx {
    let velocity = moving.path.displacement.saturating_sub(barrier.path.displacement);
    let turn = barrier.path.turn;
    let own = moving.turning();
    if turn == isostep_math::Vec3::ZERO {
        return velocity.length().saturating_add(own);
    }
    let arm = moving.path.start.translation.saturating_sub(barrier.path.start.translation);
    let seen = velocity.saturating_sub(turn.cross(arm)).length();
    let farther = turn.length().saturating_mul(velocity.length().saturating_add(extent));
    seen.saturating_add(farther).saturating_add(own)
}
