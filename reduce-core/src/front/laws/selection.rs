//! The law of selections: an element keeps its index.

use super::{Sample, is_specified, types_of};
use crate::front::spec::Reduces;
use crate::values::element::accumulator::Accumulator;
use crate::values::op::ReduceOp;
use crate::values::reader::{Indexed, Reader};

/// An accumulator of one element, which has an index.
pub trait Selected {
    /// The index.
    fn index(&self) -> u64;
}

impl<K: Accumulator> Selected for Indexed<K> {
    fn index(&self) -> u64 {
        self.index
    }
}

/// The position that elements are given.
const POSITION: u64 = 7;

/// Tries for the row of storage type `T` whether `map` keeps the index of every element. Kernels carry values alone,
/// and search for the selected one in the end. So if `map` takes an element for none, they find it in a wrong place.
///
/// # Panics
/// If it does not, with a counter-example.
#[track_caller]
pub fn check_selection<Op, T>()
where
    T: Sample,
    Op: Reduces<T> + ReduceOp<<<Op as Reduces<T>>::Reader as Reader<T>>::Element, Acc: Selected>,
{
    let op = Op::default();
    let mut tried = [T::ordinary(), T::special(), T::nans()].concat();
    tried.retain(is_specified::<Op, T>);
    for x in tried {
        let index = op.map(Op::Reader::read(x, POSITION)).index();
        assert!(
            index == POSITION,
            "{} on {}: map does not keep the index: {x:?} at position {POSITION} has index {index}; let \
             `map` keep every index, and run the operator over the elements that count by `Masked` or \
             `SkipNan`",
            Op::SCHEMA.name,
            types_of::<T>(),
        );
    }
}
