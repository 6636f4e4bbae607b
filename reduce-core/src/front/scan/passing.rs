//! What a scan writes of an accumulator: the operator's result.

use std::marker::PhantomData;

use super::backwards::Backwards;
use crate::facts::schema::Empty;
use crate::front::one_pass::{AccOf, OnePass, StepsOf};
use crate::kernel::{DOUBTFUL, Ending, LACKING, Passing, ScanKernel};
use crate::values::steps::{Steps, Wide};
use crate::values::stored::Stored;

/// The results of an operator over a storage type.
#[derive(Debug)]
pub(super) struct RunningResults<Op, T>(PhantomData<fn(Op, T)>);

/// Whether a set of elements may have none that counts, and no result then.
const fn may_lack<Op: OnePass<T>, T: Stored>() -> bool {
    Op::CHOOSES && matches!(Op::EMPTY, Empty::Error)
}

impl<S, Op, T> Passing<S> for RunningResults<Op, T>
where
    S: Steps<Op = Op, Stored = T, Acc = AccOf<Op, T>>,
    Op: OnePass<T>,
    T: Stored,
{
    type Output = Op::Result;

    const WATCHES: bool = Op::SCAN_DOUBTS || may_lack::<Op, T>();

    #[inline(always)]
    fn written(op: &Op, _x: Wide<S>, acc: S::Acc, count: usize) -> Op::Result {
        Op::Ending::store(op, acc, count)
    }

    #[inline(always)]
    fn found(op: &Op, acc: &S::Acc, count: usize) -> u8 {
        let mut found = 0;
        if Op::SCAN_DOUBTS && op.scan_doubts(acc, count) != 0 {
            found |= DOUBTFUL;
        }
        if may_lack::<Op, T>() && Op::lacks_value(*acc, count) {
            found |= LACKING;
        }
        found
    }

    fn doubts(op: &Op, acc: &S::Acc, count: usize) -> u32 {
        op.scan_doubts(acc, count)
    }
}

/// The microkernels of the scans of an operator over a storage type. They are compiled where they are used.
pub(super) fn kernel<Op: OnePass<T>, T: Stored>(reversed: bool) -> &'static ScanKernel {
    let forward = const { &ScanKernel::of::<StepsOf<Op, T>, RunningResults<Op, T>>() };
    if reversed { const { &backwards::<Op, T, RunningResults<Op, T>>() } } else { forward }
}

/// The microkernels from the ends of lines: others only where order matters.
pub(super) const fn backwards<Op, T, W>() -> ScanKernel
where
    Op: OnePass<T>,
    T: Stored,
    W: Passing<StepsOf<Op, T>> + Passing<Backwards<StepsOf<Op, T>>>,
{
    match StepsOf::<Op, T>::ORDERED {
        true => ScanKernel::of::<Backwards<StepsOf<Op, T>>, W>(),
        false => ScanKernel::of::<StepsOf<Op, T>, W>(),
    }
}
