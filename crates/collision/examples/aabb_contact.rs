//! Two axis-aligned boxes: do they meet, and how are they best pushed apart?
//!
//! Two tests say the same in two ways:
//!
//! * by corners: on every axis, each box begins before the other ends;
//! * by centres: on every axis, the centres are closer than the sum of the half sizes.
//!
//! Boxes that merely touch do not collide here: both tests are strict.
//!
//! Where they meet, one of six faces of `a` is the cheapest way out for `b`: the one that `b` has sunk below
//! least. Its normal is the direction of the contact, how far `b` is below it the depth. The middle of what
//! the two have in common is where they touch; on the face of each box it gives the contact point of that
//! box, in its own coordinates, which move with it.
//!
//! Run it with `cargo run -p isostep-collision --example aabb_contact`.

use isostep_collision::Aabb;
use isostep_math::{Fx, Vec3, fx, vec3};

/// Whether the boxes share more than their surfaces, by their corners. (The crate has this as
/// [`Aabb::penetrates`].)
#[must_use]
pub fn meet_by_corners(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|axis| a.min()[axis] < b.max()[axis] && b.min()[axis] < a.max()[axis])
}

/// The same by centres and half sizes.
///
/// Exact for boxes whose sizes are even numbers of units of 2⁻³² m; centres and halves of others are rounded.
#[must_use]
pub fn meet_by_centers(a: &Aabb, b: &Aabb) -> bool {
    let distance = (b.center() - a.center()).abs();
    let reach = a.half_extents() + b.half_extents();
    (0..3).all(|axis| distance[axis] < reach[axis])
}

/// How two boxes that meet are pushed apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The way out for the second box: along it by `depth`, or the first box the other way.
    pub normal: Vec3,
    /// How deep the second box is below the face.
    pub depth: Fx,
    /// The contact point on the first box, from its centre.
    pub on_a: Vec3,
    /// The contact point on the second box, from its centre.
    pub on_b: Vec3,
}

/// The contact of two boxes that meet; the first of x, −x, y, −y, z, −z where faces are equally good.
#[must_use]
pub fn contact(a: &Aabb, b: &Aabb) -> Option<Contact> {
    if !meet_by_corners(a, b) {
        return None;
    }
    let faces = (0..3).flat_map(|axis| {
        [(axis, Fx::ONE, a.max()[axis] - b.min()[axis]), (axis, -Fx::ONE, b.max()[axis] - a.min()[axis])]
    });
    let (axis, side, depth) = faces.min_by_key(|&(_, _, depth)| depth)?;
    let mut normal = Vec3::ZERO;
    normal[axis] = side;

    // Amid what they share, moved along the normal to the face of each.
    let middle = a.intersection(b).center();
    let (mut on_a, mut on_b) = (middle - a.center(), middle - b.center());
    on_a[axis] = a.half_extents()[axis] * side;
    on_b[axis] = -b.half_extents()[axis] * side;
    Some(Contact { normal, depth, on_a, on_b })
}

/// A pair and what is found out about it.
#[derive(Debug)]
pub struct Case {
    /// What it shows.
    pub name: &'static str,
    /// The first box.
    pub a: Aabb,
    /// The second box.
    pub b: Aabb,
    /// The answer by corners.
    pub by_corners: bool,
    /// The answer by centres.
    pub by_centers: bool,
    /// The way out.
    pub contact: Option<Contact>,
}

/// A shelf and some boxes at, on and in it.
#[must_use]
pub fn run() -> Vec<Case> {
    let around = |x, y, z, half| {
        Aabb::from_center_half_extents(vec3(x, y, z), half).expect("half extents of at least 0")
    };
    let shelf = around(fx!(0), fx!(0), fx!(0), vec3(fx!(2), fx!(0.5), fx!(1)));
    let cube = |x, y, z| around(x, y, z, Vec3::splat(fx!(0.5)));
    let cases = [
        ("apart", cube(fx!(4), fx!(0), fx!(0))),
        ("standing on it", cube(fx!(1), fx!(1), fx!(0))),
        ("sunk into it", cube(fx!(1), fx!(0.75), fx!(0.25))),
        ("pushed in from the left", cube(fx!(-2.25), fx!(0.25), fx!(0))),
        ("inside of it", cube(fx!(0), fx!(0), fx!(0.125))),
    ];
    cases
        .into_iter()
        .map(|(name, b)| Case {
            name,
            a: shelf,
            b,
            by_corners: meet_by_corners(&shelf, &b),
            by_centers: meet_by_centers(&shelf, &b),
            contact: contact(&shelf, &b),
        })
        .collect()
}

fn main() {
    for case in run() {
        println!("{}: by corners {}, by centres {}", case.name, case.by_corners, case.by_centers);
        if let Some(contact) = case.contact {
            println!("  out along {} by {}", contact.normal, contact.depth);
            println!("  on the first box at {}, on the second at {}", contact.on_a, contact.on_b);
        }
    }
}
