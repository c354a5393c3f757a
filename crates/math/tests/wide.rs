//! Every operation on lanes gives the bits of plain integers, in every width and at every level.
#![allow(clippy::needless_range_loop, reason = "lanes are addressed by number")]

#[path = "wide/operations.rs"]
mod operations;
#[path = "wide/reciprocals.rs"]
mod reciprocals;
#[path = "wide/rows.rs"]
mod rows;

use isostep_math::wide::{
    Backend, Kernel, Lanes, Level, LevelError, LevelName, Portable, add3, chunk_at, chunk_at_mut, cross3,
    dot3, load3, scale3, shr_round_half_up3, shr_round3, sub3,
};
use rows::{FLOOR, HALF_UP, SYMMETRIC, Solve};

/// The value of the variable that this process was started with must have been honoured.
#[test]
fn the_level_asked_for_by_the_environment_is_the_one_that_runs() {
    let wanted = Level::from_env().expect("ISOSTEP_LANES names a level that this CPU has");
    assert_eq!(Level::current(), wanted.unwrap_or_else(Level::detect));
}

#[test]
fn level_names_are_read_as_they_are_written_and_nothing_else_is() {
    for name in LevelName::ALL {
        assert_eq!(name.to_string().parse(), Ok(name));
    }
    for text in ["", "AVX2", "avx", " avx2", "auto"] {
        assert_eq!(text.parse::<LevelName>(), Err(LevelError::Unknown { value: text.into() }));
        assert_eq!(text.parse::<Level>(), Err(LevelError::Unknown { value: text.into() }));
    }
}

#[test]
fn a_level_exists_exactly_if_it_is_available() {
    let available: Vec<_> = Level::available().map(Level::name).collect();
    assert!(available.is_sorted());
    assert!(available.starts_with(&[LevelName::Scalar]));
    for name in LevelName::ALL {
        match Level::new(name) {
            Ok(level) => assert!(available.contains(&name) && level.name() == name),
            Err(error) => {
                assert!(!available.contains(&name));
                assert_eq!(error, LevelError::Unavailable { level: name });
            }
        }
    }
}

#[test]
fn the_widest_level_is_chosen() {
    assert_eq!(Level::available().max_by_key(|level| level.lanes()), Some(Level::detect()));
}

struct Width;

impl Kernel for Width {
    type Output = usize;
    fn run<B: Backend<N>, const N: usize>(self) -> usize {
        N
    }
}

#[test]
fn a_kernel_runs_in_the_lanes_its_level_promises() {
    for level in Level::available() {
        assert_eq!(level.dispatch(Width), level.lanes(), "{level}");
    }
}

