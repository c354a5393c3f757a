//! The signed gap of two shapes, from the definitions.
//!
//! A shape is a centrally symmetric core (a point, a segment, a box) and a radius around it. With D the vector between
//! the centres and g the half axes (*spans*) of both cores, along a unit vector n two cores are apart by
//!
//! ```text
//! gap(n) = |D · n| − Σ |g · n|
//! ```
//!
//! and their signed gap is the largest of these over all n: the distance if it is above zero (separating planes),
//! and otherwise the negative of the minimum translation, whose direction is then a normal of a facet of the
//! difference of the cores, that is, the product of two of the spans. Radii are subtracted.
//!
//! The distance is the least over pairs of features: a corner of the one against all of the other, an edge against an
//! edge. It comes with its proof: the two points give an upper bound, the gap along the line between them (or along the
//! normal of a facet) a lower bound. **Both are within 2⁻⁵⁰ of the pair's size in every case that is tested**, so the
//! reference's own error is below that; no tolerance of this test is.
//!
//! Lengths are in units of 2⁻³² m. Rotations are those of the stored quaternions, normalised: exact rationals,
//! R = 1 + 2/|q|² (v vᵀ − |v|² 1 + w \[v\]ₓ), of which numerators and |q|² are formed in integers.

use crate::number::{DoubleDouble, Number, Vector, along, cross, dot, length, minus};
use isostep_collision::{HalfSpace, Obb, Shape};
use isostep_math::{Quat, Vec3};

/// The components in units of 2⁻³².
pub(crate) fn raw(v: Vec3) -> [i128; 3] {
    v.to_array().map(|component| i128::from(component.to_bits()))
}

/// The columns of |q|² R, and |q|².
pub(crate) fn rotation(q: Quat) -> ([[i128; 3]; 3], i128) {
    let [x, y, z, w] = q.to_array().map(|component| i128::from(component.to_bits()));
    let columns = [
        [w * w + x * x - y * y - z * z, 2 * (x * y + z * w), 2 * (x * z - y * w)],
        [2 * (x * y - z * w), w * w - x * x + y * y - z * z, 2 * (y * z + x * w)],
        [2 * (x * z + y * w), 2 * (y * z - x * w), w * w - x * x - y * y + z * z],
    ];
    (columns, w * w + x * x + y * y + z * z)
}

/// Whether the rotation maps axes to axes, exactly.
pub(crate) fn is_axis_aligned(obb: &Obb) -> bool {
    let (columns, square) = rotation(obb.rotation());
    columns.iter().flatten().all(|&entry| entry == 0 || entry.abs() == square)
}

/// A core and the radius around it.
#[derive(Clone)]
pub(crate) struct Body<N> {
    /// From the base point to the centre.
    pub(crate) center: Vector<N>,
    pub(crate) spans: Vec<Vector<N>>,
    pub(crate) radius: N,
}

/// A shape relative to `base`; not a half-space.
pub(crate) fn body<N: Number>(shape: &Shape, base: Vec3) -> Body<N> {
    let base = raw(base);
    let from_base = |point: Vec3| {
        let point = raw(point);
        [0, 1, 2].map(|axis| N::of(point[axis] - base[axis]))
    };
    let half = N::real(0.5);
    match shape {
        Shape::Sphere(s) => Body {
            center: from_base(s.center()),
            spans: Vec::new(),
            radius: N::of(s.radius().to_bits().into()),
        },
        Shape::Capsule(c) => {
            let (a, b) = (from_base(c.a()), from_base(c.b()));
            let span = minus(b, a).map(|component| component * half);
            Body {
                center: along(a, span, N::ONE),
                spans: vec![span],
                radius: N::of(c.radius().to_bits().into()),
            }
        }
        Shape::Box(b) => {
            let (columns, square) = rotation(b.rotation());
            let halves = raw(b.half_extents());
            let spans = (0..3)
                .map(|axis| columns[axis].map(|entry| N::of(halves[axis]) * (N::of(entry) / N::of(square))))
                .collect();
            Body { center: from_base(b.center()), spans, radius: N::ZERO }
        }
        _ => unreachable!("only cores with radii have bodies"),
    }
}

impl<N: Number> Body<N> {
    /// How far the shape reaches from its centre at the most.
    pub(crate) fn reach(&self) -> f64 {
        self.spans.iter().fold(self.radius.to_f64(), |sum, &span| sum + length(span).to_f64())
    }

