//! Speed of the lanes at every level: a contact-row kernel, and reciprocals against a start from a table.

#[path = "../tests/wide/rows.rs"]
mod rows;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isostep_math::wide::{Backend, Kernel, Lanes, Level, LevelName};
use rows::{FLOOR, HALF_UP, SYMMETRIC, Solve, scene};

const BODIES: usize = 1024;
const ROWS: usize = 12_288;

fn main() {
    divan::main();
}

fn solve<const ROUNDING: u8>(bencher: Bencher, name: LevelName) {
    let Ok(level) = Level::new(name) else { return };
    let (mut bodies, mut rows) = scene(BODIES, ROWS);
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| {
        level.dispatch(Solve::<ROUNDING> { rows: black_box(&mut rows), bodies: black_box(&mut bodies) });
    });
}

#[divan::bench(args = LevelName::ALL)]
fn rows_rounding_half_away_from_zero(bencher: Bencher, level: LevelName) {
    solve::<SYMMETRIC>(bencher, level);
}

#[divan::bench(args = LevelName::ALL)]
fn rows_rounding_half_up(bencher: Bencher, level: LevelName) {
    solve::<HALF_UP>(bencher, level);
}

#[divan::bench(args = LevelName::ALL)]
fn rows_rounding_down(bencher: Bencher, level: LevelName) {
    solve::<FLOOR>(bencher, level);
}

const MANTISSAS: usize = 4096;

/// How a [`Reciprocals`] kernel computes.
const RECIP: u8 = 0;
const RSQRT: u8 = 1;
const TABLE: u8 = 2;

struct Reciprocals<'a, const METHOD: u8> {
    mantissas: &'a [i64],
    table: &'a [i32; 256],
    out: &'a mut [i64],
}

impl<const METHOD: u8> Kernel for Reciprocals<'_, METHOD> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        for (m, out) in self.mantissas.chunks_exact(N).zip(self.out.chunks_exact_mut(N)) {
            let m = Lanes::<B, N>::from_array(*m.first_chunk().unwrap());
            let r = match METHOD {
                RECIP => m.recip(),
                RSQRT => m.rsqrt(),
                _ => recip_from_table(m, self.table),
            };
            out.copy_from_slice(&r.to_array());
        }
    }
}

/// The reciprocal with a start from a table of 8 bits, and from there on as accurate as [`Lanes::recip`].
#[inline(always)]
fn recip_from_table<B: Backend<N>, const N: usize>(m: Lanes<B, N>, table: &[i32; 256]) -> Lanes<B, N> {
    let indices = m.shr::<22>().low_bits::<8>().store().map(|index| index as u32);
    let r = Lanes::<B, N>::gather32(table, &indices);
    let e = (Lanes::splat(1 << 60) - m.mul32(r)).shr::<22>();
    let r = r + r.mul32(e).shr::<38>();
    let e = (Lanes::splat(1 << 60) - m.mul32(r)).shr::<14>();
    let r = r + r.mul32(e).shr_round_half_up::<46>();
    let rest = (Lanes::splat(1 << 60) - m.mul32(r)).shl::<1>();
    r - rest.gt(m).to_lanes() + rest.lt(-m).to_lanes()
}

fn reciprocals<const METHOD: u8>(bencher: Bencher, name: LevelName) {
    let Ok(level) = Level::new(name) else { return };
    let mantissas: Vec<i64> = (0..MANTISSAS as i64).map(|i| (1 << 30) + i * 262_133).collect();
    // The reciprocal in the middle of each interval.
    let table: [i32; 256] = std::array::from_fn(|i| ((1_i64 << 61) / (((i as i64) * 2 + 513) << 22)) as i32);
    let mut out = vec![0; MANTISSAS];
    bencher.counter(ItemsCount::new(MANTISSAS)).bench_local(|| {
        level.dispatch(Reciprocals::<METHOD> {
            mantissas: black_box(&mantissas),
            table: black_box(&table),
            out: black_box(&mut out),
        });
    });
    let exact = |(m, r): (&i64, &i64)| *r == ((1 << 60) + m / 2) / m;
    assert!(METHOD == RSQRT || mantissas.iter().zip(&out).all(exact));
}

#[divan::bench(args = LevelName::ALL)]
fn recip(bencher: Bencher, level: LevelName) {
    reciprocals::<RECIP>(bencher, level);
}

#[divan::bench(args = LevelName::ALL)]
fn recip_from_a_table(bencher: Bencher, level: LevelName) {
    reciprocals::<TABLE>(bencher, level);
}

#[divan::bench(args = LevelName::ALL)]
fn rsqrt(bencher: Bencher, level: LevelName) {
    reciprocals::<RSQRT>(bencher, level);
}
