//! [`Look`]: how pictures show a game.

use isostep_collision::Aabb;
use isostep_render::Color;
use isostep_step::BodyView;

/// How pictures show a game: which part of its world, and in which colors.
///
/// ```
/// use isostep_cli::{Color, Look};
/// use isostep_collision::Aabb;
/// use isostep_math::{fx, vec3};
///
/// let pitch = Aabb::from_points([vec3(fx!(-20), fx!(0), fx!(-10)), vec3(fx!(20), fx!(5), fx!(10))]);
/// let look = Look::new().of(pitch).painted(|body| match body.user_data() {
///     1 => Some(Color([200, 60, 50])),
///     2 => Some(Color([40, 90, 190])),
///     _ => None,
/// });
/// # let _ = look;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    part: Option<Aabb>,
    paint: Option<fn(&BodyView<'_>) -> Option<Color>>,
}

impl Look {
    /// Of what moves, in the colors that bodies have by default.
    #[must_use]
    pub const fn new() -> Self {
        Self { part: None, paint: None }
    }

    /// Of a part of the world, unless `--part` asks for another one. An empty box changes nothing.
    #[must_use]
    pub const fn of(mut self, part: Aabb) -> Self {
        self.part = if part.is_empty() { self.part } else { Some(part) };
        self
    }

    /// With colors for bodies. `None` leaves a body the color that it has by default.
    #[must_use]
    pub const fn painted(mut self, paint: fn(&BodyView<'_>) -> Option<Color>) -> Self {
        self.paint = Some(paint);
        self
    }

    /// What pictures show; `None` for what moves.
    pub(crate) const fn part(&self) -> Option<Aabb> {
        self.part
    }

    /// The color of a body; `None` for one without a color of its own.
    pub(crate) fn color(&self, body: &BodyView<'_>) -> Option<Color> {
        self.paint.and_then(|paint| paint(body))
    }
}
