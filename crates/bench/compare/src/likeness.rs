//! Whether engines made the same of a scene: how high its bodies lie, how fast they still are, and who got out.

use isostep_compare_scene::{Body, DENSITY, Scene, Shape};

use crate::engine::Motion;

/// The end of a scene in some engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// Of the floor, in m; 0 where there is none.
    pub(crate) floor: f64,
    /// Of the highest centre of a body, in m.
    pub(crate) highest: f64,
    /// The mean over the centres of the bodies, in m.
    pub(crate) mean_height: f64,
    /// Of all bodies together, in J.
    pub(crate) kinetic_energy: f64,
    /// How many bodies are inside of the scenery, below it, or outside of its walls.
    pub(crate) escaped: usize,
}

impl End {
    /// What became of a scene whose bodies move like this now.
    pub(crate) fn of(scene: &Scene, motions: &[Motion]) -> Self {
        let heights = motions.iter().map(|motion| motion.position[1]);
        let scenery = Scenery::of(scene);
        let bodies = scene.dynamic_bodies();
        Self {
            floor: if scenery.floor.is_finite() { scenery.floor } else { 0.0 },
            highest: heights.clone().fold(f64::NEG_INFINITY, f64::max),
            mean_height: heights.sum::<f64>() / motions.len() as f64,
            kinetic_energy: bodies.zip(motions).map(|(body, motion)| kinetic_energy(body, motion)).sum(),
            escaped: motions.iter().filter(|motion| scenery.is_escaped(motion.position)).count(),
        }
    }
}

/// What does not move: the first static body of a scene is its floor, and walls stand on that.
struct Scenery<'a> {
    fixed: Vec<&'a Body>,
    floor: f64,
    /// The bounds of all but the floor along x and z, if there is more.
    walls: Option<[(f64, f64); 2]>,
}

impl<'a> Scenery<'a> {
    fn of(scene: &'a Scene) -> Self {
        let fixed: Vec<&Body> = scene.bodies.iter().filter(|body| !body.is_dynamic).collect();
        let floor = fixed.first().map_or(f64::NEG_INFINITY, |floor| floor.position[1] + reach(floor)[1]);
        let bounds = |axis: usize| {
            let bound = |body: &&Body| {
                let (center, reach) = (body.position[axis], reach(body)[axis]);
                (center - reach, center + reach)
            };
            fixed[1..].iter().map(bound).fold((f64::INFINITY, f64::NEG_INFINITY), |sum, bound| {
                (sum.0.min(bound.0), sum.1.max(bound.1))
            })
        };
        let walls = (fixed.len() > 1).then(|| [bounds(0), bounds(2)]);
        Self { fixed, floor, walls }
    }

    /// Whether the centre of a body is where it can only be if it went through something.
    fn is_escaped(&self, [x, y, z]: [f64; 3]) -> bool {
        let is_outside = |walls: &[(f64, f64); 2]| {
            walls.iter().zip([x, z]).any(|((low, high), place)| place < *low || place > *high)
        };
        let is_number = x.is_finite() && y.is_finite() && z.is_finite();
        !is_number
            || y < self.floor
            || self.walls.as_ref().is_some_and(is_outside)
            || self.fixed.iter().any(|body| holds(body, [x, y, z]))
    }
}

/// Half the size of the box along the axes that is around a body.
pub(crate) fn reach(body: &Body) -> [f64; 3] {
    let half_extents = match body.shape {
        Shape::Sphere { radius } => return [radius; 3],
        Shape::Box { half_extents } => half_extents,
    };
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| rotate(body.rotation, axis));
    std::array::from_fn(|row| (0..3).map(|column| axes[column][row].abs() * half_extents[column]).sum())
}

/// Whether a point is inside of a body that does not move.
fn holds(body: &Body, point: [f64; 3]) -> bool {
    let [x, y, z, w] = body.rotation;
    let relative = std::array::from_fn(|axis| point[axis] - body.position[axis]);
    let local = rotate([-x, -y, -z, w], relative);
    match body.shape {
        Shape::Box { half_extents } => local.iter().zip(half_extents).all(|(part, half)| part.abs() < half),
        Shape::Sphere { radius } => dot(local, local) < radius * radius,
    }
}

