//! These tests check the spec language. Specs of every kind compile to what is written down, also
//! where names are scarce or taken. They run and obey their laws. The laws find each kind of broken
//! operator. Messages about mistakes read well. The page on the language tells the truth.
//!
//! It is a package of its own so that it is not optimised: nothing here runs for long, and its many
//! operators take a quarter of the time to compile.

#[cfg(test)]
mod diagnostics;
#[cfg(test)]
mod golden;
#[cfg(test)]
pub mod hygiene;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod spec_language;
