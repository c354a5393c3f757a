//! [`WorldConfig`]: what holds for a whole world.

use isostep_math::{Fx, Vec3, fx};
use serde::{Deserialize, Serialize};

/// The most ticks a second.
pub const MAX_TICK_RATE: u32 = 1000;
/// The most substeps of a step.
pub const MAX_SUBSTEPS: u32 = 16;
/// The highest linear speed that a world may allow, in m/s: the solver multiplies relative velocities below 2¹⁰.
pub const MAX_LINEAR_SPEED: Fx = fx!(500);
/// The highest angular speed that a world may allow, in rad/s.
pub const MAX_ANGULAR_SPEED: Fx = fx!(500);
/// The strongest gravity by component, in m/s².
pub const MAX_GRAVITY: Fx = fx!(1000);

/// What holds for a whole world. Part of its state, so of its snapshot.
///
/// ```
/// use isostep_math::{Vec3, fx};
/// use isostep_step::{World, WorldConfig};
///
/// let moon = WorldConfig { gravity: Vec3::Y * fx!(-1.62), ..WorldConfig::default() };
/// let world = World::new(moon)?;
/// assert_eq!(world.tick(), 0);
/// # Ok::<(), isostep_step::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WorldConfig {
    /// Steps a second, 1 to [`MAX_TICK_RATE`]. A step advances the world by 1 / `tick_rate`.
    pub tick_rate: u32,
    /// Substeps of a step, 1 to [`MAX_SUBSTEPS`]: more make stiffer stacks, for more time.
    pub substeps: u32,
    /// Acceleration of free fall in m/s², each component at most [`MAX_GRAVITY`].
    pub gravity: Vec3,
    /// The highest linear speed in m/s, above 0 and at most [`MAX_LINEAR_SPEED`]; faster bodies are slowed to it.
    pub max_linear_speed: Fx,
    /// The highest angular speed in rad/s, above 0 and at most [`MAX_ANGULAR_SPEED`]. No point of a body becomes
    /// faster by rotation than `max_linear_speed`.
    pub max_angular_speed: Fx,
    /// The stiffness of contacts as a frequency in Hz; at most a third of the rate of substeps counts.
    pub contact_frequency: Fx,
    /// The damping of contacts as a multiple of the critical one: above 0.5, to 100.
    pub contact_damping_ratio: Fx,
    /// How fast bodies that penetrate are pushed apart at the most, in m/s.
    pub push_speed: Fx,
    /// Slower approaches do not bounce, in m/s.
    pub restitution_threshold: Fx,
    /// Contacts are made from this distance on, in m, above 0 and at most 1.
    pub speculative_margin: Fx,
    /// Whether bodies at rest fall asleep.
    pub sleeping: bool,
    /// Slower bodies count as at rest, in m/s; rotation counts by the speed of the farthest point.
    pub sleep_speed: Fx,
    /// How many ticks an island has to be at rest to fall asleep.
    pub sleep_ticks: u16,
    /// The seed of the world's streams of random numbers.
    pub seed: u64,
}

impl Default for WorldConfig {
    /// 60 ticks a second of four substeps, gravity −9.81 m/s² along y, contacts of 80 Hz with critical
    /// damping, sleep after half a second below 5 cm/s.
    fn default() -> Self {
        Self {
            tick_rate: 60,
            substeps: 4,
            gravity: Vec3::new(Fx::ZERO, fx!(-9.81), Fx::ZERO),
            max_linear_speed: MAX_LINEAR_SPEED,
            max_angular_speed: fx!(200),
            contact_frequency: fx!(80),
            contact_damping_ratio: fx!(1),
            push_speed: fx!(3),
            restitution_threshold: fx!(1),
            speculative_margin: fx!(0.02),
            sleeping: true,
            sleep_speed: fx!(0.05),
            sleep_ticks: 30,
            seed: 0,
        }
    }
}

/// Why a configuration makes no world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A count out of its range.
    #[error("{field} is {value}: it must be from {min} to {max}")]
    Count {
        /// The field.
        field: &'static str,
        /// What it was.
        value: u32,
        /// The least that is allowed.
        min: u32,
        /// The greatest that is allowed.
        max: u32,
    },
    /// A number out of its range.
    #[error("{field} is {value}: it must be above {above} and at most {max}")]
    Number {
        /// The field.
        field: &'static str,
        /// What it was.
        value: Fx,
        /// What it must exceed.
        above: Fx,
        /// The greatest that is allowed.
        max: Fx,
    },
    /// Gravity out of its range.
    #[error("gravity is {value} along {axis}: it must be from -{max} to {max}")]
    Gravity {
        /// The axis.
        axis: &'static str,
        /// What it was along that.
        value: Fx,
        /// The greatest that is allowed in either direction.
        max: Fx,
    },
}

impl WorldConfig {
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        count("tick_rate", self.tick_rate, 1, MAX_TICK_RATE)?;
        count("substeps", self.substeps, 1, MAX_SUBSTEPS)?;
        validate_gravity(self.gravity)?;
        number("max_linear_speed", self.max_linear_speed, Fx::ZERO, MAX_LINEAR_SPEED)?;
        number("max_angular_speed", self.max_angular_speed, Fx::ZERO, MAX_ANGULAR_SPEED)?;
        number("contact_frequency", self.contact_frequency, Fx::ZERO, fx!(4000))?;
        number("contact_damping_ratio", self.contact_damping_ratio, fx!(0.5), fx!(100))?;
        number("push_speed", self.push_speed, Fx::ZERO, fx!(100))?;
        number("restitution_threshold", self.restitution_threshold, Fx::ZERO, MAX_LINEAR_SPEED)?;
        number("speculative_margin", self.speculative_margin, Fx::ZERO, Fx::ONE)?;
        number("sleep_speed", self.sleep_speed, Fx::ZERO, MAX_LINEAR_SPEED)?;
        count("sleep_ticks", u32::from(self.sleep_ticks), 1, u32::from(u16::MAX))
    }

    /// Substeps a second.
    pub(crate) const fn substep_rate(&self) -> u32 {
        self.tick_rate * self.substeps
    }

    /// Ticks a second.
    pub(crate) const fn ticks_per_second(&self) -> Fx {
        Fx::from_int(self.tick_rate as i32)
    }

    /// The length of a tick in s, to nearest.
    pub(crate) const fn tick_period(&self) -> Fx {
        Fx::from_ratio(1, self.tick_rate as i64)
    }

    /// Half the length of a substep in s, to nearest.
    pub(crate) const fn half_substep(&self) -> Fx {
        Fx::from_ratio(1, 2 * self.substep_rate() as i64)
    }
}

/// # Errors
/// If a component exceeds [`MAX_GRAVITY`].
pub(crate) fn validate_gravity(gravity: Vec3) -> Result<(), ConfigError> {
    for (axis, value) in ["x", "y", "z"].into_iter().zip(gravity.to_array()) {
        if value < -MAX_GRAVITY || value > MAX_GRAVITY {
            return Err(ConfigError::Gravity { axis, value, max: MAX_GRAVITY });
        }
    }
    Ok(())
}

fn count(field: &'static str, value: u32, min: u32, max: u32) -> Result<(), ConfigError> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(ConfigError::Count { field, value, min, max }) }
}

fn number(field: &'static str, value: Fx, above: Fx, max: Fx) -> Result<(), ConfigError> {
    if value > above && value <= max { Ok(()) } else { Err(ConfigError::Number { field, value, above, max }) }
}
