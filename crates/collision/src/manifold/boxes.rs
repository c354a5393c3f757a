//! Box against box.

mod axes;
mod edges;
mod faces;

use super::{ContactPoint, FeatureId, Manifold};
use crate::shape::Obb;
use alloc::vec::Vec;
use axes::{Axes, BLOCK, Candidates, Frames};
use edges::{EdgeContact, edge_contact};
use faces::{Reference, face_contact};
use isostep_math::wide::Level;
use isostep_math::{Fx, Vec3};

/// A box as the kernels read it: prepared once a step, used by every pair that the box is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PosedBox {
    /// Raw bits of the centre.
    center: [i64; 3],
    /// Raw bits of the half extents.
    half: [i64; 3],
    /// Its axes by columns, Q2.30.
    axes: [[i32; 3]; 3],
}

impl From<&Obb> for PosedBox {
    fn from(obb: &Obb) -> Self {
        let bits = |v: Vec3| v.to_array().map(Fx::to_bits);
        Self {
            center: bits(obb.center()),
            half: bits(obb.half_extents()),
            // An entry of 1 is the largest, and 2^30 fits.
            axes: obb
                .axes_q58()
                .map(|axis| axis.map(|entry| ((entry + (1 << 27) + (entry >> 63)) >> 28) as i32)),
        }
    }
}

/// Blocks of pairs that go through the axes at once: their frames and candidates stay in the first cache.
const BLOCKS: usize = 4;

/// The manifolds of pairs of boxes, given by their indices into `boxes`, with points up to `margin` apart: one for
/// each pair, in order, in `out`, whose content is replaced.
///
/// # Panics
/// Where an index is beyond `boxes`.
pub fn box_manifolds(boxes: &[PosedBox], pairs: &[(u32, u32)], margin: Fx, out: &mut Vec<Manifold>) {
    box_manifolds_at(Level::current(), boxes, pairs, margin, out);
}

/// As [`box_manifolds`], at a lane level of choice: the bits do not depend on it.
///
/// # Panics
/// Where an index is beyond `boxes`.
pub fn box_manifolds_at(
    level: Level,
    boxes: &[PosedBox],
    pairs: &[(u32, u32)],
    margin: Fx,
    out: &mut Vec<Manifold>,
) {
    out.clear();
    out.reserve(pairs.len());
    let mut frames = [Frames::EMPTY; BLOCKS];
    let mut candidates = [Candidates::EMPTY; BLOCKS];
    for batch in pairs.chunks(BLOCKS * BLOCK) {
        let mut near = [[false; BLOCK]; BLOCKS];
        for (index, &(a, b)) in batch.iter().enumerate() {
            let (block, lane) = (index / BLOCK, index % BLOCK);
            near[block][lane] = frames[block].set(lane, &boxes[a as usize], &boxes[b as usize], margin);
        }
        let blocks = batch.len().div_ceil(BLOCK);
        level.dispatch(Axes { frames: &frames[..blocks], candidates: &mut candidates[..blocks] });
        for (index, &(a, b)) in batch.iter().enumerate() {
            let (block, lane) = (index / BLOCK, index % BLOCK);
            out.push(if near[block][lane] {
                let pair = Pair::new(&frames[block], &candidates[block], lane);
                pair.manifold(&boxes[a as usize], &boxes[b as usize])
            } else {
                Manifold::EMPTY
            });
        }
    }
}

/// The manifold of one pair: the same bits as in a batch.
pub(super) fn box_box(a: &Obb, b: &Obb, margin: Fx) -> Manifold {
    let (a, b) = (PosedBox::from(a), PosedBox::from(b));
    let mut frames = [Frames::EMPTY];
    if !frames[0].set(0, &a, &b, margin) {
        return Manifold::EMPTY;
    }
    let mut candidates = [Candidates::EMPTY];
    Level::current().dispatch(Axes { frames: &frames, candidates: &mut candidates });
    Pair::new(&frames[0], &candidates[0], 0).manifold(&a, &b)
}

/// A pair after its axes, one at a time again.
struct Pair {
    t: [i64; 3],
    u: [i64; 3],
    half_a: [i64; 3],
    half_b: [i64; 3],
    /// aᵢ · bⱼ, Q30.
    r: [[i64; 3]; 3],
    face_a: usize,
    face_b: usize,
    separation_a: i64,
    separation_b: i64,
    edge: usize,
    margin: i64,
    exponent: i32,
}

