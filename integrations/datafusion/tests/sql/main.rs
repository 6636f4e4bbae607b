//! Aggregates in SQL, held against plain loops. One program, since each one links DataFusion.

#![allow(
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "modules of one program, and numbers that fit"
)]

mod accuracy;
mod adapted;
mod arguments;
mod bits;
mod cells;
mod clauses;
mod codec;
mod families;
#[rustfmt::skip]
#[path = "../../examples/geometric_mean.rs"]
mod geometric_mean;
mod lists;
mod oracle;
mod own;
mod page;
mod parameters;
mod queries;
mod random;
mod readme;
mod results;
mod sessions;
mod settings;
mod short;
mod spill;
mod table;
mod types;
mod undefined;
mod windows;
