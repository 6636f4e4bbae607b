//! Aggregates in SQL, held against plain loops. One program, since each one links DataFusion.

mod bits;
mod cells;
mod clauses;
mod codec;
mod families;
mod lists;
mod oracle;
mod own;
mod parameters;
mod queries;
mod random;
mod results;
mod table;
mod types;
mod windows;
