//! Specs: `#[reduce_op]` adds one to an operator, so that it can reduce tensors.

mod row;
mod slices;
mod types;

pub use row::Row;
pub(crate) use row::no_row;
pub use slices::{ReducesSlices, array_length, refused_slices};
pub use types::KernelTypes;
pub(crate) use types::{AllTypes, emission_for, kernel_for};

use crate::facts::schema::{DTypeSchema, Empty, OpSchema, Params, ResultLength};
use crate::facts::window::Window;
use crate::kernel::{
    Emissions, EmittedAgain, Ending, Finished, Finishes, Fold, Kernel, Mends, ScanMends,
};
use crate::values::element::Slot;
use crate::values::input::Input;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;
use crate::values::written::Written;

/// The facts of an operator; written by [`#[reduce_op]`](macro@crate::reduce_op), not by
/// hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reduction operator",
    label = "no spec for this type",
    note = "write `#[reduce_op(dtypes = [..])]` on its `impl ReduceOp` block, and `#[derive(Default)]` on the struct"
)]
pub trait OpSpec: Default + Send + Sync + 'static {
    /// Name, versions, types, attributes and policies.
    const SCHEMA: OpSchema;

    /// One kernel per storage type.
    const ROWS: &'static [Row<Self>];

    /// Visits each type of [`ROWS`](OpSpec::ROWS).
    #[doc(hidden)]
    fn each_type(_to: &mut impl EachType<Self>) {}

    /// Says the values of its parameters.
    fn give(&self, _params: &mut Params) {}

    /// What is wrong with its parameters: [`refuses`](crate::ReduceOp::refuses).
    #[doc(hidden)]
    #[inline(always)]
    fn refused(&self) -> Option<String> {
        None
    }

    /// How many elements its results have, if a parameter says it: 0 if that is no length.
    #[doc(hidden)]
    #[inline(always)]
    fn array_length(&self) -> Option<usize> {
        None
    }

    /// Takes its parameters from validated attributes.
    fn fill(&mut self, _params: &Params) {}

    /// The default operator with its parameters taken from validated attributes.
    fn configure(params: &Params) -> Self {
        let mut op = Self::default();
        op.fill(params);
        op
    }
}

/// What is done with each storage type of an operator.
#[doc(hidden)]
pub trait EachType<Op> {
    /// Does it with one.
    fn of_type<T: Stored>(&mut self)
    where
        Op: Reduces<T>,
        for<'a> T::Views<'a>: Input<Stored = T>;
}

/// What an operator says is wrong with its parameters.
#[doc(hidden)]
pub fn refused<Op, T>(op: &Op) -> Option<String>
where
    T: Stored,
    Op: Reduces<T> + ReduceOp<<<Op as Reduces<T>>::Reader as Reader<T>>::Element>,
{
    op.refuses()
}

/// An operator with a kernel for storage type `T`; written by [`#[reduce_op]`](macro@crate::reduce_op), not by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}`",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`",
    note = "an operator of several inputs takes a tuple of views, `run(&(a, b))`, and one of a single input takes a view"
)]
pub trait Reduces<T: Stored>: OpSpec {
    /// The reader that makes elements of the operator of stored values.
    type Reader: Reader<T>;

    /// The storage type of the result, or a tuple of those of several.
    type Output: Written;

    /// The fold of the kernel.
    #[doc(hidden)]
    type Fold: Fold<Op = Self, Stored = T> + Finishes<Self::Output>;

    /// The number of lanes.
    #[doc(hidden)]
    const LANES: usize = <Self::Fold as Fold>::WANTS.lanes;

    /// The value over no elements.
    const EMPTY: Empty;

    /// How doubtful results are mended.
    #[doc(hidden)]
    const MENDS: &'static Mends = &Mends::Never;

    /// The functions that emit over sets whose results the operator doubts.
    #[doc(hidden)]
    fn again() -> EmittedAgain {
        EmittedAgain::NEVER
    }

    /// How doubtful results of a scan are mended. It is inlined, so that nothing is compiled where nothing is scanned.
    #[doc(hidden)]
    #[inline]
    fn scan_mends() -> ScanMends {
        ScanMends::Never
    }

    /// How it emits, if its spec says that it does.
    #[doc(hidden)]
    const EMISSIONS: Option<fn() -> Emissions<Self>> = None;

    /// The kernel.
    fn kernel() -> &'static Kernel<Self, T, Self::Output>;
}

/// What writes the results of an operator.
pub(crate) type EndingOf<Op, T> =
    <<Op as Reduces<T>>::Fold as Finishes<<Op as Reduces<T>>::Output>>::Ending;

impl<Op: Reduces<T, Output = O>, T: Stored, O: Written> Kernel<Op, T, O> {
    /// The kernel of an operator.
    pub const fn of() -> Self {
        Self::with::<Op::Fold, EndingOf<Op, T>>(Op::LANES, Op::EMPTY).mending(Op::MENDS)
    }
}

/// How the doubtful results of an operator are mended: by the fold `F`, whose reader
/// makes elements of a wider range of stored ones.
#[doc(hidden)]
pub const fn mends<F, O>() -> &'static Mends
where
    F: Fold,
    Finished<O>: Ending<F::Steps>,
    O: Slot,
{
    const { &Mends::with_fold::<F, Finished<O>>() }
}

impl DTypeSchema {
    /// The row of an operator for storage type `T`; written by `#[reduce_op]`.
    #[doc(hidden)]
    pub const fn of<Op: Reduces<T>, T: Stored>(window: Window, compute: &'static str) -> Self {
        let (input, output) = (T::DTYPES[0], <Op as Reduces<T>>::Output::DTYPE);
        let length = ResultLength::of(<Op as Reduces<T>>::Output::LENGTH);
        let empty = <Op as Reduces<T>>::EMPTY;
        DTypeSchema { window, input, compute, output, length, empty }
    }
}
