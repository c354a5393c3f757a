//! Distances in `f64`, over all features of two cores.

#![allow(dead_code, unreachable_pub)]

use isostep_collision::Shape;
use isostep_math::{Fx, Vec3};

pub type V = [f64; 3];

pub fn add(a: V, b: V, s: f64) -> V {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}
pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
pub fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
pub fn real(v: Fx) -> f64 {
    v.to_bits() as f64 / 4_294_967_296.0
}
pub fn difference(a: Vec3, b: Vec3) -> V {
    core::array::from_fn(|i| {
        let wide = i128::from(a.to_array()[i].to_bits()) - i128::from(b.to_array()[i].to_bits());
        wide as f64 / 4_294_967_296.0
    })
}

/// A core: centre, spans, radius.
#[derive(Clone)]
pub struct Body {
    pub center: V,
    pub spans: Vec<V>,
    pub radius: f64,
}

pub fn body(shape: &Shape, origin: Vec3) -> Body {
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
    pub fn corners(&self) -> Vec<V> {
        let mut corners = vec![self.center];
        for &span in &self.spans {
            corners = corners.iter().flat_map(|&c| [add(c, span, -1.0), add(c, span, 1.0)]).collect();
        }
        corners
    }

    /// Middle and half of every edge.
    pub fn edges(&self) -> Vec<(V, V)> {
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
    pub fn distance_of(&self, point: V) -> f64 {
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

pub fn segments((p, u): (V, V), (q, v): (V, V)) -> f64 {
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
pub fn reference(a: &Body, b: &Body) -> f64 {
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
pub fn separation(a: &Body, b: &Body) -> f64 {
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

pub struct Along {
    pub abs_gap: f64,
    pub gap: f64,
}

/// How far apart the cores are along a unit vector, from a to b.
pub fn along(a: &Body, b: &Body, n: V) -> Along {
    let d = dot(add(b.center, a.center, -1.0), n);
    let reach: f64 = a.spans.iter().chain(&b.spans).map(|&span| dot(span, n).abs()).sum();
    Along { abs_gap: d.abs() - reach, gap: d - reach }
}
