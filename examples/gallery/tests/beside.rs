//! Emission with other inputs beside the elements: norms with a scale and a bias, against plain loops in `f64`.

use std::mem::MaybeUninit;

use reduce_core::adapt::Beside;
use reduce_core::bounds::Emits;
use reduce_core::{
    Element, Emit, EmitBeside, Level, Masked, Real, ReduceOp, Reduction, Threads, View, ViewMut,
    bf16, f16, reduce_op,
};
use reduce_gallery::{LayerNorm, RmsNorm, layer_norm, rms_norm};

const EPSILON: f64 = 1e-5;

/// Numbers between -2 and 2, with fractions of few bits.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|index| ((index * 7919 + seed * 104_729) % 257) as f64 / 64.0 - 2.0).collect()
}

/// An element at each index of a shape, of a tensor that broadcasts to it.
fn broadcast(data: &[f64], shape: &[usize], to: &[usize]) -> Vec<f64> {
    let count: usize = to.iter().product();
    let at = |number: usize| {
        let (mut left, mut place, mut step) = (number, 0, 1);
        for (axis, &size) in to.iter().enumerate().rev() {
            let index = left % size;
            left /= size;
            if let Some(own) = (axis + shape.len()).checked_sub(to.len()).map(|axis| shape[axis]) {
                place += if own == 1 { 0 } else { index * step };
                step *= own;
            }
        }
        data[place]
    };
    (0..count).map(at).collect()
}

/// The sets of a shape over some axes: the numbers of their elements.
fn sets(shape: &[usize], axes: &[usize]) -> Vec<Vec<usize>> {
    let count: usize = shape.iter().product();
    let mut sets: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for number in 0..count {
        let (mut left, mut key) = (number, Vec::new());
        for (axis, &size) in shape.iter().enumerate().rev() {
            key.push(if axes.contains(&axis) { 0 } else { left % size });
            left /= size;
        }
        match sets.iter_mut().find(|(of, _)| *of == key) {
            Some((_, set)) => set.push(number),
            None => sets.push((key, vec![number])),
        }
    }
    sets.into_iter().map(|(_, set)| set).collect()
}

/// Layer norm of `x`, or RMS norm if `centred` is false.
fn norm(x: &[f64], sets: &[Vec<usize>], centred: bool) -> Vec<f64> {
    let mut normed = vec![0.0; x.len()];
    for set in sets {
        let count = set.len() as f64;
        let mean = if centred { set.iter().map(|&at| x[at]).sum::<f64>() / count } else { 0.0 };
        let squares: f64 = set.iter().map(|&at| (x[at] - mean).powi(2)).sum();
        let deviation = (squares / count + EPSILON).sqrt();
        set.iter().for_each(|&at| normed[at] = (x[at] - mean) / deviation);
    }
    normed
}

/// A shape, axes, and the shapes of a scale and a bias.
type Case = (&'static [usize], &'static [usize], &'static [usize], &'static [usize]);

#[rustfmt::skip]
const CASES: [Case; 9] = [
    (&[3, 40], &[1], &[40], &[40]),
    (&[3, 40], &[1], &[40], &[1]),
    (&[5, 4], &[1], &[4], &[4]),
    (&[40, 7], &[0], &[40, 1], &[40, 7]),
    (&[40, 33], &[0], &[33], &[1, 33]),
    // Instance norm: a scale for each channel.
    (&[2, 3, 5, 7], &[2, 3], &[3, 1, 1], &[3, 1, 1]),
    (&[2, 3, 50], &[2], &[3, 1], &[2, 1, 1]),
    (&[2, 2000], &[1], &[2000], &[]),
    (&[16], &[0], &[16], &[16]),
];

/// An element type, and the error that what is emitted in it may have, over its size and 1.
trait OfTest: Element {
    const ERROR: f64;
    fn of(x: f64) -> Self;
}

macro_rules! of_test {
    ($($type:ty: $error:expr, |$x:ident| $of:expr;)*) => {$(
        impl OfTest for $type {
            const ERROR: f64 = $error;
            #[allow(clippy::cast_possible_truncation, reason = "numbers of few bits")]
            fn of($x: f64) -> Self { $of }
        }
    )*};
}

