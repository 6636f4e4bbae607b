//! Several tensors of one shape, walked together in row-major order.

use smallvec::SmallVec;

use super::axis::{JointAxis, merge};
use super::{Axis, MergedAxes, Places, Strided};
use crate::facts::shape::{Dims, Shape};

/// The most tensors that are walked together: the inputs of an operator, its results, and what is emitted.
const MOST: usize = 6;

/// The axes of tensors. An axis that continues another one in all tensors is merged with it.
#[derive(Clone, Debug)]
pub(crate) struct InOrder(SmallVec<[WalkStrides; 3]>);

/// The walk through one of them: its axes, and the place of its first element.
#[derive(Clone, Debug)]
struct WalkStrides {
    axes: MergedAxes,
    offset: usize,
}

impl InOrder {
    /// The walk through tensors of a shape.
    pub(crate) fn new(shape: &Shape, tensors: &[Strided<'_>]) -> Self {
        assert!(
            tensors.len() <= MOST,
            "no more than four inputs, their results, and what is emitted"
        );
        let mut axes: Dims<JointAxis<MOST>> = Dims::new();
        for (index, &size) in shape.iter().enumerate().filter(|&(_, &size)| size != 1) {
            let mut strides = [0; MOST];
            for (stride, tensor) in strides.iter_mut().zip(tensors) {
                *stride = tensor.0[index];
            }
            axes.push(JointAxis { size, strides, step: 0 });
        }
        merge(&mut axes);
        let of = |(number, &(_, offset)): (usize, &Strided<'_>)| {
            let axes = axes.iter().map(|axis| axis.of(number)).collect();
            WalkStrides { axes, offset }
        };
        InOrder(tensors.iter().enumerate().map(of).collect())
    }

    /// The `N` innermost axes of each tensor, from the inside out; missing ones have size 1.
    pub(crate) fn innermost<const N: usize>(&self) -> impl Iterator<Item = [Axis; N]> {
        const NONE: Axis = Axis { size: 1, stride: 0 };
        self.0.iter().map(|walk| {
            let mut axes = walk.axes.iter().rev().copied();
            std::array::from_fn(|_| axes.next().unwrap_or(NONE))
        })
    }

    /// The place of each tensor's first element, if there are no axes outside of the `of` innermost.
    pub(crate) fn first_places(&self, of: usize) -> Option<[usize; MOST]> {
        let mut places = [0; MOST];
        for (place, walk) in places.iter_mut().zip(&self.0) {
            if walk.axes.len() > of {
                return None;
            }
            *place = walk.offset;
        }
        Some(places)
    }

    /// The places of each tensor for all indices, from `index` on, of the axes outside of the `of` innermost.
    pub(crate) fn outside(&self, of: usize, index: usize) -> impl Iterator<Item = Places<'_>> {
        self.0.iter().map(move |walk| {
            let axes = &walk.axes[..walk.axes.len().saturating_sub(of)];
            Places::from_index(axes, walk.offset, index)
        })
    }
}
