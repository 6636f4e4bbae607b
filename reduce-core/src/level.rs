//! CPU levels: one list of features each, for detection and for code alike.
//!
//! Entering a function compiled for features of the CPU, after asking the CPU
//! for exactly those features, is unsafe code; all of it is here.

#![allow(unsafe_code, reason = "calling a `#[target_feature]` function is unsafe")]

use std::fmt;
use std::mem::MaybeUninit;

use half::f16;

use crate::element::{Element, Load};
use crate::error::{Error, ErrorKind};
use crate::kernel::Fold;
use crate::kernel::KEPT;
use crate::kernel::micro::{self, Table};
use crate::simd::turn_plainly;

/// A set of CPU features that kernels are compiled for.
///
/// Every level gives the same bits; a higher one is faster, but for what is mostly reading on
/// some CPUs, where the kernels go down a level by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Whatever the build targets; every CPU has it.
    Scalar,
    /// aarch64 with NEON.
    Neon,
    /// x86-64 with AVX2, FMA, F16C, BMI1 and BMI2.
    Avx2,
    /// All of [`Level::Avx2`], and AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Level {
    /// Every level of every architecture; those of one stand slowest first.
    pub const ALL: [Level; 4] = [Level::Scalar, Level::Neon, Level::Avx2, Level::Avx512];

    /// The level's name: `scalar`, `neon`, `avx2`, `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Neon => "neon",
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

    /// Whether this CPU has every feature of the level, and kernels were compiled for it: for all
    /// levels, but without optimisation for [`Level::Scalar`] alone, or for those that the environment
    /// variable `REDUCE_LEVELS` named when the crate was built.
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

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A level that this CPU was found to have; made by [`Level::check`] alone.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "named by a hidden function of a public trait")]
pub struct Available(Level);

/// How code is compiled: proof of a level's features, or none at all.
#[allow(unreachable_pub, reason = "named by a hidden function of a public trait")]
pub trait Code: Copy {
    /// Whether lanes are kept in vectors.
    const VECTORS: bool;

    /// The bytes of all vector registers.
    const REGISTERS: usize;

    /// Widens the values of some lanes exactly. A NaN stays a NaN; which one depends
    /// on the level.
    #[inline(always)]
    fn widen_f16<const L: usize>(self, values: &[f16; L]) -> [f32; L] {
        std::array::from_fn(|lane| values[lane].load())
    }

    /// Copies some values into a step, as those from lane `first` on, by vectors of which only some
    /// elements are read, if the level has them for such a step; says whether it did.
    #[inline(always)]
    fn stage<T: Element>(self, _values: &[T], _first: usize, _step: &mut [MaybeUninit<T>]) -> bool {
        false
    }

    /// Turns rows of lanes into columns: of elements of two to eight bytes.
    #[inline(always)]
    fn turn<T: Element>(self, from: &[T; KEPT], to: &mut [T; KEPT]) {
        turn_plainly(from, to);
    }

    /// Does work in a function of its own. In a large one, the compiler finds no registers for
    /// constants, and loads them again and again.
    #[inline(always)]
    fn apart<W: Work>(self, work: W) {
        work.run(self);
    }
}

/// For what the build targets: every CPU has it. Where there are no vector
/// instructions to speak of, little code matters more than fast code.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Code`")]
pub struct Simple;

impl Code for Simple {
    const VECTORS: bool = false;
    const REGISTERS: usize = 0;
}

/// Work to be compiled once per level.
#[allow(unreachable_pub, reason = "as `Code`")]
pub trait Work {
    /// Does the work. Implementations are `#[inline(always)]`, and so is all
    /// that they call, or it would be compiled without the level's features.
    fn run<C: Code>(self, code: C);
}

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

    /// As [`Available::run`], but with AVX2's instructions where there are those of AVX-512: for
    /// what is no faster with those, so that it is not compiled for them as well.
    #[inline]
    pub(crate) fn run_narrow<W: Work>(self, work: W) {
        if let Err(work) = self.run_narrow_in_vectors(work) {
            enter_simply(work);
        }
    }

    /// As [`Available::run_in_vectors`], but narrow as [`Available::run_narrow`].
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

    /// Does the work if the level has vectors; otherwise hands it back, and it is not compiled
    /// for that level: for work that another does as well where there are none.
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
    simple: T,
    #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
    neon: T,
    #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
    avx2: T,
    #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
    avx512: T,
}

