//! Shapes of any kind in the world, prepared once a step for all pairs that they are in.

use super::{boxes, spheres};
use crate::distance::pair::Core;
use crate::exact::{AXIS_BITS, bits, dot, narrow};
use crate::shape::{Aabb, Obb, Shape};
use alloc::vec::Vec;
use isostep_math::exact::round_shift;
use isostep_math::{Pose, Quat, Vec3};

/// A shape in the coordinates of its owner, where that is, and the shape in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posed {
    pub(super) local: Shape,
    pub(super) pose: Pose,
    pub(super) world: Shape,
    /// Of a box, its axes with 58 fraction bits; of a sphere and a capsule, those of its owner; of a half-space, zeros.
    pub(super) axes: [[i64; 3]; 3],
    /// Whether the axes are the columns of the matrix of its owner's rotation, to the bit.
    turn_as_owner: bool,
}

impl Posed {
    pub(super) fn new(local: &Shape, pose: &Pose) -> Self {
        let mut posed =
            Self { local: *local, pose: *pose, world: *local, axes: [[0; 3]; 3], turn_as_owner: false };
        posed.set(local, pose);
        posed
    }

    /// Writes each part where it stays: a copy right after many small writes would wait for them.
    #[inline(always)]
    fn set(&mut self, local: &Shape, pose: &Pose) {
        let Self { axes, turn_as_owner, .. } = self;
        match local {
            Shape::Box(obb) => {
                let obb = if is_centered(obb) { obb.carried(pose) } else { obb.transformed(pose) };
                *turn_as_owner = obb.write_axes_q58(axes) && obb.rotation() == pose.rotation;
                self.world = Shape::Box(obb);
            }
            Shape::Sphere(_) | Shape::Capsule(_) => {
                let rows = pose.rotation.to_rotation_rows();
                for axis in 0..3 {
                    for row in 0..3 {
                        axes[axis][row] = rows[row][axis];
                    }
                }
                *turn_as_owner = true;
                self.world = local.transformed(pose);
            }
            Shape::HalfSpace(_) => {
                (*axes, *turn_as_owner) = ([[0; 3]; 3], false);
                self.world = local.transformed(pose);
            }
        }
        (self.local, self.pose) = (*local, *pose);
    }

    /// What the shape in the world is around; half-spaces have none.
    pub(super) const fn core(&self) -> Option<Core> {
        match &self.world {
            Shape::Box(obb) => Some(Core::of_box_along(obb, &self.axes)),
            world => Core::of(world),
        }
    }

    /// A point of the world in the coordinates of the owner: [`Pose::inverse_transform_point`] to the bit.
    #[inline]
    pub(super) fn inverse_transform_point(&self, point: Vec3) -> Vec3 {
        self.inverse_transform_vector(point.saturating_sub(self.pose.translation))
    }

    /// A direction of the world in the coordinates of the owner: [`Pose::inverse_transform_vector`] to the bit.
    #[inline]
    fn inverse_transform_vector(&self, vector: Vec3) -> Vec3 {
        if !self.turn_as_owner {
            return self.pose.inverse_transform_vector(vector);
        }
        let [x, y, z] = self.axes;
        let v = bits(vector);
        let along = |axis| narrow(round_shift(dot(v, axis), AXIS_BITS));
        Vec3::new(along(x), along(y), along(z))
    }

    /// A direction in the coordinates of the owner, whose rotation is this one, in the world: [`Quat::mul_vec3`] to the bit.
    #[inline]
    fn rotate(&self, rotation: Quat, vector: Vec3) -> Vec3 {
        if !self.turn_as_owner || self.pose.rotation != rotation {
            return rotation.mul_vec3(vector);
        }
        let [x, y, z] = self.axes;
        let v = bits(vector);
        let along = |k: usize| narrow(round_shift(dot(v, [x[k], y[k], z[k]]), AXIS_BITS));
        Vec3::new(along(0), along(1), along(2))
    }

    /// A point given from the centre along the axes of the shape itself, in the coordinates of its owner: exact where
    /// these are the same.
    pub(super) fn along_own_axes(&self, offset: Vec3) -> Vec3 {
        match &self.local {
            Shape::Box(obb) if obb.rotation() == Quat::IDENTITY => obb.center() + offset,
            Shape::Box(obb) => obb.center() + obb.rotation() * offset,
            _ => offset,
        }
    }

    /// A point of a sphere given from the centre along the axes of the world, in the coordinates of its owner.
    pub(super) fn along_world_axes(&self, offset: Vec3) -> Vec3 {
        let offset = self.inverse_transform_vector(offset);
        match &self.local {
            Shape::Sphere(sphere) => sphere.center() + offset,
            _ => offset,
        }
    }
}

