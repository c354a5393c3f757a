//! Tangles: heaps of bodies of any shape, joined at random and thrown about. No game has one, and whatever a solver does with them,
//! every machine has to do the same.

use crate::stage::{ball, capsule, cuboid};
use isostep_collision::{HalfSpace, Shape};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    AxisLocks, BallMotor, BodyDef, BodyHandle, BodyKind, ColliderDef, JointDef, JointKind, Limits, Material,
    Motor, Pull, Spring, World, WorldConfig,
};

/// The stream of random numbers that tangles are drawn from.
const STREAM: u64 = 23;

/// How many bodies there are.
const BODIES: u32 = 24;

/// How many joints are tried for each body.
const JOINTS: u32 = 2;

/// A world and whatever befalls it, of which a seed says all.
#[derive(Debug)]
pub struct Tangle {
    /// With a ground, and whatever lies on it.
    pub world: World,
    bodies: Vec<BodyHandle>,
    rng: Rng,
}

impl Tangle {
    /// A tangle before its first tick.
    ///
    /// # Panics
    /// Where a world has no place for so many bodies.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut world = World::new(WorldConfig::default()).expect("the configuration is valid");
        let mut rng = Rng::new(seed, STREAM);
        let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).expect("there is room");
        world.add_collider(ground, ColliderDef::new(HalfSpace::ground(Fx::ZERO))).expect("it is in range");
        let mut bodies = vec![ground];
        for _ in 0..BODIES {
            let body = world.add_body(body(&mut rng)).expect("there is room");
            for _ in 0..1 + rng.below(2) {
                world.add_collider(body, collider(&mut rng)).expect("it is in range");
            }
            bodies.push(body);
        }
        for _ in 0..BODIES * JOINTS {
            let ends = [(); 2].map(|()| (any(&mut rng, &bodies), frame(&mut rng)));
            // Some are of a body with itself, or of two that nothing moves.
            let _ = world.add_joint(joint(&mut rng, ends));
        }
        Self { world, bodies, rng }
    }

    /// Throws some of it about, and steps.
    pub fn tick(&mut self) {
        let Self { world, bodies, rng } = self;
        for _ in 0..rng.below(4) {
            let body = any(rng, bodies);
            // What is not dynamic is not thrown.
            let _ = match rng.below(3) {
                0 => world.apply_impulse(body, vector(rng, fx!(500))),
                1 => world.apply_angular_impulse(body, vector(rng, fx!(50))),
                _ => world.set_velocity(body, speed(rng), vector(rng, fx!(5))),
            };
        }
        world.step();
    }
}

fn any(rng: &mut Rng, bodies: &[BodyHandle]) -> BodyHandle {
    bodies[rng.below(bodies.len() as u32) as usize]
}

fn vector(rng: &mut Rng, most: Fx) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| rng.fx_range(-most, most)))
}

/// One in ten is fast.
fn speed(rng: &mut Rng) -> Vec3 {
    let most = if rng.chance(1, 10) { fx!(300) } else { fx!(3) };
    vector(rng, most)
}

fn frame(rng: &mut Rng) -> Pose {
    Pose::new(rotation(rng), vector(rng, fx!(0.7)))
}

fn rotation(rng: &mut Rng) -> Quat {
    if rng.chance(2, 5) { Quat::IDENTITY } else { rng.unit_quat() }
}

fn maybe<T>(rng: &mut Rng, value: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    rng.bool().then(|| value(rng))
}

fn body(rng: &mut Rng) -> BodyDef {
    let place = vector(rng, fx!(1.3)) + Vec3::Y * fx!(1.3);
    let def = if rng.chance(1, 8) { BodyDef::kinematic(place) } else { BodyDef::dynamic(place) };
    let def = def.rotated(rotation(rng)).moving(speed(rng)).turning(vector(rng, fx!(5)));
    let locks = [AxisLocks::ROTATION, AxisLocks::PLANE_XY, AxisLocks::ROTATION_X];
    let locks = locks.get(rng.below(16) as usize).copied().unwrap_or_default();
    let is_dynamic = def.kind == BodyKind::Dynamic;
    let mass = (is_dynamic && rng.chance(1, 4)).then(|| rng.fx_range(fx!(0.001), fx!(100)));
    BodyDef { locks, mass, ..def }
}

