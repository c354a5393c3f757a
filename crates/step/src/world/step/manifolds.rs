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
    /// Of each chunk of pairs; memory of later ones is kept.
    chunks: Vec<Found>,
    used: usize,
    /// How many manifolds, and how many points, are before each chunk, and before the end.
    bounds: [Vec<u32>; 2],
}

/// The manifolds of a chunk, with the numbers of their pairs in it.
#[derive(Clone, Debug, Default)]
struct Found {
    items: Vec<(u32, Manifold)>,
    points: u32,
}

impl Manifolds {
    /// Finds those of all pairs; what it had before is gone.
    pub(super) fn find(&mut self, shapes: &PosedShapes, pairs: &[(u32, u32)], margin: Fx, crew: &mut Crew) {
        self.used = pairs.len().div_ceil(CHUNK);
        if self.chunks.len() < self.used {
            self.chunks.resize_with(self.used, Found::default);
        }
        let level = Level::current();
        crew.for_each(&mut self.chunks[..self.used], 1, SHARED_CHUNKS, |first, chunks| {
            for (found, pairs) in chunks.iter_mut().zip(pairs.chunks(CHUNK).skip(first)) {
                manifolds_at(level, shapes, pairs, margin, &mut found.items);
                found.points = found.items.iter().map(|(_, manifold)| manifold.points().len() as u32).sum();
            }
        });
        let (mut count, mut points) = (0, 0);
        self.bounds.iter_mut().for_each(Vec::clear);
        let end = Found::default();
        for found in self.chunks[..self.used].iter().chain([&end]) {
            self.bounds[0].push(count);
            self.bounds[1].push(points);
            count += found.items.len() as u32;
            points += found.points;
        }
    }

    /// How many manifolds, and how many points, are before each chunk of pairs, and before the end.
    pub(super) fn bounds(&self) -> [&[u32]; 2] {
        [&self.bounds[0], &self.bounds[1]]
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.bounds[0].last().map_or(0, |&count| count as usize)
    }

    /// Those of a chunk, with the numbers of their pairs.
    pub(super) fn of_chunk(&self, chunk: usize) -> impl Iterator<Item = (u32, &Manifold)> {
        let first = (chunk * CHUNK) as u32;
        self.chunks[chunk].items.iter().map(move |(pair, manifold)| (first + pair, manifold))
    }

    /// The numbers of their pairs.
    pub(super) fn of_pairs(&self) -> impl Iterator<Item = u32> {
        (0..self.used).flat_map(|chunk| self.of_chunk(chunk)).map(|(pair, _)| pair)
    }

    /// Those of a chunk, with their numbers in it.
    pub(super) fn items_of(&self, chunk: usize) -> &[(u32, Manifold)] {
        &self.chunks[chunk].items
    }

    /// The one with so many before it.
    pub(super) fn nth(&self, number: usize) -> &Manifold {
        let starts = &self.bounds[0];
        let chunk = starts.partition_point(|&start| start as usize <= number) - 1;
        &self.chunks[chunk].items[number - starts[chunk] as usize].1
    }

    /// All, with the numbers of their pairs.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Manifold)> {
        (0..self.used).flat_map(|chunk| self.of_chunk(chunk))
    }
}
