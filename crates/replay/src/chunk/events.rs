//! What happens in ticks: commands, or inputs of players.
//!
//! * Commands: of each tick their number in 4 bytes, then each by bincode.
//! * Inputs: of each player, the lengths of the inputs in all ticks in 2 bytes each; then, for each place in an input up
//!   to the longest, the bytes in that place of all ticks whose inputs have it, each as its difference to the one before
//!   it, modulo 256, the first one's to 0. Sticks and buttons change little and seldom, so these are mostly zeros.

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
        let (ticks, players) = (ticks as usize, players as usize);
        if source.0.len() < 2 * ticks * players {
            return Err("it ends within a length");
        }
        let (mut bytes, mut places) = (Vec::new(), vec![(0, 0); ticks * players]);
        for player in 0..players {
            let mut longer = Vec::with_capacity(ticks);
            let mut end = bytes.len();
            for tick in 0..ticks {
                let length = source.u16()?;
                if u32::from(length) > MAX_INPUT_BYTES {
                    return Err("an input is too long");
                }
                places[tick * players + player] = (end as u32, length);
                longer.push((end, usize::from(length)));
                end += usize::from(length);
            }
            if end - bytes.len() > source.0.len() {
                return Err("it ends within an input");
            }
            bytes.resize(end, 0);
            for place in 0.. {
                longer.retain(|&(_, length)| length > place);
                if longer.is_empty() {
                    break;
                }
                let mut last = 0_u8;
                for (&(start, _), change) in longer.iter().zip(source.bytes(longer.len())?) {
                    last = last.wrapping_add(*change);
                    bytes[start + place] = last;
                }
            }
        }
        source.end()?;
        Ok(Self::Inputs { bytes, places, players })
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

/// The inputs of one player in the ticks of a chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerInputs {
    lengths: Vec<u16>,
    bytes: Vec<u8>,
}

impl PlayerInputs {
    /// Adds that of a tick, of at most [`MAX_INPUT_BYTES`].
    pub(crate) fn push(&mut self, input: &[u8]) {
        self.lengths.push(input.len() as u16);
        self.bytes.extend_from_slice(input);
    }

    pub(crate) fn clear(&mut self) {
        self.lengths.clear();
        self.bytes.clear();
    }

    /// How many bytes [`put`](Self::put) adds.
    pub(crate) fn byte_count(&self) -> usize {
        2 * self.lengths.len() + self.bytes.len()
    }

    /// Adds them to the events of a chunk.
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        let (mut longer, mut end) = (Vec::with_capacity(self.lengths.len()), 0);
        for length in &self.lengths {
            bytes.extend_from_slice(&length.to_le_bytes());
            longer.push((end, usize::from(*length)));
            end += usize::from(*length);
        }
        for place in 0.. {
            longer.retain(|&(_, length)| length > place);
            if longer.is_empty() {
                break;
            }
            let mut last = 0_u8;
            for (start, _) in &longer {
                let byte = self.bytes[start + place];
                bytes.push(byte.wrapping_sub(last));
                last = byte;
            }
        }
    }
}

/// # Errors
/// If a tick cannot have so many.
pub(crate) fn check_commands(count: usize) -> Result<(), WriteError> {
    let (found, max) = (count as u64, MAX_CHUNK_COMMANDS.into());
    if found <= max { Ok(()) } else { Err(WriteError::TooMuch { what: "commands of a tick", found, max }) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_any_lengths_come_back() {
        let rows: [[&[u8]; 2]; 4] =
            [[&[], &[1, 2, 3]], [&[9; 5], &[1, 2]], [&[], &[]], [&[200, 1], &[255, 0, 7, 8]]];
        let mut players = [PlayerInputs::default(), PlayerInputs::default()];
        for row in rows {
            players.iter_mut().zip(row).for_each(|(player, input)| player.push(input));
        }
        let mut bytes = Vec::new();
        players.iter().for_each(|player| player.put(&mut bytes));
        assert_eq!(bytes.len(), players.iter().map(PlayerInputs::byte_count).sum::<usize>());
        let events = Events::inputs(Source(&bytes), 4, 2).unwrap();
        for (tick, row) in rows.iter().enumerate() {
            assert_eq!(events.of(tick).inputs().iter().collect::<Vec<_>>(), row);
        }
        assert!(Events::inputs(Source(&bytes[..bytes.len() - 1]), 4, 2).is_err());
        assert!(Events::inputs(Source(&bytes), 4, 1).is_err());
    }
}
