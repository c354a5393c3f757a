//! What is remembered of contacts from one step to the next: impulses by pair and feature.
//!
//! Impulses are velocity changes of the lighter body times the contact's 2^scale, Q11.21 (see `solver`), so a contact starts
//! the next step where it ended this one.
//! Pairs are in the world's order of colliders. Those in which nobody is awake lie apart from the others
//! ([`Contacts`] twice in the state): no step looks at them, and no snapshot copies them again.

use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The greatest `scale` of a [`ContactPair`].
pub(crate) const MOST_SCALE: u8 = 62;

/// Two colliders that touch, or may in this tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ContactPair {
    /// The slots of the colliders, the one that comes first in the world's order first.
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// The friction at the centre of the contact, a vector of the world.
    pub(crate) friction: [i32; 3],
    /// The friction against turning about the normal, in rad/s.
    pub(crate) twist: i32,
    /// How many points it has, 1 to 4.
    pub(crate) count: u8,
    /// The exponent of what all impulses but the twist are multiplied with.
    pub(crate) scale: u8,
    pub(crate) touching: bool,
}

/// The impulse of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PointImpulse {
    pub(crate) feature: u32,
    pub(crate) normal: i32,
}

/// Pairs, and their points one pair after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contacts {
    pub(crate) pairs: Vec<ContactPair>,
    pub(crate) points: Vec<PointImpulse>,
}

impl Contacts {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
    }

    pub(crate) fn push(&mut self, pair: ContactPair, points: &[PointImpulse]) {
        debug_assert_eq!(usize::from(pair.count), points.len());
        self.pairs.push(pair);
        self.points.extend_from_slice(points);
    }

    /// All pairs with their points.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&ContactPair, &[PointImpulse])> {
        let mut rest = &self.points[..];
        self.pairs.iter().map(move |pair| {
            let (points, others) = rest.split_at(usize::from(pair.count));
            rest = others;
            (pair, points)
        })
    }

    /// Makes them equal to others, and returns how many bytes these have.
    pub(crate) fn copy_from(&mut self, other: &Self) -> usize {
        self.pairs.clone_from(&other.pairs);
        self.points.clone_from(&other.points);
        size_of_val(&self.pairs[..]) + size_of_val(&self.points[..])
    }

    /// Removes the pairs of a collider, and names each.
    pub(crate) fn remove_all_of(&mut self, collider: u32, mut removed: impl FnMut(&ContactPair)) {
        let mut next = 0;
        self.pairs.retain(|pair| {
            let stays = pair.a != collider && pair.b != collider;
            if stays {
                next += usize::from(pair.count);
            } else {
                self.points.drain(next..next + usize::from(pair.count));
                removed(pair);
            }
            stays
        });
    }

    /// Moves the pairs that `moves` names to `target`, and keeps both in the order of `rank`; `scratch` is memory.
    pub(crate) fn move_to(
        &mut self,
        target: &mut Self,
        [merged, kept]: &mut [Self; 2],
        rank: impl Fn(u32) -> u32,
        moves: impl Fn(&ContactPair) -> bool,
    ) {
        if !self.pairs.iter().any(&moves) {
            return;
        }
        let key = |pair: &ContactPair| (rank(pair.a), rank(pair.b));
        merged.clear();
        kept.clear();
        {
            let mut old = target.iter().peekable();
            for (pair, points) in self.iter() {
                if moves(pair) {
                    while let Some((before, before_points)) = old.next_if(|(other, _)| key(other) < key(pair))
                    {
                        merged.push(*before, before_points);
                    }
                    merged.push(*pair, points);
                } else {
                    kept.push(*pair, points);
                }
            }
            for (pair, points) in old {
                merged.push(*pair, points);
            }
        }
        core::mem::swap(target, merged);
        core::mem::swap(self, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: u32, b: u32, count: u8) -> (ContactPair, Vec<PointImpulse>) {
        let points = (0..count).map(|i| PointImpulse { feature: a * 10 + u32::from(i), normal: b as i32 });
        (ContactPair { a, b, count, ..ContactPair::default() }, points.collect())
    }

    #[test]
    fn pairs_move_with_their_points_and_keep_their_order() {
        let (mut awake, mut asleep) = (Contacts::default(), Contacts::default());
        let mut scratch = [Contacts::default(), Contacts::default()];
        for (a, b, count) in [(0, 1, 4), (0, 3, 1), (2, 3, 2), (4, 5, 3)] {
            let (pair, points) = pair(a, b, count);
            awake.push(pair, &points);
        }
        let (first, points) = pair(1, 2, 2);
        asleep.push(first, &points);
        awake.move_to(&mut asleep, &mut scratch, |rank| rank, |pair| pair.b == 3);
        let pairs = |contacts: &Contacts| contacts.pairs.iter().map(|p| (p.a, p.b)).collect::<Vec<_>>();
        assert_eq!(pairs(&awake), [(0, 1), (4, 5)]);
        assert_eq!(pairs(&asleep), [(0, 3), (1, 2), (2, 3)]);
        for (pair, points) in awake.iter().chain(asleep.iter()) {
            assert!(points.iter().all(|point| point.feature / 10 == pair.a && point.normal == pair.b as i32));
        }
    }
}
