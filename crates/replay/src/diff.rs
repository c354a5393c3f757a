//! [`diff`]: the first thing in which two logs differ.

use crate::chunk::{Chunk, Frame, FrameEvents};
use crate::difference::{NumberAt, TraceComparison, numbers_at};
use crate::divergence::{put_last_equal, put_place};
use crate::error::LogError;
use crate::hash_stream::HashStream;
use crate::header::Header;
use crate::log::{ChunkCache, Log};
use crate::player::{PlayError, Player, check_kind};
use crate::simulation::Simulation;
use isostep_step::{Command, Difference, Trace, Tracer};
use std::fmt;
use std::sync::Arc;

/// The first thing in which two logs differ, the first log's side on the left.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LogDifference {
    /// They are of different things: nothing else was compared.
    Header {
        /// The field of the header.
        field: &'static str,
        /// Its value, as text.
        left: String,
        /// The other value.
        right: String,
    },
    /// What was done in a tick, all that was done before being equal, and all states before that could be compared.
    Events {
        /// The tick.
        tick: u64,
        /// What.
        events: EventDifference,
    },
    /// What the same commands or inputs led to.
    State(Box<StateDifference>),
    /// One goes on where the other ends.
    Length {
        /// The tick that the first ends with.
        left: u64,
        /// The tick that the second ends with.
        right: u64,
    },
}

/// What was done differently in a tick.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventDifference {
    /// A command.
    Command {
        /// Which of the tick's commands.
        index: usize,
        /// The command; none if there are fewer.
        left: Option<Box<Command>>,
        /// The other one.
        right: Option<Box<Command>>,
    },
    /// The input of a player.
    Input {
        /// The number of the player.
        player: usize,
        /// The bytes.
        left: Vec<u8>,
        /// The other ones.
        right: Vec<u8>,
    },
}

/// A state that differs though all that was done before is equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateDifference {
    /// The tick of the state.
    pub tick: u64,
    /// The last tick before it whose state was compared and equal; none if no state before was compared. What caused the
    /// difference happened after it.
    pub last_equal: Option<u64>,
    /// The hashes, if these show it, and not a keyframe.
    pub hashes: Option<[u128; 2]>,
    /// What the traces that both logs have of the tick say of where the states differ.
    pub trace: TraceComparison,
    /// The numbers that differ, with both values, where the traces and a replay tell them.
    pub numbers: Vec<NumberAt>,
    /// The first field that differs at the first keyframe of both logs from this tick on, and its tick.
    pub keyframe: Option<(u64, Difference)>,
}

/// Why two logs cannot be compared: which of them it is, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The first.
    #[error("the first log: {0}")]
    Left(PlayError),
    /// The second.
    #[error("the second log: {0}")]
    Right(PlayError),
}

fn left_error(error: LogError) -> DiffError {
    DiffError::Left(error.into())
}

fn right_error(error: LogError) -> DiffError {
    DiffError::Right(error.into())
}

/// The first thing in which two logs differ; none if they are equal as far as they can be compared.
///
/// It compares what the logs hold, and replays nothing: [`StateDifference::numbers`] and
/// [`StateDifference::keyframe`] stay empty. See [`diff_with`].
///
/// # Errors
/// If one of the logs makes no sense somewhere before the first difference. Logs that end early are compared as far as
/// they go.
pub fn diff(left: &Log, right: &Log) -> Result<Option<LogDifference>, DiffError> {
    if let Some(difference) = header_difference(left.header(), right.header()) {
        return Ok(Some(difference));
    }
    let mut found = first_in_ticks(left, right)?;
    // A keyframe may show it earlier than a hash.
    let until = match &found {
        Some(LogDifference::Events { tick, .. }) => *tick,
        Some(LogDifference::State(state)) => state.tick - 1,
        Some(LogDifference::Header { .. } | LogDifference::Length { .. }) | None => {
            left.end_tick().min(right.end_tick())
        }
    };
    let (other_keyframe, all_are_read) = match first_in_keyframes(left, right, until) {
        Ok(other) => (other, true),
        // What is found is told, whatever may be wrong before.
        Err(_) if found.is_some() => (None, false),
        Err(error) => return Err(error),
    };
    if let Some(tick) = other_keyframe {
        let state = StateDifference { tick, ..StateDifference::default() };
        found = Some(LogDifference::State(Box::new(state)));
    }
    if found.is_none() {
        found = last_difference(left, right);
    }
    if let Some(LogDifference::State(state)) = &mut found {
        let before =
            common_keyframes(left, right).map(|(tick, _)| tick).take_while(|&tick| tick < state.tick);
        let last_keyframe = before.last().filter(|_| all_are_read);
        state.last_equal = last_hashed(left, right, state.tick).max(last_keyframe);
    }
    Ok(found)
}