of_test! {
    f32: 2e-6, |x| x as f32;
    f64: 1e-14, |x| x;
    f16: 2e-3, |x| f16::from_f64(x);
    bf16: 1e-2, |x| bf16::from_f64(x);
}

fn read<T: OfTest>(elements: &[T]) -> Vec<f64> {
    elements.iter().map(|x| x.to_f64()).collect()
}

fn near<T: OfTest>(found: &[T], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found.to_f64() - expected).abs();
        assert!(
            error <= T::ERROR * (1.0 + expected.abs()),
            "{what}, place {place}: {found:?} for {expected}"
        );
    }
}

fn bits<T: OfTest>(elements: &[T]) -> Vec<u64> {
    elements.iter().map(|x| x.to_f64().to_bits()).collect()
}

/// The elements, the scale and the bias of a case.
fn inputs<T: OfTest>((shape, _, of_scale, of_bias): Case) -> [Vec<T>; 3] {
    let stored = |(shape, seed): (&[usize], usize)| {
        let numbers = numbers(shape.iter().product(), seed);
        numbers.into_iter().map(T::of).collect()
    };
    [(shape, 1), (of_scale, 2), (of_bias, 3)].map(stored)
}

/// Layer norm and RMS norm, by loops.
fn by_loops<T: OfTest>(case: Case, [x, scale, bias]: [&[T]; 3]) -> [Vec<f64>; 2] {
    let (shape, axes, of_scale, of_bias) = case;
    let sets = sets(shape, axes);
    let [scale, bias] =
        [(scale, of_scale), (bias, of_bias)].map(|(data, of)| broadcast(&read(data), of, shape));
    let layer = norm(&read(x), &sets, true).into_iter().zip(&scale).zip(&bias);
    let rms = norm(&read(x), &sets, false).into_iter().zip(&scale);
    [
        layer.map(|((x, scale), bias)| x * scale + bias).collect(),
        rms.map(|(x, scale)| x * scale).collect(),
    ]
}

/// Every way to emit has the numbers of the loops, and the same bits.
fn emits<T: OfTest>(case: Case)
where
    Beside<LayerNorm, 1>: Emits<(T, T, T)>,
    Beside<RmsNorm, 1>: Emits<(T, T)>,
{
    let (shape, axes, of_scale, of_bias) = case;
    let [x, scale, bias] = &inputs::<T>(case);
    let [layer, rms] = &by_loops(case, [x, scale, bias]);
    let what =
        format!("{} {shape:?} over {axes:?}, scale {of_scale:?}, bias {of_bias:?}", T::DTYPE);
    let over: Vec<i64> = axes.iter().map(|&axis| axis.try_into().expect("an axis")).collect();
    let x_view = View::new(x, shape).expect("its shape");
    let scale = View::new(scale, of_scale).expect("its shape");
    let bias = View::new(bias, of_bias).expect("its shape");
    let all = (x_view.clone(), scale.clone(), bias.clone());
    let two = (x_view.clone(), scale.clone());

    let mut first: Option<Vec<u64>> = None;
    for level in Level::available() {
        for threads in [Threads::One, Threads::Shared] {
            let norm = layer_norm(EPSILON).axes(over.clone()).level(level).threads(threads.clone());
            let emitted = norm.emit(&all).expect("valid");
            near(emitted.data(), layer, &what);
            let first = first.get_or_insert_with(|| bits(emitted.data()));
            assert_eq!(*first, bits(emitted.data()), "{what} at {level:?}");
            let by_rms = rms_norm(EPSILON).axes(over.clone()).level(level).threads(threads);
            near(by_rms.emit(&two).expect("valid").data(), rms, &what);
        }
    }
    let first = first.expect("a level");
    let norm = layer_norm(EPSILON).axes(over.clone());

    // Into buffers, views, and in place; planned, too.
    let planned = norm.planned_emission(&all).expect("valid");
    let mut buffer = vec![T::default(); x.len()];
    planned.emit_into(&all, &mut buffer).expect("as planned");
    assert_eq!(first, bits(&buffer), "{what}, planned");
    let mut places = vec![MaybeUninit::uninit(); x.len()];
    let emitted = planned.emit_into_uninit(&all, &mut places).expect("as planned");
    assert_eq!(first, bits(emitted), "{what}, planned, into places");
    let mut elements = x.to_vec();
    let others = (scale.clone(), bias.clone());
    planned.emit_in_place_beside(&mut elements, &others).expect("as planned");
    assert_eq!(first, bits(&elements), "{what}, planned, in place");
    let mut elements = x.to_vec();
    norm.emit_in_place_beside(&mut elements, x_view.shape(), &others).expect("valid");
    assert_eq!(first, bits(&elements), "{what}, in place");
    // Places that lie apart.
    let mut apart = vec![T::default(); x.len() * 2];
    let strides: Vec<isize> = x_view.strides().iter().map(|stride| 2 * stride).collect();
    let mut places = ViewMut::with_strides(&mut apart, shape, &strides, 0).expect("its places");
    norm.emit_into_view(&all, &mut places).expect("valid");
    let found: Vec<T> = apart.iter().step_by(2).copied().collect();
    assert_eq!(first, bits(&found), "{what}, into a view");
    assert!(apart.iter().skip(1).step_by(2).all(|x| *x == T::default()), "{what}: other places");
}

