//! How logs of inputs record and replay the game.

use super::{Arena, ArenaSnapshot, MAX_PLAYERS, PlayerInput};
use isostep_replay::{Frame, Header, Recorded, Simulation, SimulationError};
use isostep_step::World;

impl Arena {
    /// The version of the rules of the game: it changes when the same inputs lead to another game.
    pub const VERSION: u32 = 2;

    /// The name of the game in logs.
    pub const NAME: &'static str = "isostep-arena";

    /// What a log of a game from its start on says of it: [`new`](Self::new) with the same numbers.
    #[must_use]
    pub fn header(players: usize, seed: u64) -> Header {
        let players = players.clamp(1, MAX_PLAYERS) as u32;
        Header::inputs(Self::NAME, Self::VERSION, players, seed)
    }
}

/// ```
/// use isostep_replay::{GameRecorder, Log, Player, WriterOptions};
/// use isostep_scenes::arena::{Arena, Bots, PlayerInput};
///
/// let (mut arena, mut bots) = (Arena::new(2, 7), Bots::new(2, 7));
/// let mut recorder = GameRecorder::new(&arena, Vec::new(), Arena::header(2, 7), WriterOptions::default())?;
/// for _ in 0..120 {
///     let inputs = bots.inputs(&arena);
///     arena.tick(&inputs);
///     let bytes: Vec<_> = inputs.iter().map(|input| input.to_bytes()).collect();
///     recorder.tick(&bytes, &arena)?;
/// }
/// let log = recorder.finish(&arena)?;
///
/// let mut player = Player::<Arena>::new(Log::from_bytes(log)?)?;
/// assert!(player.verify()?.is_identical());
/// assert_eq!(player.state().state(), arena.state());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Simulation for Arena {
    const RECORDED: Recorded = Recorded::Inputs { game: Self::NAME, version: Self::VERSION };

    fn start(header: &Header) -> Result<Self, SimulationError> {
        Ok(Self::new(players(header.players as usize)?, header.seed))
    }

    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
        let inputs = frame.events.inputs();
        let count = players(inputs.players())?;
        let mut decoded = [PlayerInput::default(); MAX_PLAYERS];
        for (player, (input, decoded)) in inputs.iter().zip(&mut decoded).enumerate() {
            let bytes = <[u8; 3]>::try_from(input);
            let bytes =
                bytes.map_err(|_| SimulationError::Input { player, found: input.len(), expected: 3 })?;
            *decoded = PlayerInput::from_bytes(bytes);
        }
        self.tick(&decoded[..count]);
        Ok(())
    }

    fn hash(&self) -> u128 {
        self.hash()
    }

    fn save(&self) -> Vec<u8> {
        self.snapshot().to_bytes()
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
        let snapshot =
            ArenaSnapshot::from_bytes(state).map_err(|error| SimulationError::Game(error.into()))?;
        self.load(&snapshot);
        Ok(())
    }

    fn world(&self) -> &World {
        self.world()
    }
}

/// So many players, if the game has room for them.
fn players(count: usize) -> Result<usize, SimulationError> {
    if count > MAX_PLAYERS {
        return Err(SimulationError::Players { found: count as u32, max: MAX_PLAYERS as u32 });
    }
    Ok(count)
}
