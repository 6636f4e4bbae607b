//! What each level does with instructions of its own: half-precision floats of some lanes are widened to single
//! precision, rows of lanes turned into columns, incomplete steps read, and blocks transposed.
//!
//! A level implements [`Code`](super::code::Code) and [`Transposes`](super::transpose::Transposes) for its proof.
//! Both have defaults that need no instruction, except that a level always says how it turns rows into columns: one
//! without vectors for that calls [`turn_plainly`](super::transpose::turn_plainly), as the scalar one does.

#![allow(unsafe_code, reason = "vector instructions, loads and stores are unsafe")]

mod scalar;

use crate::facts::level_table::for_levels;

/// Declares the module of each level. `cargo fmt` does not find their files: `CONTRIBUTING.md` says what does.
macro_rules! modules {
    ($(
        $(#[$doc:meta])*
        $level:ident {
            name: $name:literal, module: $module:ident, narrow: $narrow:ident,
            arch: $arch:literal, $($rest:tt)*
        }
    )+) => {$(
        #[cfg(target_arch = $arch)]
        mod $module;
    )+};
}

for_levels!(modules);
