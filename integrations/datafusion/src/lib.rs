#![doc = include_str!("../README.md")]

mod aggregate;
mod batch;
mod core;
mod documentation;
mod grouped;
mod literals;
mod operator;
mod parameters;
mod prepared;
mod results;
mod single;
mod sliding;
mod state;
mod types;
mod udaf;

pub use aggregate::Aggregate;
pub use parameters::Value;
