//! Reductions of the elements that count.

mod steps;

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::adapt::Adapts;
use crate::front::one_pass::{AccOf, OnePass, Operators};
use crate::kernel::{Combine, EmittedAgain, Filter, Kernel, Others, ScanMends, Untyped};
use crate::values::chooser::{AndCount, Chooser, Counted, NoNan, WhereTrue};
use crate::values::element::{Slot, Unrounded};
use crate::values::steps::Holds;
use crate::values::stored::{BeforeMask, Data, Stored};

pub use steps::ChosenSteps;
use steps::OfChosen;

/// An operator, or a tuple of operators, over the elements for which a mask is true.
///
/// The mask is one more input, the last: a view of `bool` that is broadcast with the others. For the operator it is as
/// if all other elements were not there: `finalize` gets the number of elements that count. A result over none is the
/// operator's value for an empty set, or an error if it has none. Positions are counted among all elements, whether
/// they count or not.
///
/// ```
/// use reduce_core::{Masked, Reduction, View};
/// use reduce_specs::{ArgMin, ReduceMean};
///
/// let x = View::new(&[1.0f32, 2.0, 6.0, 4.0, 5.0, 3.0], &[2, 3])?;
/// let mask = View::new(&[true, false, true, false, true, true], &[2, 3])?;
/// let means = Reduction::new(Masked(ReduceMean)).axes([1]).run(&(x.clone(), mask.clone()))?;
/// assert_eq!(means.data(), [3.5, 4.0]);
///
/// // Two operators in one pass over the same elements; one mask for all rows.
/// let mask = View::new(&[false, true, true], &[3])?;
/// let ops = Masked((ReduceMean, ArgMin::default()));
/// let (means, places) = Reduction::new(ops).axes([1]).run(&(x, mask))?;
/// assert_eq!((means.data(), places.data()), (&[4.0, 4.0][..], &[1, 2][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Over two or three inputs the mask is the third or fourth. In a tuple whose members all take the mask, it masks its
/// own member alone.
///
/// A result has the same bits as that of a list of the elements that count. There is one exception: where one `Masked`
/// holds a tuple with an operator that takes positions, the last bits of a float sum in it may differ. A result is made
/// by one thread; several results are shared among threads.
///
/// Streams, groups and emission leave elements out as well. A [`Stream`](crate::Stream) and [`Groups`](crate::Groups)
/// take the mask with each update. An operator that emits gives 0 where an element does not count:
///
/// ```
/// use reduce_core::{Masked, Reduction, Stream, View};
/// use reduce_gallery::{Exponentials, Shares};
/// use reduce_specs::ReduceMax;
///
/// let logits = View::new(&[1.0f32, 9.0, 1.0], &[3])?;
/// let known = View::new(&[true, false, true], &[3])?;
/// let softmax = Reduction::new(Masked(Exponentials)).then(Shares);
/// let shares = softmax.emit(&(logits.clone(), known.clone()))?;
/// assert_eq!(shares.data(), [0.5, 0.0, 0.5]);
///
/// let mut largest = Stream::new(Masked(ReduceMax));
/// largest.update(&(logits, known))?;
/// assert_eq!(largest.finish()?.data(), [1.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// [`Reduction::initial`](crate::Reduction::initial), [`or`](crate::Reduction::or),
/// [`min_count`](crate::Reduction::min_count) and their kin hold for the operator inside, and so over the elements that
/// count.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Masked<Op>(pub Op);

/// An operator, or a tuple of operators, over the elements that are not NaN.
///
/// All is as if no NaN were there: see [`Masked`]. If there are several inputs, an element counts if it is NaN in none
/// of them. Elements of types without NaN all count. A tuple may have members that skip NaN and others that do not, and
/// is still one pass.
///
/// ```
/// use reduce_core::{Reduction, SkipNan, View};
/// use reduce_specs::{ArgMax, ReduceMean, ReduceMax};
///
/// let x = View::new(&[1.0f32, f32::NAN, 4.0, f32::NAN, 0.5, 1.5], &[2, 3])?;
/// let means = Reduction::new(SkipNan(ReduceMean)).axes([1]).run(&x)?;
/// assert_eq!(means.data(), [2.5, 1.0]);
/// let (with, without) = Reduction::new((ReduceMax, SkipNan(ReduceMax))).run(&x)?;
/// assert!(with.data()[0].is_nan());
/// assert_eq!(without.data(), [4.0]);
///
/// // A set of NaN alone has no largest element.
/// let nan = View::new(&[f64::NAN; 3], &[3])?;
/// assert!(Reduction::new(SkipNan(ArgMax::default())).run(&nan).is_err());
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct SkipNan<Op>(pub Op);

