//! Streams: reductions whose elements come in pieces.

mod ops;

pub use ops::Streams;

use std::fmt;
use std::marker::PhantomData;

use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::Empty;
use crate::facts::shape::Shape;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::kernel::Fold;
use crate::plan::Plan;
use crate::values::element::{Unrounded, Written};
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::{allocate, collect, reserve};

/// A reduction that takes its elements piece by piece, and may be taken up again later or
/// elsewhere.
///
/// ```
/// use reduce_core::{Reduction, Stream, View};
/// use reduce_specs::{ReduceMax, ReduceMean};
///
/// let mut first = Stream::new(ReduceMean);
/// first.update(&View::new(&[1.0f32, 2.0], &[2])?)?;
/// first.update(&View::new(&[3.0f32], &[1])?)?;
/// let mut second = Stream::new(ReduceMean);
/// second.update(&View::new(&[10.0f32], &[1])?)?;
/// first.merge(&second)?;
/// assert_eq!(first.finish()?.data(), [4.0]);
///
/// // With axes: one accumulator for each result.
/// let mut columns = Stream::over(Reduction::new(ReduceMean).axes([0]));
/// for batch in [[1.0f32, 10.0, 3.0, 30.0], [5.0, 50.0, 7.0, 70.0]] {
///     columns.update(&View::new(&batch, &[2, 2])?)?;
/// }
/// assert_eq!(columns.finish()?.data(), [4.0, 40.0]);
///
/// // Several operators in one pass.
/// let mut both = Stream::new((ReduceMean, ReduceMax));
/// both.update(&View::new(&[1.0f32, 2.0], &[2])?)?;
/// both.update(&View::new(&[6.0f32], &[1])?)?;
/// let (mean, max) = both.finish()?;
/// assert_eq!((mean.data(), max.data()), (&[3.0][..], &[6.0][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Elements of an update stand behind those of earlier ones, and so do those of a stream
/// that is merged: that order counts where an operator is not commutative, and positions
/// go on from piece to piece. Each piece is reduced as [`Reduction::run`] would reduce it,
/// and combined with what there was by one more `combine`. So the result depends on how
/// the elements were cut in pieces, in the last bits of floats, but on nothing else: not
/// on the CPU, and not on threads.
pub struct Stream<Op, T: Stored>
where
    Op: Streams<T>,
{
    reduction: Reduction<Op>,
    state: State<Op::Acc>,
    types: PhantomData<fn(T)>,
}

impl<Op: Streams<T> + Clone, T: Stored> Clone for Stream<Op, T> {
    fn clone(&self) -> Self {
        let (reduction, state) = (self.reduction.clone(), self.state.clone());
        Stream { reduction, state, types: PhantomData }
    }
}

impl<Op: Streams<T>, T: Stored> fmt::Debug for Stream<Op, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("state", &self.state).finish_non_exhaustive()
    }
}

/// What a [`Stream`] has seen, as plain data: it can be stored, sent, and resumed from.
///
/// ```
/// use reduce_core::{Reduction, State, Stream, View};
/// use reduce_specs::ReduceMean;
///
/// let mut stream = Stream::new(ReduceMean);
/// stream.update(&View::new(&[1.0f32, 2.0], &[2])?)?;
/// let state: State<f32> = stream.into_state();
/// assert_eq!((&state.accumulators[..], state.count), (&[3.0][..], 2));
///
/// // Later, or elsewhere:
/// let mut stream = Stream::resume(Reduction::new(ReduceMean), state)?;
/// stream.update(&View::new(&[6.0f32], &[1])?)?;
/// assert_eq!(stream.finish()?.data(), [3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// With the feature `serde` it can be serialised, if accumulators can.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State<Acc> {
    /// One accumulator for each result, in row-major order; none before the first update.
    pub accumulators: Vec<Acc>,
    /// The sizes of the result's axes.
    pub shape: Vec<usize>,
    /// The number of elements in each accumulator.
    pub count: usize,
}

impl<Acc> State<Acc> {
    /// The state before the first update.
    fn new() -> Self {
        State { accumulators: Vec::new(), shape: Vec::new(), count: 0 }
    }

    fn is_new(&self) -> bool {
        self.accumulators.is_empty() && self.shape.is_empty() && self.count == 0
    }
}

/// That so many elements, and more, can be counted: positions are numbers of type `i64`, and a state
/// may come from anywhere.
fn check_count(count: usize, more: usize) -> Result<(), Error> {
    match count.checked_add(more).map(i64::try_from) {
        Some(Ok(_)) => Ok(()),
        _ => Err(ErrorKind::CountTooLarge { count, more }.into()),
    }
}

impl<Op: Streams<T>, T: Stored> Stream<Op, T> {
    /// A stream over all elements of every piece: one result.
    pub fn new(op: Op) -> Self {
        Self::over(Reduction::new(op))
    }

    /// A stream with the axes, level and threads of a reduction. Pieces may differ in the
    /// sizes of reduced axes alone.
    pub fn over(reduction: Reduction<Op>) -> Self {
        Self::from_state(reduction, State::new())
    }

