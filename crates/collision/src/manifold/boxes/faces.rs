//! The face of one box against the nearest face of the other, in lanes of pairs: up to twelve points of their overlap,
//! reduced to the four that keep its area.
//!
//! In the coordinates of the reference box: x and y along its face, z above it. The incident face is the
//! parallelogram c ± u ± w. Where its outline crosses the rectangle of the reference face, the crossings count
//! (D. D. Liang and B. A. Barsky, *A new concept and method for line clipping*, 1984); where a corner of the
//! rectangle lies within the parallelogram, the point of the incident plane above it does.
//!
//! Boxes of equal size stacked on each other have outlines that coincide but for noise. So that their features do not
//! change with it, corners of the incident face count as within up to a little beyond the rectangle (the `slop`):
//! what the outline meets is decided by the rectangle so grown, where its points lie by the rectangle itself. Faces
//! that overlap only because of that have no points.
#![allow(
    clippy::needless_range_loop,
    reason = "columns and axes are addressed by number, as in the formulas"
)]

use super::super::frame::Scale;
use super::anchors::{Overlap, View, put_anchors};
use isostep_math::wide::{Backend, Lanes, Mask, add3, sub3};

/// Points there can be: two to an edge of the incident face, and the corners of the reference face.
pub(super) const MOST: usize = 12;

/// Bits of a feature below this one say what of the two faces meets: a side of the face of a and one of b ([`SIDES`]), a
/// corner of either ([`CORNER`]), or the deepest point, of no pair of faces (bit 7). The others name the two faces. Which of
/// them is the reference does not show: of two plates that lie on each other either may be, as noise has it.
pub(super) const AXIS_SHIFT: u32 = 8;
/// The face is that of the negative side of its axis.
pub(super) const SIDE_BIT: u32 = 10;
/// From the bits of the face of a to those of b.
const FACE_BITS: u32 = 3;
/// Of what names the reference face alone: it is of b.
pub(super) const FLIPPED_BIT: u32 = 14;

/// Bits for the side of a face, which are numbered from 1 on: on the positive and the negative side of one axis along it, and
/// of the next one.
const SIDES: u32 = 3;
/// A corner: one bit for each axis along the face tells on which side of it, and then one that it is of b.
const CORNER: i64 = 1 << 6;
const CORNER_OF_B: i64 = 1 << 2;

/// The edges of the incident face on their way around it: which side each is, and at which corner it begins.
const AROUND: [(i64, i64); 4] = [(3, 0), (2, 1), (4, 3), (1, 2)];

/// The whole of an edge, from its middle to its end, Q30.
const ONE: i64 = 1 << 30;

/// Faces lean by less than an eighth where their outlines have slop: what it adds to the depth is an eighth of it.
const FLAT: i64 = ONE / 8;

/// Pairs of boxes as the axes leave them.
pub(super) struct Touching<B: Backend<N>, const N: usize> {
    /// Where b is the reference.
    pub(super) flipped: Mask<B, N>,
    pub(super) half_a: [Lanes<B, N>; 3],
    pub(super) half_b: [Lanes<B, N>; 3],
    /// From a to b, in the axes of a and of b.
    pub(super) t: [Lanes<B, N>; 3],
    pub(super) u: [Lanes<B, N>; 3],
    /// aᵢ · bⱼ, Q30.
    pub(super) r: [[Lanes<B, N>; 3]; 3],
    /// The best face of the reference.
    pub(super) axis: Lanes<B, N>,
    pub(super) margin: Lanes<B, N>,
    pub(super) slop: Lanes<B, N>,
    pub(super) scale: Scale<B, N>,
}

