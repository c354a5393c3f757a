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
    /// What lengths were multiplied by, as a power of two.
    pub(crate) scale: u32,
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

/// A direction to test, from a to b, and the gap along it. By number: 0..3 faces of a, 3..6 faces of b,
/// 6 + 3 i + j the edges aᵢ × bⱼ.
#[derive(Clone, Copy)]
pub(crate) struct Separation {
    /// Q60.
    pub(crate) direction: [i64; 3],
    /// In scaled units with [`GAP_BITS`] fraction bits: below zero where the boxes overlap.
    pub(crate) gap: i128,
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
            scale,
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
                if let Some(separation) = self.edge(axis) {
                    match separation.gap {
                        1.. => return Ordering::Greater,
                        0 => touching = true,
                        _ => {}
                    }
                }
            }
        }
        if touching { Ordering::Equal } else { Ordering::Less }
    }

    /// The direction along which the boxes overlap least, or are apart the most; the first of equals.
    pub(crate) fn best(&self) -> Separation {
        let faces = (0..6).map(|axis| self.face(axis));
        let edges = (6..15).filter_map(|axis| self.edge(axis));
        let mut best = self.face(0);
        for separation in faces.skip(1).chain(edges) {
            if separation.gap > best.gap {
                best = separation;
            }
        }
        best
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

    fn face(&self, axis: usize) -> Separation {
        let normal = if axis < 3 { self.axes_a[axis] } else { self.axes_b[axis - 3] };
        Separation { direction: self.toward_b(normal.map(|n| n << 2)), gap: self.face_gap(axis) }
    }

    /// |n| g along the cross product of two edges.
    fn scaled_edge_gap(&self, axis: usize) -> i128 {
        let (i, j) = ((axis - 6) / 3, (axis - 6) % 3);
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        let r = |i: usize, j: usize| self.r[i][j].abs();
        (product(self.t[i2], self.r[i1][j]) - product(self.t[i1], self.r[i2][j])).abs()
            - product(self.half_a[i1], r(i2, j))
            - product(self.half_a[i2], r(i1, j))
            - product(self.half_b[j1], r(i, j2))
            - product(self.half_b[j2], r(i, j1))
    }

    /// The cross product of two edges as a direction with the gap along it; `None` for parallel ones.
    fn edge(&self, axis: usize) -> Option<Separation> {
        let (a, b) = (self.axes_a[(axis - 6) / 3], self.axes_b[(axis - 6) % 3]);
        let direction = direction(cross(a, b))?;
        let gap = self.gap_along(direction);
        Some(Separation { direction: self.toward_b(direction), gap })
    }

    /// g along any unit vector, Q60.
    fn gap_along(&self, n: [i64; 3]) -> i128 {
        let reach = |halves: [i64; 3], axes: [[i64; 3]; 3]| {
            // Q118 to Q58.
            let cosines = axes.map(|axis| round(dot(axis, n), 60).abs());
            dot(halves, cosines)
        };
        let along = dot(self.d, n).abs();
        round_wide(along, 60 - GAP_BITS) - reach(self.half_a, self.axes_a) - reach(self.half_b, self.axes_b)
    }

    /// The direction or its opposite, whichever points from a to b; as it is where the centres decide nothing.
    fn toward_b(&self, n: [i64; 3]) -> [i64; 3] {
        if dot(self.d, n) < 0 { n.map(|x| -x) } else { n }
    }

    /// A gap in units of 2⁻³², to nearest.
    pub(crate) fn length_of(&self, gap: i128) -> Fx {
        Fx::from_bits(round_wide(gap, self.scale + GAP_BITS) as i64)
    }
}

/// a × b, Q116.
fn cross(a: [i64; 3], b: [i64; 3]) -> [i128; 3] {
    let product = |i: usize, j: usize| i128::from(a[i]) * i128::from(b[j]);
    [product(1, 2) - product(2, 1), product(2, 0) - product(0, 2), product(0, 1) - product(1, 0)]
}

/// The unit vector across two vectors, Q60; `None` where they are parallel within 2⁻³¹, or one is zero.
pub(crate) fn unit_across(a: [i64; 3], b: [i64; 3]) -> Option<[i64; 3]> {
    // As unit vectors in Q58, so that their product means a sine.
    let unit = |v: [i64; 3]| {
        let unit = Vec3::from_array(v.map(Fx::from_bits)).normalize_q62()?;
        Some(unit.map(|x| round(i128::from(x), 62 - AXIS_BITS)))
    };
    direction(cross(unit(a)?, unit(b)?))
}

/// The unit vector along the product of two unit vectors, Q60; `None` where they are parallel.
fn direction(v: [i128; 3]) -> Option<[i64; 3]> {
    let magnitude = v.iter().fold(0, |all, x| all | x.unsigned_abs());
    if (magnitude as i128) < PARALLEL {
        return None;
    }
    // At least 20 bits; by rounding, so that the opposite direction has the opposite words.
    let drop = 66 - magnitude.leading_zeros();
    let words = v.map(|x| Fx::from_bits(round(x, drop)));
    Vec3::from_array(words).normalize_q62().map(|n| n.map(|x| round(i128::from(x), 2)))
}

/// `v / 2^bits` to nearest, ties away from zero.
fn round_wide(v: i128, bits: u32) -> i128 {
    (v + (1 << (bits - 1)) + (v >> 127)) >> bits
}

fn round(v: i128, bits: u32) -> i64 {
    round_wide(v, bits) as i64
}

/// A product with an axis back to the scale of the other factor.
fn narrow(v: i128) -> i64 {
    round(v, AXIS_BITS)
}
