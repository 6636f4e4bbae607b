//! Reductions of the elements that count.

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::adapt::{Adapts, In};
use crate::front::one_pass::{OnePass, Operators};
use crate::kernel::{Combine, Filter, Finished, Kernel, Others};
use crate::values::steps::NoSteps;
use crate::values::stored::{BeforeMask, Stored};

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
/// Over two or three inputs the mask is the third or fourth. As a member of a tuple it is a pass of its own, and every
/// other member has to take the mask too; `Masked((a, b))` is one pass.
///
/// A result has the same bits as that of a list of the elements that count. Only in a tuple with an operator that takes
/// positions, the last bits of a float sum may differ. A result is made by one thread; several results are shared among
/// threads.
///
/// An operator in an adaptor takes no [`Stream`](crate::Stream), no [initial
/// value](crate::Reduction::initial), and emits nothing.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Masked<Op>(pub Op);

/// An operator, or a tuple of operators, over the elements that are not NaN.
///
/// All is as if no NaN were there: see [`Masked`]. If there are several inputs, an element counts if it is NaN in none
/// of them. Elements of types without NaN all count.
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

impl<Op: Operators> Operators for Masked<Op> {
    fn sign(&self, to: &mut String) {
        self.0.sign(to);
    }

    fn length() -> Option<usize> {
        Op::length()
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.0.check()
    }
}

impl<Op: Operators> Operators for SkipNan<Op> {
    fn sign(&self, to: &mut String) {
        self.0.sign(to);
    }

    fn length() -> Option<usize> {
        Op::length()
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.0.check()
    }
}

/// Writes the kernel of an adaptor, which is the operator's over the elements that count.
macro_rules! over_some {
    ($masks:literal, $skips_nan:literal) => {
        type Result = Op::Result;
        type Folded = Self;
        type Fold = Combine<NoSteps<Self, T, false>>;
        type Ending = Finished<Op::Result>;
        const LANES: usize = 1;
        const EMPTY: Empty = Op::EMPTY;
        const CHOOSES: bool = true;

        fn folded(&self) -> &Self {
            self
        }

        fn kernel() -> &'static Kernel<Self, T, Op::Result> {
            const {
                let filter = Filter { masks: $masks, skips_nan: $skips_nan };
                &Kernel::with_others(Others::Chosen(filter, || Op::kernel().untyped()), Op::EMPTY)
            }
        }
    };
}

impl<T: BeforeMask, Op: OnePass<T::Before>> OnePass<T> for Masked<Op> {
    over_some!(1, false);
}

impl<T: Stored, Op: OnePass<T>> OnePass<T> for SkipNan<Op> {
    over_some!(0, true);
}

impl<A, Op: Adapts<In<A>>> Adapts<In<A>> for Masked<Op> {
    type Adapted = Masked<Op::Adapted>;

    fn adapted(self, how: In<A>) -> Self::Adapted {
        Masked(self.0.adapted(how))
    }
}

impl<A, Op: Adapts<In<A>>> Adapts<In<A>> for SkipNan<Op> {
    type Adapted = SkipNan<Op::Adapted>;

    fn adapted(self, how: In<A>) -> Self::Adapted {
        SkipNan(self.0.adapted(how))
    }
}
