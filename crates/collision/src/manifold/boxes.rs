//! Box against box: the axes in lanes of pairs and with them the overlap of the best faces; then one pair at a time the
//! choice between faces and edges, and the points in the axes of both.

mod anchors;
mod axes;
mod deepest;
mod edges;
mod faces;
mod pair;
mod reference;

use super::Manifold;
use super::found::{Head, Manifolds, OwnPoints, PointLanes, Run};
use super::frame::{BLOCK, fill};
use crate::shape::Obb;
use alloc::vec::Vec;
use axes::{Axes, Candidates};
use isostep_math::Fx;
use isostep_math::exact::round_shift_i64;
use isostep_math::wide::Level;
use pair::Pair;

/// Words of a box as the kernels read it: raw bits of the centre (0..3) and of the half extents (3..6), then the
/// axes by columns (6..15), Q2.30; a multiple of four, so that four boxes are transposed at a time.
pub(super) const RECORD: usize = 16;

pub(super) type Record = [i64; RECORD];

/// A mantissa of each pair of a block.
type Column = [i32; BLOCK];

/// Boxes as the kernels read them: each prepared once a step, and read by every pair that it is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PosedBoxes(Vec<Record>);

impl PosedBoxes {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a box; its index is how many there were.
    pub fn push(&mut self, obb: &Obb) {
        self.0.push(record_of(obb));
    }

    /// Replaces the box at `index`.
    ///
    /// # Panics
    /// Where there is none.
    pub fn set(&mut self, index: usize, obb: &Obb) {
        self.0[index] = record_of(obb);
    }

    /// Removes all, and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> FromIterator<&'a Obb> for PosedBoxes {
    fn from_iter<I: IntoIterator<Item = &'a Obb>>(boxes: I) -> Self {
        Self(boxes.into_iter().map(record_of).collect())
    }
}

pub(super) fn record_of(obb: &Obb) -> Record {
    let mut record = [0; RECORD];
    write_record(obb, &obb.axes_q58(), &mut record);
    record
}

/// Makes the record of a box, with its axes with 58 fraction bits.
#[inline(always)]
pub(super) fn write_record(obb: &Obb, axes: &[[i64; 3]; 3], record: &mut Record) {
    let (center, half) = (obb.center().to_array(), obb.half_extents().to_array());
    for k in 0..3 {
        record[k] = center[k].to_bits();
        record[3 + k] = half[k].to_bits();
        for row in 0..3 {
            // An entry of 1 is the largest, and 2^30 fits.
            record[6 + 3 * k + row] = entry_q30(axes[k][row]);
        }
    }
}

/// An entry of a rotation with 58 fraction bits in Q2.30: to nearest, ties away from zero.
#[inline(always)]
pub(super) const fn entry_q30(entry: i64) -> i64 {
    round_shift_i64(entry, 28)
}

/// The rotation of a box by rows, Q2.30.
#[inline]
pub(super) fn rotation_rows(record: &Record) -> [[i64; 3]; 3] {
    let row = |k: usize| [record[6 + k], record[9 + k], record[12 + k]];
    [row(0), row(1), row(2)]
}

/// Blocks of pairs that go through the axes at once: their frames and candidates stay in the first cache.
const BLOCKS: usize = 2;

/// The manifolds of pairs of boxes, given by their indices into `boxes`, with points up to `margin` apart: for
/// each pair that has any, its index and its manifold, in order, in `out`, whose content is replaced. Anchors are in
/// the axes of the boxes, from their centres.
///
/// # The normal
/// That of the axis along which the boxes are the farthest apart, or the least deep, but for a bias that keeps the
/// choice near a tie: a face of b must be better than one of a by a 128th of the smallest half extent, and two edges
/// better than the faces by that, or by a quarter up to one of the margin. Edges within 0.22° of parallel have no
/// axis; edges are compared with each other to 2⁻¹⁵ of the margin or of the depth, whichever is larger, over the sine of
/// their angle.
///
/// # The points
/// Boxes that overlap have one at least. Boxes that are apart have one where b, moved by `margin` against the normal,
/// would meet a: neighbours that only pass each other by have none.
///
/// Of the overlap of two faces up to four points are kept: the deepest, and those that span the most. A point stands
/// for a deeper one if their depths differ by less than a 4096th of their distance; or, where the deepest point is on
/// another face than the one that looks at the chosen one the most, by less than a 256th of the smallest half extent.
/// Equal ones go by the order in which they are found, which depends on the two boxes and not on the axes of the world.
///
/// Features name the sides and corners of both faces that meet, whichever of the two has the normal, and no two points of a
/// manifold share one. Faces whose sides coincide keep their features while they move by less than a 256th of the
/// smallest half extent.
///
/// Lengths are within 2⁻²⁶ of the largest of the half extents and the distance of the centres.
///
/// # Panics
/// Where an index is beyond `boxes`; what `out` holds then means nothing.
pub fn box_manifolds(boxes: &PosedBoxes, pairs: &[(u32, u32)], margin: Fx, out: &mut Vec<(u32, Manifold)>) {
    box_manifolds_at(Level::current(), boxes, pairs, margin, out);
}