/// The incident face seen from the reference face.
struct Faces<B: Backend<N>, const N: usize> {
    /// Half sizes of the rectangle.
    h: [Lanes<B, N>; 2],
    /// The middle of the incident face, and the halves of its sides: x, y and z above the reference face.
    c: [Lanes<B, N>; 3],
    u: [Lanes<B, N>; 3],
    w: [Lanes<B, N>; 3],
    /// By how much the incident plane falls along x and y, Q30.
    slope: [Lanes<B, N>; 2],
    margin: Lanes<B, N>,
    slop: Lanes<B, N>,
    /// Where the reference is b.
    flipped: Mask<B, N>,
}

/// `v[index]` for the index of which the masks say whether it is 0 or 1.
#[inline(always)]
fn pick<B: Backend<N>, const N: usize>(
    [is_0, is_1]: [Mask<B, N>; 2],
    v: [Lanes<B, N>; 3],
    from: usize,
) -> Lanes<B, N> {
    is_0.select(v[from % 3], is_1.select(v[(from + 1) % 3], v[(from + 2) % 3]))
}

/// The vector with the axis of the index last, the other two in cyclic order before it.
#[inline(always)]
fn turned<B: Backend<N>, const N: usize>(is: [Mask<B, N>; 2], v: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    [pick(is, v, 1), pick(is, v, 2), pick(is, v, 0)]
}

/// Products of a length with a direction in Q30.
#[inline(always)]
fn along<B: Backend<N>, const N: usize>(
    direction: [Lanes<B, N>; 3],
    length: Lanes<B, N>,
) -> [Lanes<B, N>; 3] {
    [
        length.mul32(direction[0]).shr_round::<30>(),
        length.mul32(direction[1]).shr_round::<30>(),
        length.mul32(direction[2]).shr_round::<30>(),
    ]
}

/// The overlap of the best faces of `N` pairs, to the lanes from `at` on.
#[inline(always)]
pub(super) fn overlap<B: Backend<N>, const N: usize>(pair: &Touching<B, N>, out: &mut Overlap, at: usize) {
    let (faces, view) = facing(pair);
    let mut points = Points::new();
    let touching = faces.overlapping();
    faces.outline(touching, &mut points);
    faces.corners(touching, &mut points);
    put_anchors(&points, points.reduced(), &view, pair.scale, out, at);
}

/// The face of the other box that looks at the reference face the most.
#[inline(always)]
fn facing<B: Backend<N>, const N: usize>(pair: &Touching<B, N>) -> (Faces<B, N>, View<B, N>) {
    let zero = Lanes::<B, N>::zero();
    let (mut half, mut other_half, mut center) = ([zero; 3], [zero; 3], [zero; 3]);
    let mut axes = [[zero; 3]; 3];
    for k in 0..3 {
        half[k] = pair.flipped.select(pair.half_b[k], pair.half_a[k]);
        other_half[k] = pair.flipped.select(pair.half_a[k], pair.half_b[k]);
        center[k] = pair.flipped.select(-pair.u[k], pair.t[k]);
        for row in 0..3 {
            axes[k][row] = pair.flipped.select(pair.r[k][row], pair.r[row][k]);
        }
    }
    let axis = [pair.axis.equal(zero), pair.axis.equal(Lanes::splat(1))];
    half = turned(axis, half);
    center = turned(axis, center);
    let side = center[2];
    center[2] = side.abs() - half[2];
    for k in 0..3 {
        axes[k] = turned(axis, axes[k]);
        axes[k][2] = axes[k][2].negate_where_negative(side);
    }

    let (mut most, mut incident) = (axes[0][2].abs(), zero);
    for k in 1..3 {
        let looks = axes[k][2].abs();
        let more = looks.gt(most);
        most = more.select(looks, most);
        incident = more.select(Lanes::splat(k as i64), incident);
    }
    let is = [incident.equal(zero), incident.equal(Lanes::splat(1))];
    let (mut normal, mut first, mut second) = ([zero; 3], [zero; 3], [zero; 3]);
    for row in 0..3 {
        let column = [axes[0][row], axes[1][row], axes[2][row]];
        [first[row], second[row], normal[row]] = turned(is, column);
    }
    other_half = turned(is, other_half);
    let upward = normal[2];
    for row in 0..3 {
        normal[row] = normal[row].negate_where_negative(upward);
    }
    let to_face = along(normal, other_half[2]);
    let c = [center[0] - to_face[0], center[1] - to_face[1], center[2] - to_face[2]];

    // The normal leans by less than 55°, as the nearest of three does: its z has 30 bits.
    let upright = normal[2].shl::<1>().min(Lanes::splat((1 << 31) - 1)).recip();
    let slope = [normal[0].mul32(upright).shr_round::<29>(), normal[1].mul32(upright).shr_round::<29>()];
    let flat = Lanes::splat(FLAT);
    let is_flat = slope[0].abs().lt(flat) & slope[1].abs().lt(flat);

    let negative = Lanes::splat(1 << SIDE_BIT);
    let of_reference = pair.axis.shl::<AXIS_SHIFT>() + side.is_negative().keep(negative);
    let of_incident = incident.shl::<AXIS_SHIFT>() + (!upward.is_negative()).keep(negative);
    let of_a = pair.flipped.select(of_incident, of_reference);
    let of_b = pair.flipped.select(of_reference, of_incident);
    let reference = of_reference + pair.flipped.keep(Lanes::splat(1 << FLIPPED_BIT));
    let faces = Faces {
        h: [half[0], half[1]],
        c,
        u: along(first, other_half[0]),
        w: along(second, other_half[1]),
        slope,
        margin: pair.margin,
        slop: is_flat.keep(pair.slop),
        flipped: pair.flipped,
    };
    let both = of_a + of_b.shl::<FACE_BITS>();
    (faces, View { flipped: pair.flipped, axis, side, half, center, axes, reference, both })
}

