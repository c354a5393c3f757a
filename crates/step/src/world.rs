//! [`World`]: bodies that move, the door through which they are changed, and the step.
//!
//! `edit` applies commands, `sleep` wakes and puts to sleep, `derived` is what is rebuilt from the state at will, and
//! `step` advances by a tick. `read` has what a user may look at, `queries` what may be asked of
//! space.

pub(crate) mod derived;
mod edit;
mod methods;
mod queries;
mod read;
mod sleep;
mod step;

pub(crate) use edit::{mass_of_shapes, reach};
pub use queries::{ColliderCastHit, ColliderNearest, ColliderRayHit, Queries, QueryFilter};
pub use read::{BodyView, ColliderView, ContactView};
pub use step::StepProfile;

use crate::command::{Command, CommandError, Outcome};
use crate::config::{ConfigError, WorldConfig};
use crate::event::Event;
use crate::state::State;
use crate::tracked::Tokens;
use alloc::vec::Vec;
use derived::Derived;
use step::Scratch;

/// A world of rigid bodies.
///
/// The same commands and steps give the same bits on every machine. All that the future depends on can be saved and
/// loaded ([`save`](Self::save)); a loaded world continues like the one that was saved.
///
/// ```
/// use isostep_collision::{HalfSpace, Sphere};
/// use isostep_math::{Vec3, fx, vec3};
/// use isostep_step::{BodyDef, ColliderDef, World, WorldConfig};
///
/// let mut world = World::new(WorldConfig::default())?;
/// let ground = world.add_body(BodyDef::fixed(Vec3::ZERO))?;
/// world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0))))?;
/// let ball = world.add_body(BodyDef::dynamic(vec3(fx!(0), fx!(2), fx!(0))))?;
/// world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.5))?))?;
/// for _ in 0..120 {
///     world.step();
/// }
/// let height = world.body(ball).unwrap().position().y;
/// assert!(height.abs_diff_eq(fx!(0.5), fx!(0.001)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) derived: Derived,
    scratch: Scratch,
    events: Vec<Event>,
    tokens: Tokens,
}

impl World {
    /// An empty world.
    ///
    /// # Errors
    /// If a field of the configuration is out of its range.
    pub fn new(config: WorldConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Self::empty(config))
    }

    /// An empty world of a configuration that was found valid.
    pub(crate) fn empty(config: WorldConfig) -> Self {
        Self {
            state: State::new(config),
            derived: Derived::default(),
            scratch: Scratch::default(),
            events: Vec::new(),
            tokens: Tokens::new(),
        }
    }

    /// Applies a command.
    ///
    /// # Errors
    /// If the command names what does not exist, or a value that is not allowed; the world is as it was.
    pub fn apply(&mut self, command: &Command) -> Result<Outcome, CommandError> {
        self.edit(command)
    }

    /// Advances by one tick.
    pub fn step(&mut self) {
        self.advance(None);
    }

    /// Advances by one tick, and says where the time went. Only with a clock: `now` gives nanoseconds since any
    /// moment.
    pub fn step_with_profile(&mut self, now: &mut dyn FnMut() -> u64) -> StepProfile {
        let mut profile = StepProfile::default();
        self.advance(Some((now, &mut profile)));
        profile
    }

    pub(crate) fn forget_events(&mut self) {
        self.events.clear();
    }

    /// What the last step had to tell: by kinds in the order of the variants, then by handles. Empty before the
    /// first step, and after a snapshot was loaded.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}