/// Whether the box' own axes are those of its owner.
fn is_centered(obb: &Obb) -> bool {
    obb.center() == Vec3::ZERO && obb.rotation() == Quat::IDENTITY
}

/// Which kernel reads the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sphere,
    /// A box whose axes are those of its owner.
    Box,
    /// A box off the middle of its owner, or turned in it; or one of both such.
    OffsetBox,
    Other,
}

/// Shapes of any kind in the world, as [`manifolds`](super::manifolds) reads them: each prepared once a step, and
/// read by every pair that it is in.
///
/// ```
/// use isostep_collision::manifold::{PosedShapes, manifolds};
/// use isostep_collision::{HalfSpace, Obb, Sphere};
/// use isostep_math::{Fx, Pose, Vec3, fx};
///
/// let mut shapes = PosedShapes::new();
/// shapes.push(&HalfSpace::ground(fx!(0)).into(), &Pose::IDENTITY);
/// let crate_ = Obb::from_half_extents(Vec3::splat(fx!(0.5)))?.into();
/// shapes.push(&crate_, &Pose::from_translation(Vec3::Y * fx!(0.5)));
/// let ball = Sphere::from_radius(fx!(0.5))?.into();
/// shapes.push(&ball, &Pose::from_translation(Vec3::Y * fx!(1.49)));
///
/// let mut found = Vec::new();
/// manifolds(&shapes, &[(0, 1), (0, 2), (1, 2)], fx!(0.02), &mut found);
/// // The ball does not reach the ground.
/// let points: Vec<_> = found.iter().map(|(pair, manifold)| (*pair, manifold.points().len())).collect();
/// assert_eq!(points, [(0, 4), (2, 1)]);
///
/// // The next step: the ball has moved.
/// shapes.set(2, &ball, &Pose::from_translation(Vec3::Y * fx!(2)));
/// manifolds(&shapes, &[(0, 1), (0, 2), (1, 2)], fx!(0.02), &mut found);
/// assert_eq!(found.len(), 1);
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PosedShapes {
    items: Vec<Posed>,
    kinds: Vec<Kind>,
    /// What the kernels read, zeros for what is not of the kind: an index means the same everywhere.
    boxes: Vec<boxes::Record>,
    spheres: Vec<spheres::Record>,
}

impl PosedShapes {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { items: Vec::new(), kinds: Vec::new(), boxes: Vec::new(), spheres: Vec::new() }
    }

    /// Adds a shape, given in the coordinates of its owner, and the pose of that; its index is how many there were.
    pub fn push(&mut self, shape: &Shape, pose: &Pose) {
        let index = self.len();
        self.items.push(Posed::new(shape, pose));
        self.kinds.push(Kind::Other);
        self.boxes.push([0; boxes::RECORD]);
        self.spheres.push([0; spheres::RECORD]);
        self.as_part().prepare(index);
    }

    /// Replaces the shape at `index`, which may be of another kind.
    ///
    /// # Panics
    /// Where there is none.
    pub fn set(&mut self, index: usize, shape: &Shape, pose: &Pose) {
        self.as_part().set(index, shape, pose);
    }

    /// All of them, as a part that can be divided: several threads may set the shapes of different parts.
    pub fn as_part(&mut self) -> PosedPart<'_> {
        let Self { items, kinds, boxes, spheres } = self;
        PosedPart { first: 0, items, kinds, boxes, spheres }
    }

    /// Removes all, and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.kinds.clear();
        self.boxes.clear();
        self.spheres.clear();
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The shape at `index` in the world.
    ///
    /// # Panics
    /// Where there is none.
    #[must_use]
    pub fn world(&self, index: usize) -> &Shape {
        &self.items[index].world
    }

    /// The matrix by rows, with 30 fraction bits, of `rotation`, if that was computed for the shape at `index`: of one with
    /// the axes of its owner, whose rotation this is, but for half-spaces. Each entry is that of
    /// [`Quat::to_rotation_rows`] to nearest, ties away from zero.
    #[inline]
    #[must_use]
    pub fn rotation_rows_q30(&self, index: usize, rotation: Quat) -> Option<[[i64; 3]; 3]> {
        let posed = self.items.get(index)?;
        match (self.kinds.get(index)?, &posed.world) {
            // Entries that were taken for 0 or ±1 are within 2⁻⁵⁵ of these, and are rounded to them.
            (Kind::Box, Shape::Box(obb)) if obb.rotation() == rotation => {
                Some(boxes::rotation_rows(&self.boxes[index]))
            }
            _ if posed.turn_as_owner && posed.pose.rotation == rotation => {
                let entry = |row: usize, axis: usize| boxes::entry_q30(posed.axes[axis][row]);
                let row = |k: usize| [entry(k, 0), entry(k, 1), entry(k, 2)];
                Some([row(0), row(1), row(2)])
            }
            _ => None,
        }
    }

    /// A vector in the coordinates of the owner of the shape at `index`, turned into the world by the `rotation` of that:
    /// [`Quat::mul_vec3`] to the bit, without a matrix where the shape has one.
    ///
    /// # Panics
    /// Where there is no such shape.
    #[inline]
    #[must_use]
    pub fn rotate(&self, index: usize, rotation: Quat, vector: Vec3) -> Vec3 {
        self.items[index].rotate(rotation, vector)
    }

    /// The kernel for both of a pair.
    #[inline(always)]
    pub(super) fn kind_of(&self, (a, b): (u32, u32)) -> Kind {
        let (a, b) = (self.kinds[a as usize], self.kinds[b as usize]);
        match (a, b) {
            _ if a == b => a,
            (Kind::Box, Kind::OffsetBox) | (Kind::OffsetBox, Kind::Box) => Kind::OffsetBox,
            _ => Kind::Other,
        }
    }

    pub(super) fn both(&self, (a, b): (u32, u32)) -> [&Posed; 2] {
        [&self.items[a as usize], &self.items[b as usize]]
    }

    pub(super) fn boxes(&self) -> &[boxes::Record] {
        &self.boxes
    }

    pub(super) fn spheres(&self) -> &[spheres::Record] {
        &self.spheres
    }
}

