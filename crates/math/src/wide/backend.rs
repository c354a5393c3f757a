//! What an instruction set has to offer to carry [`super::Lanes`].

use core::fmt::Debug;

/// An instruction set that computes in `N` lanes of 64 bits.
///
/// Kernels are generic over it and never name one: [`super::Level::dispatch`] chooses. [`super::Portable`]
/// is the only one that can be named, and runs everywhere. The methods are the vocabulary of
/// [`super::Lanes`] and [`super::Mask`], whose documentation says what they compute; masks have all bits set
/// or all bits clear in a lane. Every method gives the same bits in every implementation, but for those of a factor above its 32.
///
/// The trait is sealed: an implementation answers for the CPU features it uses.
pub trait Backend<const N: usize>: sealed::Sealed + Copy + 'static {
    /// The register, or registers, of `N` lanes.
    #[doc(hidden)]
    type Register: Copy + Debug;

    #[doc(hidden)]
    fn splat(value: i64) -> Self::Register;
    #[doc(hidden)]
    fn from_array(lanes: [i64; N]) -> Self::Register;
    #[doc(hidden)]
    fn to_array(a: Self::Register) -> [i64; N];
    #[doc(hidden)]
    fn load(column: &[i32; N]) -> Self::Register;
    #[doc(hidden)]
    fn store(a: Self::Register) -> [i32; N];
    #[doc(hidden)]
    fn add(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn sub(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn mul32(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn mul32_unsigned(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn and(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn or(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn xor(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn shl<const S: u32>(a: Self::Register) -> Self::Register;
    /// Shifts zeros in.
    #[doc(hidden)]
    fn shr_logical<const S: u32>(a: Self::Register) -> Self::Register;
    /// The mask of the negative lanes: 63 copies of the sign.
    #[doc(hidden)]
    fn negative(a: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn gt(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn equal(a: Self::Register, b: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn select(mask: Self::Register, yes: Self::Register, no: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn any(mask: Self::Register) -> bool;
    #[doc(hidden)]
    fn all(mask: Self::Register) -> bool;
    /// The counts are already in 0..64.
    #[doc(hidden)]
    fn shl_each(a: Self::Register, counts: Self::Register) -> Self::Register;
    /// The counts are already in 0..64.
    #[doc(hidden)]
    fn shr_each(a: Self::Register, counts: Self::Register) -> Self::Register;
    /// The upper 32 bits of each lane held to −`most` − 1..=`most`, the lower ones as they are.
    #[doc(hidden)]
    fn hold_upper(a: Self::Register, most: i32) -> Self::Register;
    /// The counts are already in 0..64; shifts zeros in.
    #[doc(hidden)]
    fn shr_logical_each(a: Self::Register, counts: Self::Register) -> Self::Register;
    #[doc(hidden)]
    fn leading_zeros(a: Self::Register) -> Self::Register;
    /// Column `k` holds the elements `k` of the rows.
    #[doc(hidden)]
    fn columns(rows: [&[i64; 4]; N]) -> [Self::Register; 4];
    /// The inverse of [`Backend::columns`].
    #[doc(hidden)]
    fn rows(columns: [Self::Register; 4]) -> [[i64; 4]; N];

    // What follows has a form in terms of the above; an instruction set with a shorter one overrides it.

    /// The low 32 bits of each lane, as factors of [`Self::mul_factor`].
    #[doc(hidden)]
    #[inline(always)]
    fn factor(a: Self::Register) -> Self::Register {
        a
    }
    /// The same of lanes shifted right by `S`, rounding toward −∞, all of which fit 32 bits then.
    #[doc(hidden)]
    #[inline(always)]
    fn factor_that_fits<const S: u32>(a: Self::Register) -> Self::Register {
        Self::shr_logical::<S>(a)
    }
    /// A product of a factor and of the low 32 bits of `b`.
    #[doc(hidden)]
    #[inline(always)]
    fn mul_factor(a: Self::Register, b: Self::Register) -> Self::Register {
        Self::mul32(a, b)
    }
    /// `sum` and such a product.
    #[doc(hidden)]
    #[inline(always)]
    fn mul_factor_add(sum: Self::Register, a: Self::Register, b: Self::Register) -> Self::Register {
        Self::add(sum, Self::mul_factor(a, b))
    }
    /// `sum` less such a product.
    #[doc(hidden)]
    #[inline(always)]
    fn mul_factor_sub(sum: Self::Register, a: Self::Register, b: Self::Register) -> Self::Register {
        Self::sub(sum, Self::mul_factor(a, b))
    }
    #[doc(hidden)]
    #[inline(always)]
    fn shr<const S: u32>(a: Self::Register) -> Self::Register {
        shr_by_offset::<Self, N, S>(a, 0)
    }
    #[doc(hidden)]
    #[inline(always)]
    fn shr_round_half_up<const S: u32>(a: Self::Register) -> Self::Register {
        shr_by_offset::<Self, N, S>(a, const { 1 << (S - 1) })
    }
    #[doc(hidden)]
    #[inline(always)]
    fn shr_round<const S: u32>(a: Self::Register) -> Self::Register {
        // floor((x + half − [x < 0]) / 2^S): the term for the sign moves exactly the negative halves down.
        Self::shr_round_half_up::<S>(Self::add(a, Self::negative(a)))
    }
    /// 0 for negative lanes.
    #[doc(hidden)]
    #[inline(always)]
    fn positive(a: Self::Register) -> Self::Register {
        Self::max(a, Self::splat(0))
    }
    #[doc(hidden)]
    #[inline(always)]
    fn min(a: Self::Register, b: Self::Register) -> Self::Register {
        Self::select(Self::gt(a, b), b, a)
    }
    #[doc(hidden)]
    #[inline(always)]
    fn max(a: Self::Register, b: Self::Register) -> Self::Register {
        Self::select(Self::gt(a, b), a, b)
    }
    /// The smaller of each lane and `most`, which hardly any lane is above.
    #[doc(hidden)]
    #[inline(always)]
    fn at_most(a: Self::Register, most: i64) -> Self::Register {
        Self::min(a, Self::splat(most))
    }
    #[doc(hidden)]
    #[inline(always)]
    fn abs(a: Self::Register) -> Self::Register {
        let sign = Self::negative(a);
        Self::sub(Self::xor(a, sign), sign)
    }
}

/// `floor((a + term) / 2^S)` with a logical shift: the lane is moved into the unsigned range by 2⁶³, and the
/// quotient moved back by 2^(63−S). Three instructions where there is no arithmetic shift of 64 bits.
#[inline(always)]
fn shr_by_offset<B: Backend<N>, const N: usize, const S: u32>(a: B::Register, term: i64) -> B::Register {
    let moved = B::add(a, B::splat(i64::MIN.wrapping_add(term)));
    B::sub(B::shr_logical::<S>(moved), B::splat((1_u64 << 63 >> S) as i64))
}

pub(super) mod sealed {
    /// Only this crate implements [`super::Backend`].
    pub trait Sealed {}
}
