//! CPU levels by name; what a CPU has of them is found on the floor above.

use std::fmt;

use super::level_table::for_levels;

/// Writes the type with a variant for each row of the table, and its names.
macro_rules! levels {
    ($(
        $(#[$doc:meta])*
        $level:ident { name: $name:literal, $($rest:tt)* }
    )+) => {
        /// A set of CPU features that kernels are compiled for.
        ///
        /// Every level gives the same bits. A higher one is faster, but for work that is mostly reading on some CPUs,
        /// where the kernels go down a level by themselves.
        ///
        /// A reduction runs at the best level of the CPU by itself. To name one is for tests and benchmarks:
        ///
        /// ```
        /// use reduce_core::{Level, Reduction, View};
        /// use reduce_specs::ReduceSum;
        ///
        /// let data: Vec<f32> = (0..1000u16).map(|i| f32::from(i) * 0.1).collect();
        /// let view = View::new(&data, &[1000])?;
        /// let fastest = Reduction::new(ReduceSum).run(&view)?;
        /// for level in Level::available() {
        ///     let sum = Reduction::new(ReduceSum).level(level).run(&view)?;
        ///     assert_eq!(sum.data()[0].to_bits(), fastest.data()[0].to_bits(), "{level}");
        /// }
        /// # Ok::<(), reduce_core::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Level {
            /// Whatever the build targets; every CPU has it.
            Scalar,
            $(
                $(#[$doc])*
                $level,
            )+
        }

        impl Level {
            /// Every level of every architecture; those of one stand slowest first.
            pub const ALL: [Level; ["scalar", $($name),+].len()] =
                [Level::Scalar, $(Level::$level),+];

            #[doc = concat!("The level's name: `scalar`", $(", `", $name, "`",)+ ".")]
            pub const fn name(self) -> &'static str {
                match self {
                    Level::Scalar => "scalar",
                    $(Level::$level => $name,)+
                }
            }
        }
    };
}

for_levels!(levels);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
