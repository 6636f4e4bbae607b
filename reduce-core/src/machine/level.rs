//! CPU levels: which of them this CPU has, and how code is entered that is compiled for one.
//!
//! All that depends on the level is written from the rows of the table of levels. So a CPU is asked for the same
//! features that code is compiled for. Code of a level is entered with a *proof* of that level.
//!
//! Entering a function compiled for features of the CPU, after asking the CPU
//! for exactly those features, is unsafe code; all of it is here.

#![allow(unsafe_code, reason = "calling a `#[target_feature]` function is unsafe")]

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected;
#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected;

use super::code::{Simple, Work};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::level::Level;
use crate::facts::level_table::for_levels;

/// An engine takes a whole program or none of it. So what runs has what it was compiled for.
#[cfg(target_arch = "wasm32")]
macro_rules! is_wasm_feature_detected {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}
#[cfg(target_arch = "wasm32")]
use is_wasm_feature_detected;

impl Level {
    /// The levels of this CPU, the slowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(|level| level.is_available())
    }

    /// The fastest level of this CPU.
    pub fn best() -> Level {
        Level::available().last().unwrap_or(Level::Scalar)
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

/// A level that this CPU was found to have; made by `Level::check` alone.
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

    /// As [`Available::run`], but with the instructions of the level's narrow one: AVX2's where there are those of
    /// AVX-512. This is for work that is no faster with those, so that it is not compiled for them as well.
    #[inline]
    pub(crate) fn run_narrow<W: Work>(self, work: W) {
        if let Err(work) = self.run_narrow_in_vectors(work) {
            enter_simply(work);
        }
    }
}

/// Writes what chooses by the level: each choice has an arm for every row of the table that is compiled.
macro_rules! choices {
    ($(
        $(#[$doc:meta])*
        $level:ident {
            name: $name:literal, module: $module:ident, narrow: $narrow:ident,
            arch: $arch:literal, $($rest:tt)*
        }
    )+) => {
        impl Level {
            /// Whether this CPU has every feature of the level, and kernels were compiled for it. They are compiled for
            /// all levels, or without optimisation for [`Level::Scalar`] alone. The environment variable
            /// `REDUCE_LEVELS` names other levels when the crate is built.
            pub fn is_available(self) -> bool {
                match self {
                    Level::Scalar => true,
                    $(
                        #[cfg(all(target_arch = $arch, reduce_level = $name))]
                        Level::$level => $module::detect(),
                    )+
                    #[allow(unreachable_patterns, reason = "levels of other architectures")]
                    _ => false,
                }
            }
        }

        impl Available {
            /// Does the work if the level has vectors. Otherwise the work is handed back, and is not compiled for that
            /// level. This is for work that other code does as well where there are no vectors.
            #[inline]
            pub(crate) fn run_in_vectors<W: Work>(self, work: W) -> Result<(), W> {
                match self.0 {
                    $(
                        #[cfg(all(target_arch = $arch, reduce_level = $name))]
                        Level::$level => $module::Proof(()).run(work),
                    )+
                    _ => return Err(work),
                }
                Ok(())
            }

            /// Does as [`Available::run_in_vectors`] does, but narrow as [`Available::run_narrow`].
            #[inline]
            pub(crate) fn run_narrow_in_vectors<W: Work>(self, work: W) -> Result<(), W> {
                match self.0 {
                    $(
                        #[cfg(all(target_arch = $arch, reduce_level = $name))]
                        Level::$level => $narrow::Proof(()).run(work),
                    )+
                    _ => return Err(work),
                }
                Ok(())
            }
        }

        /// Something for each level that is compiled.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct PerLevel<T> {
            pub(crate) simple: T,
            $(
                #[cfg(all(target_arch = $arch, reduce_level = $name))]
                pub(crate) $module: T,
            )+
        }

        impl<T> PerLevel<T> {
            /// The member for a level.
            #[inline]
            pub(crate) fn of(&self, level: Available) -> &T {
                match level.0 {
                    $(
                        #[cfg(all(target_arch = $arch, reduce_level = $name))]
                        Level::$level => &self.$module,
                    )+
                    _ => &self.simple,
                }
            }
        }
    };
}

