//! What is rebuilt from the state at will: posed shapes, the tree, lists of bodies, the order of colliders.
//!
//! Commands and loads only note what they changed ([`Derived::body_changed`], [`Derived::collider_changed`]); the next
//! step, or the next query, brings all of it up to date ([`Derived::refresh`]). `joints` has what follows from joints,
//! `parties` what colliders are to each other, and `idle_sensors` what sensors have that no step looks at.

mod idle_sensors;
mod joints;
mod parties;
mod posing;
pub(crate) mod sizes;

use crate::hash::HashCache;
use crate::parallel::Crew;
use crate::state::State;
use alloc::vec::Vec;
use idle_sensors::IdleSensors;
pub(crate) use idle_sensors::each_of_both;
use isostep_collision::manifold::PosedShapes;
use isostep_collision::tree::{DynamicTree, Layers, TreeItem};
use isostep_collision::{Aabb, Shape, Sphere};
use isostep_math::{Fx, Pose};
use joints::JointOrder;
pub(crate) use parties::Meeting;
use parties::Party;
pub(crate) use parties::Rest;
use sizes::Size;

/// Why a collider that exists has bounds.
const IN_TREE: &str = "every collider is in the tree";

/// What follows from the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    /// By slot of the collider: its shape where it is, and about the centre of mass of its body.
    pub(crate) shapes: PosedShapes,
    pub(crate) central: Vec<Shape>,
    /// By slot of the collider.
    parties: Vec<Party>,
    /// By slot of the body.
    pub(crate) sizes: Vec<Size>,
    resized: Vec<u32>,
    /// By slot of the body.
    rests: Vec<Rest>,
    /// By slot of the collider, its box grown by half the speculative margin.
    pub(crate) tree: DynamicTree,
    /// Boxes of colliders that a step moved, on their way into the tree.
    boxes: Vec<(u32, Aabb)>,
    /// Colliders that commands and loads brought or moved, on their way into the tree.
    placed: Vec<TreeItem>,
    /// Dynamic bodies that are awake, by ascending slots.
    pub(crate) awake: Vec<u32>,
    /// Kinematic bodies, by ascending slots.
    pub(crate) kinematic: Vec<u32>,
    /// The colliders of both, by ascending slots.
    pub(crate) active: Vec<u32>,
    /// Bodies of the lists, or colliders of theirs, came or went since they were listed.
    active_stale: bool,
    /// Joints of which a body is dynamic and awake, and was not held at the edge of the world: what a step solves. By
    /// ascending [`order`](crate::JointDef::order), those of equal order by slots.
    pub(crate) joints: Vec<u32>,
    order: ColliderOrder,
    joint_order: JointOrder,
    idle_sensors: IdleSensors,
    changed_bodies: Vec<u32>,
    changed_colliders: Vec<u32>,
    /// Bodies came, went, woke or fell asleep.
    lists_stale: bool,
    /// A step moved the bodies of the lists.
    moved: bool,
    pub(crate) hashes: HashCache,
    /// Memory for what a load changed.
    pub(crate) loaded_bodies: Vec<u32>,
    pub(crate) loaded_motions: Vec<u32>,
    pub(crate) loaded_colliders: Vec<u32>,
}

impl Derived {
    /// The bounds in the tree of a collider that exists.
    pub(crate) fn bounds(&self, collider: u32) -> Aabb {
        self.tree.aabb(collider).expect(IN_TREE)
    }

    /// The motion, kind or order of the body in a slot changed, or it came or went.
    pub(crate) fn body_changed(&mut self, body: u32) {
        self.changed_bodies.push(body);
        self.lists_stale = true;
    }

    /// The collider in a slot changed, or it came or went; also where the centre of mass of its body moved.
    pub(crate) fn collider_changed(&mut self, collider: u32) {
        self.changed_colliders.push(collider);
        self.order.stale = true;
        self.active_stale = true;
    }

    /// Layers changed.
    pub(crate) fn meetings_changed(&mut self) {
        self.idle_sensors.forget();
    }

    /// A joint changed, or came or went.
    pub(crate) fn joint_changed(&mut self) {
        self.joint_order.stale = true;
    }

    /// Pairs of bodies that pass through each other because they are joined: the lower slot first, ascending.
    pub(crate) fn passing(&self) -> &[(u32, u32)] {
        &self.joint_order.passing
    }

    /// A step moved all that is awake.
    pub(crate) fn bodies_moved(&mut self) {
        self.moved = true;
    }

    /// Brings all up to date.
    pub(crate) fn refresh(&mut self, state: &State, crew: &mut Crew) {
        self.refresh_colliders(state);
        if core::mem::take(&mut self.moved) {
            self.pose_active(state, crew);
        }
        self.sizes.resize(state.bodies.len(), Size::NONE);
        self.rests.resize(state.bodies.len(), Rest::NONE);
        while let Some(body) = self.changed_bodies.pop() {
            self.pose_body(state, body);
            self.resized.push(body);
            self.idle_sensors.note_body(state, body);
            if let Some(rest) = self.rests.get_mut(body as usize) {
                *rest = Rest::of(state, body);
            }
        }
        let done = self.tree.place_all(&self.placed);
        debug_assert!(done.is_ok(), "slots are below the limit and boxes of shapes not empty: {done:?}");
        self.placed.clear();
        while let Some(body) = self.resized.pop() {
            if let Some(item) = state.bodies.get(body) {
                self.sizes[body as usize] = Size::of(state, body, item);
            }
        }
        self.refresh_lists(state);
        self.refresh_active(state);
        self.refresh_idle_sensors(state);
        self.order.refresh(state);
        self.hashes.refresh(state);
    }

