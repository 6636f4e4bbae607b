//! Ways to reduce the same list: at once, in a matrix, by key and in pieces.

use reduce_core::bounds::{Emits, Input, Stored, Streams};
use reduce_core::{Groups, Reduction, Stream, View};

use crate::data::{Scalar, Set};

/// Lists that lie side by side as rows or columns.
const SIDE: usize = 8;

/// Groups there are, of which two get rows. There are so many that each row is pushed by itself.
const GROUPS: usize = 300;

/// The keys of rows, in turn.
const KEYS: [u32; 2] = [7, 11];

/// Elements of each key in an update of groups.
const UPDATE: usize = 100_000;

/// Lengths of pieces, again and again.
const PIECES: [usize; 6] = [1, 2, 3, 64, 1000, 7];

/// Two lists of a set.
pub(crate) struct Case<T> {
    family: &'static str,
    set: &'static str,
    /// Whether the lists are also taken by key and in pieces.
    streams: bool,
    pub(crate) x: Vec<T>,
    pub(crate) y: Vec<T>,
}

/// Results as they are found.
pub(crate) struct Results<T> {
    pub(crate) found: Vec<Found<T>>,
    streams: bool,
}

/// A result, or several where one is emitted for each element.
pub(crate) struct Found<T> {
    pub(crate) operator: &'static str,
    pub(crate) way: &'static str,
    pub(crate) value: T,
    pub(crate) list: Option<Vec<T>>,
}

impl<T: Scalar> Case<T> {
    /// Two lists of a set, made from a seed and the next one.
    pub(crate) fn new(family: &'static str, set: &Set, length: usize, seed: u64) -> Self {
        let [x, y] = [seed, seed + 1].map(|seed| set.list(length, seed));
        Case { family, set: set.name, streams: set.streams, x, y }
    }

    /// None yet.
    pub(crate) fn results(&self) -> Results<T> {
        Results { found: Vec::new(), streams: self.streams }
    }

    /// The name of a file of the case.
    pub(crate) fn file(&self, what: &str) -> String {
        format!(
            "{}.{}.{}.{}.{what}",
            T::NAME,
            self.x.len(),
            self.family,
            self.set.replace(' ', "-")
        )
    }
}

impl<T: Scalar> Results<T> {
    /// Adds results of one way; those that are equal are one.
    pub(crate) fn add(&mut self, operator: &'static str, way: &'static str, values: &[T]) {
        let mut bits: Vec<u64> = Vec::new();
        for &value in values {
            if !bits.contains(&value.to_f64().to_bits()) {
                bits.push(value.to_f64().to_bits());
                self.found.push(Found { operator, way, value, list: None });
            }
        }
    }
}

/// How lists become an input of an operator.
pub(crate) trait Inputs<T> {
    type Stored: Stored;
    type Of<'d>: Input<Stored = Self::Stored>
    where
        T: 'd;

    /// Lists as tensors of a shape.
    fn of<'d>(lists: &'d [Vec<T>], shape: &[usize]) -> Self::Of<'d>;
}

/// One list.
pub(crate) struct One;

/// Two lists that are walked together.
pub(crate) struct Two;

impl<T: Scalar> Inputs<T> for One {
    type Stored = T;
    type Of<'d> = View<'d, T>;

    fn of<'d>(lists: &'d [Vec<T>], shape: &[usize]) -> View<'d, T> {
        View::new(&lists[0], shape).expect("of that shape")
    }
}

impl<T: Scalar> Inputs<T> for Two {
    type Stored = (T, T);
    type Of<'d> = (View<'d, T>, View<'d, T>);

    fn of<'d>(lists: &'d [Vec<T>], shape: &[usize]) -> (View<'d, T>, View<'d, T>) {
        let view = |list: &'d Vec<T>| View::new(list, shape).expect("of that shape");
        (view(&lists[0]), view(&lists[1]))
    }
}

/// The results of an operator over lists, in every way.
pub(crate) fn every_way<I, T, Op>(
    operator: &'static str,
    op: &Op,
    lists: &[&Vec<T>],
    results: &mut Results<T>,
) where
    T: Scalar,
    I: Inputs<T>,
    Op: Streams<I::Stored, Result = T> + Clone,
{
    let (length, streams) = (lists[0].len(), results.streams);
    let made = |make: &dyn Fn(&[T]) -> Vec<T>| -> Vec<Vec<T>> {
        lists.iter().map(|list| make(list)).collect()
    };
    let mut add = |way, values: &[T]| results.add(operator, way, values);
    let reduction = Reduction::new(op.clone());
    let list = made(&<[T]>::to_vec);
    add("list", reduction.run(&I::of(&list, &[length])).expect("a result").data());
    let rows = made(&|list| list.repeat(SIDE));
    let of_rows = reduction.clone().axes([1]).run(&I::of(&rows, &[SIDE, length]));
    add("rows", of_rows.expect("results").data());
    let columns = made(&|list| repeated(list, SIDE));
    let of_columns = reduction.axes([0]).run(&I::of(&columns, &[length, SIDE]));
    add("columns", of_columns.expect("results").data());
    if !streams {
        return;
    }
    let mut groups = Groups::new(op.clone(), GROUPS).expect("few groups");
    for from in (0..length).step_by(UPDATE) {
        let rows = made(&|list| repeated(&list[from..length.min(from + UPDATE)], KEYS.len()));
        let keys: Vec<u32> = KEYS.into_iter().cycle().take(rows[0].len()).collect();
        groups.update(&I::of(&rows, &[keys.len()]), &keys).expect("keys");
    }
    let by_key = groups.finish().expect("results");
    add("key", &KEYS.map(|key| by_key.data()[key as usize]));
    let mut stream = Stream::new(op.clone());
    for [from, to] in pieces(length) {
        let piece = made(&|list| list[from..to].to_vec());
        stream.update(&I::of(&piece, &[to - from])).expect("a piece");
    }
    add("pieces", stream.finish().expect("a result").data());
}

/// What is emitted over one list.
pub(crate) fn emitted<T, Op>(
    operator: &'static str,
    reduction: &Reduction<Op>,
    list: &[T],
    results: &mut Results<T>,
) where
    T: Scalar,
    Op: Emits<T>,
{
    let view = View::new(list, &[list.len()]).expect("a list");
    let list = reduction.emit(&view).expect("elements").into_data();
    results.found.push(Found { operator, way: "list", value: list[0], list: Some(list) });
}

/// Each element so many times, one after another.
fn repeated<T: Scalar>(x: &[T], times: usize) -> Vec<T> {
    x.iter().flat_map(|&x| std::iter::repeat_n(x, times)).collect()
}

/// Where each piece begins and ends.
fn pieces(length: usize) -> Vec<[usize; 2]> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for size in PIECES.into_iter().cycle() {
        if from == length {
            break;
        }
        let to = length.min(from + size);
        pieces.push([from, to]);
        from = to;
    }
    pieces
}
