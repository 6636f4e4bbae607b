//! Elements that lie apart: packed into a block on the stack, then folded as a
//! contiguous one. The result has the same bits as that of a contiguous copy.

use super::lanes::STEPS;
use super::tree::Tree;
use crate::element::Element;
use crate::kernel::reader::Reader;
use crate::op::ReduceOp;
use crate::plan::{Axis, Places};

/// The accumulator of the elements at the places of some axes.
#[inline(always)]
pub(super) fn gather<R, Op, T, const L: usize>(
    tree: &mut Tree<'_, R, Op, T, L>,
    data: &[T],
    start: usize,
    axes: &[Axis],
) -> Op::Acc
where
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Element,
{
    let mut block = [[T::default(); L]; STEPS];
    let block = block.as_flattened_mut();
    let mut filled = 0;
    let (outer, run) = match axes.split_last() {
        Some((&run, outer)) => (outer, run),
        None => (axes, Axis { size: 1, stride: 1 }),
    };
    for mut place in Places::new(outer, start) {
        let mut left = run.size;
        while left > 0 {
            let taken = left.min(block.len() - filled);
            place = pack(&mut block[filled..filled + taken], data, place, run.stride);
            filled += taken;
            left -= taken;
            if filled == block.len() {
                tree.push(block);
                filled = 0;
            }
        }
    }
    if filled > 0 {
        tree.push(&block[..filled]);
    }
    tree.finish()
}

/// Copies elements from `place` on, `stride` apart; returns the next place.
#[inline(always)]
fn pack<T: Element>(target: &mut [T], data: &[T], place: usize, stride: isize) -> usize {
    if stride == 1 {
        target.copy_from_slice(&data[place..place + target.len()]);
        return place + target.len();
    }
    let mut next = place;
    for x in target {
        *x = data[next];
        next = next.wrapping_add_signed(stride);
    }
    next
}
