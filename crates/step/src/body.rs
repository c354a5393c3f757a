//! Bodies: what a user describes, and the two columns that a world keeps of each.
//!
//! [`Motion`] is what a step changes, [`Body`] what commands change; so a snapshot copies the one every tick and
//! the other only after a command. `mass` derives a body's mass from its colliders, `flags` packs what fits into a byte.

mod flags;
pub(crate) mod mass;

use crate::config::WorldConfig;
use crate::handle::NONE;
pub(crate) use flags::BodyFlags;
pub use flags::Continuous;
use flags::WrittenBodyDef;
use isostep_math::{Fx, Pose, Quat, Vec3, fx};
pub(crate) use mass::{BodyMass, Scaled};
use serde::{Deserialize, Serialize};

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BodyKind {
    /// By forces and contacts.
    #[default]
    Dynamic,
    /// As told, by velocity or target, and nothing stops it. It pushes dynamic bodies. Where it turns, it carries what touches
    /// it beyond 128 m of its origin, by component, as if that were there.
    Kinematic,
    /// Not at all.
    Fixed,
}

/// Directions that a body cannot move in, or turn about: axes of the world. Written as its [`bits`](Self::bits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct AxisLocks(u8);

/// Bits that are no locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("axis locks are {bits:#b}: only the lowest six bits are locks")]
pub struct AxisLocksError {
    /// What they were.
    pub bits: u8,
}

impl TryFrom<u8> for AxisLocks {
    type Error = AxisLocksError;

    fn try_from(bits: u8) -> Result<Self, AxisLocksError> {
        if bits < 64 { Ok(Self(bits)) } else { Err(AxisLocksError { bits }) }
    }
}

impl From<AxisLocks> for u8 {
    fn from(locks: AxisLocks) -> Self {
        locks.bits()
    }
}

impl AxisLocks {
    /// Free to move and turn.
    pub const NONE: Self = Self(0);
    /// Does not move along x.
    pub const TRANSLATION_X: Self = Self(1);
    /// Does not move along y.
    pub const TRANSLATION_Y: Self = Self(2);
    /// Does not move along z.
    pub const TRANSLATION_Z: Self = Self(4);
    /// Does not turn about x.
    pub const ROTATION_X: Self = Self(8);
    /// Does not turn about y.
    pub const ROTATION_Y: Self = Self(16);
    /// Does not turn about z.
    pub const ROTATION_Z: Self = Self(32);
    /// Does not turn: a character.
    pub const ROTATION: Self = Self(8 | 16 | 32);
    /// Stays in a plane of constant z: a 2D game.
    pub const PLANE_XY: Self = Self(4 | 8 | 16);

    /// The locks of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// A bit for each lock, from the lowest: x, y and z of translation, then of rotation; below 64.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether translation along an axis is locked.
    pub(crate) const fn translation(self, axis: usize) -> bool {
        self.0 >> axis & 1 == 1
    }

    /// Whether rotation about an axis is locked.
    pub(crate) const fn rotation(self, axis: usize) -> bool {
        self.0 >> (axis + 3) & 1 == 1
    }

    /// Whether rotation about any axis is locked.
    pub(crate) const fn any_rotation(self) -> bool {
        self.0 >> 3 != 0
    }

    /// The axes about which rotation is locked.
    pub(crate) fn rotations(self) -> impl Iterator<Item = usize> {
        (0..3).filter(move |&axis| self.rotation(axis))
    }

    /// The velocities without their locked components.
    pub(crate) fn hold(self, linear: &mut Vec3, angular: &mut Vec3) {
        if self == Self::NONE {
            return;
        }
        let free = |v: Vec3, first: usize| {
            let mut components = v.to_array();
            for (axis, component) in components.iter_mut().enumerate() {
                if self.0 >> (first + axis) & 1 == 1 {
                    *component = Fx::ZERO;
                }
            }
            Vec3::from_array(components)
        };
        (*linear, *angular) = (free(*linear, 0), free(*angular, 3));
    }
}

/// What a body is to be.
///
/// As bytes it is its fields in order, with `locks` and `continuous` in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "WrittenBodyDef", into = "WrittenBodyDef")]
pub struct BodyDef {
    /// How it moves.
    pub kind: BodyKind,
    /// Where its origin is, and how it is turned. Its rotation has length 1, its position is within ±2³⁰ m.
    pub pose: Pose,
    /// The velocity of its origin in m/s: colliders that move its centre of mass from there leave that each point its velocity.
    /// It is held to the world's greatest speed, and without the components that are locked. A fixed body has none.
    pub linear_velocity: Vec3,
    /// Its angular velocity in rad/s, likewise. A fixed body has none.
    pub angular_velocity: Vec3,
    /// How much gravity counts for it: −100 to 100.
    pub gravity_scale: Fx,
    /// The rate at which its linear velocity decays, in 1/s: 0 to 1000.
    pub linear_damping: Fx,
    /// The rate at which its angular velocity decays, in 1/s: 0 to 1000.
    pub angular_damping: Fx,
    /// Where it cannot move.
    pub locks: AxisLocks,
    /// What it never passes through, if it is dynamic.
    pub continuous: Continuous,
    /// The mass of a dynamic body in kg, whatever the densities of its colliders: these then say how it is spread.
    /// Others have none.
    pub mass: Option<Fx>,
    /// Whether it may fall asleep.
    pub can_sleep: bool,
    /// Where it comes in all orders: bodies go by ascending order, and those of equal order by their handles.
    /// With orders of its own a scene does not depend on the sequence in which its bodies were added, unless it is so large
    /// that contacts are solved in slabs: these go by slots as well.
    pub order: u32,
    /// Whatever the user likes.
    pub user_data: u64,
}

