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

pub(crate) use edit::mass_of_shapes;
pub use queries::{ColliderCastHit, ColliderNearest, ColliderRayHit, Queries, QueryFilter};
pub use read::{BodyView, ColliderView, ContactManifold, ContactView, JointView, ManifoldPoint};
pub use step::StepProfile;

use crate::command::{Command, CommandError, Outcome};
use crate::config::{ConfigError, WorldConfig};
use crate::event::Event;
use crate::parallel::Crew;
#[cfg(feature = "parallel")]
use crate::solver::bodies::SHARED_BODIES;
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
#[derive(Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) derived: Derived,
    scratch: Scratch,
    events: Vec<Event>,
    tokens: Tokens,
    crew: Crew,
}

/// A copy steps as the world does, bit by bit, and makes its own memory for that. To go back to a tick again and again,
/// [`World::save`] and [`World::load`] copy less.
// Not derived: that would be inlined, and compiled again by every crate that copies a world.
impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            derived: self.derived.clone(),
            scratch: self.scratch.clone(),
            events: self.events.clone(),
            tokens: self.tokens.clone(),
            crew: self.crew.clone(),
        }
    }
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
            crew: Crew::default(),
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
    ///
    /// With the feature `parallel` several threads share the work of a large world: those of the rayon pool that the
    /// caller is in, or else of the global one. The bits are the same for any number of them
    /// (`World::set_max_threads`). The caller begins at once and waits for no thread that has other work.
    /// Outside of a pool, a step that calls for help allocates a few words for each helper; any other step of a world that
    /// is warm allocates nothing.
    pub fn step(&mut self) {
        #[cfg(feature = "parallel")]
        if self.has_company() {
            let (company, threads) = self.crew.gather();
            return company.lead(threads, || self.advance(None));
        }
        self.advance(None);
    }

    /// Advances by one tick, and says where the time went. Only with a clock: `now` gives nanoseconds since any
    /// moment.
    pub fn step_with_profile(&mut self, now: &mut dyn FnMut() -> u64) -> StepProfile {
        let mut profile = StepProfile::default();
        #[cfg(feature = "parallel")]
        if self.has_company() {
            let (company, threads) = self.crew.gather();
            // The clock stays in this thread.
            company.lead_from_here(threads, || self.advance(Some((now, &mut profile))));
            return profile;
        }
        self.advance(Some((now, &mut profile)));
        profile
    }

    /// Lets at most so many threads work on a step, where a rayon pool has as many: 1 is the caller alone, and 0 counts as
    /// 1. Without a call there is no limit but the pool, and 16.
    ///
    /// This is no state: it is in no snapshot and no hash, and no bit depends on it. A clone of the world has the same
    /// limit.
    #[cfg(feature = "parallel")]
    pub fn set_max_threads(&mut self, threads: usize) {
        self.crew.limit(threads);
    }

    /// Lets threads share all there is, however little, in the smallest parts: for tests with small worlds.
    #[cfg(feature = "parallel")]
    #[doc(hidden)]
    pub fn share_everything(&mut self) {
        self.crew.be_eager();
    }

    /// Lets contacts be neighbours of others in the lanes of the solver, as chance has it, or for 0 in the world's order. No
    /// bit may depend on it: for tests of that.
    #[doc(hidden)]
    pub fn shuffle_lanes(&mut self, seed: u32) {
        self.scratch.coloring.shuffle = Some(seed);
    }

    /// Divides the world into slabs of as few bodies, however few contacts it has: for tests with small worlds. Bits depend
    /// on it.
    #[doc(hidden)]
    pub fn divide_into_slabs(&mut self, least_bodies: u32) {
        self.scratch.divide_into_slabs(least_bodies);
    }

    /// Whether other threads are to help with the step from its beginning to its end.
    #[cfg(feature = "parallel")]
    fn has_company(&self) -> bool {
        self.crew.shares(self.derived.awake.len(), SHARED_BODIES)
            || self.crew.shares(self.state.contacts.pairs.len(), step::SHARED_CONTACTS)
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
