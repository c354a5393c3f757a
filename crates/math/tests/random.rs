//! Random streams: the published vectors, a second implementation, every derived function's golden values,
//! uniformity, and what a snapshot needs.

use isostep_math::random::{Rng, RngError};
use isostep_math::{Fx, Quat, Vec2, Vec3};
use proptest::prelude::*;
use rand_core::RngCore;
use rand_pcg::Pcg32;

fn draws<T>(seed: u64, count: usize, mut draw: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    let mut rng = Rng::new(seed, 54);
    (0..count).map(|_| draw(&mut rng)).collect()
}

#[test]
fn the_stream_gives_the_reference_vectors_of_the_paper() {
    let expected = [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e];
    assert_eq!(draws(42, 6, Rng::next_u32), expected);
}

proptest! {
    #[test]
    fn the_stream_agrees_with_another_implementation(seed: u64, stream: u64, skip: u64) {
        let (mut ours, mut theirs) = (Rng::new(seed, stream), Pcg32::new(seed, stream));
        for _ in 0..16 {
            prop_assert_eq!(ours.next_u32(), theirs.next_u32());
            prop_assert_eq!(ours.next_u64(), theirs.next_u64());
        }
        ours.advance(skip);
        theirs.advance(skip);
        prop_assert_eq!(ours.next_u32(), theirs.next_u32());
    }

    #[test]
    fn advancing_back_returns_to_the_same_state(seed: u64, stream: u64, by: u64) {
        let start = Rng::new(seed, stream);
        let mut rng = start.clone();
        rng.advance(by);
        rng.advance(by.wrapping_neg());
        prop_assert_eq!(rng, start);
    }

    #[test]
    fn numbers_stay_in_their_range(seed: u64, n: u64, a: i64, b: i64) {
        let mut rng = Rng::new(seed, 0);
        prop_assert!(rng.below_u64(n) < n.max(1));
        let n = n as u32;
        prop_assert!(rng.below(n) < n.max(1));
        let (low, high) = (a.min(b), a.max(b));
        prop_assert!((low..=high).contains(&rng.range_i64(low, high)));
        let fx = rng.fx_range(Fx::from_bits(low), Fx::from_bits(high)).to_bits();
        prop_assert!(low <= fx && (fx < high || low == high));
        let (low, high) = ((a as i32).min(b as i32), (a as i32).max(b as i32));
        prop_assert!((low..=high).contains(&rng.range_i32(low, high)));
        prop_assert!((0..1 << 32).contains(&rng.fx_unit().to_bits()));
    }

    #[test]
    fn a_shuffle_keeps_the_elements(seed: u64, len in 0_usize..50) {
        let mut cards: Vec<usize> = (0..len).collect();
        Rng::new(seed, 1).shuffle(&mut cards);
        cards.sort_unstable();
        prop_assert_eq!(cards, (0..len).collect::<Vec<_>>());
    }

    #[test]
    fn a_stream_survives_text_and_bytes(seed: u64, stream: u64) {
        let rng = Rng::new(seed, stream);
        prop_assert_eq!(Rng::from_raw(rng.state(), rng.increment()), Ok(rng.clone()));
        #[cfg(feature = "serde")]
        {
            let text = serde_json::to_string(&rng).unwrap();
            prop_assert_eq!(serde_json::from_str::<Rng>(&text).unwrap(), rng.clone());
            let config = bincode::config::legacy();
            let bytes = bincode::serde::encode_to_vec(&rng, config).unwrap();
            prop_assert_eq!(bytes.len(), 16);
            let (read, _): (Rng, _) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
            prop_assert_eq!(read, rng);
        }
    }
}

#[test]
fn an_even_increment_is_refused() {
    assert_eq!(Rng::from_raw(1, 6), Err(RngError::EvenIncrement { increment: 6 }));
    #[cfg(feature = "serde")]
    assert!(serde_json::from_str::<Rng>("[1,6]").unwrap_err().to_string().contains("must be odd, and 6"));
}

