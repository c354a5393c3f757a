//! [`Chunk`]: ticks that are stored together.
//!
//! The content of a `TICK` block, little-endian; the block's header has the first tick and their number *n*:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | how many bytes the events have |
//! | 4 | how many bytes the traces have |
//! | *n* | flags of each tick: 1 with a hash, 2 with a trace |
//! | | events of all ticks, as `events` has them |
//! | 16 each | hashes of the ticks that have one |
//! | | traces of the ticks that have one, as `traces` has them |
//!
//! The hash and the trace of tick *t* are of the state after it, so of the state of tick *t* + 1.

mod events;
mod traces;

use events::Events;
pub use events::{FrameEvents, Inputs};
pub(crate) use events::{PlayerInputs, check_commands, check_inputs, put_commands};
pub(crate) use traces::{check_trace, put_trace};

use crate::block::Block;
use crate::codec::{Reason, Source};
use crate::error::LogError;
use crate::header::{Header, LogKind};
use isostep_step::Trace;
use traces::take_trace;

/// The tick has a hash.
pub(crate) const HASHED: u8 = 1;
/// The tick has a trace.
pub(crate) const TRACED: u8 = 2;

/// What happens in one tick, and what the state was after it.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The tick: the state before it is the state of this tick.
    pub tick: u64,
    /// What is done to the world, or by the players, before the step.
    pub events: FrameEvents<'a>,
    /// The hash of the state after the step, if the log has it.
    pub hash: Option<u128>,
}

/// Ticks that are stored together.
#[derive(Clone, Debug)]
pub struct Chunk {
    first: u64,
    events: Events,
    hashes: Vec<Option<u128>>,
    traced: Vec<bool>,
    traces: Vec<u8>,
    block: Block,
}

impl Chunk {
    /// # Errors
    /// If the content makes no sense.
    pub(crate) fn decode(stored: &[u8], block: Block, header: &Header) -> Result<Self, LogError> {
        let content = block.content(stored)?;
        Self::of_content(&content, block, header).map_err(|reason| block.invalid(reason))
    }

    fn of_content(content: &[u8], block: Block, header: &Header) -> Result<Self, Reason> {
        let mut source = Source(content);
        let [events, traces] = [source.u32()?, source.u32()?];
        let flags = source.bytes(block.ticks as usize)?;
        if flags.iter().any(|flags| flags & !(HASHED | TRACED) != 0) {
            return Err("a tick has unknown flags");
        }
        let events = Source(source.bytes(events as usize)?);
        let events = match header.kind {
            LogKind::Commands { .. } => Events::commands(events, block.ticks)?,
            LogKind::Inputs { .. } => Events::inputs(events, block.ticks, header.players)?,
        };
        let hash = |flags: &u8| if flags & HASHED == 0 { Ok(None) } else { source.u128().map(Some) };
        let hashes = flags.iter().map(hash).collect::<Result<_, _>>()?;
        let traced = flags.iter().map(|flags| flags & TRACED != 0).collect();
        let traces = source.bytes(traces as usize)?.to_vec();
        source.end()?;
        Ok(Self { first: block.tick, events, hashes, traced, traces, block })
    }

    /// Its first tick.
    #[must_use]
    pub const fn first_tick(&self) -> u64 {
        self.first
    }

    /// The tick after its last one.
    #[must_use]
    pub fn end_tick(&self) -> u64 {
        self.first + self.hashes.len() as u64
    }

    /// A tick of it; none outside.
    #[must_use]
    pub fn frame(&self, tick: u64) -> Option<Frame<'_>> {
        let index = usize::try_from(tick.checked_sub(self.first)?).ok()?;
        let hash = *self.hashes.get(index)?;
        Some(Frame { tick, events: self.events.of(index), hash })
    }

    /// All of its ticks.
    pub fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        (self.first..self.end_tick()).filter_map(|tick| self.frame(tick))
    }

    /// The trace of the state after a tick; none if the log has none.
    ///
    /// # Errors
    /// If the traces make no sense.
    pub fn trace_after(&self, tick: u64) -> Result<Option<Trace>, LogError> {
        let Some(index) = tick.checked_sub(self.first).and_then(|index| usize::try_from(index).ok()) else {
            return Ok(None);
        };
        if self.traced.get(index) != Some(&true) {
            return Ok(None);
        }
        let (mut trace, mut source) = (Trace::default(), Source(&self.traces));
        for _ in self.traced[..=index].iter().filter(|&&traced| traced) {
            take_trace(&mut source, &mut trace).map_err(|reason| self.block.invalid(reason))?;
        }
        Ok(Some(trace))
    }
}
