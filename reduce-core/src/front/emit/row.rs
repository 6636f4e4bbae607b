//! How an operator emits over one row of its spec, found when the program runs.
//!
//! The key `emits` of `#[reduce_op]` says in which ways. The macro sees no [`Emit`](crate::Emit) beside the block. So it
//! asks for what the key says once, over all rows together: [`each_emits`] has one sentence for an operator that does
//! not emit. Each row then asks a [`Probe`], which has no sentence for the same mistake again.

#![allow(unsafe_code, reason = "an operator is read as one that is represented as it is")]

use super::again::Probe;
use super::beside::Beside;
use crate::kernel::{Keeps, OpEmission};
use crate::values::stored::Stored;

/// The first `N` inputs are reduced, and those behind them lie beside the elements.
#[derive(Debug)]
pub struct Ahead<const N: usize>;

/// The answer of an operator that emits over a row.
pub trait EmitsRow<Op> {
    /// How it emits.
    fn emission(&self) -> Option<OpEmission<Op>>;
}

impl<Op: Keeps<T, T::First>, T: Stored> EmitsRow<Op> for Probe<Op, T, ()> {
    fn emission(&self) -> Option<OpEmission<Op>> {
        // SAFETY: *operator*: `By` is `Op` itself, so that a reference to one is a reference to the other.
        Some(unsafe { OpEmission::by::<Op, T, T::First>() })
    }
}

impl<Op, T, const N: usize> EmitsRow<Op> for Probe<Op, T, Ahead<N>>
where
    Beside<Op, N>: Keeps<T, T::First>,
    T: Stored,
{
    fn emission(&self) -> Option<OpEmission<Op>> {
        // SAFETY: *operator*: `Beside` is `repr(transparent)` over `Op`, so that a reference to one may be read as the
        // other.
        Some(unsafe { OpEmission::by::<Beside<Op, N>, T, T::First>() })
    }
}

/// The answer of an operator that emits nothing over a row.
pub trait EmitsNoRow<Op> {
    /// It does not.
    fn emission(&self) -> Option<OpEmission<Op>> {
        None
    }
}

impl<Op, T, R> EmitsNoRow<Op> for &Probe<Op, T, R> {}

/// Operators that emit over each row of a list, `((f32, ()), ((f64, ()), ()))`. A row has the storage types of all inputs,
/// and behind them `()` if all are reduced, or else [`Ahead`].
#[diagnostic::on_unimplemented(
    message = "`emits` says that `{Self}` emits over each row of its spec, and it does not",
    label = "no `Emit` or `EmitBeside` for the elements of some row",
    note = "for `alone`, write `impl<A: Real> Emit<A>` beside the `ReduceOp` block; for `beside(2)`, an `EmitBeside<A>` with `type Beside = (A, A)`",
    note = "what is emitted has to be stored as the first input is"
)]
pub trait EachEmits<Rows> {}

impl<Op> EachEmits<()> for Op {}

#[diagnostic::do_not_recommend]
impl<Op, T, Rows> EachEmits<((T, ()), Rows)> for Op
where
    T: Stored,
    Op: Keeps<T, T::First> + EachEmits<Rows>,
{
}

#[diagnostic::do_not_recommend]
impl<Op, T, const N: usize, Rows> EachEmits<((T, Ahead<N>), Rows)> for Op
where
    T: Stored,
    Beside<Op, N>: Keeps<T, T::First>,
    Op: EachEmits<Rows>,
{
}

/// Asks for an operator that emits over each row of a list.
pub fn each_emits<Op: EachEmits<Rows>, Rows>() {}
