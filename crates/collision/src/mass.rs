//! Mass properties of solids: how much, where its centre is, and how it is spread.
//!
//! `shapes` has the formulas of the single solids, here they are moved, combined and brought to their principal
//! axes. How matter is spread is kept per unit mass, as the gyration tensor k² = I / m in m²: it depends on the
//! shape alone and stays small where an inertia in kg·m² would leave every range. `amount` is the wide number
//! of the mass, `tensor` the tensor with 64 fraction bits.
//!
//! Positions enter only by their differences: a body has the same properties, to the bit, anywhere.

mod amount;
mod shapes;
mod tensor;

pub use amount::Mass;

use crate::exact::div_round;
use isostep_math::{Fx, Pose, Quat, SymmetricMat3, Vec3};
use tensor::{Tensor, root_q64};

/// Why there are no mass properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MassError {
    /// A density that is zero or below.
    #[error("density {value}: it must be above 0")]
    NonPositiveDensity {
        /// What it was.
        value: Fx,
    },
    /// A mass that is zero or below.
    #[error("mass {value}: it must be above 0")]
    NonPositiveMass {
        /// What it was.
        value: Fx,
    },
    /// A shape without an end: a half-space.
    #[error("a half-space has no end, so no mass either")]
    Unbounded,
}

/// The mass of a rigid body, its centre, and its spread about that.
///
/// The spread is the gyration tensor: the inertia tensor divided by the mass, in m², about the centre and along
/// the axes of the coordinates. It is kept with 64 fraction bits, because k² of a marble is 2⁻¹⁸ m².
///
/// ```
/// use isostep_collision::{MassProperties, Obb, Sphere};
/// use isostep_math::{Vec3, fx, vec3};
///
/// // A dumbbell: two lead balls on a light bar.
/// let ball = |x| Sphere::new(vec3(x, fx!(0), fx!(0)), fx!(0.25)).unwrap();
/// let bar = Obb::from_half_extents(vec3(fx!(1), fx!(0.03125), fx!(0.03125))).unwrap();
/// let parts = [
///     ball(fx!(-1)).mass_properties(fx!(11340)).unwrap(),
///     ball(fx!(1)).mass_properties(fx!(11340)).unwrap(),
///     bar.mass_properties(fx!(7850)).unwrap(),
/// ];
/// let dumbbell = MassProperties::combine(&parts).unwrap();
/// assert_eq!(dumbbell.center(), Vec3::ZERO);
/// let spread = dumbbell.gyration();
/// assert!(spread.yy > fx!(40) * spread.xx && spread.yy == spread.zz);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MassProperties {
    mass: Mass,
    center: Vec3,
    gyration: Tensor,
}

/// Principal axes of a gyration tensor: about them a body turns without wobble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrincipalGyration {
    /// Takes +X, +Y and +Z to the principal axes. They keep the order of the axes they are next to
    /// ([`SymmetricMat3::eigen`]).
    pub rotation: Quat,
    /// k² about each of them, in m², to nearest, saturating.
    pub squared_radii: Vec3,
    /// The radius of gyration k about each of them, in m, to nearest: for small bodies it has digits that k² has
    /// no room for.
    pub radii: Vec3,
}

impl MassProperties {
    /// A body of `mass` around `center` with the gyration tensor `gyration` about it, which is taken as it is.
    #[must_use]
    pub const fn new(mass: Mass, center: Vec3, gyration: SymmetricMat3) -> Self {
        Self { mass, center, gyration: Tensor::from_symmetric(gyration) }
    }

    /// A body whose mass sits in one point.
    #[must_use]
    pub const fn from_point(mass: Mass, center: Vec3) -> Self {
        Self::new(mass, center, SymmetricMat3::ZERO)
    }

    /// Its mass.
    #[must_use]
    pub const fn mass(&self) -> Mass {
        self.mass
    }

