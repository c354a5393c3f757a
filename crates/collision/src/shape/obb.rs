//! [`Obb`].

use super::{Aabb, MAX_EXTENT, ShapeError, is_extent};
use crate::exact::{AXIS_BITS, U256, dot, narrow, narrow_axis, relative, round_up, wide_dot, wide_relative};
use isostep_math::exact::{product, round_shift};
use isostep_math::{Fx, Pose, Quat, Vec3};

/// A box of any orientation: `center`, the half extents along its own axes, and the rotation that turns the
/// world's axes into its own.
///
/// With the identity rotation it is an axis-aligned box. Its axes are computed from the rotation with 58
/// fraction bits; they are exact for the 24 rotations that map the world's axes to each other, turns by 90° and
/// what they combine to, whose boxes are axis-aligned as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "ObbData"))]
pub struct Obb {
    center: Vec3,
    half_extents: Vec3,
    rotation: Quat,
}

impl Obb {
    /// A box around `center`.
    ///
    /// A rotation whose quaternion is within 2⁻²⁰ of unit length is taken, and normalised if it is farther from it
    /// than rounding leaves one.
    ///
    /// # Errors
    /// If a half extent is zero or below, or above [`MAX_EXTENT`]; if the rotation has not unit length.
    pub const fn new(center: Vec3, half_extents: Vec3, rotation: Quat) -> Result<Self, ShapeError> {
        let halves = half_extents.to_array();
        let mut axis = 0;
        while axis < 3 {
            let value = halves[axis];
            if !is_extent(value) {
                return Err(ShapeError::ExtentOutOfRange { axis: axis as u8, value });
            }
            axis += 1;
        }
        if !rotation.is_normalized() {
            return Err(ShapeError::UnnormalizedRotation { rotation });
        }
        Ok(Self { center, half_extents, rotation: unit(rotation) })
    }