    /// How far a point is from the core: spans are orthogonal.
    pub(crate) fn core_distance(&self, point: Vector<N>) -> N {
        let mut rest = minus(point, self.center);
        for &span in &self.spans {
            let square = dot(span, span);
            if square > N::ZERO {
                rest = along(rest, span, -(dot(rest, span) / square).clamp_unit());
            }
        }
        length(rest)
    }
}

/// All differences of points of two cores: D + Σ s g, s in [−1, 1].
#[derive(Clone)]
pub(crate) struct Difference<N> {
    pub(crate) offset: Vector<N>,
    pub(crate) spans: Vec<Vector<N>>,
    /// How many spans are those of the first core.
    pub(crate) split: usize,
    /// The sum of the radii.
    pub(crate) radius: N,
}

/// What the features of a difference are looked for in: signs of fixed spans, by bits, and the free spans.
#[derive(Clone, Copy)]
enum Feature {
    /// A corner of the first core, all of the second.
    CornerOfA(u32),
    CornerOfB(u32),
    /// Two edges: their spans and the corner they start from.
    Edges(usize, usize, u32),
}

/// The signed gap of two shapes, and the direction from a to b along which it is.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub(crate) value: DoubleDouble,
    /// By how much the value could be too large, proven for the pair.
    pub(crate) error: f64,
}

impl<N: Number> Difference<N> {
    pub(crate) fn new(a: &Body<N>, b: &Body<N>) -> Self {
        Self {
            offset: minus(b.center, a.center),
            spans: a.spans.iter().chain(&b.spans).copied().collect(),
            split: a.spans.len(),
            radius: a.radius + b.radius,
        }
    }

    /// The gap of the cores along a direction of any length; `None` for none.
    pub(crate) fn gap_along(&self, n: Vector<N>) -> Option<N> {
        self.signed_gap_along(n, dot(self.offset, n).abs())
    }

    /// The same where n points from a to b.
    pub(crate) fn gap_toward(&self, n: Vector<N>) -> Option<N> {
        self.signed_gap_along(n, dot(self.offset, n))
    }

    fn signed_gap_along(&self, n: Vector<N>, way: N) -> Option<N> {
        let own = length(n);
        let reach = self.spans.iter().fold(N::ZERO, |sum, &span| sum + dot(span, n).abs());
        (own > N::ZERO).then(|| (way - reach) / own)
    }

    /// The products of all pairs of spans that are not parallel within 2⁻⁹⁰.
    pub(crate) fn facets(&self) -> impl Iterator<Item = Vector<N>> + '_ {
        let parallel = N::real((-180_f64).exp2());
        (0..self.spans.len())
            .flat_map(move |i| (i + 1..self.spans.len()).map(move |j| (self.spans[i], self.spans[j])))
            .filter_map(move |(g, h)| {
                let n = cross(g, h);
                (dot(n, n) > dot(g, g) * dot(h, h) * parallel).then_some(n)
            })
    }

    /// The largest gap along the normal of a facet.
    pub(crate) fn facet_gap(&self) -> Option<N> {
        self.facets()
            .filter_map(|n| self.gap_along(n))
            .fold(None, |best, gap| if best.is_some_and(|best| best >= gap) { best } else { Some(gap) })
    }

    fn features(&self) -> Vec<Feature> {
        let (a, b) = (self.split, self.spans.len() - self.split);
        let corners = |spans: usize| 0..1_u32 << spans;
        let mut features: Vec<_> = corners(a).map(Feature::CornerOfA).collect();
        if self.spans.is_empty() {
            return features;
        }
        features.extend(corners(b).map(Feature::CornerOfB));
        for i in 0..a {
            for j in a..a + b {
                let free = 1 << i | 1 << j;
                features.extend(
                    corners(a + b).filter(|signs| signs & free == 0).map(|signs| Feature::Edges(i, j, signs)),
                );
            }
        }
        features
    }

    /// The difference of the two points that are closest on the features.
    fn closest(&self, feature: Feature) -> Vector<N> {
        let fixed = |mut point: Vector<N>, spans: std::ops::Range<usize>, signs: u32, but: [usize; 2]| {
            for (bit, span) in spans.enumerate().filter(|(_, span)| !but.contains(span)) {
                let sign = if signs >> bit & 1 == 1 { N::ONE } else { -N::ONE };
                point = along(point, self.spans[span], sign);
            }
            point
        };
        let free = |mut point: Vector<N>, spans: std::ops::Range<usize>| {
            for &span in &self.spans[spans] {
                let square = dot(span, span);
                if square > N::ZERO {
                    point = along(point, span, -(dot(point, span) / square).clamp_unit());
                }
            }
            point
        };
        let none = [usize::MAX; 2];
        let (a, b) = (0..self.split, self.split..self.spans.len());
        match feature {
            Feature::CornerOfA(signs) => free(fixed(self.offset, a, signs, none), b),
            Feature::CornerOfB(signs) => free(fixed(self.offset, b, signs, none), a),
            Feature::Edges(i, j, signs) => {
                let start = fixed(self.offset, 0..self.spans.len(), signs, [i, j]);
                closest_of_parallelogram(start, self.spans[i], self.spans[j])
            }
        }
    }
}

