//! What an emission goes over, and in which order.
//!
//! Elements are emitted in row-major order: the last axis is walked fastest. If both the input and the output lie
//! otherwise, all axes are first sorted as these two lie in memory, the axis of the largest stride in front. It is as
//! if the caller had permuted all tensors. Each element is emitted by itself, so sorting could change only results.
//! Therefore a plan for sorted axes has to combine the elements of each result in the order that row-major axes have.
//! It does over most layouts (`plan/like.rs`); over others axes stay as they are.

use smallvec::{SmallVec, smallvec};

use super::super::micro::INPUTS;
use super::stage::Stage;
use crate::facts::axes::AxisSet;
use crate::facts::shape::{Dims, Shape, sort_some, stand_as_they_lie};
use crate::plan::leader;
use crate::values::layout::Strided;

/// Inputs and output of an emission, or of one of its stages.
#[derive(Clone, Copy)]
pub(super) struct Over<'a> {
    pub(super) shape: &'a Shape,
    pub(super) axes: &'a AxisSet,
    pub(super) inputs: &'a [Strided<'a>],
    pub(super) out: Strided<'a>,
}

/// Inputs and output of an emission, their axes in another order.
pub(super) struct SortedOver {
    shape: Shape,
    axes: AxisSet,
    inputs: SmallVec<[(Dims<isize>, usize); INPUTS]>,
    out: (Dims<isize>, usize),
}

impl Over<'_> {
    /// Axes in the order in which they lie in the output. None if they stand so already, or if the input with the most
    /// elements lies in another order: then one of the two is walked in pieces either way.
    ///
    /// Where `keeps_order`, reduced axes stay in row-major order among themselves: the elements of a
    /// result are walked in one sequence.
    pub(super) fn sorted(&self, keeps_order: bool) -> Option<SortedOver> {
        let lie = |strides: &[isize], axis: usize| (self.shape[axis], strides[axis]);
        let (output, (input, _)) = (self.out.0, self.inputs[leader(self.shape, self.inputs)]);
        if stand_as_they_lie((0..self.shape.rank()).map(|axis| lie(output, axis))) {
            return None;
        }
        let mut order = self.shape.order_in_memory(output);
        if !stand_as_they_lie(order.iter().map(|&axis| lie(input, axis))) {
            return None;
        }
        if keeps_order {
            sort_some(&mut order, |axis| self.axes.contains(axis), |axis| axis);
        }
        if order.is_sorted() {
            return None;
        }
        let sorted = |&(strides, offset): &Strided<'_>| -> (Dims<isize>, usize) {
            (order.iter().map(|&axis| strides[axis]).collect(), offset)
        };
        Some(SortedOver {
            shape: self.shape.subset(order.iter().map(|&axis| self.shape[axis])),
            axes: self.axes.permuted(&order),
            inputs: self.inputs.iter().map(sorted).collect(),
            out: sorted(&self.out),
        })
    }

    /// Calls `then` with what each of some stages goes over. What one stage emits for the next is in row-major order.
    /// Inputs that are not reduced lie beside it.
    pub(super) fn each(self, stages: &[Stage], mut then: impl FnMut(usize, Over<'_>)) {
        let in_order = self.shape.row_major_strides();
        let emitted = (in_order.as_slice(), 0);
        let reduced = stages.first().map_or(0, |first| first.reduced);
        let mut later: SmallVec<[Strided<'_>; INPUTS]> = smallvec![emitted];
        later.extend_from_slice(&self.inputs[reduced..]);
        for (number, stage) in stages.iter().enumerate() {
            let inputs = if number == 0 { self.inputs } else { &later };
            let out = if number + 1 == stages.len() { self.out } else { emitted };
            then(number, Over { inputs: &inputs[..stage.inputs], out, ..self });
        }
    }
}

impl SortedOver {
    /// What `make` makes of these inputs and this output.
    pub(super) fn with<R>(&self, make: impl FnOnce(Over<'_>) -> R) -> R {
        let inputs: SmallVec<[Strided<'_>; INPUTS]> = self.inputs.iter().map(strided).collect();
        let out = strided(&self.out);
        make(Over { shape: &self.shape, axes: &self.axes, inputs: &inputs, out })
    }
}

fn strided((strides, offset): &(Dims<isize>, usize)) -> Strided<'_> {
    (strides, *offset)
}