    /// A box around the origin without rotation.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub const fn from_half_extents(half_extents: Vec3) -> Result<Self, ShapeError> {
        Self::new(Vec3::ZERO, half_extents, Quat::IDENTITY)
    }

    /// Its centre.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        self.center
    }

    /// Half its size along each of its own axes.
    #[must_use]
    pub const fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// The rotation from the world's axes to its own.
    #[must_use]
    pub const fn rotation(&self) -> Quat {
        self.rotation
    }

    /// Its three axes, of unit length, to nearest.
    #[must_use]
    pub fn axes(&self) -> [Vec3; 3] {
        narrowed_axes(&self.axes_q58())
    }

    /// Its three axes with 58 fraction bits. Entries next to 0 and ±1 are those: the quaternion of a turn by 90°
    /// is not exact, but a box so turned is axis-aligned all the same.
    pub(crate) const fn axes_q58(&self) -> [[i64; 3]; 3] {
        let mut axes = [[0; 3]; 3];
        self.write_axes_q58(&mut axes);
        axes
    }

    /// As [`axes_q58`](Self::axes_q58), to where they are kept; whether they are the columns of the matrix of the rotation to
    /// the bit, as where none is next to 0 or ±1.
    #[inline(always)]
    pub(crate) const fn write_axes_q58(&self, axes: &mut [[i64; 3]; 3]) -> bool {
        let r = self.rotation.to_rotation_rows();
        let mut changed = 0;
        let mut axis = 0;
        while axis < 3 {
            let mut row = 0;
            while row < 3 {
                let entry = snap(r[row][axis]);
                changed |= entry ^ r[row][axis];
                axes[axis][row] = entry;
                row += 1;
            }
            axis += 1;
        }
        changed == 0
    }

    /// The box in the world where its axes and its centre are those of its owner at `pose`: [`transformed`](Self::transformed)
    /// to the bit, as turning no vector and multiplying with the identity change none.
    #[inline(always)]
    pub(crate) const fn carried(&self, pose: &Pose) -> Self {
        Self { center: pose.translation, half_extents: self.half_extents, rotation: unit(pose.rotation) }
    }

    /// The box moved by `pose`; the rotation is the product of both, normalised where rounding left it off.
    #[must_use]
    pub const fn transformed(&self, pose: &Pose) -> Self {
        Self {
            center: pose.transform_point(self.center),
            half_extents: self.half_extents,
            rotation: unit(pose.rotation.mul_quat(self.rotation)),
        }
    }

    /// The eight corners, each component to nearest: bit 0 of the index chooses the first axis, bit 1 the
    /// second, bit 2 the third, a set bit its positive side.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        let corners = self.corners_along(&self.axes_q58());
        core::array::from_fn(|index| corners.nth(index))
    }

    /// As [`corners`](Self::corners), with the axes of the box with 58 fraction bits.
    #[inline]
    pub(crate) fn corners_along(&self, axes: &[[i64; 3]; 3]) -> Corners {
        let halves = self.half_extents.to_array().map(Fx::to_bits);
        let sides = core::array::from_fn(|axis| axes[axis].map(|entry| product(entry, halves[axis])));
        Corners { center: self.center, sides }
    }

    /// The twelve edges, for drawing: four along the first axis, four along the second, four along the third,
    /// each from its negative to its positive end.
    #[must_use]
    pub fn edges(&self) -> [(Vec3, Vec3); 12] {
        let corners = self.corners();
        core::array::from_fn(|edge| {
            let (axis, nth) = (edge / 4, edge % 4);
            // The corners without the axis' bit, in order.
            let below = nth & ((1 << axis) - 1);
            let from = below | (nth >> axis) << (axis + 1);
            (corners[from], corners[from | 1 << axis])
        })
    }

    /// The smallest axis-aligned box around it, rounded outward by a unit of 2⁻³² at the most.
    #[must_use]
    pub const fn to_aabb(&self) -> Aabb {
        self.aabb_along(&self.axes_q58())
    }

    /// As [`to_aabb`](Self::to_aabb), with the axes of the box with 58 fraction bits.
    #[inline(always)]
    pub(crate) const fn aabb_along(&self, [a, b, c]: &[[i64; 3]; 3]) -> Aabb {
        let halves = self.half_extents;
        let bits = [halves.x.to_bits(), halves.y.to_bits(), halves.z.to_bits()];
        let reach = Vec3::new(
            Fx::from_bits(round_up(dot_magnitudes([a[0], b[0], c[0]], bits), AXIS_BITS)),
            Fx::from_bits(round_up(dot_magnitudes([a[1], b[1], c[1]], bits), AXIS_BITS)),
            Fx::from_bits(round_up(dot_magnitudes([a[2], b[2], c[2]], bits), AXIS_BITS)),
        );
        Aabb::around(self.center, reach)
    }

    /// `point` in the box' own axes, from its centre, scaled by 2^58; `None` where it is far beyond.
    pub(crate) const fn local_q90(&self, point: Vec3) -> Option<[i128; 3]> {
        let axes = self.axes_q58();
        match relative(point, self.center) {
            Some(offset) => Some([dot(offset, axes[0]), dot(offset, axes[1]), dot(offset, axes[2])]),
            None => None,
        }
    }

    /// Whether `point` lies in the box or on its surface: exact where the axes are, within 2⁻²⁵ units of 2⁻³² per
    /// metre otherwise.
    #[must_use]
    pub const fn contains(&self, point: Vec3) -> bool {
        let Some(local) = self.local_q90(point) else { return false };
        local[0].unsigned_abs() <= (self.half_extents.x.to_bits() as u128) << AXIS_BITS
            && local[1].unsigned_abs() <= (self.half_extents.y.to_bits() as u128) << AXIS_BITS
            && local[2].unsigned_abs() <= (self.half_extents.z.to_bits() as u128) << AXIS_BITS
    }

    /// The point of the box closest to `point`, each component to nearest within 0.51 units of 2⁻³²; `point` itself inside.
    #[must_use]
    pub const fn closest_point(&self, point: Vec3) -> Vec3 {
        if self.contains(point) {
            return point;
        }
        let (way, halves) = (wide_relative(point, self.center), self.half_extents);
        let [a, b, c] = self.axes_q58();
        let held = [held(way, a, halves.x), held(way, b, halves.y), held(way, c, halves.z)];
        Vec3::new(
            beyond(self.center.x, dot(held, [a[0], b[0], c[0]])),
            beyond(self.center.y, dot(held, [a[1], b[1], c[1]])),
            beyond(self.center.z, dot(held, [a[2], b[2], c[2]])),
        )
    }

    /// The smaller of the two boxes around both that have the axes of one or the other; `self`'s for a tie.
    ///
    /// Holds all of both: it is grown by the unit that rounded corners may miss. Size is compared by the exact
    /// volume. Where the two lie farther apart than a box may be large, the result is the largest box, amid
    /// the two centres.
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        match (self.around_both(self.rotation, other), self.around_both(other.rotation, other)) {
            (Some(own), Some(others)) if others.volume_q96() < own.volume_q96() => others,
            (Some(merged), _) | (None, Some(merged)) => merged,
            (None, None) => Self {
                center: self.center.midpoint(other.center),
                half_extents: Vec3::splat(MAX_EXTENT),
                rotation: self.rotation,
            },
        }
    }

    /// The box with axes of `rotation` that holds both.
    fn around_both(&self, rotation: Quat, other: &Self) -> Option<Self> {
        let corners = self.corners().into_iter().chain(other.corners());
        let mut merged = Self::around_points(rotation, self.center, corners)?;
        // A component of a corner is half a unit off, which is less than a unit along any direction.
        let grown = merged.half_extents + Vec3::splat(Fx::EPSILON);
        merged.half_extents = grown.min(Vec3::splat(MAX_EXTENT));
        Some(merged)
    }

    /// The box with axes of `rotation` that holds `points`, as [`contains`](Self::contains) sees it; `origin` is
    /// any point near them. `None` where it would be larger than a box may be.
    ///
    /// The centre is within 1.5 units of 2⁻³² of the best along each axis; the half extents are then exact, rounded
    /// up, one unit at the least.
    pub(crate) fn around_points(
        rotation: Quat,
        origin: Vec3,
        points: impl Iterator<Item = Vec3> + Clone,
    ) -> Option<Self> {
        let mut around = Self { center: origin, half_extents: Vec3::splat(Fx::EPSILON), rotation };
        // As `local_q90`, the axes computed once.
        let axes = around.axes_q58();
        let local = |point, center| relative(point, center).map(|offset| axes.map(|axis| dot(offset, axis)));
        let mut bounds = [(i128::MAX, i128::MIN); 3];
        for point in points.clone() {
            for ((low, high), along) in bounds.iter_mut().zip(local(point, origin)?) {
                (*low, *high) = (along.min(*low), along.max(*high));
            }
        }
        if bounds[0].0 > bounds[0].1 {
            return Some(around);
        }
        // Below 2^51 units: sums of differences below 2^49.
        let amid = bounds.map(|(low, high)| narrow_axis((low + high) / 2));
        let way = |component: usize| {
            narrow_axis((0..3).map(|axis| product(axes[axis][component], amid[axis])).sum())
        };
        around.center = origin + Vec3::from_array(core::array::from_fn(|axis| Fx::from_bits(way(axis))));
        let mut reach = [1_u128; 3];
        for point in points {
            for (reach, along) in reach.iter_mut().zip(local(point, around.center)?) {
                *reach = along.unsigned_abs().max(*reach);
            }
        }
        let half_extents = Vec3::from_array(reach.map(|q90| Fx::from_bits(round_up(q90 as i128, AXIS_BITS))));
        if half_extents.max_element() > MAX_EXTENT {
            return None;
        }
        Some(Self { half_extents, ..around })
    }

    /// The product of the half extents, exact.
    fn volume_q96(&self) -> U256 {
        let [x, y, z] = self.half_extents.to_array().map(|half| half.to_bits() as u128);
        U256::product(x * y, z)
    }
}

