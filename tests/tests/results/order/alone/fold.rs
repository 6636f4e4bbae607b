//! Results from an `Order` and the steps of an operator, by plain loops: what an engine of another kind does.

use reduce_core::ReduceOp;
use reduce_core::backend::{Order, OrderAxis, Scattered};

/// What is left of the elements of each result, in row-major order, and the number that the order gives it.
pub(super) struct Left<Acc> {
    pub(super) number: usize,
    pub(super) acc: Acc,
}

/// Every result but for the last step. `at` makes an element of its place in each input, and its position.
pub(super) fn folded<Op, X>(
    op: &Op,
    order: &Order,
    at: impl Fn(&[usize], u64) -> X,
) -> Vec<Left<Op::Acc>>
where
    Op: ReduceOp<X>,
{
    let ways = ways(&order.reduced, order.offsets.len());
    let result = |(number, start): (usize, &Vec<isize>)| {
        let element = |index: usize| {
            let place = |(input, &offset): (usize, &usize)| {
                offset.wrapping_add_signed(start[input] + ways[index][input])
            };
            let places: Vec<usize> = order.offsets.iter().enumerate().map(place).collect();
            at(&places, order.first + index as u64)
        };
        Left { number, acc: accumulator(op, order, element) }
    };
    let kept = self::ways(&order.kept, order.offsets.len());
    assert_eq!((kept.len(), ways.len()), (order.results, order.count));
    in_place(kept.iter().enumerate().map(result).collect(), order.scatter.as_ref())
}

/// The way to each index of some axes in each input, the last axis fastest.
fn ways(axes: &[OrderAxis], inputs: usize) -> Vec<Vec<isize>> {
    axes.iter().fold(vec![vec![0; inputs]], |ways, axis| {
        let along = |way: Vec<isize>| {
            (0..axis.size.cast_signed()).map(move |index| {
                way.iter().zip(&axis.strides).map(|(way, stride)| way + index * stride).collect()
            })
        };
        ways.into_iter().flat_map(along).collect()
    })
}

/// The accumulator of a result.
fn accumulator<Op, X>(op: &Op, order: &Order, element: impl Fn(usize) -> X) -> Op::Acc
where
    Op: ReduceOp<X>,
{
    if order.count == 0 {
        return op.identity();
    }
    if order.from_first {
        let first = op.map(element(0));
        return (1..order.count).fold(first, |acc, index| op.push(acc, element(index)));
    }
    let mut blocks = Vec::new();
    for run in (0..order.count).step_by(order.run) {
        for block in (run..run + order.run).step_by(order.block) {
            let mut strands = vec![op.identity(); order.strands];
            for index in block..(run + order.run).min(block + order.block) {
                let strand = &mut strands[(index - block) % order.strands];
                *strand = op.push(*strand, element(index));
            }
            blocks.push(strands);
        }
    }
    let strands = tree(op, &blocks);
    let neighbours = order.strands / order.rows;
    let row = halved(op, strands.chunks(neighbours).map(<[_]>::to_vec).collect());
    halved(op, row.into_iter().map(|strand| vec![strand]).collect())[0]
}

/// Blocks merged.
fn tree<Op: ReduceOp<X>, X>(op: &Op, blocks: &[Vec<Op::Acc>]) -> Vec<Op::Acc> {
    if let [block] = blocks {
        return block.clone();
    }
    let (left, right) = blocks.split_at(power_below(blocks.len()));
    pairwise(op, &tree(op, left), &tree(op, right))
}

/// Rows of strands as one.
fn halved<Op: ReduceOp<X>, X>(op: &Op, mut rows: Vec<Vec<Op::Acc>>) -> Vec<Op::Acc> {
    while rows.len() > 1 {
        let upper = rows.split_off(power_below(rows.len()));
        for (lower, upper) in rows.iter_mut().zip(&upper) {
            *lower = pairwise(op, lower, upper);
        }
    }
    rows.remove(0)
}

fn pairwise<Op: ReduceOp<X>, X>(op: &Op, a: &[Op::Acc], b: &[Op::Acc]) -> Vec<Op::Acc> {
    a.iter().zip(b).map(|(&a, &b)| op.combine(a, b)).collect()
}

/// The largest power of two below a number.
fn power_below(number: usize) -> usize {
    number.next_power_of_two() / 2
}

/// Results in row-major order.
fn in_place<T>(results: Vec<T>, scatter: Option<&Scattered>) -> Vec<T> {
    let Some(Scattered { axes, start }) = scatter else { return results };
    let axis = |&(size, stride): &(usize, isize)| OrderAxis { size, strides: vec![stride] };
    let places = ways(&axes.iter().map(axis).collect::<Vec<_>>(), 1);
    let place = |way: &Vec<isize>| start.wrapping_add_signed(way[0]);
    let mut placed: Vec<(usize, T)> = places.iter().map(place).zip(results).collect();
    placed.sort_by_key(|(place, _)| *place);
    assert!(placed.iter().enumerate().all(|(index, (place, _))| index == *place), "{axes:?}");
    placed.into_iter().map(|(_, result)| result).collect()
}
