//! [`TreeError`].

use super::MAX_LEAVES;
use isostep_math::Fx;

/// Why a change to a tree, or a question, is refused; the tree is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// An id that is in the tree already, or twice in one list.
    #[error("id {id} is in the tree already")]
    DuplicateId {
        /// The id as given.
        id: u32,
    },
    /// An id that is not in the tree.
    #[error("id {id} is not in the tree")]
    UnknownId {
        /// The id as given.
        id: u32,
    },
    /// An id of [`MAX_LEAVES`] or above.
    #[error("id {id}: it must be below {MAX_LEAVES}")]
    IdOutOfRange {
        /// The id as given.
        id: u32,
    },
    /// A box that holds no point.
    #[error("the box of id {id} is empty")]
    EmptyAabb {
        /// The id as given.
        id: u32,
    },
    /// More pairs than were asked for at the most.
    #[error("more than {most} pairs of boxes with their margins overlap")]
    TooManyPairs {
        /// How many were allowed.
        most: usize,
    },
    /// A margin below zero.
    #[error("margin {value}: it must be at least 0")]
    NegativeMargin {
        /// What it was.
        value: Fx,
    },
}
