//! A pair of boxes after its axes, one at a time again: the choice between faces and edges, and the points in the axes
//! of both.

use super::super::frame::{BLOCK, length};
use super::super::{ContactPoint, FeatureId, Manifold};
use super::axes::{Candidates, NO_EDGE};
use super::edges::{EdgeContact, edge_contact};
use super::faces::{AXIS_SHIFT, FLIPPED_BIT, SIDE_BIT};
use super::reference::{Face, Reference};
use super::{Column, Record};
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

    /// Writes the contact along the best axis to a manifold without points; the pair is near.
    pub(super) fn write(&self, records: [&Record; 2], manifold: &mut Manifold) {
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
                return;
            }
            let face = self.at(&candidates.separation_a).max(self.at(&candidates.separation_b));
            if contact.separation > face + self.at(&candidates.bias) {
                self.write_edge(records[0], &contact, manifold);
                return;
            }
        }
        self.write_faces(records, manifold);
    }

    fn write_edge(&self, a: &Record, contact: &EdgeContact, manifold: &mut Manifold) {
        let n = contact.normal;
        let world = |row: usize| {
            let sum = a[6 + row] * n[0] + a[9 + row] * n[1] + a[12 + row] * n[2];
            Fx::from_bits((sum + (1 << 27) + (sum >> 63)) >> 28)
        };
        manifold.normal = Vec3::new(world(0), world(1), world(2)).normalize();
        manifold.push(ContactPoint {
            anchor_a: self.vector(contact.on_a),
            anchor_b: self.vector(contact.on_b),
            separation: self.length(contact.separation),
            feature: contact.feature,
        });
    }

    fn write_faces(&self, records: [&Record; 2], manifold: &mut Manifold) {
        let (candidates, lane) = (self.candidates, self.lane);
        let overlap = &candidates.overlap;
        let face = Face::of(overlap.faces[lane] as u32);
        manifold.normal = face.normal(records);
        let count = self.at(&overlap.count) as usize;
        for (point, found) in manifold.points.iter_mut().zip(&overlap.points[..count]) {
            *point = ContactPoint::from(&found[lane]);
        }
        manifold.count = count as u8;
        let mut least = i64::MAX;
        for z in &overlap.z[..count] {
            least = least.min(self.at(z));
        }
        // The other box reaches deeper than the points do: beside the face, unless another of its faces is above it.
        let separation =
            self.at(if face.flipped { &candidates.separation_b } else { &candidates.separation_a });
        let slack = self.at(&candidates.bias) / 2;
        if least > separation + slack {
            self.add_deepest(face, least.saturating_sub(slack + 1), manifold);
        }
    }

    /// Adds the deepest point of the other box, up to a limit: in the place of the highest one where there are four.
    #[cold]
    fn add_deepest(&self, face: Face, limit: i64, manifold: &mut Manifold) {
        let overlap = &self.candidates.overlap;
        let reference = Reference::new(self, self.candidates, face);
        let limit = limit.min(self.at(&self.candidates.margin));
        let Some(deepest) = reference.deepest().filter(|found| found.position[2] <= limit) else { return };
        let faces = overlap.faces[self.lane] as u32 & (3 << AXIS_SHIFT | 1 << SIDE_BIT | 1 << FLIPPED_BIT);
        let point = self.point(&reference, deepest.position, deepest.feature | faces);
        match manifold.count {
            4 => {
                let highest = (0..4).max_by_key(|&index| (self.at(&overlap.z[index]), index)).unwrap_or(0);
                manifold.points[highest] = point;
            }
            _ => manifold.push(point),
        }
    }

    /// The contact at a point of the other box.
    fn point(&self, reference: &Reference, position: [i64; 3], feature: u32) -> ContactPoint {
        let on_reference = self.vector(reference.foot(position));
        let on_other = self.vector(reference.in_other(position));
        let (anchor_a, anchor_b) =
            if reference.face.flipped { (on_other, on_reference) } else { (on_reference, on_other) };
        ContactPoint { anchor_a, anchor_b, separation: self.length(position[2]), feature: FeatureId(feature) }
    }

    #[inline(always)]
    fn length(&self, mantissa: i64) -> Fx {
        length(mantissa, self.candidates.exponent[self.lane])
    }

    #[inline(always)]
    fn vector(&self, mantissas: [i64; 3]) -> Vec3 {
        Vec3::new(self.length(mantissas[0]), self.length(mantissas[1]), self.length(mantissas[2]))
    }
}
