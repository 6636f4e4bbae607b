//! Streams: reductions whose elements come in pieces.

mod ops;
mod sets;
mod state;

pub use ops::Streams;
pub use state::State;
pub(super) use state::check_count;

use std::fmt;
use std::marker::PhantomData;

use self::sets::StreamSets;
use self::state::check_kept;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::reduction::Reduction;
use crate::front::scalars::check_positions;
use crate::front::signature::Signature;
use crate::plan::Plan;
use crate::values::element::Unrounded;
use crate::values::input::Input;
use crate::values::steps::Steps;
use crate::values::stored::Stored;
use crate::values::tensor::{allocate, collect, reserve};
use crate::values::written::Written;

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
/// that is merged. That order counts where an operator is not commutative, and positions
/// go on from piece to piece. Each piece is reduced as [`Reduction::run`] would reduce it. Accumulators of pieces are
/// combined in a tree, so that a sum over many small pieces is as accurate as one over all elements at once:
/// [numerics](crate::guide::numerics#pieces-and-keys) has the order. So the result depends on how
/// the elements were cut in pieces, in the last bits of floats, but on nothing else: not
/// on the CPU, and not on threads.
///
/// Where pieces are many, a stream keeps up to `log2(n / 64)` accumulators for each result, of `n` elements.
pub struct Stream<Op, T: Stored>
where
    Op: Streams<T>,
{
    reduction: Reduction<Op>,
    /// Nothing before the first update.
    seen: Option<Seen<Op::Acc>>,
    types: PhantomData<fn(T)>,
}

impl<Op: Streams<T> + Clone, T: Stored> Clone for Stream<Op, T> {
    fn clone(&self) -> Self {
        let (reduction, seen) = (self.reduction.clone(), self.seen.clone());
        Stream { reduction, seen, types: PhantomData }
    }
}

impl<Op: Streams<T>, T: Stored> fmt::Debug for Stream<Op, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("seen", &self.seen).finish_non_exhaustive()
    }
}

/// What a stream has seen, for results of a shape.
#[derive(Clone, Debug)]
struct Seen<Acc> {
    shape: Shape,
    /// How many axes the pieces have, and which of them are kept.
    rank: usize,
    kept: Vec<usize>,
    sets: StreamSets<Acc>,
}

impl<Op: Streams<T>, T: Stored> Stream<Op, T> {
    /// A stream over all elements of every piece: one result.
    pub fn new(op: Op) -> Self {
        Self::over(Reduction::new(op))
    }

    /// A stream with the axes, level and threads of a reduction. Pieces may differ in the
    /// sizes of reduced axes alone.
    pub fn over(reduction: Reduction<Op>) -> Self {
        Stream { reduction, seen: None, types: PhantomData }
    }

    /// A stream that goes on from a state. If the operator asks for positions, these go on from the state's count.
    ///
    /// # Errors
    /// - The state is that of another operator, of other parameters or other axes.
    /// - No stream made it: it has more or fewer accumulators than its shape has results, counts more elements
    ///   than there can be, or has a position beyond that.
    pub fn resume(reduction: Reduction<Op>, state: State<Op::Acc>) -> Result<Self, Error> {
        let mut stream = Self::over(reduction);
        stream.signature().check(&state.signature)?;
        if let Some(shape) = state.check()? {
            check_positions(&state.accumulators)?;
            let State { rank, kept, accumulators, count, .. } = state;
            check_kept(&state::kept(&stream.reduction.settings.axes, rank)?, &kept)?;
            let mut seen = Seen { sets: StreamSets::new(shape.count()), shape, rank, kept };
            let op = &stream.reduction.op;
            seen.sets.add::<Op::Steps>(op, accumulators, count as u64, T::DTYPES[0])?;
            stream.seen = Some(seen);
        }
        Ok(stream)
    }

    /// Whose accumulators the stream keeps.
    pub fn signature(&self) -> Signature {
        self.reduction.op.signature()
    }

    /// The number of elements in each accumulator.
    pub fn count(&self) -> usize {
        usize::try_from(self.seen.as_ref().map_or(0, |seen| seen.sets.count()))
            .unwrap_or(usize::MAX)
    }

