//! [`DynamicTree`]: which boxes are near which, by a hierarchy of boxes around them.
//!
//! Every leaf has an id that the caller chose, a *tight* box and [`Layers`]. **All answers are by the tight
//! boxes, exact, and ordered by ids**, so they are a function of what the tree holds, never of how it came to
//! hold it: any order of insertions, any balance, any margin, a fresh build or a tree of a thousand steps give
//! the same bits. The tree is an accelerator; no snapshot needs it.
//!
//! Data passes through in this order:
//!
//! * `grid` maps coordinates to 32-bit cells, `node` lays out slots and leaves of one cache line each;
//! * `margin` fattens the box of a leaf, so that small moves leave the tree alone;
//! * `place` finds leaves a place one by one, `refit` mends the boxes above them, `build` splits all at once;
//! * `candidates` keeps the sorted list of leaves whose fat boxes overlap: `pairs` reads off it those whose tight
//!   boxes do, and only leaves that left their fat box ask the tree again;
//! * `overlap` answers for a box, `sweep` for rays and moving boxes, nearest first through `frontier`.

mod build;
mod candidates;
mod error;
mod frontier;
mod grid;
mod margin;
mod node;
mod overlap;
mod pairs;
mod place;
mod refit;
mod sort;
mod sweep;

pub use error::TreeError;
pub use sweep::SweepHit;

use crate::exact::bits;
use crate::shape::Aabb;
use alloc::vec::Vec;
use candidates::Candidates;
use grid::Grid;
use isostep_math::{Fx, Vec3, fx};
use node::{Leaf, NONE, NOWHERE, Node, Slot};

/// Nodes are made anew of all leaves once each id was given so many places, in the mean. That takes a third of the time of as many
/// insertions as there are leaves, and goes by the greatest id.
const MOVES_TO_REGROUP: u32 = 16;

/// Ids are below this.
///
/// Leaves lie in memory by their ids, so ids are to be dense, like the slots of a pool: memory (some 150 bytes each),
/// [`build`](DynamicTree::build), [`rebuild`](DynamicTree::rebuild) and [`iter`](DynamicTree::iter) go by the greatest
/// id. All else goes by the leaves there are.
pub const MAX_LEAVES: u32 = 1 << 20;

/// What a leaf belongs to and what it forms pairs with, a bit per layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layers {
    /// The layers it belongs to. Queries name the layers they look for.
    pub membership: u32,
    /// The layers it forms pairs with; two leaves are a pair only if each admits the other.
    pub filter: u32,
}

impl Layers {
    /// Of all layers, paired with all.
    pub const ALL: Self = Self { membership: u32::MAX, filter: u32::MAX };
}

impl Default for Layers {
    /// [`ALL`](Self::ALL).
    fn default() -> Self {
        Self::ALL
    }
}

/// A leaf as given to [`DynamicTree::build`] and listed by [`DynamicTree::iter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeItem {
    /// Its id, below [`MAX_LEAVES`].
    pub id: u32,
    /// Its tight box.
    pub aabb: Aabb,
    /// Its layers.
    pub layers: Layers,
}

/// A dynamic tree of axis-aligned boxes over stable ids.
///
/// ```
/// use isostep_collision::tree::{DynamicTree, Layers};
/// use isostep_collision::{Aabb, Ray};
/// use isostep_math::{Fx, Vec3, fx, vec3};
///
/// let unit = |x: Fx| Aabb::from_center_half_extents(vec3(x, fx!(0), fx!(0)), Vec3::splat(fx!(0.5))).unwrap();
/// let mut tree = DynamicTree::new();
/// for (id, x) in [(7, fx!(0)), (2, fx!(0.75)), (5, fx!(4))] {
///     tree.insert(id, &unit(x), Layers::ALL)?;
/// }
/// let mut pairs = Vec::new();
/// tree.pairs(&mut pairs);
/// assert_eq!(pairs, [(2, 7)]);
///
/// tree.update(5, &unit(fx!(1.5)))?;
/// tree.pairs_of(&[5], &mut pairs)?;
/// assert_eq!(pairs, [(2, 5)]);
///
/// let mut found = Vec::new();
/// tree.query_aabb(&unit(fx!(2)), u32::MAX, &mut found);
/// assert_eq!(found, [5]);
///
/// let ray = Ray::new(vec3(fx!(-4.5), fx!(0), fx!(0)), vec3(fx!(8), fx!(0), fx!(0)));
/// let hit = tree.closest_hit(&ray, u32::MAX, |_, entry| Some(entry)).unwrap();
/// assert_eq!((hit.id, hit.fraction), (7, fx!(0.5)));
/// # Ok::<(), isostep_collision::tree::TreeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DynamicTree {
    margin: Fx,
    grid: Grid,
    root: Slot,
    nodes: Vec<Node>,
    /// The place of each node's own slot: twice the parent and the side, or `ROOT`.
    parents: Vec<u32>,
    free: Vec<u32>,
    leaves: Vec<Leaf>,
    count: u32,
    /// Leaves that were put beyond the grid since it was chosen.
    escapes: u32,
    /// How often leaves were given a place since nodes were made of all of them at once.
    moves: u32,
    candidates: Candidates,
    scratch: build::Scratch,
}