/// Where a line along a side of the incident face is within the rectangle, for one axis of that.
struct Cut<B: Backend<N>, const N: usize> {
    /// The half extent of the line along the axis.
    half: Lanes<B, N>,
    /// The half extent with 31 bits, by a shift to the left; and 2⁶⁰ over that.
    shift: Lanes<B, N>,
    recip: Lanes<B, N>,
    /// How much of the line the slop is, Q30.
    slop: Lanes<B, N>,
    /// Whether all but the half extent is there.
    measured: bool,
}

impl<B: Backend<N>, const N: usize> Cut<B, N> {
    /// One lane alone is measured once it is cut anywhere.
    #[inline(always)]
    fn new(extent: Lanes<B, N>, slop: Lanes<B, N>) -> Self {
        let zero = Lanes::zero();
        let mut cut = Self { half: extent.abs(), shift: zero, recip: zero, slop: zero, measured: false };
        if N > 1 {
            cut.measure(slop);
        }
        cut
    }

    #[inline(always)]
    fn measure(&mut self, slop: Lanes<B, N>) {
        // A line across the axis has no half extent, and what is made of its reciprocal is multiplied by zero.
        self.shift = self.half.leading_zeros() - Lanes::splat(33);
        self.recip = self.half.shl_each(self.shift).recip();
        self.slop = self.part(slop.min(self.half));
        self.measured = true;
    }

    /// A distance along the axis, at most the half extent, as part of the line, Q30.
    #[inline(always)]
    fn part(&self, distance: Lanes<B, N>) -> Lanes<B, N> {
        distance.shl_each(self.shift).mul32(self.recip).shr_round::<30>()
    }
}

