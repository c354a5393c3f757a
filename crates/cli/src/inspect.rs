//! `isostep inspect`: what is in a log, and the bodies and joints at a tick of it; `json` has the same as a document.

mod json;

use crate::failure::Failure;
use crate::figures::{bytes, counted, printable, real_time, seconds};
use crate::games::Standing;
use crate::output::{Output, Verdict};
use crate::program::Program;
use crate::tables::{new_list, new_table};
use isostep_math::{Fx, Quat, Vec3};
use isostep_replay::{ChunkInfo, FORMAT_VERSION, FrameEvents, Header, KeyframeInfo, Log, LogError, LogKind};
use isostep_step::{BodyView, Command, JointKind, SIM_VERSION, World, WorldConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// What `isostep inspect` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Of a damaged log it shows what is whole, says what is wrong, and ends with exit code 2. Where the state at \
a tick is not the one that the log has the hash of, it says so, and ends with 1.

Examples:
  isostep inspect match.isr
  isostep inspect match.isr --blocks       # each block with its offset
  isostep inspect match.isr --tick 600     # where the bodies are at a tick, and what joins them
  isostep inspect match.isr --tick 600 --json   # the same with all digits and bits"
)]
pub(crate) struct Options {
    /// The log
    log: PathBuf,
    /// List the bodies and joints at this tick
    #[arg(long)]
    tick: Option<u64>,
    /// List each block
    #[arg(long, conflicts_with = "tick")]
    blocks: bool,
    /// One document of JSON instead
    #[arg(long)]
    json: bool,
}

/// Bytes of a block before its content.
const BLOCK_HEADER: u64 = 32;

/// Prints what the log is of, what it is made of, what happens in it, and what is wrong with it.
pub(crate) fn run(options: &Options, program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let path = &options.log;
    let log = Arc::new(Log::open(path).map_err(|error| Failure::log(path, error))?);
    let mut verdict = Verdict::Identical;
    if let Some(tick) = options.tick {
        let mut replay = program.replay(path, &log)?;
        replay.seek(tick).map_err(|error| Failure::play(path, error))?;
        let standing = Standing::of(replay.as_mut(), path)?;
        if options.json {
            out.json(&json::state(path, &standing, replay.world()))?;
        } else {
            writeln!(out, "{} at tick {tick}, hash {:032x}\n", path.display(), standing.hash)?;
            print_bodies(replay.world(), out)?;
            print_joints(replay.world(), out)?;
        }
        verdict = Verdict::of(standing.is_recorded(path, program, out));
    } else {
        let events = Events::of(&log).map_err(|error| Failure::log(path, error))?;
        if options.json {
            out.json(&json::log(path, &log, &events, options.blocks))?;
        } else {
            print_header(&log, out)?;
            print_sizes(&log, out)?;
            if options.blocks {
                print_blocks(&log, out)?;
            }
            print_events(&log, &events, out)?;
        }
    }
    match log.damage() {
        None => Ok(verdict),
        Some(error) => {
            let (first, end) = (log.first_tick(), log.end_tick());
            out.flush()?;
            Err(Failure::Damaged { path: path.clone(), error: error.clone(), first, end })
        }
    }
}

fn print_header(log: &Log, out: &mut Output) -> Result<(), Failure> {
    let Header { kind, tick_rate, players, seed, first_tick, hash_interval, traces, note } = log.header();
    let mut list = new_list();
    let mut add = |name: &str, value: String| {
        list.add_row([name.to_owned(), value]);
    };
    add("format", format!("{FORMAT_VERSION}, simulation {SIM_VERSION}"));
    match kind {
        LogKind::Commands { .. } => add("holds", "commands: replays without a game".to_owned()),
        LogKind::Inputs { game, version } => {
            add("holds", format!("inputs of the game {game:?}, version {version}"));
        }
    }
    add("players", players.to_string());
    add("seed", seed.to_string());
    let (ticks, end) = (log.end_tick() - first_tick, log.end_tick());
    let played = seconds(real_time(ticks, *tick_rate));
    add("ticks", format!("{first_tick} to {end}: {played} at {tick_rate} Hz"));
    let traces = if *traces { ", with traces" } else { ", without traces" };
    add(
        "hashes",
        match hash_interval {
            0 => "none".to_owned(),
            1 => format!("each tick{traces}"),
            interval => format!("every {interval} ticks{traces}"),
        },
    );
    if let Some(hash) = log.last_hash() {
        add("last hash", format!("{hash:032x}"));
    }
    if !note.is_empty() {
        add("note", printable(note));
    }
    if let LogKind::Commands { config } = kind {
        add("world", config_text(config));
    }
    writeln!(out, "{}\n", list.trim_fmt())?;
    Ok(())
}

fn config_text(config: &WorldConfig) -> String {
    let sleeping = if config.sleeping { "sleep" } else { "no sleep" };
    let contacts = format!("contacts of {} Hz", config.contact_frequency);
    format!("gravity {}, {} substeps, {contacts}, {sleeping}", config.gravity, config.substeps)
}

