//! Contacts as the stages leave them: read at once, or copied to manifolds.

use super::Manifold;
use super::boxes::BoxStage;
use super::frame::BLOCK;
use alloc::vec::Vec;
use isostep_math::Vec3;

/// Contacts that are shown at once, at the most.
const MOST: usize = 32;

/// How many of them may have points of their own.
const MOST_OWN: usize = BLOCK;

/// A point of a contact in words of raw bits, such that two of these make one word of two shorter numbers in lanes: words 0
/// to 3 are x and z of the anchor on a, y of that on b, and the separation; words 4 to 7 are y of the anchor on a, x and z of
/// that on b, and the feature as a number with a sign. Anchors are in the coordinates of the owners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct PointWords(pub [i64; 8]);

impl PointWords {
    /// Nothing but zeros.
    pub(super) const ZERO: Self = Self([0; 8]);

    /// Of raw bits of the anchors and the separation.
    #[inline(always)]
    pub(super) const fn new(a: [i64; 3], b: [i64; 3], separation: i64, feature: u32) -> Self {
        Self([a[0], a[2], b[1], separation, a[1], b[0], b[2], feature as i32 as i64])
    }

    /// The raw bits of the anchors.
    #[inline(always)]
    pub(super) const fn anchors(&self) -> [[i64; 3]; 2] {
        let [a_x, a_z, b_y, _, a_y, b_x, b_z, _] = self.0;
        [[a_x, a_y, a_z], [b_x, b_y, b_z]]
    }

    /// The raw bits of the separation.
    #[inline(always)]
    #[must_use]
    pub const fn separation(&self) -> i64 {
        self.0[3]
    }

    #[inline(always)]
    pub(super) const fn feature(&self) -> u32 {
        self.0[7] as u32
    }
}

/// The points of contacts, of as many as a block of boxes has, by their places in these.
pub(super) type PointLanes = [[PointWords; BLOCK]; 4];

/// A contact of a run of pairs: what its [`Manifold`] has, where the kernels left it.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The number of the pair.
    pub pair: u32,
    /// Unit vector from a to b in the coordinates of the world.
    pub normal: Vec3,
    points: &'a PointLanes,
    lane: usize,
    count: usize,
}

impl<'a> Found<'a> {
    /// Its points, one to four.
    #[inline(always)]
    pub fn points(&self) -> impl ExactSizeIterator<Item = &'a PointWords> + use<'a> {
        let lane = self.lane;
        self.points[..self.count].iter().map(move |points| &points[lane])
    }

    /// The raw bits of the separations of its points, and the greatest number for those that it does not have.
    #[inline(always)]
    #[must_use]
    pub fn separations(&self) -> [i64; 4] {
        [self.separation(0), self.separation(1), self.separation(2), self.separation(3)]
    }

    #[inline(always)]
    fn separation(&self, point: usize) -> i64 {
        if point < self.count { self.points[point][self.lane].separation() } else { i64::MAX }
    }
}

/// The contacts of a run of pairs, in the order of these.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    items: &'a [Item],
    boxes: &'a BoxStage,
    own: &'a PointLanes,
}

impl<'a> Contacts<'a> {
    /// How many there are: one at least.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// All of them.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Found<'a>> + use<'a> {
        let Self { items, boxes, own } = *self;
        items.iter().map(move |item| {
            let at = usize::from(item.at);
            let (points, lane) = if item.is_own { (own, at) } else { boxes.points(at) };
            Found { pair: item.pair, normal: item.normal, points, lane, count: item.count.into() }
        })
    }
}

/// Manifolds in the buffer of a caller: written over what it held, which costs less than to empty it first.
pub(super) struct Manifolds<'a> {
    out: &'a mut Vec<(u32, Manifold)>,
    count: usize,
}

impl<'a> Manifolds<'a> {
    pub(super) const fn over(out: &'a mut Vec<(u32, Manifold)>) -> Self {
        Self { out, count: 0 }
    }

    /// Adds those of contacts, with the numbers of their pairs.
    #[inline(always)]
    pub(super) fn add(&mut self, contacts: &Contacts<'_>) {
        for found in contacts.iter() {
            if self.count == self.out.len() {
                self.out.push((0, Manifold::EMPTY));
            }
            let (pair, manifold) = &mut self.out[self.count];
            *pair = found.pair;
            manifold.set(found.normal, found.points());
            self.count += 1;
        }
    }

    /// Leaves nothing else in the buffer.
    pub(super) fn finish(self) {
        self.out.truncate(self.count);
    }
}

/// Points that are not those of two faces of boxes.
pub(super) type OwnPoints = [PointWords; 4];

/// A contact, but for its points.
#[derive(Clone, Copy, Debug)]
struct Item {
    pair: u32,
    /// Whether its points are not those of two faces.
    is_own: bool,
    /// The number of the pair among those of the boxes' stage, or that of its own points.
    at: u8,
    count: u8,
    normal: Vec3,
}

/// Memory for the contacts of a run.
pub(super) struct Run {
    items: [Item; MOST],
    own: PointLanes,
    count: usize,
    own_count: usize,
    /// Of the last one.
    last: OwnPoints,
}

/// What a contact has besides its points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) normal: Vec3,
    /// How many points it has; without any there is no contact.
    pub(super) count: usize,
    /// Whether they are those of two faces, and not those that were written.
    pub(super) is_of_faces: bool,
}

impl Head {
    pub(super) const NONE: Self = Self { normal: Vec3::ZERO, count: 0, is_of_faces: false };
}

impl Run {
    pub(super) const fn new() -> Self {
        let none = Item { pair: 0, is_own: false, at: 0, count: 0, normal: Vec3::ZERO };
        Self {
            items: [none; MOST],
            own: [[PointWords::ZERO; BLOCK]; 4],
            count: 0,
            own_count: 0,
            last: [PointWords::ZERO; 4],
        }
    }

    /// Whether another contact may need more room than there is.
    #[inline(always)]
    pub(super) const fn is_full(&self) -> bool {
        self.count == MOST || self.own_count == MOST_OWN
    }

    /// Adds the contact of a pair, whose points `find` writes unless they are those of the faces of pair `lane` of the
    /// boxes' stage; if it has any. It must not be full.
    #[inline(always)]
    pub(super) fn push(&mut self, pair: u32, lane: usize, find: impl FnOnce(&mut OwnPoints) -> Head) {
        let Head { normal, count, is_of_faces } = find(&mut self.last);
        if count > 0 {
            let at = if is_of_faces { lane } else { self.own_count };
            self.items[self.count] =
                Item { pair, is_own: !is_of_faces, at: at as u8, count: count as u8, normal };
            self.count += 1;
            if !is_of_faces {
                for (lanes, point) in self.own.iter_mut().zip(&self.last[..count]) {
                    lanes[self.own_count] = *point;
                }
                self.own_count += 1;
            }
        }
    }

    /// Shows all of them, if there are any, and forgets them.
    #[inline(always)]
    pub(super) fn show(&mut self, boxes: &BoxStage, visit: &mut impl FnMut(&Contacts<'_>)) {
        if self.count > 0 {
            visit(&Contacts { items: &self.items[..self.count], boxes, own: &self.own });
        }
        (self.count, self.own_count) = (0, 0);
    }
}
