//! Which balls touch? The first test of every collision course, without a square root.
//!
//! Two balls touch if the distance of their centres is at most the sum of their radii. The distance is a root,
//! but both sides are at least zero, so their squares compare the same way:
//!
//! |b − a|² ≤ (r_a + r_b)².
//!
//! A number of 64 bits has a square of 128. There it is exact, so "a hair's breadth apart", "touching" and "a
//! hair's breadth deep" are three cases, two million kilometres from the origin as well, where the numbers of
//! an `f32` are 128 m apart.
//!
//! Run it with `cargo run -p isostep-collision --example sphere_pairs`.

use isostep_collision::Sphere;
use isostep_math::{Fx, Vec3, fx, vec3};

/// Whether the two balls share a point: touching counts. Exact.
#[must_use]
pub fn touch(a: &Sphere, b: &Sphere) -> bool {
    let squared_distance: i128 = a
        .center()
        .to_array()
        .into_iter()
        .zip(b.center().to_array())
        .map(|(a, b)| squared(i128::from(b.to_bits()) - i128::from(a.to_bits())))
        .sum();
    let reach = i128::from(a.radius().to_bits()) + i128::from(b.radius().to_bits());
    squared_distance <= squared(reach)
}

/// The square; differences beyond 2⁶² units count as that, which is farther than any two balls reach.
fn squared(units: i128) -> i128 {
    let held = units.clamp(-(1 << 62), 1 << 62);
    held * held
}

/// All pairs of balls that touch, by their indices, in order.
#[must_use]
pub fn touching_pairs(balls: &[Sphere]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (i, a) in balls.iter().enumerate() {
        for (j, b) in balls.iter().enumerate().skip(i + 1) {
            if touch(a, b) {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

/// What the program finds out.
#[derive(Debug)]
pub struct Answers {
    /// Some balls around the origin.
    pub balls: Vec<Sphere>,
    /// Which of them touch.
    pub pairs: Vec<(usize, usize)>,
    /// Balls of radius 1 and 4 with a gap of 1, 0 and −1 units of 2⁻³² m, 2 000 000 km from the origin.
    pub far_away: [bool; 3],
}

/// Tests a handful of balls with each other, then two at the end of the world.
#[must_use]
pub fn run() -> Answers {
    let ball = |x, y, z, radius| Sphere::new(vec3(x, y, z), radius).expect("a radius above 0");
    let balls = vec![
        ball(fx!(0), fx!(0), fx!(0), fx!(1)),
        // 3, 4, 5: exactly five away, exactly touching.
        ball(fx!(3), fx!(4), fx!(0), fx!(4)),
        ball(fx!(3), fx!(4), fx!(6), fx!(1.5)),
        ball(fx!(-1.2), fx!(0), fx!(0), fx!(0.5)),
    ];
    let pairs = touching_pairs(&balls);

    let far = vec3(fx!(2000000000), fx!(2000000000), fx!(-2000000000));
    let one = Sphere::new(far, fx!(1)).expect("a radius above 0");
    let far_away = [Fx::EPSILON, Fx::ZERO, -Fx::EPSILON].map(|gap| {
        let center = far + Vec3::X * (fx!(5) + gap);
        touch(&one, &Sphere::new(center, fx!(4)).expect("a radius above 0"))
    });
    Answers { balls, pairs, far_away }
}

fn main() {
    let answers = run();
    for (i, ball) in answers.balls.iter().enumerate() {
        println!("ball {i}: centre {}, radius {}", ball.center(), ball.radius());
    }
    for (i, j) in &answers.pairs {
        println!("{i} and {j} touch");
    }
    for (gap, touching) in ["a unit apart", "touching", "a unit deep"].into_iter().zip(answers.far_away) {
        println!("two million kilometres away, {gap}: {touching}");
    }
}
