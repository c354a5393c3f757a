//! Shapes, and the questions asked of pairs and of many of them.

use super::Recorder;
use crate::arguments::Arguments;
use isostep_collision::manifold::{
    Manifold, PosedBoxes, PosedSpheres, box_manifolds, manifold, sphere_manifolds,
};
use isostep_collision::tree::{DynamicTree, Layers, TreeItem};
use isostep_collision::{
    Capsule, HalfSpace, Obb, Ray, Shape, Sphere, cast_ray, cast_shape, closest_points, overlap,
    penetration_of,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, SymmetricMat3, Vec3};

/// Shapes of one size near each other.
struct Scene {
    rng: Rng,
    size: Fx,
    origin: Vec3,
}

impl Scene {
    /// Millimetres to kilometres, at the origin and far from it.
    fn new(round: u32) -> Self {
        let mut rng = Rng::new(0x5C_E4E, u64::from(round));
        let size = Fx::from_ratio(1, 1000) << (round % 20);
        let origin = if round % 3 == 0 { rng.unit_vec3() * Fx::from_int(1 << 29) } else { Vec3::ZERO };
        Self { rng, size, origin }
    }

    fn length(&mut self) -> Fx {
        self.size * self.rng.fx_range(Fx::from_ratio(1, 20), Fx::ONE)
    }

    fn point(&mut self) -> Vec3 {
        self.origin + self.rng.unit_vec3() * self.length()
    }

    fn rotation(&mut self) -> Quat {
        if self.rng.below(4) == 0 { Quat::IDENTITY } else { self.rng.unit_quat() }
    }

    fn obb(&mut self) -> Obb {
        let half = Vec3::new(self.length(), self.length(), self.length());
        Obb::new(self.point(), half, self.rotation()).expect("extents above zero, a unit rotation")
    }

    fn sphere(&mut self) -> Sphere {
        Sphere::new(self.point(), self.length()).expect("a radius above zero")
    }

    fn shape(&mut self) -> Shape {
        match self.rng.below(4) {
            0 => self.sphere().into(),
            1 => self.obb().into(),
            2 => Capsule::new(self.point(), self.point(), self.length()).expect("a radius above zero").into(),
            _ => HalfSpace::new(self.point(), self.rng.unit_vec3()).expect("a unit normal").into(),
        }
    }
}

impl Recorder {
    fn vector(&mut self, v: Vec3) {
        self.numbers(v.to_array());
    }

    fn manifold(&mut self, manifold: &Manifold) {
        self.vector(manifold.normal);
        self.bits(manifold.points().len() as i64);
        for point in manifold.points() {
            self.vector(point.anchor_a);
            self.vector(point.anchor_b);
            self.number(point.separation);
            self.bits(i64::from(point.feature.0));
        }
    }
}

const ROUNDS: u32 = 2000;

pub(super) fn shapes(out: &mut Recorder) {
    for round in 0..ROUNDS / 4 {
        let mut scene = Scene::new(round);
        let (obb, shape, point) = (scene.obb(), scene.shape(), scene.point());
        obb.corners().into_iter().for_each(|corner| out.vector(corner));
        let aabb = shape.to_aabb();
        out.vector(aabb.min());
        out.vector(aabb.max());
        out.vector(shape.closest_point(point));
        out.bits(i64::from(shape.contains(point)));
        let merged = obb.merge(&scene.obb());
        out.vector(merged.center());
        out.vector(merged.half_extents());
        if let Ok(mass) = shape.mass_properties(Fx::ONE) {
            out.vector(mass.center());
            out.numbers(mass.gyration().to_array());
        }
        let cloud: Vec<Vec3> = (0..12).map(|_| scene.point()).collect();
        if let Ok(fitted) = Obb::fit(&cloud) {
            out.vector(fitted.center());
            out.vector(fitted.half_extents());
            out.numbers(fitted.rotation().to_array());
        }
        let mut arguments = Arguments::new(u64::from(round));
        let symmetric = SymmetricMat3::from_array(core::array::from_fn(|_| arguments.number(40)));
        let eigen = symmetric.eigen();
        out.numbers(eigen.rotation.to_array());
        out.vector(eigen.values);
    }
}