for_levels!(choices);

/// Writes a module for each level: the detection of its features, a function compiled for the same features, and
/// the proof that lets safe code call it.
macro_rules! modules {
    ($(
        $(#[$doc:meta])*
        $level:ident {
            name: $name:literal, module: $module:ident, narrow: $narrow:ident,
            arch: $arch:literal, detect: $detect:ident, features: [$($feature:tt),+],
        }
    )+) => {$(
        #[cfg(target_arch = $arch)]
        pub(crate) mod $module {
            use super::{Available, Level, Work};

            pub(super) fn detect() -> bool {
                $(super::$detect!($feature))&&+
            }

            /// Proof that this CPU has the level; made of an [`Available`], or where the caller knows it.
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct Proof(pub(super) ());

            impl Proof {
                /// The proof, if it is for this level.
                pub(crate) fn of(available: Available) -> Option<Proof> {
                    (available.level() == Level::$level).then_some(Proof(()))
                }

                /// The proof, for code that is compiled for the level and can only be called at it.
                ///
                /// # Safety
                /// *level*: the CPU has this one.
                #[inline(always)]
                pub(crate) unsafe fn unchecked() -> Proof {
                    Proof(())
                }

                /// The proof of the level that does the narrow work of this one. A CPU has that level as well.
                #[allow(dead_code, reason = "for levels that leave narrow work to another")]
                #[inline(always)]
                pub(crate) fn narrow(self) -> super::$narrow::Proof {
                    super::$narrow::Proof(())
                }

                /// Does the work with the instructions of this level.
                #[allow(unused_unsafe, reason = "WebAssembly has no instructions that an engine may lack")]
                #[inline]
                pub(crate) fn run<W: Work>(self, work: W) {
                    // SAFETY: `enter` needs the features that `detect` asks for. An `Available` of this level exists
                    // only where it said yes. One of a level that leaves narrow work to this one exists only where
                    // the CPU has these features and more, since that level lists them too.
                    unsafe { enter(work, self) };
                }

                /// Does the same in a function of its own. The compiler would inline `enter` into code that has
                /// its features. This function has none, and is not inlined.
                #[inline(never)]
                pub(crate) fn run_apart<W: Work>(self, work: W) {
                    self.run(work);
                }
            }

            /// The features of the level.
            #[cfg(test)]
            pub(super) const FEATURES: &[&str] = &[$($feature),+];

            $(#[target_feature(enable = $feature)])+
            fn enter<W: Work>(work: W, proof: Proof) {
                work.run(proof);
            }
        }
    )+};
}

for_levels!(modules);

#[cfg(test)]
mod tests {
    use super::{Level, for_levels};

    #[test]
    fn levels_are_found_in_order() {
        let available: Vec<_> = Level::available().collect();
        assert!(available.is_sorted());
        assert_eq!(available.first(), Some(&Level::Scalar));
        assert_eq!(available.last(), Some(&Level::best()));
    }

    /// Holds the features of each level of this architecture against those of its narrow one.
    macro_rules! compare {
        ($(
            $(#[$doc:meta])*
            $level:ident {
                name: $name:literal, module: $module:ident, narrow: $narrow:ident,
                arch: $arch:literal, $($rest:tt)*
            }
        )+) => {$(
            #[cfg(target_arch = $arch)]
            {
                let (narrow, wide) = (super::$narrow::FEATURES, super::$module::FEATURES);
                assert!(narrow.iter().all(|feature| wide.contains(feature)), "{}", $name);
            }
        )+};
    }

    #[test]
    fn a_level_has_the_features_of_its_narrow_one() {
        for_levels!(compare);
    }

    #[test]
    fn an_unavailable_level_is_an_error() {
        for level in Level::ALL {
            assert_eq!(level.check().is_ok(), level.is_available());
        }
    }
}
