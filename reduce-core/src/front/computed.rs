//! Reductions computed in another type than the spec says.

use std::marker::PhantomData;
use std::mem::offset_of;

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::emit::{Emit, Then};
use crate::front::one_pass::{OnePass, Operators};
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::composed;
use crate::kernel::{Combining, Folds, Kernel, Mends, ORDERED, suited};
use crate::values::accumulator::Accumulator;
use crate::values::element::{Element, Load, Store};
use crate::values::op::ReduceOp;
use crate::values::reader::Value;
use crate::values::tuples::for_tuples;

/// An operator computed in type `A`; made by [`Reduction::computing_in`].
#[derive(Debug)]
pub struct ComputedIn<Op, A> {
    op: Op,
    compute: PhantomData<fn() -> A>,
}

impl<Op: Clone, A> Clone for ComputedIn<Op, A> {
    fn clone(&self) -> Self {
        ComputedIn { op: self.op.clone(), compute: PhantomData }
    }
}

impl<Op> Reduction<Op> {
    /// Computes in type `A` instead of the one that the spec says: in `f64` for more
    /// accuracy, or in [`Compensated<f32>`](crate::Compensated) for nearly as much in
    /// single precision. Results are stored in the type of the spec.
    ///
    /// ```
    /// use reduce_core::{Compensated, Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let data = [1e8f32, 1.0, -1e8, 1.0];
    /// let data = View::new(&data, &[4])?;
    /// let plain = Reduction::new(ReduceSum).run(&data)?;
    /// let wide = Reduction::new(ReduceSum).computing_in::<f64>().run(&data)?;
    /// let compensated = Reduction::new(ReduceSum).computing_in::<Compensated<f32>>().run(&data)?;
    /// assert_eq!((plain.data()[0], wide.data()[0], compensated.data()[0]), (1.0, 2.0, 2.0));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// What is emitted is computed in the type too, from elements to what is stored, and so is
    /// each stage of several one after another:
    ///
    /// ```
    /// # use reduce_core::{Emit, Real, ReduceOp, Reduction, View, reduce_op};
    /// /// Subtracts the mean.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct Centre;
    /// # #[reduce_op(dtypes = [f32, f64])]
    /// # impl<A: Real> ReduceOp<A> for Centre {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
    /// # }
    /// #
    /// # impl<A: Real> Emit<A> for Centre {
    /// #     type Emitted = A;
    /// #     #[inline(always)]
    /// #     fn emit(&self, x: A, mean: &A) -> A { x - *mean }
    /// # }
    ///
    /// // The mean, 10000000.4, lies between two numbers of single precision.
    /// let data = [1e7f32, 1e7, 1e7, 1e7 + 1.0, 1e7 + 1.0];
    /// let data = View::new(&data, &[5])?;
    /// let plain = Reduction::new(Centre).emit(&data)?;
    /// let wide = Reduction::new(Centre).computing_in::<f64>().emit(&data)?;
    /// assert_eq!(plain.data(), [0.0, 0.0, 0.0, 1.0, 1.0]);
    /// assert_eq!(wide.data(), [-0.4, -0.4, -0.4, 0.6, 0.6]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// The operator, or each of a tuple, must be one of single elements of any type with the
    /// traits it asks for: `impl<A: Real> ReduceOp<A>`. The bounds of the error of each
    /// choice are in [numerics](crate::guide::numerics#accuracy-by-choice).
    #[must_use]
    pub fn computing_in<A>(self) -> Reduction<Op::Computed>
    where
        Op: Computes<A>,
    {
        self.map_op(Computes::computed)
    }
}

/// That an operator, or each of several, in one pass or one after another, can be computed in a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be computed in `{A}`",
    label = "no `ReduceOp<{A}>` for this operator",
    note = "write the operator for any type with the traits it needs: `impl<A: Real> ReduceOp<A>`"
)]
pub trait Computes<A> {
    /// The operator, or operators, computed in the type.
    type Computed;

    #[doc(hidden)]
    fn computed(self) -> Self::Computed;
}

impl<Op: OpSpec + ReduceOp<A>, A: Accumulator> Computes<A> for Op {
    type Computed = ComputedIn<Op, A>;

