//! Integers, where an answer is to be exact.

use crate::reference::{is_axis_aligned, raw, rotation};
use isostep_collision::{Obb, Shape};
use isostep_math::Vec3;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// The extents of an axis-aligned box along the axes of the world.
fn upright_halves(obb: &Obb) -> Option<[i128; 3]> {
    let halves = raw(obb.half_extents());
    let (columns, _) = rotation(obb.rotation());
    let along = |row: usize| (0..3).find(|&axis| columns[axis][row] != 0).map_or(0, |axis| halves[axis]);
    is_axis_aligned(obb).then(|| [0, 1, 2].map(along))
}

fn difference(a: Vec3, b: Vec3) -> [i128; 3] {
    let (a, b) = (raw(a), raw(b));
    [0, 1, 2].map(|axis| b[axis] - a[axis])
}

/// How two shapes stand to each other, for the pairs of which the answer is promised to be exact.
pub(crate) fn relation(a: &Shape, b: &Shape) -> Option<Ordering> {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => {
            let square: BigInt =
                difference(a.center(), b.center()).map(|part| BigInt::from(part).pow(2)).iter().sum();
            let reach = BigInt::from(a.radius().to_bits()) + b.radius().to_bits();
            Some(square.cmp(&reach.pow(2)))
        }
        (Shape::Sphere(ball), Shape::Box(obb)) | (Shape::Box(obb), Shape::Sphere(ball)) => {
            let halves = upright_halves(obb)?;
            let way = difference(obb.center(), ball.center());
            let square: BigInt =
                (0..3).map(|axis| BigInt::from((way[axis].abs() - halves[axis]).max(0)).pow(2)).sum();
            Some(square.cmp(&BigInt::from(ball.radius().to_bits()).pow(2)))
        }
        (Shape::Box(a), Shape::Box(b)) => {
            let (first, second) = (upright_halves(a)?, upright_halves(b)?);
            let way = difference(a.center(), b.center());
            // Apart along one axis is apart; overlapping along all is penetrating.
            (0..3).map(|axis| way[axis].abs().cmp(&(first[axis] + second[axis]))).max()
        }
        (Shape::HalfSpace(plane), shape) | (shape, Shape::HalfSpace(plane)) => {
            let normal = raw(plane.normal());
            let axis = (0..3).find(|&axis| normal[axis].abs() == 1 << 32)?;
            if normal.iter().filter(|&&part| part != 0).count() != 1 {
                return None;
            }
            let height = |point: Vec3| difference(plane.point(), point)[axis] * normal[axis].signum();
            match shape {
                Shape::Sphere(ball) => Some(height(ball.center()).cmp(&ball.radius().to_bits().into())),
                Shape::Capsule(c) => Some(height(c.a()).min(height(c.b())).cmp(&c.radius().to_bits().into())),
                Shape::Box(obb) => Some(height(obb.center()).cmp(&upright_halves(obb)?[axis])),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The largest gap of two boxes along their fifteen axes: its sign, exact, and its value within 2⁻⁴⁹ of itself.
///
/// With the integer axes A = |q|² a and squares N = |q|² of both boxes, and n = Aᵢ, Bⱼ or Aᵢ × Bⱼ,
///
/// ```text
/// Nᵃ Nᵇ |n| gap(n) = Nᵃ Nᵇ |D · n| − Nᵇ Σ hᵃ |A · n| − Nᵃ Σ hᵇ |B · n|
/// ```
///
/// is an integer of about 320 bits.
pub(crate) fn facet_gap(a: &Obb, b: &Obb) -> (Ordering, f64) {
    let ((axes_a, square_a), (axes_b, square_b)) = (rotation(a.rotation()), rotation(b.rotation()));
    let way = difference(a.center(), b.center()).map(BigInt::from);
    let big = |axes: [[i128; 3]; 3]| axes.map(|axis| axis.map(BigInt::from));
    let (axes_a, axes_b) = (big(axes_a), big(axes_b));
    let (square_a, square_b) = (BigInt::from(square_a), BigInt::from(square_b));
    let dot = |v: &[BigInt; 3], w: &[BigInt; 3]| &v[0] * &w[0] + &v[1] * &w[1] + &v[2] * &w[2];
    let reach = |halves: Vec3, axes: &[[BigInt; 3]; 3], n: &[BigInt; 3]| {
        let halves = raw(halves);
        (0..3)
            .map(|axis| BigInt::from(dot(&axes[axis], n).magnitude().clone()) * halves[axis])
            .sum::<BigInt>()
    };
    let mut directions: Vec<[BigInt; 3]> = axes_a.iter().chain(&axes_b).cloned().collect();
    for v in &axes_a {
        for w in &axes_b {
            let product = |i: usize, j: usize| &v[i] * &w[j] - &v[j] * &w[i];
            directions.push([product(1, 2), product(2, 0), product(0, 1)]);
        }
    }
    let mut best: Option<(Ordering, f64)> = None;
    for n in &directions {
        let own = dot(n, n);
        if own.sign() == Sign::NoSign {
            continue;
        }
        let along = BigInt::from(dot(&way, n).magnitude().clone()) * &square_a * &square_b;
        let gap = along
            - &square_b * reach(a.half_extents(), &axes_a, n)
            - &square_a * reach(b.half_extents(), &axes_b, n);
        let sign = gap.sign().cmp(&Sign::NoSign);
        let value = real(&gap) / (real(&own).sqrt() * real(&square_a) * real(&square_b));
        if best.is_none_or(|(_, least)| value > least) {
            best = Some((sign, value));
        }
    }
    best.expect("axes are no zero vectors")
}

/// Within 2⁻⁵² of itself.
fn real(integer: &BigInt) -> f64 {
    let drop = integer.bits().saturating_sub(64);
    let leading: BigInt = integer >> drop;
    let leading = i128::try_from(leading).expect("64 bits");
    leading as f64 * (drop as f64).exp2()
}
