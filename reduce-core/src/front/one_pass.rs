//! One pass over a tensor: it computes an operator, or a tuple of operators.

use std::mem::offset_of;

use crate::facts::error::{Error, ErrorKind};
use crate::facts::order::{ORDERED, lanes_in_common};
use crate::facts::schema::{Empty, OpSchema, Params, ResultLength};
use crate::front::spec::{EndingOf, OpSpec, Reduces};
use crate::kernel::{
    ChosenMember, EmittedAgain, Ending, Fold, Kernel, Mends, Others, ScanMends, Unfinished,
};
use crate::values::chooser::Counted;
use crate::values::element::Unrounded;
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;
use crate::values::written::Written;

/// An operator, or a tuple of up to eight, each an operator or again a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reduction operator",
    label = "no spec for this type",
    note = "write `#[reduce_op(dtypes = [..])]` on its `impl ReduceOp` block, and `#[derive(Default)]` on the struct"
)]
pub trait Operators: Send + Sync + 'static {
    /// Writes the operator, and the values of its parameters.
    #[doc(hidden)]
    fn sign(&self, to: &mut String);

    /// How many elements the first result has, if it is an array.
    #[doc(hidden)]
    fn length(&self) -> Option<usize>;

    /// Checks that the operator, or each of them, takes its parameters.
    ///
    /// # Errors
    /// If one does not: what [`refuses`](crate::ReduceOp::refuses) says.
    #[doc(hidden)]
    fn check(&self) -> Result<(), Error>;
}

impl<Op: OpSpec> Operators for Op {
    fn sign(&self, to: &mut String) {
        to.push_str(Op::SCHEMA.name);
        let mut params = Params::default();
        self.give(&mut params);
        params.write(to);
    }

    fn length(&self) -> Option<usize> {
        let fixed = || Op::SCHEMA.dtypes.first().and_then(|dtype| dtype.length.fixed());
        self.array_length().or_else(fixed)
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        let wrong = match self.array_length() {
            Some(0) => Some(no_length(&Op::SCHEMA)),
            _ => self.refused(),
        };
        wrong.map_or(Ok(()), |wrong| Err(refused_by(&Op::SCHEMA, wrong)))
    }
}

/// What is wrong with a length of 0 or less.
#[cold]
#[inline(never)]
fn no_length(schema: &OpSchema) -> String {
    let name = match schema.dtypes.first().map(|dtype| dtype.length) {
        Some(ResultLength::Parameter(name)) => name,
        _ => "length",
    };
    format!("`{name}` is below 1, and a result has an element; give 1 or more")
}

/// The error of parameters that an operator refuses.
#[cold]
#[inline(never)]
fn refused_by(schema: &OpSchema, wrong: String) -> Error {
    let newest = schema.versions.last().copied().unwrap_or(1);
    Error::from(ErrorKind::Parameters { wrong }).about(schema.name, newest)
}

/// Operators that have a kernel for storage type `T`: one, or a tuple of them.
///
/// A tuple is reduced in one pass over the data: each block of it is folded by
/// every member while it is in the nearest cache. The results are a tuple of tensors.
/// Members may be of any kind, such as a mean and the position of the maximum.
/// Results are those of each member alone, but for the last bits of floats: these follow from the number of lanes that
/// the members have in common.
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
///
/// As the bound of a function that is generic over the elements, it names the results:
///
/// ```
/// use reduce_core::{Element, Error, OnePass, Reduction, View};
/// use reduce_specs::ReduceMax;
///
/// fn largest<T: Element>(list: &View<'_, T>) -> Result<T, Error>
/// where
///     ReduceMax: OnePass<T, Result = T>,
/// {
///     Ok(Reduction::new(ReduceMax).run(list)?.data()[0])
/// }
///
/// assert_eq!(largest(&View::new(&[1i64, 5, 3], &[3])?)?, 5);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}`",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`",
    note = "an operator of several inputs takes a tuple of views, `run(&(a, b))`, and one of a single input takes a view"
)]
pub trait OnePass<T: Stored>: Operators + Sized {
    /// The result: an element such as `f32`, or a tuple of results if there are several.
    type Result: Written;

    /// The fold of the kernel.
    #[doc(hidden)]
    type Fold: Fold<Op = Self, Stored = T>;

    /// What the kernel writes of an accumulator.
    #[doc(hidden)]
    type Ending: Ending<<Self::Fold as Fold>::Steps, Output = Self::Result>;

    /// The number of lanes.
    #[doc(hidden)]
    const LANES: usize;

    /// The value over no elements.
    #[doc(hidden)]
    const EMPTY: Empty;

    /// Whether some elements are left out before the others are folded.
    #[doc(hidden)]
    const CHOOSES: bool = false;

    /// How doubtful results are mended.
    #[doc(hidden)]
    const MENDS: &'static Mends = &Mends::Never;

