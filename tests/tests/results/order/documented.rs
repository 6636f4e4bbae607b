//! The order of combination, written from `docs/numerics.md` alone: the numbers in
//! brackets are the rules there.

use reduce_core::{Element, View};

/// An operator whose `map` and `finalize` do nothing.
#[derive(Clone, Copy)]
pub(crate) struct Documented<A> {
    /// `L`.
    pub(crate) lanes: usize,
    /// Scalars of an accumulator.
    pub(crate) scalars: usize,
    /// Whether the operator is not commutative.
    pub(crate) ordered: bool,
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

/// On how many strands a result is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strands {
    Lanes,
    /// The first number says how many rows lie side by side, the second how many elements of the
    /// result each has.
    Rows(usize, usize),
}

const ONE: Strands = Strands::Rows(1, 1);

impl<A: Element> Documented<A> {
    /// Every result, in row-major order.
    pub(crate) fn results(self, view: &View<'_, A>, reduced: &[usize]) -> Vec<A> {
        let axes = axes_of(view, reduced);
        let (walked, kept): (Vec<Axis>, Vec<Axis>) = axes.iter().partition(|axis| axis.step == 0);
        // (1)
        let first = view.offset().cast_signed();
        let (first, walked) = match self.ordered {
            true => (first, merged(walked)),
            false => walk(&walked, first),
        };
        let strands = self.strands(&walk(&kept, 0).1, &walked);
        let places = places(&walked);
        let result = |start: isize| {
            let element = |way: &isize| view.data()[usize::try_from(start + way).expect("inside")];
            let elements: Vec<A> = places.iter().map(element).collect();
            if elements.len() == 1 { elements[0] } else { self.folded(&elements, strands, &walked) }
        };
        self::places(&kept).iter().map(|way| result(first + way)).collect()
    }

    /// (3) How many strands a result has.
    fn strands(self, kept: &[Axis], walked: &[Axis]) -> Strands {
        let Documented { lanes, scalars, .. } = self;
        let count: usize = walked.iter().map(|axis| axis.size).product();
        if lanes == 1 || self.ordered || count <= 16 {
            return ONE;
        }
        let Some(run) = walked.last() else { return ONE };
        let moving = kept.iter().filter(|axis| axis.stride != 0);
        let results = moving.clone().map(|axis| axis.size).max().unwrap_or(0);
        let (short, enough) = match scalars {
            1 => (lanes * 7 / 8, lanes),
            2 => (128, lanes / 4),
            _ => (40, lanes / 4),
        };
        let is_short = match walked {
            [run] => run.size <= short && results >= enough,
            _ => run.size <= 128 && results >= lanes / 4,
        };
        match self.rows(kept, walked, is_short) {
            Some((1, 1)) | None => {}
            Some((rows, neighbours)) => return Strands::Rows(rows, neighbours),
        }
        let nearest = moving.map(|axis| axis.stride).min().unwrap_or(isize::MAX);
        let are_nearer = nearest < run.stride || run.stride == 0;
        if is_short || are_nearer && results >= lanes / 8 { ONE } else { Strands::Lanes }
    }

    /// (3) `k` and `r`, if the elements lie in rows.
    fn rows(self, kept: &[Axis], walked: &[Axis], is_short: bool) -> Option<(usize, usize)> {
        let nearest = kept.last()?;
        let (outer, neighbours) = match walked {
            [outer @ .., run] if run.stride == 1 => (outer, run.size),
            _ => (walked, 1),
        };
        let width = nearest.size * neighbours;
        let rows = outer.last()?;
        if nearest.stride != neighbours.cast_signed() || rows.stride < width.cast_signed() {
            return None;
        }
        let count: usize = outer.iter().map(|axis| axis.size).product();
        let least = if neighbours < self.lanes && !is_short { 4 } else { 16 };
        if neighbours > 1 && (neighbours > 16 * self.lanes || count < least) {
            return None;
        }
        // This is the share of whole groups of lanes that some rows fill.
        let filled = |rows: usize| {
            let groups = (rows * width).div_ceil(self.lanes);
            (rows * width) as f64 / (groups * self.lanes) as f64
        };
        let divides = |k: usize| outer.len() == 1 || rows.size % k == 0;
        let side_by_side = match rows.stride == width.cast_signed() && filled(1) < 0.75 {
            true => (1..=self.lanes).find(|&k| filled(k) >= 0.875 && divides(k)).unwrap_or(1),
            false => 1,
        };
        Some(if count < 8 * side_by_side { (1, neighbours) } else { (side_by_side, neighbours) })
    }

