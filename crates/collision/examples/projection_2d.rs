//! The separating axis test, shown: for two shapes every axis, both shadows, and what they say.
//!
//! Two convex shapes are apart exactly if there is a line on which their shadows are apart; for shapes with straight
//! edges it is enough to try the lines along the edge normals. The axis with the widest gap, or the least overlap,
//! is where they would be pushed apart.
//!
//! `cargo run --example projection_2d`

use isostep_collision::planar::{
    Aabb2, Obb2, Polygon, Projection, Rotation2, Shape2, Shape2Error, overlaps, penetrates, penetration,
};
use isostep_math::{Fx, Vec2, fx, vec2};

/// An axis, the shadows on it, and the gap between them: below zero how far they reach into each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Of length 1.
    pub axis: Vec2,
    /// The first shape's shadow.
    pub shadow_a: Projection,
    /// The second shape's shadow.
    pub shadow_b: Projection,
    /// How far the shadows are apart.
    pub gap: Fx,
}

/// One row for every edge normal of both, those that point the opposite way left out.
pub fn rows(a: &Shape2, b: &Shape2) -> Vec<Row> {
    let mut axes: Vec<Vec2> = Vec::new();
    for normal in a.edge_normals().chain(b.edge_normals()) {
        if !axes.contains(&normal) && !axes.contains(&-normal) {
            axes.push(normal);
        }
    }
    let row = |axis: Vec2| {
        let (shadow_a, shadow_b) = (a.project(axis), b.project(axis));
        Row { axis, shadow_a, shadow_b, gap: shadow_a.gap(&shadow_b) }
    };
    axes.into_iter().map(row).collect()
}

/// Whether no axis separates the two: what the test finds by hand.
pub fn overlap_by_hand(rows: &[Row]) -> bool {
    rows.iter().all(|row| row.shadow_a.overlaps(&row.shadow_b))
}

/// The pairs that are shown.
pub fn pairs() -> Result<Vec<(&'static str, Shape2, Shape2)>, Shape2Error> {
    let square = Aabb2::new(vec2(fx!(0), fx!(0)), vec2(fx!(2), fx!(2)))?;
    let turned = |x, y| Obb2::new(vec2(x, y), vec2(fx!(1), fx!(1)), Rotation2::from_angle(Fx::FRAC_PI_4));
    let triangle = Polygon::new(&[vec2(fx!(1), fx!(1)), vec2(fx!(4), fx!(1)), vec2(fx!(1), fx!(4))])?;
    Ok(vec![
        ("two boxes side by side", square.into(), square.translate(vec2(fx!(2.5), fx!(0.5))).into()),
        ("two boxes that touch", square.into(), square.translate(vec2(fx!(2), fx!(0.5))).into()),
        // Both upright axes see an overlap here; only an axis of the turned box finds the gap.
        ("a box and a turned one at its corner", square.into(), turned(fx!(2.9), fx!(2.9))?.into()),
        ("a turned box that reaches in", square.into(), turned(fx!(2.5), fx!(2.5))?.into()),
        ("a box and a triangle", square.into(), triangle.into()),
    ])
}

/// The table of a pair as text.
pub fn table(name: &str, a: &Shape2, b: &Shape2) -> String {
    let mut text = format!("{name}\n");
    for row in rows(a, b) {
        let (a, b) = (row.shadow_a, row.shadow_b);
        let verdict = match (a.overlaps(&b), a.penetrates(&b)) {
            (false, _) => "apart: this axis separates them",
            (true, false) => "touching",
            (true, true) => "overlap",
        };
        text += &format!("  axis {}\n", row.axis);
        text += &format!("    a {} .. {}   b {} .. {}\n", a.min(), a.max(), b.min(), b.max());
        text += &format!("    gap {}: {verdict}\n", row.gap);
    }
    text += &match penetration(a, b) {
        Some(found) => format!("  => they penetrate; push b by {} along {}\n", found.depth, found.direction),
        None if overlaps(a, b) => "  => they touch\n".to_owned(),
        None => "  => they are apart\n".to_owned(),
    };
    text
}

fn main() -> Result<(), Shape2Error> {
    for (name, a, b) in pairs()? {
        assert_eq!(overlap_by_hand(&rows(&a, &b)), overlaps(&a, &b));
        assert!(overlaps(&a, &b) || !penetrates(&a, &b));
        println!("{}", table(name, &a, &b));
    }
    Ok(())
}
