//! Adaptors: operators that run another one, of any kind, with one thing changed.
//!
//! An adaptor is a type that says how an operator is run, such as [`Starting`] from a value. [`Adapted`] holds it
//! beside the operator. So an adaptor is only what it changes: a fold, or what is written of an accumulator. What all
//! adaptors have in common is here. They say whose states theirs are, take the steps of the operator
//! [through](crate::values::steps::Through) themselves, and go to each member of a tuple.

mod at;
mod binned;
mod computed;
mod initial;
mod or;
mod saturating;

pub use at::{At, AtSteps, OfExtreme, Where};
pub use binned::{BinSteps, Binned, Bins, EachBin};
pub use computed::{ComputedIn, In};
pub use initial::{Initial, Starting};
pub use or::{Else, Or};
pub use saturating::{Clamping, Saturating};

use std::fmt::Debug;

use crate::facts::error::Error;
use crate::front::one_pass::Operators;
use crate::values::steps::Holds;
use crate::values::tuples::for_tuples;

/// An operator run as `How` says; made by [`Reduction::initial`](crate::Reduction::initial) and its kin.
#[derive(Clone, Copy, Debug)]
pub struct Adapted<Op, How> {
    pub(crate) op: Op,
    pub(crate) how: How,
}

impl<Op, How: Copy> Adapted<Op, How> {
    /// The operator, and how it is run.
    pub fn parts(&self) -> (&Op, How) {
        (&self.op, self.how)
    }
}

/// How an adaptor runs an operator.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how an operator is run",
    label = "no adaptor"
)]
pub trait Adaptor: Copy + Debug + Send + Sync + 'static {
    /// Writes what makes its states others than those of the operator.
    #[doc(hidden)]
    fn sign(&self, _to: &mut String) {}

    /// Checks what the adaptor was given.
    ///
    /// # Errors
    /// If an operator in it refuses its parameters.
    #[doc(hidden)]
    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// How many elements a result has that is an array, where those of the operator are `of_operator`.
    #[doc(hidden)]
    fn length(of_operator: Option<usize>) -> Option<usize> {
        of_operator
    }
}

/// Operators that an adaptor can run: one, or each of a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be run as `{How}` says",
    label = "this operator has nothing that the adaptor needs",
    note = "an initial value, and one for empty sets, are of a type that `dtypes` of the operator's `#[reduce_op(..)]` names",
    note = "to compute in another type, write the operator for any type with the traits it needs: `impl<A: Real> ReduceOp<A>`"
)]
pub trait Adapts<How> {
    /// The operator, or operators, run so.
    type Adapted;

    #[doc(hidden)]
    fn adapted(self, how: How) -> Self::Adapted;
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<How: Copy, $($Op: Adapts<How>),+> Adapts<How> for ($($Op,)+) {
            type Adapted = ($($Op::Adapted,)+);

            fn adapted(self, how: How) -> Self::Adapted {
                ($(self.$index.adapted(how),)+)
            }
        }
    )*};
}

for_tuples!(tuples);

impl<Op: Operators, How: Adaptor> Operators for Adapted<Op, How> {
    fn sign(&self, to: &mut String) {
        self.op.sign(to);
        self.how.sign(to);
    }

    fn length(&self) -> Option<usize> {
        How::length(self.op.length())
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.op.check()?;
        self.how.check()
    }
}

impl<Op: 'static, How: 'static> Holds<Op> for Adapted<Op, How> {
    #[inline(always)]
    fn held(&self) -> &Op {
        &self.op
    }
}

/// Writes what an adapted operator has of the operator itself, over a storage type.
macro_rules! as_the_operator {
    ($Op:ty, $T:ty) => {
        type Result = <$Op as Reduces<$T>>::Output;
        const LANES: usize = <$Op as Reduces<$T>>::LANES;
    };
}

/// Writes that doubtful results are mended as the operator itself mends them, over a storage type.
macro_rules! mended_as_the_operator {
    ($Op:ty, $T:ty) => {
        const MENDS: &'static Mends = match <$Op as Reduces<$T>>::MENDS {
            Mends::Never => &Mends::Never,
            _ => &const { Mends::Together(&[(offset_of!(Self, op), 0, <$Op as Reduces<$T>>::MENDS)]) },
        };

        fn scan_mends() -> ScanMends {
            ScanMends::Together(vec![(offset_of!(Self, op), 0, 1, <$Op as Reduces<$T>>::scan_mends())])
        }
    };
}

use {as_the_operator, mended_as_the_operator};