#[test]
fn derived_numbers_keep_their_golden_values() {
    assert_eq!(
        draws(1, 3, Rng::next_u64),
        [878_760_791_089_339_817, 9_379_876_336_439_916_783, 1_978_731_580_813_642_994]
    );
    assert_eq!(draws(1, 8, |rng| rng.below(10)), [6, 0, 8, 5, 5, 1, 6, 7]);
    assert_eq!(
        draws(1, 4, |rng| rng.below(0xc000_0000)),
        [1_955_653_182, 2_599_549_619, 1_865_345_461, 345_532_010]
    );
    assert_eq!(draws(1, 3, |rng| rng.below_u64(10_000_000_000)), [476_377_179, 5_084_841_150, 1_072_672_539]);
    assert_eq!(
        draws(1, 3, |rng| rng.below_u64(0xc000_0000_0000_0000)),
        [659_070_593_317_004_862, 7_034_907_252_329_937_587, 1_484_048_685_610_232_245]
    );
    assert_eq!(draws(1, 8, |rng| rng.range_i32(-3, 3)), [1, -3, 2, 0, 1, -3, 1, 2]);
    assert_eq!(
        draws(1, 3, |rng| rng.range_i64(-1 << 40, 1 << 40)),
        [-994_755_178_186, 18_656_766_365, -863_628_441_816]
    );
    assert_eq!(draws(1, 12, |rng| u8::from(rng.bool())), [1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0]);
    assert_eq!(draws(1, 12, |rng| u8::from(rng.chance(1, 3))), [0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    assert_eq!(draws(1, 3, |rng| rng.fx_unit().to_bits()), [2_607_537_577, 204_602_440, 3_466_066_159]);
    assert_eq!(
        draws(1, 3, |rng| rng.fx_range(Fx::MIN, Fx::MAX).to_bits()),
        [-8_344_611_245_765_435_992, 156_504_299_585_140_974, -7_244_640_456_041_132_815]
    );
    assert_eq!(draws(1, 8, |rng| rng.weighted(&[1, 0, 5, 2]).unwrap()), [0, 2, 0, 3, 2, 2, 2, 3]);
    assert_eq!(
        draws(1, 6, |rng| *rng.choose(&['a', 'b', 'c', 'd']).unwrap()),
        ['c', 'a', 'd', 'c', 'c', 'a']
    );
    let mut cards = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    Rng::new(1, 54).shuffle(&mut cards);
    assert_eq!(cards, [1, 4, 5, 2, 8, 7, 3, 9, 0, 6]);
    let mut parent = Rng::new(1, 54);
    let mut child = parent.split();
    assert_eq!(
        [child.next_u32(), child.next_u32(), parent.next_u32()],
        [2_986_363_212, 246_033_957, 2_487_127_282]
    );
}

#[test]
fn directions_keep_their_golden_values() {
    let plane = |v: Vec2| [v.x, v.y].map(Fx::to_bits);
    let space = |v: Vec3| [v.x, v.y, v.z].map(Fx::to_bits);
    let rotation = |q: Quat| [q.x, q.y, q.z, q.w].map(Fx::to_bits);
    assert_eq!(
        draws(1, 2, |rng| rotation(rng.unit_quat())),
        [
            [793_815_080, 2_572_413_862, -3_134_148_588, 1_173_201_281],
            [-1_435_333_782, -2_647_014_295, 1_911_407_226, 2_392_989_500]
        ]
    );
    assert_eq!(draws(1, 2, |rng| rng.angle().to_bits()), [16_383_641_792, 1_285_555_045]);
    assert_eq!(
        draws(1, 2, |rng| plane(rng.unit_vec2())),
        [[-3_358_415_155, -2_677_273_187], [4_104_005_414, 1_266_445_277]]
    );
    assert_eq!(
        draws(1, 2, |rng| space(rng.unit_vec3())),
        [[641_421_827, -1_713_526_355, -3_885_762_415], [3_313_608_804, 2_646_754_535, 679_287_269]]
    );
}

#[test]
fn directions_have_length_one_and_a_fixed_number_of_draws() {
    let mut rng = Rng::new(8, 8);
    for _ in 0..20_000 {
        let mut after = rng.clone();
        let off = |length: Fx| (length.to_bits() - Fx::ONE.to_bits()).abs();
        assert!(off(after.unit_vec2().length()) <= 1);
        rng.advance(1);
        assert_eq!(after, rng);
        assert!(off(after.unit_vec3().length()) <= 2);
        rng.advance(3);
        assert_eq!(after, rng);
        assert!(off(after.unit_quat().length()) <= 2);
        rng.advance(3);
        assert_eq!(after, rng);
    }
}

#[test]
fn directions_are_uniform() {
    let third =
        |x: Fx| ((x.to_bits() + Fx::ONE.to_bits()) * 3 / (2 * Fx::ONE.to_bits())).clamp(0, 2) as usize;
    let quadrant = |x: Fx, y: Fx| 2 * usize::from(x.is_negative()) + usize::from(y.is_negative());
    // By Archimedes, each coordinate of a uniform direction is itself uniform; of a rejected or normalised
    // cube it is not.
    assert_uniform::<3>("x of unit_vec3", |rng| third(rng.unit_vec3().x));
    assert_uniform::<3>("y of unit_vec3", |rng| third(rng.unit_vec3().y));
    assert_uniform::<3>("z of unit_vec3", |rng| third(rng.unit_vec3().z));
    // A uniform rotation takes any direction to a uniform one.
    let diagonal = Vec3::ONE.normalize();
    assert_uniform::<3>("x turned by unit_quat", |rng| third(rng.unit_quat().mul_vec3(Vec3::X).z));
    assert_uniform::<3>("diagonal turned by unit_quat", |rng| third(rng.unit_quat().mul_vec3(diagonal).y));
    // Octants of the plane: the quadrant, and which coordinate is longer; two turns make sixteen bins.
    let octant = |rng: &mut Rng| {
        let v = rng.unit_vec2();
        2 * quadrant(v.x, v.y) + usize::from(v.x.abs() > v.y.abs())
    };
    assert_uniform::<16>("unit_vec2", |rng| octant(rng) + 8 * usize::from(rng.bool()));
    assert_uniform::<16>("octants of unit_vec3", |rng| {
        let v = rng.unit_vec3();
        let octant = 2 * quadrant(v.x, v.y) + usize::from(v.z.is_negative());
        octant + 8 * usize::from(rng.bool())
    });
}

#[test]
fn bad_ranges_give_their_documented_value_and_draw_as_documented() {
    let start = Rng::new(5, 5);
    let mut rng = start.clone();
    assert_eq!(rng.range_i32(3, 2), 3);
    assert_eq!(rng.range_i64(i64::MAX, i64::MIN), i64::MAX);
    assert_eq!(rng.fx_range(Fx::ONE, Fx::ONE), Fx::ONE);
    assert_eq!(rng.choose::<u8>(&[]), None);
    assert_eq!(rng.weighted(&[]), None);
    assert_eq!(rng.weighted(&[0, 0]), None);
    rng.shuffle::<u8>(&mut []);
    rng.shuffle(&mut [1]);
    assert_eq!(rng, start, "nothing was drawn");

    assert_eq!(rng.below(0), 0);
    assert_eq!(rng.below_u64(0), 0);
    assert!(!rng.chance(0, 0) && !rng.chance(1, 0) && !rng.chance(0, 7));
    assert!(rng.chance(7, 7) && rng.chance(8, 7) && rng.chance(u32::MAX, 1));
}

#[test]
fn whole_ranges_reach_both_halves() {
    let all = draws(9, 64, |rng| rng.range_i32(i32::MIN, i32::MAX));
    assert!(all.iter().any(|x| *x < 0) && all.iter().any(|x| *x > 0));
    let all = draws(9, 64, |rng| rng.range_i64(i64::MIN, i64::MAX));
    assert!(all.iter().any(|x| *x < 0) && all.iter().any(|x| *x > 0));
    let all = draws(9, 64, |rng| rng.fx_range(Fx::MIN, Fx::MAX));
    assert!(all.iter().any(|x| x.is_negative()) && all.iter().any(|x| !x.is_negative()));
}

/// χ² of the counts against equal expectations, rounded down.
fn chi_square(counts: &[u64]) -> u64 {
    let (bins, total) = (counts.len() as u64, counts.iter().sum::<u64>());
    let squares: u64 = counts.iter().map(|count| count * count).sum();
    bins * squares / total - total
}

/// Asserts that `draw` falls into each of `BINS` bins equally often, at the 10⁻⁵ level.
fn assert_uniform<const BINS: usize>(what: &str, mut draw: impl FnMut(&mut Rng) -> usize) {
    // The 1 − 10⁻⁵ quantiles of χ² for 1, 2, 5, 15 and 23 degrees of freedom.
    let bound = match BINS {
        2 => 20,
        3 => 24,
        6 => 31,
        16 => 50,
        24 => 63,
        _ => unreachable!("no quantile for {BINS} bins"),
    };
    for seed in 0..8 {
        let mut rng = Rng::new(seed, 0);
        let mut counts = [0; BINS];
        for _ in 0..24_000 {
            counts[draw(&mut rng)] += 1;
        }
        let chi_square = chi_square(&counts);
        assert!(chi_square < bound, "{what}, seed {seed}: chi square {chi_square} of {counts:?}");
    }
}

#[test]
fn every_derived_number_is_uniform() {
    assert_uniform::<16>("high bits", |rng| (rng.next_u32() >> 28) as usize);
    assert_uniform::<16>("low bits", |rng| (rng.next_u32() & 15) as usize);
    assert_uniform::<6>("below", |rng| rng.below(6) as usize);
    // 2³² is not a multiple: by modulo, the first third would come twice as often.
    assert_uniform::<3>("below three quarters", |rng| (rng.below(0xc000_0000) >> 30) as usize);
    assert_uniform::<3>("below_u64", |rng| (rng.below_u64(0xc000_0000_0000_0000) >> 62) as usize);
    assert_uniform::<6>("range_i32", |rng| (rng.range_i32(-2, 3) + 2) as usize);
    assert_uniform::<6>("range_i64", |rng| (rng.range_i64(-2, 3) + 2) as usize);
    assert_uniform::<2>("bool", |rng| usize::from(rng.bool()));
    assert_uniform::<2>("chance", |rng| usize::from(rng.chance(21, 42)));
    assert_uniform::<16>("fx_unit", |rng| (rng.fx_unit().to_bits() >> 28) as usize);
    let three = Fx::from_bits(3 << 32);
    assert_uniform::<3>("fx_range", |rng| (rng.fx_range(Fx::ZERO, three).to_bits() >> 32) as usize);
    assert_uniform::<3>("weighted", |rng| match rng.weighted(&[2, 0, 1, 1, 2]).unwrap() {
        0 => 0,
        4 => 2,
        _ => 1,
    });
    assert_uniform::<6>("choose", |rng| *rng.choose(&[0, 1, 2, 3, 4, 5]).unwrap());
    // Each of the 24 orders of four elements, numbered by its inversions.
    assert_uniform::<24>("shuffle", |rng| {
        let mut order = [0, 1, 2, 3];
        rng.shuffle(&mut order);
        let smaller_after = |i: usize| order[i + 1..].iter().filter(|later| **later < order[i]).count();
        (smaller_after(0) * 3 + smaller_after(1)) * 2 + smaller_after(2)
    });
}

#[test]
fn chances_come_as_often_as_they_say() {
    let hits = draws(3, 90_000, |rng| rng.chance(2, 9)).into_iter().filter(|hit| *hit).count();
    // 20 000 expected, standard deviation 125.
    assert!(hits.abs_diff(20_000) < 5 * 125, "{hits}");
}

#[test]
fn parent_and_children_do_not_correlate() {
    let mut parent = Rng::new(0, 0);
    let mut streams: Vec<Rng> = (0..7).map(|_| parent.split()).collect();
    let grandchild = streams[0].split();
    streams.extend([parent, grandchild]);
    let outputs: Vec<Vec<u32>> =
        streams.iter_mut().map(|rng| (0..4096).map(|_| rng.next_u32()).collect()).collect();
    for (i, a) in outputs.iter().enumerate() {
        for b in &outputs[..i] {
            // Of 131 072 bits half agree, with a standard deviation of 181; also when one stream lags.
            for lag in 0..16 {
                let agree: u32 = a.iter().zip(&b[lag..]).map(|(a, b)| (!(a ^ b)).count_ones()).sum();
                let half = 16 * (4096 - lag as u32);
                assert!(agree.abs_diff(half) < 6 * 181, "{agree} of {half}");
            }
        }
    }
}
