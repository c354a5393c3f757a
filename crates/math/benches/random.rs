//! Speed of the random streams.

use divan::{Bencher, black_box};
use isostep_math::Fx;
use isostep_math::random::Rng;

fn main() {
    divan::main();
}

fn draw<T>(bencher: Bencher, mut draw: impl FnMut(&mut Rng) -> T) {
    let mut rng = Rng::new(1, 1);
    bencher.bench_local(|| draw(black_box(&mut rng)));
}

#[divan::bench]
fn next_u32(bencher: Bencher) {
    draw(bencher, Rng::next_u32);
}

#[divan::bench]
fn next_u64(bencher: Bencher) {
    draw(bencher, Rng::next_u64);
}

#[divan::bench]
fn below_six(bencher: Bencher) {
    draw(bencher, |rng| rng.below(black_box(6)));
}

#[divan::bench]
fn fx_range(bencher: Bencher) {
    draw(bencher, |rng| rng.fx_range(black_box(Fx::ZERO), black_box(Fx::ONE)));
}

#[divan::bench]
fn split(bencher: Bencher) {
    draw(bencher, Rng::split);
}

#[divan::bench]
fn advance_by_any_distance(bencher: Bencher) {
    draw(bencher, |rng| rng.advance(black_box(0x9e37_79b9_7f4a_7c15)));
}

#[divan::bench]
fn shuffle_of_52(bencher: Bencher) {
    let mut cards = [0_u8; 52];
    draw(bencher, |rng| rng.shuffle(black_box(&mut cards)));
}