/// One end of what is left of a line.
#[derive(Clone, Copy)]
struct End<B: Backend<N>, const N: usize> {
    /// How far along the line, from its middle outward, with regard to the slop, Q30; 1 where nothing is cut.
    reach: Lanes<B, N>,
    /// Which side it is cut by, 1 to 4; 0 for none.
    side: Lanes<B, N>,
    /// The slop of the cut that is the nearest.
    slop: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> End<B, N> {
    #[inline(always)]
    fn whole() -> Self {
        Self { reach: Lanes::splat(ONE), side: Lanes::zero(), slop: Lanes::zero() }
    }

    /// Cuts the line if it goes beyond a side. What would change nothing is left out in one lane alone: of several, one
    /// mostly needs it, and what piles have to ask is more than what stacks gain.
    #[inline(always)]
    fn cut(&mut self, cut: &mut Cut<B, N>, slop: Lanes<B, N>, room: Lanes<B, N>, side: Lanes<B, N>) {
        if N == 1 {
            if !room.lt(cut.half).any() {
                return;
            }
            if !cut.measured {
                cut.measure(slop);
            }
        }
        let reach = cut.part(room.clamp(-cut.half, cut.half));
        // The part of a whole half extent can be a unit off.
        let nearer = room.lt(cut.half) & reach.lt(self.reach);
        self.reach = nearer.select(reach, self.reach);
        self.side = nearer.select(side, self.side);
        self.slop = nearer.select(cut.slop, self.slop);
    }

    /// Where the rectangle itself cuts the line.
    #[inline(always)]
    fn exact(&self) -> Lanes<B, N> {
        (self.reach - self.slop).max(Lanes::splat(-ONE))
    }
}

impl<B: Backend<N>, const N: usize> Faces<B, N> {
    /// Where the two overlap in the plane, be the incident face turned or not: none of the four directions across
    /// their sides parts them.
    #[inline(always)]
    fn overlapping(&self) -> Mask<B, N> {
        let Self { h, c, u, w, .. } = self;
        let area = (u[0].mul32(w[1]) - u[1].mul32(w[0])).abs();
        let [u_x, u_y, w_x, w_y] = [u[0].abs(), u[1].abs(), w[0].abs(), w[1].abs()];
        let across_u = (c[0].mul32(u[1]) - c[1].mul32(u[0])).abs();
        let across_w = (c[0].mul32(w[1]) - c[1].mul32(w[0])).abs();
        c[0].abs().le(h[0] + u_x + w_x)
            & c[1].abs().le(h[1] + u_y + w_y)
            & across_u.le(h[0].mul32(u_y) + h[1].mul32(u_x) + area)
            & across_w.le(h[0].mul32(w_y) + h[1].mul32(w_x) + area)
    }

    /// Where the incident face is all within the rectangle, so that nothing cuts its outline.
    #[inline(always)]
    fn is_within(&self) -> Mask<B, N> {
        let Self { h, c, u, w, slop, .. } = self;
        let reach_x = c[0].abs() + u[0].abs() + w[0].abs();
        let reach_y = c[1].abs() + u[1].abs() + w[1].abs();
        reach_x.le(h[0] + *slop) & reach_y.le(h[1] + *slop)
    }

    /// The middle of a side of the incident face, and where it leads. Around: from +u to −u at +w, from +w to −w at −u, and
    /// back.
    #[inline(always)]
    fn side(&self, k: usize) -> [[Lanes<B, N>; 3]; 2] {
        let (line, aside) = if k % 2 == 0 { (self.u, self.w) } else { (self.w, self.u) };
        let middle = if k == 0 || k == 3 { add3(self.c, aside) } else { sub3(self.c, aside) };
        [middle, if k < 2 { sub3([Lanes::zero(); 3], line) } else { line }]
    }

    /// Where the outline of the incident face enters, leaves or turns within the rectangle.
    #[inline(always)]
    fn outline(&self, touching: Mask<B, N>, points: &mut Points<B, N>) {
        // One lane alone asks side by side. Of the faces of several, in piles, some are cut, and in stacks none.
        if N > 1 && (self.is_within() | !touching).all() {
            for k in 0..4 {
                let [middle, way] = self.side(k);
                let corner = sub3(middle, way);
                let feature = self.corner(AROUND[k].1, !self.flipped);
                points.set(2 * k, corner, feature, touching & corner[2].le(self.margin));
            }
            return;
        }
        let mut cuts_u = [Cut::new(self.u[0], self.slop), Cut::new(self.u[1], self.slop)];
        let mut cuts_w = [Cut::new(self.w[0], self.slop), Cut::new(self.w[1], self.slop)];
        for k in 0..4 {
            let cuts = if k % 2 == 0 { &mut cuts_u } else { &mut cuts_w };
            self.edge(k, self.side(k), cuts, touching, points);
        }
    }

