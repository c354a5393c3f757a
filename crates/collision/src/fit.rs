//! Fitting a box to a cloud of points: [`Obb::fit`].
//!
//! The points go through three guesses at the axes: those of the coordinates, the principal axes of the cloud
//! (`covariance`), and the best frame of its extreme points (`extremes`). Around each the exact box is taken
//! ([`Obb::contains`] of every point holds by construction), and the one with the least surface is the answer.

mod covariance;
mod extremes;

use crate::shape::{MAX_EXTENT, Obb};
use isostep_math::{Quat, Vec3};

/// Why no box fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// There is no point.
    #[error("a box cannot be fitted to no points")]
    NoPoints,
    /// The points lie farther apart than a box may be large.
    #[error("the points lie too far apart for a box with half extents of {MAX_EXTENT}")]
    TooFarApart,
}

impl Obb {
    /// A small box that holds all `points`: of the candidates the one with the least surface.
    ///
    /// Every point passes [`contains`](Self::contains). The candidates have the axes of the coordinates, the
    /// principal axes of the cloud, and frames of its extreme points. The vertices of a box, at any rotation,
    /// give back its axes and extents, equal extents included, though the order of the axes may differ: principal
    /// axes alone would be left to chance there, because a cube has no preferred direction. The extents are then
    /// within 2⁻³⁰ of the size, as far as the stored rotation allows, and two units of 2⁻³².
    ///
    /// Surface, and not volume, is what a tree pays for, and it can tell flat boxes apart. For a tie the first
    /// of the candidates wins: so an axis-aligned box stays one. Flat clouds have a half extent of a unit or
    /// two of 2⁻³², a single point three of one unit. A moved cloud has the moved box, to the bit.
    ///
    /// Some passes over the points, no allocation.
    ///
    /// # Errors
    /// For no points, and for points farther apart than a box of half extents [`MAX_EXTENT`] may hold.
    ///
    /// ```
    /// use isostep_collision::Obb;
    /// use isostep_math::{Fx, Quat, Vec3, fx, vec3};
    ///
    /// let half = vec3(fx!(1), fx!(2), fx!(3));
    /// let crate_box = Obb::new(Vec3::ONE, half, Quat::from_rotation_z(fx!(0.3))).unwrap();
    /// let fitted = Obb::fit(&crate_box.corners()).unwrap();
    /// assert!(fitted.center().abs_diff_eq(Vec3::ONE, fx!(0.00001)));
    /// assert!(fitted.half_extents().abs_diff_eq(half, fx!(0.00001)));
    /// assert!(crate_box.corners().into_iter().all(|corner| fitted.contains(corner)));
    /// ```
    pub fn fit(points: &[Vec3]) -> Result<Self, FitError> {
        let &origin = points.first().ok_or(FitError::NoPoints)?;
        let scatter = covariance::principal_axes(origin, points).ok_or(FitError::TooFarApart)?;
        [Some(Quat::IDENTITY), Some(scatter), extremes::best_frame(origin, points)]
            .into_iter()
            .flatten()
            .filter_map(|rotation| Self::around_points(rotation, origin, points.iter().copied()))
            .min_by_key(Self::face_area)
            .ok_or(FitError::TooFarApart)
    }

    /// An eighth of its surface in Q64, exact.
    fn face_area(&self) -> u128 {
        let [x, y, z] = self.half_extents().to_array().map(|half| half.to_bits() as u128);
        x * y + y * z + z * x
    }
}
