//! The order of combination, written from `docs/numerics.md` alone: the numbers in
//! brackets are the steps there.

use reduce_core::{Element, Path, Plan, View};

/// An operator whose `map` and `finalize` do nothing.
#[derive(Clone, Copy)]
pub(crate) struct Documented<A> {
    pub(crate) lanes: usize,
    pub(crate) identity: A,
    pub(crate) combine: fn(A, A) -> A,
}

/// An axis: its size, the way from one index to the next, and the way from one
/// result to the next.
#[derive(Clone, Copy, Debug)]
struct Axis {
    size: usize,
    stride: isize,
    step: isize,
}

/// The elements of a result, in the order of the walk.
struct Walked<A> {
    elements: Vec<A>,
    /// The length of the innermost axis.
    run: usize,
}

impl<A: Element> Documented<A> {
    /// Every result, in row-major order.
    pub(crate) fn results(self, view: &View<'_, A>, reduced: &[usize], plan: &Plan) -> Vec<A> {
        let axes = axes_of(view, reduced);
        let (mut walked, kept): (Vec<Axis>, Vec<Axis>) =
            axes.iter().partition(|axis| axis.step == 0);
        // (1) Forward, the largest stride outermost and before it what is repeated,
        // neighbours that walk one sequence merged.
        let mut offset = view.offset().cast_signed();
        for axis in &mut walked {
            if axis.stride < 0 {
                offset += (axis.size.cast_signed() - 1) * axis.stride;
                axis.stride = -axis.stride;
            }
        }
        walked.sort_by_key(|axis| {
            std::cmp::Reverse(if axis.stride == 0 { isize::MAX } else { axis.stride })
        });
        let walked = merged(&walked);
        let strands = self.strands(plan, &walked, &kept);
        let across = format!("{plan:?}").contains("across: true");
        let places = places(&walked);
        let run = walked.last().map_or(1, |axis| axis.size);
        let result = |start: isize| {
            let element = |way: &isize| view.data()[usize::try_from(start + way).expect("inside")];
            let walked = Walked { elements: places.iter().map(element).collect(), run };
            match plan.path() {
                Path::Elements => walked.elements[0],
                Path::Few => walked.elements.iter().copied().reduce(self.combine).expect("some"),
                Path::Columns => self.across(&walked.elements, strands),
                Path::ShortRows => self.across(&walked.elements, 1),
                Path::Gather if across => self.across(&walked.elements, 1),
                path => self.along(&walked, path == Path::Lanes),
            }
        };
        self::places(&kept).iter().map(|way| result(offset + way)).collect()
    }

    /// (3) Lanes along a result.
    fn along(self, walked: &Walked<A>, by_runs: bool) -> A {
        let size = 64 * self.lanes;
        let run = if by_runs { walked.run } else { walked.elements.len() };
        let blocks: Vec<Vec<A>> = walked
            .elements
            .chunks(run)
            .flat_map(|run| run.chunks(size))
            .map(|block| {
                let mut lanes = vec![self.identity; self.lanes];
                for (index, &x) in block.iter().enumerate() {
                    let lane = &mut lanes[index % self.lanes];
                    *lane = (self.combine)(*lane, x);
                }
                lanes
            })
            .collect();
        let mut lanes = self.tree(&blocks);
        while lanes.len() > 1 {
            let (lower, upper) = lanes.split_at(lanes.len() / 2);
            lanes = self.pairwise(lower, upper);
        }
        lanes[0]
    }

    /// (4) Lanes across results; the elements of one of them.
    fn across(self, elements: &[A], strands: usize) -> A {
        let strand = |first: usize| {
            let elements: Vec<A> = elements.iter().copied().skip(first).step_by(strands).collect();
            let fold = |block: &[A]| vec![block.iter().copied().fold(self.identity, self.combine)];
            let blocks: Vec<Vec<A>> = elements.chunks(64).map(fold).collect();
            self.tree(&blocks)[0]
        };
        let mut sixteen: Vec<A> = (0..strands.min(16)).map(strand).collect();
        for first in 16..strands {
            sixteen[first % 16] = (self.combine)(sixteen[first % 16], strand(first));
        }
        while sixteen.len() > 1 {
            let upper = sixteen.split_off(sixteen.len().next_power_of_two() / 2);
            for (lower, upper) in sixteen.iter_mut().zip(upper) {
                *lower = (self.combine)(*lower, upper);
            }
        }
        sixteen[0]
    }