    /// What is left of an edge, from `middle − way` to `middle + way`.
    #[inline(always)]
    fn edge(
        &self,
        k: usize,
        [middle, way]: [[Lanes<B, N>; 3]; 2],
        cuts: &mut [Cut<B, N>; 2],
        touching: Mask<B, N>,
        points: &mut Points<B, N>,
    ) {
        let (mut enter, mut exit) = (End::whole(), End::whole());
        let mut inside = touching;
        for axis in 0..2 {
            let cut = &mut cuts[axis];
            let reach = self.h[axis] + self.slop;
            // Along the axis as the edge goes: to the side in front of it and to the one behind it.
            let at = middle[axis].negate_where_negative(way[axis]);
            let (ahead, behind) = (reach - at, reach + at);
            inside = inside & ahead.ge(-cut.half) & behind.ge(-cut.half);
            // Sides are numbered +x, −x, +y, −y.
            let backward = way[axis].is_negative().to_lanes();
            let first = Lanes::splat(2 * axis as i64 + 1);
            exit.cut(cut, self.slop, ahead, first - backward);
            enter.cut(cut, self.slop, behind, first + Lanes::splat(1) + backward);
        }
        // Both are measured outward: nothing is left where they do not meet.
        inside = inside & (enter.reach + exit.reach).ge(Lanes::zero());
        if N == 1 && !inside.any() {
            return;
        }
        let start = self.on_edge(middle, way, -enter.exact());
        let begins = enter.side.equal(Lanes::zero());
        let corner = self.corner(AROUND[k].1, !self.flipped);
        let feature = begins.select(corner, self.crossing(k, enter.side));
        points.set(2 * k, start, feature, inside & start[2].le(self.margin));
        // An edge that ends within leaves its end to the next.
        if N == 1 && !exit.side.gt(Lanes::zero()).any() {
            return;
        }
        let end = self.on_edge(middle, way, exit.exact());
        let leaves = inside & exit.side.gt(Lanes::zero()) & end[2].le(self.margin);
        points.set(2 * k + 1, end, self.crossing(k, exit.side), leaves);
    }

    /// The feature of an edge of the incident face where it crosses a side of the reference.
    #[inline(always)]
    fn crossing(&self, k: usize, side: Lanes<B, N>) -> Lanes<B, N> {
        let own = AROUND[k].0;
        let of_a = Lanes::splat(own) + side.shl::<SIDES>();
        self.flipped.select(of_a, Lanes::splat(own << SIDES) + side)
    }

    /// The feature of a corner of a face that may be of b.
    #[inline(always)]
    fn corner(&self, corner: i64, of_b: Mask<B, N>) -> Lanes<B, N> {
        Lanes::splat(corner + CORNER) + of_b.keep(Lanes::splat(CORNER_OF_B))
    }

    #[inline(always)]
    fn on_edge(
        &self,
        middle: [Lanes<B, N>; 3],
        way: [Lanes<B, N>; 3],
        part: Lanes<B, N>,
    ) -> [Lanes<B, N>; 3] {
        let offset = along(way, part);
        [middle[0] + offset[0], middle[1] + offset[1], middle[2] + offset[2]]
    }