impl DynamicTree {
    /// The margin of [`new`](Self::new): 2 cm.
    pub const DEFAULT_MARGIN: Fx = fx!(0.02);

    /// A tree without leaves and with the margin [`DEFAULT_MARGIN`](Self::DEFAULT_MARGIN).
    #[must_use]
    pub fn new() -> Self {
        Self {
            margin: Self::DEFAULT_MARGIN,
            grid: Grid::around([0; 3]),
            root: Slot::EMPTY,
            nodes: Vec::new(),
            parents: Vec::new(),
            free: Vec::new(),
            leaves: Vec::new(),
            count: 0,
            escapes: 0,
            moves: 0,
            candidates: Candidates::new(),
            scratch: build::Scratch::default(),
        }
    }

    /// A tree without leaves whose nodes reach `margin` beyond tight boxes: how far a leaf moves before the tree
    /// changes. The margin is a matter of speed alone: a wider one changes the tree less often, and has more
    /// neighbours to tell from pairs.
    ///
    /// # Errors
    /// [`TreeError::NegativeMargin`] if it is below zero.
    pub fn with_margin(margin: Fx) -> Result<Self, TreeError> {
        if margin.is_negative() {
            return Err(TreeError::NegativeMargin { value: margin });
        }
        Ok(Self { margin, ..Self::new() })
    }

