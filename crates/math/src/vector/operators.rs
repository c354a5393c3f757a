//! Operators, conversions and text that every type made of numbers has.

/// `+`, `-`, unary `-` by components through the named saturating methods, and the exact sum of many.
macro_rules! additive_operators {
    ($Type:ident, $n:literal) => {
        impl core::ops::Add for $Type {
            type Output = Self;
            #[inline]
            fn add(self, rhs: Self) -> Self {
                self.saturating_add(rhs)
            }
        }
        impl core::ops::AddAssign for $Type {
            #[inline]
            fn add_assign(&mut self, rhs: Self) {
                *self = *self + rhs;
            }
        }
        impl core::ops::Sub for $Type {
            type Output = Self;
            #[inline]
            fn sub(self, rhs: Self) -> Self {
                self.saturating_sub(rhs)
            }
        }
        impl core::ops::SubAssign for $Type {
            #[inline]
            fn sub_assign(&mut self, rhs: Self) {
                *self = *self - rhs;
            }
        }
        impl core::ops::Neg for $Type {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                self.saturating_neg()
            }
        }
        impl core::ops::Mul<Fx> for $Type {
            type Output = Self;
            /// Each component to nearest, saturating.
            #[inline]
            fn mul(self, rhs: Fx) -> Self {
                self.saturating_scale(rhs)
            }
        }
        impl core::ops::Mul<$Type> for Fx {
            type Output = $Type;
            /// Each component to nearest, saturating.
            #[inline]
            fn mul(self, rhs: $Type) -> $Type {
                rhs.saturating_scale(self)
            }
        }
        impl core::ops::MulAssign<Fx> for $Type {
            #[inline]
            fn mul_assign(&mut self, rhs: Fx) {
                *self = *self * rhs;
            }
        }
        impl core::ops::Div<Fx> for $Type {
            type Output = Self;
            /// Each component to nearest, saturating; by zero, an end of the range by its sign, and 0/0 is 0.
            #[inline]
            fn div(self, rhs: Fx) -> Self {
                Self::from_bits(self.to_bits().map(|bits| Fx(bits).saturating_div(rhs).0))
            }
        }
        impl core::ops::DivAssign<Fx> for $Type {
            #[inline]
            fn div_assign(&mut self, rhs: Fx) {
                *self = *self / rhs;
            }
        }
        impl core::iter::Sum for $Type {
            /// The exact sum of each component, saturated once at the end: independent of the order.
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                // 2^64 terms would be needed to leave 128 bits.
                let sums = iter.fold([0_i128; $n], |mut sums, term| {
                    for (sum, bits) in sums.iter_mut().zip(term.to_bits()) {
                        *sum = sum.wrapping_add(i128::from(bits));
                    }
                    sums
                });
                Self::from_bits(sums.map(crate::exact::saturate))
            }
        }
        impl<'a> core::iter::Sum<&'a Self> for $Type {
            /// The exact sum of each component, saturated once at the end: independent of the order.
            fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
                iter.copied().sum()
            }
        }
    };
}
pub(crate) use additive_operators;

/// Component-wise products and quotients, indices, arrays and text of a vector.
macro_rules! vector_operators {
    ($Vector:ident, $n:literal, $($c:ident $i:literal),+) => {
        impl core::ops::Mul for $Vector {
            type Output = Self;
            /// Component by component, each to nearest, saturating.
            #[inline]
            fn mul(self, rhs: Self) -> Self {
                Self { $($c: self.$c * rhs.$c),+ }
            }
        }
        impl core::ops::MulAssign for $Vector {
            #[inline]
            fn mul_assign(&mut self, rhs: Self) {
                *self = *self * rhs;
            }
        }
        impl core::ops::Div for $Vector {
            type Output = Self;
            /// Component by component, each to nearest, saturating; by zero as for [`Fx`].
            #[inline]
            fn div(self, rhs: Self) -> Self {
                Self { $($c: self.$c / rhs.$c),+ }
            }
        }
        impl core::ops::DivAssign for $Vector {
            #[inline]
            fn div_assign(&mut self, rhs: Self) {
                *self = *self / rhs;
            }
        }
        impl core::ops::Index<usize> for $Vector {
            type Output = Fx;
            /// # Panics
            /// Beyond the last component.
            #[inline]
            fn index(&self, index: usize) -> &Fx {
                match index {
                    $($i => &self.$c,)+
                    _ => panic!(concat!(stringify!($Vector), " has ", $n, " components")),
                }
            }
        }
        impl core::ops::IndexMut<usize> for $Vector {
            /// # Panics
            /// Beyond the last component.
            #[inline]
            fn index_mut(&mut self, index: usize) -> &mut Fx {
                match index {
                    $($i => &mut self.$c,)+
                    _ => panic!(concat!(stringify!($Vector), " has ", $n, " components")),
                }
            }
        }
    };
}
pub(crate) use vector_operators;

/// Conversions from and to arrays, text, and sequences in `serde` formats.
macro_rules! array_conversions {
    ($Type:ident, $n:literal, $from:ident, $to:ident) => {
        impl From<[Fx; $n]> for $Type {
            #[inline]
            fn from(array: [Fx; $n]) -> Self {
                Self::$from(array)
            }
        }
        impl From<$Type> for [Fx; $n] {
            #[inline]
            fn from(value: $Type) -> Self {
                value.$to()
            }
        }
        #[cfg(feature = "serde")]
        impl serde::Serialize for $Type {
            /// As a sequence of numbers.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.$to().serialize(serializer)
            }
        }
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $Type {
            /// From a sequence of numbers; every value of the type is accepted as it is.
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <[Fx; $n]>::deserialize(deserializer).map(Self::$from)
            }
        }
    };
}
pub(crate) use array_conversions;

/// Text like `[1, -0.5, 0]`, with the precision of the format applied to every number.
macro_rules! sequence_text {
    ($Type:ident, $($field:ident),+) => {
        impl core::fmt::Display for $Type {
            /// Its parts in brackets, each formatted as the format says: `[1, -0.5, 0]`.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut separator = "[";
                $(
                    f.write_str(separator)?;
                    core::fmt::Display::fmt(&self.$field, f)?;
                    separator = ", ";
                )+
                let _ = separator;
                f.write_str("]")
            }
        }
        impl core::fmt::Debug for $Type {
            /// The name of the type and its parts in parentheses.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple(stringify!($Type))$(.field(&self.$field))+.finish()
            }
        }
    };
}
pub(crate) use sequence_text;
