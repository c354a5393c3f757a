//! Where solids keep the light from scenery.

use crate::camera::Camera;
use crate::plane::{Point, clip, hull};
use crate::solid::{Finish, Form, Solid};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::BodyHandle;

/// How many corners the shadow of a ball has.
const CORNERS: i32 = 16;

/// What throws a shadow: points whose hull is the outline that the light sees.
#[derive(Clone, Debug)]
pub(crate) struct Caster {
    body: BodyHandle,
    solid: Solid,
    outline: Vec<Vec3>,
}

impl Caster {
    /// Of a solid; `None` for what light passes, and for what is only drawn in part.
    pub(crate) fn of(camera: &Camera, solid: &Solid) -> Option<Self> {
        if solid.finish != Finish::Opaque || solid.cut {
            return None;
        }
        let (center, [x, y, z]) = (solid.center, solid.generators);
        let outline = match solid.form {
            Form::Ball => disc(camera, center, solid.radius),
            Form::Capsule => {
                [center - x, center + x].into_iter().flat_map(|end| disc(camera, end, solid.radius)).collect()
            }
            Form::Box => [center - z, center + z]
                .into_iter()
                .flat_map(|end| [end - x - y, end + x - y, end + x + y, end - x + y])
                .collect(),
        };
        Some(Self { body: solid.body, solid: *solid, outline })
    }

    /// Its shadow on a face of another body, as it is seen; empty where it throws none.
    pub(crate) fn shadow(&self, camera: &Camera, owner: BodyHandle, face: &Face<'_>) -> Vec<Point> {
        let height = |point: Vec3| (point - face.point).dot(face.normal);
        if self.body == owner || height(self.solid.center) + self.solid.reach(face.normal) <= camera.pixel() {
            return Vec::new();
        }
        let slant = camera.light.dot(face.normal);
        let on_face = self.outline.iter().map(|&point| {
            let way = camera.light * (height(point).max(Fx::ZERO) / slant);
            camera.project(point - way)
        });
        let shadow = hull(on_face.collect());
        if shadow.len() < 3 { Vec::new() } else { clip(&shadow, face.outline) }
    }
}

/// A face that shadows fall on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face<'a> {
    /// A point of it.
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    /// As it is seen: convex, going round as a hull.
    pub(crate) outline: &'a [Point],
}

/// A circle across the light.
fn disc(camera: &Camera, center: Vec3, radius: Fx) -> Vec<Vec3> {
    let (u, v) = camera.light.any_orthonormal_pair();
    let corner = |index: i32| {
        let (sin, cos) = (fx!(6.283185307179586) * Fx::from_ratio(index.into(), CORNERS.into())).sin_cos();
        center + u * (cos * radius) + v * (sin * radius)
    };
    (0..CORNERS).map(corner).collect()
}
