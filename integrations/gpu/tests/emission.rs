//! A device emits the same bits as the CPU: by one operator, by several one after another, over several inputs.

#[path = "support/samples.rs"]
mod samples;

use reduce_core::bounds::{Emits, Stored};
use reduce_core::numbers::Compensated;
use reduce_core::{
    Accumulator, Element, Emit, Ordered, Real, ReduceOp, Reduction, bf16, f16, reduce_op,
};
use reduce_gallery::{Exponentials, LayerNorm, LogSoftmax, softmax};
use reduce_gpu::trace::TraceEmit;
use reduce_gpu::{Bytes, Gpu};

use samples::{Kind, Layout, Random, Samples, bits};

/// The mean and the largest of the products of two inputs, at least 1; emits the second one, scaled by how the first compares with the mean.
#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    above: i64,
}

#[derive(Clone, Copy, Debug, Accumulator)]
struct Sums<A> {
    sum: A,
    largest: A,
}

#[reduce_op(dtypes = [(f32, f32), (f64, f64)])]
impl<A: Real + Ordered> ReduceOp<(A, A)> for Gate {
    type Acc = Sums<A>;
    type Output = (A, A);

    fn identity(&self) -> Sums<A> {
        Sums { sum: A::ZERO, largest: A::NEG_INFINITY }
    }

    fn map(&self, (x, y): (A, A)) -> Sums<A> {
        Sums { sum: x * y, largest: x * y }
    }

    fn combine(&self, a: Sums<A>, b: Sums<A>) -> Sums<A> {
        Sums { sum: a.sum + b.sum, largest: a.largest.maximum(b.largest) }
    }

    fn finalize(&self, acc: Sums<A>, count: usize) -> (A, A) {
        (acc.sum.div_count(count), if acc.largest <= A::ONE { A::ONE } else { acc.largest })
    }
}

impl<A: Real + Ordered> Emit<(A, A)> for Gate {
    type Emitted = A;

    fn emit(&self, (x, y): (A, A), &(mean, largest): &(A, A)) -> A {
        if x > mean { y * A::from_int(self.above) } else { y / largest }
    }
}

/// Layouts, and the axes that are reduced.
fn cases() -> Vec<(Layout, Vec<i64>)> {
    let rows = |shape: &[usize], axes: &[i64]| (Layout::rows(shape), axes.to_vec());
    vec![
        rows(&[5], &[0]),
        rows(&[9001], &[0]),
        rows(&[7, 300], &[1]),
        rows(&[300, 40], &[0]),
        rows(&[40, 1], &[1]),
        rows(&[6, 50, 4], &[1]),
        rows(&[12, 5, 30], &[0, 2]),
        (Layout::strided(&[40, 70], &[1, 40], 0), vec![1]),
        (Layout::strided(&[40, 70], &[-70, 1], 2730), vec![0]),
        (Layout::strided(&[30, 20, 3], &[1, 90, 30], 7), vec![1]),
        (Layout::strided(&[30, 20], &[0, 1], 5), vec![0]),
        (Layout::strided(&[0, 20], &[20, 1], 0), vec![1]),
    ]
}

fn check<Op, T>(gpu: &Gpu, name: &str, reduction: &Reduction<Op>) -> usize
where
    T: Samples + Bytes + Stored<First: Element>,
    Op: TraceEmit<T> + Emits<T> + Clone,
    reduce_core::AnyTensor: From<reduce_core::Tensor<T::First>>,
{
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut elements = 0;
    for (number, (layout, axes)) in cases().into_iter().enumerate() {
        for kind in [Kind::Ordinary, [Kind::Few, Kind::Special][number % 2]] {
            let buffers = <T as Samples>::drawn(&mut random, &layout, kind);
            let reduction = reduction.clone().axes(axes.clone());
            T::with(&buffers, &layout, |views| {
                let at = format!("{name}, {layout:?}, axes {axes:?}, {kind:?}");
                let expected = reduction.emit(views).expect(&at);
                let emitted = gpu.prepare(reduction.clone()).emit(views).expect(&at);
                assert_eq!(emitted.shape(), expected.shape(), "{at}");
                let (emitted, expected) = (bits(&emitted.into()), bits(&expected.into()));
                let first = emitted.iter().zip(&expected).position(|(a, b)| a != b);
                assert_eq!(
                    first.map(|place| (place, emitted[place], expected[place])),
                    None,
                    "{at}"
                );
                elements += expected.len();
            });
        }
    }
    elements
}

macro_rules! tests {
    ($($name:ident: $reduction:expr => [$($ty:ty),*];)*) => {$(
        #[test]
        fn $name() {
            for anew in [false, true] {
                let gpu = Gpu::new().expect("a device").reading_anew(anew);
                let mut elements = 0;
                $(elements += check::<_, $ty>(&gpu, stringify!($ty), &$reduction);)*
                println!("{elements} elements of {}, read anew: {anew}", stringify!($name));
            }
        }
    )*};
}

tests! {
    one_operator: Reduction::new(Exponentials) => [f16, bf16, f32, f64];
    shares: softmax() => [f16, bf16, f32, f64];
    logarithms: Reduction::new(LogSoftmax) => [f16, bf16, f32, f64];
    standardised: Reduction::new(LayerNorm::default()) => [f16, bf16, f32, f64];
    three_operators: softmax().then(LayerNorm::default()) => [f16, f32];
    two_inputs_and_a_parameter: Reduction::new(Gate { above: 3 }) => [(f32, f32), (f64, f64)];
    in_double_precision: Reduction::new(LayerNorm::default()).then(Exponentials).computing_in::<f64>() => [f32];
    with_corrections: Reduction::new(LayerNorm::default()).computing_in::<Compensated<f32>>() => [f32];
    two_inputs_and_another_operator: Reduction::new(Gate { above: -1 }).then(Exponentials) => [(f32, f32)];
}
