//! The text of a picture.

use crate::plane::{Point, UNITS};
use isostep_math::Fx;
use std::fmt::Write;

/// Appends formatted text.
macro_rules! put {
    ($svg:expr, $($argument:tt)*) => {
        $svg.write(format_args!($($argument)*))
    };
}
pub(crate) use put;

/// The text of a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    pub(crate) fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Memory takes all text.
        let _ = self.text.write_fmt(arguments);
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Path data of a closed polygon.
    pub(crate) fn polygon(&mut self, points: &[Point]) {
        self.line(points);
        self.text.push('z');
    }

    /// Path data from point to point: the first one absolute, the others by their differences.
    pub(crate) fn line(&mut self, points: &[Point]) {
        let Some((&first, rest)) = points.split_first() else { return };
        put!(self, "M{} {}", first.x, first.y);
        let mut at = first;
        for &point in rest {
            if point == at {
                continue;
            }
            if at == first {
                self.text.push('l');
            }
            self.number(point.x - at.x);
            self.number(point.y - at.y);
            at = point;
        }
        if at == first {
            // A dot: round caps show it.
            self.text.push_str("h0");
        }
    }

    /// A number in a list: a sign sets it apart from the one before, a space where there is none.
    pub(crate) fn number(&mut self, value: i64) {
        let separator =
            if value < 0 || self.text.ends_with(|last: char| last.is_ascii_alphabetic()) { "" } else { " " };
        put!(self, "{separator}{value}");
    }

    /// Text without what would be markup.
    pub(crate) fn escaped(&mut self, text: &str) {
        for character in text.chars().filter(|character| !character.is_control()) {
            match character {
                '<' => self.push("&lt;"),
                '>' => self.push("&gt;"),
                '&' => self.push("&amp;"),
                '"' => self.push("&quot;"),
                // No characters of XML.
                '\u{FFFE}' | '\u{FFFF}' => {}
                other => self.text.push(other),
            }
        }
    }
}

/// The start of a picture of a size in pixels, with the shade that all balls have.
pub(crate) fn open(width: u32, height: u32) -> Svg {
    let mut svg = Svg::default();
    let (units_wide, units_high) = (i64::from(width) * UNITS, i64::from(height) * UNITS);
    put!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {units_wide} {units_high}\">\n\
         <defs>\
         <radialGradient id=\"ball\" cx=\".36\" cy=\".3\" r=\".74\">\
         <stop offset=\"0\" stop-color=\"#fff\" stop-opacity=\".5\"/>\
         <stop offset=\".45\" stop-color=\"#fff\" stop-opacity=\"0\"/>\
         <stop offset=\".55\" stop-color=\"#0b1a33\" stop-opacity=\"0\"/>\
         <stop offset=\"1\" stop-color=\"#0b1a33\" stop-opacity=\".5\"/>\
         </radialGradient>\
         <linearGradient id=\"sky\" x2=\"0\" y2=\"1\">\
         <stop offset=\"0\" stop-color=\"#e9eff6\"/>\
         <stop offset=\"1\" stop-color=\"#f8fafc\"/>\
         </linearGradient>\
         </defs>\n"
    );
    svg
}

/// Degrees with a decimal.
pub(crate) fn degrees(radians: Fx) -> String {
    let tenths = (radians.to_degrees() * Fx::from_int(10)).to_int_round();
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    format!("{sign}{whole}.{tenth}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::fx;

    #[test]
    fn paths_are_short() {
        let mut svg = Svg::default();
        svg.polygon(&[Point::new(5, 6), Point::new(15, 6), Point::new(15, 6), Point::new(14, -2)]);
        svg.line(&[Point::new(1, 2), Point::new(1, 2)]);
        assert_eq!(svg.into_text(), "M5 6l10 0-1-8zM1 2h0");
    }

    #[test]
    fn text_is_no_markup() {
        let mut svg = Svg::default();
        svg.escaped("a<b> & \"c\"\n\u{0}d");
        assert_eq!(svg.into_text(), "a&lt;b&gt; &amp; &quot;c&quot;d");
    }

    #[test]
    fn degrees_have_a_decimal() {
        assert_eq!([fx!(1.5707963268), fx!(-0.0087266), fx!(0)].map(degrees), ["90.0", "-0.5", "0.0"]);
    }
}