    /// The kernel.
    #[doc(hidden)]
    fn kernel() -> &'static Kernel<Self, T, Self::Result> {
        const { &Kernel::with::<Self::Fold, Self::Ending>(Self::LANES, Self::EMPTY).mending(Self::MENDS) }
    }

    /// The kernel whose results are accumulators, counted as `C` says.
    #[doc(hidden)]
    fn kernel_of_accumulators<C: Counted<AccOf<Self, T>>>()
    -> &'static Kernel<Self, T, Unrounded<C::Acc>> {
        const { &Kernel::with::<Self::Fold, Unfinished<C>>(Self::LANES, Empty::Identity) }
    }

    /// Whether an accumulator of `count` elements has no value, since none of them counts.
    #[doc(hidden)]
    fn lacks_value(_acc: AccOf<Self, T>, count: usize) -> bool {
        count == 0 && Self::EMPTY == Empty::Error
    }

    /// The functions that emit over sets whose results the operator doubts.
    #[doc(hidden)]
    fn again() -> EmittedAgain {
        EmittedAgain::NEVER
    }

    /// How doubtful results of a scan are mended.
    #[doc(hidden)]
    fn scan_mends() -> ScanMends {
        ScanMends::Never
    }

    /// The number of operators, each of which may doubt its results.
    #[doc(hidden)]
    const OPERATORS: u32 = <Self::Ending as Ending<StepsOf<Self, T>>>::MEMBERS;

    /// Whether any of them does.
    #[doc(hidden)]
    const SCAN_DOUBTS: bool = <Self::Ending as Ending<StepsOf<Self, T>>>::DOUBTS;

    /// Which of them doubt a result of a scan: a bit for each.
    #[doc(hidden)]
    #[inline(always)]
    fn scan_doubts(&self, acc: &AccOf<Self, T>, count: usize) -> u32 {
        Self::Ending::doubts(self, acc, count)
    }
}

/// The steps of an operator over a storage type.
pub(crate) type StepsOf<Op, T> = <<Op as OnePass<T>>::Fold as Fold>::Steps;

/// The accumulator of an operator over a storage type.
pub(crate) type AccOf<Op, T> = <<Op as OnePass<T>>::Fold as Fold>::Acc;

impl<T: Stored, Op: OpSpec + Reduces<T>> OnePass<T> for Op {
    type Result = Op::Output;
    type Fold = <Op as Reduces<T>>::Fold;
    type Ending = EndingOf<Op, T>;
    const LANES: usize = <Op as Reduces<T>>::LANES;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;
    const MENDS: &'static Mends = <Op as Reduces<T>>::MENDS;

    fn kernel() -> &'static Kernel<Op, T, Op::Output> {
        <Op as Reduces<T>>::kernel()
    }

    fn again() -> EmittedAgain {
        <Op as Reduces<T>>::again()
    }

    fn scan_mends() -> ScanMends {
        <Op as Reduces<T>>::scan_mends()
    }
}

/// An error if any member lacks a value over no elements.
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
        impl<$($Op: Operators),+> Operators for ($($Op,)+) {
            fn sign(&self, to: &mut String) {
                let mut before = "(";
                $(
                    to.push_str(std::mem::replace(&mut before, ", "));
                    self.$index.sign(to);
                )+
                to.push(')');
            }

            fn length(&self) -> Option<usize> {
                self.0.length()
            }

            #[inline(always)]
            fn check(&self) -> Result<(), Error> {
                $(self.$index.check()?;)+
                Ok(())
            }
        }

        impl<T: Stored, $($Op: OnePass<T>),+> OnePass<T> for ($($Op,)+) {
            type Result = ($($Op::Result,)+);
            type Fold = ($($Op::Fold,)+);
            type Ending = ($($Op::Ending,)+);
            const LANES: usize = {
                type InOne<F> = <<F as Fold>::Moving as Accumulator>::Lanes<1>;
                match false $(|| <$Op::Fold as Fold>::WANTS.in_parts)+ {
                    true => ORDERED,
                    false => lanes_in_common(&[$($Op::LANES),+], size_of::<InOne<Self::Fold>>()),
                }
            };
            const EMPTY: Empty = strictest(&[$($Op::EMPTY),+]);
            const CHOOSES: bool = false $(|| $Op::CHOOSES)+;
            const MENDS: &'static Mends = match false $(|| !matches!($Op::MENDS, Mends::Never))+ {
                true => &const {
                    Mends::Together(&[$((
                        offset_of!(Self, $index),
                        offset_of!(Self::Result, $index),
                        $Op::MENDS,
                    )),+])
                },
                false => &Mends::Never,
            };

            fn kernel() -> &'static Kernel<Self, T, Self::Result> {
                const {
                    &match Self::CHOOSES {
                        false => Kernel::with::<Self::Fold, Self::Ending>(Self::LANES, Self::EMPTY)
                            .mending(Self::MENDS),
                        true => {
                            let members: &[ChosenMember] = &const {
                                [$((
                                    offset_of!(Self, $index),
                                    offset_of!(Self::Result, $index),
                                    || $Op::kernel().untyped(),
                                )),+]
                            };
                            Kernel::with_others(Others::Each(members), Self::EMPTY)
                        }
                    }
                }
            }

            const OPERATORS: u32 = 0 $(+ $Op::OPERATORS)+;
            const SCAN_DOUBTS: bool = false $(|| $Op::SCAN_DOUBTS)+;

            fn lacks_value(acc: AccOf<Self, T>, count: usize) -> bool {
                false $(|| $Op::lacks_value(acc.$index, count))+
            }

            fn scan_mends() -> ScanMends {
                ScanMends::Together(vec![$((
                    offset_of!(Self, $index),
                    offset_of!(Self::Result, $index),
                    $Op::OPERATORS,
                    $Op::scan_mends(),
                )),+])
            }

            #[inline(always)]
            fn scan_doubts(&self, acc: &AccOf<Self, T>, count: usize) -> u32 {
                let (mut doubts, mut first) = (0, 0);
                $(
                    let of_member = self.$index.scan_doubts(&acc.$index, count);
                    doubts |= of_member.checked_shl(first).unwrap_or(0);
                    first += $Op::OPERATORS;
                )+
                let _ = first;
                doubts
            }
        }
    )*};
}

for_tuples!(tuples);
