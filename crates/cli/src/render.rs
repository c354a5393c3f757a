//! `isostep render`: a picture of a scene at a tick, or of several ticks.

use crate::scenes::names;
use crate::source::{self, Source};
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use isostep_render::{Direction, Frame, MAX_FRAMES, SheetError, View, ViewError, contact_sheet, render};
use isostep_step::{BodyView, World};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `isostep render` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isostep render pyramid --tick 200
  isostep render arena --tick 600 --size 1600x900 -o arena.svg
  isostep render jenga --tick 240 --every 30 --columns 3 --size 480x270 -o fall.svg")]
pub(crate) struct Options {
    /// The name of a scene, or of the demo game
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    scene: String,
    /// Which tick
    #[arg(long, default_value_t = 0)]
    tick: u64,
    /// Where to
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A contact sheet: a frame every so many ticks, up to that one
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// How many frames of a contact sheet are side by side
    #[arg(long, default_value_t = 3)]
    columns: usize,
    /// Where the viewer stands
    #[arg(long, value_enum, default_value_t = Viewpoint::ThreeQuarter)]
    view: Viewpoint,
    /// The size of a frame in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = parse_size)]
    size: (u32, u32),
    /// The size of the scene: `isostep scenes` says what that counts
    #[arg(long)]
    scene_size: Option<u32>,
    /// Without sleep
    #[arg(long)]
    awake: bool,
    /// With the points at which bodies touch
    #[arg(long)]
    contacts: bool,
    /// With the slots of bodies
    #[arg(long)]
    labels: bool,
    /// With sleeping bodies in color
    #[arg(long)]
    color_asleep: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Viewpoint {
    ThreeQuarter,
    Front,
    Side,
    Top,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
enum RenderError {
    #[error("no scene is called {0}: `isostep scenes` lists them")]
    NoScene(String),
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Sheet(#[from] SheetError),
    #[error("tick {wanted} is beyond the last one, {last}")]
    TooLate { wanted: u64, last: u64 },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: std::io::Error },
}

/// Writes the picture that the options want, and says where.
pub(crate) fn run(options: &Options) -> ExitCode {
    match picture(options) {
        Ok(path) => {
            println!("{}", path.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn picture(options: &Options) -> Result<PathBuf, RenderError> {
    let mut source = source::of_name(&options.scene, options.scene_size, options.awake)
        .ok_or_else(|| RenderError::NoScene(options.scene.clone()))?;
    let svg = match options.every {
        None => single(source.as_mut(), options)?,
        Some(every) => sheet(source.as_mut(), every, options)?,
    };
    let path =
        options.output.clone().unwrap_or_else(|| format!("{}-{}.svg", options.scene, options.tick).into());
    write(&path, &svg)?;
    Ok(path)
}

fn single(source: &mut dyn Source, options: &Options) -> Result<String, RenderError> {
    go_to(source, options.tick)?;
    let caption = format!("{}, tick {}, hash {:032x}", source.name(), options.tick, source.hash());
    let paint = |body: &BodyView<'_>| source.color(body);
    Ok(render(source.world(), &view(source, options)?.captioned(caption).painted(&paint)))
}

fn sheet(source: &mut dyn Source, every: u64, options: &Options) -> Result<String, RenderError> {
    let count = options.tick / every + 1;
    if count > MAX_FRAMES as u64 {
        return Err(SheetError::Frames { found: usize::try_from(count).unwrap_or(usize::MAX) }.into());
    }
    let mut worlds: Vec<(String, World)> = Vec::new();
    for tick in (0..=options.tick).step_by(usize::try_from(every).unwrap_or(usize::MAX)) {
        go_to(source, tick)?;
        worlds.push((format!("tick {tick}"), source.world().clone()));
    }
    let frames: Vec<Frame<'_>> =
        worlds.iter().map(|(caption, world)| Frame { caption: caption.clone(), world }).collect();
    let paint = |body: &BodyView<'_>| source.color(body);
    Ok(contact_sheet(&frames, options.columns, &view(source, options)?.painted(&paint))?)
}

fn go_to(source: &mut dyn Source, tick: u64) -> Result<(), RenderError> {
    while source.world().tick() < tick {
        let last = source.world().tick();
        if !source.advance() {
            return Err(RenderError::TooLate { wanted: tick, last });
        }
    }
    Ok(())
}

fn view(source: &dyn Source, options: &Options) -> Result<View<'static>, ViewError> {
    let (width, height) = options.size;
    let direction = match options.view {
        Viewpoint::ThreeQuarter => Direction::ThreeQuarter,
        Viewpoint::Front => Direction::Front,
        Viewpoint::Side => Direction::Side,
        Viewpoint::Top => Direction::Top,
    };
    let mut view = View::new(width, height)?.from_direction(direction);
    if let Some(focus) = source.focus() {
        view = view.of(focus);
    }
    if options.contacts {
        view = view.with_contacts();
    }
    if options.labels {
        view = view.with_labels();
    }
    if options.color_asleep {
        view = view.without_sleep();
    }
    Ok(view)
}

fn write(path: &Path, svg: &str) -> Result<(), RenderError> {
    std::fs::write(path, svg).map_err(|error| RenderError::Write { path: path.to_owned(), error })
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let wanted = "a width and a height in pixels are wanted, like 1280x720";
    let (width, height) = text.split_once('x').ok_or(wanted)?;
    Ok((width.parse().map_err(|_| wanted)?, height.parse().map_err(|_| wanted)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(parse_size("1280x720"), Ok((1280, 720)));
        for text in ["", "x", "1280", "1280x", "-1x5", "1x2x3", "1280 x 720", "99999999999x1"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_source_goes_to_the_tick_that_is_wanted() {
        let mut source = source::of_name("stacks", Some(1), false).unwrap();
        go_to(source.as_mut(), 3).unwrap();
        assert_eq!(source.world().tick(), 3);
        assert!(source::of_name("nothing", None, false).is_none());
    }
}
