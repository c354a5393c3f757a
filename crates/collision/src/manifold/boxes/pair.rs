//! A pair of boxes after its axes, one at a time again: the choice between faces and edges, and the points in the axes
//! of both.

use super::super::found::{Head, OwnPoints, PointWords};
use super::super::frame::{BLOCK, length};
use super::axes::{Candidates, NO_EDGE};
use super::edges::edge_contact;
use super::reference::{Face, Reference};
use super::{Column, Record};
use isostep_math::exact::round_shift_i64;
use isostep_math::{Fx, Vec3};

/// A lane of what the axes found.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    candidates: &'a Candidates,
    lane: usize,
}

impl<'a> Pair<'a> {
    #[inline(always)]
    pub(super) fn new(candidates: &'a Candidates, lane: usize) -> Self {
        debug_assert!(lane < BLOCK);
        Self { candidates, lane }
    }

    #[inline(always)]
    pub(super) fn at(&self, column: &Column) -> i64 {
        i64::from(column[self.lane])
    }

    #[inline(always)]
    fn vector_at(&self, columns: &[Column; 3]) -> [i64; 3] {
        [self.at(&columns[0]), self.at(&columns[1]), self.at(&columns[2])]
    }

    /// The contact along the best axis; the pair is near.
    pub(super) fn contact(&self, records: [&Record; 2], own: &mut OwnPoints) -> Head {
        let candidates = self.candidates;
        let edge = candidates.edge[self.lane];
        if edge != NO_EDGE {
            let r = &candidates.r;
            let contact = edge_contact(
                self.vector_at(&candidates.t),
                self.vector_at(&candidates.half_a),
                self.vector_at(&candidates.half_b),
                [self.vector_at(&r[0]), self.vector_at(&r[1]), self.vector_at(&r[2])],
                edge as usize,
            );
            if contact.separation > self.at(&candidates.margin) {
                return Head::NONE;
            }
            let face = self.at(&candidates.separation_a).max(self.at(&candidates.separation_b));
            if contact.separation > face + self.at(&candidates.edge_bias) {
                own[0] = self.words([contact.on_a, contact.on_b], contact.separation, contact.feature.0);
                return Head {
                    normal: edge_normal(records[0], contact.normal),
                    count: 1,
                    is_of_faces: false,
                };
            }
        }
        self.of_faces(records, own)
    }

    fn of_faces(&self, records: [&Record; 2], own: &mut OwnPoints) -> Head {
        let (candidates, lane) = (self.candidates, self.lane);
        let overlap = &candidates.overlap;
        let face = Face::of(overlap.faces[lane] as u32);
        let count = self.at(&overlap.count) as usize;
        let mut least = i64::MAX;
        for z in &overlap.z[..count] {
            least = least.min(self.at(z));
        }
        // The other box reaches deeper than the points do: beside the face, unless another of its faces is above it.
        let separation =
            self.at(if face.flipped { &candidates.separation_b } else { &candidates.separation_a });
        let slack = self.at(&candidates.bias) / 2;
        let head = Head { normal: face.normal(records), count, is_of_faces: true };
        if least > separation + slack {
            return self.with_deepest(face, least.saturating_sub(slack + 1), head, own);
        }
        head
    }

    /// With the deepest point of the other box, up to a limit: in the place of the highest one where there are four.
    #[cold]
    fn with_deepest(&self, face: Face, limit: i64, head: Head, own: &mut OwnPoints) -> Head {
        let overlap = &self.candidates.overlap;
        let reference = Reference::new(self, self.candidates, face);
        let limit = limit.min(self.at(&self.candidates.margin));
        let Some(deepest) = reference.deepest().filter(|found| found.position[2] <= limit) else {
            return head;
        };
        for (own, found) in own.iter_mut().zip(&overlap.points[..head.count]) {
            *own = found[self.lane];
        }
        let place = match head.count {
            4 => (0..4).max_by_key(|&index| (self.at(&overlap.z[index]), index)).unwrap_or(0),
            count => count,
        };
        let faces = overlap.faces[self.lane] as u32;
        own[place] = self.point(&reference, deepest.position, deepest.feature | faces);
        Head { count: head.count.max(place + 1), is_of_faces: false, ..head }
    }

    /// The contact at a point of the other box.
    fn point(&self, reference: &Reference, position: [i64; 3], feature: u32) -> PointWords {
        let (on_reference, on_other) = (reference.foot(position), reference.in_other(position));
        let anchors =
            if reference.face.flipped { [on_other, on_reference] } else { [on_reference, on_other] };
        self.words(anchors, position[2], feature)
    }

    /// A point whose lengths are mantissas.
    fn words(&self, [on_a, on_b]: [[i64; 3]; 2], separation: i64, feature: u32) -> PointWords {
        let raw = |mantissa: i64| length(mantissa, self.candidates.exponent[self.lane]).to_bits();
        PointWords::new(on_a.map(raw), on_b.map(raw), raw(separation), feature)
    }
}

/// A normal in the axes of a, Q30, in those of the world.
fn edge_normal(a: &Record, n: [i64; 3]) -> Vec3 {
    let world = |row: usize| {
        let sum = a[6 + row] * n[0] + a[9 + row] * n[1] + a[12 + row] * n[2];
        Fx::from_bits(round_shift_i64(sum, 28))
    };
    Vec3::new(world(0), world(1), world(2)).normalize()
}
