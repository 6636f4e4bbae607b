//! What one pass over a tensor computes: an operator, or a tuple of operators.

use crate::element::{Element, Written};
use crate::error::{Error, ErrorKind};
use crate::kernel::{AnyLanes, Kernel, ORDERED, allocate};
use crate::op::{OpSpec, Reduces};
use crate::schema::Empty;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// An operator, or a tuple of up to eight, each an operator or again a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reduction operator",
    label = "no spec for this type",
    note = "write `#[reduce_op(dtypes = [..])]` on its `impl ReduceOp` block"
)]
pub trait Operators: Send + Sync + 'static {}

impl<Op: OpSpec> Operators for Op {}

/// That an operator, or each of a tuple of operators, has a kernel for a storage
/// type.
///
/// A tuple is reduced in one pass over the data: each block of it is folded by
/// every member while it is in the nearest cache. The results are a tuple of tensors.
/// Members may be of any kind, such as a mean and the position of the maximum.
/// Up to the last bits of floats, which follow from the number of lanes that the
/// members have in common, the results are those of each alone.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::{ArgMax, ReduceMax, ReduceMean};
///
/// let data = [1.0f32, 5.0, 3.0, 4.0, 2.0, 0.0];
/// let rows = View::new(&data, &[2, 3])?;
/// let ops = (ReduceMean, ReduceMax, ArgMax::default());
/// let (mean, max, place) = Reduction::new(ops).axes([1]).run(&rows)?;
/// assert_eq!(mean.data(), [3.0, 2.0]);
/// assert_eq!(max.data(), [5.0, 4.0]);
/// assert_eq!(place.data(), [1i64, 0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}`",
    label = "no row for `{T}`",
    note = "add `{T}` to `dtypes` in the operator's `#[reduce_op(..)]`"
)]
pub trait OnePass<T: Element>: Operators + Sized {
    /// One result: a value, or a tuple of values.
    type Result: Written;

    /// All results: a tensor, or a tuple of tensors of one shape.
    type Tensors;

    /// Where all results go: a slice, or a tuple of slices.
    type Buffers<'b>;

    /// How the kernel folds.
    #[doc(hidden)]
    type Fold: AnyLanes<Self, T, Self::Result>;

    /// The number of lanes.
    #[doc(hidden)]
    const LANES: usize;

    /// The value over no elements.
    #[doc(hidden)]
    const EMPTY: Empty;

    /// The kernel.
    #[doc(hidden)]
    fn kernel() -> &'static Kernel<Self, T, Self::Result>;

    /// Results in tensors of a shape.
    #[doc(hidden)]
    fn tensors(results: Vec<Self::Result>, shape: &Shape) -> Self::Tensors;

