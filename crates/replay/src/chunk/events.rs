//! What happens in ticks: commands, or inputs of players.
//!
//! * Commands: of each tick their number in 4 bytes, then each by bincode.
//! * Inputs: of each tick a bit for each player, the first player's the lowest of the first byte, in as many bytes as
//!   that takes: set if the input differs from the one of the tick before; in the first tick of a chunk, from one
//!   without bytes. Then, of each player whose bit is set, the length in 2 bytes and the bytes.

use crate::codec::{Reason, Source, put};
use crate::error::WriteError;
use crate::limits::{MAX_CHUNK_COMMANDS, MAX_INPUT_BYTES};
use isostep_step::Command;

/// What happens in a tick before its step.
#[derive(Clone, Copy, Debug)]
pub enum FrameEvents<'a> {
    /// In this order.
    Commands(&'a [Command]),
    /// Of each player.
    Inputs(Inputs<'a>),
}

impl<'a> FrameEvents<'a> {
    /// The commands; none in a log of inputs.
    #[must_use]
    pub const fn commands(&self) -> &'a [Command] {
        match self {
            Self::Commands(commands) => commands,
            Self::Inputs(_) => &[],
        }
    }

    /// The inputs; none in a log of commands.
    #[must_use]
    pub const fn inputs(&self) -> Inputs<'a> {
        match self {
            Self::Commands(_) => Inputs { bytes: &[], places: &[] },
            Self::Inputs(inputs) => *inputs,
        }
    }
}

/// The inputs of all players in a tick.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    bytes: &'a [u8],
    /// Where each begins, and how long it is.
    places: &'a [(u32, u16)],
}

impl<'a> Inputs<'a> {
    /// How many players there are.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.places.len()
    }

    /// What a player did; nothing of one that there is not.
    #[must_use]
    pub fn of(&self, player: usize) -> &'a [u8] {
        let Some(&(start, length)) = self.places.get(player) else { return &[] };
        &self.bytes[start as usize..start as usize + usize::from(length)]
    }

    /// Of all players, by number.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + 'a {
        let inputs = *self;
        (0..self.players()).map(move |player| inputs.of(player))
    }
}

/// What happens in the ticks of a chunk.
#[derive(Clone, Debug)]
pub(crate) enum Events {
    Commands {
        commands: Vec<Command>,
        /// Of each tick: where its commands end.
        ends: Vec<u32>,
    },
    Inputs {
        bytes: Vec<u8>,
        /// Of each tick and player.
        places: Vec<(u32, u16)>,
        players: usize,
    },
}

impl Events {
    pub(super) fn commands(mut source: Source<'_>, ticks: u32) -> Result<Self, Reason> {
        let (mut commands, mut ends) = (Vec::new(), Vec::with_capacity(ticks as usize));
        for _ in 0..ticks {
            let count = source.u32()?;
            if count > MAX_CHUNK_COMMANDS - commands.len() as u32 {
                return Err("it has too many commands");
            }
            for _ in 0..count {
                commands.push(source.value()?);
            }
            ends.push(commands.len() as u32);
        }
        source.end()?;
        Ok(Self::Commands { commands, ends })
    }

    pub(super) fn inputs(mut source: Source<'_>, ticks: u32, players: u32) -> Result<Self, Reason> {
        let (all, players) = (source.0, players as usize);
        let mut places = Vec::with_capacity(ticks as usize * players);
        let mut last = vec![(0, 0); players];
        for _ in 0..ticks {
            let changed = source.bytes(players.div_ceil(8))?;
            for (player, last) in last.iter_mut().enumerate() {
                if changed[player / 8] >> (player % 8) & 1 == 1 {
                    let length = source.u16()?;
                    if u32::from(length) > MAX_INPUT_BYTES {
                        return Err("an input is too long");
                    }
                    *last = ((all.len() - source.0.len()) as u32, length);
                    source.bytes(usize::from(length))?;
                }
            }
            if players % 8 != 0 && changed[players / 8] >> (players % 8) != 0 {
                return Err("a player has an input that there is not");
            }
            places.extend_from_slice(&last);
        }
        source.end()?;
        Ok(Self::Inputs { bytes: all.to_vec(), places, players })
    }

    /// Of one tick, by its place in the chunk, which has it.
    pub(super) fn of(&self, index: usize) -> FrameEvents<'_> {
        match self {
            Self::Commands { commands, ends } => {
                let start = index.checked_sub(1).map_or(0, |before| ends[before]);
                FrameEvents::Commands(&commands[start as usize..ends[index] as usize])
            }
            Self::Inputs { bytes, places, players } => {
                let places = &places[index * players..(index + 1) * players];
                FrameEvents::Inputs(Inputs { bytes, places })
            }
        }
    }
}

/// Adds the commands of a tick.
pub(crate) fn put_commands(bytes: &mut Vec<u8>, commands: &[Command]) {
    bytes.extend_from_slice(&(commands.len() as u32).to_le_bytes());
    commands.iter().for_each(|command| put(bytes, command));
}

/// Adds the inputs of a tick; `last` has those of the tick before, and then these.
pub(crate) fn put_inputs<I: AsRef<[u8]>>(bytes: &mut Vec<u8>, inputs: &[I], last: &mut [Vec<u8>]) {
    let mask = bytes.len();
    bytes.resize(mask + inputs.len().div_ceil(8), 0);
    for (player, (input, last)) in inputs.iter().zip(last).enumerate() {
        let input = input.as_ref();
        if input != last {
            bytes[mask + player / 8] |= 1 << (player % 8);
            bytes.extend_from_slice(&(input.len() as u16).to_le_bytes());
            bytes.extend_from_slice(input);
            last.clear();
            last.extend_from_slice(input);
        }
    }
}

/// # Errors
/// If there is not one for each player, or one is too long.
pub(crate) fn check_inputs<I: AsRef<[u8]>>(inputs: &[I], players: u32) -> Result<(), WriteError> {
    if inputs.len() != players as usize {
        return Err(WriteError::Players { expected: players, found: inputs.len() });
    }
    let longest = inputs.iter().map(|input| input.as_ref().len() as u64).max().unwrap_or(0);
    if longest > u64::from(MAX_INPUT_BYTES) {
        let max = MAX_INPUT_BYTES.into();
        return Err(WriteError::TooMuch { what: "bytes of an input", found: longest, max });
    }
    Ok(())
}
