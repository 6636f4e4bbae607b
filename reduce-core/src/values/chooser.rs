//! Choosers: which of the stored elements count.
//!
//! To an operator it is as if all other elements were not there. A [`Chooser`] says what the operator is given of an
//! element, and whether it counts. Accumulators of elements that count are kept with their number, which may be another
//! one for each accumulator: [`Counted`].

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::values::element::accumulator::Accumulator;
use crate::values::stored::{BeforeMask, Stored};

/// Which elements of storage type `T` count.
pub trait Chooser<T: Stored>: Debug + 'static {
    /// What is stored of the inputs that the operator is given.
    type Given: Stored;

    /// The number of masks behind these inputs.
    const MASKS: usize;

    /// Whether NaN does not count.
    const SKIPS_NAN: bool;

    /// What the operator is given of an element, and whether it counts.
    fn given(x: T::Wide) -> (<Self::Given as Stored>::Wide, bool);
}

/// Elements for which a mask, the last input, is true.
#[derive(Debug)]
pub struct WhereTrue;

impl<T: BeforeMask> Chooser<T> for WhereTrue {
    type Given = T::Before;

    const MASKS: usize = 1;
    const SKIPS_NAN: bool = false;

    #[inline(always)]
    fn given(x: T::Wide) -> (<T::Before as Stored>::Wide, bool) {
        T::split(x)
    }
}

/// Elements that are NaN in no input.
#[derive(Debug)]
pub struct NoNan;

impl<T: Stored> Chooser<T> for NoNan {
    type Given = T;

    const MASKS: usize = 0;
    const SKIPS_NAN: bool = true;

    #[inline(always)]
    fn given(x: T::Wide) -> (T::Wide, bool) {
        (x, !T::has_nan(x))
    }
}

/// How accumulators of the elements that count are kept. Each adaptor that chooses, of those around the operator, adds
/// the number once.
pub trait Counted<A>: 'static {
    /// Such an accumulator.
    type Acc: Accumulator;

    /// The accumulator of `count` elements that count.
    fn counted(acc: A, count: u64) -> Self::Acc;
}

/// The accumulator alone.
#[derive(Debug)]
pub struct Uncounted;

impl<A: Accumulator> Counted<A> for Uncounted {
    type Acc = A;

    #[inline(always)]
    fn counted(acc: A, _count: u64) -> A {
        acc
    }
}

/// The accumulator with its number beside it, and then as `C` keeps it.
#[derive(Debug)]
pub struct AndCount<C>(PhantomData<C>);

impl<A, C: Counted<(A, u64)>> Counted<A> for AndCount<C> {
    type Acc = C::Acc;

    #[inline(always)]
    fn counted(acc: A, count: u64) -> C::Acc {
        C::counted((acc, count), count)
    }
}
