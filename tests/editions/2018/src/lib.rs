//! The specs of `tests/editions`, compiled under edition 2018; all else is of 2024.

#[cfg(test)]
#[path = "../../specs.rs"]
mod specs;