impl Default for BodyDef {
    /// A dynamic body at rest at the origin.
    fn default() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            pose: Pose::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            gravity_scale: Fx::ONE,
            linear_damping: Fx::ZERO,
            angular_damping: Fx::ZERO,
            locks: AxisLocks::NONE,
            continuous: Continuous::Scenery,
            mass: None,
            can_sleep: true,
            order: 0,
            user_data: 0,
        }
    }
}

impl BodyDef {
    /// A dynamic body with its origin at `position`.
    #[must_use]
    pub fn dynamic(position: Vec3) -> Self {
        Self { pose: Pose::from_translation(position), ..Self::default() }
    }

    /// A kinematic body with its origin at `position`.
    #[must_use]
    pub fn kinematic(position: Vec3) -> Self {
        Self { kind: BodyKind::Kinematic, ..Self::dynamic(position) }
    }

    /// A fixed body with its origin at `position`.
    #[must_use]
    pub fn fixed(position: Vec3) -> Self {
        Self { kind: BodyKind::Fixed, ..Self::dynamic(position) }
    }

    /// Turned by `rotation`.
    #[must_use]
    pub fn rotated(mut self, rotation: Quat) -> Self {
        self.pose.rotation = rotation;
        self
    }

    /// Moving with `velocity`, in m/s.
    #[must_use]
    pub const fn moving(mut self, velocity: Vec3) -> Self {
        self.linear_velocity = velocity;
        self
    }

    /// Never passing through anything, however fast: [`Continuous::All`].
    #[must_use]
    pub const fn as_bullet(mut self) -> Self {
        self.continuous = Continuous::All;
        self
    }

    /// Turning with `velocity`, in rad/s.
    #[must_use]
    pub const fn turning(mut self, velocity: Vec3) -> Self {
        self.angular_velocity = velocity;
        self
    }
}

/// What a step changes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Motion {
    /// The centre of mass in the world.
    pub(crate) center: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) linear_velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    /// By how much it has turned since its arms were taken, as a rotation vector in rad, Q32: see [`Self::turned_by`].
    pub(crate) lag: [i32; 3],
    /// For how many ticks it has been at rest, up to the number that lets it sleep.
    pub(crate) still_ticks: u16,
    pub(crate) asleep: bool,
    /// A kinematic body that was moved by a target in the tick before: it stops where it gets no other.
    pub(crate) driven: bool,
    /// It left the world, and rests where it did.
    pub(crate) frozen: bool,
}

impl Motion {
    pub(crate) const NONE: Self = Self {
        center: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        lag: [0; 3],
        still_ticks: 0,
        asleep: false,
        driven: false,
        frozen: false,
    };

    /// The most that arms of a dynamic body lag behind it: 2⁻⁶ rad.
    const MOST_LAG: i64 = 1 << 26;

    /// Whether arms may lag by so much.
    pub(crate) fn is_lag(lag: [i64; 3]) -> bool {
        let is_small = |x: i64| x.unsigned_abs() <= Self::MOST_LAG.unsigned_abs();
        lag.into_iter().all(is_small)
            && lag.iter().map(|x| x * x).sum::<i64>() <= Self::MOST_LAG * Self::MOST_LAG
    }

    /// Notes that the body turned by a rotation vector: its arms stay where they were, as long as that is not much.
    pub(crate) fn turned_by(&mut self, turn: Vec3) {
        let [x, y, z] = turn.to_array().map(Fx::to_bits);
        let [lag_x, lag_y, lag_z] = self.lag.map(i64::from);
        let lag = [x.saturating_add(lag_x), y.saturating_add(lag_y), z.saturating_add(lag_z)];
        self.lag = if Self::is_lag(lag) { lag.map(|x| x as i32) } else { [0; 3] };
    }

    /// The pose in which the coordinates have the centre of mass as origin.
    pub(crate) const fn central_pose(&self) -> Pose {
        Pose::new(self.rotation, self.center)
    }

    /// The velocity of the end of an arm from the centre of mass, in m/s; saturating.
    pub(crate) fn velocity_of(&self, arm: Vec3) -> Vec3 {
        self.linear_velocity.saturating_add(self.angular_velocity.cross(arm))
    }

