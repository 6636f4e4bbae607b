//! What each level does with instructions of its own. It widens half-precision floats of some lanes to single
//! precision, turns rows of lanes into columns, reads incomplete steps, and transposes blocks.
//!
//! A level implements [`Code`](super::code::Code) and [`Transposes`](super::transpose::Transposes) for its proof. Most
//! of their functions have defaults that need no instruction. A level always says how it turns rows into columns. One
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
