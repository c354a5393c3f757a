//! [`contact_sheet`]: several worlds, or one at several ticks, in one picture.

use crate::picture::{draw, scope_of};
use crate::plane::UNITS;
use crate::svg::{self, put};
use crate::view::{MAX_SIZE, View};
use isostep_step::World;

/// The most frames of a contact sheet.
pub const MAX_FRAMES: usize = 1024;

/// Between frames, in pixels.
const GAP: u32 = 8;

/// A frame of a contact sheet.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// What is written below it.
    pub caption: String,
    /// What it shows.
    pub world: &'a World,
}

/// Why frames make no contact sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// No frames, or more than [`MAX_FRAMES`].
    #[error("{found} frames: there must be 1 to {MAX_FRAMES}")]
    Frames {
        /// How many there are.
        found: usize,
    },
    /// No columns.
    #[error("a contact sheet needs a column")]
    NoColumns,
    /// A sheet that is wider or higher than a picture may be.
    #[error("a sheet of {width}x{height} pixels: each may be up to {MAX_SIZE}; take smaller or fewer frames")]
    Size {
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
    },
}

/// Several worlds in one picture: rows of frames, each of the size of the view, all seen by the same camera.
///
/// # Errors
/// If there are no frames or no columns, or the sheet would be too large.
pub fn contact_sheet(frames: &[Frame<'_>], columns: usize, view: &View<'_>) -> Result<String, SheetError> {
    if !(1..=MAX_FRAMES).contains(&frames.len()) {
        return Err(SheetError::Frames { found: frames.len() });
    }
    if columns == 0 {
        return Err(SheetError::NoColumns);
    }
    let columns = columns.min(frames.len());
    let [width, height] = [(view.width, columns), (view.height, frames.len().div_ceil(columns))]
        .map(|(size, count)| count as u64 * u64::from(size + GAP) + u64::from(GAP));
    let fits = |size: u64| u32::try_from(size).ok().filter(|&size| size <= MAX_SIZE);
    let (Some(wide), Some(high)) = (fits(width), fits(height)) else {
        return Err(SheetError::Size { width, height });
    };

    let scopes = frames.iter().map(|frame| scope_of(frame.world, view));
    let Some(scope) = scopes.reduce(|all, scope| all.merge(&scope, view)) else {
        return Err(SheetError::Frames { found: 0 });
    };
    let mut svg = svg::open(wide, high);
    let (units_wide, units_high) = (i64::from(view.width) * UNITS, i64::from(view.height) * UNITS);
    for (index, frame) in frames.iter().enumerate() {
        let place = |step: u32, index: usize| (i64::from(step + GAP) * index as i64 + i64::from(GAP)) * UNITS;
        let (x, y) = (place(view.width, index % columns), place(view.height, index / columns));
        put!(
            svg,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{units_wide}\" height=\"{units_high}\" \
             viewBox=\"0 0 {units_wide} {units_high}\">\n"
        );
        draw(&mut svg, frame.world, &view.clone().captioned(frame.caption.as_str()), &scope);
        svg.push("</svg>\n");
    }
    svg.push("</svg>\n");
    Ok(svg.into_text())
}
