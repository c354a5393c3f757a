//! The canonical form of the state: which fields there are, in which order, and as which bytes.
//!
//! The hash is over these bytes, little-endian and without padding, and whoever compares two states names their fields
//! by this list. A type that becomes state appears here.

use crate::body::mass::Scaled;
use crate::body::{Body, BodyFlags, BodyKind, BodyMass, Motion};
use crate::collider::Collider;
use crate::config::WorldConfig;
use crate::contact::{ContactPair, PointImpulse};
use crate::filter::Filter;
use crate::handle::ColliderHandle;
use crate::joint::{BallMotor, Joint, JointImpulses, JointKind, Limits, Motor, Pull, Spring};
use crate::material::{CombineRule, Material};
use crate::state::Force;
use crate::trace::NumberKind;
use core::fmt::Debug;
use isostep_collision::Shape;
use isostep_math::random::Rng;
use isostep_math::wide::chunk_at_mut;
use isostep_math::{Fx, Pose, Quat, Vec3};

/// More than the bytes of the longest item.
pub(crate) const LONGEST: usize = 512;

/// Bytes of items, one after the other: at least the longest one fits.
pub(crate) struct Bytes {
    bytes: [u8; Self::MOST],
    length: usize,
}

impl Bytes {
    /// How many there is room for.
    pub(crate) const MOST: usize = 4096;

