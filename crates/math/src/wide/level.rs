//! Which instruction set the kernels run in: detection, names, the variable that overrides it.

extern crate alloc;

use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The name of an instruction-set level, whether this CPU has it or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LevelName {
    /// One lane at a time, with the features the program was compiled for. The reference for the others.
    Scalar,
    /// 64-bit ARM with NEON, which it has wherever it has an operating system.
    Neon,
    /// x86-64 with AVX2 (and BMI1, BMI2, LZCNT, which every such CPU has).
    Avx2,
    /// x86-64 with AVX-512 F, CD, BW, DQ and VL. Needs a compiler of Rust 1.89 or later.
    Avx512,
}

impl LevelName {
    /// All names, from the narrowest to the widest.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Neon, Self::Avx2, Self::Avx512];

    /// The name as it is written in `ISOSTEP_LANES`: `scalar`, `neon`, `avx2` or `avx512`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for LevelName {
    type Err = LevelError;

    /// The name for the exact lower-case word.
    ///
    /// # Errors
    /// [`LevelError::Unknown`] for any other text, the empty one included.
    fn from_str(text: &str) -> Result<Self, LevelError> {
        Self::ALL
            .into_iter()
            .find(|name| name.as_str() == text)
            .ok_or_else(|| LevelError::Unknown { value: text.into() })
    }
}

/// Why a level cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The text names no level.
    #[error("unknown lane level {value:?}: expected scalar, neon, avx2 or avx512")]
    Unknown {
        /// The text as given.
        value: String,
    },
    /// The level exists, but this CPU, target or compiler does not have it.
    #[error("lane level {level} is not available here")]
    Unavailable {
        /// The level that was asked for.
        level: LevelName,
    },
}

/// An instruction-set level that this CPU has.
///
/// A value of this type is the proof: outside this file there is no way to make one except through
/// [`Level::new`], which asks the CPU (feature `std`) or the compile-time target features (without it).
/// Levels differ in speed only; the bits are the same at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level {
    name: LevelName,
}

impl Level {
    /// One lane at a time; always available.
    pub const SCALAR: Self = Self { name: LevelName::Scalar };

    /// The environment variable that overrides the detection of [`Level::current`] (feature `std`).
    pub const VARIABLE: &'static str = "ISOSTEP_LANES";

    /// The level of this name.
    ///
    /// # Errors
    /// [`LevelError::Unavailable`] if this CPU, target or compiler does not have it.
    pub fn new(name: LevelName) -> Result<Self, LevelError> {
        if is_available(name) { Ok(Self { name }) } else { Err(LevelError::Unavailable { level: name }) }
    }

    /// The fastest available level, which is the widest. Ignores the environment.
    ///
    /// There are none for vectors that lack products or comparisons of 64-bit lanes, or have to put them together: a step
    /// takes 1.4 times as long in four lanes of SSE2 as in one after the other, and 1.2 times in those of `simd128`.
    #[must_use]
    pub fn detect() -> Self {
        Self::available().last().unwrap_or(Self::SCALAR)
    }

    /// The available levels, from the narrowest to the widest.
    pub fn available() -> impl Iterator<Item = Self> {
        LevelName::ALL.into_iter().filter_map(|name| Self::new(name).ok())
    }

    /// The level this process uses: the one `ISOSTEP_LANES` names, or else the fastest available.
    ///
    /// A value of `ISOSTEP_LANES` that cannot be honoured does not stop a game, since the level cannot change
    /// a result: `current` then is [`Level::detect`], and [`Level::from_env`] returns the error. A test that
    /// means to run one level asserts it, and so never runs another silently:
    ///
    /// ```
    /// # use isostep_math::wide::Level;
    /// // Fails on an unknown name and on a level that the CPU lacks.
    /// let wanted = Level::from_env()?;
    /// assert!(wanted.is_none_or(|wanted| wanted == Level::current()));
    /// # Ok::<(), isostep_math::wide::LevelError>(())
    /// ```
    #[must_use]
    pub fn current() -> Self {
        match Self::from_env() {
            Ok(Some(level)) => level,
            Ok(None) | Err(_) => Self::detect(),
        }
    }

    /// The level that `ISOSTEP_LANES` names, `None` if the variable is not set or there is no feature `std`.
    ///
    /// The variable is read once per process, at the first call of this or of [`Level::current`].
    ///
    /// # Errors
    /// [`LevelError::Unknown`] if the value names no level (an empty one does not),
    /// [`LevelError::Unavailable`] if the CPU lacks it.
    pub fn from_env() -> Result<Option<Self>, LevelError> {
        #[cfg(feature = "std")]
        {
            static FROM_ENV: std::sync::OnceLock<Result<Option<Level>, LevelError>> =
                std::sync::OnceLock::new();
            FROM_ENV.get_or_init(read_variable).clone()
        }
        #[cfg(not(feature = "std"))]
        Ok(None)
    }

    /// The name of this level.
    #[must_use]
    pub const fn name(self) -> LevelName {
        self.name
    }

    /// The number of lanes [`Level::dispatch`] gives a kernel: 1 at `scalar`, 2 at `neon`, 4 at `avx2`, 8 at
    /// `avx512`.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self.name {
            LevelName::Scalar => 1,
            LevelName::Neon => 2,
            LevelName::Avx2 => 4,
            LevelName::Avx512 => 8,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    /// The level of this name.
    ///
    /// # Errors
    /// [`LevelError::Unknown`] if no level has the name, [`LevelError::Unavailable`] if the CPU lacks it.
    fn from_str(text: &str) -> Result<Self, LevelError> {
        Self::new(text.parse()?)
    }
}

/// The value of the variable, checked.
#[cfg(feature = "std")]
fn read_variable() -> Result<Option<Level>, LevelError> {
    match std::env::var_os(Level::VARIABLE) {
        None => Ok(None),
        Some(value) => value.to_string_lossy().parse().map(Some),
    }
}

/// Whether a function compiled for the level may be entered.
#[cfg(target_arch = "x86_64")]
fn is_available(name: LevelName) -> bool {
    match name {
        LevelName::Scalar => true,
        LevelName::Neon => false,
        LevelName::Avx2 => super::dispatch::has_avx2(),
        #[cfg(isostep_avx512)]
        LevelName::Avx512 => super::dispatch::has_avx512(),
        #[cfg(not(isostep_avx512))]
        LevelName::Avx512 => false,
    }
}

/// Whether a function compiled for the level may be entered.
#[cfg(not(target_arch = "x86_64"))]
fn is_available(name: LevelName) -> bool {
    match name {
        LevelName::Scalar => true,
        LevelName::Neon => cfg!(isostep_neon),
        LevelName::Avx2 | LevelName::Avx512 => false,
    }
}
