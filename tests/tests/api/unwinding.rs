//! What a caller may go on with behind a panic that was caught.

use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

use reduce_core::nodes::{Call, PlannedCall};
use reduce_core::{
    AnyGroups, Error, Groups, Planned, Progress, Reduction, State, Stream, Tensor, Threads, View,
};
use reduce_specs::ReduceSum;

/// An operator that panics leaves nothing half done but what `Groups::update` says, so none of these asks its caller
/// for an `AssertUnwindSafe`.
#[test]
fn all_that_callers_keep_is_unwind_safe() {
    fn is_safe<T: UnwindSafe + RefUnwindSafe>() {}
    is_safe::<Threads>();
    is_safe::<Progress>();
    is_safe::<Reduction<ReduceSum>>();
    is_safe::<Planned<ReduceSum, f32>>();
    is_safe::<Stream<ReduceSum, f32>>();
    is_safe::<Groups<ReduceSum, f32>>();
    is_safe::<AnyGroups>();
    is_safe::<State<f32>>();
    is_safe::<Tensor<f32>>();
    is_safe::<View<'static, f32>>();
    is_safe::<Call>();
    is_safe::<PlannedCall>();
    is_safe::<Error>();
}

#[test]
fn a_reduction_goes_on_behind_a_panic() {
    let reduction = Reduction::new(ReduceSum);
    let data = [1.0f32, 2.0];
    let view = View::new(&data, &[2]).expect("a list");
    let caught = catch_unwind(|| {
        let sum = reduction.run(&view).expect("a sum").data()[0];
        assert!(sum < 0.0, "of this test");
    });
    assert!(caught.is_err());
    assert_eq!(reduction.run(&view).expect("a sum").data(), [3.0]);
}