/// FNV-1a over the velocities, little-endian.
fn hash(bodies: &[rows::Body]) -> u64 {
    let words = bodies.iter().flat_map(|body| body[..6].iter().copied());
    words
        .flat_map(i64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn hash_of_rows<const ROUNDING: u8>(solve: impl Fn(Solve<'_, ROUNDING>)) -> u64 {
    let (mut bodies, mut rows) = rows::scene(256, 2048);
    for _ in 0..8 {
        solve(Solve { rows: &mut rows, bodies: &mut bodies });
    }
    hash(&bodies)
}

fn every_way_to_solve_rows_gives<const ROUNDING: u8>(expected: u64) {
    for level in Level::available() {
        assert_eq!(hash_of_rows::<ROUNDING>(|rows| level.dispatch(rows)), expected, "at level {level}");
    }
    assert_eq!(hash_of_rows::<ROUNDING>(|rows| rows.run::<Portable, 1>()), expected, "in 1 lane");
    assert_eq!(hash_of_rows::<ROUNDING>(|rows| rows.run::<Portable, 2>()), expected, "in 2 lanes");
    assert_eq!(hash_of_rows::<ROUNDING>(|rows| rows.run::<Portable, 4>()), expected, "in 4 lanes");
    assert_eq!(hash_of_rows::<ROUNDING>(|rows| rows.run::<Portable, 8>()), expected, "in 8 lanes");
}

#[test]
fn contact_rows_end_in_the_same_state_at_every_level_and_width() {
    every_way_to_solve_rows_gives::<SYMMETRIC>(0x3ef1_90b7_4f23_e7fe);
    every_way_to_solve_rows_gives::<HALF_UP>(0xcb6d_5537_74f2_1eb0);
    every_way_to_solve_rows_gives::<FLOOR>(0x82ab_6074_22c4_246c);
}

#[test]
fn symmetric_rounding_commutes_with_negation() {
    let values = [0, 1, -1, 2, 3, -3, 5, 6, 7, -7, 1 << 40, (1 << 40) + 2, -(1 << 40) - 2];
    for value in values {
        let x = Lanes::<Portable, 1>::splat(value);
        assert_eq!((-x).shr_round::<2>(), -x.shr_round::<2>(), "{value}");
    }
    let halves = Lanes::<Portable, 4>::from_array([2, -2, 6, -6]);
    assert_eq!(halves.shr_round::<2>().to_array(), [1, -1, 2, -2]);
    assert_eq!(halves.shr_round_half_up::<2>().to_array(), [1, 0, 2, -1]);
    assert_eq!(halves.shr::<2>().to_array(), [0, -1, 1, -2]);
}

#[test]
fn products_of_vectors_are_exact_sums_of_exact_products() {
    let lanes = |v: [i64; 3]| v.map(Lanes::<Portable, 4>::splat);
    let (a, b) = ([1 << 30, -(1 << 30), 12_345], [(1 << 30) - 1, 77, -(1 << 29)]);
    let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let dot = wide(a[0], b[0]) + wide(a[1], b[1]) + wide(a[2], b[2]);
    assert_eq!(dot3(lanes(a), lanes(b)).to_array().map(i128::from), [dot; 4]);
    let cross = [
        wide(a[1], b[2]) - wide(a[2], b[1]),
        wide(a[2], b[0]) - wide(a[0], b[2]),
        wide(a[0], b[1]) - wide(a[1], b[0]),
    ];
    for k in 0..3 {
        assert_eq!(cross3(lanes(a), lanes(b))[k].to_array().map(i128::from), [cross[k]; 4]);
    }
}

#[test]
fn vectors_of_lanes_work_by_component() {
    let (a, b) = (load3([&[1, -2], &[3, 4], &[-5, 6]]), load3([&[7, 8], &[9, -9], &[10, 11]]));
    let arrays = |v: [Lanes<Portable, 2>; 3]| v.map(Lanes::to_array);
    assert_eq!(arrays(add3(a, b)), [[8, 6], [12, -5], [5, 17]]);
    assert_eq!(arrays(sub3(a, b)), [[-6, -10], [-6, 13], [-15, -5]]);
    assert_eq!(arrays(scale3(a, b[0])), [[7, -16], [21, 32], [-35, 48]]);
    assert_eq!(arrays(shr_round3::<_, 2, 1>(a)), [[1, -1], [2, 2], [-3, 3]]);
    assert_eq!(arrays(shr_round_half_up3::<_, 2, 1>(a)), [[1, -1], [2, 2], [-2, 3]]);
}

#[test]
fn of_equal_indices_the_last_lane_stays() {
    let mut values = [0_i64; 4];
    let lanes = Lanes::<Portable, 4>::from_array([1, 2, 3, 4]);
    lanes.scatter(&mut values, &[2, 0, 2, 3]);
    assert_eq!(values, [2, 0, 3, 4]);
    let small = lanes.lt(Lanes::splat(3));
    (-lanes).scatter_where(small, &mut values, &[2, 0, 2, 3]);
    assert_eq!(values, [-2, 0, -1, 4]);
}

#[test]
fn chunks_of_columns_are_read_and_changed_where_they_are() {
    let mut column = [0, 1, 2, 3, 4];
    assert_eq!(chunk_at(&column, 3), &[3, 4]);
    *chunk_at_mut(&mut column, 1) = [7, 8];
    assert_eq!(column, [0, 7, 8, 3, 4]);
    assert_eq!(*chunk_at::<_, 0>(&column, 5), [0; 0]);
}

#[test]
fn records_gathered_into_columns_are_scattered_back_unchanged() {
    let records: Vec<[i64; 6]> = (0..9).map(|i| [0, 1, 2, 3, 4, 5].map(|k| 10 * i + k)).collect();
    let indices = [7, 1, 8, 0];
    let columns = Lanes::<Portable, 4>::gather_records(&records, &indices);
    assert_eq!(columns[4].to_array(), [74, 14, 84, 4]);
    let mut copies = vec![[0; 6]; 9];
    Lanes::scatter_records(&columns, &mut copies, &indices);
    for i in 0..9 {
        let expected = if indices.contains(&(i as u32)) { records[i] } else { [0; 6] };
        assert_eq!(copies[i], expected);
    }
}
