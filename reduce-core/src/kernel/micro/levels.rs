//! The entries of a table, compiled for each CPU level.
//!
//! A microkernel is inlined into a function that has the features of a level, and so is compiled for
//! them. The levels and their features are those of the one table, which the CPU was asked for.

use super::super::ending::Ending;
use super::super::fold::Fold;
use super::{Table, has_rows, plain};
use crate::facts::level_table::for_levels;
use crate::machine::level::PerLevel;

/// Writes [`tables`], and for each level a module with the entries of its table, compiled for its features.
macro_rules! levels {
    ($(
        $(#[$doc:meta])*
        $level:ident {
            name: $name:literal, module: $module:ident, narrow: $narrow:ident,
            arch: $arch:literal, detect: $detect:ident, features: [$($feature:tt),+],
        }
    )+) => {
        /// The microkernels of some types at every level. Those that are no faster with wider vectors are
        /// compiled for narrower ones alone.
        pub(crate) const fn tables<F: Fold, E: Ending<F::Steps>, const L: usize>() -> PerLevel<Table> {
            PerLevel {
                simple: plain::<F, E, L>(),
                $(
                    #[cfg(all(target_arch = $arch, reduce_level = $name))]
                    $module: {
                        let Table { few, strands, .. } = $narrow::table::<F, E, L>();
                        Table { few, strands, ..$module::table::<F, E, L>() }
                    },
                )+
            }
        }

        /// The microkernels of a fold whose results were doubtful, at every level. Elements of one result are folded in
        /// vectors, which are narrow, since few lanes are needed.
        pub(crate) const fn again<F: Fold, E: Ending<F::Steps>, const L: usize>() -> PerLevel<Table> {
            let plain = plain::<F, E, L>();
            PerLevel {
                simple: plain,
                $(
                    #[cfg(all(target_arch = $arch, reduce_level = $name))]
                    $module: Table { along: $narrow::along::<F, E, L>, ..plain },
                )+
            }
        }

        $(
            #[cfg(target_arch = $arch)]
            mod $module {
                use super::{Ending, Fold, Table, has_rows};
                use crate::kernel::micro::{
                    self, Block, End, Few, Filing, Panel, Rows, StrandLanes,
                };
                use crate::machine::level::$module::Proof;

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
        )+
    };
}

/// Writes functions with the features of a level. Each calls the microkernel of its name.
macro_rules! entries {
    ($features:tt $($name:ident $args:tt;)+) => {
        $( entries! { @entry $features $name $args } )+
    };
    (@entry [$($feature:tt)+] $name:ident ($($arg:ident: $type:ty),+)) => {
        $($feature)+
        pub(super) unsafe fn $name<F: Fold, E: Ending<F::Steps>, const L: usize>($($arg: $type),+) {
            // SAFETY: *level*: `PerLevel::of`, which alone hands out this table, takes an `Available` of its level or
            // of a wider one.
            let code = unsafe { Proof::unchecked() };
            // SAFETY: the driver keeps the contract of microkernels for this table, and this is its function.
            unsafe { micro::$name::<_, F, E, L>(code, $($arg),+) };
        }
    };
}

for_levels!(levels);
