//! [`View`]: what a picture is to show, and how.

use crate::color::Color;
use isostep_collision::Aabb;
use isostep_math::{Fx, Vec3, fx};
use isostep_step::BodyView;

/// The smallest width and height of a picture, in pixels.
pub const MIN_SIZE: u32 = 16;

/// The largest width and height of a picture, in pixels.
pub const MAX_SIZE: u32 = 16_384;

/// Gives bodies their colors; `None` leaves a body the color that it has by default.
pub type Paint<'a> = &'a dyn Fn(&BodyView<'_>) -> Option<Color>;

/// Why a view makes no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A width or a height that is out of range.
    #[error("a picture of {width}x{height} pixels: each must be {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// What the width was.
        width: u32,
        /// What the height was.
        height: u32,
    },
}

/// Where the viewer stands. Lines of sight are parallel, and y is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// In front, to the right and above.
    #[default]
    ThreeQuarter,
    /// On the side of positive z; x is to the right.
    Front,
    /// On the side of positive x; z is to the left.
    Side,
    /// Above; x is to the right, and z is down.
    Top,
    /// Turned about y by the yaw, from the front to the right, and raised by the pitch, both in radians.
    Angles {
        /// About y.
        yaw: Fx,
        /// Above the ground.
        pitch: Fx,
    },
}

impl Direction {
    /// The directions to the right, up, and toward the viewer, of length 1.
    pub(crate) fn axes(self) -> [Vec3; 3] {
        match self {
            Self::Front => [Vec3::X, Vec3::Y, Vec3::Z],
            Self::Side => [Vec3::NEG_Z, Vec3::Y, Vec3::X],
            Self::Top => [Vec3::X, Vec3::NEG_Z, Vec3::Y],
            Self::ThreeQuarter => Self::Angles { yaw: fx!(0.56), pitch: fx!(0.48) }.axes(),
            Self::Angles { yaw, pitch } => {
                let ((sin, cos), (raised, level)) = (yaw.sin_cos(), pitch.sin_cos());
                let right = Vec3::new(cos, Fx::ZERO, -sin);
                let toward = Vec3::new(sin * level, raised, cos * level);
                [right, toward.cross(right), toward]
            }
        }
    }
}

/// What a picture is to show, and how.
#[derive(Clone)]
pub struct View<'a> {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) direction: Direction,
    pub(crate) focus: Option<Aabb>,
    pub(crate) contacts: bool,
    pub(crate) joints: bool,
    pub(crate) labels: bool,
    pub(crate) sleep: bool,
    pub(crate) caption: String,
    pub(crate) paint: Option<Paint<'a>>,
}

impl<'a> View<'a> {
    /// A picture of a size in pixels: from [`Direction::ThreeQuarter`], of all that moves, with joints, sleeping
    /// bodies greyed.
    ///
    /// # Errors
    /// If the width or the height is not [`MIN_SIZE`] to [`MAX_SIZE`].
    pub fn new(width: u32, height: u32) -> Result<Self, ViewError> {
        let allowed = MIN_SIZE..=MAX_SIZE;
        if !allowed.contains(&width) || !allowed.contains(&height) {
            return Err(ViewError::Size { width, height });
        }
        Ok(Self {
            width,
            height,
            direction: Direction::ThreeQuarter,
            focus: None,
            contacts: false,
            joints: true,
            labels: false,
            sleep: true,
            caption: String::new(),
            paint: None,
        })
    }

    /// From another direction.
    #[must_use]
    pub const fn from_direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Of a part of the world, instead of what moves. An empty box changes nothing.
    #[must_use]
    pub const fn of(mut self, part: Aabb) -> Self {
        self.focus = if part.is_empty() { None } else { Some(part) };
        self
    }

    /// With the points at which bodies touch, and the normals there.
    #[must_use]
    pub const fn with_contacts(mut self) -> Self {
        self.contacts = true;
        self
    }

    /// Without joints.
    #[must_use]
    pub const fn without_joints(mut self) -> Self {
        self.joints = false;
        self
    }

    /// With the slots of bodies that move.
    #[must_use]
    pub const fn with_labels(mut self) -> Self {
        self.labels = true;
        self
    }

    /// With sleeping bodies in the colors that they have awake.
    #[must_use]
    pub const fn without_sleep(mut self) -> Self {
        self.sleep = false;
        self
    }

    /// With a line of text below. Control characters are left out.
    #[must_use]
    pub fn captioned(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// With colors for bodies.
    #[must_use]
    pub const fn painted(mut self, paint: Paint<'a>) -> Self {
        self.paint = Some(paint);
        self
    }
}

impl core::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { width, height, direction, focus, contacts, joints, labels, sleep, caption, paint } = self;
        f.debug_struct("View")
            .field("size", &(width, height))
            .field("direction", direction)
            .field("focus", focus)
            .field("contacts", contacts)
            .field("joints", joints)
            .field("labels", labels)
            .field("sleep", sleep)
            .field("caption", caption)
            .field("painted", &paint.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        for (width, height) in [(15, 100), (100, 0), (16_385, 100), (100, u32::MAX)] {
            assert_eq!(View::new(width, height).err(), Some(ViewError::Size { width, height }));
        }
        assert!(View::new(MIN_SIZE, MAX_SIZE).is_ok());
    }

    #[test]
    fn directions_have_right_handed_axes() {
        let turned = Direction::Angles { yaw: fx!(2), pitch: fx!(-1) };
        for direction in [Direction::ThreeQuarter, Direction::Front, Direction::Side, Direction::Top, turned]
        {
            let [right, up, toward] = direction.axes();
            assert!(right.cross(up).abs_diff_eq(toward, fx!(0.000001)), "{direction:?}");
        }
    }
}