/// The first thing in which two logs differ, and where it is a state, the field with both values: of a number that
/// traces tell, by replaying the first log up to there from its nearest keyframe; or of the first keyframe from there on.
/// Where a log cannot be read or replayed that far, the field stays unknown.
///
/// # Errors
/// If one of the logs makes no sense somewhere before the first difference, or is none of this simulation.
pub fn diff_with<S: Simulation>(
    left: &Arc<Log>,
    right: &Arc<Log>,
) -> Result<Option<LogDifference>, DiffError> {
    let mut found = diff(left, right)?;
    if let Some(LogDifference::State(state)) = &mut found {
        check_kind(&left.header().kind, S::RECORDED).map_err(DiffError::Left)?;
        state.numbers = traced_numbers::<S>(left, right, state.tick).unwrap_or_default();
        state.keyframe = keyframe_difference::<S>(left, right, state.tick);
    }
    Ok(found)
}

/// The numbers that differ in a tick, if both logs have a trace of it and the first can be replayed up to it.
fn traced_numbers<S: Simulation>(left: &Arc<Log>, right: &Log, tick: u64) -> Option<Vec<NumberAt>> {
    let traces = (trace_of(left, tick).ok()??, trace_of(right, tick).ok()??);
    let mut player = Player::<S>::new(Arc::clone(left)).ok()?;
    player.seek(tick).ok()?;
    let mut tracer = Tracer::new();
    let known = tracer.trace(player.world());
    Some(numbers_at(player.world(), known, &traces.0, &traces.1))
}

/// The first state of a log that is not the one in a stream of hashes; none if all that both have are equal. The same as
/// [`HashStream::difference`] of the log's own.
///
/// # Errors
/// If the log makes no sense somewhere.
pub fn diff_hashes(log: &Log, stream: &HashStream) -> Result<Option<StateDifference>, LogError> {
    Ok(HashStream::of_log(log)?.difference(stream))
}

fn header_difference(left: &Header, right: &Header) -> Option<LogDifference> {
    let of = |field, left: &dyn fmt::Debug, right: &dyn fmt::Debug| {
        Some(LogDifference::Header { field, left: format!("{left:?}"), right: format!("{right:?}") })
    };
    if left.kind != right.kind {
        return of("kind", &left.kind, &right.kind);
    }
    if left.tick_rate != right.tick_rate {
        return of("tick_rate", &left.tick_rate, &right.tick_rate);
    }
    if left.players != right.players {
        return of("players", &left.players, &right.players);
    }
    if left.seed != right.seed {
        return of("seed", &left.seed, &right.seed);
    }
    if left.first_tick != right.first_tick {
        return of("first_tick", &left.first_tick, &right.first_tick);
    }
    None
}

/// Goes through the ticks of a log, chunk by chunk.
struct Cursor<'a> {
    log: &'a Log,
    chunk: ChunkCache,
}

impl<'a> Cursor<'a> {
    fn new(log: &'a Log) -> Self {
        Self { log, chunk: ChunkCache::default() }
    }

    fn chunk(&mut self, tick: u64) -> Result<Option<&Chunk>, LogError> {
        self.chunk.at(self.log, tick)
    }

    /// Whether there is a hash of a state; not if nobody knows.
    fn is_hashed(&mut self, state: u64) -> bool {
        let Some(frame) = state.checked_sub(1) else { return false };
        let log = self.log;
        let chunk = self.chunk(frame).ok().flatten();
        chunk.and_then(|chunk| hash_after(log, &chunk.frame(frame)?)).is_some()
    }
}

/// The hash of the state after a frame: where that has none, but is the last one, what the log was finished with.
fn hash_after(log: &Log, frame: &Frame<'_>) -> Option<u128> {
    frame.hash.or_else(|| log.last_hash_at(frame.tick + 1))
}

/// The first tick with other events, or with another state after it.
fn first_in_ticks(left: &Log, right: &Log) -> Result<Option<LogDifference>, DiffError> {
    let mut cursors = [left, right].map(Cursor::new);
    let mut tick = left.first_tick();
    loop {
        // Most chunks of two logs of one match are the same bytes.
        if let Some(end) = left.same_chunk(right, tick) {
            tick = end;
            continue;
        }
        let [a, b] = &mut cursors;
        let chunks = (a.chunk(tick).map_err(left_error)?, b.chunk(tick).map_err(right_error)?);
        let (Some(a), Some(b)) = chunks else { return Ok(None) };
        let end = a.end_tick().min(b.end_tick());
        while tick < end {
            let (Some(one), Some(other)) = (a.frame(tick), b.frame(tick)) else { return Ok(None) };
            if let Some(events) = event_difference(&one, &other) {
                return Ok(Some(LogDifference::Events { tick, events }));
            }
            tick += 1;
            let (Some(one), Some(other)) = (hash_after(left, &one), hash_after(right, &other)) else {
                continue;
            };
            if one != other {
                let trace = match (a.trace_after(tick - 1), b.trace_after(tick - 1)) {
                    (Ok(Some(one)), Ok(Some(other))) => TraceComparison::of(&one, &other),
                    (Err(error), Ok(Some(_)) | Err(_)) | (Ok(Some(_)), Err(error)) => {
                        TraceComparison::Unreadable(error)
                    }
                    _ => TraceComparison::Untraced,
                };
                return Ok(Some(LogDifference::State(Box::new(StateDifference {
                    tick,
                    hashes: Some([one, other]),
                    trace,
                    ..StateDifference::default()
                }))));
            }
        }
    }
}

