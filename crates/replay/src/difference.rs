//! Where two states of one tick differ, as far as their traces tell.

use crate::error::LogError;
use isostep_step::{
    BodyHandle, ColliderHandle, ColumnTrace, JointHandle, NumberDifference, Section, Trace, World,
};
use std::fmt;

/// What the traces of two states tell of where these differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TraceComparison {
    /// Nothing: one of the states has no trace, or both.
    #[default]
    Untraced,
    /// That the worlds agree: the difference is in what a game keeps beside the world, or in contacts that hash alike.
    Equal,
    /// Where they differ.
    Differs(TraceDifference),
    /// Nothing: the trace of one of the states cannot be read.
    Unreadable(LogError),
}

impl TraceComparison {
    /// Compares two traces.
    #[must_use]
    pub fn of(left: &Trace, right: &Trace) -> Self {
        TraceDifference::of(left, right).map_or(Self::Equal, Self::Differs)
    }

    /// Whether there are traces of both states, which can be read.
    #[must_use]
    pub const fn is_traced(&self) -> bool {
        matches!(self, Self::Equal | Self::Differs(_))
    }

    /// Where the states differ, if traces tell.
    #[must_use]
    pub const fn difference(&self) -> Option<&TraceDifference> {
        match self {
            Self::Differs(difference) => Some(difference),
            Self::Untraced | Self::Equal | Self::Unreadable(_) => None,
        }
    }

    /// Why they tell nothing, if one cannot be read.
    #[must_use]
    pub const fn error(&self) -> Option<&LogError> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::Untraced | Self::Equal | Self::Differs(_) => None,
        }
    }
}

/// Where two states differ, as their traces tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceDifference {
    /// The columns that differ.
    pub columns: Vec<ColumnDifference>,
    /// The other sections that differ.
    pub others: Vec<Section>,
}

/// Where two columns differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDifference {
    /// One of [`Trace::COLUMNS`].
    pub section: Section,
    /// The slots of the first items that differ, ascending, [`MAX_ITEMS`](Self::MAX_ITEMS) at the most; those that one of
    /// the columns lacks as well.
    pub items: Vec<usize>,
    /// How many items differ in all.
    pub count: usize,
    /// The names of the numbers that differ in any item, in their order.
    pub numbers: Vec<String>,
}

impl TraceDifference {
    /// Where two traces differ; none if they are equal.
    #[must_use]
    pub fn of(left: &Trace, right: &Trace) -> Option<Self> {
        let columns = Trace::COLUMNS.into_iter().zip(left.columns.iter().zip(&right.columns));
        let columns: Vec<_> = columns
            .filter_map(|(section, (left, right))| ColumnDifference::of(section, left, right))
            .collect();
        let others = Trace::OTHERS.into_iter().zip(left.others.iter().zip(&right.others));
        let others: Vec<_> =
            others.filter(|(_, (left, right))| left != right).map(|(section, _)| section).collect();
        let is_any = !columns.is_empty() || !others.is_empty();
        is_any.then_some(Self { columns, others })
    }
}

impl ColumnDifference {
    /// How many slots are kept: a log of two kilobytes can claim millions that differ.
    pub const MAX_ITEMS: usize = 64;

    fn of(section: Section, left: &ColumnTrace, right: &ColumnTrace) -> Option<Self> {
        if left == right {
            return None;
        }
        let names = section.numbers();
        let is_other = |place: &usize| left.sums.get(*place) != right.sums.get(*place);
        let numbers = names.iter().enumerate().filter(|(place, _)| is_other(place));
        let numbers = numbers.map(|(_, number)| number.name()).collect();
        let mut differing = differing_items([left, right]);
        let items: Vec<_> = differing.by_ref().take(Self::MAX_ITEMS).collect();
        let count = items.len() + differing.count();
        Some(Self { section, items, count, numbers })
    }
}

/// The slots whose items are not the same in all columns, ascending; those that one of them lacks as well.
fn differing_items<const N: usize>(columns: [&ColumnTrace; N]) -> impl Iterator<Item = usize> {
    let count = columns.iter().map(|column| column.items.len()).max().unwrap_or(0);
    (0..count).filter(move |&item| {
        let mut hashes = columns.iter().map(|column| column.items.get(item));
        let first = hashes.next();
        hashes.any(|hash| Some(hash) != first)
    })
}

/// How many items and numbers are named; the others are counted.
const NAMED: usize = 8;

impl fmt::Display for TraceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for column in &self.columns {
            write!(f, "{separator}{column}")?;
            separator = ", ";
        }
        for section in &self.others {
            write!(f, "{separator}{section:?}")?;
            separator = ", ";
        }
        Ok(())
    }
}

impl fmt::Display for ColumnDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { section, items, count, numbers } = self;
        let rest = |count: usize| count.checked_sub(NAMED).filter(|&rest| rest > 0);
        write!(f, "{section:?}[")?;
        for (place, item) in items.iter().take(NAMED).enumerate() {
            write!(f, "{}{item}", if place == 0 { "" } else { " " })?;
        }
        if let Some(rest) = rest(*count) {
            write!(f, " and {rest} more")?;
        }
        write!(f, "].{{{}", numbers.iter().take(NAMED).cloned().collect::<Vec<_>>().join(" "))?;
        if let Some(rest) = rest(numbers.len()) {
            write!(f, " and {rest} more")?;
        }
        write!(f, "}}")
    }
}

