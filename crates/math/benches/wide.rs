//! Speed of the lanes: a contact-row kernel at every level and width.

#[path = "../tests/wide/rows.rs"]
mod rows;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isostep_math::wide::{Level, LevelName};
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
