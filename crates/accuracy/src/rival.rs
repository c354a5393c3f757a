//! The `cordic` crate on `fixed::types::I32F32`, measured in the same way.
//!
//! Some of its loops do not end: each of its functions is measured only where it returns, and what happens
//! elsewhere is found by calling it in a process of its own that is stopped after a while.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use fixed::types::I32F32;

use crate::exact::Exact;
use crate::measure::{Case, Extent, Sample, in_parallel};
use crate::real::{Arguments, ONE, Real};
use crate::reference::Reference;

/// Arguments measured in each zone.
const ARGUMENTS: usize = 20_000;

/// How long a probe may run.
const PATIENCE: Duration = Duration::from_secs(20);

type Function = fn(I32F32, I32F32) -> I32F32;

/// A function of the crate on a part of its domain.
pub(crate) struct Zone {
    pub(crate) real: Real,
    pub(crate) label: &'static str,
    function: Function,
    holds: fn(Arguments) -> bool,
}

const fn zone(real: Real, label: &'static str, function: Function, holds: fn(Arguments) -> bool) -> Zone {
    Zone { real, label, function, holds }
}

/// π/2 as a raw number, rounded down.
const QUARTER: i64 = 6_746_518_852;

/// Where the crate returns within a reasonable time, in the parts in which its error differs in kind.
pub(crate) const ZONES: &[Zone] = &[
    zone(Real::Sqrt, "0 to 2³⁰", |x, _| cordic::sqrt(x), |[x, _]| x < ONE << 30),
    zone(Real::Sin, "to ±π/2", |x, _| cordic::sin(x), |[x, _]| x.saturating_abs() <= QUARTER),
    zone(Real::Sin, "to ±2¹⁰", |x, _| cordic::sin(x), |[x, _]| x.saturating_abs() <= ONE << 10),
    zone(Real::Cos, "to ±π/2", |x, _| cordic::cos(x), |[x, _]| x.saturating_abs() <= QUARTER),
    zone(Real::Cos, "to ±2¹⁰", |x, _| cordic::cos(x), |[x, _]| x.saturating_abs() <= ONE << 10),
    zone(Real::Sin, "to ±2²⁰", |x, _| cordic::sin(x), |[x, _]| x.saturating_abs() <= ONE << 20),
    zone(Real::Cos, "to ±2²⁰", |x, _| cordic::cos(x), |[x, _]| x.saturating_abs() <= ONE << 20),
    zone(Real::Tan, "to ±1", |x, _| cordic::tan(x), |[x, _]| x.saturating_abs() <= ONE),
    zone(Real::Asin, "to ±1/2", |x, _| cordic::asin(x), |[x, _]| x.saturating_abs() <= ONE / 2),
    zone(Real::Asin, "to ±1", |x, _| cordic::asin(x), |_| true),
    zone(Real::Acos, "to ±1", |x, _| cordic::acos(x), |_| true),
    zone(Real::Atan, "to ±1", |x, _| cordic::atan(x), |[x, _]| x.saturating_abs() <= ONE),
    zone(Real::Atan, "all", |x, _| cordic::atan(x), |_| true),
    zone(Real::Atan2, "magnitudes within a factor of 16", cordic::atan2, |[y, x]| alike(y, x)),
    zone(Real::Atan2, "all", cordic::atan2, |_| true),
    zone(Real::Exp, "to ±1", |x, _| cordic::exp(x), |[x, _]| x.saturating_abs() <= ONE),
    zone(Real::Exp, "−22 to 21", |x, _| cordic::exp(x), |[x, _]| (-22 * ONE..=21 * ONE).contains(&x)),
];

fn alike(a: i64, b: i64) -> bool {
    let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
    a.max(b) >> 4 <= a.min(b)
}

impl Zone {
    /// Arguments of the sample in the zone whose true result is in the range, evenly spread.
    pub(crate) fn suited_cases(&self, sample: &Sample) -> Vec<(Arguments, Exact)> {
        let all: Vec<(Arguments, Exact)> = sample
            .arguments
            .iter()
            .copied()
            .zip(sample.truths.iter().copied())
            .filter(|&(arguments, truth)| (self.holds)(arguments) && !truth.saturates())
            .collect();
        spread(&all, ARGUMENTS)
    }