/// The rotation with unit length. What has it already, to rounding, keeps its bits: taking a box apart and putting
/// it together again changes nothing.
#[inline(always)]
const fn unit(rotation: Quat) -> Quat {
    if rotation.length_squared().abs_diff_eq(Fx::ONE, Fx::from_bits(8)) {
        rotation
    } else {
        normalized(rotation)
    }
}

#[cold]
const fn normalized(rotation: Quat) -> Quat {
    rotation.normalize()
}

/// Fraction bits of places within a box beyond those of coordinates, of which 62 bits reach to the largest one's faces.
const PLACE_BITS: u32 = 15;

/// How far a way of words of 65 bits goes along an axis with 58 fraction bits, and at most `most`; with [`PLACE_BITS`] more.
const fn held(way: [i128; 3], axis: [i64; 3], most: Fx) -> i64 {
    let along = round_shift(wide_dot(way, axis), AXIS_BITS - PLACE_BITS);
    let most = (most.to_bits() as i128) << PLACE_BITS;
    if along > most {
        most as i64
    } else if along < -most {
        -most as i64
    } else {
        along as i64
    }
}

/// A coordinate and a product of places and axes, to nearest, saturating.
const fn beyond(coordinate: Fx, product: i128) -> Fx {
    narrow(coordinate.to_bits() as i128 + round_shift(product, AXIS_BITS + PLACE_BITS))
}

