//! The face of one box against the nearest face of the other: up to eight points of their overlap, reduced to
//! the four that keep its area.
//!
//! In the coordinates of the reference box: x and y along its face, z above it. The incident face is the
//! parallelogram c ± U ± W. Where its outline crosses the rectangle of the reference face, the crossings count
//! (D. D. Liang and B. A. Barsky, *A new concept and method for line clipping*, 1984); where a corner of the
//! rectangle lies within the parallelogram, the point of the incident plane above it does.

use super::super::FeatureId;
use super::super::frame::scale_q30;

/// The pair seen from the reference box: its half extents, and the other's centre, half extents and axes (by
/// columns, Q30) in its coordinates.
pub(super) struct Reference {
    pub(super) half: [i64; 3],
    pub(super) center: [i64; 3],
    pub(super) other_half: [i64; 3],
    pub(super) other_axes: [[i64; 3]; 3],
}

/// A point of the incident face in the coordinates of the reference box.
#[derive(Clone, Copy, Default)]
pub(super) struct FacePoint {
    pub(super) position: [i64; 3],
    /// Above the reference face.
    pub(super) separation: i64,
    pub(super) feature: FeatureId,
}

/// What a face contact consists of.
pub(super) struct FaceContact {
    /// +1 or −1: the side of the reference box on which the face lies.
    pub(super) side: i64,
    pub(super) points: [FacePoint; 4],
    pub(super) count: usize,
}

/// A candidate: x, y, z, and the features that make it.
#[derive(Clone, Copy, Default)]
struct Candidate {
    x: i64,
    y: i64,
    z: i64,
    feature: u32,
}

/// Candidates there can be: two to an edge of the incident face, and the corners of the reference face.
const MOST: usize = 12;

/// The contact of face `axis` of the reference box, with points up to `margin` above it.
pub(super) fn face_contact(reference: &Reference, axis: usize, margin: i64) -> FaceContact {
    let side = if reference.center[axis] < 0 { -1 } else { 1 };
    let (ax, ay) = ((axis + 1) % 3, (axis + 2) % 3);
    // The face of the other box that looks at the reference face the most.
    let facing = |j: usize| reference.other_axes[j][axis].abs();
    let mut incident = 0;
    for j in 1..3 {
        if facing(j) > facing(incident) {
            incident = j;
        }
    }
    let normal = reference.other_axes[incident];
    let inward = if (normal[axis] < 0) == (side < 0) { -1 } else { 1 };
    let (ju, jw) = ((incident + 1) % 3, (incident + 2) % 3);
    // Vectors as (x, y, z above the face).
    let local = |v: [i64; 3]| [v[ax], v[ay], v[axis] * side];
    let scaled = |j: usize, by: i64| {
        let axis = reference.other_axes[j];
        local([scale_q30(by, axis[0]), scale_q30(by, axis[1]), scale_q30(by, axis[2])])
    };
    let to_face = scaled(incident, reference.other_half[incident] * inward);
    let (u, w) = (scaled(ju, reference.other_half[ju]), scaled(jw, reference.other_half[jw]));
    let center = local(reference.center);
    let c = [center[0] + to_face[0], center[1] + to_face[1], center[2] + to_face[2] - reference.half[axis]];
    let (hx, hy) = (reference.half[ax], reference.half[ay]);

    let mut candidates = [Candidate::default(); MOST];
    let mut count = 0;
    let mut keep = |candidate: Candidate| {
        if candidate.z <= margin {
            candidates[count] = candidate;
            count += 1;
        }
    };
    clip_outline(c, u, w, hx, hy, &mut keep);
    corners_within(c, u, w, local(normal), hx, hy, &mut keep);

    let faces = (axis as u32) << 8
        | u32::from(side < 0) << 10
        | (incident as u32) << 11
        | u32::from(inward < 0) << 13;
    let point = |candidate: &Candidate| {
        let mut position = [0; 3];
        position[ax] = candidate.x;
        position[ay] = candidate.y;
        position[axis] = (candidate.z + reference.half[axis]) * side;
        FacePoint { position, separation: candidate.z, feature: FeatureId(candidate.feature | faces) }
    };
    let mut points = [FacePoint::default(); 4];
    let chosen = reduce(&candidates[..count]);
    let mut kept = 0;
    for index in chosen.into_iter().flatten() {
        points[kept] = point(&candidates[index]);
        kept += 1;
    }
    FaceContact { side, points, count: kept }
}

/// Where an edge of the outline crosses a side of the rectangle.
#[derive(Clone, Copy)]
struct Crossing {
    /// Along the edge from the end that lies within that side, Q30: the same whichever way the edge is walked.
    from_inside: i64,
    /// Which side, 1 to 4; 0 for none: the edge starts or ends within.
    side: u32,
}

impl Crossing {
    const NONE: Self = Self { from_inside: ONE, side: 0 };
}

/// The whole of an edge, Q30.
const ONE: i64 = 1 << 30;

