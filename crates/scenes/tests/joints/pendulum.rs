//! The scene `pendulum`: a ball on an arm of 2 m that is let go at half a radian, and two rods of 1 m on each other that
//! are let go lying.

use super::{build, moving, ticks};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::{BodyHandle, World};

const GRAVITY: Fx = fx!(9.81);

fn bodies(world: &World) -> Vec<BodyHandle> {
    moving(world).map(|body| body.handle()).collect()
}

/// Kinetic and potential energy per mass, for a moment of inertia per mass.
fn energy(world: &World, body: BodyHandle, inertia: Fx) -> Fx {
    let body = world.body(body).unwrap();
    let moving = body.linear_velocity().length_squared() + inertia * body.angular_velocity().length_squared();
    moving * Fx::HALF + GRAVITY * body.position().y
}

#[test]
fn a_pendulum_of_two_metres_has_its_period_and_its_energy_for_a_minute() {
    let mut world = build("pendulum", 2);
    let bob = bodies(&world)[0];
    let pivot = world.joints().next().unwrap().anchors()[0];
    // A ball of 0.1 m: 2/5 r², and about the pivot L² more.
    let (arm, own) = (fx!(2), fx!(0.004));
    let length = arm + own / arm;
    // 2π √(L / g) (1 + θ²/16 + 11 θ⁴/3072 + 173 θ⁶/737280) at half a radian.
    let expected = Fx::TAU * (length / GRAVITY).sqrt() * fx!(1.0158525);
    let start = energy(&world, bob, own) - GRAVITY * (pivot.y - arm);
    let (mut crossings, mut last, mut drift) = (Vec::new(), Fx::ONE, Fx::ZERO);
    let seconds = ticks(60, 15);
    for tick in 0..60 * seconds {
        world.step();
        let x = world.body(bob).unwrap().position().x - pivot.x;
        if last < Fx::ZERO && x >= Fx::ZERO {
            // Between the two ticks.
            crossings.push(Fx::from_int(tick as i32) + last / (last - x));
        }
        last = x;
        drift = drift.max((energy(&world, bob, own) - GRAVITY * (pivot.y - arm) - start).abs());
    }
    let swings = Fx::from_int(crossings.len() as i32 - 1);
    let period = (*crossings.last().unwrap() - crossings[0]) / swings / fx!(60);
    println!("{period} s instead of {expected} s over {seconds} s, energy off by {}", drift / start);
    assert!(period.abs_diff_eq(expected, expected * fx!(0.005)), "{period} s instead of {expected} s");
    assert!(drift < start * fx!(0.02), "the energy was {drift} of {start} off");
}

/// The angles of both rods from where they hang, and how fast they change.
#[derive(Clone, Copy)]
struct Rods {
    angles: [Fx; 2],
    rates: [Fx; 2],
}

impl Rods {
    /// With a = θ₁, b = θ₂, δ = a − b, rods of length 1 and the moment of inertia i per mass about their middles,
    ///
    /// (5/4 + i) a″ + ½ cos δ b″ + ½ sin δ b′² + 3/2 g sin a = 0
    /// ½ cos δ a″ + (1/4 + i) b″ − ½ sin δ a′² + 1/2 g sin b = 0.
    fn accelerations(&self) -> [Fx; 2] {
        // (1² + 0.06²) / 12.
        let inertia = fx!(0.0836333333);
        let [(sin_a, _), (sin_b, _)] = self.angles.map(Fx::sin_cos);
        let (sin, cos) = (self.angles[0] - self.angles[1]).sin_cos();
        let [first, second] = [fx!(1.25) + inertia, fx!(0.25) + inertia];
        let both = cos * Fx::HALF;
        let [a, b] = self.rates;
        let right = [
            -(sin * b * b * Fx::HALF) - GRAVITY * sin_a * fx!(1.5),
            sin * a * a * Fx::HALF - GRAVITY * sin_b * Fx::HALF,
        ];
        let determinant = first * second - both * both;
        [
            (right[0] * second - right[1] * both) / determinant,
            (right[1] * first - right[0] * both) / determinant,
        ]
    }

    fn moved(&self, by: &Slope, time: Fx) -> Self {
        Self {
            angles: [0, 1].map(|k| self.angles[k] + by.rates[k] * time),
            rates: [0, 1].map(|k| self.rates[k] + by.accelerations[k] * time),
        }
    }

    fn slope(&self) -> Slope {
        Slope { rates: self.rates, accelerations: self.accelerations() }
    }

    /// A tick, in steps of 1/1920 s by the classical method of Runge and Kutta.
    fn tick(&mut self) {
        let step = Fx::from_ratio(1, 1920);
        for _ in 0..32 {
            let first = self.slope();
            let second = self.moved(&first, step * Fx::HALF).slope();
            let third = self.moved(&second, step * Fx::HALF).slope();
            let fourth = self.moved(&third, step).slope();
            for (slope, weight) in [(first, 1), (second, 2), (third, 2), (fourth, 1)] {
                *self = self.moved(&slope, step * Fx::from_ratio(weight, 6));
            }
        }
    }

    /// The lower ends of both rods under the pivot.
    fn ends(&self) -> [Vec3; 2] {
        let [a, b] = self.angles.map(|angle| Vec3::new(angle.sin(), -angle.cos(), Fx::ZERO));
        [a, a + b]
    }
}

struct Slope {
    rates: [Fx; 2],
    accelerations: [Fx; 2],
}

#[test]
fn a_double_pendulum_follows_its_equations_as_long_as_chaos_allows_for() {
    let mut world = build("pendulum", 2);
    let rods = &bodies(&world)[1..];
    let pivot = world.joints().nth(1).unwrap().anchors()[0];
    let mut reference = Rods { angles: [Fx::FRAC_PI_2; 2], rates: [Fx::ZERO; 2] };
    let mut worst = [Fx::ZERO; 3];
    for tick in 0..180 {
        world.step();
        reference.tick();
        for (&rod, end) in rods.iter().zip(reference.ends()) {
            let found = world.body(rod).unwrap().pose().transform_point(Vec3::NEG_Y * Fx::HALF) - pivot;
            worst[tick / 60] = worst[tick / 60].max(found.distance(end));
        }
    }
    println!("off by {worst:?} m in the first three seconds");
    assert!(worst.iter().all(|&off| off < fx!(0.03)), "{worst:?}");
}

#[test]
fn a_double_pendulum_gains_no_energy_and_loses_little() {
    let mut world = build("pendulum", 2);
    let rods = bodies(&world)[1..].to_vec();
    let all = |world: &World| {
        rods.iter().map(|&rod| energy(world, rod, fx!(0.0836333333))).fold(Fx::ZERO, |a, b| a + b)
    };
    let start = all(&world);
    // From lying to hanging: 9.81 (1/2 + 3/2) m²/s².
    let whole = GRAVITY * fx!(2);
    let seconds = ticks(30, 5);
    for _ in 0..60 * seconds {
        world.step();
        let gained = all(&world) - start;
        assert!(gained < whole * fx!(0.01), "gained {gained} of {whole}");
    }
    let lost = (start - all(&world)) / whole;
    println!("lost {lost} of what falls in {seconds} s");
    assert!(lost < fx!(0.01), "{lost}");
}
