//! Operators of several inputs: every path and every way two inputs may lie to one
//! another, against plain loops over the addresses of both.

use reduce_core::planning::Path;
use reduce_core::{
    AnyTensor, DType, ErrorKind, Indexed, Num, Ordered, Real, ReduceOp, Reduction, Threads, View,
    f16, reduce_op,
};
use reduce_specs::ReduceSum;
use reduce_tests::cases::{Case, addresses, available, axes_of, path_cases, pool};

/// The sum of products.
#[derive(Clone, Copy, Debug, Default)]
struct Dot;

#[reduce_op(dtypes = [f32, i32, f16 => f32, (f32, f16) => f32])]
impl<A: Num> ReduceOp<(A, A)> for Dot {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        x * y
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// Where the product is largest, the first if there are several; and how large.
#[derive(Clone, Copy, Debug, Default)]
struct LargestProduct;

#[reduce_op(dtypes = [i32], empty = error)]
impl<A: Num + Ordered> ReduceOp<Indexed<(A, A)>> for LargestProduct {
    type Acc = Indexed<A>;
    type Output = (A, i64);

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<(A, A)>) -> Indexed<A> {
        Indexed { value: x.value.0 * x.value.1, index: x.index }
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        let is_b = (b.value > a.value) | ((b.value == a.value) & (b.index < a.index));
        if is_b { b } else { a }
    }

    fn finalize(&self, acc: Indexed<A>, _count: usize) -> (A, i64) {
        (acc.value, acc.index.cast_signed())
    }
}

/// Selects the last pair whose mask is true, so the order of the elements matters.
#[derive(Clone, Copy, Debug, Default)]
struct LastChosen;

#[reduce_op(dtypes = [i32], commutative = false)]
impl<A: Num> ReduceOp<(A, bool)> for LastChosen {
    type Acc = (A, bool);
    type Output = (A, bool);

    fn identity(&self) -> (A, bool) {
        (A::ZERO, false)
    }

    fn map(&self, (x, chosen): (A, bool)) -> (A, bool) {
        (if chosen { x } else { A::ZERO }, chosen)
    }

    fn combine(&self, a: (A, bool), b: (A, bool)) -> (A, bool) {
        if b.1 { b } else { a }
    }

    fn finalize(&self, acc: (A, bool), _count: usize) -> (A, bool) {
        acc
    }
}

/// Ways in which a second input of a shape may lie.
const WAYS: usize = 7;

/// A view of the buffer that broadcasts to the shape.
fn second<'a, T: reduce_core::Element>(
    way: usize,
    buffer: &'a [T],
    shape: &[usize],
) -> View<'a, T> {
    let rank = shape.len();
    let count: usize = shape.iter().product();
    let whole =
        |shape: &[usize]| View::new(&buffer[..shape.iter().product()], shape).expect("its shape");
    let with_one = |axis: usize| {
        let mut shape = shape.to_vec();
        shape[axis] = 1;
        whole(&shape)
    };
    match way {
        1 => {
            let reversed: Vec<usize> = shape.iter().rev().copied().collect();
            let axes: Vec<usize> = (0..rank).rev().collect();
            whole(&reversed).permute(&axes).expect("a permutation")
        }
        2 if rank > 0 => with_one(0),
        3 if rank > 0 => with_one(rank - 1),
        4 => whole(&[]),
        5 if count > 0 => {
            let mut view = whole(shape);
            for (axis, &size) in shape.iter().enumerate() {
                view = view.slice(axis, 0, size, -1).expect("within");
            }
            view
        }
        6 if rank > 0 && count > 0 => {
            let mut wide = shape.to_vec();
            wide[rank - 1] *= 2;
            let axis = rank - 1;
            whole(&wide).slice(axis, 1, 2 * shape[axis], 2).expect("within")
        }
        _ => whole(shape),
    }
}

/// For each result, the addresses of its elements in both inputs, in row-major order.
fn pairs<T, U>(x: &View<'_, T>, y: &View<'_, U>, axes: &[usize]) -> Vec<Vec<(usize, usize)>>
where
    T: reduce_core::Element,
    U: reduce_core::Element,
{
    let shape = x.shape().dims();
    let y = y.broadcast(shape).expect("made for it");
    let (x, y) = (addresses(&x.clone().into()), addresses(&y.into()));
    let outputs = (0..shape.len()).filter(|axis| !axes.contains(axis)).map(|axis| shape[axis]);
    let mut pairs = vec![Vec::new(); outputs.product()];
    for (index, pair) in x.into_iter().zip(y).enumerate() {
        let (mut rest, mut step, mut result) = (index, 1, 0);
        for axis in (0..shape.len()).rev() {
            if !axes.contains(&axis) {
                result += rest % shape[axis] * step;
                step *= shape[axis];
            }
            rest /= shape[axis];
        }
        pairs[result].push(pair);
    }
    pairs
}

