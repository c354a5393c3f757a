//! One contact row per lane: Jacobian dot, clamp, update, with gather and scatter of the bodies. The shape
//! of the solver's inner loop, small enough for a test and a benchmark.

use isostep_math::wide::{Backend, Kernel, Lanes, chunk_at, chunk_at_mut, dot3};

/// Linear velocity (0 to 2), angular velocity (3 to 5), padding; Q32.32.
pub(crate) type Body = [i64; 8];

/// The rows of a block: the widest backend solves them at once, a narrower one in parts.
pub(crate) const BLOCK: usize = 8;

type Column = [i32; BLOCK];

/// Rows over disjoint pairs of bodies. Directions, arms and factors Q2.30, bias and impulse Q11.21.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Rows {
    a: [u32; BLOCK],
    b: [u32; BLOCK],
    n: [Column; 3],
    arm_a: [Column; 3],
    arm_b: [Column; 3],
    linear_a: Column,
    linear_b: Column,
    angular_a: [Column; 3],
    angular_b: [Column; 3],
    bias: Column,
    softness: Column,
    impulse: Column,
}

/// How a [`Solve`] rounds: by [`Lanes::shr`], [`Lanes::shr_round_half_up`] or [`Lanes::shr_round`].
pub(crate) const FLOOR: u8 = 0;
pub(crate) const HALF_UP: u8 = 1;
pub(crate) const SYMMETRIC: u8 = 2;

/// Solves every row once, in order.
pub(crate) struct Solve<'a, const ROUNDING: u8> {
    pub(crate) rows: &'a mut [Rows],
    pub(crate) bodies: &'a mut [Body],
}

impl<const ROUNDING: u8> Kernel for Solve<'_, ROUNDING> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        for rows in self.rows.iter_mut() {
            for part in 0..BLOCK / N {
                solve::<B, N, ROUNDING>(rows, part * N, self.bodies);
            }
        }
    }
}

#[inline(always)]
fn load<B: Backend<N>, const N: usize>(column: &Column, at: usize) -> Lanes<B, N> {
    Lanes::load(chunk_at(column, at))
}

#[inline(always)]
fn load3<B: Backend<N>, const N: usize>(columns: &[Column; 3], at: usize) -> [Lanes<B, N>; 3] {
    [load(&columns[0], at), load(&columns[1], at), load(&columns[2], at)]
}

#[inline(always)]
fn shr<B: Backend<N>, const N: usize, const S: u32, const ROUNDING: u8>(x: Lanes<B, N>) -> Lanes<B, N> {
    match ROUNDING {
        FLOOR => x.shr::<S>(),
        HALF_UP => x.shr_round_half_up::<S>(),
        _ => x.shr_round::<S>(),
    }
}

#[inline(always)]
fn shr3<B: Backend<N>, const N: usize, const S: u32, const ROUNDING: u8>(
    v: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    [shr::<B, N, S, ROUNDING>(v[0]), shr::<B, N, S, ROUNDING>(v[1]), shr::<B, N, S, ROUNDING>(v[2])]
}

