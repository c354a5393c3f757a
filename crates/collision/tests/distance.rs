//! Distances and closest points against references of their own: `f64` over all features of two cores, and the
//! planes that the answer itself names.
#![allow(clippy::float_arithmetic)]

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere, closest_points};
use isostep_math::random::Rng;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};

const PAIRS: u32 = 10_000;

// --- shapes of every size and form, anywhere ---

/// 2^low ..= 2^high metres, evenly by exponents.
fn size(rng: &mut Rng, low: i32, high: i32) -> Fx {
    let bits = Fx::ONE.to_bits() + rng.range_i64(0, Fx::ONE.to_bits());
    let exponent = rng.range_i32(low, high - 1);
    Fx::from_bits(if exponent < 0 { bits >> -exponent } else { bits << exponent })
}

/// A third each: nothing, a turn by quarters, any turn, with a tiny turn on top at times.
fn rotation(rng: &mut Rng) -> Quat {
    let quarter = |rng: &mut Rng| Fx::FRAC_PI_2 * Fx::from_int(rng.range_i32(0, 3));
    let base = match rng.below(4) {
        0 => Quat::IDENTITY,
        1 => Quat::from_rotation_x(quarter(rng)) * Quat::from_rotation_z(quarter(rng)),
        _ => rng.unit_quat().normalize(),
    };
    if rng.below(6) == 0 {
        let bits = rng.range_i32(1, 20);
        let tiny = Fx::from_bits(rng.range_i64(1, 1 << bits));
        return (base * Quat::from_axis_angle(rng.unit_vec3().normalize(), tiny)).normalize();
    }
    base
}

fn shape(rng: &mut Rng, kind: u32, center: Vec3, scale: Fx) -> Shape {
    // Needles and plates: extents down to a thousandth.
    let extent = |rng: &mut Rng| (scale * size(rng, -10, 1)).max(Fx::EPSILON);
    match kind {
        0 => Sphere::new(center, extent(rng)).unwrap().into(),
        1 => {
            let halves = Vec3::new(extent(rng), extent(rng), extent(rng));
            Obb::new(center, halves, rotation(rng)).unwrap().into()
        }
        2 => {
            let half = rotation(rng) * vec3(fx!(0), extent(rng), fx!(0));
            let half = if rng.below(20) == 0 { Vec3::ZERO } else { half };
            Capsule::new(center - half, center + half, extent(rng)).unwrap().into()
        }
        _ => HalfSpace::new(center, rng.unit_vec3().normalize()).unwrap().into(),
    }
}

fn pair(rng: &mut Rng, kinds: (u32, u32)) -> (Shape, Shape, Fx) {
    let scale = size(rng, -9, 13);
    let base = Vec3::from_array(core::array::from_fn(|_| Fx::from_bits(rng.next_u64() as i64 >> 1)));
    let apart = rng.unit_vec3() * (scale * size(rng, -4, 2));
    let apart = if rng.below(8) == 0 { apart.with_y(Fx::ZERO).with_x(Fx::ZERO) } else { apart };
    (shape(rng, kinds.0, base, scale), shape(rng, kinds.1, base + apart, scale), scale)
}

// --- the reference ---

type V = [f64; 3];