    /// A stream that goes on from a state. Of an operator that asks for positions, they
    /// go on from the state's count.
    ///
    /// # Errors
    /// If the state has not one accumulator for each result of its shape, or counts more than
    /// `i64::MAX` elements: it was not made by a stream.
    pub fn resume(reduction: Reduction<Op>, state: State<Op::Acc>) -> Result<Self, Error> {
        if !state.is_new() {
            let (expected, found) = (Shape::new(&state.shape)?.count(), state.accumulators.len());
            if expected != found {
                let what = "the state of a stream";
                return Err(ErrorKind::LengthMismatch { what, expected, found }.into());
            }
            check_count(state.count, 0)?;
        }
        Ok(Self::from_state(reduction, state))
    }

    fn from_state(reduction: Reduction<Op>, state: State<Op::Acc>) -> Self {
        Stream { reduction, state, types: PhantomData }
    }

    /// Takes the elements of a view, or of a tuple of views, behind those it has.
    ///
    /// # Errors
    /// As [`Reduction::run`], and if the result would have another shape than that of
    /// earlier updates, or there are more than `i64::MAX` elements in all. After an error the
    /// stream is as it was, and so it is if the operator panics.
    pub fn update<I: Input<Stored = T>>(&mut self, input: &I) -> Result<(), Error> {
        self.reduction.op.check()?;
        let shape = input.shape()?;
        let axes = self.reduction.settings.axes.resolve(shape.rank())?;
        let result = self.reduction.output_shape(&shape)?;
        self.check(&result)?;
        let kernel = Op::kernel_of_accumulators();
        let mut plan = Plan::empty();
        input.strided(&shape, |inputs| plan.make(&shape, inputs, &axes, kernel.needs()))?;
        check_count(self.state.count, plan.count())?;
        plan.first = self.state.count as u64;
        let mut kept = allocate::<Unrounded<Op::Acc>>(plan.outputs())?;
        let mut newest = reserve(plan.outputs(), T::DTYPES[0])?;
        let Reduction { op, settings } = &self.reduction;
        let level = settings.level.check()?;
        kernel.bound(op).run(input, &plan, &mut kept, level, settings.crew())?;
        // There are no fewer: the kernel writes them all.
        newest.extend(kept.iter().filter_map(Unrounded::get));
        self.add(State { accumulators: newest, shape: result.to_vec(), count: plan.count() });
        Ok(())
    }

    /// Takes what another stream has seen, behind what this one has.
    ///
    /// Positions of the other stream are taken as they are. Where they are to count from the beginning of
    /// all, add the number of elements before it to those in its state, which are public fields of
    /// [`Indexed`](crate::Indexed): [the guide](crate::guide::stream_and_merge#positions) shows how.
    ///
    /// # Errors
    /// If the other stream's result has another shape. Then both are as they were.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if !other.state.is_new() {
            self.check(&Shape::new(&other.state.shape)?)?;
            check_count(self.state.count, other.state.count)?;
            let State { accumulators, shape, count } = &other.state;
            let mut newest = reserve(accumulators.len(), T::DTYPES[0])?;
            newest.extend_from_slice(accumulators);
            self.add(State { accumulators: newest, shape: shape.clone(), count: *count });
        }
        Ok(())
    }

    /// That results have the shape of earlier ones.
    fn check(&self, shape: &Shape) -> Result<(), Error> {
        if self.state.is_new() || self.state.shape.as_slice() == shape.dims() {
            return Ok(());
        }
        let (expected, found) = (self.state.shape.clone(), shape.to_vec());
        Err(ErrorKind::OtherResult { expected, found }.into())
    }

    /// Combines newer accumulators with those there are. These stay as they are until all are
    /// combined: an operator may panic.
    fn add(&mut self, mut newest: State<Op::Acc>) {
        if !self.state.is_new() {
            for (newest, acc) in newest.accumulators.iter_mut().zip(&self.state.accumulators) {
                *newest = Op::Lane::combine(&self.reduction.op, *acc, *newest);
            }
            newest.count += self.state.count;
        }
        self.state = newest;
    }

    /// What the stream has seen so far.
    pub fn state(&self) -> &State<Op::Acc> {
        &self.state
    }

    /// What the stream has seen, by value.
    pub fn into_state(self) -> State<Op::Acc> {
        self.state
    }

    /// The result over all elements so far; the stream can go on. Before the first update
    /// that is the result over no elements, a single one.
    ///
    /// # Errors
    /// If there are results over no elements and the operator has no value for them, or they do not
    /// fit in memory.
    pub fn finish(&self) -> Result<<Op::Result as Written>::Tensors, Error> {
        self.reduction.op.check()?;
        let State { accumulators, shape, count } = &self.state;
        let shape = Shape::new(shape)?;
        if *count == 0 && shape.count() > 0 && <Op as OnePass<T>>::EMPTY == Empty::Error {
            let (dtype, shape) = (T::DTYPES[0], shape.to_vec());
            return Err(ErrorKind::EmptySet { dtype, shape }.into());
        }
        let op = &self.reduction.op;
        let results = match self.state.is_new() {
            true => vec![Op::Lane::store(op, Op::Lane::none(op), 0)],
            false => collect(accumulators.iter().map(|&acc| Op::Lane::store(op, acc, *count)))?,
        };
        Written::tensors(results, shape)
    }
}
