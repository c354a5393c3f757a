//! What is in the way of a path, and where the path ends.

use super::{Driver, Mover, Paths, Stop, swept};
use crate::handle::NONE;
use crate::state::State;
use crate::world::derived::Derived;
use crate::world::derived::Meeting;
use crate::world::derived::sizes::slowness;
use alloc::vec::Vec;
use isostep_collision::impact::{Moving, RigidPath, separation, time_of_impact};
use isostep_collision::{Shape, Sphere};
use isostep_math::{Fx, Pose, Vec3};

/// How often in a tick a body may go on with another one than before. What is then still in the way squeezes it.
const MAX_TURNS: usize = 6;

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
    /// From the body to the other one.
    normal: Vec3,
    /// Whether they touch where the path begins.
    touches: bool,
}

impl Barriers<'_> {
    /// The first of the candidates that a body hits; `path_of` has the paths of the bodies that count. Of several at one
    /// time the first in the world's order.
    fn first_of(
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
                let Some((fraction, normal, touches)) =
                    self.time_between([own, candidate], [path, &other_path])
                else {
                    continue;
                };
                let key = (fraction, self.derived.rank(candidate));
                if first.is_none_or(|(least, _)| key < least) {
                    first = Some((key, Hit { fraction, other, path: other_path, normal, touches }));
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

    /// When the collider of a body is to stop before another one, where that is, and whether they touch before: `None` if that
    /// does not stop it.
    fn time_between(&self, colliders: [u32; 2], paths: [&RigidPath; 2]) -> Option<(Fx, Vec3, bool)> {
        let [own, other] = colliders;
        if self.derived.meeting(self.state, own, other) != Meeting::Solid {
            return None;
        }
        let shape = |collider: u32| self.derived.central[collider as usize];
        let [moving, barrier] = [0, 1].map(|i| Moving { shape: shape(colliders[i]), path: *paths[i] });
        let thickness = moving.shape.inradius();
        let extent = self.derived.sizes[self.state.colliders[own].body as usize].extent;
        let motion = relative_motion(&moving, &barrier.path, extent);
        if motion <= slowness(thickness) {
            return None;
        }
        let [a, b] = [&moving, &barrier].map(|item| item.shape.transformed(&item.path.start));
        // Most of what is not in the way is too far, which a ball tells for a tenth of what boxes cost.
        let is_far = |distance: Fx| distance > motion;
        if separation(&ball_around(&a), &b).is_some_and(|found| is_far(found.distance)) {
            return None;
        }
        let before = separation(&a, &b)?.distance;
        if is_far(before) {
            return None;
        }
        // Of half-spaces a quarter has no end.
        let deep = (thickness >> 1).min(barrier.shape.inradius() >> 2);
        let margin = self.state.config.speculative_margin;
        if before <= margin {
            let through = |moving: &Moving, before: Fx| {
                let limit = (-deep).min(before.saturating_sub(deep >> 2));
                time_of_impact(moving, &barrier, limit, deep >> 3)
            };
            let mut first = through(&moving, before);
            if before < -deep {
                // What sticks in a barrier can turn along it, and be past it without having been deeper.
                let middle = Moving { shape: ball_inside(&moving.shape), ..moving };
                let before = separation(&middle.shape.transformed(&middle.path.start), &b)?.distance;
                let passing = through(&middle, before);
                first = [first, passing].into_iter().flatten().min_by_key(|impact| impact.fraction);
            }
            return first.map(|impact| (impact.fraction, impact.separation.normal, true));
        }
        let touch = time_of_impact(&moving, &barrier, margin >> 2, margin >> 3)?;
        let [moving, barrier] =
            [moving, barrier].map(|item| Moving { path: item.path.part(touch.fraction, Fx::ONE), ..item });
        time_of_impact(&moving, &barrier, -deep, deep >> 3)
            .map(|_| (touch.fraction, touch.separation.normal, false))
    }
}

/// Looks for where paths end; `path_of` has the paths of the bodies that count: on the path of a body itself, and after it
/// was stopped.
pub(super) struct Search<'a, F> {
    pub(super) barriers: &'a Barriers<'a>,
    pub(super) drivers: &'a [Driver],
    /// How far from a path what may come to it is at the most; 0 where others do not move but drivers.
    pub(super) farther: Fx,
    pub(super) path_of: F,
    pub(super) found: &'a mut Vec<u32>,
    pub(super) candidates: &'a mut Vec<u32>,
}

