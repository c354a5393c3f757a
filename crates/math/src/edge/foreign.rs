//! Vectors, rotations and matrices of `glam` and `mint`, in `f32` and `f64`.
//!
//! From floats each component is taken to nearest and saturates; a NaN among them is an error. A quaternion is
//! taken as it is: check [`Quat::is_normalized`] or normalise it. To floats each component is the nearest.

use super::NotANumber;
use crate::{Fx, Mat3, Quat, Vec2, Vec3};

/// Both ways between a type of numbers and a type of floats, through arrays of their components.
macro_rules! through_arrays {
    ($($Type:ident, $from:ident, $to:ident, [$n:literal], $Foreign:ty, $float:ty;)*) => {$(
        impl TryFrom<$Foreign> for $Type {
            type Error = NotANumber;
            /// Each component to nearest, saturating; an error for a NaN.
            fn try_from(value: $Foreign) -> Result<Self, NotANumber> {
                let floats: [$float; $n] = Components::components(value);
                let mut numbers = [Fx::ZERO; $n];
                for (number, float) in numbers.iter_mut().zip(floats) {
                    *number = Fx::try_from(float)?;
                }
                Ok(Self::$from(numbers))
            }
        }
        impl From<$Type> for $Foreign {
            /// Each component to nearest.
            fn from(value: $Type) -> Self {
                Components::from_components(value.$to().map(<$float>::from))
            }
        }
    )*};
}

/// A foreign type as an array of its components: x, y, z, w, or matrix entries column by column.
trait Components<Array> {
    fn components(self) -> Array;
    fn from_components(array: Array) -> Self;
}

#[cfg(feature = "glam")]
mod with_glam {
    use super::{Components, Fx, Mat3, NotANumber, Quat, Vec2, Vec3};

    macro_rules! components {
        ($($Foreign:ty, $Array:ty, $to:ident, |$array:ident| $from:expr;)*) => {$(
            impl Components<$Array> for $Foreign {
                fn components(self) -> $Array {
                    self.$to()
                }
                fn from_components($array: $Array) -> Self {
                    $from
                }
            }
        )*};
    }
    components! {
        glam::Vec2, [f32; 2], to_array, |a| Self::from_array(a);
        glam::Vec3, [f32; 3], to_array, |a| Self::from_array(a);
        glam::Quat, [f32; 4], to_array, |a| Self::from_array(a);
        glam::Mat3, [f32; 9], to_cols_array, |a| Self::from_cols_array(&a);
        glam::DVec2, [f64; 2], to_array, |a| Self::from_array(a);
        glam::DVec3, [f64; 3], to_array, |a| Self::from_array(a);
        glam::DQuat, [f64; 4], to_array, |a| Self::from_array(a);
        glam::DMat3, [f64; 9], to_cols_array, |a| Self::from_cols_array(&a);
    }
    through_arrays! {
        Vec2, from_array, to_array, [2], glam::Vec2, f32;
        Vec3, from_array, to_array, [3], glam::Vec3, f32;
        Quat, from_array, to_array, [4], glam::Quat, f32;
        Mat3, from_cols_array, to_cols_array, [9], glam::Mat3, f32;
        Vec2, from_array, to_array, [2], glam::DVec2, f64;
        Vec3, from_array, to_array, [3], glam::DVec3, f64;
        Quat, from_array, to_array, [4], glam::DQuat, f64;
        Mat3, from_cols_array, to_cols_array, [9], glam::DMat3, f64;
    }
}

#[cfg(feature = "mint")]
mod with_mint {
    use super::{Components, Fx, Mat3, NotANumber, Quat, Vec2, Vec3};

    macro_rules! components {
        ($($Foreign:ident, $n:literal;)*) => {$(
            impl<T: Clone> Components<[T; $n]> for mint::$Foreign<T> {
                fn components(self) -> [T; $n] {
                    self.into()
                }
                fn from_components(array: [T; $n]) -> Self {
                    array.into()
                }
            }
        )*};
    }
    components! {
        Vector2, 2;
        Point2, 2;
        Vector3, 3;
        Point3, 3;
        Quaternion, 4;
        ColumnMatrix3, 9;
    }

    macro_rules! both_floats {
        ($($Type:ident, $from:ident, $to:ident, [$n:literal], $Foreign:ident;)*) => {$(
            through_arrays! {
                $Type, $from, $to, [$n], mint::$Foreign<f32>, f32;
                $Type, $from, $to, [$n], mint::$Foreign<f64>, f64;
            }
        )*};
    }
    both_floats! {
        Vec2, from_array, to_array, [2], Vector2;
        Vec2, from_array, to_array, [2], Point2;
        Vec3, from_array, to_array, [3], Vector3;
        Vec3, from_array, to_array, [3], Point3;
        Quat, from_array, to_array, [4], Quaternion;
        Mat3, from_cols_array, to_cols_array, [9], ColumnMatrix3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fx;

    const MATRIX: Mat3 = Mat3::from_cols(
        Vec3::new(fx!(1), fx!(2), fx!(3)),
        Vec3::new(fx!(-4), fx!(5), fx!(6)),
        Vec3::new(fx!(7), fx!(8), fx!(-9.5)),
    );

    #[cfg(feature = "glam")]
    #[test]
    fn glam_types_keep_their_components_in_place() {
        let (v, q) = (MATRIX.z_axis, Quat::from_xyzw(fx!(0.5), fx!(-0.5), fx!(0.25), fx!(1)));
        assert_eq!(glam::Vec3::from(v), glam::vec3(7.0, 8.0, -9.5));
        assert_eq!(Vec3::try_from(glam::DVec3::from(v)), Ok(v));
        assert_eq!(glam::Quat::from(q).w.to_bits(), 1.0_f32.to_bits());
        assert_eq!(Quat::try_from(glam::DQuat::from(q)), Ok(q));
        assert_eq!(glam::Mat3::from(MATRIX).y_axis, glam::vec3(-4.0, 5.0, 6.0));
        assert_eq!(Mat3::try_from(glam::DMat3::from(MATRIX)), Ok(MATRIX));
        assert_eq!(Vec2::try_from(glam::vec2(1.0, f32::NAN)), Err(NotANumber));
    }

    #[cfg(feature = "mint")]
    #[test]
    fn mint_types_keep_their_components_in_place() {
        let (v, q) = (MATRIX.z_axis, Quat::from_xyzw(fx!(0.5), fx!(-0.5), fx!(0.25), fx!(1)));
        assert_eq!(Vec3::try_from(mint::Point3::<f32>::from(v)), Ok(v));
        let foreign = mint::Quaternion::<f64>::from(q);
        assert_eq!((foreign.s.to_bits(), foreign.v.x.to_bits()), (1.0_f64.to_bits(), 0.5_f64.to_bits()));
        assert_eq!(Quat::try_from(foreign), Ok(q));
        let columns = mint::ColumnMatrix3::<f64>::from(MATRIX);
        assert_eq!(columns.y.x.to_bits(), (-4.0_f64).to_bits());
        assert_eq!(Mat3::try_from(columns), Ok(MATRIX));
        assert_eq!(Vec2::try_from(mint::Vector2 { x: f64::NAN, y: 0.0 }), Err(NotANumber));
    }
}