/// The corners of a box, of which each is put together when it is asked for.
pub(crate) struct Corners {
    center: Vec3,
    /// From the centre to each face, Q90.
    sides: [[i128; 3]; 3],
}

impl Corners {
    /// The one of this index: see [`Obb::corners`].
    #[inline]
    pub(crate) fn nth(&self, index: usize) -> Vec3 {
        let [a, b, c] = &self.sides;
        let along = |component: usize| {
            let [a, b, c] = [(a, 0), (b, 1), (c, 2)]
                .map(|(side, axis)| if index >> axis & 1 == 0 { -side[component] } else { side[component] });
            Fx::from_bits(narrow_axis(a + b + c))
        };
        self.center + Vec3::new(along(0), along(1), along(2))
    }
}

/// Axes with 58 fraction bits, to nearest.
#[inline]
pub(crate) fn narrowed_axes(axes: &[[i64; 3]; 3]) -> [Vec3; 3] {
    // Q58 with 32 bits more is Q90.
    let narrowed = |entry: i64| Fx::from_bits(narrow_axis(i128::from(entry) << 32));
    axes.map(|[x, y, z]| Vec3::new(narrowed(x), narrowed(y), narrowed(z)))
}

/// An entry of a rotation within its error of 0 or ±1 as that, Q58.
#[inline(always)]
const fn snap(entry: i64) -> i64 {
    const ERROR: u64 = 8;
    const ONE: u64 = 1 << AXIS_BITS;
    let magnitude = entry.unsigned_abs();
    // One comparison for both ends: below the range the difference wraps.
    if magnitude.wrapping_sub(ERROR + 1) < ONE - 2 * ERROR - 1 {
        entry
    } else if magnitude <= ERROR {
        0
    } else {
        ONE as i64 * entry.signum()
    }
}