    /// Takes the elements of a view, or of a tuple of views, behind those it has.
    ///
    /// # Errors
    /// As [`Reduction::run`], and if the result would have another shape than that of
    /// earlier updates, or there are more than `i64::MAX` elements in all, or `usize::MAX` on targets of 32 bits. After an error the
    /// stream is as it was, and so it is if the operator panics.
    pub fn update<I: Input<Stored = T>>(&mut self, input: &I) -> Result<(), Error> {
        self.reduction.op.check()?;
        let shape = input.shape()?;
        let Reduction { op, settings } = &self.reduction;
        let axes = settings.axes.resolve(shape.rank())?;
        let result = axes.output_shape(&shape, settings.keepdims)?;
        let kept = state::kept(&settings.axes, shape.rank())?;
        self.check(&result, &kept)?;
        let kernel = Op::accumulating();
        let mut plan = Plan::empty();
        plan.make_for(input, &settings.axes, kernel.needs())?;
        let before = self.count() as u64;
        check_count(before, plan.count() as u64)?;
        plan.first = before;
        let mut written = allocate::<Unrounded<Op::Acc>>(plan.outputs())?;
        let mut newest = reserve(plan.outputs(), T::DTYPES[0])?;
        let level = settings.level.check()?;
        kernel.bound(op).checked(input, &plan, &mut written, level, settings.crew())?;
        // There are no fewer: the kernel writes them all.
        newest.extend(written.iter().filter_map(Unrounded::get));
        let new = || Seen {
            sets: StreamSets::new(result.count()),
            shape: result,
            rank: shape.rank(),
            kept,
        };
        let seen = self.seen.get_or_insert_with(new);
        seen.sets.add::<Op::Steps>(op, newest, plan.count() as u64, T::DTYPES[0])
    }

    /// Takes what another stream has seen, behind what this one has.
    ///
    /// Positions of the other stream are taken as they are. Where they are to count from the beginning of
    /// all, add the number of elements before it to those in its state, which are public fields of
    /// [`Indexed`](crate::Indexed): [the guide](crate::guide::stream_and_merge#positions) shows how.
    ///
    /// # Errors
    /// If the other stream's operator has other parameters, its result has another shape, or it keeps other axes. Then
    /// both are as they were.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        self.signature().check(&other.signature())?;
        let Some(theirs) = &other.seen else { return Ok(()) };
        self.check(&theirs.shape, &theirs.kept)?;
        check_count(self.count() as u64, theirs.sets.count())?;
        let (op, dtype) = (&self.reduction.op, T::DTYPES[0]);
        let newest = theirs.sets.gathered::<Op::Steps>(op, dtype)?;
        let new = || Seen { sets: StreamSets::new(newest.len()), ..theirs.clone() };
        let seen = self.seen.get_or_insert_with(new);
        seen.sets.add::<Op::Steps>(op, newest, theirs.sets.count(), dtype)
    }

    /// Checks that results have the shape of earlier ones, along the same axes.
    fn check(&self, shape: &Shape, kept: &[usize]) -> Result<(), Error> {
        let Some(seen) = &self.seen else { return Ok(()) };
        if seen.shape != *shape {
            let (expected, found) = (seen.shape.to_vec(), shape.to_vec());
            return Err(ErrorKind::OtherResult { expected, found }.into());
        }
        check_kept(&seen.kept, kept)
    }

    /// What the stream has seen so far.
    ///
    /// # Errors
    /// If it does not fit in memory.
    pub fn state(&self) -> Result<State<Op::Acc>, Error> {
        let signature = self.signature();
        let count = self.count();
        Ok(match &self.seen {
            None => State {
                signature,
                rank: 0,
                kept: vec![],
                accumulators: vec![],
                shape: vec![],
                count,
            },
            Some(Seen { shape, rank, kept, sets }) => {
                let accumulators = sets.gathered::<Op::Steps>(&self.reduction.op, T::DTYPES[0])?;
                let (rank, kept, shape) = (*rank, kept.clone(), shape.to_vec());
                State { signature, rank, kept, accumulators, shape, count }
            }
        })
    }

    /// What the stream has seen, as its last act.
    ///
    /// # Errors
    /// As [`Stream::state`].
    pub fn into_state(self) -> Result<State<Op::Acc>, Error> {
        self.state()
    }

    /// The result over all elements so far; the stream can go on. Before the first update
    /// that is the result over no elements, a single one.
    ///
    /// # Errors
    /// If a result is over no elements, or over none that counts, and the operator lacks a value for that. If the results
    /// do not fit in memory.
    pub fn finish(&self) -> Result<<Op::Result as Written>::Tensors, Error> {
        self.reduction.op.check()?;
        let op = &self.reduction.op;
        let count = self.count();
        let (shape, accumulators) = match &self.seen {
            Some(seen) => (seen.shape.clone(), seen.sets.gathered::<Op::Steps>(op, T::DTYPES[0])?),
            None => (Shape::new(&[])?, vec![Op::Steps::none(op)]),
        };
        if accumulators.iter().any(|&acc| Op::lacks(acc, count)) {
            let (dtype, shape) = (T::DTYPES[0], shape.to_vec());
            return Err(match count {
                0 => ErrorKind::EmptySet { dtype, shape }.into(),
                _ => ErrorKind::NoneCounts { dtype }.into(),
            });
        }
        let results = collect(accumulators.iter().map(|&acc| op.result(acc, count)))?;
        Written::tensors(results, shape)
    }
}
