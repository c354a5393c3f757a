//! The separating-axis test of two boxes in full precision.
//!
//! Everything of the pair is scaled by one power of two so that its largest length fills 58 bits; axes have 58
//! fraction bits. With d the vector between the centres, hᵃ and hᵇ the half extents, Rᵢⱼ = aᵢ · bⱼ and t = d in
//! the axes of a, the boxes are apart along a direction n by
//!
//! g(n) = |d · n| − Σ hᵃᵢ |aᵢ · n| − Σ hᵇⱼ |bⱼ · n|,
//!
//! and they are disjoint iff g > 0 for one of the three aᵢ, the three bⱼ or the nine aᵢ × bⱼ (S. Gottschalk,
//! *Separating axis theorem for oriented bounding boxes*, 1996). For n = aᵢ × bⱼ, of length √(1 − Rᵢⱼ²), with
//! (i, i₁, i₂) and (j, j₁, j₂) cyclic,
//!
//! |n| g = |t_{i₂} R_{i₁j} − t_{i₁} R_{i₂j}| − hᵃ_{i₁} |R_{i₂j}| − hᵃ_{i₂} |R_{i₁j}| − hᵇ_{j₁} |R_{ij₂}| − hᵇ_{j₂} |R_{ij₁}|.
//!
//! That form loses precision as the edges become parallel; where it cannot decide, the direction itself is
//! formed and normalised, and g computed along it.

use crate::distance::arithmetic::{cross, leading, product, round_shift, unit};
use crate::exact::{AXIS_BITS, dot, relative};
use crate::shape::Obb;
use core::cmp::Ordering;
use isostep_math::{Fx, Vec3};

/// Bits of the largest length of a pair after scaling.
const LENGTH_BITS: u32 = 58;
/// Fraction bits of a gap below the scaled unit.
const GAP_BITS: u32 = AXIS_BITS;
/// What rounding can add to |n| g of an edge direction: half a unit for each of the entries and coordinates in
/// its eight products of at most 2^58 · 2^58, doubled.
const EDGE_ERROR: i128 = 1 << (GAP_BITS + 4);
/// Below this sine, 2⁻³¹, two edges count as parallel: what their cross product could tell apart beyond the
/// face normals is less than half a unit of 2⁻³² per metre of size.
const PARALLEL: i128 = 1 << (2 * AXIS_BITS - 31);

/// Two boxes in a common scale.
pub(crate) struct BoxPair {
    /// From the centre of a to that of b.
    d: [i64; 3],
    half_a: [i64; 3],
    half_b: [i64; 3],
    axes_a: [[i64; 3]; 3],
    axes_b: [[i64; 3]; 3],
    /// d in the axes of a.
    t: [i64; 3],
    /// aᵢ · bⱼ, rounded.
    r: [[i64; 3]; 3],
}

impl BoxPair {
    /// `None` where the centres are too far apart for the boxes to meet.
    pub(crate) fn new(a: &Obb, b: &Obb) -> Option<Self> {
        let d = relative(b.center(), a.center())?;
        let bits = |v: Vec3| v.to_array().map(Fx::to_bits);
        let (half_a, half_b) = (bits(a.half_extents()), bits(b.half_extents()));
        let largest = [d, half_a, half_b].iter().flatten().fold(0, |all, length| all | length.unsigned_abs());
        let scale = largest.leading_zeros() - (64 - LENGTH_BITS);
        let scaled = |v: [i64; 3]| v.map(|length| length << scale);
        let (d, axes_a, axes_b) = (scaled(d), a.axes_q58(), b.axes_q58());
        Some(Self {
            d,
            half_a: scaled(half_a),
            half_b: scaled(half_b),
            axes_a,
            axes_b,
            t: axes_a.map(|axis| narrow(dot(d, axis))),
            r: axes_a.map(|axis_a| axes_b.map(|axis_b| narrow(dot(axis_a, axis_b)))),
        })
    }

    /// Whether the boxes are apart (`Greater`), touch (`Equal`) or penetrate (`Less`).
    pub(crate) fn relation(&self) -> Ordering {
        let mut touching = false;
        for axis in 0..6 {
            match self.face_gap(axis) {
                1.. => return Ordering::Greater,
                0 => touching = true,
                _ => {}
            }
        }
        for axis in 6..15 {
            let scaled = self.scaled_edge_gap(axis);
            if scaled > EDGE_ERROR {
                return Ordering::Greater;
            }
            if scaled >= -EDGE_ERROR {
                match self.edge_gap(axis) {
                    Some(1..) => return Ordering::Greater,
                    Some(0) => touching = true,
                    _ => {}
                }
            }
        }
        if touching { Ordering::Equal } else { Ordering::Less }
    }

    /// g along a face normal.
    fn face_gap(&self, axis: usize) -> i128 {
        let (along, half, halves, cosines) = if axis < 3 {
            (dot(self.d, self.axes_a[axis]), self.half_a[axis], self.half_b, self.r[axis])
        } else {
            let j = axis - 3;
            let column = [self.r[0][j], self.r[1][j], self.r[2][j]];
            (dot(self.d, self.axes_b[j]), self.half_b[j], self.half_a, column)
        };
        along.abs() - (i128::from(half) << GAP_BITS) - dot(halves, cosines.map(i64::abs))
    }

    /// |n| g along the cross product of two edges.
    fn scaled_edge_gap(&self, axis: usize) -> i128 {
        let (i, j) = ((axis - 6) / 3, (axis - 6) % 3);
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let r = |i: usize, j: usize| self.r[i][j].abs();
        (product(self.t[i2], self.r[i1][j]) - product(self.t[i1], self.r[i2][j])).abs()
            - product(self.half_a[i1], r(i2, j))
            - product(self.half_a[i2], r(i1, j))
            - product(self.half_b[j1], r(i, j2))
            - product(self.half_b[j2], r(i, j1))
    }

    /// g along the cross product of two edges; `None` for parallel ones.
    fn edge_gap(&self, axis: usize) -> Option<i128> {
        let (a, b) = (self.axes_a[(axis - 6) / 3], self.axes_b[(axis - 6) % 3]);
        Some(self.gap_along(direction(cross(a, b))?))
    }

    /// g along any unit vector, Q60.
    fn gap_along(&self, n: [i64; 3]) -> i128 {
        let reach = |halves: [i64; 3], axes: [[i64; 3]; 3]| {
            // Q118 to Q58.
            let cosines = axes.map(|axis| (round_shift(dot(axis, n), 60) as i64).abs());
            dot(halves, cosines)
        };
        let along = dot(self.d, n).abs();
        round_shift(along, 60 - GAP_BITS) - reach(self.half_a, self.axes_a) - reach(self.half_b, self.axes_b)
    }
}

/// The unit vector along the product of two unit vectors, Q60; `None` where they are parallel.
fn direction(v: [i128; 3]) -> Option<[i64; 3]> {
    let magnitude = v.iter().fold(0, |all, x| all | x.unsigned_abs());
    if (magnitude as i128) < PARALLEL { None } else { unit(leading(v).0) }
}

/// A product with an axis back to the scale of the other factor.
fn narrow(v: i128) -> i64 {
    round_shift(v, AXIS_BITS) as i64
}
