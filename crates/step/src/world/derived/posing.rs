//! Where shapes are after a step has moved their bodies.

use super::{Derived, grown};
use crate::collider::Collider;
use crate::parallel::Crew;
use crate::state::State;
use isostep_collision::Aabb;
use isostep_collision::manifold::PosedPart;

/// Fewer colliders are posed by one thread.
const SHARED_COLLIDERS: usize = 256;

/// Colliders by ascending slots, with all shapes from the first of these to the last, and their boxes.
struct Posing<'a> {
    colliders: &'a [u32],
    shapes: PosedPart<'a>,
    boxes: &'a mut [Aabb],
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

/// The collider in a slot that had one when the list was made.
fn present(state: &State, slot: u32) -> Option<&Collider> {
    state.colliders.get(slot).filter(|collider| collider.alive)
}

impl Derived {
    /// Poses the colliders of the bodies that a step moves, and brings their boxes into the tree.
    ///
    /// The list is that of the step. What came since is posed when it comes, and what went is not posed, be it that it was
    /// removed or that a load brought a state without it.
    pub(super) fn pose_active(&mut self, state: &State, crew: &mut Crew) {
        let Self { shapes, central, active, boxes, .. } = self;
        boxes.resize(active.len(), Aabb::EMPTY);
        let (central, margin) = (&*central, state.config.speculative_margin);
        let whole = Posing { colliders: active, shapes: shapes.as_part(), boxes };
        let is_worth_it = active.len() >= SHARED_COLLIDERS;
        crew.for_each_part(whole, is_worth_it, &Posing::halves, &|part: Posing<'_>| {
            let Posing { colliders, mut shapes, boxes } = part;
            for (&collider, aabb) in colliders.iter().zip(boxes) {
                if let Some(item) = present(state, collider) {
                    let pose = state.motions[item.body].central_pose();
                    let world = shapes.set(collider as usize, &central[collider as usize], &pose);
                    *aabb = grown(&world.to_aabb(), margin);
                }
            }
        });
        for index in 0..self.active.len() {
            let collider = self.active[index];
            if present(state, collider).is_some() {
                let aabb = self.boxes[index];
                self.place(collider, &aabb);
            }
        }
    }
}