#[test]
fn norms_are_those_of_loops() {
    for case in CASES {
        emits::<f32>(case);
        emits::<f64>(case);
        emits::<f16>(case);
        emits::<bf16>(case);
    }
}

/// The residual is reduced with the elements; scale and bias are beside both.
#[derive(Clone, Copy, Debug, Default)]
struct AddNorm;

#[reduce_op(dtypes = [(f32, f32), (f64, f64)])]
impl<A: Real> ReduceOp<(A, A)> for AddNorm {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, residual): (A, A)) -> A {
        (x + residual) * (x + residual)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        A::ONE / (sum.div_count(count) + A::ONE).sqrt()
    }
}

impl<A: Real> EmitBeside<(A, A)> for AddNorm {
    type Beside = (A, A);
    type Emitted = A;

    #[inline(always)]
    fn emit_beside(&self, (x, residual): (A, A), (scale, bias): (A, A), inverse: &A) -> A {
        (x + residual) * *inverse * scale + bias
    }
}

#[test]
fn a_residual_is_reduced_too() {
    let [x, residual] = [1, 2].map(|seed| numbers(6 * 50, seed));
    let [scale, bias] = [3, 4].map(|seed| numbers(50, seed));
    let [rows, others] = [&x, &residual].map(|data| View::new(data, &[6, 50]).expect("its shape"));
    let [scales, biases] = [&scale, &bias].map(|data| View::new(data, &[50]).expect("its shape"));
    let norm = Reduction::new(AddNorm).beside::<2>().axes([1]);
    let found = norm.emit(&(rows, others, scales, biases)).expect("valid");
    let sums: Vec<f64> = x.iter().zip(&residual).map(|(x, residual)| x + residual).collect();
    for (row, found) in sums.chunks(50).zip(found.data().chunks(50)) {
        let squares: f64 = row.iter().map(|x| x * x).sum();
        let inverse = 1.0 / (squares / 50.0 + 1.0).sqrt();
        let expected = |at: usize| row[at] * inverse * scale[at] + bias[at];
        near(found, &(0..50).map(expected).collect::<Vec<_>>(), "a residual");
    }
}

/// Elements less their mean.
#[derive(Clone, Copy, Debug, Default)]
struct Centre;

#[reduce_op(dtypes = [f16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for Centre {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

impl<A: Real> Emit<A> for Centre {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, mean: &A) -> A {
        x - *mean
    }
}

/// Layer norm of two operators, the second of which has a scale and no bias.
#[test]
fn the_last_of_a_chain_has_others_beside() {
    let op = RmsNorm { epsilon: EPSILON };
    for (shape, axis) in [([7usize, 300], 1i64), ([300, 7], 0), ([400, 900], 1), ([5, 4], 1)] {
        let x: Vec<f32> = numbers(shape[0] * shape[1], 1).into_iter().map(f32::of).collect();
        let scale: Vec<f32> = numbers(shape[1], 2).into_iter().map(f32::of).collect();
        let all = (
            View::new(&x, &shape).expect("its shape"),
            View::new(&scale, &[shape[1]]).expect("its shape"),
        );
        let reduced = usize::try_from(axis).expect("an axis");
        let normed = norm(&read(&x), &sets(&shape, &[reduced]), true);
        let scale = broadcast(&read(&scale), &[shape[1]], &shape);
        let expected: Vec<f64> = normed.iter().zip(scale).map(|(x, scale)| x * scale).collect();
        let chain = Reduction::new(Centre).then(op).beside::<1>().axes([axis]);
        near(chain.emit(&all).expect("valid").data(), &expected, "a chain");
        let mut elements = x.clone();
        let planned = chain.planned_emission(&all).expect("valid");
        planned.emit_in_place_beside(&mut elements, &all.1).expect("as planned");
        near(&elements, &expected, "a chain in place");
        let wide = chain.computing_in::<f64>().emit(&all).expect("valid");
        near(wide.data(), &expected, "a chain in `f64`");
    }
}

