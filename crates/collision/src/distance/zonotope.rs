//! The point of D + Σ s g, s in [−1, 1], that is closest to the origin.
//!
//! Up to one span, and for a point against a box, whose spans are orthogonal, every coefficient is a clamped
//! quotient of its own; so it is for two boxes along the axes of the world, as parallel spans count as one.
//! Two segments span a parallelogram. For the rest, a box against a segment or a box: if the origin lies
//! outside, the closest point lies on a facet whose plane separates the origin from the body, because the
//! direction from the closest point to the origin is a positive sum of the normals of the facets that meet
//! there, and one of them must point the same way. A facet is spanned by two of the spans; the others stand
//! at the end that their product with the normal n = g₁ × g₂ tells,
//!
//! ```text
//! P = D − sign(D · n) Σ sign(g · n) g        separating if |D · n| > Σ |g · n|
//! ```
//!
//! which is the separating axis test. So at most 15 parallelograms are looked at, without iteration. All signs
//! are exact: the body is the one of the coarse words, within a few of its units (2⁻⁴¹ of the pair) of the given
//! one, and the point that is found is then taken on the body of the fine words.

use super::arithmetic::{UNIT, UNIT_BITS, clamped_ratio, cross, product, ratio, round_shift, wide_dot};
use super::pair::{Pair, coarse};
use super::parallelogram::{self, Foot};
use crate::exact::{dot, length_squared};

/// The closest point: its coefficients in Q60, and where it is, which is from the core of a to that of b.
#[derive(Clone, Copy)]
pub(crate) struct Closest {
    pub(crate) coefficients: [i64; 6],
    pub(crate) residual: [i64; 3],
    /// The direction of the residual. Next to the body it is known better than the residual itself.
    pub(crate) toward: [i64; 3],
    squared: i128,
}

impl Closest {
    pub(crate) const NONE: Self =
        Self { coefficients: [0; 6], residual: [0; 3], toward: [0; 3], squared: i128::MAX };

    /// The point with these coefficients of the body around `offset`.
    pub(crate) fn at(pair: &Pair, offset: [i64; 3], coefficients: [i64; 6]) -> Self {
        let residual = core::array::from_fn(|axis| {
            let sum: i128 = (0..pair.count).map(|i| product(coefficients[i], pair.fine[i][axis])).sum();
            offset[axis] + round_shift(sum, UNIT_BITS) as i64
        });
        Self { coefficients, residual, toward: residual, squared: length_squared(residual) }
    }

    /// The coefficients that are not at an end once more, on fine words: the residual is then across their spans
    /// within a few units.
    fn polished(self, pair: &Pair, offset: [i64; 3]) -> Self {
        let mut free = [0; 6];
        let mut count = 0;
        for i in (0..pair.count).filter(|&i| self.coefficients[i].abs() < UNIT) {
            free[count] = i;
            count += 1;
        }
        let along = |i: usize| dot(self.residual, pair.fine[i]);
        let square = |i: usize| length_squared(pair.fine[i]);
        let changes = match free[..count] {
            [i] if square(i) > 0 => [clamped_ratio(-along(i), square(i)), 0],
            [i, j] => {
                let between = dot(pair.fine[i], pair.fine[j]);
                match normal_equations(along(i), along(j), square(i), between, square(j)) {
                    Some(changes) => changes,
                    None if square(i).min(square(j)) == 0 => return self,
                    // Nearly parallel: the longer alone.
                    None if square(i) >= square(j) => [clamped_ratio(-along(i), square(i)), 0],
                    None => [0, clamped_ratio(-along(j), square(j))],
                }
            }
            _ => return self,
        };
        let mut coefficients = self.coefficients;
        for (&i, change) in free[..count].iter().zip(changes) {
            coefficients[i] = (coefficients[i] + change).clamp(-UNIT, UNIT);
        }
        Self::at(pair, offset, coefficients)
    }

