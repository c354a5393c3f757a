//! Dropping 10,000 props on a field: each at a random pose, kept only where it is free.
//!
//! A prop is free if it touches none that was kept before. Three ways to find out:
//!
//! * axis-aligned boxes alone: fast, but too large for a rotated prop, so they refuse places that are free;
//! * rotated boxes alone, each prop against all that are kept: exact, and slow;
//! * axis-aligned boxes first, in a tree, then the rotated boxes of those that are near: exact and fast.
//!
//! The last two must agree on every prop, because the first is only a filter: boxes that are apart have nothing
//! inside that meets. The seed makes the poses the same on every machine, and so the field. Times differ.
//!
//! Run it with `cargo run --release -p isostep-collision --example prop_placer`.

use isostep_collision::tree::{DynamicTree, Layers};
use isostep_collision::{Obb, Shape, overlaps};
use isostep_math::random::Rng;
use isostep_math::{Fx, fx, vec3};
use std::time::{Duration, Instant};

/// What a way of placing came to.
#[derive(Debug)]
pub struct Field {
    /// What decides.
    pub method: &'static str,
    /// The numbers of the props that were kept, in order.
    pub kept: Vec<usize>,
    /// How long it took.
    pub time: Duration,
}

/// Props at random poses: planks, crates and pillars whose density does not depend on their number.
#[must_use]
pub fn props(seed: u64, count: u32) -> Vec<Obb> {
    let mut rng = Rng::new(seed, 0);
    // 2 m² for each of them.
    let side = Fx::from_int(i32::try_from(2 * count).unwrap_or(i32::MAX)).sqrt();
    (0..count)
        .map(|_| {
            let place = vec3(rng.fx_range(fx!(0), side), fx!(0), rng.fx_range(fx!(0), side));
            let mut half = || rng.fx_range(fx!(0.1), fx!(0.3));
            let half = vec3(half() * fx!(6), half(), half());
            Obb::new(place, half, rng.unit_quat()).expect("half extents above 0")
        })
        .collect()
}

/// Keeps the props whose axis-aligned boxes touch none of those kept.
#[must_use]
pub fn place_by_aabbs(props: &[Obb]) -> Vec<usize> {
    place_in_tree(props, |_, _| true)
}

/// Keeps the props that touch none of those kept: against all of them.
#[must_use]
pub fn place_by_obbs(props: &[Obb]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (number, prop) in props.iter().enumerate() {
        let shape = Shape::Box(*prop);
        if !kept.iter().any(|&other| overlaps(&shape, &Shape::Box(props[other]))) {
            kept.push(number);
        }
    }
    kept
}

/// Keeps the props that touch none of those kept: against those whose axis-aligned boxes touch.
#[must_use]
pub fn place_by_both(props: &[Obb]) -> Vec<usize> {
    place_in_tree(props, |a, b| overlaps(&Shape::Box(*a), &Shape::Box(*b)))
}

/// Keeps the props for which `touch` denies every prop in the tree whose axis-aligned box touches.
fn place_in_tree(props: &[Obb], touch: impl Fn(&Obb, &Obb) -> bool) -> Vec<usize> {
    let mut tree = DynamicTree::new();
    let mut near = Vec::new();
    let mut kept = Vec::new();
    for (number, prop) in props.iter().enumerate() {
        let aabb = prop.to_aabb();
        tree.query_aabb(&aabb, u32::MAX, &mut near);
        if !near.iter().any(|&other| touch(prop, &props[other as usize])) {
            tree.insert(number as u32, &aabb, Layers::ALL).expect("every number comes once");
            kept.push(number);
        }
    }
    kept
}

/// Places `count` props of `seed` in the three ways.
#[must_use]
pub fn run(seed: u64, count: u32) -> [Field; 3] {
    let props = props(seed, count);
    let measured = |method, place: fn(&[Obb]) -> Vec<usize>| {
        let start = Instant::now();
        let kept = place(&props);
        Field { method, kept, time: start.elapsed() }
    };
    [
        measured("axis-aligned boxes, by a tree", place_by_aabbs),
        measured("rotated boxes, all by all", place_by_obbs),
        measured("rotated boxes, by a tree", place_by_both),
    ]
}

fn main() {
    let fields = run(7, 10_000);
    for field in &fields {
        let time = field.time.as_millis();
        println!("{:29}: {:5} of 10000 props placed in {time:5} ms", field.method, field.kept.len());
    }
    println!("both ways for rotated boxes keep the same: {}", fields[1].kept == fields[2].kept);
}
