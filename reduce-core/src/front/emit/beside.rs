//! Operators that emit with other inputs beside their elements, as reductions run them.

use super::steps::EmitBesideSteps;
use super::{Emits, Emitting, KeepSteps, Then};
use crate::facts::error::Error;
use crate::front::adapt::Adapts;
use crate::front::one_pass::{OnePass, Operators, StepsOf};
use crate::front::reduction::Reduction;
use crate::kernel::{Again, EmitsEach, Fold, Keeps, StageOps, Stages, Untyped};
use crate::values::element::{Element, Slot};
use crate::values::leading::{Behind, Leading};

/// An operator that reduces the first `N` inputs, and emits with those behind them; made by [`Reduction::beside`].
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Beside<Op, const N: usize> {
    op: Op,
}

impl<Op> Reduction<Op> {
    /// Reduces the first `N` inputs, and emits with elements of all others beside theirs. [`EmitBeside`](crate::EmitBeside) has an example.
    ///
    /// There are up to four inputs. All of them broadcast to one shape, which is that of the output. Of several operators
    /// one after another, the last one emits with the others beside.
    ///
    /// ```
    /// # use reduce_core::{Emit, EmitBeside, Real, ReduceOp, Reduction, View, reduce_op};
    /// # #[derive(Clone, Copy, Debug, Default)]
    /// # struct Centre;
    /// # #[reduce_op(dtypes = [f32, f64])]
    /// # impl<A: Real> ReduceOp<A> for Centre {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
    /// # }
    /// # impl<A: Real> Emit<A> for Centre {
    /// #     type Emitted = A;
    /// #     #[inline(always)]
    /// #     fn emit(&self, x: A, mean: &A) -> A { x - *mean }
    /// # }
    /// # #[derive(Clone, Copy, Debug, Default)]
    /// # struct ToUnit;
    /// # #[reduce_op(dtypes = [f32, f64])]
    /// # impl<A: Real> ReduceOp<A> for ToUnit {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x * x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count).sqrt() }
    /// # }
    /// # impl<A: Real> EmitBeside<A> for ToUnit {
    /// #     type Beside = (A, A);
    /// #     type Emitted = A;
    /// #     #[inline(always)]
    /// #     fn emit_beside(&self, x: A, (scale, bias): (A, A), length: &A) -> A { x / *length * scale + bias }
    /// # }
    /// // `Centre` subtracts the mean. `ToUnit` divides by the root of the mean square, scales, and adds a bias.
    /// let rows = View::new(&[1.0f32, 3.0, 5.0, 9.0], &[2, 2])?;
    /// let (scale, bias) = (View::new(&[10.0f32, 1.0], &[2])?, View::new(&[0.5f32], &[1])?);
    /// let norm = Reduction::new(Centre).then(ToUnit).beside::<1>().axes([1]);
    /// assert_eq!(norm.emit(&(rows, scale, bias))?.data(), [-9.5, 1.5, -9.5, 1.5]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn beside<const N: usize>(self) -> Reduction<Beside<Op, N>> {
        self.map_op(|op| Beside { op })
    }
}

impl<How, Op: Adapts<How>, const N: usize> Adapts<How> for Beside<Op, N> {
    type Adapted = Beside<Op::Adapted, N>;

    fn adapted(self, how: How) -> Self::Adapted {
        Beside { op: self.op.adapted(how) }
    }
}

impl<T, O, Op, const N: usize> EmitsEach<T, O> for Beside<Op, N>
where
    T: Leading<N>,
    Op: OnePass<T::Front, Fold: Fold<Steps: EmitBesideSteps<T::Rest, O>>>,
{
    type Kept = <StepsOf<Op, T::Front> as KeepSteps>::Kept;

    #[inline(always)]
    fn emitted(&self, x: T::Wide, result: &Self::Kept) -> O {
        let (x, beside) = T::part(x);
        StepsOf::<Op, T::Front>::emitted_beside(&self.op, x, beside, result)
    }
}

// The kernel is that of the operator. It may be given this one, which is represented in the same way.
impl<T, O, Op, const N: usize> Keeps<T, O> for Beside<Op, N>
where
    T: Leading<N>,
    Op: OnePass<T::Front, Fold: Fold<Steps: EmitBesideSteps<T::Rest, O>>>,
{
    fn keeping() -> &'static Untyped {
        StepsOf::<Op, T::Front>::keeping::<Op::Fold, Op>()
    }

    fn again() -> Option<Again> {
        Op::again().beside
    }
}

#[diagnostic::do_not_recommend]
impl<T, O, Op, const N: usize> Emits<T, O> for Beside<Op, N>
where
    T: Leading<N>,
    O: Slot,
    Op: Operators + OnePass<T::Front, Fold: Fold<Steps: EmitBesideSteps<T::Rest, O>>>,
{
    fn stages() -> Stages<T, O> {
        Stages::of::<Self>()
    }

    fn ops(&self) -> StageOps<'_> {
        StageOps::of(self)
    }

    fn check_all(&self) -> Result<(), Error> {
        self.op.check()
    }
}

/// What all inputs are of the last of several operators: what is emitted for it, and those beside.
type OfLast<T, E, const N: usize> = <<T as Leading<N>>::Rest as Behind<E>>::All;

#[diagnostic::do_not_recommend]
impl<T, O, First, Next, E, const N: usize> Emits<T, O> for Beside<Then<First, Next>, N>
where
    T: Leading<N, Rest: Behind<E>>,
    E: Element,
    First: Emitting<T::Front, Emitted = E> + Emits<T::Front, E>,
    Next: Operators,
    Beside<Next, 1>: Emits<OfLast<T, E, N>, O>,
{
    fn stages() -> Stages<T, O> {
        let last = <Beside<Next, 1> as Emits<OfLast<T, E, N>, O>>::stages();
        <First as Emits<T::Front, E>>::stages().then_beside(last)
    }

    fn ops(&self) -> StageOps<'_> {
        // `Beside` is represented as the operator that it holds.
        <First as Emits<T::Front, E>>::ops(&self.op.first).then(StageOps::of(&self.op.next))
    }

    fn check_all(&self) -> Result<(), Error> {
        self.op.first.check_all()?;
        self.op.next.check()
    }
}
