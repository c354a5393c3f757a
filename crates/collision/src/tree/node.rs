//! What a node is: two slots, each with the box, the layers and the name of a child, in one cache line.

/// The last cell of the grid: words have 31 bits.
pub(super) const TOP: i32 = i32::MAX;

/// A box in cells: the minimum, then the complement `TOP − x` of the maximum, per axis.
///
/// The complement reverses the order, so the union of two boxes is the least word of each lane, and one box holds
/// another if all its words are at most the other's.
pub(super) type Bounds = [i32; 6];

/// The highest bits of two 32-bit words.
const HIGH: u64 = 1 << 63 | 1 << 31;

/// Six words of 31 bits in pairs. `(a | HIGH) − b` keeps the high bit of a word if a ≥ b there, and no word borrows
/// from the next: so boxes are compared on every processor alike, two words at a time.
type Words = [u64; 3];

#[inline]
const fn pair(low: i32, high: i32) -> u64 {
    low as u32 as u64 | (high as u32 as u64) << 32
}

#[inline]
const fn words(bounds: &Bounds) -> Words {
    let [a, b, c, d, e, f] = *bounds;
    [pair(a, b), pair(c, d), pair(e, f)]
}

#[inline]
const fn with_high(words: Words) -> Words {
    [words[0] | HIGH, words[1] | HIGH, words[2] | HIGH]
}

/// What a box is compared with to see whether another overlaps: the maximum, then the complement of the minimum, all
/// with their high bits, which are set by the complement itself.
#[inline]
const fn across(words: &Words) -> Words {
    let [a, b, c] = *words;
    [!(b >> 32 | c << 32), !(c >> 32 | a << 32), !(a >> 32 | b << 32)]
}

/// Whether all words of `a`, given with their high bits, are at least those of `b`.
#[inline]
const fn at_least(a: &Words, b: &Words) -> bool {
    (a[0].wrapping_sub(b[0]) & a[1].wrapping_sub(b[1]) & a[2].wrapping_sub(b[2])) & HIGH == HIGH
}

/// The same in the highest bit of a word, the others of which say nothing.
#[inline]
const fn folded(a: &Words, b: &Words) -> u64 {
    let all = a[0].wrapping_sub(b[0]) & a[1].wrapping_sub(b[1]) & a[2].wrapping_sub(b[2]);
    all & all << 32
}

/// No child, no place.
pub(super) const NONE: u32 = u32::MAX;

/// The place of the root, which no node holds.
pub(super) const ROOT: u32 = u32::MAX - 1;

/// The place of a leaf for which none was found yet.
pub(super) const NOWHERE: u32 = u32::MAX - 2;

/// Set in the name of a child that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;

/// Set in the name of a leaf whose filter admits all layers.
pub(super) const ADMITS_ALL: u32 = 1 << 30;

/// The id in the name of a leaf.
#[inline]
pub(super) const fn id_of(child: u32) -> u32 {
    child & !(LEAF | ADMITS_ALL)
}

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
    words: Words,
    layers: u32,
}

impl Slot {
    pub(super) const EMPTY: Self = Self::new([TOP; 6], NONE, 0);

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
    pub(super) const fn contains(&self, bounds: &Bounds) -> bool {
        at_least(&with_high(words(bounds)), &words(&self.bounds()))
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
    /// All slots with one of the layers whose box overlaps `bounds`: minima are at most the other's maximum, and
    /// complements of maxima at most the complement of its minimum.
    #[inline]
    pub(super) const fn new(bounds: &Bounds, layers: u32) -> Self {
        Self { words: across(&words(bounds)), layers }
    }

    #[inline]
    pub(super) const fn meets(&self, slot: &Slot) -> bool {
        at_least(&self.words, &words(&slot.bounds())) & (slot.layers() & self.layers != 0)
    }
}

/// The boxes of a leaf on the grid.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct Cells {
    pub(super) tight: Bounds,
    /// Its box in the tree.
    pub(super) fat: Bounds,
}

/// What cells tell of two tight boxes, in the highest bit of each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    /// No sides are in the wrong order.
    pub(super) may_overlap: u64,
    /// No sides share a cell either; where some do, coordinates decide.
    pub(super) does_overlap: u64,
}

impl Cells {
    pub(super) const ABSENT: Self = Self { tight: [0; 6], fat: [0; 6] };

    /// The map to cells is monotone, so words that differ are in the order of the coordinates.
    #[inline]
    pub(super) const fn relation(&self, other: &Self) -> Relation {
        const ONES: u64 = 1 << 32 | 1;
        let (own, words) = (across(&words(&self.tight)), words(&other.tight));
        let less = [own[0] - ONES, own[1] - ONES, own[2] - ONES];
        Relation { may_overlap: folded(&own, &words), does_overlap: folded(&less, &words) }
    }
}

/// Half the surface of a box in units of (8 cells)², below 2^58.
#[inline]
pub(super) const fn half_area(bounds: &Bounds) -> u64 {
    let [a, b, c, d, e, f] = *bounds;
    let (x, y, z) = (side(a, d), side(b, e), side(c, f));
    x * y + y * z + z * x
}

#[inline]
const fn side(min: i32, complement: i32) -> u64 {
    ((TOP - complement).wrapping_sub(min) as u32 >> 3) as u64
}

/// A child of the caller: its tight box and layers, and where its slot is. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Leaf {
    /// The minimum, then the complement of the maximum.
    pub(super) tight: [i64; 6],
    pub(super) membership: u32,
    pub(super) filter: u32,
    /// Twice its node and the side there, [`ROOT`], [`NOWHERE`], or [`NONE`] where the id is not in use.
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

    /// Its slot, with its box in the tree.
    #[inline]
    pub(super) const fn slot(&self, id: u32, fat: Bounds) -> Slot {
        let admits_all = if self.filter == u32::MAX { ADMITS_ALL } else { 0 };
        Slot::new(fat, LEAF | admits_all | id, self.membership)
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
