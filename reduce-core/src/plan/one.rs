//! One result of a plan, as a plan of its own.

use smallvec::SmallVec;

use super::{Axis, MergedAxes, Needs, Plan};
use crate::facts::axes::Axes;
use crate::facts::shape::Shape;
use crate::values::layout::Strided;

impl Plan {
    /// The plan of one result, counted in the order of this plan, over all inputs or over one of them.
    /// Its elements are combined in an order that suits them alone.
    pub(crate) fn one(&self, result: usize, input: Option<usize>, needs: Needs) -> Plan {
        let whole: &[Plan] = match (input, self.inputs.as_slice()) {
            (_, []) => std::slice::from_ref(self),
            (None, inputs) => inputs,
            (Some(input), inputs) => &inputs[input..=input],
        };
        let axes: SmallVec<[MergedAxes; 1]> = whole.iter().map(Plan::axes_of_result).collect();
        let strides: SmallVec<[SmallVec<[isize; 4]>; 1]> =
            axes.iter().map(|axes| axes.iter().map(|axis| axis.stride).collect()).collect();
        let inputs: SmallVec<[Strided<'_>; 1]> = strides
            .iter()
            .zip(whole)
            .map(|(strides, plan)| (&strides[..], plan.place(result)))
            .collect();
        let sizes: SmallVec<[usize; 4]> = axes[0].iter().map(|axis| axis.size).collect();
        let (Ok(shape), Ok(all)) = (Shape::new(&sizes), Axes::all().resolve(sizes.len())) else {
            unreachable!("the axes of a shape that was checked")
        };
        Plan::new(&shape, &inputs, &all, needs)
    }

    /// The plan of the one result over `count` elements of lists, from place `first` on.
    pub(crate) fn of_lists(first: usize, count: usize, inputs: usize, needs: Needs) -> Plan {
        let (Ok(shape), Ok(all)) = (Shape::new(&[count]), Axes::all().resolve(1)) else {
            unreachable!("a list that is in memory")
        };
        let lists: SmallVec<[Strided<'_>; 4]> = smallvec::smallvec![(&[1][..], first); inputs];
        Plan::new(&shape, &lists, &all, needs)
    }

    /// The axes that the elements of a result lie along; neighbours in a row, if it has several, are one
    /// of them.
    pub(crate) fn axes_of_result(&self) -> MergedAxes {
        let mut axes = self.reduced.clone();
        if self.neighbours > 1 {
            axes.push(Axis { size: self.neighbours, stride: 1 });
        }
        axes
    }
}