/// Shapes of [`PosedShapes`] that follow each other, to be set.
///
/// ```
/// use isostep_collision::Sphere;
/// use isostep_collision::manifold::PosedShapes;
/// use isostep_math::{Fx, Pose, Vec3, fx};
///
/// let ball = Sphere::from_radius(fx!(0.5))?.into();
/// let mut shapes: PosedShapes = [(&ball, &Pose::IDENTITY); 4].into_iter().collect();
/// let up = Pose::from_translation(Vec3::Y * fx!(2));
/// let (mut low, mut high) = shapes.as_part().split_at(2);
/// std::thread::scope(|scope| {
///     scope.spawn(|| low.set(1, &ball, &up));
///     scope.spawn(|| high.set(3, &ball, &up));
/// });
/// assert_eq!(shapes.world(1), shapes.world(3));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[derive(Debug)]
pub struct PosedPart<'a> {
    /// The index of the first one.
    first: usize,
    items: &'a mut [Posed],
    kinds: &'a mut [Kind],
    boxes: &'a mut [boxes::Record],
    spheres: &'a mut [spheres::Record],
}

impl PosedPart<'_> {
    /// The index of its first shape, or of the shape after a part that has none.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.first
    }

    /// The shapes before `index`, and the others.
    ///
    /// # Panics
    /// Where `index` is neither that of one of these shapes nor the one after the last.
    #[must_use]
    pub fn split_at(self, index: usize) -> (Self, Self) {
        let Self { first, items, kinds, boxes, spheres } = self;
        let middle = index - first;
        let (items, later_items) = items.split_at_mut(middle);
        let (kinds, later_kinds) = kinds.split_at_mut(middle);
        let (boxes, later_boxes) = boxes.split_at_mut(middle);
        let (spheres, later_spheres) = spheres.split_at_mut(middle);
        let later = Self {
            first: index,
            items: later_items,
            kinds: later_kinds,
            boxes: later_boxes,
            spheres: later_spheres,
        };
        (Self { first, items, kinds, boxes, spheres }, later)
    }

    /// Replaces the shape at `index`, as [`PosedShapes::set`] does, and returns the smallest axis-aligned box that holds
    /// it in the world: [`Shape::to_aabb`].
    ///
    /// # Panics
    /// Where `index` is none of these shapes'.
    pub fn set(&mut self, index: usize, shape: &Shape, pose: &Pose) -> Aabb {
        self.items[index - self.first].set(shape, pose);
        self.prepare(index)
    }

    /// Makes of a shape in the world what the kernels read, and its box.
    #[inline(always)]
    fn prepare(&mut self, index: usize) -> Aabb {
        let index = index - self.first;
        let Posed { local, world, axes, .. } = &self.items[index];
        let (kind, aabb) = match world {
            Shape::Sphere(sphere) => {
                self.spheres[index] = spheres::record_of(sphere);
                (Kind::Sphere, sphere.to_aabb())
            }
            Shape::Box(obb) => {
                boxes::write_record(obb, axes, &mut self.boxes[index]);
                let is_carried = matches!(local, Shape::Box(local) if is_centered(local));
                (if is_carried { Kind::Box } else { Kind::OffsetBox }, obb.aabb_along(axes))
            }
            Shape::Capsule(_) | Shape::HalfSpace(_) => (Kind::Other, world.to_aabb()),
        };
        self.kinds[index] = kind;
        aabb
    }
}