/// Only elements that are known are reduced and emitted. The mask is the second input.
#[test]
fn masks_are_before_others() {
    let x = [3.0f32, 100.0, -3.0, 3.0, 4.0, 4.0, 100.0, 100.0];
    let known = [true, false, true, true, true, true, false, false];
    let scale = [1.0f32, 2.0, 3.0, 4.0];
    let all = (
        View::new(&x, &[2, 4]).expect("its shape"),
        View::new(&known, &[2, 4]).expect("its shape"),
        View::new(&scale, &[4]).expect("its shape"),
    );
    let op = Masked(RmsNorm { epsilon: 0.0 });
    let norm = Reduction::new(op).beside::<2>().axes([1]).emit(&all).expect("valid");
    assert_eq!(norm.data(), [1.0, 0.0, -3.0, 4.0, 1.0, 2.0, 0.0, 0.0]);
}

/// Squares of the elements are no numbers of the type; what is emitted is right, and is scaled.
#[test]
fn doubtful_results_are_mended() {
    for size in [1e30f32, 1e-30] {
        let x: Vec<f32> = (0..3 * 100).map(|at| if at % 2 == 0 { size } else { -size }).collect();
        let scale: Vec<f32> = (0..100u8).map(f32::from).collect();
        let bias: Vec<f32> = scale.iter().map(|x| x - 50.0).collect();
        let rows = View::new(&x, &[3, 100]).expect("its shape");
        let [scales, biases] = [&scale, &bias].map(|of| View::new(of, &[100]).expect("its shape"));
        let rms = rms_norm(0.0).axes([1]).emit(&(rows.clone(), scales.clone())).expect("valid");
        let all = (rows, scales, biases);
        let layer = layer_norm(0.0).axes([1]).emit(&all).expect("valid");
        for at in 0..300 {
            let scaled = if at % 2 == 0 { scale[at % 100] } else { -scale[at % 100] };
            assert!((rms.data()[at] - scaled).abs() <= 1e-5 * scaled.abs(), "{size}, {at}");
            let expected = scaled + bias[at % 100];
            if size > 1.0 {
                let found = layer.data()[at];
                assert!((found - expected).abs() <= 1e-4, "{size}, {at}: {found} for {expected}");
            }
        }
    }
}

#[test]
fn wrong_shapes_are_refused() {
    let x = [0.0f32; 6];
    let rows = View::new(&x, &[2, 3]).expect("its shape");
    let (two, six) = (&x[..2], View::new(&x, &[3, 2]).expect("its shape"));
    let two = View::new(two, &[2]).expect("its shape");
    let norm = rms_norm(EPSILON).axes([1]);
    let error = norm.emit(&(rows.clone(), two.clone())).expect_err("sizes differ");
    assert!(error.to_string().contains("[2, 3]"), "{error}");

    // In place there is no room for more elements than there are.
    let mut row = [1.0f32; 3];
    let shape = reduce_core::Shape::new(&[1, 3]).expect("a shape");
    assert!(norm.emit_in_place_beside(&mut row, &shape, &rows).is_err());
    let planned = norm.planned_emission(&(View::new(&row, &[3]).expect("a list"), rows.clone()));
    let planned = planned.expect("broadcasts");
    let mut all = [0.0f32; 6];
    assert!(planned.emit_in_place_beside(&mut all, &rows).is_err(), "not in order");
    assert!(planned.emit_in_place_beside(&mut all[..3], &rows).is_err(), "too few");
    assert!(planned.emit_in_place_beside(&mut all, &six).is_err(), "another layout");
}
