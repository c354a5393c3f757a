//! Two turning squares in a frame: contacts by `planar`, the response written here, the same bits everywhere.
//!
//! Two squares of 64 units bounce off each other and off a frame of 480 × 320, for a minute at 60 steps a second.
//! Each step moves the squares, asks for the manifolds of all pairs that touch, gives the touching points impulses
//! that turn the approaching speed around, and moves apart what has sunk in.
//!
//! ```sh
//! cargo run --example two_squares                       # a summary and the final state's hash
//! cargo run --example two_squares -- --svg squares.svg  # twelve frames as a picture
//! ```

use isostep_collision::planar::{Aabb2, Manifold2, Obb2, Rotation2, manifold, penetration};
use isostep_math::{Fx, Vec2, fx, vec2};
use std::fmt::Write as _;

/// The frame, in units.
pub const WIDTH: i32 = 480;
/// The frame, in units.
pub const HEIGHT: i32 = 320;
/// Half a side of a square.
pub const HALF: Fx = Fx::from_int(32);
/// Steps a second.
pub const STEPS_PER_SECOND: i64 = 60;
/// Steps of a minute.
pub const STEPS: usize = 60 * 60;
/// Of the approaching speed, what leaves: a little less than all, so that rounding adds no energy.
pub const RESTITUTION: Fx = fx!(0.999);
/// Passes over all contacts per step, so that two contacts at once settle.
const PASSES: usize = 8;
/// How far walls reach outward.
const WALL: Fx = fx!(64);

/// A square of mass 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// Where its centre is.
    pub center: Vec2,
    /// How it is turned.
    pub rotation: Rotation2,
    /// Units per second.
    pub velocity: Vec2,
    /// Radians per second.
    pub spin: Fx,
}

impl Square {
    /// Its box.
    pub fn shape(&self) -> Obb2 {
        Obb2::new(self.center, Vec2::splat(HALF), self.rotation).expect("the half extents are in range")
    }

    /// The velocity of its point at `arm` from its centre.
    fn velocity_at(&self, arm: Vec2) -> Vec2 {
        self.velocity + arm.perp() * self.spin
    }

    /// Linear and angular momentum changed by an impulse on a mass of 1.
    fn push(&mut self, arm: Vec2, impulse: Vec2) {
        self.velocity += impulse;
        self.spin += arm.perp_dot(impulse) / gyration_squared();
    }
}

/// The second moment of a square per unit of mass, (w² + h²) / 12.
fn gyration_squared() -> Fx {
    HALF * HALF * fx!(2) / fx!(3)
}

/// All of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// The two squares.
    pub squares: [Square; 2],
    /// Impulses so far.
    pub bounces: u32,
}

impl World {
    /// The squares on their way to each other.
    pub fn new() -> Self {
        let square = |x, y, vx, vy, angle, spin| Square {
            center: vec2(x, y),
            rotation: Rotation2::from_angle(angle),
            velocity: vec2(vx, vy),
            spin,
        };
        Self {
            squares: [
                square(fx!(100), fx!(100), fx!(140), fx!(60), fx!(0.2), fx!(1)),
                square(fx!(360), fx!(220), fx!(-110), fx!(-90), fx!(1.1), fx!(-1.5)),
            ],
            bounces: 0,
        }
    }

    /// The four walls around the frame.
    pub fn walls() -> [Aabb2; 4] {
        let (width, height) = (Fx::from_int(WIDTH), Fx::from_int(HEIGHT));
        let wall = |min, max| Aabb2::new(min, max).expect("the corners are in order");
        [
            wall(vec2(-WALL, -WALL), vec2(fx!(0), height + WALL)),
            wall(vec2(width, -WALL), vec2(width + WALL, height + WALL)),
            wall(vec2(-WALL, -WALL), vec2(width + WALL, fx!(0))),
            wall(vec2(-WALL, height), vec2(width + WALL, height + WALL)),
        ]
    }

    /// Kinetic energy for masses of 1, in units² per second².
    pub fn energy(&self) -> Fx {
        let of = |s: &Square| (s.velocity.length_squared() + gyration_squared() * s.spin * s.spin) / fx!(2);
        of(&self.squares[0]) + of(&self.squares[1])
    }

    /// A 60th of a second.
    pub fn step(&mut self) {
        let dt = Fx::from_ratio(1, STEPS_PER_SECOND);
        for square in &mut self.squares {
            square.center += square.velocity * dt;
            square.rotation = Rotation2::from_angle(square.spin * dt).mul(&square.rotation);
        }
        for _ in 0..PASSES {
            self.bounce();
        }
        for _ in 0..PASSES {
            self.part();
        }
    }

    /// Turns around the speed of what approaches.
    fn bounce(&mut self) {
        if let Some(contact) = manifold(&self.squares[0].shape(), &self.squares[1].shape(), fx!(0)) {
            self.bounces += u32::from(self.bounce_squares(&contact));
        }
        for wall in Self::walls() {
            for square in &mut self.squares {
                if let Some(contact) = manifold(&wall, &square.shape(), fx!(0)) {
                    self.bounces += u32::from(bounce_off_wall(square, &contact));
                }
            }
        }
    }

