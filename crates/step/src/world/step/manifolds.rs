//! The manifolds of a step, found by chunks of pairs.

use crate::parallel::Crew;
use alloc::vec::Vec;
use isostep_collision::manifold::{Manifold, PosedShapes, manifolds_at};
use isostep_math::Fx;
use isostep_math::wide::Level;

/// Pairs of a chunk.
const CHUNK: usize = 128;

/// Fewer chunks are worked on by one thread.
const SHARED_CHUNKS: usize = 4;

/// Manifolds by the numbers of their pairs, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifolds {
    /// Of each chunk of pairs; the numbers are those in the chunk. Memory of later ones is kept.
    chunks: Vec<Vec<(u32, Manifold)>>,
    used: usize,
}

impl Manifolds {
    /// Finds those of all pairs; what it had before is gone.
    pub(super) fn find(&mut self, shapes: &PosedShapes, pairs: &[(u32, u32)], margin: Fx, crew: &mut Crew) {
        self.used = pairs.len().div_ceil(CHUNK);
        if self.chunks.len() < self.used {
            self.chunks.resize_with(self.used, Vec::new);
        }
        let level = Level::current();
        crew.for_each(&mut self.chunks[..self.used], 1, SHARED_CHUNKS, |first, chunks| {
            for (found, pairs) in chunks.iter_mut().zip(pairs.chunks(CHUNK).skip(first)) {
                manifolds_at(level, shapes, pairs, margin, found);
            }
        });
    }

    /// Where each is, the number of its pair, and itself.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, u32, &Manifold)> {
        self.chunks[..self.used].iter().zip(0..).flat_map(|(found, chunk)| {
            let first = chunk * CHUNK as u32;
            let found = found.iter().zip(first..);
            found.map(move |((pair, manifold), place)| (Place(place), first + pair, manifold))
        })
    }

    /// The one at a place.
    pub(super) fn at(&self, place: Place) -> &Manifold {
        let place = place.0 as usize;
        &self.chunks[place / CHUNK][place % CHUNK].1
    }
}

/// Where a manifold is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u32);
