//! Blocks of a result, lanes along its elements.

use std::ops::Range;

use super::ahead::Ahead;
use super::block::Block;
use super::fold::Fold;
use super::inputs::Inputs;
use super::pair::{are_pairs_worthwhile, fold_pair};
use super::pass::{Job, Place, Scratch};
use super::stored::Stored;
use super::tree::Stack;
use crate::element::Slot;
use crate::level::{Code, Work};

/// Blocks that are folded apart before the first of them is merged.
const AT_ONCE: usize = 4;

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// The first of some blocks of one result, or of neighbours that are folded in
    /// turn; files them, and says how many. They are as many as lie in one run, if they
    /// are read in place: so neighbours are read in the order of the memory.
    #[inline(always)]
    pub(super) fn fold_along<C: Code>(
        &self,
        code: C,
        scratch: &mut Scratch<'a, T>,
        mut place: Place<'a, T>,
        blocks: Range<usize>,
        stack: &mut Stack<'_, F::State>,
    ) -> usize {
        let (op, piece) = (self.op, self.plan.grid.piece);
        let in_place = self.inputs.is_in_place();
        let at_once = match self.plan.grid.is_near {
            _ if F::APART => AT_ONCE,
            true if are_pairs_worthwhile::<F, Op, T, O, C, L>() => 2,
            _ => 1,
        };
        let ahead = if in_place { self.ahead() } else { Ahead::NONE };
        let before = stack.counter();
        let (mut counter, mut number) = (before, blocks.start);
        for index in 0..stack.width() {
            (counter, number) = (before, blocks.start);
            let mut run = in_place.then(|| {
                let (data, position) = self.inputs.run(place, blocks.clone());
                let position = self.plan.first + position;
                let shift = self.shift::<C>(place);
                Block { position, shift, ahead, ..Block::of(data, T::count(data)) }
            });
            loop {
                let mut block;
                if let Some(left) = run {
                    let [some, rest] = left.in_two((at_once * piece).min(left.count));
                    block = some.shortened();
                    run = (rest.count > 0).then_some(rest);
                } else {
                    let (data, position) = self.inputs.block(scratch, place, number);
                    let position = self.plan.first + position;
                    block = Block { position, ..Block::of(data, T::count(data)) };
                }
                block.number = number as u64;
                let count = block.count;
                let mut file = |state| {
                    number += 1;
                    let is_last = number == blocks.end;
                    stack.file_one::<C, F, Op, T, O, L>(
                        code,
                        op,
                        index,
                        state,
                        &mut counter,
                        is_last,
                    );
                };
                if F::APART {
                    let mut states = [F::identity(op); AT_ONCE];
                    let states = &mut states[..count.div_ceil(piece)];
                    code.apart(&mut Along::<F, Op, T, O, L> { op, block, piece, states });
                    for state in states {
                        file(*state);
                    }
                } else if at_once == 2 && count == 2 * piece {
                    let [first, second] = block.in_two(piece);
                    let [first, second] = fold_pair::<C, F, Op, T, O, L>(code, op, [first, second]);
                    file(first);
                    file(second);
                } else if at_once == 2 && count > piece {
                    for block in block.in_two(piece) {
                        file(F::along(code, op, block));
                    }
                } else {
                    file(F::along(code, op, block));
                }
                if run.is_none() {
                    break;
                }
            }
            place = <T::Inputs<'a>>::behind(place, self.inputs.lane_way());
        }
        stack.count(counter);
        number - blocks.start
    }
}

/// Blocks one behind the other, so many elements each but for the last.
struct Along<'b, 's, F, Op, T, O, const L: usize>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    op: &'s Op,
    block: Block<'b, T>,
    piece: usize,
    states: &'s mut [F::State],
}

impl<F, Op, T, O, const L: usize> Work for &mut Along<'_, '_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let mut rest = self.block;
        for state in &mut *self.states {
            let block;
            [block, rest] = rest.in_two(self.piece.min(rest.count));
            *state = F::along(code, self.op, block);
        }
    }
}
