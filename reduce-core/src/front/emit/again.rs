//! How an operator that doubts results emits over doubtful sets: in any range, if it can.
//!
//! `#[reduce_op]` does not see whether there is an [`Emit`] beside its block, so it asks by calling a method of a
//! [`Probe`]. If the operator emits over what the reader makes, [`EmitsExtended`] has this method. Otherwise it is
//! found one reference further away, in [`DoesNotEmit`].

use std::marker::PhantomData;

use super::Emit;
use crate::kernel::{Again, Combining, EmitsAgain, Finished, Kept};
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;

/// Asks whether an operator emits over elements that a reader makes of a storage type.
#[derive(Debug)]
pub struct Probe<Op, T, R>(PhantomData<fn(Op, T, R)>);

impl<Op, T, R> Probe<Op, T, R> {
    /// The question.
    pub const ASKED: Self = Probe(PhantomData);
}

/// The answer of an operator that emits.
pub trait EmitsExtended {
    /// The function that emits over doubtful sets.
    fn again(&self) -> Option<Again>;
}

impl<Op: EmitsAgain<T, R>, T: Stored, R: 'static> EmitsExtended for Probe<Op, T, R> {
    fn again(&self) -> Option<Again> {
        Some(Again::of::<Op, T, R>())
    }
}

/// The answer of an operator that emits nothing.
pub trait DoesNotEmit {
    /// There is none.
    fn again(&self) -> Option<Again> {
        None
    }
}

impl<Op, T, R> DoesNotEmit for &Probe<Op, T, R> {}

impl<Op, T, R, K> EmitsAgain<T, R> for Op
where
    T: Stored,
    R: Reader<T::Wide>,
    Op: Emit<<R as Reader<T::Wide>>::Element>
        + ReduceOp<<R as Reader<T::Wide>>::Element, Output = K>,
    Op: Sync + 'static,
    f64: Store<<Op as Emit<<R as Reader<T::Wide>>::Element>>::Emitted>,
    K: Copy + Send + Sync + 'static,
{
    type Kept = K;
    type Fold = Combining<R, Op, T>;
    type Ending = Finished<Kept<K>>;

    fn emitted_again(&self, x: T::Wide, result: &K) -> f64 {
        Store::store(self.emit(R::read(x, 0), result))
    }
}
