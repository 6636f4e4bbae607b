//! CPU levels by name; what a CPU has of them is found on the floor above.

use std::fmt;

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
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
