//! Where shapes are after a step has moved their bodies.

use super::{Derived, grown};
use crate::parallel::Crew;
use crate::state::State;
use isostep_collision::manifold::PosedPart;
use isostep_collision::{Aabb, Shape};
use isostep_math::{Fx, Pose};

/// Fewer colliders are posed by one thread.
const SHARED_COLLIDERS: usize = 256;

/// Colliders by ascending slots, with all shapes from the first of these to the last, and where to write their boxes.
struct Posing<'a> {
    colliders: &'a [u32],
    shapes: PosedPart<'a>,
    boxes: &'a mut [(u32, Aabb)],
}

impl Posing<'_> {
    fn halves(self) -> (Self, Self) {
        let middle = self.colliders.len() / 2;
        let (colliders, later_colliders) = self.colliders.split_at(middle);
        let (boxes, later_boxes) = self.boxes.split_at_mut(middle);
        let first = later_colliders.first().map_or(self.shapes.start(), |&collider| collider as usize);
        let (shapes, later_shapes) = self.shapes.split_at(first);
        (
            Self { colliders, shapes, boxes },
            Self { colliders: later_colliders, shapes: later_shapes, boxes: later_boxes },
        )
    }
}

/// Poses a shape of `central`, and returns its box, grown by half of `margin`.
pub(super) fn pose(
    shapes: &mut PosedPart<'_>,
    central: &[Shape],
    collider: u32,
    pose: &Pose,
    margin: Fx,
) -> Aabb {
    let slot = collider as usize;
    grown(&shapes.set(slot, &central[slot], pose), margin)
}

impl Derived {
    /// Poses the colliders of the bodies that a step moves, and brings their boxes into the tree.
    ///
    /// The list is that of the step. What came since is posed when it comes, and what went is not posed, be it that it was
    /// removed or that a load brought a state without it.
    pub(super) fn pose_active(&mut self, state: &State, crew: &mut Crew) {
        let Self { shapes, central, active, boxes, .. } = self;
        boxes.resize(active.len(), (0, Aabb::EMPTY));
        let (central, count, margin) = (&*central, active.len(), state.config.speculative_margin);
        let whole = Posing { colliders: active, shapes: shapes.as_part(), boxes };
        crew.for_each_part(whole, count, SHARED_COLLIDERS, &Posing::halves, &|part: Posing<'_>| {
            let Posing { colliders, mut shapes, boxes } = part;
            for (&collider, place) in colliders.iter().zip(boxes) {
                let item = state.colliders.get(collider).filter(|item| item.alive);
                let aabb = item.map_or(Aabb::EMPTY, |item| {
                    let central_pose = state.motions[item.body].central_pose();
                    pose(&mut shapes, central, collider, &central_pose, margin)
                });
                *place = (collider, aabb);
            }
        });
        // What is new has no place yet, and gets one with what else came.
        self.tree.update_all(&self.boxes);
    }

    /// Lists the colliders of the bodies that a step moves, if they or their bodies changed.
    pub(super) fn refresh_active(&mut self, state: &State) {
        if !core::mem::take(&mut self.active_stale) {
            return;
        }
        self.active.clear();
        for &body in self.awake.iter().chain(&self.kinematic) {
            self.active.extend(state.colliders_of(body));
        }
        self.active.sort_unstable();
    }
}
