//! What each element becomes, given the result over all elements up to it.

use std::marker::PhantomData;

use super::passing::backwards;
use super::{Scan, plan_of, walked};
use crate::facts::error::{Error, ErrorKind};
use crate::front::emit::{EmitSteps, KeepSteps};
use crate::front::one_pass::{AccOf, OnePass, StepsOf};
use crate::front::settings::Settings;
use crate::kernel::{Fold, Passing, ScanKernel, ScanMends};
use crate::values::element::Slot;
use crate::values::input::Input;
use crate::values::steps::{Steps, Wide};
use crate::values::stored::Stored;
use crate::values::tensor::{Tensor, allocate};

/// What operators emit over a storage type, stored as `O`.
#[derive(Debug)]
struct RunningEmission<Op, T, O>(PhantomData<fn(Op, T) -> O>);

impl<S, Op, T, O> Passing<S> for RunningEmission<Op, T, O>
where
    S: Steps<Op = Op, Stored = T, Acc = AccOf<Op, T>>,
    Op: OnePass<T, Fold: Fold<Steps: EmitSteps<O>>>,
    T: Stored,
    O: Slot,
{
    type Output = O;

    const WATCHES: bool = false;

    #[inline(always)]
    fn written(op: &Op, x: Wide<S>, acc: S::Acc, count: usize) -> O {
        let result = StepsOf::<Op, T>::kept(op, acc, count);
        StepsOf::<Op, T>::emitted(op, x, &result)
    }

    fn found(_: &Op, _: &S::Acc, _: usize) -> u8 {
        0
    }

    fn doubts(_: &Op, _: &S::Acc, _: usize) -> u32 {
        0
    }
}

fn kernel<Op, T, O>(reversed: bool) -> &'static ScanKernel
where
    Op: OnePass<T, Fold: Fold<Steps: EmitSteps<O>>>,
    T: Stored,
    O: Slot,
{
    let forward = const { &ScanKernel::of::<StepsOf<Op, T>, RunningEmission<Op, T, O>>() };
    if reversed { const { &backwards::<Op, T, RunningEmission<Op, T, O>>() } } else { forward }
}

/// The type of the first input.
type EmittedOf<I> = <<I as Input>::Stored as Stored>::First;

impl<Op> Scan<Op> {
    /// Makes of each element what it becomes, given the result over all elements up to it. It returns a tensor of the input's
    /// shape, in the type of the first input. An operator emits so by the same [`Emit`](crate::Emit) as it does by the result over all.
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
    /// // How far each measurement is from the mean of all so far.
    /// let measured = View::new(&[1.0f32, 3.0, 5.0, 7.0], &[4])?;
    /// let off = Reduction::new(Centre).scanning().emit(&measured)?;
    /// assert_eq!(off.data(), [0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// Doubtful results are not computed again here.
    ///
    /// # Errors
    /// As [`Scan::run`], and if the scan is [exclusive](Scan::exclusive).
    pub fn emit<I: Input>(&self, input: &I) -> Result<Tensor<EmittedOf<I>>, Error>
    where
        Op: OnePass<I::Stored, Fold: Fold<Steps: EmitSteps<EmittedOf<I>>>>,
    {
        if self.order.exclusive {
            return Err(ErrorKind::EmitsExclusive.into());
        }
        let Scan { reduction, order } = self;
        reduction.op.check()?;
        let Settings { axes, level, .. } = &reduction.settings;
        let shape = input.shape()?;
        let (axes, level) = (axes.resolve(shape.rank())?, level.check()?);
        let strides = shape.row_major_strides();
        let out = (strides.as_slice(), 0);
        let plan = input.strided(&shape, |inputs| {
            plan_of::<Op, I::Stored>(&reduction.op, (&shape, &axes), inputs, out, *order)
        })??;
        let mut emitted = allocate(shape.count())?;
        let kernel = kernel::<Op, I::Stored, EmittedOf<I>>(order.reversed);
        let crew = (level, reduction.settings.crew());
        let op = (&reduction.op, &ScanMends::Never, None);
        walked::<Op, I::Stored, _>(op, kernel, &plan, input.data(), crew, &mut emitted)?;
        Ok(Tensor::from_parts(emitted, shape))
    }
}
