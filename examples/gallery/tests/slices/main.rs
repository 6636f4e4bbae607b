//! Operators of a length that is known when the program runs, against plain loops that sort and count: every type, level, layout
//! and number of threads.

mod bins;
mod plain;
mod planned;
mod refused;
mod samples;
mod top;