#[test]
fn all_layouts_of_both_inputs() {
    let mut runs = 0;
    for (number, Case { recipe, axes }) in path_cases().into_iter().enumerate() {
        let number_at = |index: usize| i32::try_from(index * 31 % 197).expect("small") - 90;
        let first: Vec<i32> = (0..recipe.count()).map(number_at).collect();
        let x = recipe.view(&first);
        let shape = x.shape().dims().to_vec();
        let count: usize = shape.iter().map(|&size| size.max(1)).product();
        let other: Vec<i32> = (0..2 * count).map(|index| number_at(index * 7 + 3)).collect();
        let mask: Vec<bool> = other.iter().map(|x| x % 5 == 0).collect();
        let asked = axes_of(&axes, shape.len());
        // All ways would take long; each is tried on every kind of case.
        for way in [number % WAYS, (number + 3) % WAYS] {
            let (y, chosen) = (second(way, &other, &shape), second(way, &mask, &shape));
            let pairs = pairs(&x, &y, &axes);
            let product = |(a, b): (usize, usize)| first[a].wrapping_mul(other[b]);
            for level in available() {
                let what = format!("{recipe:?} over {axes:?}, way {way}, {level}");
                let dot = Reduction::new(Dot).axes(asked.clone()).level(level);
                let found = dot.run(&(x.clone(), y.clone())).expect(&what);
                for (pairs, &found) in pairs.iter().zip(found.data()) {
                    let sum = pairs.iter().fold(0i32, |sum, &p| sum.wrapping_add(product(p)));
                    assert_eq!(sum, found, "{what}");
                }
                let largest = Reduction::new(LargestProduct).axes(asked.clone()).level(level);
                if let Ok((value, place)) = largest.run(&(x.clone(), y.clone())) {
                    let found = value.data().iter().zip(place.data());
                    for (pairs, (&value, &place)) in pairs.iter().zip(found) {
                        let products: Vec<i32> = pairs.iter().map(|&p| product(p)).collect();
                        let largest = *products.iter().max().expect("elements");
                        let at = products.iter().position(|&p| p == largest).expect("there");
                        assert_eq!((largest, at), (value, usize::try_from(place).expect("≥ 0")));
                    }
                } else {
                    assert!(shape.contains(&0), "{what}");
                }
                let last = Reduction::new(LastChosen).axes(asked.clone()).level(level);
                let (value, any) = last.run(&(x.clone(), chosen.clone())).expect(&what);
                let found = value.data().iter().zip(any.data());
                for (pairs, found) in pairs.iter().zip(found) {
                    let last = pairs.iter().rfind(|(_, b)| mask[*b]);
                    let expected = last.map_or((0, false), |&(a, _)| (first[a], true));
                    assert_eq!((&expected.0, &expected.1), found, "{what}");
                }
            }
            runs += 1;
        }
    }
    assert!(runs > 300, "{runs}");
}

/// Neither the order of the inputs nor which of them leads changes what is read.
#[test]
fn a_small_first_input() {
    let matrix: Vec<i32> = (0..7 * 300).collect();
    let weights: Vec<i32> = (0..300).map(|index| index % 11 - 5).collect();
    let (matrix, weights) = (
        View::new(&matrix, &[7, 300]).expect("its shape"),
        View::new(&weights, &[300]).expect("its shape"),
    );
    for axis in [0, 1] {
        let dot = Reduction::new(Dot).axes([axis]);
        let one = dot.run(&(matrix.clone(), weights.clone())).expect("both broadcast");
        let other = dot.run(&(weights.clone(), matrix.clone())).expect("both broadcast");
        assert_eq!(one, other);
    }
    let dot = Reduction::new(Dot).axes([1]);
    let path = dot.plan(&(weights, matrix)).expect("a plan").path();
    assert_eq!(path, Path::Lanes, "the matrix leads");
}

#[test]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn the_same_bits_at_every_level_and_number_of_threads() {
    let pools = [2, 3].map(pool);
    for (shape, axis) in
        [(vec![300_001], 0), (vec![3, 100_003], 1), (vec![40_000, 7], 1), (vec![60_001, 5], 0)]
    {
        let count: usize = shape.iter().product();
        let x: Vec<f32> = (0..count).map(|index| (index * 7 % 1009) as f32 * 0.01).collect();
        let y: Vec<f16> = (0..count).map(|index| f16::from_f32((index % 97) as f32)).collect();
        let views =
            (View::new(&x, &shape).expect("its shape"), View::new(&y, &shape).expect("its shape"));
        let dot = Reduction::new(Dot).axes([axis]).threads(Threads::One);
        let one = dot.run(&views).expect("elements");
        let others = available()
            .into_iter()
            .map(|level| dot.clone().level(level))
            .chain(pools.iter().map(|pool| dot.clone().threads(Threads::Pool(pool.clone()))));
        for other in others {
            let found = other.run(&views).expect("elements");
            let bits = |data: &[f32]| data.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(one.data()), bits(found.data()), "{shape:?}");
        }
        let exact: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * y.to_f64()).sum();
        let total: f64 = one.data().iter().map(|&x| f64::from(x)).sum();
        assert!((exact - total).abs() < 1e-6 * exact, "{exact} {total}");
    }
}

