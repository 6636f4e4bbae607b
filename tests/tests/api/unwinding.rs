//! What a caller may share among threads, send to others, and go on with behind a panic that was caught.

use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

use reduce_core::nodes::{Call, Node, OpEntry, PlannedCall, PlannedCallEmission, Registry};
use reduce_core::planning::Layout;
use reduce_core::schema::OpSchema;
use reduce_core::{
    AnyGroups, AnyTensor, AnyView, Axes, DType, Error, Groups, GroupsState, Level, Masked,
    Permuted, Planned, Problems, Progress, Reduction, Shape, Signature, SkipNan, State, Stream,
    Tensor, Threads, View, ViewMut,
};
use reduce_specs::{ArgMax, ReduceSum};

use crate::emission::ops::PlusMax;

/// Threads may share all that callers keep, or send it on. An operator that panics leaves nothing half done but what
/// `Groups::update` says, so none of these asks its caller for an `AssertUnwindSafe`, either.
#[test]
fn all_that_callers_keep_is_shared_sent_and_unwind_safe() {
    fn is_safe<T: Send + Sync + UnwindSafe + RefUnwindSafe>() {}
    is_safe::<Threads>();
    is_safe::<Progress>();
    is_safe::<Reduction<ReduceSum>>();
    is_safe::<Reduction<SkipNan<(ReduceSum, ArgMax)>>>();
    is_safe::<Reduction<Masked<ReduceSum>>>();
    is_safe::<Planned<ReduceSum, f32>>();
    is_safe::<reduce_core::planning::PlannedEmission<PlusMax, f32>>();
    is_safe::<Stream<ReduceSum, f32>>();
    is_safe::<Groups<ReduceSum, f32>>();
    is_safe::<AnyGroups>();
    is_safe::<State<f32>>();
    is_safe::<GroupsState>();
    is_safe::<Signature>();
    is_safe::<Tensor<f32>>();
    is_safe::<AnyTensor>();
    is_safe::<View<'static, f32>>();
    is_safe::<AnyView<'static>>();
    is_safe::<Permuted<f32>>();
    is_safe::<Axes>();
    is_safe::<Shape>();
    is_safe::<Layout>();
    is_safe::<DType>();
    is_safe::<Level>();
    is_safe::<Node>();
    is_safe::<Registry>();
    is_safe::<OpEntry>();
    is_safe::<OpSchema>();
    is_safe::<Call>();
    is_safe::<PlannedCall>();
    is_safe::<PlannedCallEmission>();
    is_safe::<Error>();
    is_safe::<Problems>();
}

/// A view that is written may be half written behind a panic, as a `&mut` slice may.
#[test]
fn views_that_are_written_are_sent() {
    fn is_sent<T: Send + Sync + RefUnwindSafe>() {}
    is_sent::<ViewMut<'static, f32>>();
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
