//! [`Filter`].

use super::Item;

/// Which items a question is about: those with one of some layers, but for some ids.
///
/// ```
/// use isostep_collision::query::Filter;
///
/// let walls = Filter::layers(0b10);
/// let walls_but_mine = walls.skipping(&[7]);
/// assert_eq!((walls_but_mine.layers, walls_but_mine.skipped), (0b10, &[7][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filter<'a> {
    /// An item of any of these layers, a bit each.
    pub layers: u32,
    /// Ids that are left out: the one who asks, and what belongs to it. They are compared one by one, so a few.
    pub skipped: &'a [u32],
}

impl Filter<'_> {
    /// All items.
    pub const ALL: Self = Self { layers: u32::MAX, skipped: &[] };

    /// All items of these layers.
    #[must_use]
    pub const fn layers(layers: u32) -> Self {
        Self { layers, skipped: &[] }
    }
}

impl<'a> Filter<'a> {
    /// The same without these ids, in place of those skipped before.
    #[must_use]
    pub const fn skipping(self, skipped: &'a [u32]) -> Self {
        Self { layers: self.layers, skipped }
    }

    pub(super) fn admits(&self, item: &Item) -> bool {
        item.layers & self.layers != 0 && self.admits_id(item.id)
    }

    pub(super) fn admits_id(&self, id: u32) -> bool {
        !self.skipped.contains(&id)
    }
}

impl Default for Filter<'_> {
    /// [`ALL`](Self::ALL).
    fn default() -> Self {
        Self::ALL
    }
}