    /// Lists which bodies are awake, and which joints hold one of them, if that changed.
    pub(crate) fn refresh_lists(&mut self, state: &State) {
        let joints_changed = self.joint_order.refresh(state);
        let bodies_changed = core::mem::take(&mut self.lists_stale);
        if bodies_changed {
            self.refresh_bodies(state);
        }
        if joints_changed || bodies_changed {
            let is_solved = |&&joint: &&u32| {
                state.joints[joint].bodies.iter().any(|body| self.awake.binary_search(body).is_ok())
            };
            self.joints.clear();
            self.joints.extend(self.joint_order.sorted.iter().filter(is_solved));
        }
    }

    fn refresh_bodies(&mut self, state: &State) {
        self.active_stale = true;
        self.awake.clear();
        self.kinematic.clear();
        for (body, index) in state.bodies.items().iter().zip(0..) {
            if body.alive && state.is_active(index) {
                let list = if body.is_dynamic() { &mut self.awake } else { &mut self.kinematic };
                list.push(index);
            }
        }
    }

    fn refresh_colliders(&mut self, state: &State) {
        while let Some(collider) = self.changed_colliders.pop() {
            self.hold_slot(collider);
            self.resized.push(self.owner(collider));
            self.idle_sensors.note_collider(collider);
            match state.colliders.get(collider) {
                Some(item) if item.alive => {
                    self.central[collider as usize] = state.central_shape(item);
                    self.parties[collider as usize] = Party::of(item);
                    self.resized.push(item.body);
                    self.pose_collider(state, collider, &state.motions[item.body].central_pose());
                }
                _ if self.tree.contains(collider) => {
                    self.parties[collider as usize] = Party::NOBODY;
                    let removed = self.tree.remove(collider);
                    debug_assert!(removed.is_ok(), "it is in the tree");
                }
                _ => {}
            }
        }
    }

    fn hold_slot(&mut self, collider: u32) {
        while self.central.len() <= collider as usize {
            self.central.push(NOTHING);
            self.parties.push(Party::NOBODY);
            self.shapes.push(&NOTHING, &Pose::IDENTITY);
        }
    }

    fn pose_body(&mut self, state: &State, body: u32) {
        if state.bodies.get(body).is_none() {
            return;
        }
        let pose = state.motions[body].central_pose();
        for collider in state.colliders_of(body) {
            self.pose_collider(state, collider, &pose);
        }
    }

    fn pose_collider(&mut self, state: &State, collider: u32, pose: &Pose) {
        let margin = state.config.speculative_margin;
        let aabb = posing::pose(&mut self.shapes.as_part(), &self.central, collider, pose, margin);
        self.placed.push(TreeItem { id: collider, aabb, layers: Layers::ALL });
    }

    /// Brings the order of colliders up to date.
    pub(crate) fn refresh_order(&mut self, state: &State) {
        self.order.refresh(state);
    }

    /// The place of a collider in the world's order.
    #[inline]
    pub(crate) fn rank(&self, collider: u32) -> u32 {
        self.order.rank(collider)
    }

    /// The slots of all colliders in the world's order.
    pub(crate) fn in_order(&self, state: &State) -> impl Iterator<Item = u32> {
        let by_slot = if self.order.by_slot { state.colliders.items() } else { &[] };
        let alive = by_slot.iter().zip(0..).filter(|(collider, _)| collider.alive).map(|(_, slot)| slot);
        let sorted = if self.order.by_slot { &[][..] } else { &self.order.sorted };
        alive.chain(sorted.iter().map(|&(.., collider)| collider))
    }

    /// Whether the order is that of the slots.
    pub(crate) const fn ordered_by_slot(&self) -> bool {
        self.order.by_slot
    }
}

/// A box reaching half of `margin` farther, rounded up.
fn grown(aabb: &Aabb, margin: Fx) -> Aabb {
    aabb.expand(Fx::from_bits((margin.to_bits() + 1) / 2))
}

/// What the slot of a collider holds that does not exist.
const NOTHING: Shape = Shape::Sphere(Sphere::UNIT);

/// The world's order of colliders: by the order of their bodies, the slots of these, and their place in the body.
/// Where that is the order of the slots of colliders, these do as well, and cost nothing.
#[derive(Clone, Debug)]
struct ColliderOrder {
    ranks: Vec<u32>,
    by_slot: bool,
    stale: bool,
    sorted: Vec<(u32, u32, u32, u32)>,
}

impl Default for ColliderOrder {
    fn default() -> Self {
        Self { ranks: Vec::new(), by_slot: true, stale: false, sorted: Vec::new() }
    }
}

impl ColliderOrder {
    #[inline]
    fn rank(&self, collider: u32) -> u32 {
        if self.by_slot { collider } else { self.ranks[collider as usize] }
    }

    fn refresh(&mut self, state: &State) {
        if !core::mem::take(&mut self.stale) {
            return;
        }
        self.sorted.clear();
        for (body, index) in state.bodies.items().iter().zip(0..) {
            if body.alive {
                let colliders = state.colliders_of(index).zip(0..);
                self.sorted.extend(colliders.map(|(collider, place)| (body.order, index, place, collider)));
            }
        }
        self.sorted.sort_unstable();
        self.by_slot = self.sorted.is_sorted_by_key(|&(.., collider)| collider);
        if self.by_slot {
            return;
        }
        self.ranks.clear();
        self.ranks.resize(state.colliders.len(), u32::MAX);
        for (&(.., collider), rank) in self.sorted.iter().zip(0..) {
            self.ranks[collider as usize] = rank;
        }
    }
}
