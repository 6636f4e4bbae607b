//! Shapes, layouts and orders of scans, and the runs that all have to give what is documented.

use std::fmt::Debug;

use reduce_core::{Element, Level, OnePass, ReduceOp, Reduction, Tensor, Threads, View, ViewMut};
use reduce_tests::cases::{available, pool};

use crate::documented;

/// A tensor, and the axes along which it is scanned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) shape: &'static [usize],
    pub(crate) axes: &'static [usize],
}

impl Form {
    /// The number of elements.
    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Forms that take every way: single lanes, lanes over blocks, across lines, side by side, and axes that do not merge.
pub(crate) const FORMS: [Form; 22] = [
    Form { shape: &[0], axes: &[0] },
    Form { shape: &[1], axes: &[0] },
    Form { shape: &[63], axes: &[0] },
    Form { shape: &[65], axes: &[0] },
    Form { shape: &[300], axes: &[0] },
    Form { shape: &[4097], axes: &[0] },
    Form { shape: &[9000], axes: &[0] },
    Form { shape: &[3, 0], axes: &[0] },
    Form { shape: &[4, 7], axes: &[] },
    Form { shape: &[3, 130], axes: &[1] },
    Form { shape: &[50, 130], axes: &[1] },
    Form { shape: &[33, 64], axes: &[1] },
    Form { shape: &[40, 4100], axes: &[1] },
    Form { shape: &[150, 3], axes: &[0] },
    Form { shape: &[70, 40], axes: &[0] },
    Form { shape: &[200, 100], axes: &[0] },
    Form { shape: &[5, 66, 33], axes: &[1] },
    Form { shape: &[40, 8, 9], axes: &[1, 2] },
    Form { shape: &[7, 8, 9], axes: &[0, 2] },
    Form { shape: &[6, 40, 70], axes: &[0, 2] },
    Form { shape: &[3, 2, 4, 5], axes: &[0, 1, 3] },
    Form { shape: &[2, 9, 300], axes: &[0, 1, 2] },
];

/// Forms of so many elements that threads share them.
pub(crate) const LARGE: [Form; 4] = [
    Form { shape: &[300_001], axes: &[0] },
    Form { shape: &[3, 150_000], axes: &[1] },
    Form { shape: &[1000, 300], axes: &[1] },
    Form { shape: &[900, 310], axes: &[0] },
];

/// How elements lie in their buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lie {
    InOrder,
    Transposed,
    EverySecond,
    Backwards,
}

pub(crate) const LIES: [Lie; 4] = [Lie::InOrder, Lie::Transposed, Lie::EverySecond, Lie::Backwards];

/// For each index in row-major order, the place of the first element along `axes`, and the way to it along them.
fn lines(form: Form) -> Vec<Vec<usize>> {
    let Form { shape, axes } = form;
    let strides: Vec<usize> =
        (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect();
    let places = |of: &dyn Fn(usize) -> bool| -> Vec<usize> {
        let mut places = vec![0];
        for axis in (0..shape.len()).filter(|&axis| of(axis)) {
            let along = |place: usize| (0..shape[axis]).map(move |index| (place, index));
            let each = places.iter().flat_map(|&place| along(place));
            places = each.map(|(place, index)| place + index * strides[axis]).collect();
        }
        places
    };
    let along = places(&|axis| axes.contains(&axis));
    let line = |first: usize| along.iter().map(|place| first + place).collect();
    places(&|axis| !axes.contains(&axis)).into_iter().map(line).collect()
}

/// A buffer whose view, made by [`view`], has the elements in this order.
fn stored<T: Element>(lie: Lie, shape: &[usize], elements: &[T]) -> Vec<T> {
    match lie {
        Lie::InOrder => elements.to_vec(),
        Lie::EverySecond => elements.iter().flat_map(|&x| [x, T::default()]).collect(),
        Lie::Backwards => elements.iter().rev().copied().collect(),
        Lie::Transposed => {
            let view = View::new(elements, shape).expect("all elements");
            let order: Vec<usize> = (0..shape.len()).rev().collect();
            let turned = view.permute(&order).expect("all axes");
            let mut copy = vec![T::default(); elements.len()];
            let mut to = ViewMut::new(&mut copy, turned.shape()).expect("as many");
            for (place, to) in indices(turned.shape()).zip(to.data_mut()) {
                *to = turned.data()[at(&place, turned.strides(), turned.offset())];
            }
            copy
        }
    }
}

fn at(index: &[usize], strides: &[isize], offset: usize) -> usize {
    let way = |(&index, &stride): (&usize, &isize)| stride * index.cast_signed();
    offset.wrapping_add_signed(index.iter().zip(strides).map(way).sum())
}

/// All indices of a shape, the last axis fastest.
fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |mut place: usize| {
        let mut index = vec![0; shape.len()];
        for (index, size) in index.iter_mut().zip(&shape).rev() {
            *index = place % size;
            place /= size;
        }
        index
    })
}