    /// (4) How many strands a result has: rows of narrow columns, times neighbours in a row.
    fn strands(self, plan: &Plan, walked: &[Axis], kept: &[Axis]) -> usize {
        if plan.path() != Path::Columns {
            return 1;
        }
        let (walked, neighbours) = match walked {
            [rows @ .., run] if run.stride == 1 => (rows, run.size),
            _ => (walked, 1),
        };
        let Some((rows, outer)) = walked.split_last() else { return neighbours };
        let row = row(kept, neighbours.cast_signed());
        if rows.stride != row.cast_signed() || row >= 8 * self.lanes {
            return neighbours;
        }
        let fills = |rows: usize| {
            let groups = (rows * row).div_ceil(self.lanes);
            rows * row * 8 >= groups * self.lanes * 7
        };
        let count: usize = walked.iter().map(|axis| axis.size).product();
        // As many rows as fill groups of lanes, if strands pay.
        let any = || (1..).find(|&rows| fills(rows));
        let part = || (1..=rows.size).find(|&part| rows.size % part == 0 && fills(part));
        let side_by_side = match (outer, neighbours) {
            ([], 1) => any().filter(|&rows| self.strands_pay(count, row, rows)),
            (_, 1) => part().filter(|&rows| self.strands_pay(count, row, rows)),
            ([], _) if neighbours > 4 * self.lanes => any().filter(|rows| count >= 48 * rows),
            ([], _) => any().filter(|rows| count >= 16 * rows),
            _ => None,
        };
        side_by_side.unwrap_or(1) * neighbours
    }

    /// (4) Whether so many rows side by side save more steps than strands cost. Accumulators of
    /// these tests are of one scalar.
    fn strands_pay(self, count: usize, row: usize, rows: usize) -> bool {
        let groups = |elements: usize| elements.div_ceil(self.lanes);
        let alone = count * groups(row) * if 2 * row < self.lanes { 3 } else { 1 };
        let together = count.div_ceil(rows) * groups(rows * row);
        count >= 32 && count >= 3 * rows && alone > together + rows * row
    }

    /// (5) Blocks merged.
    fn tree(self, blocks: &[Vec<A>]) -> Vec<A> {
        match blocks {
            [block] => block.clone(),
            _ => {
                let mut left = 1;
                while 2 * left < blocks.len() {
                    left *= 2;
                }
                let (left, right) = blocks.split_at(left);
                self.pairwise(&self.tree(left), &self.tree(right))
            }
        }
    }

    fn pairwise(self, a: &[A], b: &[A]) -> Vec<A> {
        a.iter().zip(b).map(|(&a, &b)| (self.combine)(a, b)).collect()
    }
}

/// The axes of a view, without those of size 1; reduced ones have step 0.
fn axes_of<A: Element>(view: &View<'_, A>, reduced: &[usize]) -> Vec<Axis> {
    let mut results = 1;
    let mut axes = Vec::new();
    for (index, (&size, &stride)) in
        view.shape().dims().iter().zip(view.strides()).enumerate().rev()
    {
        let step = if reduced.contains(&index) { 0 } else { results };
        results *= if step == 0 { 1 } else { size.cast_signed() };
        axes.insert(0, Axis { size, stride, step });
    }
    axes.retain(|axis| axis.size != 1);
    axes
}

/// Reduced axes of which one continues the other are one.
fn merged(axes: &[Axis]) -> Vec<Axis> {
    let mut merged: Vec<Axis> = Vec::new();
    for &axis in axes {
        match merged.last_mut() {
            Some(outer) if outer.stride == axis.stride * axis.size.cast_signed() => {
                *outer = Axis { size: outer.size * axis.size, ..axis };
            }
            _ => merged.push(axis),
        }
    }
    merged
}

/// How many neighbours in memory are results one after another, with so many neighbours each.
fn row(kept: &[Axis], neighbours: isize) -> usize {
    let mut row = neighbours;
    let first = kept.iter().find(|axis| axis.stride.abs() == neighbours);
    let step = first.map_or(0, |axis| axis.step * axis.stride.signum());
    let next = |row: isize| {
        kept.iter().find(|axis| {
            let forward = axis.stride.signum();
            axis.stride.abs() == row && axis.step * forward * neighbours == step * row
        })
    };
    while let Some(axis) = next(row) {
        row *= axis.size.cast_signed();
    }
    row.unsigned_abs()
}

/// The way to each index of some axes, the last fastest.
fn places(axes: &[Axis]) -> Vec<isize> {
    axes.iter().fold(vec![0], |places, axis| {
        let along = |place: isize| {
            (0..axis.size.cast_signed()).map(move |index| place + index * axis.stride)
        };
        places.into_iter().flat_map(along).collect()
    })
}