/// What an item is, by its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemHandle {
    /// A body.
    Body(BodyHandle),
    /// A collider.
    Collider(ColliderHandle),
    /// A joint.
    Joint(JointHandle),
    /// A slot without an owner.
    Vacant,
}

impl ItemHandle {
    /// Who owns a slot of a column; nobody does in other sections.
    #[must_use]
    pub fn of(world: &World, section: Section, item: usize) -> Self {
        let is_meant = |index: u32| index as usize == item;
        let handle = match section {
            Section::Bodies | Section::Motions => {
                let mut handles = world.bodies().map(|body| body.handle());
                handles.find(|handle| is_meant(handle.index)).map(Self::Body)
            }
            Section::Colliders => {
                let mut handles = world.colliders().map(|collider| collider.handle());
                handles.find(|handle| is_meant(handle.index)).map(Self::Collider)
            }
            Section::Joints | Section::JointImpulses => {
                let mut handles = world.joints().map(|joint| joint.handle());
                handles.find(|handle| is_meant(handle.index)).map(Self::Joint)
            }
            Section::World | Section::Lists | Section::Contacts | Section::SleepingContacts => None,
        };
        handle.unwrap_or(Self::Vacant)
    }
}

impl fmt::Display for ItemHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(handle) => handle.fmt(f),
            Self::Collider(handle) => handle.fmt(f),
            Self::Joint(handle) => handle.fmt(f),
            Self::Vacant => f.write_str("a vacant slot"),
        }
    }
}

/// A number in which two states differ, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberAt {
    /// One of [`Trace::COLUMNS`].
    pub section: Section,
    /// The slot.
    pub item: usize,
    /// Who owns it.
    pub handle: ItemHandle,
    /// The number, and both values.
    pub number: NumberDifference,
}

impl fmt::Display for NumberAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { section, handle, number, .. } = self;
        write!(f, "{section:?}, {handle}, {number}")
    }
}

/// The numbers in which two states differ, with the values of both: of each column in which a single item differs between
/// them and `world`, whose trace is `known`, and is in all of them.
///
/// The sum of a number over all items tells its value in the one item that differs:
/// theirs = known + (sum of theirs − sum of known).
pub(crate) fn numbers_at(world: &World, known: &Trace, left: &Trace, right: &Trace) -> Vec<NumberAt> {
    let mut found = Vec::new();
    for (index, section) in Trace::COLUMNS.into_iter().enumerate() {
        let [known, left, right] = [known, left, right].map(|trace| &trace.columns[index]);
        let mut items = differing_items([known, left, right]);
        let (Some(item), None) = (items.next(), items.next()) else { continue };
        // Of an item that one of the states lacks, it has no values.
        if [known, left, right].iter().any(|column| column.items.len() <= item) {
            continue;
        }
        let numbers = world.numbers(section, item);
        let widths = [known, left, right].map(|column| column.sums.len());
        if widths != [numbers.len(); 3] {
            continue;
        }
        for (place, mut number) in numbers.into_iter().enumerate() {
            let [left, right] = [left, right]
                .map(|column| number.bits.wrapping_add(column.sums[place].wrapping_sub(known.sums[place])));
            if left != right {
                number.bits = left;
                let number = NumberDifference { left: number, right };
                found.push(NumberAt { section, item, handle: ItemHandle::of(world, section, item), number });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_TRACE_ITEMS;
    use isostep_math::Vec3;
    use isostep_step::{BodyDef, Tracer, WorldConfig};

    #[test]
    fn an_item_that_one_of_the_states_lacks_has_no_numbers_in_it() {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
        let one = Tracer::new().trace(&world).clone();
        world.add_body(BodyDef::dynamic(Vec3::X)).unwrap();
        let two = Tracer::new().trace(&world).clone();
        let difference = TraceDifference::of(&two, &one).unwrap();
        assert!(difference.columns.iter().any(|column| column.items == [1]), "{difference}");
        assert_eq!(numbers_at(&world, &two, &two, &one), []);
        assert_eq!(numbers_at(&world, &two, &one, &two), []);
    }

    #[test]
    fn of_many_items_that_differ_the_first_are_kept_and_the_others_counted() {
        let of = |items: Vec<u32>| {
            let mut trace = Trace::default();
            trace.columns[0].items = items;
            trace
        };
        let many = MAX_TRACE_ITEMS as usize;
        let difference = TraceDifference::of(&of(vec![7; 3]), &of(vec![0; many])).unwrap();
        let [column] = &difference.columns[..] else { panic!("{difference}") };
        assert!(column.items.iter().copied().eq(0..ColumnDifference::MAX_ITEMS), "{}", column.items.len());
        assert_eq!(column.count, many);
        assert!(difference.to_string().contains("[0 1 2 3 4 5 6 7 and 2097144 more]"), "{difference}");

        let difference = TraceDifference::of(&of(vec![1, 2, 3]), &of(vec![1, 4])).unwrap();
        let column = &difference.columns[0];
        assert_eq!((&column.items[..], column.count), (&[1, 2][..], 2));
        assert!(difference.to_string().contains("[1 2]"), "{difference}");
    }
}