    /// (4), (5), (6) A result of some elements.
    fn folded(self, elements: &[A], strands: Strands, walked: &[Axis]) -> A {
        let (rows, neighbours) = match strands {
            Strands::Rows(rows, neighbours) => (rows, neighbours),
            Strands::Lanes => (1, self.lanes),
        };
        let count = rows * neighbours;
        let run = match walked.last() {
            Some(run) if strands == Strands::Lanes && run.stride == 1 && run.size >= count => {
                run.size
            }
            _ => elements.len(),
        };
        let block = |block: &[A]| {
            let mut strands = vec![self.identity; count];
            for (index, &x) in block.iter().enumerate() {
                let strand = &mut strands[index % count];
                *strand = (self.combine)(*strand, x);
            }
            strands
        };
        let runs = elements.chunks(run);
        let blocks: Vec<Vec<A>> = runs.flat_map(|run| run.chunks(64 * count)).map(block).collect();
        let strands = self.tree(&blocks);
        let row = self.halved(strands.chunks(neighbours).map(<[A]>::to_vec).collect());
        self.halved(row.into_iter().map(|strand| vec![strand]).collect())[0]
    }

    /// (5) Blocks merged.
    fn tree(self, blocks: &[Vec<A>]) -> Vec<A> {
        match blocks {
            [block] => block.clone(),
            _ => {
                let (left, right) = blocks.split_at(power_below(blocks.len()));
                self.pairwise(&self.tree(left), &self.tree(right))
            }
        }
    }

    /// (6) Rows of strands, as one.
    fn halved(self, mut rows: Vec<Vec<A>>) -> Vec<A> {
        while rows.len() > 1 {
            let upper = rows.split_off(power_below(rows.len()));
            for (lower, upper) in rows.iter_mut().zip(&upper) {
                *lower = self.pairwise(lower, upper);
            }
        }
        rows.remove(0)
    }

    fn pairwise(self, a: &[A], b: &[A]) -> Vec<A> {
        a.iter().zip(b).map(|(&a, &b)| (self.combine)(a, b)).collect()
    }
}

/// The largest power of two below a number.
fn power_below(number: usize) -> usize {
    let mut power = 1;
    while 2 * power < number {
        power *= 2;
    }
    power
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

/// (1) Axes as they are walked, and the place of the first element: forward, the largest stride
/// outermost and before it what is repeated, those that walk one sequence merged.
fn walk(axes: &[Axis], mut first: isize) -> (isize, Vec<Axis>) {
    let mut axes = axes.to_vec();
    for axis in axes.iter_mut().filter(|axis| axis.stride < 0) {
        first += (axis.size.cast_signed() - 1) * axis.stride;
        (axis.stride, axis.step) = (-axis.stride, -axis.step);
    }
    axes.sort_by_key(|axis| {
        std::cmp::Reverse(if axis.stride == 0 { isize::MAX } else { axis.stride })
    });
    (first, merged(axes))
}

/// (1) Axes that walk one sequence, merged.
fn merged(axes: Vec<Axis>) -> Vec<Axis> {
    let mut merged: Vec<Axis> = Vec::new();
    for axis in axes {
        let size = axis.size.cast_signed();
        match merged.last_mut() {
            Some(outer) if outer.stride == axis.stride * size && outer.step == axis.step * size => {
                *outer = Axis { size: outer.size * axis.size, ..axis };
            }
            _ => merged.push(axis),
        }
    }
    merged
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