pub(super) fn overlap(out: &mut Recorder) {
    for round in 0..ROUNDS {
        let mut scene = Scene::new(round);
        let (a, b) = (scene.shape(), scene.shape());
        out.bits(overlap::relation(&a, &b) as i64);
        if let Some(deep) = penetration_of(&a, &b) {
            out.vector(deep.direction);
            out.number(deep.depth);
        }
        if let Some(closest) = closest_points(&a, &b) {
            out.number(closest.distance);
            out.vector(closest.on_a);
            out.vector(closest.on_b);
            out.vector(closest.normal);
        }
    }
}

pub(super) fn manifolds(out: &mut Recorder) {
    for round in 0..ROUNDS {
        let mut scene = Scene::new(round);
        let margin = scene.size >> 4;
        let (a, b) = (scene.shape(), scene.shape());
        let (pose_a, pose_b) = (Pose::new(scene.rotation(), Vec3::ZERO), Pose::IDENTITY);
        out.manifold(&manifold(&a, &pose_a, &b, &pose_b, margin));
    }
    for round in 0..20 {
        let mut scene = Scene::new(round);
        let margin = scene.size >> 4;
        let boxes: PosedBoxes = [(); 40].map(|()| scene.obb()).iter().collect();
        let spheres: PosedSpheres = [(); 40].map(|()| scene.sphere()).iter().collect();
        let pairs: Vec<(u32, u32)> = (0..100).map(|_| (scene.rng.below(40), scene.rng.below(40))).collect();
        let mut found = Vec::new();
        box_manifolds(&boxes, &pairs, margin, &mut found);
        for (pair, manifold) in &found {
            out.bits(i64::from(*pair));
            out.manifold(manifold);
        }
        let mut found = Vec::new();
        sphere_manifolds(&spheres, &pairs, margin, &mut found);
        for (pair, contact) in &found {
            out.bits(i64::from(*pair));
            out.vector(contact.normal);
            out.number(contact.separation);
        }
    }
}

pub(super) fn casts(out: &mut Recorder) {
    for round in 0..ROUNDS / 2 {
        let mut scene = Scene::new(round);
        let (target, moving) = (scene.shape(), scene.shape());
        let displacement = scene.rng.unit_vec3() * (scene.size << 3);
        if let Some(hit) = cast_ray(&target, &Ray::new(scene.point() - displacement, displacement * Fx::TWO))
        {
            out.number(hit.fraction);
            out.vector(hit.point);
            out.vector(hit.normal);
        }
        if let Some(hit) = cast_shape(&moving, displacement, &target) {
            out.number(hit.fraction);
            out.vector(hit.point);
            out.vector(hit.normal);
        }
    }
}

pub(super) fn tree(out: &mut Recorder) {
    let mut scene = Scene::new(10);
    let mut tree = DynamicTree::new();
    let items: Vec<TreeItem> = (0..200)
        .map(|id| TreeItem {
            id,
            aabb: scene.obb().to_aabb().expand(-(scene.size >> 2)),
            layers: Layers::default(),
        })
        .filter(|item| !item.aabb.is_empty())
        .collect();
    tree.build(&items).expect("ids and boxes are sound");
    let mut pairs = Vec::new();
    for item in items.iter().step_by(3) {
        tree.update(item.id, &item.aabb.translate(scene.rng.unit_vec3() * scene.size)).expect("it is there");
        tree.pairs(&mut pairs);
        out.bits(pairs.len() as i64);
        pairs.iter().for_each(|&(a, b)| out.bits(i64::from(a) << 32 | i64::from(b)));
    }
    let mut found = Vec::new();
    for item in &items {
        tree.query_aabb(&item.aabb, u32::MAX, &mut found);
        found.iter().for_each(|&id| out.bits(i64::from(id)));
        let ray = Ray::new(scene.point(), scene.rng.unit_vec3() * scene.size);
        if let Some(hit) = tree.closest_hit(&ray, u32::MAX, |_, entry| Some(entry)) {
            out.bits(i64::from(hit.id));
            out.number(hit.fraction);
        }
    }
}