    /// The corners of the rectangle within the parallelogram, at the height of its plane.
    #[inline(always)]
    fn corners(&self, touching: Mask<B, N>, points: &mut Points<B, N>) {
        let Self { h, c, u, w, slope, slop, .. } = self;
        let area = (u[0].mul32(w[1]) - u[1].mul32(w[0])).abs();
        let center_u = c[0].mul32(u[1]) - c[1].mul32(u[0]);
        let center_w = c[0].mul32(w[1]) - c[1].mul32(w[0]);
        let center_slope = c[0].mul32(slope[0]) + c[1].mul32(slope[1]);
        for k in 0..4 {
            let x = if k % 2 == 0 { h[0] } else { -h[0] };
            let y = if k < 2 { h[1] } else { -h[1] };
            let slop_x = if k % 2 == 0 { *slop } else { -*slop };
            let slop_y = if k < 2 { *slop } else { -*slop };
            let across_u = x.mul32(u[1]) - y.mul32(u[0]) - center_u;
            let across_w = x.mul32(w[1]) - y.mul32(w[0]) - center_w;
            let beyond_u = across_u + slop_x.mul32(u[1]) - slop_y.mul32(u[0]);
            let beyond_w = across_w + slop_x.mul32(w[1]) - slop_y.mul32(w[0]);
            let within = across_u.abs().le(area)
                & across_w.abs().le(area)
                & beyond_u.abs().lt(area)
                & beyond_w.abs().lt(area);
            let fall = x.mul32(slope[0]) + y.mul32(slope[1]) - center_slope;
            let z = c[2] - fall.shr_round::<30>();
            let kept = touching & within & z.le(self.margin);
            points.set(8 + k, [x, y, z], self.corner(k as i64, self.flipped), kept);
        }
    }
}

/// The points of the overlap.
pub(super) struct Points<B: Backend<N>, const N: usize> {
    pub(super) x: [Lanes<B, N>; MOST],
    pub(super) y: [Lanes<B, N>; MOST],
    pub(super) z: [Lanes<B, N>; MOST],
    pub(super) feature: [Lanes<B, N>; MOST],
    kept: [Mask<B, N>; MOST],
}

/// On one side of a line is next to nothing where the farthest is nearer to it by this shift than on the other side.
const FEW_SHIFT: u32 = 4;

/// Less than any score.
const LEAST: i64 = i64::MIN / 2;

impl<B: Backend<N>, const N: usize> Points<B, N> {
    #[inline(always)]
    fn new() -> Self {
        let zero = [Lanes::zero(); MOST];
        Self { x: zero, y: zero, z: zero, feature: zero, kept: [Mask::splat(false); MOST] }
    }

    #[inline(always)]
    fn set(&mut self, index: usize, [x, y, z]: [Lanes<B, N>; 3], feature: Lanes<B, N>, kept: Mask<B, N>) {
        (self.x[index], self.y[index], self.z[index]) = (x, y, z);
        (self.feature[index], self.kept[index]) = (feature, kept);
    }

