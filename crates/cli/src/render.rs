//! `isostep render`: a picture of a scene at a tick, or of several ticks.

use crate::atomic;
use crate::failure::Failure;
use crate::output::{Output, Verdict};
use crate::program::Program;
use crate::source::{self, Source};
use clap::ValueEnum;
use isostep_collision::Aabb;
use isostep_math::{Fx, Vec3};
use isostep_render::{Direction, Frame, MAX_FRAMES, SheetError, View, ViewError, contact_sheet, render};
use isostep_step::{BodyView, World};
use std::path::PathBuf;

/// What `isostep render` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code: 0, or 1 if a log has another hash of a tick that is shown, or 2 if there is no picture.

Examples:
  isostep render match.isr --tick 600 -o frame.svg
  isostep render match.isr --tick 600 --every 100 -o sheet.svg
  isostep render pyramid --tick 200
  isostep render arena --tick 600 --size 1600x900 -o arena.svg
  isostep render doors --tick 120 --scene-size 1 --part -10,0,-1..-5,2.5,2
  isostep render jenga --tick 240 --every 30 --columns 3 --size 480x270 -o fall.svg"
)]
pub(crate) struct Options {
    /// A log, or the name of a scene or of the demo game
    #[arg(value_name = "LOG or SCENE")]
    source: PathBuf,
    /// Which tick
    #[arg(long, default_value_t = 0)]
    tick: u64,
    /// Where to, if not to <NAME>-<TICK>.svg in the current folder: a file other than the log, which appears when it is whole, or
    /// a pipe or device, which is written to as it is
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A contact sheet: a frame every so many ticks, of which that one is the last
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// How many frames of a contact sheet are side by side
    #[arg(long, default_value_t = 3, requires = "every")]
    columns: usize,
    /// Where the viewer stands
    #[arg(long, value_enum, default_value_t = Viewpoint::ThreeQuarter)]
    view: Viewpoint,
    /// Of a part of the world, between two corners in metres, instead of what moves
    #[arg(long, value_name = "X,Y,Z..X,Y,Z", value_parser = parse_part, allow_hyphen_values = true)]
    part: Option<Aabb>,
    /// The size of a frame in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = parse_size)]
    size: (u32, u32),
    /// The size of the scene: `isostep scenes` says what that counts
    #[arg(long)]
    pub(crate) scene_size: Option<u32>,
    /// A scene without sleep
    #[arg(long)]
    pub(crate) awake: bool,
    /// Of a damaged log, take what is whole
    #[arg(long)]
    pub(crate) valid_part: bool,
    /// With the points at which bodies touch
    #[arg(long)]
    contacts: bool,
    /// Without joints
    #[arg(long)]
    no_joints: bool,
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

/// Writes the picture that the options want, and says where.
pub(crate) fn run(options: &Options, program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let mut source = source::of_name(&options.source, options, program)?;
    let path = options.output.clone();
    let path = path.unwrap_or_else(|| format!("{}-{}.svg", source.name(), options.tick).into());
    if source.file().is_some_and(|file| atomic::is_same_file(file, &path)) {
        return Err(Failure::SameFile(path));
    }
    let (svg, is_recorded) = match options.every {
        None => single(source.as_mut(), options, program, out)?,
        Some(every) => sheet(source.as_mut(), every, options, program, out)?,
    };
    let written = atomic::write(&path, svg.as_bytes())?;
    writeln!(out.beside(written), "{}", path.display())?;
    Ok(Verdict::of(is_recorded))
}

/// A picture, and whether it is of what was recorded.
type Picture = Result<(String, bool), Failure>;

fn single(source: &mut dyn Source, options: &Options, program: &Program, out: &mut Output) -> Picture {
    source.go_to(options.tick)?;
    let is_recorded = source.is_recorded(program, out)?;
    let caption = format!("{}, tick {}, hash {:032x}", source.name(), options.tick, source.hash());
    let look = source.look();
    let paint = |body: &BodyView<'_>| look.color(body);
    let svg = render(source.world(), &view(source, options)?.captioned(caption).painted(&paint));
    Ok((svg, is_recorded))
}

fn sheet(
    source: &mut dyn Source,
    every: u64,
    options: &Options,
    program: &Program,
    out: &mut Output,
) -> Picture {
    let first = source.first_tick();
    let before = options.tick.saturating_sub(first) / every;
    let count = before.saturating_add(1);
    if count > MAX_FRAMES as u64 {
        return Err(SheetError::Frames { found: usize::try_from(count).unwrap_or(usize::MAX) }.into());
    }
    let mut worlds: Vec<(String, World)> = Vec::new();
    let mut all_recorded = true;
    for tick in (0..=before).rev().map(|frames| options.tick - frames * every) {
        source.go_to(tick)?;
        // The first that is not says enough.
        all_recorded = all_recorded && source.is_recorded(program, out)?;
        worlds.push((format!("tick {tick}"), source.world().clone()));
    }
    let frames: Vec<Frame<'_>> =
        worlds.iter().map(|(caption, world)| Frame { caption: caption.clone(), world }).collect();
    let look = source.look();
    let paint = |body: &BodyView<'_>| look.color(body);
    let svg = contact_sheet(&frames, options.columns, &view(source, options)?.painted(&paint))?;
    Ok((svg, all_recorded))
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
    if let Some(focus) = options.part.or_else(|| source.look().part()) {
        view = view.of(focus);
    }
    if options.contacts {
        view = view.with_contacts();
    }
    if options.no_joints {
        view = view.without_joints();
    }
    if options.labels {
        view = view.with_labels();
    }
    if options.color_asleep {
        view = view.without_sleep();
    }
    Ok(view)
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let wanted = "a width and a height in pixels are wanted, like 1280x720";
    let (width, height) = text.split_once('x').ok_or(wanted)?;
    Ok((width.parse().map_err(|_| wanted)?, height.parse().map_err(|_| wanted)?))
}

fn parse_part(text: &str) -> Result<Aabb, String> {
    let wanted = "two corners of three numbers each are wanted, like -1,0,-1..1,2.5,1";
    let corner = |text: &str| -> Result<Vec3, String> {
        let numbers: Vec<Fx> = text
            .split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map_err(|error| format!("{wanted}: {error}"))?;
        <[Fx; 3]>::try_from(numbers).map(Vec3::from_array).map_err(|_| wanted.to_owned())
    };
    let (from, to) = text.split_once("..").ok_or(wanted)?;
    Ok(Aabb::from_points([corner(from)?, corner(to)?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::fx;

    #[test]
    fn parts_are_two_corners() {
        let part = parse_part("1,-2,3..-1.5,2,0.25").unwrap();
        assert_eq!(part.min().to_array(), [fx!(-1.5), fx!(-2), fx!(0.25)]);
        assert_eq!(part.max().to_array(), [fx!(1), fx!(2), fx!(3)]);
        for text in ["", "1,2,3", "1,2..3,4", "1,2,3..4,5,x", "1,2,3..4,5,6,7"] {
            assert!(parse_part(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(parse_size("1280x720"), Ok((1280, 720)));
        for text in ["", "x", "1280", "1280x", "-1x5", "1x2x3", "1280 x 720", "99999999999x1"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