fn event_difference(left: &Frame<'_>, right: &Frame<'_>) -> Option<EventDifference> {
    match (&left.events, &right.events) {
        (FrameEvents::Commands(left), FrameEvents::Commands(right)) => {
            let count = left.len().max(right.len());
            let index = (0..count).find(|&index| left.get(index) != right.get(index))?;
            let [left, right] = [left, right].map(|commands| commands.get(index).copied().map(Box::new));
            Some(EventDifference::Command { index, left, right })
        }
        _ => {
            let [left, right] = [left.events.inputs(), right.events.inputs()];
            let player = (0..left.players().max(right.players()))
                .find(|&player| left.of(player) != right.of(player))?;
            Some(EventDifference::Input {
                player,
                left: left.of(player).to_vec(),
                right: right.of(player).to_vec(),
            })
        }
    }
}

/// Of the keyframes up to a tick that both logs have, the tick of the first one that differs.
fn first_in_keyframes(left: &Log, right: &Log, until: u64) -> Result<Option<u64>, DiffError> {
    for (tick, [a, b]) in common_keyframes(left, right) {
        if tick > until {
            break;
        }
        if left.keyframe(a).map_err(left_error)? != right.keyframe(b).map_err(right_error)? {
            return Ok(Some(tick));
        }
    }
    Ok(None)
}

/// The ticks of the keyframes that both logs have, and their places in each.
fn common_keyframes<'a>(left: &'a Log, right: &'a Log) -> impl Iterator<Item = (u64, [usize; 2])> + 'a {
    let mut others = right.keyframes().enumerate().peekable();
    left.keyframes().enumerate().filter_map(move |(index, info)| {
        while others.next_if(|(_, other)| other.tick < info.tick).is_some() {}
        let (other, _) = others.peek().filter(|(_, other)| other.tick == info.tick)?;
        Some((info.tick, [index, *other]))
    })
}

/// The last tick before one that differs first of whose state both logs have a hash: so it is equal.
fn last_hashed(left: &Log, right: &Log, before: u64) -> Option<u64> {
    let [mut a, mut b] = [left, right].map(Cursor::new);
    (left.first_tick() + 1..before).rev().find(|&tick| a.is_hashed(tick) && b.is_hashed(tick))
}

/// What differs at the ends of logs that are equal up to there.
fn last_difference(left: &Log, right: &Log) -> Option<LogDifference> {
    let [a, b] = [left.end_tick(), right.end_tick()];
    if a != b {
        return Some(LogDifference::Length { left: a, right: b });
    }
    let hashes = [left.last_hash()?, right.last_hash()?];
    (hashes[0] != hashes[1]).then(|| {
        let state = StateDifference { tick: a, hashes: Some(hashes), ..StateDifference::default() };
        LogDifference::State(Box::new(state))
    })
}

fn trace_of(log: &Log, tick: u64) -> Result<Option<Trace>, LogError> {
    let Some(before) = tick.checked_sub(1) else { return Ok(None) };
    match log.chunk_of(before) {
        Some(index) => log.chunk(index)?.trace_after(before),
        None => Ok(None),
    }
}

/// The first field that differs at the first keyframe that both logs have from a tick on, if both can be loaded.
fn keyframe_difference<S: Simulation>(left: &Log, right: &Log, from: u64) -> Option<(u64, Difference)> {
    let (tick, [a, b]) = common_keyframes(left, right).find(|&(tick, _)| tick >= from)?;
    let load = |log: &Log, index: usize| {
        let state = log.keyframe(index).ok()?;
        let mut simulation = S::start(log.header()).ok()?;
        simulation.load(&state).ok()?;
        Some(simulation.world().snapshot())
    };
    let difference = load(left, a)?.difference(&load(right, b)?)?;
    Some((tick, difference))
}

impl fmt::Display for LogDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { field, left, right } => write!(f, "{field} of the header: {left} against {right}"),
            Self::Events { tick, events } => write!(f, "tick {tick}: {events}"),
            Self::State(state) => state.fmt(f),
            Self::Length { left, right } => {
                write!(f, "one ends with tick {left}, the other with tick {right}")
            }
        }
    }
}

impl fmt::Display for EventDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command { index, left, right } => {
                let text = |command: &Option<Box<Command>>| {
                    command.as_ref().map_or("none".into(), |command| format!("{command:?}"))
                };
                write!(f, "command {index}: {} against {}", text(left), text(right))
            }
            Self::Input { player, left, right } => {
                write!(f, "input of player {player}: {left:02x?} against {right:02x?}")
            }
        }
    }
}

impl fmt::Display for StateDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, last_equal, hashes, trace, numbers, keyframe } = self;
        write!(f, "tick {tick}")?;
        if let Some([left, right]) = hashes {
            write!(f, ": hash {left:032x} against {right:032x}")?;
        }
        put_last_equal(f, *last_equal)?;
        put_place(f, trace, numbers, keyframe.as_ref())
    }
}
