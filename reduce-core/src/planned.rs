//! Planned reductions: the plan made once, run many times.

use std::fmt;

use crate::element::Element;
use crate::error::{Error, ErrorKind};
use crate::level::Available;
use crate::one_pass::OnePass;
use crate::plan::Plan;
use crate::shape::{Dims, Shape};
use crate::threads::Threads;
use crate::view::View;

/// A reduction of views of one layout; made by
/// [`Reduction::planned`](crate::Reduction::planned).
///
/// Running it allocates nothing for tensors of ordinary rank, unless results
/// have to be put in order (the input is transposed) or elements to be packed
/// (they are neither rows nor columns), and takes no lock.
pub struct Planned<Op, T: Element>
where
    Op: OnePass<T>,
{
    op: Op,
    layout: Layout,
    plan: Plan,
    shape: Shape,
    level: Available,
    threads: Threads,
    types: std::marker::PhantomData<T>,
}

/// The shape, strides and offset of a view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    shape: Shape,
    strides: Dims<isize>,
    offset: usize,
}

impl Layout {
    pub(crate) fn of<T: Element>(view: &View<'_, T>) -> Self {
        let strides = Dims::from_slice(view.strides());
        Layout { shape: view.shape().clone(), strides, offset: view.offset() }
    }

    fn is_of<T: Element>(&self, view: &View<'_, T>) -> bool {
        self.offset == view.offset()
            && self.shape == *view.shape()
            && self.strides.as_slice() == view.strides()
    }
}

impl<Op, T: Element> Planned<Op, T>
where
    Op: OnePass<T>,
{
    pub(crate) fn new(
        op: Op,
        layout: Layout,
        plan: Plan,
        shape: Shape,
        level: Available,
        threads: Threads,
    ) -> Self {
        Planned { op, layout, plan, shape, level, threads, types: std::marker::PhantomData }
    }

    /// Writes the result into a buffer, in row-major order; the results of a tuple of
    /// operators into a tuple of buffers.
    ///
    /// # Errors
    /// If the view's shape, strides or offset are not those of the plan, the buffer
    /// is not of the result's length, or a result over no elements has no value.
    /// After an error the buffer is as it was.
    pub fn run_into(&self, input: &View<'_, T>, output: Op::Buffers<'_>) -> Result<(), Error> {
        if !self.layout.is_of(input) {
            return Err(ErrorKind::OtherLayout {
                planned: (self.layout.shape.to_vec(), self.layout.strides.to_vec()),
                found: (input.shape().to_vec(), input.strides().to_vec()),
            }
            .into());
        }
        let kernel = <Op as OnePass<T>>::kernel();
        Op::run_into(self.plan.outputs(), output, |results| {
            kernel.run(&self.op, input, &self.plan, results, self.level, &self.threads)
        })
    }

    /// The shape of the result.
    pub fn output_shape(&self) -> &Shape {
        &self.shape
    }

    /// How memory is walked.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

impl<Op: fmt::Debug, T: Element> fmt::Debug for Planned<Op, T>
where
    Op: OnePass<T>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned").field("op", &self.op).field("plan", &self.plan).finish()
    }
}