    /// Writes results into buffers; `run` computes that many, or fails and leaves them
    /// as they are.
    #[doc(hidden)]
    fn run_into(
        count: usize,
        buffers: Self::Buffers<'_>,
        run: impl FnOnce(&mut [Self::Result]) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Copies results, as they are found in others, into buffers.
    #[doc(hidden)]
    fn write<R>(results: &[R], find: &dyn Fn(&R) -> Self::Result, buffers: Self::Buffers<'_>);

    /// That buffers are of this length.
    #[doc(hidden)]
    fn check(count: usize, buffers: &Self::Buffers<'_>) -> Result<(), Error>;
}

impl<T: Element, Op: OpSpec + Reduces<T>> OnePass<T> for Op {
    type Result = Op::Output;
    type Tensors = Tensor<Op::Output>;
    type Buffers<'b> = &'b mut [Op::Output];
    type Fold = <Op as Reduces<T>>::Fold;
    const LANES: usize = <Op as Reduces<T>>::LANES;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    fn kernel() -> &'static Kernel<Op, T, Op::Output> {
        <Op as Reduces<T>>::kernel()
    }

    fn tensors(results: Vec<Op::Output>, shape: &Shape) -> Tensor<Op::Output> {
        Tensor::from_parts(results, shape.clone())
    }

    fn run_into(
        _count: usize,
        buffer: &mut [Op::Output],
        run: impl FnOnce(&mut [Op::Output]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        run(buffer)
    }

    fn write<R>(results: &[R], find: &dyn Fn(&R) -> Op::Output, buffer: &mut [Op::Output]) {
        for (place, result) in buffer.iter_mut().zip(results) {
            *place = find(result);
        }
    }

    fn check(count: usize, buffer: &&mut [Op::Output]) -> Result<(), Error> {
        if buffer.len() == count {
            return Ok(());
        }
        let (expected, found) = (count, buffer.len());
        Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into())
    }
}

/// The number of lanes of a tuple: one if the order of elements matters to any member,
/// else the largest. A member that has few needs registers then; one that has many
/// would wait for its own results if it had fewer.
const fn lanes_in_common(lanes: &[usize]) -> usize {
    let mut most = 1;
    let mut next = 0;
    while next < lanes.len() {
        if lanes[next] == ORDERED {
            return ORDERED;
        }
        if lanes[next] > most {
            most = lanes[next];
        }
        next += 1;
    }
    most
}

/// An error if any member has no value over no elements.
const fn strictest(members: &[Empty]) -> Empty {
    let mut next = 0;
    while next < members.len() {
        if matches!(members[next], Empty::Error) {
            return Empty::Error;
        }
        next += 1;
    }
    Empty::Identity
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<$($Op: Operators),+> Operators for ($($Op,)+) {}

        impl<T: Element, $($Op: OnePass<T>),+> OnePass<T> for ($($Op,)+) {
            type Result = ($($Op::Result,)+);
            type Tensors = ($($Op::Tensors,)+);
            type Buffers<'b> = ($($Op::Buffers<'b>,)+);
            type Fold = ($($Op::Fold,)+);
            const LANES: usize = lanes_in_common(&[$($Op::LANES),+]);
            const EMPTY: Empty = strictest(&[$($Op::EMPTY),+]);

            fn kernel() -> &'static Kernel<Self, T, Self::Result> {
                const {
                    let empty = <Self as OnePass<T>>::EMPTY;
                    match <Self as OnePass<T>>::LANES {
                        1 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 1>(empty),
                        2 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 2>(empty),
                        4 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 4>(empty),
                        8 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 8>(empty),
                        16 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 16>(empty),
                        32 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 32>(empty),
                        64 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 64>(empty),
                        128 => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 128>(empty),
                        _ => &Kernel::with_fold::<<Self as OnePass<T>>::Fold, 256>(empty),
                    }
                }
            }

            fn tensors(results: Vec<Self::Result>, shape: &Shape) -> Self::Tensors {
                ($($Op::tensors(results.iter().map(|result| result.$index).collect(), shape),)+)
            }

            fn run_into(
                count: usize,
                buffers: Self::Buffers<'_>,
                run: impl FnOnce(&mut [Self::Result]) -> Result<(), Error>,
            ) -> Result<(), Error> {
                Self::check(count, &buffers)?;
                let mut results = allocate(count)?;
                run(&mut results)?;
                Self::write(&results, &|&result| result, buffers);
                Ok(())
            }

            fn write<R>(
                results: &[R],
                find: &dyn Fn(&R) -> Self::Result,
                buffers: Self::Buffers<'_>,
            ) {
                $($Op::write(results, &|result| find(result).$index, buffers.$index);)+
            }

            fn check(count: usize, buffers: &Self::Buffers<'_>) -> Result<(), Error> {
                $($Op::check(count, &buffers.$index)?;)+
                Ok(())
            }
        }
    )*};
}

tuples! {
    (A.0)
    (A.0, B.1)
    (A.0, B.1, C.2)
    (A.0, B.1, C.2, D.3)
    (A.0, B.1, C.2, D.3, E.4)
    (A.0, B.1, C.2, D.3, E.4, F.5)
    (A.0, B.1, C.2, D.3, E.4, F.5, G.6)
    (A.0, B.1, C.2, D.3, E.4, F.5, G.6, H.7)
}
