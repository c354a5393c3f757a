//! Where two states of one tick differ, as far as their traces tell.

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
}

impl TraceComparison {
    /// Compares two traces.
    #[must_use]
    pub fn of(left: &Trace, right: &Trace) -> Self {
        TraceDifference::of(left, right).map_or(Self::Equal, Self::Differs)
    }

    /// Whether there are traces of both states.
    #[must_use]
    pub const fn is_traced(&self) -> bool {
        !matches!(self, Self::Untraced)
    }

    /// Where the states differ, if traces tell.
    #[must_use]
    pub const fn difference(&self) -> Option<&TraceDifference> {
        match self {
            Self::Differs(difference) => Some(difference),
            Self::Untraced | Self::Equal => None,
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
    /// The slots of the items that differ, ascending; those that one of the columns lacks as well.
    pub items: Vec<usize>,
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
    fn of(section: Section, left: &ColumnTrace, right: &ColumnTrace) -> Option<Self> {
        if left == right {
            return None;
        }
        let names = section.numbers();
        let is_other = |place: &usize| left.sums.get(*place) != right.sums.get(*place);
        let numbers = names.iter().enumerate().filter(|(place, _)| is_other(place));
        let numbers = numbers.map(|(_, number)| number.name()).collect();
        Some(Self { section, items: differing_items(left, right), numbers })
    }
}

fn differing_items(left: &ColumnTrace, right: &ColumnTrace) -> Vec<usize> {
    let count = left.items.len().max(right.items.len());
    (0..count).filter(|&item| left.items.get(item) != right.items.get(item)).collect()
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
        let Self { section, items, numbers } = self;
        let rest = |count: usize| count.checked_sub(NAMED).filter(|&rest| rest > 0);
        write!(f, "{section:?}[")?;
        for (place, item) in items.iter().take(NAMED).enumerate() {
            write!(f, "{}{item}", if place == 0 { "" } else { " " })?;
        }
        if let Some(rest) = rest(items.len()) {
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
/// them and `world`, whose trace is `known`.
///
/// The sum of a number over all items tells its value in the one item that differs:
/// theirs = known + (sum of theirs − sum of known).
pub(crate) fn numbers_at(world: &World, known: &Trace, left: &Trace, right: &Trace) -> Vec<NumberAt> {
    let mut found = Vec::new();
    for (index, section) in Trace::COLUMNS.into_iter().enumerate() {
        let [known, left, right] = [known, left, right].map(|trace| &trace.columns[index]);
        let mut items = differing_items(known, left);
        items.extend(differing_items(known, right));
        items.sort_unstable();
        items.dedup();
        let &[item] = &items[..] else { continue };
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