    /// For the foot on the plane of u and v, fine words: the direction is that of the normal u × v, if that is
    /// known better.
    ///
    /// An error of a unit turns the residual by 1 / |residual|, the normal by |u| / |u × v| or |v| / |u × v|.
    fn facing(self, u: [i64; 3], v: [i64; 3]) -> Self {
        let bits = |v: [i128; 3]| {
            128 - (v[0].unsigned_abs() | v[1].unsigned_abs() | v[2].unsigned_abs()).leading_zeros()
        };
        let normal = cross(u, v);
        let normal_bits = bits(normal);
        let side_bits = bits(u.map(i128::from)).max(bits(v.map(i128::from)));
        if normal_bits <= bits(self.residual.map(i128::from)) + side_bits {
            return self;
        }
        let outward = normal.map(|word| round_shift(word, normal_bits.saturating_sub(60)) as i64);
        let sign = dot(outward, self.residual).signum() as i64;
        if sign == 0 { self } else { Self { toward: outward.map(|word| word * sign), ..self } }
    }

    /// The lesser of both, the first for a tie.
    fn or_closer(self, other: Self) -> Self {
        if other.squared < self.squared { other } else { self }
    }
}

/// The small changes x, y in Q60 with a x + b y = −p and b x + c y = −q, to about 20 bits; `None` where the
/// determinant is below 2⁻²⁰ of a c, or they are not small.
fn normal_equations(p: i128, q: i128, a: i128, b: i128, c: i128) -> Option<[i64; 2]> {
    let bits = |v: i128| 128 - v.unsigned_abs().leading_zeros();
    // a, b, c in 40 bits and p, q in 60.
    let (dropped, less) = (bits(a | c).saturating_sub(40), bits(p.abs() | q.abs()).saturating_sub(60));
    let (a, b, c) = (round_shift(a, dropped), round_shift(b, dropped), round_shift(c, dropped));
    let (p, q) = (round_shift(p, less), round_shift(q, less));
    let determinant = a * c - b * b;
    let shift = dropped.checked_sub(less + 32)?;
    if determinant <= (a * c) >> 20 {
        return None;
    }
    let solve = |numerator: i128| match ratio(numerator, determinant << 32) {
        change if change.abs() < UNIT => Some(round_shift(change.into(), shift) as i64),
        _ => None,
    };
    Some([solve(q * b - p * c)?, solve(p * b - q * a)?])
}

/// The closest point of the cores of `pair` around `offset`; `None` if they overlap or touch.
pub(crate) fn closest(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let found = match pair.count {
        _ if pair.is_orthogonal() => orthogonal(pair, offset),
        2 => between_segments(pair, offset),
        _ => by_facets(pair, offset)?,
    };
    if found.squared == 0 { None } else { Some(found) }
}

/// For orthogonal spans.
fn orthogonal(pair: &Pair, offset: [i64; 3]) -> Closest {
    let mut coefficients = [0; 6];
    for (coefficient, &span) in coefficients.iter_mut().zip(&pair.fine).take(pair.count) {
        let square = length_squared(span);
        if square > 0 {
            *coefficient = clamped_ratio(-dot(offset, span), square);
        }
    }
    Closest::at(pair, offset, coefficients)
}

fn between_segments(pair: &Pair, offset: [i64; 3]) -> Closest {
    let [u, v] = [pair.coarse[0], pair.coarse[1]];
    let normal = cross(u, v);
    let foot = parallelogram::closest(offset.map(coarse), u, v, normal);
    let (found, is_inside) = with_foot(pair, offset, [0; 6], [0, 1], foot);
    let found = found.polished(pair, offset);
    if is_inside { found.facing(pair.fine[0], pair.fine[1]) } else { found }
}