/// The point p + s u + t v, s and t in [−1, 1], closest to the origin.
fn closest_of_parallelogram<N: Number>(p: Vector<N>, u: Vector<N>, v: Vector<N>) -> Vector<N> {
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let on_edge = |sign: N, fixed: Vector<N>, free: Vector<N>, square: N| {
        let start = along(p, fixed, sign);
        let t = if square > N::ZERO { (-dot(start, free) / square).clamp_unit() } else { N::ZERO };
        along(start, free, t)
    };
    let mut best = on_edge(N::ONE, u, v, vv);
    let rest = [on_edge(-N::ONE, u, v, vv), on_edge(N::ONE, v, u, uu), on_edge(-N::ONE, v, u, uu)];
    let determinant = uu * vv - uv * uv;
    let solve = |point: Vector<N>| {
        let (up, vp) = (dot(u, point), dot(v, point));
        ((uv * vp - vv * up) / determinant, (uv * up - uu * vp) / determinant)
    };
    let mut inside = None;
    if determinant > N::ZERO {
        let (s, t) = solve(p);
        let first = along(along(p, u, s), v, t);
        // Once more from there: what cancelled in a small determinant is found again.
        let (ds, dt) = solve(first);
        let (s, t) = (s + ds, t + dt);
        if s.abs() <= N::ONE && t.abs() <= N::ONE {
            inside = Some(along(along(first, u, ds), v, dt));
        }
    }
    for point in rest.into_iter().chain(inside) {
        if dot(point, point) < dot(best, best) {
            best = point;
        }
    }
    best
}

/// Two shapes: the same difference in double-doubles, and in doubles to choose candidates by.
pub(crate) struct Reference {
    pub(crate) a: Body<DoubleDouble>,
    pub(crate) b: Body<DoubleDouble>,
    pub(crate) exact: Difference<DoubleDouble>,
    rough: Difference<f64>,
    /// The extents and the distance of the centres, summed.
    pub(crate) size: f64,
}

impl Reference {
    pub(crate) fn new(a: &Shape, b: &Shape) -> Self {
        let base = base_of(a);
        let (exact_a, exact_b): (Body<DoubleDouble>, Body<_>) = (body(a, base), body(b, base));
        let exact = Difference::new(&exact_a, &exact_b);
        let rough = Difference::new(&body(a, base), &body(b, base));
        let size = exact_a.reach() + exact_b.reach() + length(exact.offset).to_f64();
        Self { a: exact_a, b: exact_b, exact, rough, size }
    }

    /// The same with b moved.
    pub(crate) fn moved(&self, way: Vector<DoubleDouble>) -> Self {
        let mut moved = Self {
            a: self.a.clone(),
            b: self.b.clone(),
            exact: self.exact.clone(),
            rough: self.rough.clone(),
            size: self.size,
        };
        moved.b.center = along(moved.b.center, way, DoubleDouble::ONE);
        moved.exact.offset = along(moved.exact.offset, way, DoubleDouble::ONE);
        moved.rough.offset = moved.exact.offset.map(Number::to_f64);
        moved
    }

    /// The signed gap of the shapes.
    pub(crate) fn gap(&self) -> Gap {
        let facet = self.exact.facet_gap();
        let has_volume = self.exact.spans.len() >= 3;
        let radius = self.exact.radius;
        if let (true, Some(gap)) = (has_volume, facet) {
            if gap <= DoubleDouble::ZERO {
                return Gap { value: gap - radius, error: 0.0 };
            }
        }
        let point = self.closest();
        let upper = length(point);
        let lower = [facet, self.exact.gap_along(point), Some(DoubleDouble::ZERO)]
            .into_iter()
            .flatten()
            .fold(DoubleDouble::ZERO, |best, gap| if gap > best { gap } else { best });
        Gap { value: upper - radius, error: (upper - lower).to_f64().abs() }
    }