impl<F: Fn(u32, bool) -> Option<RigidPath>> Search<'_, F> {
    /// The first that a body hits on its own path.
    pub(super) fn first(&mut self, slot: u32, path: &RigidPath) -> Option<Hit> {
        self.gather(slot, path);
        self.barriers.first_of(slot, path, self.candidates, |other| (self.path_of)(other, false))
    }

    /// The first that a body hits after it was stopped, from a fraction of the tick on; one body does not count.
    fn next(&mut self, slot: u32, path: &RigidPath, (begin, except): (Fx, u32)) -> Option<Hit> {
        self.gather(slot, path);
        self.barriers.first_of(slot, path, self.candidates, |other| {
            if other == except {
                return None;
            }
            (self.path_of)(other, true).map(|path| path.part(begin, Fx::ONE))
        })
    }

    /// Lists the colliders that may be in the way of a body: those near its path, and those of fast kinematic bodies that
    /// come near it. Ascending; of all kinds of bodies, but not its own.
    fn gather(&mut self, slot: u32, path: &RigidPath) {
        let Barriers { state, derived, .. } = self.barriers;
        let farther = self.farther.saturating_add(state.config.speculative_margin);
        let around = swept(path, derived.sizes[slot as usize].extent.saturating_add(farther));
        derived.tree.query_aabb(&around, u32::MAX, self.found);
        self.candidates.clear();
        self.candidates.extend(self.found.iter().filter(|&&collider| state.colliders[collider].body != slot));
        for driver in self.drivers.iter().filter(|driver| driver.around.overlaps(&around)) {
            self.candidates.extend(state.colliders_of(driver.slot));
        }
        self.candidates.sort_unstable();
        self.candidates.dedup();
    }

    /// Where a body ends that hits another one: with that it goes for the rest of the tick, or stays with it, until
    /// something else is in the way, or comes along.
    pub(super) fn stop(&mut self, mover: &Mover, hit: &Hit) -> Stop {
        let (slot, fraction) = (mover.slot, hit.fraction);
        let own = mover.path.part(Fx::ZERO, fraction);
        let pressed = (hit.touches && hit.path.is_resting()).then_some(hit.normal);
        if hit.path.is_resting() && self.drivers.is_empty() && self.farther == Fx::ZERO {
            return Stop { slot, fraction, pressed, path: own };
        }
        let (mut time, mut pose, mut last) = (fraction, own.at(Fx::ONE), *hit);
        let mut walls = Walls { normals: [Vec3::ZERO; MAX_TURNS], count: 0 };
        let mut pusher = None;
        for turn in 0..MAX_TURNS {
            let (rest, slides) = if last.path.is_resting() {
                walls.add(last.normal);
                (RigidPath::resting(pose), false)
            } else {
                pusher = Some(last);
                walls.along(carried(&last.path, time, pose), &last)
            };
            // What slides no longer goes just as the other one does, which may come after it again.
            let except = if slides { NONE } else { last.other };
            let Some(next) = self.next(slot, &rest, (time, except)) else {
                pose = rest.at(Fx::ONE);
                break;
            };
            pose = rest.at(next.fraction);
            time = time.saturating_add(Fx::ONE.saturating_sub(time).saturating_mul(next.fraction));
            last = Hit { path: (self.path_of)(next.other, true).unwrap_or(next.path), ..next };
            if let (true, Some(pusher)) = (turn + 1 == MAX_TURNS, pusher) {
                // Wedged in. It stays on its side of what pushes, and of the walls, if not with all of itself.
                let rest = RigidPath { turn: Vec3::ZERO, ..carried(&pusher.path, time, pose) };
                pose = walls.along(rest, &pusher).0.at(Fx::ONE);
            }
        }
        let path = if pose == own.at(Fx::ONE) { own } else { RigidPath::between(mover.path.start, pose) };
        Stop { slot, fraction, pressed, path }
    }
}

