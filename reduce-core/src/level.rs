//! CPU levels: one list of features each, for detection and for code alike.
//!
//! The only unsafe code of the crate is here: entering a function compiled for
//! features of the CPU after asking the CPU for exactly those features.

#![allow(unsafe_code, reason = "calling a `#[target_feature]` function is unsafe")]

use std::fmt;

use crate::error::{Error, ErrorKind};

/// A set of CPU features that kernels are compiled for.
///
/// Every level gives the same bits; a higher one is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Whatever the build targets; every CPU has it.
    Scalar,
    /// x86-64 with AVX2, FMA, F16C, BMI1 and BMI2.
    Avx2,
    /// All of [`Level::Avx2`], and AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Level {
    /// Every level, the slowest first.
    pub const ALL: [Level; 3] = [Level::Scalar, Level::Avx2, Level::Avx512];

    /// The level's name: `scalar`, `avx2`, `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The levels of this CPU, the slowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(|level| level.is_available())
    }

    /// The fastest level of this CPU.
    pub fn best() -> Level {
        Level::available().last().unwrap_or(Level::Scalar)
    }

    /// Whether this CPU has every feature of the level.
    pub fn is_available(self) -> bool {
        match self {
            Level::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2::detect(),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512::detect(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Proof that this CPU has the level.
    ///
    /// # Errors
    /// [`ErrorKind::LevelUnavailable`] if it has not.
    pub(crate) fn check(self) -> Result<Available, Error> {
        if self.is_available() {
            Ok(Available(self))
        } else {
            Err(ErrorKind::LevelUnavailable { level: self }.into())
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A level that this CPU was found to have; made by [`Level::check`] alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Available(Level);

/// Work to be compiled once per level.
pub(crate) trait Work {
    /// Does the work. Implementations are `#[inline(always)]`, and so is all
    /// that they call, or it would be compiled without the level's features.
    fn run(self);
}

impl Available {
    /// Does the work with the instructions of the level.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) {
        match self.0 {
            Level::Scalar => work.run(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `enter` needs the features that `avx2::detect` asks for;
            // an `Available` of this level exists only where it said yes.
            Level::Avx2 => unsafe { avx2::enter(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above, with `avx512::detect`.
            Level::Avx512 => unsafe { avx512::enter(work) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => work.run(),
        }
    }
}

/// Writes a module with the detection of a list of features and a function
/// compiled for the same list.
#[cfg(target_arch = "x86_64")]
macro_rules! level {
    ($name:ident: $($feature:tt),+) => {
        mod $name {
            pub(super) fn detect() -> bool {
                $(std::arch::is_x86_feature_detected!($feature))&&+
            }

            $(#[target_feature(enable = $feature)])+
            pub(super) fn enter<W: super::Work>(work: W) {
                work.run();
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
level!(avx2: "avx2", "fma", "f16c", "bmi1", "bmi2");
#[cfg(target_arch = "x86_64")]
level!(avx512: "avx2", "fma", "f16c", "bmi1", "bmi2", "avx512f", "avx512bw", "avx512dq", "avx512vl");

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_are_found_in_order() {
        let available: Vec<_> = Level::available().collect();
        assert!(available.is_sorted());
        assert_eq!(available.first(), Some(&Level::Scalar));
        assert_eq!(available.last(), Some(&Level::best()));
    }

    #[test]
    fn an_unavailable_level_is_an_error() {
        for level in Level::ALL {
            assert_eq!(level.check().is_ok(), level.is_available());
        }
    }
}
