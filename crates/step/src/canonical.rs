//! The canonical form of the state: which fields there are, in which order, and as which bytes.
//!
//! The hash is over these bytes, little-endian and without padding, and whoever compares two states names their fields
//! by this list. A type that becomes state appears here.

use crate::body::mass::Scaled;
use crate::body::{AxisLocks, Body, BodyKind, BodyMass, Motion};
use crate::collider::Collider;
use crate::config::WorldConfig;
use crate::contact::{ContactPair, PointImpulse};
use crate::filter::Filter;
use crate::handle::ColliderHandle;
use crate::material::{CombineRule, Material};
use crate::state::Force;
use core::fmt::Debug;
use isostep_collision::Shape;
use isostep_math::random::Rng;
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
        self.bytes[self.length..self.length + K].copy_from_slice(&bytes);
        self.length += K;
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// A value with bytes.
pub(crate) trait Value: Debug {
    fn put(&self, bytes: &mut Bytes);
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
    ($($type:ty),*) => { $(
        impl Value for $type {
            #[inline(always)]
            fn put(&self, bytes: &mut Bytes) {
                bytes.put(self.to_le_bytes());
            }
        }
    )* };
}

integers!(u8, u16, i16, u32, i32, u64, i64, u128);

macro_rules! parts {
    ($($type:ty: |$value:ident| $($part:expr),+;)*) => { $(
        impl Value for $type {
            #[inline(always)]
            fn put(&self, bytes: &mut Bytes) {
                let $value = self;
                $($part.put(bytes);)+
            }
        }
    )* };
}

parts! {
    bool: |v| u8::from(*v);
    Fx: |v| v.to_bits();
    Vec3: |v| v.x, v.y, v.z;
    Quat: |v| v.x, v.y, v.z, v.w;
    Pose: |v| v.rotation, v.translation;
    AxisLocks: |v| v.bits();
    BodyKind: |v| match v { BodyKind::Dynamic => 0_u8, BodyKind::Kinematic => 1, BodyKind::Fixed => 2 };
    CombineRule: |v| *v as u8;
    Filter: |v| v.layer, v.groups, v.mask;
    Material: |v| v.friction, v.friction_rule, v.restitution, v.restitution_rule, v.rolling_resistance;
    BodyMass: |v| v.center, v.mass, v.axes, v.inverse_mass, v.inverse_gyration, v.extent;
    Rng: |v| v.state(), v.increment();
    ColliderHandle: |v| v.index, v.generation;
}

impl<const K: usize> Value for Scaled<K> {
    fn put(&self, bytes: &mut Bytes) {
        self.mantissas.put(bytes);
        self.exponent.put(bytes);
    }
}

impl<T: Value, const K: usize> Value for [T; K] {
    #[inline(always)]
    fn put(&self, bytes: &mut Bytes) {
        for value in self {
            value.put(bytes);
        }
    }
}

impl<T: Value> Value for Option<T> {
    fn put(&self, bytes: &mut Bytes) {
        self.is_some().put(bytes);
        if let Some(value) = self {
            value.put(bytes);
        }
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
    Motion: center, rotation, linear_velocity, angular_velocity, still_ticks, asleep, driven, frozen;
    Body: generation, alive, kind, can_sleep, locks, order, first_collider, gravity_scale, linear_damping,
        angular_damping, mass_override, target, user_data, mass;
    Collider: generation, alive, sensor, body, next, shape, density, material, filter, user_data;
    ContactPair: a, b, friction, twist, count, touching;
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
        assert_eq!(bytes.as_slice().len(), 13 * 8 + 2 + 3);
    }
}