fn add(a: V, b: V, s: f64) -> V {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn real(v: Fx) -> f64 {
    v.to_bits() as f64 / 4_294_967_296.0
}
fn difference(a: Vec3, b: Vec3) -> V {
    core::array::from_fn(|i| {
        let wide = i128::from(a.to_array()[i].to_bits()) - i128::from(b.to_array()[i].to_bits());
        wide as f64 / 4_294_967_296.0
    })
}

/// A core: centre, spans, radius.
struct Body {
    center: V,
    spans: Vec<V>,
    radius: f64,
}

fn body(shape: &Shape, origin: Vec3) -> Body {
    match shape {
        Shape::Sphere(s) => {
            Body { center: difference(s.center(), origin), spans: vec![], radius: real(s.radius()) }
        }
        Shape::Capsule(c) => {
            let (a, b) = (difference(c.a(), origin), difference(c.b(), origin));
            let half = difference(c.b(), c.a()).map(|word| word / 2.0);
            Body { center: add(a, add(b, a, -1.0), 0.5), spans: vec![half], radius: real(c.radius()) }
        }
        Shape::Box(b) => {
            let rows = b.rotation().to_rotation_rows();
            let halves = b.half_extents().to_array();
            let spans = (0..3)
                .map(|axis| {
                    core::array::from_fn(|i| rows[i][axis] as f64 / (1_u64 << 58) as f64 * real(halves[axis]))
                })
                .collect();
            Body { center: difference(b.center(), origin), spans, radius: 0.0 }
        }
        _ => unreachable!(),
    }
}

impl Body {
    fn corners(&self) -> Vec<V> {
        let mut corners = vec![self.center];
        for &span in &self.spans {
            corners = corners.iter().flat_map(|&c| [add(c, span, -1.0), add(c, span, 1.0)]).collect();
        }
        corners
    }

    /// Middle and half of every edge.
    fn edges(&self) -> Vec<(V, V)> {
        (0..self.spans.len())
            .flat_map(|i| {
                let mut others = self.spans.clone();
                let edge = others.remove(i);
                let rest = Self { center: self.center, spans: others, radius: 0.0 };
                rest.corners().into_iter().map(move |corner| (corner, edge))
            })
            .collect()
    }

    /// The distance of a point from the core, whose spans are orthogonal.
    fn distance_of(&self, point: V) -> f64 {
        let mut rest = add(point, self.center, -1.0);
        for &span in &self.spans {
            let square = dot(span, span);
            if square > 0.0 {
                rest = add(rest, span, -(dot(rest, span) / square).clamp(-1.0, 1.0));
            }
        }
        dot(rest, rest).sqrt()
    }
}

fn segments((p, u): (V, V), (q, v): (V, V)) -> f64 {
    let d = add(q, p, -1.0);
    let ends = [-1.0, 1.0];
    let of = |center, span, point| Body { center, spans: vec![span], radius: 0.0 }.distance_of(point);
    let mut best = f64::INFINITY;
    for end in ends {
        best = best.min(of(p, u, add(q, v, end))).min(of(q, v, add(p, u, end)));
    }
    let n = cross(u, v);
    let square = dot(n, n);
    let s = dot(cross(d, v), n) / square;
    let t = dot(cross(d, u), n) / square;
    if s.abs() <= 1.0 && t.abs() <= 1.0 { best.min(dot(d, n).abs() / square.sqrt()) } else { best }
}

/// The distance of two shapes over all features; below zero, the depth along the best axis if cores overlap.
fn reference(a: &Body, b: &Body) -> f64 {
    let mut best = f64::INFINITY;
    for corner in a.corners() {
        best = best.min(b.distance_of(corner));
    }
    for corner in b.corners() {
        best = best.min(a.distance_of(corner));
    }
    for edge in a.edges() {
        for other in b.edges() {
            best = best.min(segments(edge, other));
        }
    }
    let separation = separation(a, b);
    let overlap = a.spans.len() + b.spans.len() > 2 && separation <= 0.0;
    (if overlap { separation } else { best }) - a.radius - b.radius
}

/// The greatest distance of two parallel planes between the cores, over all axes that can be the best.
fn separation(a: &Body, b: &Body) -> f64 {
    let spans: Vec<V> = a.spans.iter().chain(&b.spans).copied().collect();
    let mut best = f64::NEG_INFINITY;
    for i in 0..spans.len() {
        for j in i + 1..spans.len() {
            let n = cross(spans[i], spans[j]);
            let length = dot(n, n).sqrt();
            // Of nearly parallel spans, the normal is noise.
            if length > 1e-9 * (dot(spans[i], spans[i]) * dot(spans[j], spans[j])).sqrt() {
                best = best.max(along(a, b, n.map(|word| word / length)).abs_gap);
            }
        }
    }
    best
}

struct Along {
    abs_gap: f64,
    gap: f64,
}

/// How far apart the cores are along a unit vector, from a to b.
fn along(a: &Body, b: &Body, n: V) -> Along {
    let d = dot(add(b.center, a.center, -1.0), n);
    let reach: f64 = a.spans.iter().chain(&b.spans).map(|&span| dot(span, n).abs()).sum();
    Along { abs_gap: d.abs() - reach, gap: d - reach }
}

// --- the tests ---

/// The greatest error relative to the pair's size.
fn compare(kinds: (u32, u32), seed: u64) -> f64 {
    let mut rng = Rng::new(seed, u64::from(kinds.0 * 4 + kinds.1));
    let center = |shape: &Shape| match shape {
        Shape::Sphere(s) => s.center(),
        Shape::Box(b) => b.center(),
        Shape::Capsule(c) => c.a(),
        _ => Vec3::ZERO,
    };
    let mut worst = 0.0_f64;
    for index in 0..PAIRS {
        let (a, b, scale) = pair(&mut rng, kinds);
        let origin = center(&a);
        let (first, second) = (body(&a, origin), body(&b, origin));
        let exact = reference(&first, &second);
        // Sums of extents and of the distance of the centres; one unit of the answer.
        let size = 4.0 * real(scale)
            + dot(add(second.center, first.center, -1.0), add(second.center, first.center, -1.0)).sqrt();
        let unit = 1.0 / 4_294_967_296.0;
        let Some(points) = closest_points(&a, &b) else {
            assert!(exact < size * 1e-11 + unit, "pair {index}: {exact} apart\n{a:?}\n{b:?}");
            continue;
        };
        let d = real(points.distance);
        let error = (d - exact.max(0.0)).abs();
        assert!(error <= size * 4e-12 + unit, "pair {index}: {d}, not {exact}, of {size}\n{a:?}\n{b:?}");
        worst = worst.max((error - unit / 2.0) / size);

        let between = difference(points.on_b, points.on_a);
        let length = dot(between, between).sqrt();
        assert!((length - d).abs() <= 3.0 * unit + size * 1e-15, "pair {index}: {length} {d}\n{a:?}\n{b:?}");
        // On the shapes, and planes across the normal through both points have them on either side.
        for (body, point) in [(&first, points.on_a), (&second, points.on_b)] {
            let off = body.distance_of(difference(point, origin)) - body.radius;
            assert!(off.abs() <= 2.0 * unit + size * 1e-15, "pair {index}: off by {off}\n{a:?}\n{b:?}");
        }
        let normal = points.normal.to_array().map(real);
        let gap = along(&first, &second, normal).gap - first.radius - second.radius;
        assert!((gap - d).abs() <= size * 2e-9 + unit, "pair {index}: {gap} {d}\n{a:?}\n{b:?}");
    }
    worst
}

#[test]
fn distances_agree_with_a_search_over_all_features() {
    for a in 0..3 {
        for b in 0..3 {
            let worst = compare((a, b), 1);
            println!("{a} {b}: error of size 2^{:.1}", worst.max(1e-30).log2());
        }
    }
}