fn collider(rng: &mut Rng) -> ColliderDef {
    let mut size = |least: Fx| rng.fx_range(least, fx!(0.7));
    let (s, t, u) = (size(fx!(0.05)), size(fx!(0.05)), size(fx!(0.05)));
    let shape: Shape = match rng.below(3) {
        0 => ball(s).into(),
        1 => {
            // Some are plates.
            let scale = if rng.chance(1, 6) { vec3(fx!(5), fx!(0.2), fx!(5)) } else { Vec3::ONE };
            cuboid(vec3(s, t, u) * scale).into()
        }
        _ => capsule(s, t.min(fx!(0.4))).into(),
    };
    let part = |rng: &mut Rng| rng.fx_range(Fx::ZERO, Fx::ONE);
    let material = Material {
        friction: part(rng),
        restitution: part(rng),
        rolling_resistance: if rng.bool() { Fx::ZERO } else { part(rng) * fx!(0.1) },
        ..Material::default()
    };
    let pose =
        if rng.chance(1, 3) { Pose::new(rotation(rng), vector(rng, fx!(0.5))) } else { Pose::IDENTITY };
    ColliderDef::new(shape).at(pose).with_material(material)
}

fn spring(rng: &mut Rng) -> Spring {
    Spring { frequency: rng.fx_range(fx!(0.1), fx!(30)), damping_ratio: rng.fx_range(Fx::ZERO, fx!(2)) }
}

fn limits(rng: &mut Rng, least: Fx, most: Fx) -> Limits {
    let (a, b) = (rng.fx_range(least, most), rng.fx_range(least, most));
    Limits { lower: a.min(b), upper: a.max(b) }
}

fn motor(rng: &mut Rng, least: Fx, most: Fx) -> Motor {
    Motor {
        position: rng.fx_range(least, most),
        velocity: rng.fx_range(fx!(-3), fx!(3)),
        spring: maybe(rng, spring),
        max_force: rng.fx_range(Fx::ZERO, fx!(3000)),
    }
}

fn pull(rng: &mut Rng) -> Pull {
    Pull { spring: spring(rng), max_force: rng.fx_range(Fx::ZERO, fx!(1000)) }
}

fn joint(rng: &mut Rng, [a, b]: [(BodyHandle, Pose); 2]) -> JointDef {
    let (turn, way) = (fx!(3), fx!(2));
    let kind = match rng.below(7) {
        0 => JointKind::Fixed,
        1 => JointKind::Ball {
            swing_limit: maybe(rng, |rng| rng.fx_range(Fx::ZERO, turn)),
            twist_limits: maybe(rng, |rng| limits(rng, -turn, turn)),
            motor: maybe(rng, |rng| BallMotor {
                rotation: rotation(rng),
                velocity: vector(rng, fx!(2)),
                spring: maybe(rng, spring),
                max_torque: rng.fx_range(Fx::ZERO, fx!(1000)),
            }),
        },
        2 => JointKind::Hinge {
            limits: maybe(rng, |rng| limits(rng, -turn, turn)),
            motor: maybe(rng, |rng| motor(rng, -turn, turn)),
        },
        3 => JointKind::Slider {
            limits: maybe(rng, |rng| limits(rng, -way, way)),
            motor: maybe(rng, |rng| motor(rng, -way, way)),
        },
        4 => JointKind::Distance {
            limits: maybe(rng, |rng| limits(rng, Fx::ZERO, way)),
            motor: maybe(rng, |rng| motor(rng, Fx::ZERO, way)),
        },
        5 => {
            let pose = Pose::new(rotation(rng), vector(rng, Fx::ONE));
            JointKind::Target { pose, linear: maybe(rng, pull), angular: maybe(rng, pull) }
        }
        _ => JointKind::Wheel {
            limits: maybe(rng, |rng| limits(rng, -Fx::HALF, Fx::HALF)),
            suspension: maybe(rng, |rng| motor(rng, -Fx::HALF, Fx::HALF)),
            motor: maybe(rng, |rng| motor(rng, -turn, turn)),
            steering: rng.fx_range(-turn, turn),
        },
    };
    let mut def = JointDef::new(kind, a, b);
    def.softness = maybe(rng, spring);
    def.collide_connected = rng.bool();
    def
}
