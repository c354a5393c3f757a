//! What follows from joints: their order, and which bodies pass through each other because of them.

use crate::state::State;
use alloc::vec::Vec;

/// The world's order of joints, by ascending `order`, then by slots, and the pairs of bodies that do not collide.
#[derive(Clone, Debug, Default)]
pub(super) struct JointOrder {
    /// Slots of all joints.
    pub(super) sorted: Vec<u32>,
    /// Pairs of bodies that pass through each other, the lower slot first, ascending.
    pub(super) passing: Vec<(u32, u32)>,
    pub(super) stale: bool,
}

impl JointOrder {
    /// Brings it up to date, and says whether it was not.
    pub(super) fn refresh(&mut self, state: &State) -> bool {
        if !core::mem::take(&mut self.stale) {
            return false;
        }
        self.sorted.clear();
        self.sorted.extend(state.alive_joints().map(|(slot, _)| slot));
        self.sorted.sort_unstable_by_key(|&slot| (state.joints[slot].order, slot));
        // Of several joints of a pair one that lets them pass is enough.
        let apart = state.alive_joints().filter(|(_, joint)| !joint.collide_connected);
        self.passing.clear();
        self.passing.extend(apart.map(|(_, joint)| {
            let [a, b] = joint.bodies;
            (a.min(b), a.max(b))
        }));
        self.passing.sort_unstable();
        self.passing.dedup();
        true
    }
}
