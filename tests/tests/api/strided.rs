//! Results and what is emitted into views of any strides: the bits of a plain buffer, and nothing between
//! the places of the view is touched.

use reduce_core::bounds::Emits;
use reduce_core::{Axes, Element, OnePass, Reduction, Threads, View, ViewMut, f16};
use reduce_specs::{ReduceMax, ReduceSum};
use reduce_tests::cases::{Random, addresses, available};

use super::emission::ops::{LessSum, Softmax};

/// A number below another one.
fn below(random: &mut Random, limit: usize) -> usize {
    usize::try_from(random.bits() % limit as u64).expect("below a number of that type")
}

/// Says how a view of a shape lies in a buffer. Its axes are sorted in memory by `order`. For each axis, the buffer has
/// `beyond` elements more than the view needs, and the slice goes by one of the `steps`, backwards if that is negative.
struct Lying {
    order: Vec<usize>,
    beyond: Vec<usize>,
    steps: Vec<isize>,
}

impl Lying {
    fn random(random: &mut Random, rank: usize) -> Self {
        let mut order: Vec<usize> = (0..rank).collect();
        for last in (1..rank).rev() {
            order.swap(last, below(random, last + 1));
        }
        let steps = [1, 1, 1, 2, -1, -3];
        Lying {
            order,
            beyond: (0..rank).map(|_| below(random, 3) / 2).collect(),
            steps: (0..rank).map(|_| steps[below(random, steps.len())]).collect(),
        }
    }

    /// The sizes, in the order of memory, of a buffer for a shape.
    fn sizes(&self, shape: &[usize]) -> Vec<usize> {
        let size = |axis: usize| shape[axis] * self.steps[axis].unsigned_abs() + self.beyond[axis];
        self.order.iter().map(|&axis| size(axis)).collect()
    }

    /// The view of a shape in a buffer of these sizes.
    fn view<'a, T: Element>(&self, buffer: &'a mut [T], shape: &[usize]) -> ViewMut<'a, T> {
        let mut view = ViewMut::new(buffer, &self.sizes(shape)).expect("its sizes");
        for (place, &axis) in self.order.iter().enumerate() {
            let length = shape[axis] * self.steps[axis].unsigned_abs();
            view = view.slice(place, 0, length, self.steps[axis]).expect("within");
        }
        let of_axis = |axis| self.order.iter().position(|&other| other == axis);
        let axes: Vec<usize> = (0..shape.len()).map(|axis| of_axis(axis).expect("all")).collect();
        let view = view.permute(&axes).expect("all axes");
        assert_eq!(view.shape().dims(), shape);
        view
    }
}