/// |a₀| b₀ + |a₁| b₁ + |a₂| b₂.
const fn dot_magnitudes(a: [i64; 3], b: [i64; 3]) -> i128 {
    dot([a[0].abs(), a[1].abs(), a[2].abs()], b)
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct ObbData {
    center: Vec3,
    half_extents: Vec3,
    rotation: Quat,
}

#[cfg(feature = "serde")]
impl TryFrom<ObbData> for Obb {
    type Error = ShapeError;

    fn try_from(data: ObbData) -> Result<Self, ShapeError> {
        Self::new(data.center, data.half_extents, data.rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    fn slab() -> Obb {
        let rotation = Quat::from_rotation_z(Fx::FRAC_PI_6);
        Obb::new(vec3(fx!(10), fx!(0), fx!(0)), vec3(fx!(4), fx!(0.5), fx!(1)), rotation).unwrap()
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        let flat = Obb::from_half_extents(vec3(fx!(1), fx!(0), fx!(1)));
        assert_eq!(flat, Err(ShapeError::ExtentOutOfRange { axis: 1, value: fx!(0) }));
        let text = "half extent 0 along y: it must be above 0 and at most 32768 m";
        assert_eq!(flat.unwrap_err().to_string(), text);
        let huge = Obb::from_half_extents(vec3(fx!(1), fx!(1), fx!(32769)));
        assert_eq!(huge, Err(ShapeError::ExtentOutOfRange { axis: 2, value: fx!(32769) }));
        let rotation = Quat::from_xyzw(fx!(0), fx!(1), fx!(0), fx!(1));
        let skewed = Obb::new(Vec3::ZERO, Vec3::ONE, rotation);
        assert_eq!(skewed, Err(ShapeError::UnnormalizedRotation { rotation }));
    }

    #[test]
    fn corners_lie_on_the_surface_and_in_the_axis_aligned_box() {
        let slab = slab();
        let aabb = slab.to_aabb();
        for corner in slab.corners() {
            assert!(aabb.contains(corner), "{corner}");
            assert!(slab.closest_point(corner).distance(corner) <= Fx::from_bits(4));
        }
        assert_eq!(aabb.max().y, fx!(2) + (slab.corners()[3].y - fx!(2)));
        assert!(slab.contains(slab.center()) && !slab.contains(aabb.max()));
    }

    #[test]
    fn axes_are_those_of_the_rotation() {
        let slab = slab();
        assert_eq!(slab.axes(), Vec3::AXES.map(|axis| slab.rotation() * axis));
    }

    #[test]
    fn edges_join_corners_that_differ_in_one_axis() {
        let slab = slab();
        let lengths = slab.edges().map(|(from, to)| from.distance(to).round());
        assert_eq!(lengths, [8, 8, 8, 8, 1, 1, 1, 1, 2, 2, 2, 2].map(Fx::from_int));
    }

    #[test]
    fn merging_keeps_every_corner_and_takes_the_better_axes() {
        let slab = slab();
        let small = Obb::new(slab.center(), Vec3::splat(fx!(0.1)), Quat::IDENTITY).unwrap();
        let merged = small.merge(&slab);
        assert_eq!(merged.rotation(), slab.rotation());
        for corner in slab.corners().into_iter().chain(small.corners()) {
            assert!(merged.contains(corner), "{corner}");
        }
        assert!(merged.half_extents().x < fx!(4.001));
    }

    #[test]
    fn entries_next_to_zero_and_one_snap_and_no_others() {
        let one = 1 << AXIS_BITS;
        for (entry, snapped) in [(0, 0), (8, 0), (9, 9), (one - 9, one - 9), (one - 8, one), (one + 9, one)] {
            assert_eq!((snap(entry), snap(-entry)), (snapped, -snapped));
        }
    }

    #[test]
    fn closest_points_are_to_nearest_from_near_and_from_far() {
        let rotation = Quat::from_axis_angle(Vec3::Z, Fx::atan2(fx!(0.8), fx!(0.6)));
        let halves = vec3(fx!(30000), fx!(20000), fx!(0.5));
        let slab = Obb::new(Vec3::ZERO, halves, rotation).unwrap();
        let [a, b, _] = slab.axes_q58();
        let mut rng = isostep_math::random::Rng::new(9, 0);
        for _ in 0..1000 {
            let out = rng.fx_range(fx!(0.001), fx!(100000000));
            let along = rng.fx_range(-halves.x, halves.x);
            // The point out of a side, and the exact place there, in units of 2⁻³² with 30 more bits.
            let exact = [0, 1].map(|i| {
                let sum = i128::from(a[i]) * i128::from(along.to_bits())
                    + i128::from(b[i]) * i128::from(halves.y.to_bits());
                let way = i128::from(b[i]) * i128::from(out.to_bits());
                (sum >> (AXIS_BITS - 30), way >> (AXIS_BITS - 30))
            });
            let [x, y] = exact.map(|(place, way)| Fx::from_bits(round_shift(place + way, 30) as i64));
            let found = slab.closest_point(vec3(x, y, fx!(0.125)));
            assert_eq!(found.z, fx!(0.125));
            for (component, (place, _)) in [found.x, found.y].into_iter().zip(exact) {
                let off = (i128::from(component.to_bits()) << 30) - place;
                // Half a unit of its own, and what the point that was asked about is off along the side.
                assert!(off.abs() <= (1 << 30) + (1 << 24), "{along} {out}: {off}");
            }
        }
    }

    #[test]
    fn a_carried_box_is_the_transformed_one() {
        let mut rng = isostep_math::random::Rng::new(8, 0);
        let obb = Obb::from_half_extents(vec3(fx!(1), fx!(2), fx!(3))).unwrap();
        for shift in 0..60 {
            let mut word = || Fx::from_bits(rng.next_u64() as i64 >> shift);
            let translation = Vec3::new(word(), word(), word());
            let any = Quat::from_xyzw(word(), word(), word(), word());
            for rotation in [any, any.normalize(), Quat::IDENTITY, Quat::from_rotation_y(Fx::FRAC_PI_2)] {
                let pose = Pose::new(rotation, translation);
                assert_eq!(obb.carried(&pose), obb.transformed(&pose));
            }
        }
    }
}