/// ½ m v² + ½ ω·I ω at density 1, with I of the shape in its own axes.
fn kinetic_energy(body: &Body, motion: &Motion) -> f64 {
    let (mass, inertia) = match body.shape {
        Shape::Box { half_extents: [x, y, z] } => {
            let mass = DENSITY * 8.0 * x * y * z;
            (mass, [y * y + z * z, x * x + z * z, x * x + y * y].map(|squares| mass / 3.0 * squares))
        }
        Shape::Sphere { radius } => {
            let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
            (mass, [0.4 * mass * radius * radius; 3])
        }
    };
    let [x, y, z, w] = motion.rotation;
    let spin = rotate([-x, -y, -z, w], motion.angular_velocity);
    let turning: f64 = spin.iter().zip(inertia).map(|(spin, inertia)| inertia * spin * spin).sum();
    0.5 * (mass * dot(motion.linear_velocity, motion.linear_velocity) + turning)
}

/// v + 2 w (q × v) + 2 q × (q × v).
pub(crate) fn rotate([x, y, z, w]: [f64; 4], vector: [f64; 3]) -> [f64; 3] {
    let once = cross([x, y, z], vector);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|axis| vector[axis] + 2.0 * (w * once[axis] + twice[axis]))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(shape: Shape, is_dynamic: bool, position: [f64; 3]) -> Body {
        Body { shape, is_dynamic, position, rotation: [0.0, 0.0, 0.0, 1.0], velocity: [0.0; 3] }
    }

    /// A floor at height 0, walls from 6 to 8 m to both sides along x, and two bodies.
    fn pit() -> Scene {
        let wall = |x| body(Shape::Box { half_extents: [1.0, 5.0, 8.0] }, false, [x, 5.0, 0.0]);
        let floor = body(Shape::Box { half_extents: [50.0, 1.0, 50.0] }, false, [0.0, -1.0, 0.0]);
        let moving = body(Shape::Box { half_extents: [0.5; 3] }, true, [0.0, 1.0, 0.0]);
        let ball = body(Shape::Sphere { radius: 1.0 }, true, [3.0, 1.0, 0.0]);
        Scene { name: "pit".into(), steps: 1, bodies: vec![floor, wall(-7.0), wall(7.0), moving, ball] }
    }

    fn still(position: [f64; 3]) -> Motion {
        let rotation = [0.0, 0.6, 0.0, 0.8];
        Motion { position, rotation, linear_velocity: [0.0; 3], angular_velocity: [0.0; 3] }
    }

    #[test]
    fn who_went_through_the_floor_or_a_wall_has_escaped() {
        let escaped = |position| End::of(&pit(), &[still(position), still([0.0, 2.0, 0.0])]).escaped;
        assert_eq!(escaped([5.4, 0.5, 7.9]), 0);
        assert_eq!(escaped([0.0, -0.1, 0.0]), 1);
        assert_eq!(escaped([6.2, 3.0, 0.0]), 1);
        assert_eq!(escaped([9.0, 0.5, 0.0]), 1);
        assert_eq!(escaped([0.0, 0.5, -8.5]), 1);
        assert_eq!(escaped([f64::NAN, 1.0, 0.0]), 1);
    }

    #[test]
    fn energies_are_those_of_the_textbook() {
        let mut motions = [still([0.0, 4.0, 0.0]), still([0.0, 2.0, 0.0])];
        motions[0].linear_velocity = [0.0, 2.0, 0.0];
        motions[0].angular_velocity = [0.0, 0.0, 3.0];
        let end = End::of(&pit(), &motions);
        // A cube of 1 kg: 2 J of flight, and 9/2 of its inertia of a sixth.
        assert!((end.kinetic_energy - 2.75).abs() < 1e-12, "{}", end.kinetic_energy);
        assert_eq!((end.highest, end.mean_height), (4.0, 3.0));
    }
}