impl<'a> FromIterator<(&'a Shape, &'a Pose)> for PosedShapes {
    fn from_iter<I: IntoIterator<Item = (&'a Shape, &'a Pose)>>(shapes: I) -> Self {
        let mut posed = Self::new();
        for (shape, pose) in shapes {
            posed.push(shape, pose);
        }
        posed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Capsule, HalfSpace, Sphere};
    use isostep_math::random::Rng;
    use isostep_math::{Fx, fx, vec3};

    #[test]
    fn the_matrix_of_an_owner_is_that_of_its_rotation() {
        let mut rng = Rng::new(17, 0);
        let centered = Shape::from(Obb::from_half_extents(Vec3::ONE).unwrap());
        let ball = Shape::from(Sphere::from_radius(Fx::ONE).unwrap());
        let ground = Shape::from(HalfSpace::ground(Fx::ZERO));
        let quarter = Quat::from_rotation_y(Fx::FRAC_PI_2);
        let mut rotations = alloc::vec![Quat::IDENTITY, quarter, -quarter, quarter * quarter];
        for _ in 0..2000 {
            let mut word = || Fx::from_bits(rng.next_u64() as i64 >> (30 + rng.below(30)));
            rotations.push(Quat::from_xyzw(word(), word(), word(), word()).normalize());
        }
        for rotation in rotations {
            let pose = Pose::new(rotation, vec3(fx!(1), fx!(2), fx!(3)));
            let shapes: PosedShapes =
                [&centered, &ball, &ground].map(|shape| (shape, &pose)).into_iter().collect();
            let rounded = |entry: i64| (entry + (1 << 27) + (entry >> 63)) >> 28;
            let rows = rotation.to_rotation_rows().map(|row| row.map(rounded));
            for index in [0, 1] {
                assert_eq!(shapes.rotation_rows_q30(index, rotation), Some(rows), "{rotation}");
                assert_eq!(shapes.rotation_rows_q30(index, rotation * quarter), None);
            }
            assert_eq!([2, 3].map(|index| shapes.rotation_rows_q30(index, rotation)), [None; 2]);
        }
    }

    #[test]
    fn points_come_into_the_coordinates_of_a_box_as_its_pose_takes_them_there() {
        let mut rng = Rng::new(18, 0);
        let shapes = [
            Shape::from(Obb::from_half_extents(Vec3::ONE).unwrap()),
            Shape::from(Obb::new(Vec3::X, Vec3::ONE, Quat::IDENTITY).unwrap()),
            Shape::from(Obb::new(Vec3::X, Vec3::ONE, Quat::from_rotation_x(Fx::ONE)).unwrap()),
            Shape::from(Sphere::from_radius(Fx::ONE).unwrap()),
            Shape::from(Capsule::along_y(Fx::ONE, Fx::ONE).unwrap()),
        ];
        let quarter = Quat::from_rotation_y(Fx::FRAC_PI_2);
        let turns = [Quat::IDENTITY, -Quat::IDENTITY, quarter, Quat::from_rotation_z(Fx::FRAC_PI_6)];
        let mut direct = 0;
        for round in 0..40_000 {
            let mut word = |bits: u32| Fx::from_bits(rng.next_u64() as i64 >> (bits + rng.below(30)));
            let any = Quat::from_xyzw(word(2), word(2), word(2), word(2)).normalize();
            // Some are a few units off, as a body's rotation may be, and some close to a turn that snaps.
            let near = |turn: Quat, x: Fx| Quat::from_xyzw(turn.x + (x >> 40), turn.y, turn.z, turn.w);
            let turn = turns.get(round % 8).map_or(any, |&turn| near(turn, word(20)));
            let pose = Pose::new(turn, vec3(word(1), word(1), word(1)));
            let posed = Posed::new(&shapes[round % 5 * (round / 5 % 2)], &pose);
            direct += u32::from(posed.turn_as_owner);
            let offset = vec3(word(20), word(20), word(20));
            for point in [pose.translation + offset, offset, Vec3::splat(Fx::MAX), Vec3::splat(Fx::MIN)] {
                assert_eq!(
                    posed.inverse_transform_point(point),
                    pose.inverse_transform_point(point),
                    "{pose} {point}"
                );
                for rotation in [pose.rotation, quarter] {
                    assert_eq!(posed.rotate(rotation, point), rotation * point, "{pose} {point}");
                }
            }
        }
        assert!(direct > 5_000, "{direct}");
    }
}
