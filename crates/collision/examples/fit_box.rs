//! A tight box for a mesh: fitted to its vertices, at any rotation.
//!
//! An artist's crate seldom lies along the axes of its file. The axis-aligned box of its vertices is then too
//! large, and the box of another pose would be another size. Fitting finds the crate's own axes from the vertices
//! alone: by their principal axes, and by frames of their extreme points, which also know the axes of a cube.
//!
//! The program puts vertices all over the faces of boxes, turns and moves them, fits a box and compares: axes and
//! half extents come back within 2⁻¹⁶ m, and every vertex is inside.
//!
//! Run it with `cargo run -p isostep-collision --example fit_box`.

use isostep_collision::{Aabb, Obb};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};

/// A fitted mesh.
#[derive(Debug)]
pub struct Fitted {
    /// The box the mesh was made of.
    pub mesh: Obb,
    /// How many vertices it has.
    pub vertices: usize,
    /// The box fitted to them.
    pub fitted: Obb,
    /// Half extents of the axis-aligned box around them.
    pub aligned: Vec3,
    /// The greatest difference of an axis, up to order and direction.
    pub axis_error: Fx,
    /// The greatest difference of a half extent.
    pub extent_error: Fx,
    /// Whether all vertices are in the fitted box.
    pub holds_all: bool,
}

/// Vertices on the faces of a box: a lattice of 5 × 5 on each.
#[must_use]
pub fn vertices(mesh: &Obb) -> Vec<Vec3> {
    let axes = mesh.axes();
    let half = mesh.half_extents();
    let mut vertices = Vec::new();
    for index in 0..125 {
        let steps = [index % 5, index / 5 % 5, index / 25].map(|step| Fx::from_ratio(step - 2, 2));
        if steps.iter().any(|step| step.abs() == Fx::ONE) {
            let offset = (0..3).map(|axis| axes[axis] * (half[axis] * steps[axis])).sum::<Vec3>();
            vertices.push(mesh.center() + offset);
        }
    }
    vertices
}

/// Fits a box to the vertices of another and compares the two.
#[must_use]
pub fn fit(mesh: Obb) -> Fitted {
    let vertices = vertices(&mesh);
    let fitted = Obb::fit(&vertices).expect("a mesh of less than 65 km");
    let mut axis_error = Fx::ZERO;
    let mut extent_error = Fx::ZERO;
    for (axis, extent) in fitted.axes().into_iter().zip(fitted.half_extents().to_array()) {
        // The axis of the mesh that lies closest, either way round.
        let differences = mesh.axes().map(|own| own.distance(axis).min((-own).distance(axis)));
        let own = (0..3).min_by_key(|&own| differences[own]).expect("three axes");
        axis_error = axis_error.max(differences[own]);
        extent_error = extent_error.max((extent - mesh.half_extents()[own]).abs());
    }
    Fitted {
        mesh,
        vertices: vertices.len(),
        fitted,
        aligned: Aabb::from_points(vertices.iter().copied()).half_extents(),
        axis_error,
        extent_error,
        holds_all: vertices.iter().all(|&vertex| fitted.contains(vertex)),
    }
}

/// Fits boxes of several shapes at random poses.
#[must_use]
pub fn run() -> Vec<Fitted> {
    let mut rng = Rng::new(2026, 0);
    let shapes = [
        vec3(fx!(1), fx!(2), fx!(3)),
        vec3(fx!(4), fx!(0.05), fx!(0.5)),
        vec3(fx!(1), fx!(1), fx!(2)),
        vec3(fx!(0.5), fx!(0.5), fx!(0.5)),
    ];
    shapes
        .into_iter()
        .map(|half| {
            let center = rng.unit_vec3() * fx!(5000);
            fit(Obb::new(center, half, rng.unit_quat()).expect("a sound box"))
        })
        .collect()
}

fn main() {
    for fit in run() {
        println!("{} vertices of a box with the half extents {}", fit.vertices, fit.mesh.half_extents());
        println!("  axis-aligned box {:.4}", fit.aligned);
        println!(
            "  fitted box, its axes in any order {:.4}, all vertices inside: {}",
            fit.fitted.half_extents(),
            fit.holds_all
        );
        println!("  axes differ by {}, half extents by {}", fit.axis_error, fit.extent_error);
    }
}
