//! Scenes as text, so that every engine reads the same one.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// No scene has more steps: their times are kept.
const MAX_STEPS: usize = 1_000_000;
/// No number of a scene is farther from 0: `f32` and fixed point have all of these.
const MAX_NUMBER: f64 = 1e9;
/// How far the length of a rotation or a direction may be from 1.
const UNIT_TOLERANCE: f64 = 1e-3;

/// A scene: how many steps are taken, and its bodies in the order in which they are added.
#[derive(Clone, Debug)]
pub struct Scene {
    pub name: String,
    pub steps: usize,
    pub bodies: Vec<Body>,
}

/// A body of one shape with its centre in the origin of the body. In metres and m/s, y up.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub shape: Shape,
    pub is_dynamic: bool,
    pub position: [f64; 3],
    /// x, y, z, w; of length 1 but for the rounding of its text.
    pub rotation: [f64; 4],
    pub velocity: [f64; 3],
}

/// The shape of a body.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Box { half_extents: [f64; 3] },
    Sphere { radius: f64 },
}

/// A ray to cast into a scene.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub origin: [f64; 3],
    /// Of length 1 but for the rounding of its text.
    pub direction: [f64; 3],
}

impl Scene {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self::parse(name, &text).with_context(|| format!("{} is no scene", path.display()))
    }

    fn parse(name: String, text: &str) -> Result<Self> {
        let mut lines = text.lines().zip(1..);
        let steps = match lines.next().and_then(|(line, _)| line.strip_prefix("steps ")) {
            Some(steps) => steps
                .parse()
                .ok()
                .filter(|steps| (1..=MAX_STEPS).contains(steps))
                .with_context(|| format!("line 1: {steps:?} is no count from 1 to {MAX_STEPS}"))?,
            None => bail!("line 1 does not say how many `steps`"),
        };
        let bodies = lines
            .map(|(line, number)| Body::parse(line).with_context(|| format!("line {number}: {line:?}")))
            .collect::<Result<Vec<_>>>()?;
        ensure!(bodies.iter().any(|body| body.is_dynamic), "no body of it is dynamic");
        Ok(Self { name, steps, bodies })
    }

    /// The text of a file that reads as this scene, to the bit.
    pub fn to_text(&self) -> String {
        let mut text = format!("steps {}\n", self.steps);
        for body in &self.bodies {
            let (shape, sizes) = match body.shape {
                Shape::Box { half_extents } => ("box", half_extents),
                Shape::Sphere { radius } => ("sphere", [radius, 0.0, 0.0]),
            };
            let _ = write!(text, "{shape} {}", if body.is_dynamic { "d" } else { "s" });
            for number in sizes.iter().chain(&body.position).chain(&body.rotation).chain(&body.velocity) {
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        }
        text
    }

    /// The bodies that move.
    pub fn dynamic_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| body.is_dynamic)
    }
}

impl Body {
    fn parse(line: &str) -> Result<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, motion, numbers @ ..] = words.as_slice() else {
            bail!("neither shape nor kind of motion")
        };
        let [hx, hy, hz, px, py, pz, qx, qy, qz, qw, vx, vy, vz] = numbers_of(numbers)?;
        let shape = match *kind {
            "box" => Shape::Box { half_extents: [hx, hy, hz] },
            "sphere" => Shape::Sphere { radius: hx },
            other => bail!("{other:?} is no shape"),
        };
        let is_dynamic = match *motion {
            "d" => true,
            "s" => false,
            other => bail!("{other:?} is neither `s` (static) nor `d` (dynamic)"),
        };
        check_length("the rotation", &[qx, qy, qz, qw])?;
        let (position, rotation, velocity) = ([px, py, pz], [qx, qy, qz, qw], [vx, vy, vz]);
        Ok(Self { shape, is_dynamic, position, rotation, velocity })
    }
}

/// Reads the rays of a file, an origin and a direction in each line.
pub fn read_rays(path: &Path) -> Result<Vec<Ray>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let ray = |line: &str| -> Result<Ray> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [ox, oy, oz, dx, dy, dz] = numbers_of(&words)?;
        check_length("the direction", &[dx, dy, dz])?;
        Ok(Ray { origin: [ox, oy, oz], direction: [dx, dy, dz] })
    };
    let ray_of = |(line, number): (&str, usize)| {
        ray(line).with_context(|| format!("{}, line {number}: {line:?}", path.display()))
    };
    text.lines().zip(1..).map(ray_of).collect()
}

/// # Errors
/// If the length is not 1, but for rounding.
fn check_length(what: &str, numbers: &[f64]) -> Result<()> {
    let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    ensure!((length - 1.0).abs() <= UNIT_TOLERANCE, "{what} is of length {length}: it must be 1");
    Ok(())
}

/// As many numbers of a usable size as are wanted, no less and no more.
fn numbers_of<const COUNT: usize>(words: &[&str]) -> Result<[f64; COUNT]> {
    let number = |word: &&str| match word.parse::<f64>() {
        Ok(number) if number.abs() <= MAX_NUMBER => Ok(number),
        _ => bail!("{word:?} is no number from -{MAX_NUMBER} to {MAX_NUMBER}"),
    };
    let numbers = words.iter().map(number).collect::<Result<Vec<f64>>>()?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| anyhow::anyhow!("{count} numbers instead of {COUNT}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_read_as_it_is_written() {
        let text = "steps 7\nbox s 9 1 8 0 -1 0 0 0 0 1 0 0 0\nsphere d .5 0 0 1 2 3 0 0.6 0 0.8 4 5 6\n";
        let scene = Scene::parse("two".into(), text).unwrap();
        assert_eq!((scene.steps, scene.bodies.len()), (7, 2));
        assert!(matches!(scene.bodies[0].shape, Shape::Box { half_extents: [9.0, 1.0, 8.0] }));
        let ball: Vec<&Body> = scene.dynamic_bodies().collect();
        assert!(matches!(ball[0].shape, Shape::Sphere { radius: 0.5 }));
        assert_eq!(ball[0].position, [1.0, 2.0, 3.0]);
        assert_eq!(ball[0].rotation, [0.0, 0.6, 0.0, 0.8]);
        assert_eq!(ball[0].velocity, [4.0, 5.0, 6.0]);
    }

    #[test]
    fn a_scene_that_is_written_reads_as_it_was() {
        let text = "steps 7\nbox s 9 1 8 0 -1 0 0 0 0 1 0 0 0\nsphere d 0.1 0 0 1 2 3 0 0.6 0 0.8 4 5 6\n";
        assert_eq!(Scene::parse("two".into(), text).unwrap().to_text(), text);
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        let message = |text: &str| format!("{:#}", Scene::parse("bad".into(), text).unwrap_err());
        assert_eq!(message("box"), "line 1 does not say how many `steps`");
        assert!(message("steps 1\ncone d 1").starts_with("line 2: \"cone d 1\": 1 numbers instead of 13"));
        assert!(message("steps 1\nbox s a").contains("\"a\" is no number"));
        assert!(message("steps 1\nbox s 1e300").contains("\"1e300\" is no number from"));
        assert_eq!(message("steps 0"), "line 1: \"0\" is no count from 1 to 1000000");
        assert!(message("steps 18446744073709551615").contains("is no count from 1 to 1000000"));
        assert_eq!(message("steps 1\nbox s 1 1 1 0 0 0 0 0 0 1 0 0 0"), "no body of it is dynamic");
        assert!(
            message("steps 1\nbox d 1 1 1 0 0 0 0 0 0 2 0 0 0")
                .ends_with("the rotation is of length 2: it must be 1")
        );
    }
}