/// Where the outline of the parallelogram enters, leaves or turns within the rectangle.
#[inline(always)]
fn clip_outline(c: [i64; 3], u: [i64; 3], w: [i64; 3], hx: i64, hy: i64, keep: &mut impl FnMut(Candidate)) {
    let vertex = |k: usize| {
        let (su, sw) = ([1, -1, -1, 1][k], [1, 1, -1, -1][k]);
        [c[0] + su * u[0] + sw * w[0], c[1] + su * u[1] + sw * w[1], c[2] + su * u[2] + sw * w[2]]
    };
    for k in 0..4 {
        let (from, to) = (vertex(k), vertex((k + 1) % 4));
        let (mut enter, mut exit) = (Crossing::NONE, Crossing::NONE);
        // Both are measured toward each other: nothing is left where they do not cover the edge.
        if !clip(from[0], to[0], hx, 1, &mut enter, &mut exit)
            || !clip(from[1], to[1], hy, 3, &mut enter, &mut exit)
            || enter.from_inside + exit.from_inside < ONE
        {
            continue;
        }
        let at = |inside: [i64; 3], outside: [i64; 3], crossing: Crossing, leaving: u32| Candidate {
            x: inside[0] + scale_q30(outside[0] - inside[0], crossing.from_inside),
            y: inside[1] + scale_q30(outside[1] - inside[1], crossing.from_inside),
            z: inside[2] + scale_q30(outside[2] - inside[2], crossing.from_inside),
            feature: k as u32 | crossing.side << 2 | leaving << 5,
        };
        keep(at(to, from, enter, 0));
        // An edge that ends within leaves its end to the next.
        if exit.side != 0 {
            keep(at(from, to, exit, 1));
        }
    }
}

/// Clips a line from `from` to `to` to ±`half` along one axis; false where nothing is left.
#[inline(always)]
fn clip(from: i64, to: i64, half: i64, side: u32, enter: &mut Crossing, exit: &mut Crossing) -> bool {
    for (sign, side) in [(1, side), (-1, side + 1)] {
        // How far the ends lie outside of this side.
        let (a, b) = (from * sign - half, to * sign - half);
        if a > 0 && b > 0 {
            return false;
        }
        let (crossing, inside, outside) = if a > 0 { (&mut *enter, b, a) } else { (&mut *exit, a, b) };
        if outside > 0 {
            let from_inside = (-inside << 30) / (outside - inside);
            if from_inside < crossing.from_inside {
                *crossing = Crossing { from_inside, side };
            }
        }
    }
    true
}

/// The corners of the rectangle within the parallelogram, at the height of its plane.
#[inline(always)]
fn corners_within(
    c: [i64; 3],
    u: [i64; 3],
    w: [i64; 3],
    normal: [i64; 3],
    hx: i64,
    hy: i64,
    keep: &mut impl FnMut(Candidate),
) {
    let area = (u[0] * w[1] - u[1] * w[0]).abs();
    for k in 0..4_u32 {
        let x = if k & 1 == 0 { hx } else { -hx };
        let y = if k & 2 == 0 { hy } else { -hy };
        let (dx, dy) = (x - c[0], y - c[1]);
        if (dx * w[1] - dy * w[0]).abs() < area && (u[0] * dy - u[1] * dx).abs() < area {
            // The incident plane holds c; its normal leans by less than 55° from z, as the nearest of three does.
            let z = c[2] - (normal[0] * dx + normal[1] * dy) / normal[2];
            keep(Candidate { x, y, z, feature: k | 1 << 6 });
        }
    }
}

/// Of more than four candidates the four that span the most: the deepest, with regard to how far out it is; the
/// farthest from it; and on each side of their line the farthest from that.
#[inline(always)]
fn reduce(candidates: &[Candidate]) -> [Option<usize>; 4] {
    if candidates.len() <= 4 {
        return core::array::from_fn(|index| (index < candidates.len()).then_some(index));
    }
    // Out along one axis more than along the other, which mirrors; a 4096th of it, so that noise in the depth does
    // not decide.
    let first = best(candidates, |p| ((p.x.abs() * 5 + p.y.abs() * 11) >> 16) - p.z);
    let a = candidates[first];
    let second = best(candidates, |p| square(p.x - a.x) + square(p.y - a.y));
    let b = candidates[second];
    let area = |p: &Candidate| (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    let third = best(candidates, area);
    let fourth = best(candidates, |p| -area(p));
    let left = area(&candidates[third]) > 0;
    let right = area(&candidates[fourth]) < 0;
    [Some(first), Some(second), left.then_some(third), right.then_some(fourth)]
}

#[inline(always)]
fn square(x: i64) -> i64 {
    x * x
}

/// The index of the greatest score; the first of equals.
#[inline(always)]
fn best(candidates: &[Candidate], score: impl Fn(&Candidate) -> i64) -> usize {
    let mut best = (0, score(&candidates[0]));
    for (index, candidate) in candidates.iter().enumerate().skip(1) {
        let score = score(candidate);
        if score > best.1 {
            best = (index, score);
        }
    }
    best.0
}