    /// Which points to keep, by bits: all of up to four; of more the four that span the most: the deepest, the
    /// farthest from it, and on each side of their line the farthest from that. Where that is next to nothing on one side,
    /// as these two are on one side of the overlap, it is the one farthest out of the triangle of the other three.
    ///
    /// The deepest, but for what does not matter: of points whose depths differ by less than a 4096th of their distance,
    /// noise in the depth is not to decide, but how far out they are; more along one axis than along the other, which
    /// is the same in a mirror. What is equal even so goes by the order of points.
    #[inline(always)]
    fn reduced(&self) -> Lanes<B, N> {
        let (mut all, mut count) = (Lanes::<B, N>::zero(), Lanes::<B, N>::zero());
        for k in 0..MOST {
            all += self.kept[k].keep(Lanes::splat(1 << k));
            count -= self.kept[k].to_lanes();
        }
        let many = count.gt(Lanes::splat(4));
        if !many.any() {
            return all;
        }
        let (x, y) = (&self.x, &self.y);
        let zero = Lanes::<B, N>::zero();
        let (mut best, mut first, mut from_x, mut from_y) = (Lanes::splat(LEAST), zero, zero, zero);
        for k in 0..MOST {
            let (out_x, out_y) = (x[k].abs(), y[k].abs());
            // 5 |x| + 11 |y|, over 2¹⁶.
            let out = out_x + out_x.shl::<2>() + out_y.shl::<3>() + out_y.shl::<1>() + out_y;
            let score = out.shr_logical::<16>() - self.z[k];
            let better = self.kept[k] & score.gt(best);
            best = better.select(score, best);
            first = better.select(Lanes::splat(1 << k), first);
            from_x = better.select(x[k], from_x);
            from_y = better.select(y[k], from_y);
        }
        let (mut best, mut second, mut to_x, mut to_y) = (Lanes::splat(LEAST), zero, zero, zero);
        for k in 0..MOST {
            let (dx, dy) = (x[k] - from_x, y[k] - from_y);
            let score = dx.mul32(dx) + dy.mul32(dy);
            let better = self.kept[k] & score.gt(best);
            best = better.select(score, best);
            second = better.select(Lanes::splat(1 << k), second);
            to_x = better.select(dx, to_x);
            to_y = better.select(dy, to_y);
        }
        // The line itself is the least that third and fourth have to beat.
        let (mut left, mut right, mut third, mut fourth) = (zero, zero, zero, zero);
        for k in 0..MOST {
            let (dx, dy) = (x[k] - from_x, y[k] - from_y);
            let area = self.kept[k].keep(to_x.mul32(dy) - to_y.mul32(dx));
            let (more_left, more_right) = (area.gt(left), area.lt(right));
            left = more_left.select(area, left);
            right = more_right.select(area, right);
            third = more_left.select(Lanes::splat(1 << k), third);
            fourth = more_right.select(Lanes::splat(1 << k), fourth);
        }
        let (few_left, few_right) =
            (left.lt((-right).shr::<FEW_SHIFT>()), (-right).lt(left.shr::<FEW_SHIFT>()));
        let few = many & (few_left | few_right);
        if few.any() {
            let beyond = self.beyond([first, second, few_left.select(fourth, third)]);
            third = (few & few_left).select(beyond, third);
            fourth = (few & few_right).select(beyond, fourth);
        }
        many.select(first + second + third + fourth, all)
    }

    /// The point that is the farthest out of a triangle of others, beyond any of its sides; none if all are within.
    #[inline(always)]
    fn beyond(&self, [a, b, c]: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let zero = Lanes::<B, N>::zero();
        let (mut ax, mut ay, mut bx, mut by, mut cx, mut cy) = (zero, zero, zero, zero, zero, zero);
        for k in 0..MOST {
            let (bit, x, y) = (Lanes::splat(1 << k), self.x[k], self.y[k]);
            let (is_a, is_b, is_c) = (a.equal(bit), b.equal(bit), c.equal(bit));
            (ax, ay) = (is_a.select(x, ax), is_a.select(y, ay));
            (bx, by) = (is_b.select(x, bx), is_b.select(y, by));
            (cx, cy) = (is_c.select(x, cx), is_c.select(y, cy));
        }
        let (ab_x, ab_y, ac_x, ac_y) = (bx - ax, by - ay, cx - ax, cy - ay);
        // Twice the areas that a point makes with the sides add up to that of the triangle, with its sign.
        let whole = ab_x.mul32(ac_y) - ab_y.mul32(ac_x);
        let (mut farthest, mut best) = (zero, zero);
        for k in 0..MOST {
            let (x, y) = (self.x[k] - ax, self.y[k] - ay);
            let (of_ab, of_ca) = (ab_x.mul32(y) - ab_y.mul32(x), x.mul32(ac_y) - y.mul32(ac_x));
            let mut least = zero;
            for area in [of_ab, of_ca, whole - of_ab - of_ca] {
                least = least.min(area.negate_where_negative(whole));
            }
            let out = self.kept[k].keep(-least);
            let better = out.gt(best);
            best = better.select(out, best);
            farthest = better.select(Lanes::splat(1 << k), farthest);
        }
        farthest
    }
}