    /// How many leaves it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether it has no leaves.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether it has a leaf of that id.
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        self.leaf(id).is_ok()
    }

    /// The tight box of a leaf, as it was given.
    #[must_use]
    pub fn aabb(&self, id: u32) -> Option<Aabb> {
        self.leaf(id).ok().map(|leaf| aabb_of(&leaf.tight))
    }

    /// The layers of a leaf.
    #[must_use]
    pub fn layers(&self, id: u32) -> Option<Layers> {
        self.leaf(id).ok().map(|leaf| Layers { membership: leaf.membership, filter: leaf.filter })
    }

    /// All leaves, by ascending ids.
    pub fn iter(&self) -> impl Iterator<Item = TreeItem> + '_ {
        let present = self.leaves.iter().zip(0..).filter(|(leaf, _)| leaf.place != NONE);
        present.map(|(leaf, id)| TreeItem {
            id,
            aabb: aabb_of(&leaf.tight),
            layers: Layers { membership: leaf.membership, filter: leaf.filter },
        })
    }

    /// Adds a leaf.
    ///
    /// # Errors
    /// If the id is in the tree already or not below [`MAX_LEAVES`], or if the box is empty; the tree is as it
    /// was.
    pub fn insert(&mut self, id: u32, aabb: &Aabb, layers: Layers) -> Result<(), TreeError> {
        let tight = tight_of(id, aabb)?;
        check_id(id)?;
        if self.contains(id) {
            return Err(TreeError::DuplicateId { id });
        }
        self.add_leaf(id, tight, layers);
        self.find_place(id, &tight);
        Ok(())
    }

    /// Takes a leaf out and returns its tight box.
    ///
    /// # Errors
    /// If there is none of that id.
    pub fn remove(&mut self, id: u32) -> Result<Aabb, TreeError> {
        let tight = self.leaf(id)?.tight;
        self.detach_leaf(id);
        self.leaves[id as usize].place = NONE;
        self.candidates.remove(id);
        self.count -= 1;
        Ok(aabb_of(&tight))
    }

    /// Gives a leaf another tight box, and returns whether the tree changed for it. It does not where the box
    /// stays within the margin around an earlier one.
    ///
    /// # Errors
    /// If there is no leaf of that id, or if the box is empty; the tree is as it was.
    pub fn update(&mut self, id: u32, aabb: &Aabb) -> Result<bool, TreeError> {
        let tight = tight_of(id, aabb)?;
        let old = self.leaf(id)?.tight;
        if self.move_leaf(id, tight) {
            return Ok(false);
        }
        self.find_place(id, &old);
        Ok(true)
    }

    /// Gives leaves their tight boxes and layers, whether they are there or new; of items with one id the last counts.
    ///
    /// No answer tells it from one [`insert`](Self::insert) or [`update`](Self::update) after the other. But where more than a
    /// fourth of the leaves are new, or left their boxes in the tree, all nodes are made anew: for a leaf that takes a third of
    /// the time of an insertion, and the tree is a better one.
    ///
    /// # Errors
    /// If an id is not below [`MAX_LEAVES`], or if a box is empty; the tree is as it was.
    pub fn place_all(&mut self, items: &[TreeItem]) -> Result<(), TreeError> {
        for &TreeItem { id, ref aabb, .. } in items {
            check_id(id)?;
            tight_of(id, aabb)?;
        }
        let mut homeless = core::mem::take(&mut self.scratch.homeless);
        homeless.clear();
        for &TreeItem { id, ref aabb, layers } in items {
            let tight = tight_of(id, aabb)?;
            match self.leaf(id).map(|leaf| leaf.tight) {
                Err(_) => {
                    self.add_leaf(id, tight, layers);
                    homeless.push((id, tight));
                }
                Ok(old) => {
                    let stays = self.move_leaf(id, tight);
                    if self.change_layers(id, layers) || !stays {
                        homeless.push((id, old));
                    }
                }
            }
        }
        self.find_places(homeless);
        Ok(())
    }

    /// Gives leaves their next tight boxes, as [`update`](Self::update) would one after the other, or all at once as
    /// [`place_all`](Self::place_all) does. Ids that the tree does not have are passed over, and empty boxes.
    pub fn update_all(&mut self, moves: &[(u32, Aabb)]) {
        let mut homeless = core::mem::take(&mut self.scratch.homeless);
        homeless.clear();
        for &(id, ref aabb) in moves {
            let (Ok(&Leaf { tight: old, .. }), Ok(tight)) = (self.leaf(id), tight_of(id, aabb)) else {
                continue;
            };
            if !self.move_leaf(id, tight) {
                homeless.push((id, old));
            }
        }
        self.find_places(homeless);
    }

    /// Gives a leaf other layers.
    ///
    /// # Errors
    /// If there is no leaf of that id.
    pub fn set_layers(&mut self, id: u32, layers: Layers) -> Result<(), TreeError> {
        let place = self.leaf(id)?.place;
        if self.change_layers(id, layers) {
            self.candidates.forget(id);
            let fat = self.slot(place).bounds();
            self.relocate_leaf(id, fat);
        }
        Ok(())
    }

    /// Takes all leaves out, and keeps the memory.
    pub fn clear(&mut self) {
        self.root = Slot::EMPTY;
        self.nodes.clear();
        self.parents.clear();
        self.free.clear();
        self.leaves.clear();
        self.count = 0;
        (self.escapes, self.moves) = (0, 0);
        self.candidates.reset(0);
    }

    /// Adds a leaf that is not there, without a place.
    fn add_leaf(&mut self, id: u32, tight: [i64; 6], Layers { membership, filter }: Layers) {
        if self.leaves.len() <= id as usize {
            self.leaves.resize(id as usize + 1, Leaf::ABSENT);
            self.candidates.grow(id as usize + 1);
        }
        if self.count == 0 {
            self.grid = Grid::around(node::center(&tight));
        }
        self.count += 1;
        self.leaves[id as usize] = Leaf { tight, membership, filter, place: NOWHERE };
        let cells = self.grid.bounds(&tight);
        self.candidates.set(id, &cells, &cells);
    }

    /// Gives a leaf another tight box; returns whether its box in the tree may stay.
    fn move_leaf(&mut self, id: u32, tight: [i64; 6]) -> bool {
        self.leaves[id as usize].tight = tight;
        // At most the last cell.
        let margin = (self.margin.to_bits() >> self.grid.shift).min(node::TOP.into()) as i32;
        self.candidates.move_within(id, &self.grid.bounds(&tight), margin)
    }

    /// Notes the layers of a leaf; returns whether they are others than before.
    fn change_layers(&mut self, id: u32, Layers { membership, filter }: Layers) -> bool {
        let leaf = &mut self.leaves[id as usize];
        let changed = (leaf.membership, leaf.filter) != (membership, filter);
        (leaf.membership, leaf.filter) = (membership, filter);
        changed
    }

    /// Finds a leaf its place in the tree: the first one, or another one than it has, after a move from the box `old`.
    fn find_place(&mut self, id: u32, old: &[i64; 6]) {
        let fat = self.fatten_leaf(id, old);
        if self.leaves[id as usize].place == NOWHERE {
            self.attach_leaf(id, fat);
        } else {
            self.relocate_leaf(id, fat);
        }
        self.moves = self.moves.saturating_add(1);
        if (self.moves / MOVES_TO_REGROUP) as usize > self.leaves.len() {
            self.regroup();
        }
        self.regrid_if_left();
    }

    /// Finds leaves their places, after moves from the boxes beside them: one by one, or all at once where they are many.
    fn find_places(&mut self, homeless: Vec<(u32, [i64; 6])>) {
        // Nodes are made by the greatest id, so of few leaves with great ids one by one.
        if homeless.len() <= self.leaves.len() / 4 {
            homeless.iter().for_each(|(id, old)| self.find_place(*id, old));
        } else if self.root.child() == NONE {
            self.rebuild();
        } else {
            for (id, old) in &homeless {
                self.fatten_leaf(*id, old);
            }
            self.regroup();
            self.regrid_if_left();
        }
        self.scratch.homeless = homeless;
    }

    /// Chooses the box that a leaf has in the tree, after a move from the box `old`.
    fn fatten_leaf(&mut self, id: u32, old: &[i64; 6]) -> node::Bounds {
        let tight = self.leaves[id as usize].tight;
        let fat = self.grid.bounds(&margin::fatten(&tight, old, self.margin));
        self.candidates.set_fat(id, &fat);
        self.candidates.forget(id);
        if self.grid.is_outside(node::center(&tight)) {
            self.escapes = self.escapes.saturating_add(1);
        }
        fat
    }

    fn leaf(&self, id: u32) -> Result<&Leaf, TreeError> {
        match self.leaves.get(id as usize) {
            Some(leaf) if leaf.place != NONE => Ok(leaf),
            _ => Err(TreeError::UnknownId { id }),
        }
    }

    /// Chooses another grid once as many leaves were put beyond this one as it has leaves: so the effort, spread
    /// over them, is that of an insertion, even where no grid would do.
    fn regrid_if_left(&mut self) {
        if self.escapes > self.count / 2 + 16 {
            self.rebuild();
        }
    }
}

impl Default for DynamicTree {
    /// [`new`](Self::new).
    fn default() -> Self {
        Self::new()
    }
}

fn check_id(id: u32) -> Result<(), TreeError> {
    if id < MAX_LEAVES { Ok(()) } else { Err(TreeError::IdOutOfRange { id }) }
}

/// The box as a leaf keeps it: the minimum, then the complement of the maximum.
fn tight_of(id: u32, aabb: &Aabb) -> Result<[i64; 6], TreeError> {
    if aabb.is_empty() {
        return Err(TreeError::EmptyAabb { id });
    }
    let ([a, b, c], [d, e, f]) = (bits(aabb.min()), bits(aabb.max()));
    Ok([a, b, c, !d, !e, !f])
}

fn aabb_of(tight: &[i64; 6]) -> Aabb {
    let [a, b, c, d, e, f] = tight.map(Fx::from_bits);
    let complement = |word: Fx| Fx::from_bits(!word.to_bits());
    Aabb::from_points([Vec3::new(a, b, c), Vec3::new(complement(d), complement(e), complement(f))])
}