impl Pair {
    fn new(frames: &Frames, candidates: &Candidates, lane: usize) -> Self {
        let take = |columns: &[[i32; BLOCK]; 3]| [0, 1, 2].map(|row: usize| i64::from(columns[row][lane]));
        Self {
            t: take(&candidates.t),
            u: take(&candidates.u),
            half_a: take(&frames.half_a),
            half_b: take(&frames.half_b),
            r: [take(&candidates.r[0]), take(&candidates.r[1]), take(&candidates.r[2])],
            face_a: candidates.face_a[lane] as usize,
            face_b: candidates.face_b[lane] as usize,
            separation_a: i64::from(candidates.separation_a[lane]),
            separation_b: i64::from(candidates.separation_b[lane]),
            edge: candidates.edge[lane] as usize,
            margin: i64::from(frames.margin[lane]),
            exponent: i32::from(frames.exponent[lane]),
        }
    }

    /// The contact along the best axis.
    ///
    /// A face of b must be better than one of a, and edges better than both, by a 128th of the smallest half
    /// extent: so near a tie the choice stays, though nothing is remembered.
    fn manifold(&self, a: &PosedBox, b: &PosedBox) -> Manifold {
        let face = self.separation_a.max(self.separation_b);
        if face > self.margin {
            return Manifold::EMPTY;
        }
        let smallest = self.half_a.iter().chain(&self.half_b).fold(i64::MAX, |least, &half| least.min(half));
        let bias = smallest >> 7;
        if self.edge != axes::NO_EDGE as usize {
            let contact = edge_contact(self.t, self.half_a, self.half_b, self.r, self.edge);
            if contact.separation > self.margin {
                return Manifold::EMPTY;
            }
            if contact.separation > face + bias {
                return self.edge_manifold(a, &contact);
            }
        }
        if self.separation_b > self.separation_a + bias {
            let rows = self.r;
            let reference = Reference {
                half: self.half_b,
                center: self.u.map(|x| -x),
                other_half: self.half_a,
                other_axes: rows,
            };
            self.face_manifold(b, &reference, self.face_b, true)
        } else {
            let columns = [0, 1, 2].map(|j: usize| [self.r[0][j], self.r[1][j], self.r[2][j]]);
            let reference =
                Reference { half: self.half_a, center: self.t, other_half: self.half_b, other_axes: columns };
            self.face_manifold(a, &reference, self.face_a, false)
        }
    }

    fn edge_manifold(&self, a: &PosedBox, contact: &EdgeContact) -> Manifold {
        let world = |row: usize| {
            let sum: i64 = (0..3).map(|i| i64::from(a.axes[i][row]) * contact.normal[i]).sum();
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

    /// `flipped` where the reference is b.
    fn face_manifold(&self, posed: &PosedBox, reference: &Reference, axis: usize, flipped: bool) -> Manifold {
        let contact = face_contact(reference, axis, self.margin);
        let outward = if flipped { -contact.side } else { contact.side };
        // Q30 to Q32.
        let normal =
            Vec3::from_array(posed.axes[axis].map(|entry| Fx::from_bits(i64::from(entry) * outward << 2)));
        let mut manifold = Manifold { normal, ..Manifold::EMPTY };
        for point in &contact.points[..contact.count] {
            let mut on_reference = point.position;
            on_reference[axis] = reference.half[axis] * contact.side;
            let on_reference = self.vector(on_reference);
            let on_other = self.vector(self.in_other(point.position, reference.center, self.r, flipped));
            let (anchor_a, anchor_b) =
                if flipped { (on_other, on_reference) } else { (on_reference, on_other) };
            manifold.push(ContactPoint {
                anchor_a,
                anchor_b,
                separation: self.length(point.separation),
                feature: FeatureId(point.feature.0 | u32::from(flipped) << 14),
            });
        }
        manifold
    }

    /// A point given in the coordinates of the reference, in those of the other box whose centre is `center`.
    fn in_other(&self, point: [i64; 3], center: [i64; 3], r: [[i64; 3]; 3], flipped: bool) -> [i64; 3] {
        let offset = [0, 1, 2].map(|row: usize| point[row] - center[row]);
        [0, 1, 2].map(|j: usize| {
            let cosine = |i: usize| if flipped { r[j][i] } else { r[i][j] };
            let sum = offset[0] * cosine(0) + offset[1] * cosine(1) + offset[2] * cosine(2);
            (sum + (1 << 29) + (sum >> 63)) >> 30
        })
    }

    /// A mantissa as length.
    fn length(&self, mantissa: i64) -> Fx {
        Fx::from_bits(if self.exponent >= 0 {
            mantissa << self.exponent
        } else {
            let drop = -self.exponent;
            (mantissa + (1 << (drop - 1)) + (mantissa >> 63)) >> drop
        })
    }

    fn vector(&self, mantissas: [i64; 3]) -> Vec3 {
        Vec3::from_array(mantissas.map(|mantissa| self.length(mantissa)))
    }
}
