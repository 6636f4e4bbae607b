//! What `docs/numerics.md` says of running reductions, as plain loops over an operator's own functions.

use reduce_core::ReduceOp;

/// Elements of a block, and blocks of a group.
const BLOCK: usize = 64;
const GROUP: usize = 64;

/// The accumulators from which a result is made: of the groups before, of the blocks before in the group, and of the
/// elements of the block.
struct Before<Acc> {
    groups: Option<Acc>,
    blocks: Option<Acc>,
    within: Option<Acc>,
}

/// The results of a line. If `backwards` is true, each element stands before those that were taken.
pub(crate) fn line<X: Copy, Op: ReduceOp<X>>(
    op: &Op,
    xs: &[X],
    exclusive: bool,
    backwards: bool,
) -> Vec<Op::Output> {
    let combine = |first: Option<Op::Acc>, second: Op::Acc| match (first, backwards) {
        (None, _) => second,
        (Some(first), false) => op.combine(first, second),
        (Some(first), true) => op.combine(second, first),
    };
    let mut before = Before { groups: None, blocks: None, within: None };
    let mut results = Vec::new();
    if exclusive && !xs.is_empty() {
        results.push(op.finalize(op.identity(), 0));
    }
    for (place, &x) in xs.iter().enumerate() {
        if place % BLOCK == 0
            && let Some(within) = before.within.take()
        {
            before.blocks = Some(combine(before.blocks, within));
        }
        if place % (BLOCK * GROUP) == 0
            && let Some(blocks) = before.blocks.take()
        {
            before.groups = Some(combine(before.groups, blocks));
        }
        let within = before.within.unwrap_or_else(|| op.identity());
        let within = match backwards {
            false => op.push(within, x),
            true => op.combine(op.map(x), within),
        };
        before.within = Some(within);
        let all = combine(before.groups, combine(before.blocks, within));
        results.push(op.finalize(all, place + 1));
    }
    results.truncate(xs.len());
    results
}
