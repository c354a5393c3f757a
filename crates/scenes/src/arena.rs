//! A demo game: up to eight players run, jump, push, throw, shoot and swing on hooks among crates, ramps, moving
//! platforms, doors, seesaws and a rope bridge, after a ball and pick-ups.
//!
//! It shows how a game stands on a world. All that it does to the world are commands, given before the step of the
//! tick; what it reads are views, queries and the events of that step. What it keeps beside the world is one small
//! [`ArenaState`], so a rollback saves and loads both ([`ArenaSnapshot`]) and nothing else.
//!
//! * `input`: what travels over the network, three bytes a player and tick;
//! * `state`: what the game keeps, its bytes and its hash;
//! * `map`: what stands where;
//! * `mechanisms`: what moves on joints;
//! * `play`: what players do; `shots`: what they shoot and throw; `hook`: what they swing on;
//! * `props`: platforms and pick-ups; `referee`: what the events of a step mean;
//! * `tag`: what a body is;
//! * `bots`: seeded players;
//! * `replay`: how logs of inputs record and replay it.

mod bots;
mod hook;
mod input;
mod map;
mod mechanisms;
mod play;
mod props;
mod referee;
mod replay;
mod shots;
mod state;
mod tag;

pub use bots::Bots;
pub use input::{Buttons, PlayerInput};
pub use map::field;
pub use state::{ArenaError, ArenaSnapshot, ArenaState, MAX_PLAYERS, PlayerState};
pub use tag::Tag;

use isostep_step::{BodyHandle, Command, Outcome, World};

/// A running game.
///
/// ```
/// use isostep_scenes::arena::{Arena, Buttons, PlayerInput};
///
/// let mut arena = Arena::new(2, 7);
/// let run = PlayerInput { x: 127, z: 0, buttons: Buttons::JUMP };
/// for _ in 0..60 {
///     arena.tick(&[run, PlayerInput::default()]);
/// }
/// let before = arena.snapshot();
/// arena.tick(&[run, run]);
/// let hash = arena.hash();
/// arena.load(&before);
/// arena.tick(&[run, run]);
/// assert_eq!(arena.hash(), hash);
/// ```
#[derive(Clone, Debug)]
pub struct Arena {
    world: World,
    state: ArenaState,
    commands: Vec<Command>,
}

impl Arena {
    /// A game for a number of players, held to 1 and [`MAX_PLAYERS`]. The seed says where pick-ups come.
    #[must_use]
    pub fn new(players: usize, seed: u64) -> Self {
        map::build(players.clamp(1, MAX_PLAYERS), seed)
    }

    /// A game in the state of a snapshot.
    #[must_use]
    pub fn from_snapshot(snapshot: &ArenaSnapshot) -> Self {
        let world = World::from_snapshot(&snapshot.world);
        Self { world, state: snapshot.state.clone(), commands: Vec::new() }
    }

    /// Advances by a tick. Players without an input do nothing; inputs without a player count for nothing.
    pub fn tick(&mut self, inputs: &[PlayerInput]) {
        self.commands.clear();
        self.bring_back();
        self.move_platforms();
        for player in 0..self.state.players.len() {
            self.play(player, inputs.get(player).copied().unwrap_or_default());
        }
        self.clear_shots();
        self.place_pick_ups();
        self.world.step();
        self.judge();
        self.forget_lost_ropes();
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// What the game keeps beside the world.
    #[must_use]
    pub const fn state(&self) -> &ArenaState {
        &self.state
    }

    /// The commands that the last tick gave to the world, all of them before its step. A log of these replays without
    /// the game, a log of inputs with it.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// A hash over the world and the game.
    #[must_use]
    pub fn hash(&self) -> u128 {
        state::hash_of(self.world.state_hash(), &self.state)
    }

    /// Saves world and game, and copies only what changed since the snapshot was saved before.
    pub fn save(&self, snapshot: &mut ArenaSnapshot) {
        self.world.save(&mut snapshot.world);
        snapshot.state.clone_from(&self.state);
    }

    /// World and game as a snapshot of its own.
    #[must_use]
    pub fn snapshot(&self) -> ArenaSnapshot {
        ArenaSnapshot { world: self.world.snapshot(), state: self.state.clone() }
    }

    /// Goes back, or forth, to the state of a snapshot.
    pub fn load(&mut self, snapshot: &ArenaSnapshot) {
        self.world.load(&snapshot.world);
        self.state.clone_from(&snapshot.state);
        self.commands.clear();
    }

    /// The one way to the world. A command that it refuses, as one to a body that is gone, does nothing.
    fn command(&mut self, command: Command) -> Option<Outcome> {
        let outcome = self.world.apply(&command).ok()?;
        self.commands.push(command);
        Some(outcome)
    }

    fn add_body(
        &mut self,
        body: isostep_step::BodyDef,
        collider: isostep_step::ColliderDef,
    ) -> Option<BodyHandle> {
        let Some(Outcome::Body(handle)) = self.command(Command::AddBody(body)) else { return None };
        self.command(Command::AddCollider { body: handle, collider })?;
        Some(handle)
    }
}