/// Blocks of a kind: how many there are, and how many bytes they take, with those before their content.
#[derive(Default)]
struct Sizes {
    number: u64,
    stored: u64,
    raw: u64,
}

impl Sizes {
    /// Of blocks with these contents, as they are stored and decompressed.
    fn of(blocks: impl Iterator<Item = (u32, u32)>) -> Self {
        blocks.fold(Self::default(), |sizes, (stored, raw)| Self {
            number: sizes.number + 1,
            stored: sizes.stored + u64::from(stored) + BLOCK_HEADER,
            raw: sizes.raw + u64::from(raw) + BLOCK_HEADER,
        })
    }

    fn of_chunks(log: &Log) -> Self {
        Self::of(log.chunks().map(|info| (info.stored_bytes, info.raw_bytes)))
    }

    fn of_keyframes(log: &Log) -> Self {
        Self::of(log.keyframes().map(|info| (info.stored_bytes, info.raw_bytes)))
    }
}

fn print_sizes(log: &Log, out: &mut Output) -> Result<(), Failure> {
    let mut table = new_table(&["blocks", "number", "bytes", "decompressed"], &[1, 2, 3]);
    let mut rest = log.byte_count();
    for (name, sizes) in [("ticks", Sizes::of_chunks(log)), ("keyframes", Sizes::of_keyframes(log))] {
        let Sizes { number, stored, raw } = sizes;
        rest -= stored;
        table.add_row([name.to_owned(), number.to_string(), stored.to_string(), raw.to_string()]);
    }
    table.add_row(["header, index, rest".to_owned(), String::new(), rest.to_string(), rest.to_string()]);
    table.add_row(["all".to_owned(), String::new(), log.byte_count().to_string(), String::new()]);
    writeln!(out, "{table}")?;
    let ticks = (log.end_tick() - log.first_tick()).max(1);
    let hour = log.byte_count().saturating_mul(3600 * u64::from(log.header().tick_rate)) / ticks;
    writeln!(out, "{} a tick, {} an hour\n", counted(log.byte_count() / ticks, "byte"), bytes(hour))?;
    Ok(())
}

/// A block of ticks, or a keyframe.
enum Block {
    Ticks(ChunkInfo),
    Keyframe(KeyframeInfo),
}

impl Block {
    /// Those of a log, by their offsets.
    fn all(log: &Log) -> Vec<Self> {
        let mut blocks: Vec<Self> = log.chunks().map(Self::Ticks).collect();
        blocks.extend(log.keyframes().map(Self::Keyframe));
        blocks.sort_by_key(|block| match block {
            Self::Ticks(info) => info.offset,
            Self::Keyframe(info) => info.offset,
        });
        blocks
    }
}

fn print_blocks(log: &Log, out: &mut Output) -> Result<(), Failure> {
    let mut table = new_table(&["block", "offset", "ticks", "content", "decompressed"], &[1, 3, 4]);
    for block in Block::all(log) {
        let (name, offset, ticks, stored, raw) = match block {
            Block::Ticks(ChunkInfo { offset, first_tick, ticks, stored_bytes, raw_bytes }) => {
                let last = first_tick + u64::from(ticks) - 1;
                ("ticks", offset, format!("{first_tick} to {last}"), stored_bytes, raw_bytes)
            }
            Block::Keyframe(KeyframeInfo { offset, tick, stored_bytes, raw_bytes }) => {
                ("keyframe", offset, tick.to_string(), stored_bytes, raw_bytes)
            }
        };
        table.add_row([name.to_owned(), offset.to_string(), ticks, stored.to_string(), raw.to_string()]);
    }
    writeln!(out, "{table}\n")?;
    Ok(())
}

/// How many different inputs of a player are counted, so that a log of any length takes little memory.
const MAX_DIFFERENT: usize = 1 << 16;

/// What a player did, all in all.
#[derive(Clone, Default)]
struct InputCounts {
    bytes: u64,
    /// Ticks in which the input is not that of the tick before.
    changes: u64,
    /// Ticks in which it has no bit that is set.
    idle: u64,
    /// Hashes of the inputs that there were, up to [`MAX_DIFFERENT`].
    different: BTreeSet<u64>,
    /// Whether there were more of them.
    has_more: bool,
    last: Vec<u8>,
}

/// What happens in a log, all in all.
struct Events {
    /// By the names of commands.
    commands: BTreeMap<String, u64>,
    players: Vec<InputCounts>,
    ticks: u64,
}

impl Events {
    /// # Errors
    /// If the log makes no sense somewhere.
    fn of(log: &Log) -> Result<Self, LogError> {
        let players = vec![InputCounts::default(); log.header().players as usize];
        let mut events = Self { commands: BTreeMap::new(), players, ticks: 0 };
        for index in 0..log.chunks().len() {
            let chunk = log.chunk(index)?;
            for frame in chunk.frames() {
                events.ticks += 1;
                match frame.events {
                    FrameEvents::Commands(list) => {
                        for command in list {
                            *events.commands.entry(name_of(command)).or_default() += 1;
                        }
                    }
                    FrameEvents::Inputs(inputs) => {
                        for (input, counts) in inputs.iter().zip(&mut events.players) {
                            counts.add(input);
                        }
                    }
                }
            }
        }
        Ok(events)
    }
}

