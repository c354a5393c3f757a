//! [`Items`]: what is asked.

use super::Filter;
use crate::shape::{Aabb, Shape};
use crate::tree::{DynamicTree, Layers, TreeItem};

/// A shape with an id and layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Item {
    /// Its id, by which ties are broken.
    pub id: u32,
    /// Its shape, in the coordinates of the world.
    pub shape: Shape,
    /// The layers it belongs to, a bit each. A question names the layers it looks for.
    pub layers: u32,
}

impl Item {
    /// An item of all layers.
    #[must_use]
    pub fn new(id: u32, shape: impl Into<Shape>) -> Self {
        Self { id, shape: shape.into(), layers: u32::MAX }
    }

    /// The item as a leaf of a tree.
    #[must_use]
    pub fn to_tree_item(&self) -> TreeItem {
        let layers = Layers { membership: self.layers, filter: u32::MAX };
        TreeItem { id: self.id, aabb: self.shape.to_aabb(), layers }
    }
}

/// Why a slice cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemsError {
    /// Ids that do not ascend.
    #[error("item {index} has the id {id} after {previous}: ids must ascend")]
    Unordered {
        /// The place of the item.
        index: usize,
        /// Its id.
        id: u32,
        /// The id before it.
        previous: u32,
    },
}

/// Items in the order of their ids, to be asked.
///
/// ```
/// use isostep_collision::query::{Filter, Item, Items};
/// use isostep_collision::{Ray, Sphere};
/// use isostep_math::{Vec3, fx, vec3};
///
/// let ball = |x| Sphere::new(vec3(x, fx!(0), fx!(0)), fx!(1));
/// let items = [Item::new(3, ball(fx!(9))?), Item::new(8, ball(fx!(5))?)];
/// let ray = Ray::new(Vec3::ZERO, vec3(fx!(16), fx!(0), fx!(0)));
/// let hit = Items::new(&items)?.first_on_ray(&ray, Filter::ALL).unwrap();
/// assert_eq!((hit.id, hit.hit.fraction), (8, fx!(0.25)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    items: &'a [Item],
    tree: Option<&'a DynamicTree>,
}

impl<'a> Items<'a> {
    /// The items of a slice, all of which are looked at.
    ///
    /// # Errors
    /// If the ids do not ascend strictly.
    pub fn new(items: &'a [Item]) -> Result<Self, ItemsError> {
        for (index, pair) in items.windows(2).enumerate() {
            let (previous, id) = (pair[0].id, pair[1].id);
            if previous >= id {
                return Err(ItemsError::Unordered { index: index + 1, id, previous });
            }
        }
        Ok(Self { items, tree: None })
    }

    /// The same with a tree that has a leaf for every item, [`Item::to_tree_item`]: answers stay the same and take
    /// logarithmic time. Leaves without an item are passed over.
    #[must_use]
    pub const fn with_tree(self, tree: &'a DynamicTree) -> Self {
        Self { tree: Some(tree), ..self }
    }

    /// The items.
    #[must_use]
    pub const fn items(&self) -> &'a [Item] {
        self.items
    }

    pub(super) const fn tree(&self) -> Option<&'a DynamicTree> {
        self.tree
    }

    /// The item with this id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&'a Item> {
        self.items.binary_search_by_key(&id, |item| item.id).ok().map(|index| &self.items[index])
    }

    /// Whether `test` holds for any admitted item whose box touches `aabb`; in an order that says nothing.
    pub(super) fn any_near(&self, aabb: &Aabb, filter: Filter, mut test: impl FnMut(&Item) -> bool) -> bool {
        match self.tree {
            None => self
                .items
                .iter()
                .any(|item| filter.admits(item) && item.shape.to_aabb().overlaps(aabb) && test(item)),
            Some(tree) => tree.any_in_aabb(aabb, filter.layers, |id| {
                filter.admits_id(id) && self.get(id).is_some_and(&mut test)
            }),
        }
    }
}
