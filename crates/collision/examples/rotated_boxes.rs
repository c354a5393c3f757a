//! Rotated boxes from first principles: corners, the test of 15 axes, containment, merging, the empty box.
//!
//! A box is held by its least and greatest corner in its own frame, and by the pose of that frame. Whatever is
//! easy for axis-aligned boxes is done in that frame: a point is brought there, and compared with min and max.
//!
//! Two convex bodies are apart if a plane fits between them. For two boxes it is enough to try 15 directions as
//! its normal: the three axes of one, the three of the other, and the nine cross products of an axis of one
//! and an axis of the other, for boxes that meet edge to edge (S. Gottschalk, M. Lin, D. Manocha, *OBBTree*,
//! 1996). Along a direction L, each box covers an interval: its centre ± Σ hᵢ |uᵢ · L|. If the intervals are
//! disjoint for one L, the boxes are apart; if for none, they meet.
//!
//! This program is for reading. [`isostep_collision::overlap`] does the same with exact products.
//!
//! Run it with `cargo run -p isostep-collision --example rotated_boxes`.

use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};

/// A box in a frame of its own; empty where a minimum lies above its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotatedBox {
    /// The least corner in the frame.
    pub min: Vec3,
    /// The greatest corner in the frame.
    pub max: Vec3,
    /// Where the frame is.
    pub frame: Pose,
}

impl RotatedBox {
    /// The box that holds no point.
    pub const EMPTY: Self =
        Self { min: Vec3::splat(Fx::MAX), max: Vec3::splat(Fx::MIN), frame: Pose::IDENTITY };

    /// Whether it holds no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.min[axis] > self.max[axis])
    }

    /// Its corners in the world: bit 0 of the index chooses x, bit 1 y, bit 2 z. None for the empty box.
    #[must_use]
    pub fn corners(&self) -> Vec<Vec3> {
        if self.is_empty() {
            return Vec::new();
        }
        let pick = |index: usize, axis: usize| {
            if index >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] }
        };
        (0..8).map(|i| self.frame.transform_point(Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2)))).collect()
    }

    /// Whether a point of the world lies in the box or on its surface.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let local = self.frame.inverse_transform_point(point);
        (0..3).all(|axis| self.min[axis] <= local[axis] && local[axis] <= self.max[axis])
    }

    /// The smallest box in the frame of `self` that holds both. The empty box leaves the other as it is.
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        other.corners().into_iter().fold(*self, |merged, corner| {
            let local = merged.frame.inverse_transform_point(corner);
            Self { min: merged.min.min(local), max: merged.max.max(local), ..merged }
        })
    }

    /// Whether the two share a point, by the 15 axes.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        if self.is_empty() || other.is_empty() {
            return false;
        }
        let (axes, others) = (self.axes(), other.axes());
        let across = axes.iter().flat_map(|a| others.iter().map(|b| a.cross(*b)));
        // Two axes that are nearly parallel have no direction across both; the faces have decided for them.
        let across = across.filter(|axis| axis.length() > fx!(0.001));
        let between = other.center() - self.center();
        let apart = |axis: &Vec3| {
            let reach = self.reach(*axis) + other.reach(*axis);
            // The axes are rounded to 2⁻³², so boxes that touch may seem to be a few units apart.
            between.dot(*axis).abs() > reach + fx!(0.00000001)
        };
        !axes.iter().copied().chain(others).chain(across).any(|axis| apart(&axis))
    }

    /// Its axes in the world.
    fn axes(&self) -> [Vec3; 3] {
        Vec3::AXES.map(|axis| self.frame.transform_vector(axis))
    }

    fn center(&self) -> Vec3 {
        self.frame.transform_point(self.min.midpoint(self.max))
    }

    /// How far it reaches from its centre along `direction`: Σ hᵢ |uᵢ · L|.
    fn reach(&self, direction: Vec3) -> Fx {
        let half = (self.max - self.min) / fx!(2);
        let [x, y, z] = self.axes().map(|axis| axis.dot(direction).abs());
        half.dot(vec3(x, y, z))
    }
}

/// What the program finds out.
#[derive(Debug)]
pub struct Answers {
    /// The corners of a slab turned by 30°.
    pub corners: Vec<Vec3>,
    /// Whether the slab holds a point above its middle, and one in the corner of its axis-aligned box.
    pub contains: [bool; 2],
    /// Whether a cube beside the slab, in its axis-aligned box, meets it; and the same cube lowered onto it.
    pub meets: [bool; 2],
    /// Whether two cubes meet that stand edge to edge, crosswise, with a gap only along the ninth cross product.
    pub edges: [bool; 2],
    /// The slab and the cube beside it in one box.
    pub merged: RotatedBox,
    /// Whether the empty box meets the slab.
    pub empty_meets: bool,
    /// The empty box merged with the slab.
    pub empty_merged: RotatedBox,
}

/// Asks a slab, a cube and the empty box the usual questions.
#[must_use]
pub fn run() -> Answers {
    let turned = Pose::new(Quat::from_rotation_z(Fx::FRAC_PI_6), vec3(fx!(10), fx!(0), fx!(0)));
    let half = vec3(fx!(4), fx!(0.5), fx!(1));
    let slab = RotatedBox { min: -half, max: half, frame: turned };
    let cube = |x, y| RotatedBox {
        min: Vec3::splat(fx!(-0.5)),
        max: Vec3::splat(fx!(0.5)),
        frame: Pose::from_translation(vec3(x, y, fx!(0))),
    };
    let beside = cube(fx!(8), fx!(1.5));

    // One cube on its edge along x, the other below it on its edge along z: √2 apart they touch.
    let unit = |rotation, y| RotatedBox {
        frame: Pose::new(rotation, vec3(fx!(0), y, fx!(0))),
        ..cube(fx!(0), fx!(0))
    };
    let lower = unit(Quat::from_rotation_z(Fx::FRAC_PI_4), fx!(0));
    let edges = [fx!(1.415), fx!(1.414)]
        .map(|height| lower.overlaps(&unit(Quat::from_rotation_x(Fx::FRAC_PI_4), height)));

    Answers {
        corners: slab.corners(),
        contains: [
            slab.contains(vec3(fx!(10), fx!(0.5), fx!(0))),
            slab.contains(vec3(fx!(7), fx!(2), fx!(0))),
        ],
        meets: [slab.overlaps(&beside), slab.overlaps(&cube(fx!(8), fx!(0)))],
        edges,
        merged: slab.merge(&beside),
        empty_meets: RotatedBox::EMPTY.overlaps(&slab),
        empty_merged: RotatedBox::EMPTY.merge(&slab),
    }
}

fn main() {
    let answers = run();
    println!("a slab of 8 x 1 x 2 m at x = 10 m, turned by 30° about z, has the corners");
    for corner in &answers.corners {
        println!("  {corner}");
    }
    let [middle, corner] = answers.contains;
    println!("it holds a point above its middle: {middle}, and one beside it: {corner}");
    let [beside, lowered] = answers.meets;
    println!("a cube beside it meets it: {beside}; lowered onto it: {lowered}");
    let [gap, touch] = answers.edges;
    println!("two cubes edge to edge, crosswise, meet when 0.8 mm apart: {gap}; when 0.2 mm deep: {touch}");
    let merged = &answers.merged;
    println!("in the axes of the slab, both together reach from {} to {}", merged.min, merged.max);
    println!("the empty box meets the slab: {}", answers.empty_meets);
    println!(
        "the empty box merged with the slab is the slab: {}",
        answers.empty_merged.corners() == answers.corners
    );
}
