//! The greatest errors seen.

use crate::number::{DoubleDouble, Number};
use std::cmp::Ordering;
use std::fmt;

/// Units of 2⁻³² per metre of size around touching in which [`relation`](isostep_collision::overlap::relation) may err.
const BAND: f64 = 4.0;

/// The errors of one kind of answer, relative to the size of the pairs and beyond rounding.
#[derive(Default)]
struct Worst {
    name: &'static str,
    error: f64,
    /// How many are too large, by how many times the limit at the most, and which pair that was.
    failures: u32,
    excess: f64,
    pair: String,
}

/// What was compared, and how far answers were off.
#[derive(Default)]
pub(crate) struct Figures {
    pairs: u32,
    /// Within ten units of touching.
    near: u32,
    penetrating: u32,
    /// How many relations were compared with exact ones.
    pub(crate) exact: u32,
    /// How many others were wrong, and how far from touching that was: units of 2⁻³² per metre.
    wrong: u32,
    band: f64,
    errors: Vec<Worst>,
    /// The largest error of the reference.
    pub(crate) reference: f64,
}

impl Figures {
    pub(crate) fn count(&mut self, gap: f64) {
        self.pairs += 1;
        self.near += u32::from(gap.abs() <= 10.0);
        self.penetrating += u32::from(gap < 0.0);
    }

    /// A relation that need not be exact.
    pub(crate) fn relation(
        &mut self,
        found: Ordering,
        gap: DoubleDouble,
        size: f64,
        context: &impl Fn() -> String,
    ) {
        let expected = gap.partial_cmp(&DoubleDouble::ZERO).expect("gaps are numbers");
        if found != expected {
            let off = gap.to_f64().abs() / (size / 4_294_967_296.0);
            self.wrong += 1;
            self.band = self.band.max(off);
            self.error("relation", off, (0.0, BAND, 1.0), &|| format!("{found:?}, {}", context()));
        }
    }

    /// Notes an error, which may be `units` by rounding and `limit` beyond that, relative to the size.
    pub(crate) fn error(
        &mut self,
        name: &'static str,
        error: f64,
        (units, limit, size): (f64, f64, f64),
        context: &impl Fn() -> String,
    ) {
        let beyond = (error.abs() - units).max(0.0) / size;
        let index = self.errors.iter().position(|worst| worst.name == name).unwrap_or_else(|| {
            self.errors.push(Worst { name, ..Worst::default() });
            self.errors.len() - 1
        });
        let worst = &mut self.errors[index];
        worst.error = worst.error.max(beyond);
        if beyond > limit {
            worst.failures += 1;
            if beyond / limit > worst.excess {
                worst.excess = beyond / limit;
                worst.pair = format!("off by {error} units of a size of {size}: {}", context());
            }
        }
    }

    /// Prints the figures, and panics if any error was too large, with the worst pair of each kind.
    pub(crate) fn conclude(&self, title: &str) {
        println!("{title}: {self}");
        let mut failures = String::new();
        for Worst { name, failures: count, excess, pair, .. } in self.errors.iter().filter(|w| w.failures > 0)
        {
            failures += &format!("{name}: {count} too large, by a factor of {excess} at the most, {pair}\n");
        }
        assert!(failures.is_empty(), "{title}:\n{failures}");
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pairs, near, penetrating, exact, wrong, band, .. } = self;
        write!(f, "{pairs} pairs, {near} within ten units of touching, {penetrating} penetrating; ")?;
        write!(f, "{exact} relations exact; {wrong} off within {band:.3} units per metre; of size:")?;
        let errors = self.errors.iter().map(|worst| (worst.name, worst.error));
        for (name, worst) in errors.chain([("the reference", self.reference)]) {
            match worst > 0.0 {
                true => write!(f, " {name} 2^{:.1},", worst.log2())?,
                false => write!(f, " {name} 0,")?,
            }
        }
        Ok(())
    }
}
