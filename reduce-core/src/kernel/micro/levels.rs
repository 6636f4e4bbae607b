//! The entries of a table, compiled for each CPU level.
//!
//! A microkernel is inlined into a function that has the features of a level, and so is compiled for
//! them. The levels and their features are those that the machine was asked for: one list of both.

use super::super::ending::Ending;
use super::super::fold::Fold;
use super::{Table, has_rows, plain};
use crate::machine::level::{PerLevel, for_levels};

/// The microkernels of some types at every level. Those that are no faster with wider vectors are
/// compiled for narrower ones alone.
pub(crate) const fn tables<F: Fold, E: Ending<F::Steps>, const L: usize>() -> PerLevel<Table> {
    PerLevel {
        simple: plain::<F, E, L>(),
        #[cfg(all(target_arch = "aarch64", reduce_level = "neon"))]
        neon: neon::table::<F, E, L>(),
        #[cfg(all(target_arch = "x86_64", reduce_level = "avx2"))]
        avx2: avx2::table::<F, E, L>(),
        #[cfg(all(target_arch = "x86_64", reduce_level = "avx512"))]
        avx512: {
            let Table { few, strands, .. } = avx2::table::<F, E, L>();
            Table { few, strands, ..avx512::table::<F, E, L>() }
        },
    }
}

/// Writes a module with the entries of a table, compiled for the features of a level.
macro_rules! level {
    ($level:ident, $name:ident, $arch:literal, $detected:ident: $($feature:tt),+) => {
        #[cfg(target_arch = $arch)]
        mod $name {
            use super::{Ending, Fold, Table, has_rows};
            use crate::kernel::micro::{self, Block, End, Few, Filing, Panel, Rows, StrandLanes};
            use crate::machine::level::$name::Proof;

            /// The microkernels of some types at this level.
            pub(super) const fn table<F: Fold, E: Ending<F::Steps>, const L: usize>() -> Table {
                Table {
                    along: along::<F, E, L>,
                    across: across::<F, E, L>,
                    columns: Some(columns::<F, E, L>),
                    rows: if has_rows::<F, L>() { Some(rows::<F, E, L>) } else { None },
                    few: few::<F, E, L>,
                    end: end::<F, E, L>,
                    strands: strands::<F, E, L>,
                    copy: micro::copy::<F::Acc, L>,
                }
            }

            entries! {
                [$(#[target_feature(enable = $feature)])+]
                along(op: *const (), top: *mut u8, block: &Block, filing: &Filing);
                across(op: *const (), states: *mut u8, panel: &Panel);
                columns(op: *const (), panel: &Panel);
                rows(op: *const (), rows: &Rows);
                few(op: *const (), few: &Few);
                end(op: *const (), state: *const u8, end: &mut End<'_>);
                strands(op: *const (), states: *mut u8, strands: &StrandLanes);
            }
        }
    };
}

/// Writes functions with the features of a level. Each calls the microkernel of its name.
macro_rules! entries {
    ($features:tt $($name:ident $args:tt;)+) => {
        $( entries! { @entry $features $name $args } )+
    };
    (@entry [$($feature:tt)+] $name:ident ($($arg:ident: $type:ty),+)) => {
        $($feature)+
        unsafe fn $name<F: Fold, E: Ending<F::Steps>, const L: usize>($($arg: $type),+) {
            // SAFETY: a table is asked for at a level that the CPU has.
            let code = unsafe { Proof::unchecked() };
            // SAFETY: the contract of microkernels, which the caller keeps.
            unsafe { micro::$name::<_, F, E, L>(code, $($arg),+) };
        }
    };
}

for_levels!(level);
