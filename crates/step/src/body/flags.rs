//! [`Continuous`], and how it shares a byte with the locks of a body.

use super::{AxisLocks, BodyDef, BodyKind};
use isostep_math::{Fx, Pose, Vec3};
use serde::{Deserialize, Serialize};

/// What a dynamic body never passes through, however fast it or the other is.
///
/// A step looks at where bodies are, not at all the places between. What is fast for its size is therefore stopped where it
/// would go through something, and hits that in the next step. Of kinematic and fixed bodies the setting says nothing:
/// what counts is that of the dynamic body that they meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Continuous {
    /// Fixed and kinematic bodies: levels and platforms.
    #[default]
    Scenery,
    /// Nothing: it may pass through what is thin if it is fast. For debris, where a step should cost as little as it can.
    Off,
    /// Dynamic bodies as well: a bullet.
    All,
}

/// What fits into a byte: bits 0 to 5 are the locks, bits 6 and 7 the number of the [`Continuous`], so that a body
/// without any has a zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub(crate) struct BodyFlags {
    pub(crate) locks: AxisLocks,
    pub(crate) continuous: Continuous,
}

impl BodyFlags {
    pub(crate) const NONE: Self = Self { locks: AxisLocks::NONE, continuous: Continuous::Scenery };

    pub(crate) const fn bits(self) -> u8 {
        self.locks.bits() | (self.continuous as u8) << 6
    }
}

impl From<BodyFlags> for u8 {
    fn from(flags: BodyFlags) -> Self {
        flags.bits()
    }
}

/// The highest two bits are both set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("flags {bits:#b}: there are three kinds of continuous collision")]
pub(crate) struct UnknownFlags {
    bits: u8,
}

impl TryFrom<u8> for BodyFlags {
    type Error = UnknownFlags;

    fn try_from(bits: u8) -> Result<Self, UnknownFlags> {
        let continuous = match bits >> 6 {
            0 => Continuous::Scenery,
            1 => Continuous::Off,
            2 => Continuous::All,
            _ => return Err(UnknownFlags { bits }),
        };
        Ok(Self { locks: AxisLocks(bits & 63), continuous })
    }
}

/// A [`BodyDef`] as it is written: locks and continuous collision are one byte.
#[derive(Serialize, Deserialize)]
pub(super) struct WrittenBodyDef {
    kind: BodyKind,
    pose: Pose,
    linear_velocity: Vec3,
    angular_velocity: Vec3,
    gravity_scale: Fx,
    linear_damping: Fx,
    angular_damping: Fx,
    flags: BodyFlags,
    mass: Option<Fx>,
    can_sleep: bool,
    order: u32,
    user_data: u64,
}

impl From<BodyDef> for WrittenBodyDef {
    fn from(def: BodyDef) -> Self {
        // Every field is named: one that is added and not written does not compile.
        let BodyDef {
            kind,
            pose,
            linear_velocity,
            angular_velocity,
            gravity_scale,
            linear_damping,
            angular_damping,
            locks,
            continuous,
            mass,
            can_sleep,
            order,
            user_data,
        } = def;
        Self {
            kind,
            pose,
            linear_velocity,
            angular_velocity,
            gravity_scale,
            linear_damping,
            angular_damping,
            flags: BodyFlags { locks, continuous },
            mass,
            can_sleep,
            order,
            user_data,
        }
    }
}

impl From<WrittenBodyDef> for BodyDef {
    fn from(written: WrittenBodyDef) -> Self {
        Self {
            kind: written.kind,
            pose: written.pose,
            linear_velocity: written.linear_velocity,
            angular_velocity: written.angular_velocity,
            gravity_scale: written.gravity_scale,
            linear_damping: written.linear_damping,
            angular_damping: written.angular_damping,
            locks: written.flags.locks,
            continuous: written.flags.continuous,
            mass: written.mass,
            can_sleep: written.can_sleep,
            order: written.order,
            user_data: written.user_data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::AxisLocksError;
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn a_definition_comes_back_from_its_bytes_and_refuses_flags_that_are_none() {
        let config = bincode::config::standard().with_little_endian().with_fixed_int_encoding();
        let def = BodyDef { locks: AxisLocks::ROTATION, user_data: 9, ..BodyDef::default() };
        let [plain, bullet] = [def, def.as_bullet()].map(|def| {
            let bytes = bincode::serde::encode_to_vec(def, config).unwrap();
            let (read, length) = bincode::serde::decode_from_slice::<BodyDef, _>(&bytes, config).unwrap();
            assert_eq!((read, length), (def, bytes.len()));
            bytes
        });
        let differing: Vec<_> = (0..plain.len()).filter(|&at| plain[at] != bullet[at]).collect();
        assert!(matches!(differing[..], [at] if (plain[at], bullet[at]) == (56, 128 + 56)));
        let mut broken = plain;
        broken[differing[0]] = 192;
        assert!(bincode::serde::decode_from_slice::<BodyDef, _>(&broken, config).is_err());
    }

    #[test]
    fn every_byte_but_those_with_both_high_bits_is_the_flags_that_write_it() {
        for bits in 0..=u8::MAX {
            match BodyFlags::try_from(bits) {
                Ok(flags) => assert_eq!(flags.bits(), bits),
                Err(error) => assert!(bits >= 192 && error == UnknownFlags { bits }),
            }
        }
        assert_eq!(BodyFlags::NONE.bits(), 0);
        assert_eq!(AxisLocks::try_from(63).map(AxisLocks::bits), Ok(63));
        assert_eq!(AxisLocks::try_from(64), Err(AxisLocksError { bits: 64 }));
        let bullet = BodyFlags { locks: AxisLocks::PLANE_XY, continuous: Continuous::All };
        assert_eq!(BodyFlags::try_from(bullet.bits()), Ok(bullet));
    }
}
