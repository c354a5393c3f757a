//! Reciprocals in lanes against their definitions.

use isostep_math::wide::{Backend, Kernel, Lanes, Level, Portable};

/// The reciprocals and the reciprocal square roots of mantissas, a multiple of eight of them.
#[derive(Clone, Copy)]
struct Reciprocals<'a>(&'a [i64]);

impl Kernel for Reciprocals<'_> {
    type Output = (Vec<i64>, Vec<i64>);

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) -> (Vec<i64>, Vec<i64>) {
        let (mut recip, mut rsqrt) = (Vec::new(), Vec::new());
        for m in self.0.chunks_exact(N) {
            let m = Lanes::<B, N>::from_array(*m.first_chunk().unwrap());
            recip.extend(m.recip().to_array());
            rsqrt.extend(m.rsqrt().to_array());
        }
        (recip, rsqrt)
    }
}

/// Both ends of the range, both sides of every power and three-halves of it, and an even spread.
fn mantissas(from: i64, count: i64) -> Vec<i64> {
    let end = 1_i64 << 31;
    let mut out: Vec<i64> = (from..from + 1024).chain(end - 1024..end).collect();
    for bit in 0..30 {
        for centre in [from + (1 << bit), end - (1 << bit), (1 << 30) + (1 << bit), (1 << 30) - (1 << bit)] {
            out.extend((-4..4).map(|offset| (centre + offset).clamp(from, end - 1)));
        }
    }
    // An odd stride visits all residues.
    let stride = ((end - from) / count) | 1;
    out.extend((0..count).map(|i| from + i * stride).filter(|m| *m < end));
    out.truncate(out.len() / 8 * 8);
    out
}

#[test]
fn the_reciprocal_is_correctly_rounded() {
    let mantissas = mantissas(1 << 30, 1 << 20);
    for level in Level::available() {
        let (recip, _) = level.dispatch(Reciprocals(&mantissas));
        for (m, r) in mantissas.iter().zip(recip) {
            assert_eq!(r, ((1 << 60) + m / 2) / m, "1/{m} at level {level}");
        }
    }
}

#[test]
fn the_reciprocal_square_root_is_correctly_rounded() {
    let mantissas = mantissas(1 << 29, 1 << 20);
    for level in Level::available() {
        let (_, rsqrt) = level.dispatch(Reciprocals(&mantissas));
        for (m, r) in mantissas.iter().zip(rsqrt) {
            // Between the squares of r − ½ and r + ½, times 4 to stay with integers.
            let bound = |twice: i64| i128::from(twice) * i128::from(twice) * i128::from(*m);
            let correct = bound(2 * r - 1) < 1 << 91 && 1 << 91 < bound(2 * r + 1);
            assert!(correct, "1/sqrt({m}) is not {r} at level {level}");
        }
    }
}

#[test]
fn meaningless_mantissas_give_the_same_value_at_every_level_and_width() {
    let mut bits = 1_i64;
    let mut next = || {
        bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        bits >> (bits & 63)
    };
    let mantissas: Vec<i64> =
        (0..4096).map(|_| next()).chain([0, -1, 1, i64::MIN, i64::MAX, 7, 7, 7]).collect();
    let expected = Reciprocals(&mantissas).run::<Portable, 1>();
    assert_eq!(Reciprocals(&mantissas).run::<Portable, 8>(), expected);
    for level in Level::available() {
        assert!(level.dispatch(Reciprocals(&mantissas)) == expected, "at level {level}");
    }
}

/// Two thousand stretches across the domain; all of it with the variable set:
/// `ISOSTEP_EVERY_MANTISSA=1 cargo test --release -p isostep-math --test wide` (20 s).
#[test]
fn reciprocals_are_correctly_rounded_across_their_domain() {
    let every = std::env::var_os("ISOSTEP_EVERY_MANTISSA").is_some();
    let stretch = if every { 1 << 20 } else { 1 << 8 };
    let level = Level::current();
    let mut block = Vec::new();
    for from in ((1_i64 << 29)..(1 << 31)).step_by(1 << 20) {
        block.clear();
        block.extend(from..from + stretch);
        let (recip, rsqrt) = level.dispatch(Reciprocals(&block));
        for ((m, recip), rsqrt) in block.iter().zip(recip).zip(rsqrt) {
            assert!(*m < 1 << 30 || recip == ((1 << 60) + m / 2) / m, "1/{m}");
            let bound = |twice: i64| i128::from(twice) * i128::from(twice) * i128::from(*m);
            assert!(bound(2 * rsqrt - 1) < 1 << 91 && 1 << 91 < bound(2 * rsqrt + 1), "1/sqrt({m})");
        }
    }
}
