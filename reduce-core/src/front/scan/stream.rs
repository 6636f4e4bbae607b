//! Scans whose elements come in pieces.

use std::fmt;
use std::marker::PhantomData;

use super::passing::kernel;
use super::{Scan, plan_of, walked};
use crate::facts::axes::AxisSet;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::front::one_pass::{AccOf, OnePass, StepsOf};
use crate::front::settings::Settings;
use crate::front::stream::check_count;
use crate::kernel::{Going, LineState, ScanMends};
use crate::values::element::accumulator::Accumulator;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::{allocate, reserve};
use crate::values::written::Written;

/// A scan that takes its elements piece by piece, and goes on with each where the one before it ended. Results have the same
/// bits as those over all pieces at once.
///
/// ```
/// use reduce_core::along::ScanStream;
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceSum;
///
/// let mut totals = ScanStream::over(Reduction::new(ReduceSum).axes([0]).scanning());
/// assert_eq!(totals.update(&View::new(&[1i32, 10, 2, 20], &[2, 2])?)?.data(), [1, 10, 3, 30]);
/// assert_eq!(totals.update(&View::new(&[3, 30], &[1, 2])?)?.data(), [6, 60]);
/// assert_eq!(totals.count(), 3);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Positions go on from piece to piece, too. [Doubtful](crate::ReduceOp::doubts) results are not computed again, since the
/// elements of earlier pieces are gone.
pub struct ScanStream<Op: OnePass<T>, T: Stored> {
    scan: Scan<Op>,
    seen: Option<SeenLines<AccOf<Op, T>>>,
    types: PhantomData<fn(T)>,
}

/// Where lines stand.
struct SeenLines<A: Accumulator> {
    /// The shape of a piece, its first axis along the lines left out.
    shape: Dims<usize>,
    states: Vec<LineState<A>>,
    count: usize,
}

impl<Op: OnePass<T>, T: Stored> ScanStream<Op, T> {
    /// A stream with the axes and settings of a scan. Pieces stand behind one another along the first of these axes, and are
    /// equal in all other sizes.
    pub fn over(scan: Scan<Op>) -> Self {
        ScanStream { scan, seen: None, types: PhantomData }
    }

    /// The number of elements that each line has had.
    pub fn count(&self) -> usize {
        self.seen.as_ref().map_or(0, |seen| seen.count)
    }

    /// Takes a piece, and gives the results at its elements.
    ///
    /// # Errors
    /// As [`Scan::run`]. A piece may differ from earlier ones only in its first size along the lines. The scan must not be
    /// [reversed](Scan::reversed): its first results would follow from the last piece. After an error the stream is as it was.
    pub fn update<I: Input<Stored = T>>(
        &mut self,
        piece: &I,
    ) -> Result<<Op::Result as Written>::Tensors, Error> {
        let Scan { reduction, order } = &self.scan;
        if order.reversed {
            return Err(ErrorKind::ReversedStream.into());
        }
        reduction.op.check()?;
        let Settings { axes, level, .. } = &reduction.settings;
        let shape = piece.shape()?;
        let (axes, level) = (axes.resolve(shape.rank())?, level.check()?);
        let rest = self.checked(&shape, &axes)?;
        let strides = shape.row_major_strides();
        let plan = piece.strided(&shape, |inputs| {
            let out = (strides.as_slice(), 0);
            plan_of::<Op, T>(&reduction.op, (&shape, &axes), inputs, out, *order)
        })??;
        let before = self.count();
        check_count(before as u64, plan.along.count() as u64)?;
        let mut states = self.states(plan.lines.count())?;
        let mut results = allocate::<Op::Result>(shape.count())?;
        let going = Some(Going { states: states.as_mut_ptr().cast(), before });
        let crew = (level, reduction.settings.crew());
        let op = (&reduction.op, &ScanMends::Never, going);
        walked::<Op, T, _>(op, kernel::<Op, T>(false), &plan, piece.data(), crew, &mut results)?;
        let count = before + plan.along.count();
        self.seen = Some(SeenLines { shape: rest, states, count });
        Written::tensors(results, shape)
    }

    /// The sizes of a piece, without the first along the lines.
    ///
    /// # Errors
    /// If they are others than before.
    fn checked(&self, shape: &Shape, axes: &AxisSet) -> Result<Dims<usize>, Error> {
        let first = (0..shape.rank()).find(|&axis| axes.contains(axis));
        let others = shape.iter().enumerate().filter(|&(axis, _)| Some(axis) != first);
        let rest: Dims<usize> = others.map(|(_, &size)| size).collect();
        match &self.seen {
            Some(seen) if seen.shape != rest => {
                let (expected, found) = (seen.shape.to_vec(), rest.to_vec());
                Err(ErrorKind::OtherPiece { expected, found }.into())
            }
            _ => Ok(rest),
        }
    }

    /// A copy of the states of all lines.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn states(&self, lines: usize) -> Result<Vec<LineState<AccOf<Op, T>>>, Error> {
        let mut states = reserve(lines, T::DTYPES[0])?;
        match &self.seen {
            Some(seen) => states.extend_from_slice(&seen.states),
            None => {
                states.resize(lines, LineState::none::<StepsOf<Op, T>>(&self.scan.reduction.op));
            }
        }
        Ok(states)
    }
}

impl<Op: OnePass<T> + fmt::Debug, T: Stored> fmt::Debug for ScanStream<Op, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count();
        f.debug_struct("ScanStream").field("scan", &self.scan).field("count", &count).finish()
    }
}
