// `links.md` says where links lead to in rustdoc. It stands in front, since the first definition of a link holds.
#![cfg_attr(not(doctest), doc = include_str!("links.md"))]
#![doc = include_str!("../README.md")]

mod check;
#[doc(hidden)]
pub mod elements;
mod error;
mod file;
mod fix;
pub mod guide;
mod map;
mod run;
pub mod words;

pub use check::{Gravity, NodeText, Problem, Report, Used};
pub use error::{Error, ErrorKind};
pub use file::{Model, node, proto, read_tensor, write_tensor};
pub use fix::{Conversion, Outcome, Revision, Rewritten, Target};
pub use prost::bytes::Bytes;
pub use run::{Holder, Input, Plan, Program, Sizes, Value};
