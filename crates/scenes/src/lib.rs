//! Every named scene, one definition each, for tests, benchmarks, the command and a viewer; and a demo game.
//!
//! * [`Scene`]: a name, what it shows, and how to build it in any size. [`Scene::all`] lists them.
//! * [`rooms`]: rooms full of bullets, as many as wanted.
//! * [`arena`]: a game for up to eight players on top of a world, as a game would be built.
//!
//! A file per scene, or for scenes of one kind; `stage` puts bodies into a world, and `random` has the generator of the
//! scenes that other engines were measured on.

mod arch;
pub mod arena;
mod bullets;
mod card_house;
mod cars;
mod chain;
mod cradle;
mod doors;
mod jenga;
mod joint_grid;
mod mixture;
mod pendulum;
mod piles;
mod pyramid;
mod ragdolls;
mod random;
pub mod rooms;
mod scene;
mod slope;
mod stacks;
mod stage;
pub mod tangles;
mod tiny_match;

pub use scene::Scene;
