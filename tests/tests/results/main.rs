//! Results are the oracle's, have the same bits, and are combined in the documented order. That
//! holds for every path of a plan, at every CPU level and with any number of threads.

mod accuracy;
mod chosen;
mod float8;
mod layouts;
mod levels;
mod memory;
mod order;
mod paths;
mod pieces;
mod range;
mod slopes;
mod special;
mod threads;