#[test]
fn planned_into_buffers() {
    let (x, y) = ([1, 2, 3, 4, 5, 6], [1, 10]);
    let views =
        (View::new(&x, &[3, 2]).expect("its shape"), View::new(&y, &[2]).expect("its shape"));
    let planned = Reduction::new(Dot).axes([1]).planned(&views).expect("a plan");
    let mut sums = [0; 3];
    planned.run_into(&views, &mut sums).expect("of that layout");
    assert_eq!(sums, [21, 43, 65]);
    let longer = (views.0.clone(), View::new(&[3], &[1]).expect("its shape"));
    let error = planned.run_into(&longer, &mut sums).expect_err("another second view");
    assert_eq!(error.code(), "other-layout");
    assert!(error.to_string().contains("[1]"), "{error}");
}

#[test]
fn shapes_that_do_not_broadcast() {
    let (x, y) = ([0i32; 6], [0i32; 4]);
    let views =
        (View::new(&x, &[2, 3]).expect("its shape"), View::new(&y, &[4]).expect("its shape"));
    let error = Reduction::new(Dot).run(&views).expect_err("3 and 4");
    assert_eq!(
        error.to_string(),
        "inputs of shapes [[2, 3], [4]] do not broadcast to one shape; sizes must be equal or 1, \
         counted from the last axis"
    );
    assert!(matches!(error.kind(), ErrorKind::ShapesDiffer { .. }));
}

/// Inputs and results whose types are known at run time.
#[test]
fn types_known_at_run_time() {
    let (x, mask) = ([1i32, 2, 3], [true, true, false]);
    let x = View::new(&x, &[3]).expect("its shape");
    let mask = View::new(&mask, &[3]).expect("its shape");
    let last = Reduction::new(LastChosen);
    let found = last.run_all(&[x.clone().into(), mask.clone().into()]).expect("both of its types");
    let scalar = |tensor: AnyTensor| (tensor.dtype(), tensor.shape().rank());
    let found: Vec<_> = found.into_iter().map(scalar).collect();
    assert_eq!(found, [(DType::I32, 0), (DType::Bool, 0)]);

    let error = |found: Result<_, reduce_core::Error>| {
        found.map(|_: Vec<AnyTensor>| ()).expect_err("wrong").to_string()
    };
    assert_eq!(
        error(last.run_all(&[x.clone().into()])),
        "the number of inputs is 1; the operator takes 2"
    );
    assert_eq!(
        error(last.run_all(&[x.clone().into(), x.clone().into()])),
        "dtype `i32` is not allowed; expected `bool`"
    );
    assert_eq!(
        error(Reduction::new(ReduceSum).run_all(&[x.clone().into(), x.clone().into()])),
        "the number of inputs is 2; the operator takes 1"
    );
    let error = Reduction::new(LargestProduct).run_any(&x.into()).expect_err("one input");
    assert_eq!(error.code(), "input-count");
}

/// A half is widened in one input and not in the other.
#[test]
fn different_types_per_input() {
    let (x, y) = ([1.5f32, 2.0, -3.0], [2.0f32, 0.5, 1.0].map(f16::from_f32));
    let views = (View::new(&x, &[3]).expect("its shape"), View::new(&y, &[3]).expect("its shape"));
    let sum = Reduction::new(Dot).run(&views).expect("a row for both types");
    assert_eq!(sum.data(), [1.0f32]);
}

/// A mean squared error that is NaN where either input is: the law test of an operator
/// of two inputs tries it.
#[derive(Clone, Copy, Debug, Default)]
struct SquaredError;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<(A, A)> for SquaredError {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        (x - y) * (x - y)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

#[test]
fn the_mean_squared_error() {
    let (x, y) = ([1.0f64, 2.0, 4.0], [1.0f64, 4.0, 3.0]);
    let views = (View::new(&x, &[3]).expect("its shape"), View::new(&y, &[3]).expect("its shape"));
    let found = Reduction::new(SquaredError).run(&views).expect("elements");
    assert!((found.data()[0] - 5.0 / 3.0).abs() < 1e-15);
}