    pub(crate) const fn new() -> Self {
        Self { bytes: [0; Self::MOST], length: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline(always)]
    fn put<const K: usize>(&mut self, bytes: [u8; K]) {
        *chunk_at_mut(&mut self.bytes, self.length) = bytes;
        self.length += K;
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// A value with bytes, made of numbers.
pub(crate) trait Value: Debug {
    fn put(&self, bytes: &mut Bytes);

    /// Gives its numbers: as many for each value of a type, whatever its variant.
    fn numbers(&self, sink: &mut impl Numbers);
}

/// Takes the numbers of a value, with the names of the parts that they are of.
pub(crate) trait Numbers {
    fn number(&mut self, kind: NumberKind, bits: u64);

    fn part(&mut self, name: &'static str, value: &impl Value);
}

/// Goes through the fields of an item.
pub(crate) trait Visitor {
    fn field(&mut self, name: &'static str, value: &impl Value);
}

/// An item with fields.
pub(crate) trait Canonical {
    fn visit(&self, visitor: &mut impl Visitor);
}

/// Collects the bytes of all fields.
impl Visitor for Bytes {
    #[inline(always)]
    fn field(&mut self, _: &'static str, value: &impl Value) {
        value.put(self);
    }
}

macro_rules! integers {
    ($($type:ty: $kind:ident, |$value:ident| $bits:expr;)*) => { $(
        impl Value for $type {
            #[inline(always)]
            fn put(&self, bytes: &mut Bytes) {
                bytes.put(self.to_le_bytes());
            }

            #[inline(always)]
            fn numbers(&self, sink: &mut impl Numbers) {
                let $value = *self;
                sink.number(NumberKind::$kind, $bits);
            }
        }
    )* };
}

integers! {
    u8: Natural, |v| u64::from(v);
    u16: Natural, |v| u64::from(v);
    u32: Natural, |v| u64::from(v);
    u64: Natural, |v| v;
    i16: Integer, |v| i64::from(v) as u64;
    i32: Integer, |v| i64::from(v) as u64;
}

impl Value for Fx {
    #[inline(always)]
    fn put(&self, bytes: &mut Bytes) {
        bytes.put(self.to_bits().to_le_bytes());
    }

    #[inline(always)]
    fn numbers(&self, sink: &mut impl Numbers) {
        sink.number(NumberKind::Fixed, self.to_bits() as u64);
    }
}

macro_rules! variants {
    ($($type:ty: |$value:ident| $number:expr;)*) => { $(
        impl Value for $type {
            #[inline(always)]
            fn put(&self, bytes: &mut Bytes) {
                let $value = self;
                $number.put(bytes);
            }

            #[inline(always)]
            fn numbers(&self, sink: &mut impl Numbers) {
                let $value = self;
                $number.numbers(sink);
            }
        }
    )* };
}

variants! {
    bool: |v| u8::from(*v);
    BodyFlags: |v| v.bits();
    BodyKind: |v| match v { BodyKind::Dynamic => 0_u8, BodyKind::Kinematic => 1, BodyKind::Fixed => 2 };
    CombineRule: |v| (*v as u8);
}

macro_rules! parts {
    ($($type:ty: |$value:ident| $($name:literal $part:expr),+;)*) => { $(
        impl Value for $type {
            #[inline(always)]
            fn put(&self, bytes: &mut Bytes) {
                let $value = self;
                $($part.put(bytes);)+
            }

            #[inline(always)]
            fn numbers(&self, sink: &mut impl Numbers) {
                let $value = self;
                $(sink.part($name, &$part);)+
            }
        }
    )* };
}

parts! {
    u128: |v| "low" (*v as u64), "high" ((*v >> 64) as u64);
    Vec3: |v| "x" v.x, "y" v.y, "z" v.z;
    Quat: |v| "x" v.x, "y" v.y, "z" v.z, "w" v.w;
    Pose: |v| "rotation" v.rotation, "translation" v.translation;
    Filter: |v| "layer" v.layer, "groups" v.groups, "mask" v.mask;
    Material: |v| "friction" v.friction, "friction_rule" v.friction_rule, "restitution" v.restitution,
        "restitution_rule" v.restitution_rule, "rolling_resistance" v.rolling_resistance;
    BodyMass: |v| "center" v.center, "mass" v.mass, "axes" v.axes, "inverse_mass" v.inverse_mass,
        "inverse_gyration" v.inverse_gyration, "extent" v.extent;
    Rng: |v| "state" v.state(), "increment" v.increment();
    ColliderHandle: |v| "index" v.index, "generation" v.generation;
    Limits: |v| "lower" v.lower, "upper" v.upper;
    Spring: |v| "frequency" v.frequency, "damping_ratio" v.damping_ratio;
    Motor: |v| "position" v.position, "velocity" v.velocity, "spring" v.spring, "max_force" v.max_force;
    BallMotor: |v| "rotation" v.rotation, "velocity" v.velocity, "spring" v.spring, "max_torque" v.max_torque;
    Pull: |v| "spring" v.spring, "max_force" v.max_force;
}

impl<const K: usize> Value for Scaled<K> {
    fn put(&self, bytes: &mut Bytes) {
        self.mantissas.put(bytes);
        self.exponent.put(bytes);
    }

    fn numbers(&self, sink: &mut impl Numbers) {
        sink.part("mantissas", &self.mantissas);
        sink.part("exponent", &self.exponent);
    }
}

/// Names of the items of arrays.
const PLACES: [&str; 3] = ["0", "1", "2"];

impl<T: Value, const K: usize> Value for [T; K] {
    #[inline(always)]
    fn put(&self, bytes: &mut Bytes) {
        for value in self {
            value.put(bytes);
        }
    }

    #[inline(always)]
    fn numbers(&self, sink: &mut impl Numbers) {
        const { assert!(K <= PLACES.len()) };
        for (name, value) in PLACES.iter().zip(self) {
            sink.part(name, value);
        }
    }
}

impl<T: Value + Copy + Default> Value for Option<T> {
    fn put(&self, bytes: &mut Bytes) {
        self.is_some().put(bytes);
        if let Some(value) = self {
            value.put(bytes);
        }
    }

    fn numbers(&self, sink: &mut impl Numbers) {
        sink.part("is_given", &self.is_some());
        self.unwrap_or_default().numbers(sink);
    }
}

impl Value for Shape {
    fn put(&self, bytes: &mut Bytes) {
        match self {
            Self::Sphere(sphere) => {
                0_u8.put(bytes);
                sphere.center().put(bytes);
                sphere.radius().put(bytes);
            }
            Self::Box(obb) => {
                1_u8.put(bytes);
                obb.center().put(bytes);
                obb.half_extents().put(bytes);
                obb.rotation().put(bytes);
            }
            Self::Capsule(capsule) => {
                2_u8.put(bytes);
                capsule.a().put(bytes);
                capsule.b().put(bytes);
                capsule.radius().put(bytes);
            }
            Self::HalfSpace(half_space) => {
                3_u8.put(bytes);
                half_space.point().put(bytes);
                half_space.normal().put(bytes);
            }
            other => unreachable!("{other:?} is no shape of a collider"),
        }
    }

    /// A kind, two points or a point and extents, a radius, and a rotation; 0 what a shape lacks.
    fn numbers(&self, sink: &mut impl Numbers) {
        let (kind, first, second, radius, rotation) = match self {
            Self::Sphere(sphere) => (0_u8, sphere.center(), Vec3::ZERO, sphere.radius(), None),
            Self::Box(obb) => (1, obb.center(), obb.half_extents(), Fx::ZERO, Some(obb.rotation())),
            Self::Capsule(capsule) => (2, capsule.a(), capsule.b(), capsule.radius(), None),
            Self::HalfSpace(half_space) => (3, half_space.point(), half_space.normal(), Fx::ZERO, None),
            other => unreachable!("{other:?} is no shape of a collider"),
        };
        sink.part("kind", &kind);
        sink.part("first", &first);
        sink.part("second", &second);
        sink.part("radius", &radius);
        sink.part("rotation", &rotation.unwrap_or_default());
    }
}

impl JointKind {
    /// The number of the variant.
    fn variant(&self) -> u8 {
        match self {
            Self::Fixed => 0,
            Self::Ball { .. } => 1,
            Self::Hinge { .. } => 2,
            Self::Slider { .. } => 3,
            Self::Distance { .. } => 4,
            Self::Target { .. } => 5,
            Self::Wheel { .. } => 6,
        }
    }
}

impl Value for JointKind {
    fn put(&self, bytes: &mut Bytes) {
        self.variant().put(bytes);
        match self {
            Self::Fixed => {}
            Self::Ball { swing_limit, twist_limits, motor } => {
                swing_limit.put(bytes);
                twist_limits.put(bytes);
                motor.put(bytes);
            }
            Self::Hinge { limits, motor }
            | Self::Slider { limits, motor }
            | Self::Distance { limits, motor } => {
                limits.put(bytes);
                motor.put(bytes);
            }
            Self::Target { pose, linear, angular } => {
                pose.put(bytes);
                linear.put(bytes);
                angular.put(bytes);
            }
            Self::Wheel { limits, suspension, motor, steering } => {
                limits.put(bytes);
                suspension.put(bytes);
                motor.put(bytes);
                steering.put(bytes);
            }
        }
    }

    /// The number of the variant, and what any of them has; the default of what a kind lacks.
    fn numbers(&self, sink: &mut impl Numbers) {
        let mut all = KindNumbers::default();
        match *self {
            Self::Fixed => {}
            Self::Ball { swing_limit, twist_limits, motor } => {
                (all.swing_limit, all.limits, all.ball_motor) = (swing_limit, twist_limits, motor);
            }
            Self::Hinge { limits, motor }
            | Self::Slider { limits, motor }
            | Self::Distance { limits, motor } => (all.limits, all.motor) = (limits, motor),
            Self::Target { pose, linear, angular } => {
                (all.pose, all.linear, all.angular) = (Some(pose), linear, angular);
            }
            Self::Wheel { limits, suspension, motor, steering } => {
                (all.limits, all.suspension, all.motor) = (limits, suspension, motor);
                all.steering = Some(steering);
            }
        }
        sink.part("variant", &self.variant());
        sink.part("swing_limit", &all.swing_limit);
        sink.part("limits", &all.limits);
        sink.part("motor", &all.motor);
        sink.part("ball_motor", &all.ball_motor);
        sink.part("pose", &all.pose);
        sink.part("linear", &all.linear);
        sink.part("angular", &all.angular);
        sink.part("suspension", &all.suspension);
        sink.part("steering", &all.steering);
    }
}

/// What any kind of joint has.
#[derive(Default)]
struct KindNumbers {
    swing_limit: Option<Fx>,
    /// Those of the twist, in a ball joint; of the suspension, of a wheel.
    limits: Option<Limits>,
    motor: Option<Motor>,
    ball_motor: Option<BallMotor>,
    pose: Option<Pose>,
    linear: Option<Pull>,
    angular: Option<Pull>,
    suspension: Option<Motor>,
    steering: Option<Fx>,
}

macro_rules! items {
    ($($type:ty: $($field:ident),+;)*) => { $(
        impl Canonical for $type {
            #[inline(always)]
            fn visit(&self, visitor: &mut impl Visitor) {
                // Every field is named: one that is added and not listed does not compile.
                let Self { $($field),+ } = self;
                $(visitor.field(stringify!($field), $field);)+
            }
        }
    )* };
}

items! {
    Motion: center, rotation, linear_velocity, angular_velocity, lag, still_ticks, asleep, driven, frozen;
    Body: generation, alive, kind, can_sleep, flags, order, first_collider, gravity_scale, linear_damping,
        angular_damping, mass_override, target, user_data, mass;
    Collider: generation, alive, sensor, body, next, shape, density, material, filter, user_data;
    Joint: generation, alive, collide_connected, bodies, frames, kind, softness, break_force, break_torque, order,
        user_data;
    JointImpulses: linear, angular, last_linear, last_angular, motor, limit, swing, last_motor,
        last_limit, last_swing;
    ContactPair: a, b, friction, twist, count, scale, touching;
    PointImpulse: feature, normal;
    Force: body, force, torque;
    WorldConfig: tick_rate, substeps, gravity, max_linear_speed, max_angular_speed, contact_frequency,
        contact_damping_ratio, push_speed, restitution_threshold, speculative_margin, sleeping, sleep_speed,
        sleep_ticks, seed;
}

/// Two numbers.
impl Canonical for (u32, u32) {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("first", &self.0);
        visitor.field("second", &self.1);
    }
}

/// A stream of random numbers.
impl Canonical for (u32, Rng) {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("number", &self.0);
        visitor.field("generator", &self.1);
    }
}

/// Two colliders.
impl Canonical for (ColliderHandle, ColliderHandle) {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("first", &self.0);
        visitor.field("second", &self.1);
    }
}

impl Canonical for u32 {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("value", self);
    }
}

impl Canonical for u64 {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("value", self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_its_bytes_little_endian_and_without_padding() {
        let mut bytes = Bytes::new();
        PointImpulse { feature: 0x0102_0304, normal: -2 }.visit(&mut bytes);
        assert_eq!(bytes.as_slice(), [4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff]);
        let mut bytes = Bytes::new();
        Motion::NONE.visit(&mut bytes);
        assert_eq!(bytes.as_slice().len(), 13 * 8 + 3 * 4 + 2 + 3);
    }

    #[test]
    fn the_longest_joint_fits_the_room_for_an_item() {
        let (spring, limits) = (Some(Spring::default()), Some(Limits::default()));
        let pull = Some(Pull::default());
        let motor = Some(BallMotor { spring, ..BallMotor::default() });
        let ball = JointKind::Ball { swing_limit: Some(Fx::ZERO), twist_limits: limits, motor };
        let target = JointKind::Target { pose: Pose::IDENTITY, linear: pull, angular: pull };
        for kind in [ball, target] {
            let force = Some(Fx::ONE);
            let joint =
                Joint { kind, softness: spring, break_force: force, break_torque: force, ..Joint::VACANT };
            let mut bytes = Bytes::new();
            joint.visit(&mut bytes);
            let length = bytes.as_slice().len();
            assert!((256..LONGEST).contains(&length), "{length}");
        }
    }
}