    /// The velocity of a point of the world that goes with the body, in m/s; saturating.
    pub(crate) fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.velocity_of(point.saturating_sub(self.center))
    }
}

/// What commands change of a body; of a slot without one, how often it was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Body {
    pub(crate) generation: u32,
    pub(crate) alive: bool,
    pub(crate) kind: BodyKind,
    pub(crate) can_sleep: bool,
    pub(crate) flags: BodyFlags,
    pub(crate) order: u32,
    pub(crate) first_collider: u32,
    pub(crate) gravity_scale: Fx,
    pub(crate) linear_damping: Fx,
    pub(crate) angular_damping: Fx,
    pub(crate) mass_override: Option<Fx>,
    pub(crate) target: Option<Pose>,
    pub(crate) user_data: u64,
    pub(crate) mass: BodyMass,
}

impl Body {
    /// A slot that nobody owned yet.
    pub(crate) const VACANT: Self = Self {
        generation: 0,
        alive: false,
        kind: BodyKind::Fixed,
        can_sleep: false,
        flags: BodyFlags::NONE,
        order: 0,
        first_collider: NONE,
        gravity_scale: Fx::ZERO,
        linear_damping: Fx::ZERO,
        angular_damping: Fx::ZERO,
        mass_override: None,
        target: None,
        user_data: 0,
        mass: BodyMass::NONE,
    };

    /// Whether the solver may move it.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.kind == BodyKind::Dynamic
    }

    /// Whether nothing but a command moves it.
    pub(crate) fn is_fixed(&self) -> bool {
        self.kind == BodyKind::Fixed
    }

    /// The highest angular speed at which no point of it is faster than the world allows.
    pub(crate) fn most_turn(&self, config: &WorldConfig) -> Fx {
        let (most, extent) = (config.max_angular_speed, self.mass.extent);
        if extent <= Fx::ONE { most } else { most.min(config.max_linear_speed / extent) }
    }

    /// At least as much as the speed of any point of it: of a kinematic one, whose shape may reach farther, the greatest.
    #[inline]
    pub(crate) fn greatest_speed(&self, motion: &Motion) -> Fx {
        if self.kind == BodyKind::Kinematic {
            return Fx::MAX;
        }
        let (linear, angular, extent) = (motion.linear_velocity, motion.angular_velocity, self.mass.extent);
        let magnitude = |x: Fx| x.to_bits().unsigned_abs();
        let (a, b, c) = (magnitude(linear.x), magnitude(linear.y), magnitude(linear.z));
        let (d, e, f) = (magnitude(angular.x), magnitude(angular.y), magnitude(angular.z));
        if (a | b | c | d | e | f | magnitude(extent)) >> 44 == 0 {
            // Both with sixteen bits less, rounded up: products of 59 bits.
            let turned = (((d + e + f) >> 16) + 1) * ((magnitude(extent) >> 16) + 1);
            return Fx::from_bits((a + b + c + turned) as i64);
        }
        let sum = |v: Vec3| v.to_array().into_iter().fold(Fx::ZERO, |sum, x| sum.saturating_add(x.abs()));
        sum(linear).saturating_add(sum(angular).saturating_mul(extent))
    }

    /// The pose of its origin.
    pub(crate) fn pose(&self, motion: &Motion) -> Pose {
        let center = self.mass.center;
        if center == Vec3::ZERO {
            return motion.central_pose();
        }
        Pose::new(motion.rotation, motion.central_pose().transform_point(-center))
    }

    /// Where its centre of mass is if its origin is at a pose; its counterpart is [`pose`](Self::pose).
    pub(crate) const fn central_pose_of(&self, origin: &Pose) -> Pose {
        Pose::new(origin.rotation, origin.transform_point(self.mass.center))
    }
}

/// Positions are within ±2³⁰ m by component.
pub const MAX_COORDINATE: Fx = Fx::from_int(1 << 30);
/// The strongest damping, in 1/s.
pub const MAX_DAMPING: Fx = fx!(1000);
/// The greatest factor of gravity.
pub const MAX_GRAVITY_SCALE: Fx = fx!(100);

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::vec3;

    #[test]
    fn arms_lag_by_what_the_body_turned_until_that_is_much() {
        let mut motion = Motion::NONE;
        let turn = vec3(fx!(0.005), fx!(-0.001), fx!(0));
        let lag = |motion: &Motion| motion.lag.map(|x| Fx::from_bits(x.into()));
        for ticks in 1..=3 {
            motion.turned_by(turn);
            assert_eq!(lag(&motion), (turn * Fx::from_int(ticks)).to_array());
        }
        // 0.02 rad.
        motion.turned_by(turn);
        assert_eq!(motion.lag, [0; 3]);
        motion.turned_by(turn);
        motion.turned_by(-turn);
        assert_eq!(motion.lag, [0; 3]);
        motion.turned_by(Vec3::splat(Fx::MIN));
        assert_eq!(motion.lag, [0; 3]);
    }
}
