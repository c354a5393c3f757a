//! Edge against edge: the closest points of two segments.

use super::super::FeatureId;
use super::super::frame::scale_q30;
use super::reference::along;

/// The contact of edge `i` of a and edge `j` of b, in the coordinates of a.
pub(super) struct EdgeContact {
    /// Unit vector from a to b, Q30.
    pub(super) normal: [i64; 3],
    pub(super) separation: i64,
    pub(super) on_a: [i64; 3],
    pub(super) on_b: [i64; 3],
    pub(super) feature: FeatureId,
}

/// `r` holds bⱼ in the coordinates of a by columns: `r[i][j]` = aᵢ · bⱼ, Q30.
pub(super) fn edge_contact(
    t: [i64; 3],
    half_a: [i64; 3],
    half_b: [i64; 3],
    r: [[i64; 3]; 3],
    edge: usize,
) -> EdgeContact {
    let (i, j) = (edge / 3, edge % 3);
    let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
    // eᵢ × bⱼ, toward b.
    let (y, z) = (-r[i2][j], r[i1][j]);
    let toward = if t[i1] * y + t[i2] * z < 0 { -1 } else { 1 };
    let square = y * y + z * z;
    let length = square.isqrt().max(1);
    // Half of l is added for rounding to nearest; the sign goes in last.
    let unit = |x: i64| ((x.abs() << 30) + length / 2) / length * x.signum() * toward;
    let mut normal = [0; 3];
    (normal[i1], normal[i2]) = (unit(y), unit(z));

    // The edge of each box that reaches farthest toward the other.
    let side = |x: i64| if x < 0 { -1 } else { 1 };
    let (mut middle_a, mut middle_b, mut on_b) = ([0; 3], t, [0; 3]);
    middle_a[i1] = side(normal[i1]) * half_a[i1];
    middle_a[i2] = side(normal[i2]) * half_a[i2];
    let mut sides = u32::from(normal[i1] < 0) | u32::from(normal[i2] < 0) << 1;
    let b = |j: usize| [r[0][j], r[1][j], r[2][j]];
    for (bit, k) in [(2, (j + 1) % 3), (3, (j + 2) % 3)] {
        let axis = b(k);
        let facing = axis[0] * normal[0] + axis[1] * normal[1] + axis[2] * normal[2];
        for row in 0..3 {
            middle_b[row] -= side(facing) * scale_q30(half_b[k], axis[row]);
        }
        on_b[k] = -side(facing) * half_b[k];
        sides |= u32::from(facing < 0) << bit;
    }

    // The points pₐ + s eᵢ and p_b + v bⱼ are closest where their difference is perpendicular to both:
    // s = (ρᵢ − c ρ·bⱼ) / l², v = (c ρᵢ − ρ·bⱼ) / l² with ρ = p_b − pₐ, c = Rᵢⱼ; ρᵢ − c ρ·bⱼ only needs the part of
    // ρ across bⱼ.
    let rho = [0, 1, 2].map(|row| middle_b[row] - middle_a[row]);
    let axis_b = b(j);
    let along_b = along(rho, axis_b);
    let c = r[i][j];
    let l2 = (square >> 30).max(1);
    let s = ((rho[i] - scale_q30(along_b, c)) << 30) / l2;
    let v = ((scale_q30(rho[i], c) - along_b) << 30) / l2;
    let (s, v) = (s.clamp(-half_a[i], half_a[i]), v.clamp(-half_b[j], half_b[j]));
    let mut on_a = middle_a;
    on_a[i] = s;
    on_b[j] = v;

    // Along the normal, not between the clamped points.
    let separation = along(rho, normal);
    EdgeContact { normal, separation, on_a, on_b, feature: FeatureId(1 << 16 | (edge as u32) << 8 | sides) }
}
