//! Box against box: the axes in lanes of pairs and with them the overlap of the best faces; then one pair at a time the
//! choice between faces and edges, and the points in the axes of both.

mod axes;
mod deepest;
mod edges;
mod faces;

use super::frame::{BLOCK, fill, length};
use super::{ContactPoint, FeatureId, Manifold};
use crate::shape::Obb;
use alloc::vec::Vec;
use axes::{Axes, Candidates};
use deepest::{Deepest, Seen};
use edges::{EdgeContact, edge_contact};
use faces::{AXIS_SHIFT, FLIPPED_BIT, MOST, Overlap, SIDE_BIT};
use isostep_math::wide::Level;
use isostep_math::{Fx, Vec3};

/// Words of a box as the kernels read it: raw bits of the centre (0..3) and of the half extents (3..6), then the
/// axes by columns (6..15), Q2.30; a multiple of four, so that four boxes are transposed at a time.
pub(super) const RECORD: usize = 16;

pub(super) type Record = [i64; RECORD];

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
    let (center, half, axes) = (obb.center().to_array(), obb.half_extents().to_array(), obb.axes_q58());
    for k in 0..3 {
        record[k] = center[k].to_bits();
        record[3 + k] = half[k].to_bits();
        for row in 0..3 {
            // An entry of 1 is the largest, and 2^30 fits.
            let entry = axes[k][row];
            record[6 + 3 * k + row] = (entry + (1 << 27) + (entry >> 63)) >> 28;
        }
    }
    record
}

/// An axis in the coordinates of the world, Q2.30.
fn axis_of(record: &Record, axis: usize) -> [i64; 3] {
    [record[6 + 3 * axis], record[7 + 3 * axis], record[8 + 3 * axis]]
}

/// Blocks of pairs that go through the axes at once: their frames and candidates stay in the first cache.
const BLOCKS: usize = 4;

/// The manifolds of pairs of boxes, given by their indices into `boxes`, with points up to `margin` apart: for
/// each pair that has any, its index and its manifold, in order, in `out`, whose content is replaced. Anchors are in
/// the axes of the boxes, from their centres.
///
/// # The normal
/// That of the axis along which the boxes are the farthest apart, or the least deep, but for a bias that keeps the
/// choice near a tie: a face of b must be better than one of a, and two edges better than the faces, by a 128th of the
/// smallest half extent. Edges within 0.22° of parallel have no axis; edges are compared with each other to 2⁻¹⁵ of
/// the margin or of the depth, whichever is larger.
///
/// # The points
/// Boxes that overlap have one at least. Boxes that are apart have one where b, moved by `margin` against the normal,
/// would meet a: neighbours that only pass each other by have none.
///
/// Of the overlap of two faces up to four points are kept: the deepest, and those that span the most. A point stands
/// for a deeper one if their depths differ by less than a 4096th of their distance; or, where the deepest point is on
/// another face than the one that looks at the chosen one the most, by less than a 256th of the smallest half extent.
/// Equal ones go by their features, which depend on the two boxes and not on the axes of the world, and which no two
/// points of a manifold share. Faces whose sides coincide keep their features while they move by less than a 256th of
/// the smallest half extent.
///
/// Lengths are within 2⁻²⁶ of the largest of the half extents and the distance of the centres.
///
/// # Panics
/// Where an index is beyond `boxes`.
pub fn box_manifolds(boxes: &PosedBoxes, pairs: &[(u32, u32)], margin: Fx, out: &mut Vec<(u32, Manifold)>) {
    box_manifolds_at(Level::current(), boxes, pairs, margin, out);
}

/// As [`box_manifolds`], at a lane level of choice: the bits do not depend on it.
///
/// # Panics
/// Where an index is beyond `boxes`.
pub fn box_manifolds_at(
    level: Level,
    boxes: &PosedBoxes,
    pairs: &[(u32, u32)],
    margin: Fx,
    out: &mut Vec<(u32, Manifold)>,
) {
    out.clear();
    let mut stage = BoxStage::new();
    for (batch, first) in pairs.chunks(BoxStage::MOST).zip((0_u32..).step_by(BoxStage::MOST)) {
        stage.find(level, &boxes.0, batch, margin);
        for ((lane, &pair), index) in batch.iter().enumerate().zip(first..) {
            let manifold = stage.manifold(lane, &boxes.0, pair);
            if !manifold.is_empty() {
                out.push((index, manifold));
            }
        }
    }
}

/// The manifold of one pair: the same bits as in a batch.
pub(super) fn box_box(a: &Record, b: &Record, margin: Fx) -> Manifold {
    let mut candidates = [Candidates::EMPTY];
    Level::current().dispatch(Axes {
        records: &[*a, *b],
        indices: &[[[0; BLOCK], [1; BLOCK]]],
        margin: margin.max(Fx::ZERO).to_bits(),
        candidates: &mut candidates,
    });
    manifold_of(&candidates[0], 0, a, b)
}

