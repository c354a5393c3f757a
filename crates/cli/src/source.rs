//! [`Source`]: where the worlds of pictures come from, tick by tick.

use crate::failure::Failure;
use crate::games::{Replay, Standing, arena_look};
use crate::logs;
use crate::look::Look;
use crate::output::Output;
use crate::program::Program;
use crate::render::Options;
use crate::scenes::{ARENA, MAX_TICKS};
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots, MAX_PLAYERS};
use isostep_step::{World, WorldConfig};
use std::path::{Path, PathBuf};

/// Worlds, tick by tick.
pub(crate) trait Source {
    /// What they are, in a word or two.
    fn name(&self) -> String;

    /// The world as it is.
    fn world(&self) -> &World;

    /// The file that they are read from; none of what is computed from its beginning.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// The hash of all that there is, the game beside the world included.
    fn hash(&self) -> u128;

    /// The first tick that there is.
    fn first_tick(&self) -> u64 {
        0
    }

    /// Goes to a tick that is not before the one it is at.
    ///
    /// # Errors
    /// If there is no such tick, or nothing leads there.
    fn go_to(&mut self, tick: u64) -> Result<(), Failure>;

    /// Whether it is the state that was recorded, as far as that is known; says if it is not.
    ///
    /// # Errors
    /// If the log makes no sense there.
    fn is_recorded(&mut self, _: &Program, _: &mut Output) -> Result<bool, Failure> {
        Ok(true)
    }

    /// How pictures show it.
    fn look(&self) -> Look {
        Look::new()
    }
}

/// The source of a scene, of the demo game, or of a log in a file. Sizes are held to what there is.
///
/// # Errors
/// If nothing has that name, or the log cannot be replayed.
pub(crate) fn of_name(name: &Path, options: &Options, program: &Program) -> Result<Box<dyn Source>, Failure> {
    let size = options.scene_size;
    let is_of = |of, option, is_given| if is_given { Err(Failure::Option { option, of }) } else { Ok(()) };
    let is_of_scenes = |option, is_given| is_of("scenes", option, is_given);
    if name == Path::new(ARENA) {
        is_of_scenes("awake", options.awake)?;
        is_of("logs", "valid-part", options.valid_part)?;
        let players = size.map_or(MAX_PLAYERS, |size| size as usize).clamp(1, MAX_PLAYERS);
        return Ok(Box::new(Game { arena: Arena::new(players, 0), bots: Bots::new(players, 0) }));
    }
    if let Some(scene) = name.to_str().and_then(Scene::find) {
        is_of("logs", "valid-part", options.valid_part)?;
        let config = WorldConfig { sleeping: !options.awake, ..WorldConfig::default() };
        let world = scene.build(size.unwrap_or(scene.size), config)?;
        return Ok(Box::new(Running { scene, world }));
    }
    // What is there and cannot be looked at is for who opens it to tell of.
    if matches!(name.try_exists(), Ok(false)) {
        return Err(Failure::NoSource { name: name.display().to_string(), program: program.name });
    }
    is_of_scenes("awake", options.awake)?;
    is_of_scenes("scene-size", size.is_some())?;
    let log = logs::open(name, options.valid_part)?;
    let (first_tick, path) = (log.first_tick(), name.to_owned());
    let (look, replay) = (program.game_of(&path, &log)?.look, program.replay(&path, &log)?);
    Ok(Box::new(Recorded { path, replay, look, first_tick }))
}

/// # Errors
/// If a scene would have to be stepped for weeks.
const fn check_tick(tick: u64) -> Result<(), Failure> {
    if tick > MAX_TICKS { Err(Failure::TooLate { tick }) } else { Ok(()) }
}

struct Running {
    scene: &'static Scene,
    world: World,
}

impl Source for Running {
    fn name(&self) -> String {
        self.scene.name.to_owned()
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn hash(&self) -> u128 {
        self.world.state_hash()
    }

    fn go_to(&mut self, tick: u64) -> Result<(), Failure> {
        check_tick(tick)?;
        while self.world.tick() < tick {
            self.world.step();
        }
        Ok(())
    }
}

struct Game {
    arena: Arena,
    bots: Bots,
}

impl Source for Game {
    fn name(&self) -> String {
        ARENA.to_owned()
    }

    fn world(&self) -> &World {
        self.arena.world()
    }

    fn hash(&self) -> u128 {
        self.arena.hash()
    }

    fn go_to(&mut self, tick: u64) -> Result<(), Failure> {
        check_tick(tick)?;
        while self.world().tick() < tick {
            let inputs = self.bots.inputs(&self.arena);
            self.arena.tick(&inputs);
        }
        Ok(())
    }

    fn look(&self) -> Look {
        arena_look()
    }
}

struct Recorded {
    path: PathBuf,
    replay: Box<dyn Replay>,
    look: Look,
    first_tick: u64,
}

impl Source for Recorded {
    fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn file(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn world(&self) -> &World {
        self.replay.world()
    }

    fn hash(&self) -> u128 {
        self.replay.hash()
    }

    fn first_tick(&self) -> u64 {
        self.first_tick
    }

    fn go_to(&mut self, tick: u64) -> Result<(), Failure> {
        self.replay.seek(tick).map_err(|error| Failure::play(&self.path, error))
    }

    fn is_recorded(&mut self, program: &Program, out: &mut Output) -> Result<bool, Failure> {
        Ok(Standing::of(self.replay.as_mut(), &self.path)?.is_recorded(&self.path, program, out))
    }

    fn look(&self) -> Look {
        self.look
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn a_source_goes_to_the_tick_that_is_wanted() {
        let options = Arguments::parse_from(["render", "stacks", "--scene-size", "1"]).options;
        let program = Program::isostep();
        let mut source = of_name(Path::new("stacks"), &options, &program).unwrap();
        source.go_to(3).unwrap();
        assert_eq!(source.world().tick(), 3);
        assert!(of_name(Path::new("nothing"), &options, &program).is_err());
    }
}
