//! [`Color`], and which colors bodies have that nobody gave one.

use isostep_math::{Fx, fx};
use isostep_step::BodyKind;

/// A color: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub [u8; 3]);

/// What dynamic bodies have, by their slots.
const PALETTE: [Color; 6] = [
    Color([0xE0, 0x7A, 0x3F]),
    Color([0x4F, 0x9D, 0xC4]),
    Color([0xEF, 0xB8, 0x4C]),
    Color([0x5B, 0xAF, 0x8B]),
    Color([0xD3, 0x5F, 0x5F]),
    Color([0x7F, 0x86, 0xC9]),
];

/// What a body without a color of its own has.
pub(crate) const fn by_default(kind: BodyKind, slot: u32) -> Color {
    match kind {
        // Neighbours differ, and no row of a wall repeats the one below.
        BodyKind::Dynamic => PALETTE[(slot.wrapping_mul(0x9E37_79B9) >> 16) as usize % PALETTE.len()],
        BodyKind::Kinematic => Color([0x9B, 0x6F, 0xC8]),
        BodyKind::Fixed => Color([0xCB, 0xD3, 0xDC]),
    }
}

/// What sensors have.
pub(crate) const SENSOR: Color = Color([0x1E, 0x9E, 0x94]);

/// What colors of sleeping bodies are mixed with.
const ASLEEP: Color = Color([0xA9, 0xB1, 0xBB]);

impl Color {
    /// As brighter or darker by a factor, to nearest, within the range of colors.
    pub(crate) fn lit(self, factor: Fx) -> Self {
        Self(self.0.map(|part| to_part(Fx::from_int(part.into()) * factor)))
    }

    /// A part of the way to another color, 0 to 1.
    pub(crate) fn mixed(self, other: Self, part: Fx) -> Self {
        let mix = |index: usize| {
            let [own, others] = [self, other].map(|color: Self| Fx::from_int(color.0[index].into()));
            to_part(own.lerp(others, part))
        };
        Self([mix(0), mix(1), mix(2)])
    }

    /// Of a body that sleeps.
    pub(crate) fn asleep(self) -> Self {
        self.mixed(ASLEEP, fx!(0.68))
    }
}

impl core::fmt::Display for Color {
    /// As SVG has it: `#rrggbb`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

fn to_part(value: Fx) -> u8 {
    value.to_int_round().clamp(0, 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_stay_colors() {
        let color = Color([10, 200, 255]);
        assert_eq!(color.lit(fx!(2)), Color([20, 255, 255]));
        assert_eq!(color.lit(fx!(-1)), Color([0, 0, 0]));
        assert_eq!(color.mixed(Color([20, 100, 0]), Fx::HALF), Color([15, 150, 128]));
        assert_eq!(color.to_string(), "#0ac8ff");
    }
}