    /// Errors in ulp, and how many calls panicked.
    pub(crate) fn errors(&self, cases: &[(Arguments, Exact)]) -> (Extent, usize) {
        let (mut extent, mut panics) = (Extent::default(), 0);
        let silent = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        for &(arguments, truth) in cases {
            match catch_unwind(AssertUnwindSafe(|| self.call(arguments))) {
                Ok(ours) => extent.add(truth.error_of(ours).abs(), Case { arguments, ours, truth }),
                Err(_) => panics += 1,
            }
        }
        std::panic::set_hook(silent);
        (extent, panics)
    }

    /// Results for a slice of arguments, as [`crate::timing`] wants them.
    pub(crate) fn apply(&self, arguments: &[Arguments], results: &mut [i64]) {
        for (&arguments, result) in arguments.iter().zip(results) {
            *result = self.call(arguments);
        }
    }

    fn call(&self, [x, y]: Arguments) -> i64 {
        (self.function)(I32F32::from_bits(x), I32F32::from_bits(y)).to_bits()
    }

    /// The everyday arguments on which it can be timed.
    pub(crate) fn suited(&self, arguments: &[Arguments]) -> Vec<Arguments> {
        arguments.iter().copied().filter(|&arguments| (self.holds)(arguments)).collect()
    }
}

/// At most `count` items, evenly spread.
fn spread<T: Copy>(all: &[T], count: usize) -> Vec<T> {
    if all.len() <= count {
        return all.to_vec();
    }
    (0..count).map(|index| all[index * all.len() / count]).collect()
}

/// A call that is tried in a process of its own.
struct Probe {
    name: &'static str,
    real: Real,
    function: Function,
    raw: i64,
    /// As the document writes it.
    shown: &'static str,
}

const PROBES: &[Probe] = &[
    Probe {
        name: "sqrt-negative",
        real: Real::Sqrt,
        function: |x, _| cordic::sqrt(x),
        raw: -ONE,
        shown: "sqrt(−1)",
    },
    Probe {
        name: "sqrt-large",
        real: Real::Sqrt,
        function: |x, _| cordic::sqrt(x),
        raw: ONE << 30,
        shown: "sqrt(2³⁰)",
    },
    Probe {
        name: "exp-max",
        real: Real::Exp,
        function: |x, _| cordic::exp(x),
        raw: i64::MAX,
        shown: "exp(MAX)",
    },
    Probe {
        name: "exp-min",
        real: Real::Exp,
        function: |x, _| cordic::exp(x),
        raw: i64::MIN,
        shown: "exp(MIN)",
    },
    Probe {
        name: "sin-max",
        real: Real::Sin,
        function: |x, _| cordic::sin(x),
        raw: i64::MAX,
        shown: "sin(MAX)",
    },
    Probe {
        name: "tan-pole",
        real: Real::Tan,
        function: |x, _| cordic::tan(x),
        raw: QUARTER,
        shown: "tan(π/2)",
    },
];

impl Probe {
    /// The true value in words.
    fn truth(&self) -> String {
        if !self.real.contains([self.raw, 0]) {
            return "there is no real value".to_owned();
        }
        let truth = self.real.value([self.raw, 0], &mut Reference::new());
        if truth.saturates() {
            "the true value is beyond the range".to_owned()
        } else {
            format!("the true value is {:.9}", truth.to_f64() / 2_f64.powi(32))
        }
    }
}

/// What the probed calls did, a sentence each.
pub(crate) fn probe_all() -> Result<Vec<String>> {
    in_parallel(PROBES.len(), |index| {
        let tried = &PROBES[index];
        Ok(format!("`{}` {}; {}", tried.shown, probe(tried.name)?, tried.truth()))
    })
    .into_iter()
    .collect()
}

fn probe(name: &str) -> Result<String> {
    let program = std::env::current_exe().context("finding this program")?;
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(["--probe", name])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("starting a probe")?;
    loop {
        if child.try_wait().context("waiting for a probe")?.is_some() {
            let seconds = start.elapsed().as_secs_f64();
            let output = child.wait_with_output().context("reading a probe")?;
            let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            return Ok(if output.status.success() {
                format!("returned {answer} after {seconds:.1} s")
            } else {
                "panicked".to_owned()
            });
        }
        if start.elapsed() > PATIENCE {
            child.kill().context("stopping a probe")?;
            child.wait().context("stopping a probe")?;
            return Ok(format!("had not returned after {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The other side of a probe: makes the call and prints the result.
pub(crate) fn answer_probe(name: &str) -> Result<()> {
    let Some(probe) = PROBES.iter().find(|probe| probe.name == name) else {
        bail!("no probe is called {name:?}");
    };
    println!("{}", (probe.function)(I32F32::from_bits(probe.raw), I32F32::ZERO));
    Ok(())
}