    fn computed(self) -> ComputedIn<Op, A> {
        ComputedIn { op: self, compute: PhantomData }
    }
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<X: Accumulator, $($Op: Computes<X>),+> Computes<X> for ($($Op,)+) {
            type Computed = ($($Op::Computed,)+);

            fn computed(self) -> Self::Computed {
                ($(self.$index.computed(),)+)
            }
        }
    )*};
}

for_tuples!(tuples);

impl<A, First: Computes<A>, Next: Computes<A>> Computes<A> for Then<First, Next> {
    type Computed = Then<First::Computed, Next::Computed>;

    fn computed(self) -> Self::Computed {
        Then { first: self.first.computed(), next: self.next.computed() }
    }
}

impl<Op: OpSpec, A: 'static> Operators for ComputedIn<Op, A> {
    /// As the operator: what it is computed in is seen in the accumulator.
    fn sign(&self, to: &mut String) {
        self.op.sign(to);
    }

    fn length() -> Option<usize> {
        Op::length()
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.op.check()
    }
}

// Of elements of other types too: an engine that finds out what the operator computes has numbers that stand for an `A`.
impl<Op: ReduceOp<X>, A, X> ReduceOp<X> for ComputedIn<Op, A> {
    type Acc = Op::Acc;
    type Output = Op::Output;

    #[inline(always)]
    fn identity(&self) -> Op::Acc {
        self.op.identity()
    }

    #[inline(always)]
    fn map(&self, x: X) -> Op::Acc {
        self.op.map(x)
    }

    #[inline(always)]
    fn combine(&self, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        self.op.combine(a, b)
    }

    #[inline(always)]
    fn push(&self, acc: Op::Acc, x: X) -> Op::Acc {
        self.op.push(acc, x)
    }

    #[inline(always)]
    fn push_two(&self, acc: Op::Acc, x: X, y: X) -> Op::Acc {
        self.op.push_two(acc, x, y)
    }

    #[inline(always)]
    fn push_into(&self, acc: &mut Op::Acc, x: X) {
        self.op.push_into(acc, x);
    }

    #[inline(always)]
    fn enters(&self, acc: &Op::Acc, x: X) -> bool {
        self.op.enters(acc, x)
    }

    #[inline(always)]
    fn remove(&self, acc: Op::Acc, x: X) -> Op::Acc {
        self.op.remove(acc, x)
    }

    const PUSHES_TWO: bool = Op::PUSHES_TWO;
    const IN_PLACE: bool = Op::IN_PLACE;
    const ENTERS: bool = Op::ENTERS;
    const REMOVES: bool = Op::REMOVES;

    #[inline(always)]
    fn finalize(&self, acc: Op::Acc, count: usize) -> Op::Output {
        self.op.finalize(acc, count)
    }

    #[inline(always)]
    fn doubts(&self, acc: &Op::Acc, count: usize) -> bool {
        self.op.doubts(acc, count)
    }

    const DOUBTS: bool = Op::DOUBTS;
}

impl<Op: Emit<X>, A, X> Emit<X> for ComputedIn<Op, A> {
    type Emitted = Op::Emitted;

    #[inline(always)]
    fn emit(&self, x: X, result: &Op::Output) -> Op::Emitted {
        self.op.emit(x, result)
    }
}

impl<Op, A, T> OnePass<T> for ComputedIn<Op, A>
where
    A: Accumulator,
    T: Element + Load<A>,
    T::Wide: Load<A>,
    Op: OpSpec + Reduces<T> + ReduceOp<A>,
    <Op as Reduces<T>>::Output: Store<<Op as ReduceOp<A>>::Output>,
    Combining<Value<A>>: Folds<Self, T, <Op as Reduces<T>>::Output>,
{
    type Result = <Op as Reduces<T>>::Output;
    type Fold = Combining<Value<A>>;
    const LANES: usize = match Op::SCHEMA.commutative {
        true => suited::<Self::Fold, Self, T, Self::Result>(),
        false => ORDERED,
    };
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;
    const MENDS: &'static Mends = match <Op as Reduces<T>>::MENDS {
        Mends::Never => &Mends::Never,
        _ => &const { Mends::Together(&[(offset_of!(Self, op), 0, <Op as Reduces<T>>::MENDS)]) },
    };

    fn kernel() -> &'static Kernel<Self, T, Self::Result> {
        const {
            &composed::<Self::Fold, Self, T, Self::Result>(Self::LANES, Self::EMPTY)
                .mending(Self::MENDS)
        }
    }
}
