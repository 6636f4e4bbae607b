//! Emission in the order of memory: into views whose axes lie in any order, and like the input. What is emitted has
//! the bits that it has in row-major order.

use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use reduce_core::bounds::{Emits, Input, Stored};
use reduce_core::{Axes, Element, Permuted, Reduction, Tensor, Threads, View, ViewMut, f16};
use reduce_tests::cases::{Random, addresses, available};
use reduce_tests::valgrind;

use super::emission::ops::{LessAlternating, LessDot, LessSum, LessWeighted, PlusPlace, Softmax};

/// All orders of so many axes.
fn orders(rank: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return vec![Vec::new()];
    }
    let with_last = |shorter: Vec<usize>| {
        (0..rank).map(move |place| {
            let mut order = shorter.clone();
            order.insert(place, rank - 1);
            order
        })
    };
    orders(rank - 1).into_iter().flat_map(with_last).collect()
}

/// All sets of so many axes.
fn sets(rank: usize) -> impl Iterator<Item = Vec<i64>> {
    (0..1 << rank).map(move |set: usize| {
        let axes = (0..rank).filter(|axis| set >> axis & 1 == 1);
        axes.map(|axis| i64::try_from(axis).expect("few")).collect()
    })
}

/// A row-major view of some sizes, with its axes put into an order: axis `order[i]` is the `i`th in memory.
fn permuted<'a, T: Element>(data: &'a [T], sizes: &[usize], order: &[usize]) -> View<'a, T> {
    View::new(data, sizes).expect("its shape").permute(&places(order)).expect("all axes")
}

fn places(order: &[usize]) -> Vec<usize> {
    let place = |axis| order.iter().position(|&other| other == axis).expect("all axes");
    (0..order.len()).map(place).collect()
}

/// The bits of the elements of a view, in row-major order.
fn bits<T: Element>(view: &View<'_, T>) -> Vec<u64> {
    let places = addresses(&view.clone().into());
    places.into_iter().map(|place| view.data()[place].to_f64().to_bits()).collect()
}

/// Numbers whose sums depend on their order.
fn numbers(count: usize) -> Vec<f64> {
    let mut random = Random::new(count as u64);
    std::iter::repeat_with(|| random.between(-4.0, 5.0)).take(count).collect()
}

/// Asserts that the same is emitted as in row-major order, in two ways. One is like the input, which has `sizes` in the
/// order of memory. The other is into a view in that order, with gaps between lines.
fn assert_in_order_of<Op, I, T>(
    reduction: &Reduction<Op>,
    input: &I,
    (sizes, order): (&[usize], &[usize]),
) where
    I: Input<Stored: Stored<First = T>>,
    Op: Emits<I::Stored> + Clone,
    T: Element,
{
    let expected = reduction.emit(input).expect("elements");
    let expected = bits(&expected.view());
    let like = reduction.clone().like_input().emit(input).expect("elements");
    let what = || format!("{sizes:?} as {order:?}, {:?}", std::any::type_name::<Op>());
    assert_eq!((like.tensor().shape().dims(), like.order()), (sizes, order), "{}", what());
    assert!(bits(&like.view()) == expected, "{}", what());

    let mut wider = sizes.to_vec();
    let last = sizes.len() - 1;
    wider[last] += 3;
    let mut buffer = vec![T::default(); wider.iter().product()];
    let view =
        ViewMut::new(&mut buffer, &wider).and_then(|view| view.slice(last, 1, sizes[last] + 1, 1));
    let mut view = view.and_then(|view| view.permute(&places(order))).expect("all axes");
    reduction.emit_into_view(input, &mut view).expect("of the shape");
    let (shape, strides, offset) = (view.shape().to_vec(), view.strides().to_vec(), view.offset());
    let view = View::with_strides(&buffer, &shape, &strides, offset).expect("within");
    assert!(bits(&view) == expected, "{} with gaps", what());
    for line in buffer.chunks(wider[last]) {
        let between = [&line[..1], &line[sizes[last] + 1..]].concat();
        assert!(between == [T::default(); 3], "{}: between lines", what());
    }
}

/// Checks all operators over inputs with these sizes in memory. The axes are in each order, and each set of them is
/// reduced. One of `every` cases is run, and `every` is odd.
fn check(sizes: &[usize], every: usize) {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    let threads = [Threads::One, Threads::Pool(Arc::new(pool))];
    let data = numbers(sizes.iter().product());
    let halves: Vec<f16> = data.iter().copied().map(f16::from_f64).collect();
    let levels = available();
    let cases = orders(sizes.len())
        .into_iter()
        .flat_map(|order| sets(order.len()).map(move |axes| (order.clone(), axes)));
    for (number, (order, axes)) in cases.enumerate().step_by(every) {
        let (wide, narrow) = (permuted(&data, sizes, &order), permuted(&halves, sizes, &order));
        // The first index of each axis but the last, repeated.
        let mut other = wide.clone();
        for axis in 0..sizes.len() - 1 {
            other = other.slice(axis, 0, 1, 1).expect("within");
        }
        let both = (wide.clone(), other);
        macro_rules! check {
            ($op:expr, $input:expr) => {{
                let reduction = $op.axes(Axes::of(&axes)).level(levels[number % levels.len()]);
                let reduction = reduction.threads(threads[number % 2].clone());
                assert_in_order_of(&reduction, $input, (sizes, &order));
            }};
        }
        check!(Reduction::new(LessSum), &wide);
        check!(Reduction::new(LessAlternating), &wide);
        check!(Reduction::new(LessWeighted), &wide);
        check!(Reduction::new(PlusPlace), &wide);
        check!(Reduction::new(Softmax), &narrow);
        check!(Reduction::new(LessDot), &both);
        check!(Reduction::new(LessSum).then(LessSum), &wide);
        check!(Reduction::new(Softmax).then(LessAlternating), &wide);
        check!(Reduction::new(LessSum).then(LessWeighted).then(PlusPlace), &wide);
        check!(Reduction::new(LessSum).then(Softmax).then(LessSum), &wide);
        check!(Reduction::new(Softmax).then(Softmax).computing_in::<f64>(), &narrow);
    }
}