    /// With n from the first to the second, r the arms and k² the gyration: the impulse that turns the speed v · n
    /// of the second relative to the first around is
    /// −(1 + e) v · n / (2 + ((r₁ × n)² + (r₂ × n)²) / k²).
    fn bounce_squares(&mut self, contact: &Manifold2) -> bool {
        let [first, second] = &mut self.squares;
        let n = contact.normal();
        let middle = contact_middle(contact);
        let (r1, r2) = (middle - first.center, middle - second.center);
        let speed = (second.velocity_at(r2) - first.velocity_at(r1)).dot(n);
        if !speed.is_negative() {
            return false;
        }
        let turning = (r1.perp_dot(n).squared() + r2.perp_dot(n).squared()) / gyration_squared();
        let impulse = n * (-(Fx::ONE + RESTITUTION) * speed / (fx!(2) + turning));
        first.push(r1, -impulse);
        second.push(r2, impulse);
        true
    }

    /// Moves apart what has sunk in.
    fn part(&mut self) {
        if let Some(found) = penetration(&self.squares[0].shape(), &self.squares[1].shape()) {
            self.squares[0].center += found.translation_of_a() * Fx::HALF;
            self.squares[1].center += found.translation_of_b() * Fx::HALF;
        }
        for wall in Self::walls() {
            for square in &mut self.squares {
                if let Some(found) = penetration(&wall, &square.shape()) {
                    square.center += found.translation_of_b();
                }
            }
        }
    }

    /// FNV-1a over the raw bits of the state, little-endian.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for square in &self.squares {
            let (center, velocity, rotation) = (square.center, square.velocity, square.rotation);
            for word in
                [center.x, center.y, rotation.cos(), rotation.sin(), velocity.x, velocity.y, square.spin]
            {
                for byte in word.to_bits().to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
                }
            }
        }
        hash
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// As between squares, with a wall that does not move: −(1 + e) v · n / (1 + (r × n)² / k²).
fn bounce_off_wall(square: &mut Square, contact: &Manifold2) -> bool {
    let n = contact.normal();
    let arm = contact_middle(contact) - square.center;
    let speed = square.velocity_at(arm).dot(n);
    if !speed.is_negative() {
        return false;
    }
    let turning = arm.perp_dot(n).squared() / gyration_squared();
    square.push(arm, n * (-(Fx::ONE + RESTITUTION) * speed / (Fx::ONE + turning)));
    true
}

/// The deepest point, amid both surfaces; the middle of two that are as deep.
fn contact_middle(contact: &Manifold2) -> Vec2 {
    let amid = |i: usize| contact.points()[i].point_a.midpoint(contact.points()[i].point_b);
    match contact.points() {
        [first, second] if first.separation == second.separation => amid(0).midpoint(amid(1)),
        [first, second] if second.separation < first.separation => amid(1),
        _ => amid(0),
    }
}

/// Frames side by side, four to a row.
pub fn svg(frames: &[World]) -> String {
    const GAP: i32 = 20;
    let rows = frames.len().div_ceil(4) as i32;
    let (width, height) = (4 * (WIDTH + GAP) + GAP, rows * (HEIGHT + GAP) + GAP);
    let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n");
    let _ = writeln!(text, "<rect width=\"{width}\" height=\"{height}\" fill=\"#f4f1ea\"/>");
    for (i, world) in frames.iter().enumerate() {
        let (x, y) = (GAP + (i as i32 % 4) * (WIDTH + GAP), GAP + (i as i32 / 4) * (HEIGHT + GAP));
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">");
        let _ = writeln!(
            text,
            "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\" stroke=\"#333\" stroke-width=\"2\"/>"
        );
        for (square, fill) in world.squares.iter().zip(["#d1495b", "#00798c"]) {
            let corners: Vec<String> =
                square.shape().corners().iter().map(|c| format!("{},{}", c.x, c.y)).collect();
            let _ = writeln!(text, "<polygon points=\"{}\" fill=\"{fill}\"/>", corners.join(" "));
        }
        text += "</g>\n";
    }
    text + "</svg>\n"
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let mut frames = Vec::new();
    let before = world.energy();
    for step in 0..STEPS {
        if step % (STEPS / 12) == 0 {
            frames.push(world.clone());
        }
        world.step();
    }
    println!("{STEPS} steps, {} bounces, energy {before:.1} -> {:.1}", world.bounces, world.energy());
    for square in &world.squares {
        println!(
            "a square at {:.3} with velocity {:.3}, spin {:.3}",
            square.center, square.velocity, square.spin
        );
    }
    println!("state {:016x}", world.hash());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(()),
        ["--svg", path] => Ok(std::fs::write(path, svg(&frames))?),
        _ => Err("usage: two_squares [--svg FILE]".into()),
    }
}