/// The closest point over the feet of a parallelogram spanned by `sides`, and whether it is the foot on its plane.
fn with_foot(
    pair: &Pair,
    offset: [i64; 3],
    coefficients: [i64; 6],
    sides: [usize; 2],
    foot: Foot,
) -> (Closest, bool) {
    let at = |[s, t]: [i64; 2]| {
        let mut coefficients = coefficients;
        coefficients[sides[0]] = s;
        coefficients[sides[1]] = t;
        Closest::at(pair, offset, coefficients)
    };
    match foot {
        Foot::Inside(both) => (at(both), true),
        Foot::Edges(edge, None) => (at(edge), false),
        Foot::Edges(edge, Some(other)) => (at(edge).or_closer(at(other)), false),
    }
}

fn by_facets(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let center = offset.map(coarse);
    let mut best = Closest::NONE;
    for i in 0..pair.count {
        for j in i + 1..pair.count {
            let normal = cross(pair.coarse[i], pair.coarse[j]);
            let Some(facet) = Facet::separating(pair, center, [i, j], normal) else { continue };
            let (found, is_closest) = facet.closest(pair, offset, center);
            best = best.or_closer(found);
            if is_closest {
                let found = found.polished(pair, offset);
                return Some(found.facing(pair.fine[i], pair.fine[j]));
            }
        }
    }
    // A body without a separating plane holds the origin.
    if best.squared == i128::MAX { None } else { Some(best.polished(pair, offset)) }
}

/// A pair of opposite facets, or rather the nearer of them.
pub(crate) struct Facet {
    sides: [usize; 2],
    normal: [i128; 3],
    /// Of every span but the sides, the coefficient at the facet, −1, 0 or 1: 0 for spans along the facet.
    signs: [i64; 6],
}

impl Facet {
    /// The facet of `sides` next to the origin, if its plane separates.
    fn separating(pair: &Pair, center: [i64; 3], sides: [usize; 2], normal: [i128; 3]) -> Option<Self> {
        let along = wide_dot(normal, center);
        let (facet, reach) = Self::new(pair, along, sides, normal);
        if along.abs() > reach { Some(facet) } else { None }
    }

    /// The facet of `sides` next to a point that lies `along` against the normal from the centre; and Σ |g · n|.
    pub(crate) fn new(pair: &Pair, along: i128, sides: [usize; 2], normal: [i128; 3]) -> (Self, i128) {
        let mut signs = [0; 6];
        let mut reach = 0;
        for k in (0..pair.count).filter(|k| !sides.contains(k)) {
            let part = wide_dot(normal, pair.coarse[k]);
            signs[k] = -(part.signum() * along.signum()) as i64;
            reach += part.abs();
        }
        (Self { sides, normal, signs }, reach)
    }

    /// The point of the facet that is closest to the origin, and whether that is the foot on its plane.
    ///
    /// Where spans lie along the facet, as for boxes with parallel faces, it is larger than a parallelogram.
    /// Those of the sides at all ends of these spans cover it together with those of the other sides.
    pub(crate) fn closest(&self, pair: &Pair, offset: [i64; 3], center: [i64; 3]) -> (Closest, bool) {
        let mut along = [0; 4];
        let mut count = 0;
        for k in (0..pair.count).filter(|&k| self.signs[k] == 0 && !self.sides.contains(&k)) {
            along[count] = k;
            count += 1;
        }
        let mut best = Closest::NONE;
        for ends in 0..1 << count {
            let mut signs = self.signs;
            for (bit, &k) in along[..count].iter().enumerate() {
                signs[k] = if ends >> bit & 1 == 0 { -1 } else { 1 };
            }
            let p = core::array::from_fn(|axis| {
                center[axis] + (0..pair.count).map(|k| signs[k] * pair.coarse[k][axis]).sum::<i64>()
            });
            let [u, v] = self.sides.map(|side| pair.coarse[side]);
            let foot = parallelogram::closest(p, u, v, self.normal);
            let (found, is_closest) =
                with_foot(pair, offset, signs.map(|sign| sign * UNIT), self.sides, foot);
            if is_closest {
                return (found, true);
            }
            best = best.or_closer(found);
        }
        (best, false)
    }
}
