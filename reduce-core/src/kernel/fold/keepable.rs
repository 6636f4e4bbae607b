//! Which folds have accumulators of their own.

use super::{Combine, Fold, Select};
use crate::values::steps::{NoSteps, OpSteps, Through};
use crate::values::tuples::for_tuples;

/// Folds whose accumulators can be had. Adaptors that choose among elements have none of their own.
#[diagnostic::on_unimplemented(
    message = "accumulators of this operator cannot be kept",
    label = "an operator over chosen elements has no accumulators of its own",
    note = "leave out the elements that do not count, or give a mask where one is taken"
)]
pub trait Keepable: Fold {}

impl<R, Op, T, const SELECTS: bool> Keepable for Combine<OpSteps<R, Op, T, SELECTS>> where Self: Fold
{}
impl<Outer, S> Keepable for Combine<Through<Outer, S>> where Self: Fold {}
impl<Op, T> Keepable for Combine<NoSteps<Op, T, true>> where Self: Fold {}
impl<S> Keepable for Select<S> where Self: Fold {}

macro_rules! tuples {
    ($(($($F:ident . $index:tt),+))*) => {$(
        impl<$($F: Keepable),+> Keepable for ($($F,)+) where Self: Fold {}
    )*};
}

for_tuples!(tuples);
