//! What a scan writes of an accumulator: the operator's result.

use std::marker::PhantomData;

use crate::facts::schema::Empty;
use crate::front::one_pass::{AccOf, OnePass, StepsOf};
use crate::kernel::{DOUBTFUL, Ending, LACKING, Passing, ScanKernel};
use crate::values::steps::Wide;
use crate::values::stored::Stored;

/// The results of an operator over a storage type.
#[derive(Debug)]
pub(super) struct RunningResults<Op, T>(PhantomData<fn(Op, T)>);

/// Whether a set of elements may have none that counts, and no result then.
const fn may_lack<Op: OnePass<T>, T: Stored>() -> bool {
    Op::CHOOSES && matches!(Op::EMPTY, Empty::Error)
}

impl<Op: OnePass<T>, T: Stored> Passing<StepsOf<Op, T>> for RunningResults<Op, T> {
    type Output = Op::Result;

    const WATCHES: bool = Op::Ending::DOUBTS || may_lack::<Op, T>();

    #[inline(always)]
    fn written(op: &Op, _x: Wide<StepsOf<Op, T>>, acc: AccOf<Op, T>, count: usize) -> Op::Result {
        Op::Ending::store(op, acc, count)
    }

    #[inline(always)]
    fn found(op: &Op, acc: &AccOf<Op, T>, count: usize) -> u8 {
        let mut found = 0;
        if Op::Ending::DOUBTS && Op::Ending::doubts(op, acc, count) != 0 {
            found |= DOUBTFUL;
        }
        if may_lack::<Op, T>() && Op::lacks_value(*acc, count) {
            found |= LACKING;
        }
        found
    }
}

/// The microkernels of the scans of an operator over a storage type. They are compiled where they are used.
pub(super) fn kernel<Op: OnePass<T>, T: Stored>() -> &'static ScanKernel {
    const { &ScanKernel::of::<StepsOf<Op, T>, RunningResults<Op, T>>() }
}