/// That what is written into a view at random strides is what is expected, and all else as it was.
fn assert_writes<T: Element>(
    random: &mut Random,
    (shape, expected): (&[usize], &[T]),
    other: T,
    write: impl Fn(&mut ViewMut<'_, T>),
) {
    let lying = Lying::random(random, shape.len());
    let mut buffer = vec![other; lying.sizes(shape).iter().product()];
    let mut view = lying.view(&mut buffer, shape);
    write(&mut view);
    let (strides, offset) = (view.strides().to_vec(), view.offset());
    let mut wanted = vec![other; buffer.len()];
    let places = View::with_strides(&buffer, shape, &strides, offset).expect("within");
    for (place, &element) in addresses(&places.into()).into_iter().zip(expected) {
        wanted[place] = element;
    }
    let bits = |all: &[T]| all.iter().map(|x| x.to_f64().to_bits()).collect::<Vec<_>>();
    assert!(bits(&buffer) == bits(&wanted), "{shape:?} at strides {strides:?} from {offset}");
}

/// Makes shapes of one to four axes, and says which axes are reduced. Some shapes are small, and some have several
/// groups.
fn random_shape(random: &mut Random, most: usize) -> (Vec<usize>, Vec<i64>) {
    let rank = 1 + below(random, 4);
    let mut shape: Vec<usize> = (0..rank).map(|_| 1 + below(random, 9)).collect();
    let long = below(random, rank);
    shape[long] = 1 + below(random, most);
    let reduced = |axis: &i64| *axis == 0 || random.bits().is_multiple_of(2);
    (shape, (0..i64::try_from(rank).expect("small")).filter(reduced).collect())
}

/// Numbers whose sums depend on their order.
fn numbers(random: &mut Random, count: usize) -> Vec<f64> {
    std::iter::repeat_with(|| random.between(-4.0, 5.0)).take(count).collect()
}

fn check_emission<Op, T>(
    reduction: &Reduction<Op>,
    random: &mut Random,
    view: &View<'_, T>,
    other: T,
) where
    Op: Emits<T>,
    T: Element,
{
    let expected = reduction.emit(view).expect("elements");
    let shape = view.shape().dims().to_vec();
    assert_writes(random, (&shape, expected.data()), other, |output| {
        reduction.emit_into_view(view, output).expect("of the shape");
    });
}

fn check_results<Op>(reduction: &Reduction<Op>, random: &mut Random, view: &View<'_, f64>)
where
    Op: OnePass<f64, Result = f64>,
{
    let expected = reduction.run(view).expect("elements");
    let shape = expected.shape().dims().to_vec();
    assert_writes(random, (&shape, expected.data()), 77.0, |output| {
        reduction.run_into_view(view, output).expect("of the shape");
    });
}

#[test]
fn as_into_a_plain_buffer() {
    let mut random = Random::new(5);
    for number in 0..300 {
        let most = if number % 10 == 0 { 20_000 } else { 70 };
        let (shape, axes) = random_shape(&mut random, most);
        let count = shape.iter().product();
        let data = numbers(&mut random, count);
        let halves: Vec<f16> = data.iter().copied().map(f16::from_f64).collect();
        let order: Vec<usize> = (0..shape.len()).rev().collect();
        let turned: Vec<usize> = shape.iter().rev().copied().collect();
        let narrow = View::new(&halves, &shape).expect("its shape");
        let levels = available();
        let level = levels[number % levels.len()];
        let threads = if number % 3 == 0 { Threads::Shared } else { Threads::One };
        let over = |axes: &[i64]| Axes::of(axes);
        for view in [
            View::new(&data, &shape).expect("its shape"),
            View::new(&data, &turned).expect("its shape").permute(&order).expect("all axes"),
        ] {
            macro_rules! set {
                ($reduction:expr) => {
                    $reduction.axes(over(&axes)).level(level).threads(threads.clone())
                };
            }
            check_emission(&set!(Reduction::new(LessSum)), &mut random, &view, 77.0);
            let chain = set!(Reduction::new(LessSum).then(LessSum));
            check_emission(&chain, &mut random, &view, 77.0);
            check_results(&set!(Reduction::new(ReduceSum)), &mut random, &view);
            check_results(&set!(Reduction::new(ReduceMax).keepdims(true)), &mut random, &view);
            let softmax = Reduction::new(Softmax).computing_in::<f64>();
            check_emission(&set!(softmax), &mut random, &narrow, f16::from_f32(77.0));
        }
    }
}

#[test]
fn what_cannot_be_written() {
    let mut buffer = [0.0f64; 12];
    for (strides, fits) in [
        ([4, 1], true),
        ([1, 3], true),
        ([-4, 1], false),
        ([1, 1], false),
        ([0, 1], false),
        ([3, 1], false),
        ([2, 3], false),
    ] {
        let view = ViewMut::with_strides(&mut buffer, &[3, 4], &strides, 0);
        assert_eq!(view.is_ok(), fits, "{strides:?}");
    }
    let error = ViewMut::with_strides(&mut buffer, &[2, 2], &[1, 1], 0).expect_err("overlaps");
    assert_eq!(error.code(), "view-overlaps");
    let error = ViewMut::with_strides(&mut buffer, &[2, 2], &[9, 3], 1).expect_err("outside");
    assert_eq!(error.code(), "view-out-of-bounds");
    assert!(ViewMut::with_strides(&mut buffer, &[1, 0, 5], &[0, 0, 0], 99).is_ok());
    let data = [1.0f64; 6];
    let view = View::new(&data, &[2, 3]).expect("its shape");
    let mut output = ViewMut::new(&mut buffer, &[3, 4]).expect("its shape");
    let reduction = Reduction::new(LessSum).axes([1]);
    let error = reduction.emit_into_view(&view, &mut output).expect_err("another shape");
    assert_eq!(error.to_string(), "the output has shape [3, 4]; give one of shape [2, 3]");
    let sums = Reduction::new(ReduceSum).axes([1]);
    let error = sums.run_into_view(&view, &mut output).expect_err("another shape");
    assert_eq!(error.code(), "output-shape");
    assert_eq!(buffer, [0.0; 12]);
}