    /// Its centre of mass.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        self.center
    }

    /// Its gyration tensor about the centre in m²: each entry to nearest, saturating.
    #[must_use]
    pub const fn gyration(&self) -> SymmetricMat3 {
        self.gyration.to_symmetric()
    }

    /// The same spread with another mass.
    #[must_use]
    pub const fn with_mass(self, mass: Mass) -> Self {
        Self { mass, ..self }
    }

    /// The body moved by `pose`: the centre rounds once; the tensor is within 2⁻⁵³ of its greatest entry and
    /// keeps its bits where `pose` does not turn.
    #[must_use]
    pub fn transformed(&self, pose: &Pose) -> Self {
        let gyration = self.gyration.rotated(pose.rotation);
        Self { mass: self.mass, center: pose.transform_point(self.center), gyration }
    }

    /// The gyration tensor about `point` instead of the centre: k² + |d|² 1 − d dᵀ (the parallel-axis theorem),
    /// to nearest, saturating.
    #[must_use]
    pub fn gyration_about(&self, point: Vec3) -> SymmetricMat3 {
        self.gyration.plus(Tensor::of_offset(self.center, point)).to_symmetric()
    }

    /// The rigid body of all `parts`, in their order; `None` for none.
    ///
    /// With the masses mᵢ of the parts, their sum M and the offsets dᵢ of their centres from the common one:
    ///
    /// * c = c₀ + Σ mᵢ (cᵢ − c₀) / M,
    /// * k² = Σ mᵢ (kᵢ² + |dᵢ|² 1 − dᵢ dᵢᵀ) / M.
    ///
    /// Sums of products are exact and divided once: the centre is within half a unit of 2⁻³², the tensor
    /// within 2⁻⁶⁰ of the greatest entry that one of the parts has about the centre, for parts within 2²⁹ m of it. Masses
    /// count as their leading 61 − b bits next to the greatest, for a number of parts of b bits: by 2^(b − 61) of the way
    /// between parts the centre may be off more. The sum of masses saturates.
    #[must_use]
    pub fn combine(parts: &[Self]) -> Option<Self> {
        let first = parts.first()?;
        if parts.len() == 1 {
            return Some(*first);
        }
        let weights = Weights::new(parts);
        let origin = first.center.to_array();
        let center = Vec3::from_array(core::array::from_fn(|axis| {
            // Weights add up to less than 2^62, and differences are below 2^64.
            let moment: i128 = parts
                .iter()
                .map(|part| weights.of(part) * difference(part.center.to_array()[axis], origin[axis]))
                .sum();
            // Between the least and the greatest of the centres, so within the range.
            let offset = div_round(moment, weights.total);
            Fx::from_bits((i128::from(origin[axis].to_bits()) + offset) as i64)
        }));
        let about_center =
            || parts.iter().map(|part| part.gyration.plus(Tensor::of_offset(part.center, center)));
        let drop = about_center().map(|tensor| tensor.excess_bits()).max().unwrap_or(0);
        let mut sums = [0_i128; 6];
        for (part, tensor) in parts.iter().zip(about_center()) {
            for (sum, word) in sums.iter_mut().zip(tensor.words(drop)) {
                *sum += weights.of(part) * i128::from(word);
            }
        }
        let gyration = Tensor::from_words(sums.map(|sum| div_round(sum, weights.total)), drop);
        let mass = parts.iter().fold(Mass::ZERO, |sum, part| sum.saturating_add(part.mass));
        Some(Self { mass, center, gyration })
    }

    /// Principal axes and radii of gyration. The axes are within two units of 2⁻³², where the radii differ.
    #[must_use]
    pub fn principal(&self) -> PrincipalGyration {
        let (rotation, squares) = self.gyration.principal();
        PrincipalGyration {
            rotation,
            squared_radii: Vec3::from_array(squares.map(amount::narrow)),
            radii: Vec3::from_array(squares.map(root_q64)),
        }
    }
}

/// Masses as numbers that leave room for products: shifted so that all together stay below 2^62.
struct Weights {
    shift: u32,
    total: i128,
}

impl Weights {
    fn new(parts: &[MassProperties]) -> Self {
        let greatest = parts.iter().map(|part| part.mass).max().unwrap_or(Mass::ZERO);
        let length = 128 - greatest.to_bits().leading_zeros();
        let count = usize::BITS - parts.len().leading_zeros();
        let weights = Self { shift: (length + count).saturating_sub(61), total: 0 };
        let total = parts.iter().map(|part| weights.of(part)).sum();
        Self { total, ..weights }
    }

    fn of(&self, part: &MassProperties) -> i128 {
        let bits = part.mass.to_bits();
        match self.shift {
            0 => bits as i128,
            shift => ((bits >> shift) + (bits >> (shift - 1) & 1)) as i128,
        }
    }
}

/// `a − b` in raw bits, exact.
const fn difference(a: Fx, b: Fx) -> i128 {
    a.to_bits() as i128 - b.to_bits() as i128
}