fn view<'a, T: Element>(lie: Lie, shape: &[usize], buffer: &'a [T]) -> View<'a, T> {
    let order: Vec<usize> = (0..shape.len()).rev().collect();
    let turned: Vec<usize> = shape.iter().rev().copied().collect();
    match lie {
        Lie::InOrder => View::new(buffer, shape).expect("all elements"),
        Lie::Transposed => {
            View::new(buffer, &turned).and_then(|view| view.permute(&order)).expect("axes")
        }
        Lie::EverySecond => {
            let pairs: Vec<usize> = shape.iter().copied().chain([2]).collect();
            let pairs = View::new(buffer, &pairs).expect("all elements");
            View::with_strides(buffer, shape, &pairs.strides()[..shape.len()], 0)
                .expect("in bounds")
        }
        Lie::Backwards => (0..shape.len())
            .fold(View::new(buffer, shape).expect("all"), |view, axis| {
                view.slice(axis, 0, shape[axis], -1).expect("the whole axis")
            }),
    }
}

/// How an operator reads a stored element at a position, and what it writes of a result.
pub(crate) struct Kind<T, X, O, R> {
    pub(crate) read: fn(T, u64) -> X,
    pub(crate) written: fn(R) -> O,
    /// Whether there is a result over no elements.
    pub(crate) has_empty: bool,
}

/// Holds all scans of a form against the document: every order, layout and level, and threads.
pub(crate) fn check<Op, T, X, O, R>(
    op: Op,
    kind: &Kind<T, X, O, R>,
    form: Form,
    elements: &[T],
    lies: &[Lie],
) where
    Op: ReduceOp<X, Output = R> + OnePass<T, Result = O> + Clone + Debug,
    T: Element,
    X: Copy,
    O: Element,
{
    for (exclusive, reversed) in [(false, false), (true, false), (false, true), (true, true)] {
        if exclusive && !kind.has_empty {
            continue;
        }
        let expected = expected(&op, kind, form, elements, (exclusive, reversed));
        let axes = form
            .axes
            .iter()
            .map(|&axis| i64::try_from(axis).expect("a few axes"))
            .collect::<Vec<_>>();
        let scan = Reduction::new(op.clone()).axes(axes.as_slice());
        for &lie in lies {
            let buffer = stored(lie, form.shape, elements);
            let view = view(lie, form.shape, &buffer);
            for (level, threads) in ways() {
                let what =
                    format!("{op:?} {form:?} {lie:?} {level} {exclusive} {reversed} {threads:?}");
                let scan = scan.clone().level(level).threads(threads).scanning();
                let scan = scan.exclusive(exclusive).reversed(reversed);
                let found: Tensor<O> = scan.run(&view).expect(&what);
                same(found.data(), &expected, &what);
                let mut apart = vec![O::default(); 2 * elements.len()];
                let pairs: Vec<usize> = form.shape.iter().copied().chain([2]).collect();
                let strides = View::new(&apart, &pairs).expect("pairs").strides().to_vec();
                let strides = &strides[..form.shape.len()];
                let mut places =
                    ViewMut::with_strides(&mut apart, form.shape, strides, 0).expect("pairs");
                scan.run_into_view(&view, &mut places).expect(&what);
                let found: Vec<O> = apart.iter().step_by(2).copied().collect();
                same(&found, &expected, &what);
                assert!(apart.iter().skip(1).step_by(2).all(|&x| x == O::default()), "{what}");
            }
        }
    }
}

fn ways() -> Vec<(Level, Threads)> {
    let mut ways: Vec<_> = available().into_iter().map(|level| (level, Threads::One)).collect();
    ways.push((Level::best(), Threads::Pool(pool(3))));
    ways
}

/// What the document says.
fn expected<Op, T, X, O, R>(
    op: &Op,
    kind: &Kind<T, X, O, R>,
    form: Form,
    elements: &[T],
    (exclusive, reversed): (bool, bool),
) -> Vec<O>
where
    Op: ReduceOp<X, Output = R>,
    T: Element,
    X: Copy,
    O: Element,
{
    let mut expected = vec![O::default(); elements.len()];
    for mut line in lines(form).into_iter().filter(|line| !line.is_empty()) {
        let read =
            |(position, &place): (usize, &usize)| (kind.read)(elements[place], position as u64);
        let mut xs: Vec<X> = line.iter().enumerate().map(read).collect();
        if reversed {
            line.reverse();
            xs.reverse();
        }
        let backwards = reversed && Op::ORDERED;
        let results = documented::line(op, &xs, exclusive, backwards);
        for (place, result) in line.into_iter().zip(results) {
            expected[place] = (kind.written)(result);
        }
    }
    expected
}

fn same<O: Element>(found: &[O], expected: &[O], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let differs = |(a, b): (&O, &O)| bits(*a) != bits(*b);
    if let Some(place) = found.iter().zip(expected).position(differs) {
        panic!("{what}: {:?} at {place}, not {:?}", found[place], expected[place]);
    }
}

/// The value as a number; all NaN are one. Zeros differ by their signs.
fn bits<O: Element>(x: O) -> u64 {
    let x = x.to_f64();
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}
