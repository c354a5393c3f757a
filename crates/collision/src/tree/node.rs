//! What a node is: two slots, each with the box, the layers and the name of a child, in one cache line.

/// A box in cells: the minimum, then the complement of the maximum, per axis.
///
/// `!x` reverses the order, so the union of two boxes is the least word of each lane, and one box holds another
/// if all its words are at most the other's.
pub(super) type Bounds = [i32; 6];

/// No child, no place.
pub(super) const NONE: u32 = u32::MAX;

/// The place of the root, which no node holds.
pub(super) const ROOT: u32 = u32::MAX - 1;

/// Set in the name of a child that is a leaf, whose other bits are its id.
pub(super) const LEAF: u32 = 1 << 31;

/// The lanes of a slot that hold the name and the layers of its child.
const CHILD: usize = 6;
const LAYERS: usize = 7;

/// A child as its parent sees it: six words of [`Bounds`], its name, the union of the layers below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Slot {
    pub(super) lanes: [i32; 8],
}

/// An inner node.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub(super) slots: [Slot; 2],
}

/// What overlaps: words to compare a slot with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    lanes: [i32; 8],
    layers: u32,
}

impl Slot {
    pub(super) const EMPTY: Self = Self::new([i32::MAX; 6], NONE, 0);

    #[inline]
    pub(super) const fn new(bounds: Bounds, child: u32, layers: u32) -> Self {
        let [a, b, c, d, e, f] = bounds;
        Self { lanes: [a, b, c, d, e, f, child as i32, layers as i32] }
    }

    #[inline]
    pub(super) const fn bounds(&self) -> Bounds {
        let [a, b, c, d, e, f, _, _] = self.lanes;
        [a, b, c, d, e, f]
    }

    #[inline]
    pub(super) const fn child(&self) -> u32 {
        self.lanes[CHILD] as u32
    }

    #[inline]
    pub(super) const fn layers(&self) -> u32 {
        self.lanes[LAYERS] as u32
    }

    #[inline]
    pub(super) const fn is_leaf(&self) -> bool {
        self.child() & LEAF != 0
    }

    #[inline]
    pub(super) fn merge(&self, other: &Self) -> Bounds {
        core::array::from_fn(|lane| self.lanes[lane].min(other.lanes[lane]))
    }

    /// Whether it holds all of the box.
    #[inline]
    pub(super) fn contains(&self, bounds: &Bounds) -> bool {
        (0..6).fold(true, |all, lane| all & (self.lanes[lane] <= bounds[lane]))
    }
}

impl Node {
    /// The slot of this node in its parent.
    #[inline]
    pub(super) fn summary(&self, child: u32) -> Slot {
        let [a, b] = &self.slots;
        Slot::new(a.merge(b), child, a.layers() | b.layers())
    }
}

impl Probe {
    /// All slots with one of the layers whose box overlaps `bounds`.
    ///
    /// Minima are at most the other's maximum, and complements of maxima at most the complement of its minimum:
    /// all in one comparison of lanes. The two lanes beyond the box are always passed.
    #[inline]
    pub(super) const fn new(bounds: &Bounds, layers: u32) -> Self {
        let [a, b, c, d, e, f] = *bounds;
        Self { lanes: [!d, !e, !f, !a, !b, !c, i32::MAX, i32::MAX], layers }
    }

    #[inline]
    pub(super) fn meets(&self, slot: &Slot) -> bool {
        let mut apart = 0;
        for lane in 0..8 {
            apart |= i32::from(slot.lanes[lane] > self.lanes[lane]);
        }
        (apart == 0) & (slot.layers() & self.layers != 0)
    }
}

/// The tight box of a leaf on the grid.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Cells {
    /// Six words of [`Bounds`], one that is not in use, and the last question that named the leaf.
    lanes: [i32; 8],
}

/// What cells tell of two tight boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    /// The boxes do not overlap.
    pub(super) apart: bool,
    /// Sides share a cell: unless the boxes are apart in other lanes, their coordinates decide.
    pub(super) tied: bool,
}

impl Cells {
    pub(super) const ABSENT: Self = Self { lanes: [0; 8] };

    #[inline]
    pub(super) fn set(&mut self, bounds: &Bounds) {
        let [a, b, c, d, e, f] = *bounds;
        self.lanes = [a, b, c, d, e, f, 0, self.lanes[7]];
    }

    #[inline]
    pub(super) const fn asked(&self) -> u32 {
        self.lanes[7] as u32
    }

    #[inline]
    pub(super) fn set_asked(&mut self, question: u32) {
        self.lanes[7] = question as i32;
    }

    /// What to compare others with.
    #[inline]
    pub(super) const fn probe(&self) -> [i32; 8] {
        let [a, b, c, d, e, f, _, _] = self.lanes;
        [!d, !e, !f, !a, !b, !c, 0, 0]
    }

    /// The map to cells is monotone, so words that differ are in the order of the coordinates.
    #[inline]
    pub(super) fn relation(&self, probe: &[i32; 8]) -> Relation {
        let (mut apart, mut tied) = (0, 0);
        for (word, most) in self.lanes.iter().zip(probe).take(6) {
            apart |= i32::from(word > most);
            tied |= i32::from(word == most);
        }
        Relation { apart: apart != 0, tied: tied != 0 }
    }
}

/// Half the surface of a box in units of (8 cells)², below 2^60.
#[inline]
pub(super) fn half_area(bounds: &Bounds) -> u64 {
    // A difference of 32-bit words in the wrong sign wraps into the right unsigned one.
    let side = |axis: usize| u64::from((!bounds[axis + 3]).wrapping_sub(bounds[axis]) as u32 >> 3);
    let (x, y, z) = (side(0), side(1), side(2));
    x * y + y * z + z * x
}

/// A child of the caller: its tight box and layers, and where its slot is. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Leaf {
    /// The minimum, then the complement of the maximum.
    pub(super) tight: [i64; 6],
    pub(super) membership: u32,
    pub(super) filter: u32,
    /// Twice its node and the side there, [`ROOT`], or [`NONE`] where the id is not in use.
    pub(super) place: u32,
}

impl Leaf {
    pub(super) const ABSENT: Self = Self { tight: [i64::MAX; 6], membership: 0, filter: 0, place: NONE };

    #[inline]
    pub(super) fn overlaps(&self, other: &[i64; 6]) -> bool {
        let mut meet = true;
        for axis in 0..3 {
            meet &= self.tight[axis] <= !other[axis + 3];
            meet &= other[axis] <= !self.tight[axis + 3];
        }
        meet
    }

    #[inline]
    pub(super) const fn pairs_with(&self, other: &Self) -> bool {
        self.membership & other.filter != 0 && other.membership & self.filter != 0
    }
}

/// The point amid a box, rounded down.
#[inline]
pub(super) fn center(tight: &[i64; 6]) -> [i64; 3] {
    core::array::from_fn(|axis| {
        let (low, high) = (tight[axis], !tight[axis + 3]);
        // The bits in common, and half of the others: at most `high`.
        (low & high).wrapping_add((low ^ high) >> 1)
    })
}
