//! Trigonometric and exponential functions of [`Fx`]: total, in integers, the fastest right method for each.
//!
//! `circular` has sine, cosine and tangent (polynomials after a 126-bit reduction by π/2), `inverse` the
//! arc functions (table, one division, a short series), `exponential` powers and logarithms (tables and
//! short polynomials); `tables` their constants. [`cordic`](crate::cordic) computes the same functions by
//! shifts and additions, and the tests hold both together.
//!
//! **Errors** are stated as distance from the exact value in units of 2⁻³² (ulp); every function of this
//! module stays within 0.5 ulp + 2⁻¹⁸ ulp, except where its documentation gives a relative error.
//! `docs/accuracy.md` has the measured figures. **Monotone**: between neighbouring arguments the kernels'
//! error is far below the change of the function wherever the rounded result changes at all, so results
//! never step the wrong way.

pub(crate) mod circular;
pub(crate) mod exponential;
pub(crate) mod inverse;
mod tables;
