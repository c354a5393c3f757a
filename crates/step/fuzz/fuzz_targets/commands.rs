//! Any commands with steps between them: nothing panics, errors change nothing, bodies stay in their bounds, and a world
//! restored from bytes continues like the one that never stopped.

#![no_main]

#[allow(dead_code)]
#[path = "../../../collision/fuzz/fuzz_targets/bytes.rs"]
mod bytes;

use bytes::Bytes;
use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::{Fx, Pose, Vec3};
use isostep_step::{
    AxisLocks, BallMotor, BodyDef, BodyHandle, BodyKind, ColliderDef, ColliderHandle, CombineRule, Command, Continuous,
    Filter, JointDef, JointHandle, JointKind, Limits, MAX_COORDINATE, Material, Motor, Outcome, Pull, Snapshot, Spring,
    World, WorldConfig,
};
use libfuzzer_sys::fuzz_target;

/// The most bodies, colliders and joints: piles of them are slow, and that is not what is looked for.
const MOST: usize = 48;

struct Game<'a> {
    bytes: Bytes<'a>,
    world: World,
    bodies: Vec<BodyHandle>,
    colliders: Vec<ColliderHandle>,
    joints: Vec<JointHandle>,
}

impl Game<'_> {
    /// Mostly near the origin, where things meet.
    fn position(&mut self) -> Vec3 {
        if self.bytes.byte() & 7 == 0 {
            return self.bytes.vector();
        }
        let mut part = || Fx::from_bits(i64::from(self.bytes.byte() as i8) << 28);
        Vec3::new(part(), part(), part())
    }

    fn pose(&mut self) -> Pose {
        Pose::new(self.bytes.rotation(), self.position())
    }

    fn extent(&mut self) -> Fx {
        match self.bytes.byte() {
            0..32 => self.bytes.extent(Fx::from_int(1 << 15)),
            byte => Fx::from_bits(i64::from(byte) << 26),
        }
    }

    fn shape(&mut self) -> Shape {
        match self.bytes.byte() & 7 {
            0 | 1 => Sphere::new(Vec3::ZERO, self.extent()).map(Shape::from),
            2 => Capsule::along_y(self.extent(), self.extent()).map(Shape::from),
            3 => HalfSpace::new(Vec3::ZERO, self.bytes.vector().normalize_or(Vec3::Y)).map(Shape::from),
            _ => Obb::from_half_extents(Vec3::new(self.extent(), self.extent(), self.extent())).map(Shape::from),
        }
        .unwrap_or_else(|_| Sphere::from_radius(Fx::HALF).unwrap().into())
    }

    fn body(&mut self) -> BodyHandle {
        let choice = self.bytes.byte();
        match self.bodies.len() {
            0 => BodyHandle { index: u32::from(choice), generation: 0 },
            count => self.bodies[usize::from(choice) % count],
        }
    }

    fn collider(&mut self) -> ColliderHandle {
        let choice = self.bytes.byte();
        match self.colliders.len() {
            0 => ColliderHandle { index: u32::from(choice), generation: 0 },
            count => self.colliders[usize::from(choice) % count],
        }
    }

    fn joint(&mut self) -> JointHandle {
        let choice = self.bytes.byte();
        match self.joints.len() {
            0 => JointHandle { index: u32::from(choice), generation: 0 },
            count => self.joints[usize::from(choice) % count],
        }
    }

    /// From −8 to 8, now and then any number.
    fn length(&mut self) -> Fx {
        match self.bytes.byte() {
            0..8 => self.bytes.number(),
            byte => Fx::from_bits(i64::from(byte as i8) << 28),
        }
    }

    /// A value, or none.
    fn some<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.bytes.byte() & 1 == 0 { None } else { Some(draw(self)) }
    }

    fn spring(&mut self) -> Spring {
        Spring { frequency: self.length().abs() * Fx::from_int(16), damping_ratio: self.length().abs() }
    }

    fn limits(&mut self) -> Limits {
        let (a, b) = (self.length(), self.length());
        // In order but for now and then.
        if self.bytes.byte() == 0 { Limits { lower: a, upper: b } } else { Limits { lower: a.min(b), upper: a.max(b) } }
    }

    fn motor(&mut self) -> Motor {
        let (position, velocity) = (self.length(), self.length());
        Motor { position, velocity, spring: self.some(Self::spring), max_force: self.extent() }
    }

    fn ball_motor(&mut self) -> BallMotor {
        let (rotation, velocity) = (self.bytes.rotation(), self.position());
        BallMotor { rotation, velocity, spring: self.some(Self::spring), max_torque: self.extent() }
    }

    fn pull(&mut self) -> Pull {
        Pull { spring: self.spring(), max_force: self.extent() }
    }

    fn kind(&mut self, variant: u8) -> JointKind {
        match variant % 7 {
            0 => JointKind::Fixed,
            1 => JointKind::Ball {
                swing_limit: self.some(|game| game.length().abs()),
                twist_limits: self.some(Self::limits),
                motor: self.some(Self::ball_motor),
            },
            2 => JointKind::Hinge { limits: self.some(Self::limits), motor: self.some(Self::motor) },
            3 => JointKind::Slider { limits: self.some(Self::limits), motor: self.some(Self::motor) },
            4 => JointKind::Distance { limits: self.some(Self::limits), motor: self.some(Self::motor) },
            5 => JointKind::Target {
                pose: self.pose(),
                linear: self.some(Self::pull),
                angular: self.some(Self::pull),
            },
            _ => JointKind::Wheel {
                limits: self.some(Self::limits),
                suspension: self.some(Self::motor),
                motor: self.some(Self::motor),
                steering: self.length(),
            },
        }
    }

    fn new_joint(&mut self) -> JointDef {
        let variant = self.bytes.byte();
        let kind = self.kind(variant);
        let (a, b) = ((self.body(), self.pose()), (self.body(), self.pose()));
        let mut def = JointDef::new(kind, a, b);
        let flags = self.bytes.byte();
        def.collide_connected = flags & 1 == 0;
        def.order = u32::from(flags >> 1 & 1);
        def.softness = if flags & 4 == 0 { None } else { Some(self.spring()) };
        def.break_force = if flags & 8 == 0 { None } else { Some(self.extent()) };
        def.break_torque = if flags & 16 == 0 { None } else { Some(self.extent()) };
        def
    }

    fn command_about_joints(&mut self) -> Command {
        let choice = self.bytes.byte() % 12;
        let joint = self.joint();
        match choice {
            0..5 if self.joints.len() < MOST => Command::AddJoint(self.new_joint()),
            0..6 => Command::RemoveJoint(joint),
            6 | 7 => {
                let current = self.world.joint(joint).map(|joint| joint.kind().name());
                let variant = self.bytes.byte();
                // Of its kind, as a rule.
                let names = ["fixed", "ball", "hinge", "slider", "distance", "target", "wheel"];
                let same = names.iter().position(|&name| Some(name) == current);
                let variant = if variant & 15 == 0 { variant } else { same.unwrap_or(0) as u8 };
                Command::SetJointKind { joint, kind: self.kind(variant) }
            }
            8 => Command::SetJointSoftness { joint, softness: self.some(Self::spring) },
            9 => Command::SetJointBreak { joint, force: self.some(Self::extent), torque: self.some(Self::length) },
            10 => Command::SetJointCollide { joint, collide: self.bytes.byte() & 1 == 0 },
            _ => Command::SetJointUserData { joint, user_data: 3 },
        }
    }

    fn material(&mut self) -> Material {
        let rules =
            [CombineRule::Average, CombineRule::GeometricMean, CombineRule::Min, CombineRule::Multiply, CombineRule::Max];
        let byte = usize::from(self.bytes.byte());
        Material {
            friction: self.bytes.number(),
            friction_rule: rules[byte % 5],
            restitution: Fx::from_bits(i64::from(self.bytes.byte()) << 24),
            restitution_rule: rules[byte / 5 % 5],
            rolling_resistance: Fx::from_bits(i64::from(self.bytes.byte()) << 24),
        }
    }

    fn continuous(&mut self) -> Continuous {
        match self.bytes.byte() & 3 {
            0 => Continuous::Off,
            1 | 2 => Continuous::All,
            _ => Continuous::Scenery,
        }
    }

    fn definition(&mut self) -> BodyDef {
        let flags = self.bytes.byte();
        let mut def = BodyDef {
            kind: [BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Fixed][usize::from(flags & 3)],
            pose: self.pose(),
            linear_velocity: if flags & 4 == 0 { Vec3::ZERO } else { self.bytes.vector() },
            angular_velocity: if flags & 8 == 0 { Vec3::ZERO } else { self.bytes.vector() },
            gravity_scale: if flags & 16 == 0 { Fx::ONE } else { self.bytes.number() },
            linear_damping: if flags & 32 == 0 { Fx::ZERO } else { self.bytes.number() },
            angular_damping: if flags & 32 == 0 { Fx::ZERO } else { self.bytes.number() },
            locks: if flags & 64 == 0 { AxisLocks::NONE } else { AxisLocks::PLANE_XY },
            continuous: self.continuous(),
            mass: if flags & 128 == 0 { None } else { Some(self.bytes.number()) },
            can_sleep: flags & 5 != 5,
            order: u32::from(self.bytes.byte() & 1),
            user_data: 7,
        };
        // What is refused is tried now and then.
        if self.bytes.byte() & 15 != 0 {
            if def.kind == BodyKind::Fixed {
                (def.linear_velocity, def.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
            }
            def.mass = def.mass.filter(|_| def.kind == BodyKind::Dynamic);
        }
        def
    }

    fn command(&mut self) -> Command {
        let kind = self.bytes.byte() % 37;
        let body = self.body();
        match kind {
            0..4 if self.bodies.len() < MOST => Command::AddBody(self.definition()),
            0..4 => Command::RemoveBody(body),
            4..9 if self.colliders.len() < MOST => {
                let shape = self.shape();
                let pose = if self.bytes.byte() & 3 == 0 { self.pose() } else { Pose::IDENTITY };
                let flags = self.bytes.byte();
                let mut collider = ColliderDef::new(shape).at(pose).with_material(self.material());
                collider.sensor = flags & 15 == 0;
                if flags & 48 == 0 {
                    collider.density = self.bytes.number();
                }
                Command::AddCollider { body, collider }
            }
            4..9 => Command::RemoveCollider(self.collider()),
            9 => Command::RemoveBody(body),
            10 => Command::RemoveCollider(self.collider()),
            11 => Command::SetPose { body, pose: self.pose() },
            12 => Command::SetVelocity { body, linear: self.bytes.vector(), angular: self.bytes.vector() },
            13 => Command::SetKinematicTarget { body, pose: self.pose() },
            14 => Command::ApplyImpulse { body, impulse: self.bytes.vector() },
            15 => Command::ApplyImpulseAt { body, impulse: self.bytes.vector(), point: self.position() },
            16 => Command::ApplyAngularImpulse { body, impulse: self.bytes.vector() },
            17 => Command::ApplyForceAt { body, force: self.bytes.vector(), point: self.position() },
            18 => Command::ApplyTorque { body, torque: self.bytes.vector() },
            19 => Command::Wake(body),
            20 => Command::SetMass { body, mass: Some(self.bytes.number()) },
            21 => Command::SetMaterial { collider: self.collider(), material: self.material() },
            22 => {
                let filter = Filter { layer: self.bytes.byte(), groups: u32::from(self.bytes.byte()), mask: u32::MAX };
                Command::SetFilter { collider: self.collider(), filter }
            }
            23 => Command::SetGravity(self.bytes.vector()),
            24 => Command::SetLayersMeet { a: self.bytes.byte(), b: 0, meet: self.bytes.byte() & 1 == 0 },
            25 => Command::SetPairExcluded { a: body, b: self.body(), excluded: self.bytes.byte() & 3 != 0 },
            26 => Command::SetLocks { body, locks: AxisLocks::ROTATION_X.with(AxisLocks::TRANSLATION_Y) },
            27..35 => self.command_about_joints(),
            35 => Command::SetContinuous { body, continuous: self.continuous() },
            _ => Command::DrawRandom { stream: u32::from(self.bytes.byte() & 3) },
        }
    }

    fn apply(&mut self) {
        let command = self.command();
        let before = self.world.state_hash();
        match self.world.apply(&command) {
            Ok(Outcome::Body(body)) => self.bodies.push(body),
            Ok(Outcome::Collider(collider)) => self.colliders.push(collider),
            Ok(Outcome::Joint(joint)) => self.joints.push(joint),
            Ok(_) => {}
            Err(_) => assert_eq!(self.world.state_hash(), before, "{command:?} failed and changed the world"),
        }
        if matches!(command, Command::RemoveBody(_) | Command::RemoveCollider(_) | Command::RemoveJoint(_)) {
            let world = &self.world;
            // A stale handle now and then is what users have as well.
            self.bodies.retain(|&body| world.body(body).is_some() || body.index % 4 == 0);
            self.colliders.retain(|&collider| world.collider(collider).is_some() || collider.index % 4 == 0);
            self.joints.retain(|&joint| world.joint(joint).is_some() || joint.index % 4 == 0);
            self.joints.truncate(MOST);
            self.bodies.truncate(MOST);
            self.colliders.truncate(MOST);
        }
    }

    fn step(&mut self) {
        self.world.step();
        let config = *self.world.config();
        for joint in self.world.joints() {
            assert!(joint.angle().abs() <= Fx::PI && joint.bodies().iter().all(|&body| self.world.body(body).is_some()));
        }
        for body in self.world.bodies() {
            assert!(body.rotation().is_normalized());
            let reach = body.center_of_mass().abs().max_element();
            assert!(reach <= MAX_COORDINATE + Fx::from_int(128), "{} is at {reach}", body.handle());
            assert!(body.linear_velocity().length() <= config.max_linear_speed + Fx::EPSILON * Fx::from_int(4));
            assert!(body.angular_velocity().length() <= config.max_angular_speed + Fx::EPSILON * Fx::from_int(4));
        }
        // What they tell has no bounds, and may be asked for at any time.
        for joint in self.world.joints() {
            let _ = (joint.force(), joint.torque(), joint.relative_pose());
        }
        for contact in self.world.contacts() {
            let _ = (contact.friction_force(), contact.manifold());
        }
    }

    fn restore(&mut self) {
        let snapshot = self.world.snapshot();
        let read = Snapshot::from_bytes(&snapshot.to_bytes()).expect("what was written can be read");
        assert_eq!(read.state_hash(), self.world.state_hash());
        let mut other = World::from_snapshot(&read);
        for _ in 0..3 {
            other.step();
            self.step();
            assert_eq!(other.events(), self.world.events());
            let difference = other.snapshot().difference(&self.world.snapshot());
            assert!(difference.is_none(), "{}", difference.unwrap());
        }
        self.world.load(&snapshot);
        assert_eq!(self.world.state_hash(), read.state_hash());
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let flags = bytes.byte();
    let config = WorldConfig {
        sleep_ticks: if flags & 1 == 0 { 2 } else { 30 },
        substeps: u32::from(flags >> 1 & 3) + 1,
        tick_rate: [60, 30, 240, 1][usize::from(flags >> 3 & 3)],
        ..WorldConfig::default()
    };
    let world = World::new(config).expect("a configuration in its ranges");
    let mut game = Game { bytes, world, bodies: Vec::new(), colliders: Vec::new(), joints: Vec::new() };
    for _ in 0..200 {
        if game.bytes.is_empty() {
            break;
        }
        match game.bytes.byte() & 15 {
            0..10 => game.apply(),
            10..15 => game.step(),
            _ => game.restore(),
        }
    }
});