fn print_events(log: &Log, events: &Events, out: &mut Output) -> Result<(), Failure> {
    let Events { commands, players, ticks } = events;
    if matches!(log.header().kind, LogKind::Commands { .. }) {
        let mut table = new_table(&["command", "number"], &[1]);
        for (name, count) in commands {
            table.add_row([name.clone(), count.to_string()]);
        }
        table.add_row(["all".to_owned(), commands.values().sum::<u64>().to_string()]);
        writeln!(out, "{table}")?;
    } else {
        let mut table = new_table(
            &["player", "bytes a tick", "changes", "idle ticks", "different inputs"],
            &[0, 1, 2, 3, 4],
        );
        for (player, counts) in players.iter().enumerate() {
            let each = counts.bytes / ticks.max(&1);
            let numbers = [player as u64, each, counts.changes, counts.idle];
            table.add_row(numbers.map(|number| number.to_string()).into_iter().chain([counts.different()]));
        }
        writeln!(out, "{table}")?;
    }
    Ok(())
}

impl InputCounts {
    fn add(&mut self, input: &[u8]) {
        self.bytes += input.len() as u64;
        self.changes += u64::from(self.last != input);
        self.idle += u64::from(input.iter().all(|byte| *byte == 0));
        let mut hasher = DefaultHasher::new();
        hasher.write(input);
        let hash = hasher.finish();
        if self.different.len() < MAX_DIFFERENT {
            self.different.insert(hash);
        } else {
            self.has_more |= !self.different.contains(&hash);
        }
        input.clone_into(&mut self.last);
    }

    /// How many different inputs there were.
    fn different(&self) -> String {
        let more = if self.has_more { "more than " } else { "" };
        format!("{more}{}", self.different.len())
    }
}

/// The name of a variant.
fn name_of(command: &Command) -> String {
    let text = format!("{command:?}");
    text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

fn print_bodies(world: &World, out: &mut Output) -> Result<(), Failure> {
    let header =
        ["handle", "kind", "position", "rotation", "velocity", "angular velocity", "asleep", "user data"];
    let mut table = new_table(&header, &[]);
    for body in world.bodies() {
        let vector = |vector: Vec3| format!("{vector:.3}");
        let Quat { x, y, z, w } = body.rotation();
        table.add_row([
            body.handle().to_string(),
            format!("{:?}", body.kind()).to_lowercase(),
            vector(body.position()),
            format!("[{x:.3}, {y:.3}, {z:.3}, {w:.3}]"),
            vector(body.linear_velocity()),
            vector(body.angular_velocity()),
            if body.is_asleep() { "asleep" } else { "" }.to_owned(),
            format!("{:#x}", body.user_data()),
        ]);
    }
    writeln!(out, "{table}")?;
    let asleep = world.bodies().filter(BodyView::is_asleep).count();
    let contacts = world.contacts().filter(|contact| contact.touching).count();
    writeln!(
        out,
        "\n{}, {asleep} asleep, {}",
        counted(world.bodies().count() as u64, "body").replace("bodys", "bodies"),
        counted(contacts as u64, "contact")
    )?;
    Ok(())
}

/// What joins bodies; nothing where nothing does.
fn print_joints(world: &World, out: &mut Output) -> Result<(), Failure> {
    let header = ["handle", "kind", "bodies", "angle", "swing", "position", "apart", "user data"];
    let mut table = new_table(&header, &[3, 4, 5, 6]);
    for joint in world.joints() {
        let number = |number: Fx| format!("{number:.3}");
        let [a, b] = joint.bodies();
        let is_turned = matches!(
            joint.kind(),
            JointKind::Ball { .. } | JointKind::Hinge { .. } | JointKind::Wheel { .. }
        );
        table.add_row([
            joint.handle().to_string(),
            joint.kind().name().to_owned(),
            format!("{a} and {b}"),
            if is_turned { number(joint.angle()) } else { String::new() },
            if is_turned { number(joint.swing()) } else { String::new() },
            joint.position().map(number).unwrap_or_default(),
            number(joint.relative_pose().translation.length()),
            format!("{:#x}", joint.user_data()),
        ]);
    }
    let count = world.joints().count();
    if count > 0 {
        writeln!(out, "\n{table}\n\n{}", counted(count as u64, "joint"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_inputs_are_counted_up_to_a_number() {
        let mut counts = InputCounts::default();
        for input in (0..MAX_DIFFERENT as u32).chain([0, 1]) {
            counts.add(&input.to_le_bytes());
        }
        assert_eq!(counts.different(), "65536");
        for input in 0..MAX_DIFFERENT as u32 {
            counts.add(&[&input.to_le_bytes()[..], &[0; 1000]].concat());
        }
        assert_eq!(counts.different(), "more than 65536");
    }
}