/// As [`box_manifolds`], at a lane level of choice: the bits do not depend on it.
///
/// # Panics
/// Where an index is beyond `boxes`; what `out` holds then means nothing.
pub fn box_manifolds_at(
    level: Level,
    boxes: &PosedBoxes,
    pairs: &[(u32, u32)],
    margin: Fx,
    out: &mut Vec<(u32, Manifold)>,
) {
    let mut manifolds = Manifolds::over(out);
    let (mut stage, mut run) = (BoxStage::new(), Run::new());
    for (batch, first) in pairs.chunks(BoxStage::MOST).zip((0_u32..).step_by(BoxStage::MOST)) {
        stage.find(level, &boxes.0, batch, margin);
        for ((lane, &pair), index) in batch.iter().enumerate().zip(first..) {
            if run.is_full() {
                run.show(&stage, &mut |contacts| manifolds.add(contacts));
            }
            if stage.is_near(lane) {
                run.push(index, lane, |own| stage.contact(lane, &boxes.0, pair, own));
            }
        }
        run.show(&stage, &mut |contacts| manifolds.add(contacts));
    }
    manifolds.finish();
}

/// The contact of one pair, whose points it writes, those of faces too: the same bits as in a batch.
pub(super) fn box_box(a: &Record, b: &Record, margin: Fx, points: &mut OwnPoints) -> Head {
    let mut candidates = [Candidates::EMPTY];
    Level::current().dispatch(Axes {
        records: &[*a, *b],
        indices: &[[[0; BLOCK], [1; BLOCK]]],
        margin: margin.max(Fx::ZERO).to_bits(),
        candidates: &mut candidates,
    });
    let [candidates] = &candidates;
    if !candidates.is_near(0) {
        return Head::NONE;
    }
    let head = Pair::new(candidates, 0).contact([a, b], points);
    if head.is_of_faces {
        *points = candidates.overlap.points.map(|lanes| lanes[0]);
    }
    head
}

/// As many pairs as go through the axes at once, and what these give.
#[derive(Debug)]
pub(super) struct BoxStage {
    indices: [[[u32; BLOCK]; 2]; BLOCKS],
    candidates: [Candidates; BLOCKS],
}

impl BoxStage {
    /// How many pairs it holds.
    pub(super) const MOST: usize = BLOCKS * BLOCK;

    pub(super) const fn new() -> Self {
        Self { indices: [[[0; BLOCK]; 2]; BLOCKS], candidates: [Candidates::EMPTY; BLOCKS] }
    }

    /// Sends a batch of at most [`MOST`](Self::MOST) pairs through the axes.
    pub(super) fn find(&mut self, level: Level, records: &[Record], batch: &[(u32, u32)], margin: Fx) {
        let margin = margin.max(Fx::ZERO).to_bits();
        let blocks = fill(&mut self.indices, batch);
        let (indices, candidates) = (&self.indices[..blocks], &mut self.candidates[..blocks]);
        level.dispatch(Axes { records, indices, margin, candidates });
    }

    /// Whether pair `index` of the batch may have a manifold: no face parts it by more than the margin.
    #[inline(always)]
    pub(super) fn is_near(&self, index: usize) -> bool {
        self.candidates[index / BLOCK].is_near(index % BLOCK)
    }

    /// The contact of pair `index` of the batch, which is near; its points are written if they are not those of faces.
    #[inline(always)]
    pub(super) fn contact(
        &self,
        index: usize,
        records: &[Record],
        (a, b): (u32, u32),
        own: &mut OwnPoints,
    ) -> Head {
        Pair::new(&self.candidates[index / BLOCK], index % BLOCK)
            .contact([&records[a as usize], &records[b as usize]], own)
    }

    /// The points that the faces of pair `index` of the batch have in common, and its lane there.
    #[inline(always)]
    pub(super) fn points(&self, index: usize) -> (&PointLanes, usize) {
        (&self.candidates[index / BLOCK].overlap.points, index % BLOCK)
    }
}
