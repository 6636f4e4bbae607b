//! CPU levels: one list of features each, for detection and for code alike.
//!
//! Entering a function compiled for features of the CPU, after asking the CPU
//! for exactly those features, is unsafe code; all of it is here.

#![allow(unsafe_code, reason = "calling a `#[target_feature]` function is unsafe")]

use super::code::{Simple, Work};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::level::Level;

/// Calls a macro with each level that has features of its own: its name, that of its module, its
/// architecture, how a CPU is asked, and for what.
macro_rules! for_levels {
    ($each:ident) => {
        $each! { Neon, neon, "aarch64", is_aarch64_feature_detected: "neon" }
        $each! {
            Avx2, avx2, "x86_64", is_x86_feature_detected: "avx2", "fma", "f16c", "bmi1", "bmi2"
        }
        $each! {
            Avx512, avx512, "x86_64", is_x86_feature_detected:
            "avx2", "fma", "f16c", "bmi1", "bmi2", "avx512f", "avx512bw", "avx512dq", "avx512vl"
        }
    };
}

pub(crate) use for_levels;

impl Level {
    /// The levels of this CPU, the slowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(|level| level.is_available())
    }

    /// The fastest level of this CPU.
    pub fn best() -> Level {
        Level::available().last().unwrap_or(Level::Scalar)
    }

    /// Whether this CPU has every feature of the level, and kernels were compiled for it. They are compiled for
    /// all levels, or without optimisation for [`Level::Scalar`] alone. The environment variable
    /// `REDUCE_LEVELS` names other levels when the crate is built.
    pub fn is_available(self) -> bool {
        match self {
            Level::Scalar => true,
            #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
            Level::Neon => neon::detect(),
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
            Level::Avx2 => avx2::detect(),
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
            Level::Avx512 => avx512::detect(),
            #[allow(unreachable_patterns, reason = "levels of other architectures")]
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

/// A level that this CPU was found to have; made by [`Level::check`] alone.
#[derive(Clone, Copy, Debug)]
pub struct Available(Level);

/// Not inlined, or each caller would have a copy.
#[inline(never)]
fn enter_simply<W: Work>(work: W) {
    work.run(Simple);
}

impl Available {
    /// The level.
    pub(crate) fn level(self) -> Level {
        self.0
    }

    /// Does the work with the instructions of the level.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) {
        if let Err(work) = self.run_in_vectors(work) {
            enter_simply(work);
        }
    }

    /// As [`Available::run`], but with AVX2's instructions where there are those of AVX-512. This is for work
    /// that is no faster with those, so that it is not compiled for them as well.
    #[inline]
    pub(crate) fn run_narrow<W: Work>(self, work: W) {
        if let Err(work) = self.run_narrow_in_vectors(work) {
            enter_simply(work);
        }
    }

    /// Does as [`Available::run_in_vectors`] does, but narrow as [`Available::run_narrow`].
    #[inline]
    pub(crate) fn run_narrow_in_vectors<W: Work>(self, work: W) -> Result<(), W> {
        match self.0 {
            #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
            Level::Neon => neon::Proof(()).run(work),
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
            Level::Avx2 | Level::Avx512 => avx2::Proof(()).run(work),
            _ => return Err(work),
        }
        Ok(())
    }

    /// Does the work if the level has vectors. Otherwise the work is handed back, and is not compiled for that
    /// level. This is for work that other code does as well where there are no vectors.
    #[inline]
    pub(crate) fn run_in_vectors<W: Work>(self, work: W) -> Result<(), W> {
        match self.0 {
            #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
            Level::Neon => neon::Proof(()).run(work),
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
            Level::Avx2 => avx2::Proof(()).run(work),
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
            Level::Avx512 => avx512::Proof(()).run(work),
            _ => return Err(work),
        }
        Ok(())
    }
}

/// Something for each level that is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerLevel<T> {
    pub(crate) simple: T,
    #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
    pub(crate) neon: T,
    #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
    pub(crate) avx2: T,
    #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
    pub(crate) avx512: T,
}

impl<T> PerLevel<T> {
    /// The member for a level.
    #[inline]
    pub(crate) fn of(&self, level: Available) -> &T {
        match level.0 {
            #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
            Level::Neon => &self.neon,
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
            Level::Avx2 => &self.avx2,
            #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
            Level::Avx512 => &self.avx512,
            _ => &self.simple,
        }
    }
}

/// Writes a module with the detection of a list of features, a function compiled
/// for the same list, and the proof that lets safe code call it.
macro_rules! level {
    ($level:ident, $name:ident, $arch:literal, $detected:ident: $($feature:tt),+) => {
        #[cfg(target_arch = $arch)]
        pub(crate) mod $name {
            use super::{Available, Level, Work};

            pub(super) fn detect() -> bool {
                $(std::arch::$detected!($feature))&&+
            }

            /// Proof that this CPU has the level; made of an [`Available`], or where the caller knows it.
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct Proof(pub(super) ());

            impl Proof {
                /// The proof, if it is for this level or for a higher one.
                pub(crate) fn of(available: Available) -> Option<Proof> {
                    (available.level() >= Level::$level).then_some(Proof(()))
                }

                /// The proof, for code that is compiled for the level and can only be called at it.
                ///
                /// # Safety
                /// The CPU has the level.
                #[inline(always)]
                pub(crate) unsafe fn unchecked() -> Proof {
                    Proof(())
                }

                /// Does the work with the instructions of this level.
                #[inline]
                pub(crate) fn run<W: Work>(self, work: W) {
                    // SAFETY: `enter` needs the features that `detect` asks for; an
                    // `Available` of this level exists only where it said yes, and one of a
                    // higher level where the CPU has these features and more.
                    unsafe { enter(work, self) };
                }

                /// Does the same in a function of its own. The compiler would inline `enter` into code that has
                /// its features. This function has none, and is not inlined.
                #[inline(never)]
                pub(crate) fn run_apart<W: Work>(self, work: W) {
                    self.run(work);
                }
            }

            /// The features of the level; a higher level of the architecture has them as well.
            #[cfg(test)]
            pub(super) const FEATURES: &[&str] = &[$($feature),+];

            $(#[target_feature(enable = $feature)])+
            fn enter<W: Work>(work: W, proof: Proof) {
                work.run(proof);
            }
        }
    };
}

for_levels!(level);

#[cfg(target_arch = "x86_64")]
impl From<avx512::Proof> for avx2::Proof {
    /// A CPU with the higher level has the features of the lower one.
    #[inline(always)]
    fn from(_: avx512::Proof) -> Self {
        avx2::Proof(())
    }
}

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

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_level_has_the_features_of_the_one_below() {
        let (lower, higher) = (super::avx2::FEATURES, super::avx512::FEATURES);
        assert!(lower.iter().all(|feature| higher.contains(feature)), "{higher:?}");
    }

    #[test]
    fn an_unavailable_level_is_an_error() {
        for level in Level::ALL {
            assert_eq!(level.check().is_ok(), level.is_available());
        }
    }
}