/// Implements the traits of operators for an adaptor that chooses elements. It is the operator inside, over the
/// elements that count.
macro_rules! chooses {
    ($Outer:ident, $Chooser:ty, $T:ident: $Stored:ident, $Given:ty) => {
        impl<Op: Operators> Operators for $Outer<Op> {
            fn sign(&self, to: &mut String) {
                to.push_str(concat!(stringify!($Outer), "("));
                self.0.sign(to);
                to.push(')');
            }

            fn length(&self) -> Option<usize> {
                self.0.length()
            }

            #[inline(always)]
            fn check(&self) -> Result<(), Error> {
                self.0.check()
            }
        }

        impl<Op: 'static> Holds<Op> for $Outer<Op> {
            #[inline(always)]
            fn held(&self) -> &Op {
                &self.0
            }
        }

        impl<$T: $Stored, Op: OnePass<$Given>> OnePass<$T> for $Outer<Op> {
            type Result = Op::Result;
            type Fold = Combine<ChosenSteps<Self, Op, $Chooser, $T>>;
            type Ending = OfChosen<Op, $Chooser, $T>;
            const LANES: usize = Op::LANES;
            const EMPTY: Empty = Op::EMPTY;
            const CHOOSES: bool = true;

            fn kernel() -> &'static Kernel<Self, $T, Op::Result> {
                const { &chosen::<_, $T, _, $Chooser>(|| Op::kernel().untyped(), Op::EMPTY) }
            }

            fn kernel_of_accumulators<C: Counted<AccOf<Self, $T>>>()
            -> &'static Kernel<Self, $T, Unrounded<C::Acc>> {
                const {
                    &chosen::<_, $T, _, $Chooser>(
                        || Op::kernel_of_accumulators::<AndCount<C>>().untyped(),
                        Empty::Identity,
                    )
                }
            }

            fn again() -> EmittedAgain {
                Op::again()
            }

            const OPERATORS: u32 = Op::OPERATORS;
            const SCAN_DOUBTS: bool = Op::SCAN_DOUBTS;

            fn scan_mends() -> ScanMends {
                ScanMends::Chosen(counts::<$T, $Chooser>, Box::new(Op::scan_mends()))
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "a number of elements in memory")]
            fn scan_doubts(&self, (acc, count): &AccOf<Self, $T>, _count: usize) -> u32 {
                self.0.scan_doubts(acc, *count as usize)
            }

            fn lacks_value((acc, count): AccOf<Self, $T>, _count: usize) -> bool {
                Op::lacks_value(acc, usize::try_from(count).unwrap_or(usize::MAX))
            }
        }

        impl<How, Op: Adapts<How>> Adapts<How> for $Outer<Op> {
            type Adapted = $Outer<Op::Adapted>;

            fn adapted(self, how: How) -> Self::Adapted {
                $Outer(self.0.adapted(how))
            }
        }
    };
}

chooses!(Masked, WhereTrue, T: BeforeMask, T::Before);
chooses!(SkipNan, NoNan, T: Stored, T);

/// Whether an element counts.
///
/// # Safety
/// *elements*: there is one in each input.
#[allow(unsafe_code, reason = "an element is read through pointers")]
unsafe fn counts<T: Stored, C: Chooser<T>>(data: &Data) -> bool {
    // SAFETY: *elements*, which the caller keeps: there is one in each input.
    C::given(unsafe { T::at(data, 0) }.wide()).1
}

/// The kernel of an operator, over the elements that count.
pub(super) const fn chosen<Op, T, O, C>(
    of: fn() -> &'static Untyped,
    empty: Empty,
) -> Kernel<Op, T, O>
where
    Op: Sync + 'static,
    T: Stored,
    O: Slot,
    C: Chooser<T>,
{
    let filter = Filter { masks: C::MASKS, skips_nan: C::SKIPS_NAN };
    Kernel::with_others(Others::Chosen(filter, of), empty)
}
