//! Roots, trigonometry and exponentials.

use super::Recorder;
use super::numbers::{pairs, singles};
use isostep_math::cordic;

pub(super) fn roots(out: &mut Recorder) {
    singles(10, 4000, 63, |x| {
        out.numbers([x.sqrt(), x.rsqrt()]);
        out.optional(x.checked_sqrt());
        out.optional(x.checked_rsqrt());
    });
    pairs(11, 2000, |a, b| out.number(a.hypot(b)));
}

pub(super) fn circular(out: &mut Recorder) {
    singles(12, 6000, 63, |x| {
        let (sin, cos) = x.sin_cos();
        out.numbers([sin, cos, x.sin(), x.cos(), x.tan()]);
    });
}

pub(super) fn inverse(out: &mut Recorder) {
    singles(13, 4000, 63, |x| out.numbers([x.atan(), x.asin(), x.acos()]));
    singles(14, 4000, 32, |x| {
        out.numbers([x.asin(), x.acos()]);
        out.optional(x.checked_asin());
        out.optional((x << 1).checked_acos());
    });
    pairs(15, 6000, |y, x| out.number(y.atan2(x)));
}

pub(super) fn exponential(out: &mut Recorder) {
    singles(16, 6000, 63, |x| {
        out.numbers([x.ln(), x.log2()]);
        out.optional(x.checked_ln());
        out.optional(x.checked_log2());
    });
    singles(17, 4000, 38, |x| out.numbers([x.exp(), x.exp2()]));
    pairs(18, 6000, |x, y| {
        out.number(x.pow(y));
        out.optional(x.checked_pow(y));
    });
    // Powers whose results lie in range.
    pairs(19, 4000, |x, y| out.number((x.abs() >> 12).pow(y >> 29)));
}

pub(super) fn cordic(out: &mut Recorder) {
    singles(20, 2000, 63, |x| {
        let (sin, cos) = cordic::sin_cos(x);
        out.numbers([sin, cos, cordic::tan(x), cordic::atan(x), cordic::asin(x), cordic::acos(x)]);
        out.numbers([cordic::ln(x), cordic::log2(x), cordic::sqrt(x), cordic::exp(x), cordic::exp2(x)]);
    });
    singles(21, 2000, 37, |x| {
        out.numbers([cordic::exp(x), cordic::exp2(x), cordic::asin(x >> 5), cordic::acos(x >> 5)]);
    });
    pairs(22, 2000, |y, x| out.number(cordic::atan2(y, x)));
}
