//! Inputs whose neighbours belong to the next line of the output: they are transposed tile by tile.

use std::fmt::Debug;

use reduce_core::bounds::Emits;
use reduce_core::{Element, OpSpec, Reduction, Threads, View, f16};
use reduce_tests::cases::available;

use super::ops::{LessDot, LessSum, PlusMax};

/// Lines, and elements of a line, around the sizes of tiles, and more than a part of one thread has.
const SIZES: &[[usize; 2]] = if cfg!(miri) {
    &[[2, 16], [17, 65]]
} else {
    &[
        [2, 16],
        [15, 16],
        [16, 17],
        [17, 15],
        [3, 63],
        [33, 64],
        [16, 65],
        [31, 77],
        [40, 129],
        [2, 3000],
        [70, 1000],
        [1000, 70],
    ]
};

/// Small integers as elements of a type.
fn numbers<T: From<i8>>(count: usize) -> Vec<T> {
    (0..count).map(|index| T::from(i8::try_from((index * 31) % 127).expect("small"))).collect()
}

/// A matrix of some lines, transposed, with gaps between its columns.
fn turned<T: Element>(data: &[T], [lines, count]: [usize; 2]) -> View<'_, T> {
    let all = View::new(data, &[count, lines + 3]).expect("its shape");
    all.slice(1, 2, lines + 2, 1).expect("within").permute(&[1, 0]).expect("two axes")
}

/// The elements of such a matrix in row-major order.
fn in_order<T: Element>(data: &[T], [lines, count]: [usize; 2]) -> Vec<T> {
    let place = |index: usize| (index % count) * (lines + 3) + index / count + 2;
    (0..lines * count).map(|index| data[place(index)]).collect()
}

/// Calls `check` with every reduction over one of two axes.
fn each_reduction<Op: OpSpec + Copy>(op: Op, check: impl Fn(&Reduction<Op>)) {
    for axis in [0, 1] {
        for level in available() {
            for threads in [Threads::One, Threads::Shared] {
                check(&Reduction::new(op).axes([axis]).level(level).threads(threads));
            }
        }
    }
}

/// What is emitted over a transposed matrix is what is emitted over a copy in row-major order. Integers are exact in any
/// order.
fn check<Op: Emits<T> + OpSpec + Copy + Debug, T: Element + From<i8>>(op: Op) {
    for &size in SIZES {
        let data = numbers::<T>(size[1] * (size[0] + 3));
        let copy = in_order(&data, size);
        let (turned, copy) = (turned(&data, size), View::new(&copy, &size).expect("its shape"));
        each_reduction(op, |reduction| {
            let found = reduction.emit(&turned).expect("elements");
            let expected = reduction.emit(&copy).expect("elements");
            assert!(found.data() == expected.data(), "{size:?}: {reduction:?}");
        });
    }
}

#[test]
fn of_every_size_of_elements() {
    check::<_, f16>(PlusMax);
    check::<_, f32>(PlusMax);
    check::<_, f64>(PlusMax);
    check::<_, i32>(LessSum);
}

/// One of two inputs is turned, and the other lies in each way: turned too, in row-major order, a line for all, and one
/// element for each line.
#[test]
fn of_two_inputs() {
    for &size in SIZES {
        let (x, y) = (numbers::<f64>(size[1] * (size[0] + 3)), numbers::<f64>(size[0] * size[1]));
        let [lines, count] = size;
        let copy = in_order(&x, size);
        let copy = View::new(&copy, &size).expect("its shape");
        let x = turned(&x, size);
        let beside = [
            (View::new(&y, &[count, lines]).expect("its shape"))
                .permute(&[1, 0])
                .expect("two axes"),
            View::new(&y, &size).expect("its shape"),
            View::new(&y[..count], &[1, count]).expect("its shape"),
            View::new(&y[..lines], &[lines, 1]).expect("its shape"),
        ];
        for y in beside {
            each_reduction(LessDot, |reduction| {
                let expected = reduction.emit(&(copy.clone(), y.clone())).expect("elements");
                let found = reduction.emit(&(x.clone(), y.clone())).expect("elements");
                assert!(found.data() == expected.data(), "{size:?}: {reduction:?}");
                let expected = reduction.emit(&(y.clone(), copy.clone())).expect("elements");
                let found = reduction.emit(&(y.clone(), x.clone())).expect("elements");
                assert!(found.data() == expected.data(), "{size:?}: {reduction:?}");
            });
        }
    }
}