/// As many pairs as go through the axes at once, and what these give.
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

    /// The manifold of pair `index` of the batch.
    #[inline(always)]
    pub(super) fn manifold(&self, index: usize, records: &[Record], (a, b): (u32, u32)) -> Manifold {
        let (candidates, lane) = (&self.candidates[index / BLOCK], index % BLOCK);
        manifold_of(candidates, lane, &records[a as usize], &records[b as usize])
    }
}

fn manifold_of(candidates: &Candidates, lane: usize, a: &Record, b: &Record) -> Manifold {
    if candidates.near[lane] == 0 {
        Manifold::EMPTY
    } else {
        Pair::new(candidates, lane).manifold(candidates, lane, a, b)
    }
}

/// A pair after its axes, one at a time again.
struct Pair {
    t: [i64; 3],
    u: [i64; 3],
    half_a: [i64; 3],
    half_b: [i64; 3],
    /// aᵢ · bⱼ, Q30.
    r: [[i64; 3]; 3],
    separation_a: i64,
    separation_b: i64,
    edge: usize,
    margin: i64,
    bias: i64,
    exponent: i32,
}

impl Pair {
    fn new(candidates: &Candidates, lane: usize) -> Self {
        let take = |columns: &[[i32; BLOCK]; 3]| {
            [i64::from(columns[0][lane]), i64::from(columns[1][lane]), i64::from(columns[2][lane])]
        };
        Self {
            t: take(&candidates.t),
            u: take(&candidates.u),
            half_a: take(&candidates.half_a),
            half_b: take(&candidates.half_b),
            r: [take(&candidates.r[0]), take(&candidates.r[1]), take(&candidates.r[2])],
            separation_a: i64::from(candidates.separation_a[lane]),
            separation_b: i64::from(candidates.separation_b[lane]),
            edge: candidates.edge[lane] as usize,
            margin: i64::from(candidates.margin[lane]),
            bias: i64::from(candidates.bias[lane]),
            exponent: candidates.exponent[lane],
        }
    }

    /// The contact along the best axis.
    fn manifold(&self, candidates: &Candidates, lane: usize, a: &Record, b: &Record) -> Manifold {
        let face = self.separation_a.max(self.separation_b);
        if face > self.margin {
            return Manifold::EMPTY;
        }
        if self.edge != axes::NO_EDGE as usize {
            let contact = edge_contact(self.t, self.half_a, self.half_b, self.r, self.edge);
            if contact.separation > self.margin {
                return Manifold::EMPTY;
            }
            if contact.separation > face + self.bias {
                return self.edge_manifold(a, &contact);
            }
        }
        let flipped = candidates.flipped[lane] != 0;
        let axis = candidates.overlap.axis[lane] as usize;
        let reference = if flipped {
            let center = self.u.map(|x| -x);
            Reference { posed: b, half: self.half_b, center, axis, separation: self.separation_b, flipped }
        } else {
            let (half, center) = (self.half_a, self.t);
            Reference { posed: a, half, center, axis, separation: self.separation_a, flipped }
        };
        self.face_manifold(&reference, &candidates.overlap, lane)
    }

    fn edge_manifold(&self, a: &Record, contact: &EdgeContact) -> Manifold {
        let world = |row: usize| {
            let sum: i64 = (0..3).map(|i| axis_of(a, i)[row] * contact.normal[i]).sum();
            Fx::from_bits((sum + (1 << 27) + (sum >> 63)) >> 28)
        };
        let normal = Vec3::new(world(0), world(1), world(2)).normalize();
        let mut manifold = Manifold { normal, ..Manifold::EMPTY };
        manifold.push(ContactPoint {
            anchor_a: self.vector(contact.on_a),
            anchor_b: self.vector(self.in_other(contact.on_b, self.t, self.r, false)),
            separation: self.length(contact.separation),
            feature: contact.feature,
        });
        manifold
    }