#[inline(always)]
fn solve<B: Backend<N>, const N: usize, const ROUNDING: u8>(rows: &mut Rows, at: usize, bodies: &mut [Body]) {
    let (a, b) = (chunk_at(&rows.a, at), chunk_at(&rows.b, at));
    let [vax, vay, vaz, wax, way, waz, pad_a, _] = Lanes::<B, N>::gather_records(bodies, a);
    let [vbx, vby, vbz, wbx, wby, wbz, pad_b, _] = Lanes::<B, N>::gather_records(bodies, b);
    let (mut va, mut wa, mut vb, mut wb) =
        ([vax, vay, vaz], [wax, way, waz], [vbx, vby, vbz], [wbx, wby, wbz]);

    let n = load3(&rows.n, at);
    let dv = shr3::<B, N, 11, ROUNDING>([vb[0] - va[0], vb[1] - va[1], vb[2] - va[2]]);
    let speed = dot3(n, dv) + dot3(load3(&rows.arm_b, at), shr3::<B, N, 11, ROUNDING>(wb))
        - dot3(load3(&rows.arm_a, at), shr3::<B, N, 11, ROUNDING>(wa));
    let speed = shr::<B, N, 30, ROUNDING>(speed) + load(&rows.bias, at);
    let change = shr::<B, N, 30, ROUNDING>(speed.mul32(load(&rows.softness, at)));
    let old = load(&rows.impulse, at);
    let new = (old - change).max(Lanes::zero());
    *chunk_at_mut(&mut rows.impulse, at) = new.store();
    let d = new - old;
    let da = shr::<B, N, 30, ROUNDING>(d.mul32(load(&rows.linear_a, at)));
    let db = shr::<B, N, 30, ROUNDING>(d.mul32(load(&rows.linear_b, at)));
    let (angular_a, angular_b) = (load3(&rows.angular_a, at), load3(&rows.angular_b, at));
    for k in 0..3 {
        va[k] -= shr::<B, N, 19, ROUNDING>(n[k].mul32(da));
        vb[k] += shr::<B, N, 19, ROUNDING>(n[k].mul32(db));
        wa[k] -= shr::<B, N, 19, ROUNDING>(angular_a[k].mul32(d));
        wb[k] += shr::<B, N, 19, ROUNDING>(angular_b[k].mul32(d));
    }
    let a_columns = [va[0], va[1], va[2], wa[0], wa[1], wa[2], pad_a, pad_a];
    let b_columns = [vb[0], vb[1], vb[2], wb[0], wb[1], wb[2], pad_b, pad_b];
    Lanes::scatter_records(&a_columns, bodies, a);
    Lanes::scatter_records(&b_columns, bodies, b);
}

/// xorshift64: enough for inputs that need no quality.
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A value in ±`bound`.
    fn within(&mut self, bound: i64) -> i64 {
        (self.next() >> 1) as i64 % (bound + 1) * if self.next() & 1 == 0 { 1 } else { -1 }
    }
}

/// Bodies and rows over them; every eight consecutive rows touch sixteen different bodies.
pub(crate) fn scene(bodies: usize, rows: usize) -> (Vec<Body>, Vec<Rows>) {
    const Q30: i64 = 1 << 30;
    let mut bits = Bits(88_172_645_463_325_252);
    let mut pairs = Vec::new();
    while pairs.len() < rows {
        let mut used = Vec::new();
        while used.len() < 16 {
            let body = (bits.next() % bodies as u64) as u32;
            if !used.contains(&body) {
                used.push(body);
            }
        }
        pairs.extend(used.chunks(2).map(|pair| (pair[0], pair[1])));
    }
    pairs.truncate(rows);
    let mut blocks = Vec::new();
    for chunk in pairs.chunks_exact(BLOCK) {
        let mut block = Rows {
            a: [0; BLOCK],
            b: [0; BLOCK],
            n: [[0; BLOCK]; 3],
            arm_a: [[0; BLOCK]; 3],
            arm_b: [[0; BLOCK]; 3],
            linear_a: [1 << 28; BLOCK],
            linear_b: [1 << 28; BLOCK],
            angular_a: [[0; BLOCK]; 3],
            angular_b: [[0; BLOCK]; 3],
            bias: [488; BLOCK],
            softness: [(Q30 / 10 * 9) as i32; BLOCK],
            impulse: [0; BLOCK],
        };
        for (i, &(a, b)) in chunk.iter().enumerate() {
            (block.a[i], block.b[i]) = (a, b);
            for k in 0..3 {
                block.n[k][i] = bits.within(Q30 / 100 * 57) as i32;
                block.arm_a[k][i] = bits.within(Q30 / 10 * 4) as i32;
                block.arm_b[k][i] = bits.within(Q30 / 10 * 4) as i32;
                block.angular_a[k][i] = bits.within(Q30 / 10 * 8) as i32;
                block.angular_b[k][i] = bits.within(Q30 / 10 * 8) as i32;
            }
        }
        blocks.push(block);
    }
    let bodies = (0..bodies)
        .map(|_| {
            let mut body = [0; 8];
            body[..6].fill_with(|| bits.within(1 << 32));
            body
        })
        .collect();
    (bodies, blocks)
}