impl<T> PerLevel<T> {
    /// That of a level.
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

/// The microkernels of some types at every level. Those that are no faster with wider vectors are
/// compiled for narrower ones alone.
pub(crate) const fn tables<F: Fold, const L: usize>() -> PerLevel<Table> {
    PerLevel {
        simple: micro::plain::<F, L>(),
        #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
        neon: neon::table::<F, L>(),
        #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
        avx2: avx2::table::<F, L>(),
        #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
        avx512: {
            let Table { few, strands, .. } = avx2::table::<F, L>();
            Table { few, strands, ..avx512::table::<F, L>() }
        },
    }
}

/// Writes the entries of a table, compiled for a list of features.
macro_rules! table {
    ($code:expr, $(#[$feature:meta])+) => {
        /// The microkernels of some types at this level.
        pub(super) const fn table<F: Fold, const L: usize>() -> Table {
            Table {
                along: along::<F, L>,
                across: across::<F, L>,
                columns: Some(columns::<F, L>),
                rows: if micro::has_rows::<L>() { Some(rows::<F, L>) } else { None },
                few: few::<F, L>,
                end: end::<F, L>,
                strands: strands::<F, L>,
            }
        }

        table!(@entry $code, [$(#[$feature])+], along(op: *const (), top: *mut u8, block: &Block, filing: &Filing));
        table!(@entry $code, [$(#[$feature])+], across(op: *const (), states: *mut u8, panel: &Panel));
        table!(@entry $code, [$(#[$feature])+], columns(op: *const (), panel: &Panel));
        table!(@entry $code, [$(#[$feature])+], rows(op: *const (), rows: &Rows));
        table!(@entry $code, [$(#[$feature])+], few(op: *const (), few: &Few));
        table!(@entry $code, [$(#[$feature])+], end(op: *const (), state: *const u8, end: &mut End<'_>));
        table!(@entry $code, [$(#[$feature])+], strands(op: *const (), states: *mut u8, strands: &Strands));
    };
    (@entry $code:expr, [$(#[$feature:meta])+], $name:ident($($arg:ident: $type:ty),+)) => {
        $(#[$feature])+
        unsafe fn $name<F: Fold, const L: usize>($($arg: $type),+) {
            // SAFETY: the contract of microkernels, which the caller keeps.
            unsafe { micro::$name::<_, F, L>($code, $($arg),+) };
        }
    };
}

/// Writes a module with the detection of a list of features, a function compiled
/// for the same list, and the proof that lets safe code call it.
macro_rules! level {
    ($level:ident, $name:ident, $arch:literal, $detected:ident: $($feature:tt),+) => {
        #[cfg(target_arch = $arch)]
        pub(crate) mod $name {
            use super::{Available, Level, Work};
            use crate::kernel::Fold;
            use crate::kernel::micro::{self, Block, End, Few, Filing, Panel, Rows, Strands, Table};

            pub(super) fn detect() -> bool {
                $(std::arch::$detected!($feature))&&+
            }

            /// Proof that this CPU has the level; made of an [`Available`] alone.
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct Proof(pub(super) ());

            impl Proof {
                /// The proof, if it is for this level or for a higher one.
                pub(crate) fn of(available: Available) -> Option<Proof> {
                    (available.level() >= Level::$level).then_some(Proof(()))
                }

                /// Does the work with the instructions of this level.
                #[inline]
                pub(crate) fn run<W: Work>(self, work: W) {
                    // SAFETY: `enter` needs the features that `detect` asks for; an
                    // `Available` of this level exists only where it said yes, and one of a
                    // higher level where the CPU has these features and more.
                    unsafe { enter(work, self) };
                }

                /// The same, in a function of its own: the compiler would inline `enter`, but not
                /// what has not its features.
                #[inline(never)]
                pub(crate) fn run_apart<W: Work>(self, work: W) {
                    self.run(work);
                }
            }

            /// What a higher level of the architecture has as well.
            #[cfg(test)]
            pub(super) const FEATURES: &[&str] = &[$($feature),+];

            $(#[target_feature(enable = $feature)])+
            fn enter<W: Work>(work: W, proof: Proof) {
                work.run(proof);
            }

            table!(Proof(()), $(#[target_feature(enable = $feature)])+);
        }
    };
}

level!(Neon, neon, "aarch64", is_aarch64_feature_detected: "neon");
level!(Avx2, avx2, "x86_64", is_x86_feature_detected: "avx2", "fma", "f16c", "bmi1", "bmi2");
level!(
    Avx512, avx512, "x86_64", is_x86_feature_detected:
    "avx2", "fma", "f16c", "bmi1", "bmi2", "avx512f", "avx512bw", "avx512dq", "avx512vl"
);

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
