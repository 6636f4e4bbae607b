//! The tests of the workspace share these modules.
//!
//! [`oracle`] says what a reduction must give, from the standard alone;
//! [`compare`] holds a result against it; [`cases`] makes the inputs and runs
//! them. [`dual`] takes derivatives of operators. Only `cases`, `page` and `dual` know the crates
//! under test.

pub mod cases;
pub mod compare;
pub mod dual;
pub mod float;
pub mod oracle;
pub mod page;
pub mod valgrind;

/// Whether this program is run by an emulator, which sets `REDUCE_EMULATED`. Limits of memory and other tools would hold
/// for the emulator.
pub fn is_emulated() -> bool {
    std::env::var_os("REDUCE_EMULATED").is_some()
}