/// Around the lengths at which the order of combination changes: few elements, lanes, narrow columns, blocks.
#[test]
fn matrices() {
    let lengths = [2, 5, 16, 17, 31, 33, 64, 65, 130, 1000];
    for rows in lengths {
        for columns in lengths {
            check(&[rows, columns], 1);
        }
    }
    for sizes in [[20_000, 9], [9, 20_000], [300, 1100], [5000, 90]] {
        check(&sizes, 1);
    }
}

#[test]
fn of_one_three_and_four_axes() {
    check(&[5000], 1);
    for sizes in [[3, 2, 5], [7, 30, 90], [90, 7, 30], [300, 4, 3], [20, 60, 4]] {
        check(&sizes, 1);
    }
    check(&[2, 80, 300], 5);
    check(&[20, 300, 50], 7);
    check(&[2, 3, 4, 5], 1);
    check(&[5, 9, 17, 3], 5);
    check(&[40, 2, 70, 3], 13);
    check(&[3, 70, 2, 90], 23);
}

#[test]
fn small_ones() {
    for sizes in [[64, 17], [17, 64], [70, 5]] {
        check(&sizes, 1);
    }
    check(&[9, 2, 20], 7);
}

#[test]
fn nothing_is_read_or_written_elsewhere() {
    valgrind::check("permuted::small_ones");
}

/// Axes of size 1, repeated ones and backward ones.
#[test]
fn axes_that_lie_otherwise() {
    let data = numbers(60);
    let view = View::with_strides(&data, &[4, 1, 3, 5], &[-1, 99, 0, 7], 3).expect("within");
    let reduction = Reduction::new(LessSum).then(LessSum).axes([0, 2]);
    let expected = reduction.emit(&view).expect("elements");
    let like = reduction.like_input().emit(&view).expect("elements");
    assert_eq!((like.shape(), like.order()), (view.shape(), &[2, 1, 3, 0][..]));
    assert_eq!(like.tensor().shape().dims(), [3, 1, 5, 4]);
    assert_eq!(bits(&like.view()), bits(&expected.view()));

    let scalar = View::new(&data[..1], &[]).expect("its shape");
    let like = Reduction::new(LessSum).like_input().emit(&scalar).expect("an element");
    assert_eq!((like.order(), like.tensor().data()), (&[][..], &[0.0][..]));
    let nothing = View::new(&data[..0], &[3, 0]).expect("its shape");
    let like = Reduction::new(LessSum).like_input().emit(&nothing).expect("nothing to emit");
    assert_eq!(like.shape().dims(), [3, 0]);
    let error = Reduction::new(LessSum).axes([2]).like_input().emit(&nothing).expect_err("no axis");
    assert_eq!(error.code(), "axis-out-of-range");
}

/// Of several inputs the order is that of the one with the most elements.
#[test]
fn like_the_largest_input() {
    let (data, row) = (numbers(12), numbers(4));
    let matrix = View::new(&data, &[3, 4]).expect("its shape").permute(&[1, 0]).expect("two axes");
    let row = View::new(&row, &[4, 1]).expect("its shape");
    let reduction = Reduction::new(LessDot).axes([1]).like_input();
    assert_eq!(reduction.emit(&(row.clone(), matrix.clone())).expect("elements").order(), [1, 0]);
    assert_eq!(reduction.emit(&(matrix, row)).expect("elements").order(), [1, 0]);
}

#[test]
fn permuted_tensors() {
    let tensor = Tensor::new((0..6).collect::<Vec<i32>>(), &[3, 2]).expect("its shape");
    let mut columns = Permuted::new(tensor.clone(), &[1, 0]).expect("two axes");
    assert_eq!(columns.view().shape(), columns.shape());
    columns.view_mut().data_mut()[1] = 9;
    assert_eq!(columns.into_tensor().data(), [0, 9, 2, 3, 4, 5]);
    for order in [&[0][..], &[0, 0], &[1, 2], &[0, 1, 2]] {
        let error = Permuted::new(tensor.clone(), order).expect_err("no order");
        assert_eq!(error.code(), "not-a-permutation", "{order:?}: {error}");
    }
}