    fn face_manifold(&self, reference: &Reference, overlap: &Overlap, lane: usize) -> Manifold {
        let mut manifold = Manifold { normal: reference.normal(), ..Manifold::EMPTY };
        let faces = overlap.faces[lane] as u32;
        let mut kept = overlap.kept[lane] as u32;
        let (mut least, mut most) = (i64::MAX, (i64::MIN, 0));
        while kept != 0 {
            let index = kept.trailing_zeros() as usize;
            kept &= kept - 1;
            let at = |columns: &[[i32; BLOCK]; MOST]| i64::from(columns[index][lane]);
            let feature = overlap.feature[index][lane] as u32;
            let position = [at(&overlap.x), at(&overlap.y), at(&overlap.z)];
            least = least.min(position[2]);
            most = most.max((position[2], usize::from(manifold.count)));
            manifold.push(self.point(reference, position, feature | faces));
        }
        // The other box reaches deeper than the points do: beside the face, unless another of its faces is above it.
        let slack = self.bias / 2;
        if least > reference.separation + slack {
            let limit = self.margin.min(least.saturating_sub(slack + 1));
            if let Some(deepest) = self.deepest(reference).filter(|found| found.position[2] <= limit) {
                let faces = faces & (3 << AXIS_SHIFT | 1 << SIDE_BIT | 1 << FLIPPED_BIT);
                let point = self.point(reference, deepest.position, deepest.feature | faces);
                match manifold.count {
                    4 => manifold.points[most.1] = point,
                    _ => manifold.push(point),
                }
            }
        }
        manifold
    }

    /// The contact at a point of the other box, given as x and y along the reference face and z above it.
    #[inline(always)]
    fn point(&self, reference: &Reference, [x, y, z]: [i64; 3], feature: u32) -> ContactPoint {
        let Reference { half, axis, center, flipped, .. } = *reference;
        let (ax, ay) = ((axis + 1) % 3, (axis + 2) % 3);
        let side = reference.side();
        let (mut on_reference, mut position) = ([0; 3], [0; 3]);
        on_reference[ax] = x.clamp(-half[ax], half[ax]);
        on_reference[ay] = y.clamp(-half[ay], half[ay]);
        on_reference[axis] = half[axis] * side;
        (position[ax], position[ay], position[axis]) = (x, y, (z + half[axis]) * side);
        let on_reference = self.vector(on_reference);
        let on_other = self.vector(self.in_other(position, center, self.r, flipped));
        let (anchor_a, anchor_b) = if flipped { (on_other, on_reference) } else { (on_reference, on_other) };
        ContactPoint { anchor_a, anchor_b, separation: self.length(z), feature: FeatureId(feature) }
    }

    #[cold]
    fn deepest(&self, reference: &Reference) -> Option<Deepest> {
        let Reference { half, axis, center, flipped, .. } = *reference;
        let (ax, ay, side) = ((axis + 1) % 3, (axis + 2) % 3, reference.side());
        let seen = |v: [i64; 3]| [v[ax], v[ay], v[axis] * side];
        let mut center = seen(center);
        center[2] -= half[axis];
        let axes = if flipped { self.r } else { transposed(self.r) };
        let other_half = if flipped { self.half_a } else { self.half_b };
        Seen { h: [half[ax], half[ay]], center, half: other_half, axes: axes.map(seen) }.deepest()
    }

    /// A point given in the coordinates of the reference, in those of the other box whose centre is `center`.
    fn in_other(&self, point: [i64; 3], center: [i64; 3], r: [[i64; 3]; 3], flipped: bool) -> [i64; 3] {
        let offset = [point[0] - center[0], point[1] - center[1], point[2] - center[2]];
        let along = |axis: [i64; 3]| {
            let sum = offset[0] * axis[0] + offset[1] * axis[1] + offset[2] * axis[2];
            (sum + (1 << 29) + (sum >> 63)) >> 30
        };
        let axes = if flipped { r } else { transposed(r) };
        [along(axes[0]), along(axes[1]), along(axes[2])]
    }

    fn length(&self, mantissa: i64) -> Fx {
        length(mantissa, self.exponent)
    }

    fn vector(&self, mantissas: [i64; 3]) -> Vec3 {
        Vec3::new(self.length(mantissas[0]), self.length(mantissas[1]), self.length(mantissas[2]))
    }
}

/// A face of one box, and the centre of the other in the axes of that.
struct Reference<'a> {
    posed: &'a Record,
    half: [i64; 3],
    center: [i64; 3],
    axis: usize,
    /// How far above the face the other box begins.
    separation: i64,
    /// Where it is b.
    flipped: bool,
}

impl Reference<'_> {
    /// +1 or −1: the side of the box on which the face lies.
    fn side(&self) -> i64 {
        if self.center[self.axis] < 0 { -1 } else { 1 }
    }

    /// From a to b, in the coordinates of the world.
    fn normal(&self) -> Vec3 {
        let outward = if self.flipped { -self.side() } else { self.side() };
        // Q30 to Q32.
        let entry = |entry: i64| Fx::from_bits((entry * outward) << 2);
        Vec3::from_array(axis_of(self.posed, self.axis).map(entry))
    }
}

/// Rows as columns.
fn transposed(m: [[i64; 3]; 3]) -> [[i64; 3]; 3] {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
}