/// What holds a body that goes with another one, and along which it slides.
struct Walls {
    normals: [Vec3; MAX_TURNS],
    count: usize,
}

impl Walls {
    fn add(&mut self, normal: Vec3) {
        self.normals[self.count] = normal;
        self.count += 1;
    }

    /// The path without what leads into a wall, and whether that is another one. It goes as far along the push of the one
    /// that it goes with as before, but where that would need twice the way.
    fn along(&self, path: RigidPath, pusher: &Hit) -> (RigidPath, bool) {
        let push = pusher.normal.saturating_neg();
        let mut displacement = path.displacement;
        for &normal in &self.normals[..self.count] {
            let into = displacement.dot(normal).max(Fx::ZERO);
            if into == Fx::ZERO {
                continue;
            }
            let slid = displacement.saturating_sub(normal.saturating_scale(into));
            let along = push.saturating_sub(normal.saturating_scale(push.dot(normal)));
            let share = along.length_squared();
            let lost = displacement.saturating_sub(slid).dot(push).max(Fx::ZERO);
            displacement = if share < Fx::HALF {
                slid
            } else {
                slid.saturating_add(along.saturating_scale(lost.saturating_div(share)))
            };
        }
        (RigidPath { displacement, ..path }, displacement != path.displacement)
    }
}

/// The path of a pose that goes with another path from a fraction of that on.
fn carried(path: &RigidPath, fraction: Fx, pose: Pose) -> RigidPath {
    if path.turn == Vec3::ZERO {
        let displacement = path.displacement.saturating_sub(path.displacement.saturating_scale(fraction));
        return RigidPath { displacement, ..RigidPath::resting(pose) };
    }
    RigidPath::between(pose, path.at(Fx::ONE).mul_pose(pose.relative_to(path.at(fraction))))
}

/// A ball that holds a shape, or the shape itself where there is none.
fn ball_around(shape: &Shape) -> Shape {
    match shape {
        Shape::Sphere(_) => *shape,
        _ => ball(shape, shape.circumradius().saturating_add(Fx::EPSILON * Fx::from_int(4))),
    }
}

/// The largest ball in the middle of a shape, or the shape itself where there is none.
fn ball_inside(shape: &Shape) -> Shape {
    ball(shape, shape.inradius())
}

/// A ball in the middle of a shape; the shape itself where it has none, or the ball is too large.
fn ball(shape: &Shape, radius: Fx) -> Shape {
    let ball = shape.center().and_then(|center| Sphere::new(center, radius).ok());
    ball.map_or(*shape, Shape::from)
}

/// Whether a shape of a body of this extent is fast, seen from what moves on a path.
pub(super) fn is_fast_against(moving: &Moving, barrier: &RigidPath, extent: Fx) -> bool {
    relative_motion(moving, barrier, extent) > slowness(moving.shape.inradius())
}

/// How far a point of a shape moves at the most, seen from what moves on a path.
///
/// From the coordinates of that, which turn by w, the centre of the shape's owner moves with v − w × r, where r leads to it
/// and changes by v over the tick; and its points with their own turn, and with −w about the centre.
fn relative_motion(moving: &Moving, barrier: &RigidPath, extent: Fx) -> Fx {
    let velocity = moving.path.displacement.saturating_sub(barrier.displacement);
    let turn = barrier.turn;
    let own = moving.turning();
    if turn == Vec3::ZERO {
        return velocity.length().saturating_add(own);
    }
    let arm = moving.path.start.translation.saturating_sub(barrier.start.translation);
    let seen = velocity.saturating_sub(turn.cross(arm)).length();
    let farther = turn.length().saturating_mul(velocity.length().saturating_add(extent));
    seen.saturating_add(farther).saturating_add(own)
}