    /// The directions that manifolds of boxes go by: edges count as parallel below a sine of 2⁻⁸.
    fn manifold_directions(&self) -> impl Iterator<Item = Vector<DoubleDouble>> + '_ {
        let least_square = DoubleDouble::real(1.001 / 65_536.0);
        let square = |v: Vector<DoubleDouble>| dot(v, v);
        let spans = &self.exact.spans;
        (0..spans.len())
            .flat_map(move |i| (i + 1..spans.len()).map(move |j| (spans[i], spans[j])))
            .map(|(g, h)| (g, h, cross(g, h)))
            .filter(move |&(g, h, n)| square(n) >= square(g) * square(h) * least_square)
            .map(|(_, _, n)| n)
    }

    /// The largest gap along these.
    pub(crate) fn manifold_gap(&self) -> DoubleDouble {
        let gaps = self.manifold_directions().filter_map(|n| self.exact.gap_along(n));
        gaps.fold(None, |best, gap| if Some(gap) > best { Some(gap) } else { best })
            .expect("boxes have faces")
    }

    /// How deep the shapes are in each other at the least once b is moved by `margin` against any of the directions along
    /// which the gap is `gap` or more.
    pub(crate) fn least_depth_within(&self, margin: f64, gap: f64) -> DoubleDouble {
        let mut least: Option<DoubleDouble> = None;
        for n in self.manifold_directions() {
            let toward = dot(self.exact.offset, n);
            let sign = if toward < DoubleDouble::ZERO { -1.0 } else { 1.0 };
            if self.exact.gap_along(n).is_none_or(|own| own < DoubleDouble::real(gap)) {
                continue;
            }
            let scale = DoubleDouble::real(-sign * margin) / length(n);
            let depth = -self.moved(n.map(|part| part * scale)).exact.facet_gap().expect("boxes have faces");
            least = if least.is_some_and(|least| least <= depth) { least } else { Some(depth) };
        }
        least.expect("the best is as good")
    }

    /// The vector between the closest points of the cores.
    fn closest(&self) -> Vector<DoubleDouble> {
        let features = self.exact.features();
        let rough: Vec<f64> = features.iter().map(|&feature| length(self.rough.closest(feature))).collect();
        // Doubles are right within 2^−48 of the size where edges are not parallel, and ends of edges are
        // candidates too: 2^−20 is ample.
        let limit = rough.iter().copied().fold(f64::MAX, f64::min) + self.size * (-20_f64).exp2();
        let mut best: Option<(Vector<DoubleDouble>, DoubleDouble)> = None;
        for (&feature, _) in features.iter().zip(&rough).filter(|&(_, &rough)| rough <= limit) {
            let point = self.exact.closest(feature);
            let square = dot(point, point);
            if best.is_none_or(|(_, least)| square < least) {
                best = Some((point, square));
            }
        }
        best.expect("every pair has corners").0
    }
}

/// A point of the shape.
pub(crate) fn base_of(shape: &Shape) -> Vec3 {
    match shape {
        Shape::Sphere(s) => s.center(),
        Shape::Box(b) => b.center(),
        Shape::Capsule(c) => c.a(),
        Shape::HalfSpace(h) => h.point(),
        _ => unreachable!("no other shapes"),
    }
}

/// A half-space and another shape.
pub(crate) struct PlaneReference {
    /// The stored normal.
    pub(crate) normal: Vector<DoubleDouble>,
    /// The other shape, relative to the point of the plane.
    pub(crate) body: Body<DoubleDouble>,
    pub(crate) size: f64,
}

impl PlaneReference {
    pub(crate) fn new(plane: &HalfSpace, shape: &Shape) -> Self {
        let body: Body<DoubleDouble> = body(shape, plane.point());
        let size = body.reach() + length(body.center).to_f64();
        Self { normal: raw(plane.normal()).map(DoubleDouble::of), body, size }
    }

    /// The signed distance of the lowest point from the plane.
    pub(crate) fn gap(&self) -> DoubleDouble {
        let lowest = self
            .body
            .spans
            .iter()
            .fold(dot(self.body.center, self.normal), |sum, &span| sum - dot(span, self.normal).abs());
        lowest / length(self.normal) - self.body.radius
    }
}
