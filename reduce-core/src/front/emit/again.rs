//! How an operator that doubts results emits over doubtful sets: in any range, if it can.
//!
//! `#[reduce_op]` does not see whether there is an [`Emit`] or an [`EmitBeside`] beside its block, so it asks by calling
//! two methods of a [`Probe`]. If the operator emits over what the reader makes, [`EmitsExtended`] or
//! [`EmitsBesideExtended`] has the method. Otherwise it is found one reference further away, in [`DoesNotEmit`].

use std::marker::PhantomData;

use super::{Emit, EmitBeside};
use crate::kernel::{Again, BESIDE, Combining, EmitsAgain, Finished, Kept};
use crate::values::element::Store;
use crate::values::extended::Extended;
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

impl<Op: EmitsAgain<T, R, Alone>, T: Stored, R: 'static> EmitsExtended for Probe<Op, T, R> {
    fn again(&self) -> Option<Again> {
        Some(Again::of::<Op, T, R, Alone>())
    }
}

/// The answer of an operator that emits with other inputs beside the elements.
pub trait EmitsBesideExtended {
    /// The function that emits over doubtful sets.
    fn again_beside(&self) -> Option<Again>;
}

impl<Op: EmitsAgain<T, R, WithOthers>, T: Stored, R: 'static> EmitsBesideExtended
    for Probe<Op, T, R>
{
    fn again_beside(&self) -> Option<Again> {
        Some(Again::of::<Op, T, R, WithOthers>())
    }
}

/// The answer of an operator that emits nothing.
pub trait DoesNotEmit {
    /// There is none.
    fn again(&self) -> Option<Again> {
        None
    }

    /// There is none.
    fn again_beside(&self) -> Option<Again> {
        None
    }
}

impl<Op, T, R> DoesNotEmit for &Probe<Op, T, R> {}

/// Emits over elements alone.
#[derive(Debug)]
pub struct Alone;

impl<Op, T, R, K> EmitsAgain<T, R, Alone> for Op
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

    fn emitted_again(&self, x: T::Wide, _beside: [f64; BESIDE], result: &K) -> f64 {
        Store::store(self.emit(R::read(x, 0), result))
    }
}

/// Emits over elements with those of other inputs beside them.
#[derive(Debug)]
pub struct WithOthers;

impl<Op, T, R, K> EmitsAgain<T, R, WithOthers> for Op
where
    T: Stored,
    R: Reader<T::Wide>,
    Op: EmitBeside<<R as Reader<T::Wide>>::Element>
        + ReduceOp<<R as Reader<T::Wide>>::Element, Output = K>,
    Op: Sync + 'static,
    <Op as EmitBeside<<R as Reader<T::Wide>>::Element>>::Beside: OfNumbers,
    f64: Store<<Op as EmitBeside<<R as Reader<T::Wide>>::Element>>::Emitted>,
    K: Copy + Send + Sync + 'static,
{
    type Kept = K;
    type Fold = Combining<R, Op, T>;
    type Ending = Finished<Kept<K>>;

    fn emitted_again(&self, x: T::Wide, beside: [f64; BESIDE], result: &K) -> f64 {
        let beside = OfNumbers::of_numbers(beside);
        Store::store(self.emit_beside(R::read(x, 0), beside, result))
    }
}

/// One number of any range, or a tuple of them.
pub trait OfNumbers {
    /// As many numbers as there are in the type, from the first on.
    fn of_numbers(numbers: [f64; BESIDE]) -> Self;
}

impl OfNumbers for Extended {
    fn of_numbers([a, ..]: [f64; BESIDE]) -> Self {
        Extended::from(a)
    }
}

impl OfNumbers for (Extended, Extended) {
    fn of_numbers([a, b, _]: [f64; BESIDE]) -> Self {
        (Extended::from(a), Extended::from(b))
    }
}

impl OfNumbers for (Extended, Extended, Extended) {
    fn of_numbers([a, b, c]: [f64; BESIDE]) -> Self {
        (Extended::from(a), Extended::from(b), Extended::from(c))
    }
}
