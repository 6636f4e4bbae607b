//! Tuples of operators on a device have the bits that they have on the CPU: members of all kinds, over several types, inputs and
//! layouts.

#[path = "support/samples.rs"]
mod samples;

use reduce_core::bounds::Written;
use reduce_core::{Indexed, Ordered, ReduceOp, Reduction, View, f16, reduce_op};
use reduce_gallery::{
    Cosine, Dot, Histogram, MeanVariance, PolynomialHash, SquaredError, TopK, Variance,
};
use reduce_gpu::trace::{Trace, Traced};
use reduce_gpu::{Bytes, Gpu};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin,
    ReduceProd, ReduceSum, ReduceSumSquare,
};

use samples::{Kind, Layout, Random, Samples, bits};

/// The largest element, NaN being the largest of all, and its position. Of equal ones it is the first, although they may have
/// different bits, as zeros have.
#[derive(Clone, Copy, Debug, Default)]
struct Largest;

#[reduce_op(dtypes = [f16 => f32, f32, f64, i32], empty = error, nan = unspecified)]
impl<A: Ordered> ReduceOp<Indexed<A>> for Largest {
    type Acc = Indexed<A>;
    type Output = (A, i64);

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        let is_larger = b.value > a.value || b.value.is_nan() && !a.value.is_nan();
        let is_second = is_larger || b.value.is_same(a.value) && b.index < a.index;
        // Of zeros the second, whose sign may be another one than that of the element at the index.
        let value = b.value.maximum(a.value);
        Indexed { value, index: if is_second { b.index } else { a.index } }
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> (A, i64) {
        (best.value, best.index.cast_signed())
    }
}

/// Layouts, and the axis that is reduced.
fn cases() -> Vec<(Layout, i64)> {
    vec![
        (Layout::rows(&[5]), 0),
        (Layout::rows(&[9001]), 0),
        (Layout::rows(&[7, 300]), 1),
        (Layout::rows(&[300, 40]), 0),
        (Layout::rows(&[500, 3]), 1),
        (Layout::rows(&[6, 50, 4]), 1),
        (Layout::strided(&[40, 70], &[1, 40], 0), 1),
        (Layout::strided(&[40, 70], &[-70, 1], 2730), 0),
        (Layout::strided(&[30, 20, 3], &[1, 90, 30], 7), 1),
        (Layout::strided(&[30, 20], &[0, 1], 5), 0),
    ]
}

/// The bits of all tensors of results.
fn all<O: Written>(tensors: O::Tensors) -> Vec<Vec<u64>> {
    O::any(tensors).iter().map(bits).collect()
}

/// Holds a tuple over a type against the CPU.
fn check<Op, T>(gpu: &Gpu, op: &Op, name: &str)
where
    T: Samples + Bytes,
    Op: Trace<T> + Clone,
{
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (number, (layout, axis)) in cases().into_iter().enumerate() {
        for kind in [[Kind::Ordinary, Kind::Few][number % 2], Kind::Special] {
            let buffers = T::drawn(&mut random, &layout, kind);
            let reduction = Reduction::new(op.clone()).axes([axis]);
            T::with(&buffers, &layout, |views| {
                let expected = all::<Op::Result>(reduction.run(views).expect("a result"));
                let computed = gpu.prepare(reduction.clone()).run(views);
                let at = format!("{name}, {layout:?}, axis {axis}, {kind:?}");
                let computed = all::<Op::Result>(computed.unwrap_or_else(|e| panic!("{at}: {e}")));
                assert_eq!(computed, expected, "{at}");
            });
        }
    }
}

/// Calls `check` for each tuple and each of its types.
macro_rules! hold {
    ($($op:expr => [$($ty:ty),*];)*) => {$(
        // Kernels are dropped with their device.
        let gpu = Gpu::new().expect("a device");
        $(check::<_, $ty>(&gpu, &$op, concat!(stringify!($op), " over ", stringify!($ty)));)*
    )*};
}

#[test]
fn members_of_all_kinds() {
    hold! {
        (ReduceSum, ReduceMean, Variance { correction: 1 }) => [f32, f64];
        (ReduceMean, ReduceMax, ArgMax::default()) => [f16, f32, i32];
        (Histogram::<10> { low: -2.0, high: 2.0 }, ReduceSum, TopK::<3>) => [f32];
        (PolynomialHash::default(), ReduceMax) => [u8];
        (ReduceLogSumExp,) => [f32];
    }
}

#[test]
fn tuples_within_tuples() {
    hold! {
        ((ReduceMin, ArgMin { select_last_index: true }), (ReduceL1, (ReduceProd, Largest))) => [f32, i32];
        (ReduceSum, ReduceMean, ReduceL1, ReduceL2, ReduceMax, ReduceMin, ArgMax::default(), MeanVariance) => [f16];
    }
}

#[test]
fn elements_that_several_members_select() {
    hold! {
        (Largest, ArgMin::default()) => [f16, f32, f64];
        (ReduceSum, Largest, Largest) => [i32];
    }
}

/// Along rows the CPU reads the element at the position once more, and so does the device.
#[test]
fn a_selected_zero_has_its_own_sign() {
    let gpu = Gpu::new().expect("a device");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut element = || match random.next() % 3 {
        0 => 0.0f32,
        1 => -0.0,
        _ => -1.0,
    };
    let data: Vec<f32> = (0..12_000).map(|_| element()).collect();
    for (shape, axis) in [(&[5][..], 0), (&[12_000], 0), (&[40, 300], 1)] {
        let view = View::new(&data[..shape.iter().product()], shape).expect("a shape");
        let reduction = Reduction::new((ReduceSum, Largest, Largest)).axes([axis]);
        let expected = reduction.run(&view).expect("results");
        let computed = gpu.prepare(reduction).run(&view).expect("results");
        type Results = (f32, (f32, i64), (f32, i64));
        assert_eq!(all::<Results>(computed), all::<Results>(expected), "{shape:?}");
    }
}

#[test]
fn members_that_doubt_are_mended_alone() {
    hold! {
        (ReduceMax, ReduceL2, ReduceSum, ReduceSumSquare) => [f32, f64];
        (ReduceMin, (ReduceL2, (ReduceMean, Variance { correction: 0 }))) => [f32];
    }
}

#[test]
fn the_result_that_is_doubted_is_mended() {
    // The squares overflow, and the sum of absolute values does not.
    let view = View::new(&[3e30f32, -4e30], &[2]).expect("two elements");
    let gpu = Gpu::new().expect("a device");
    let lengths = gpu.prepare(Reduction::new((ReduceL1, ReduceSumSquare, (ReduceL2,))));
    let (sum, squares, (length,)) = lengths.run(&view).expect("results");
    assert_eq!((sum.data(), squares.data()), (&[3e30 + 4e30][..], &[f32::INFINITY][..]));
    assert_eq!(length.data(), [5e30]);
}

#[test]
fn what_several_members_read_is_read_once() {
    let trace = |traced: Result<Traced, _>| traced.map(|traced| traced.steps).expect("a trace");
    let steps =
        trace(Trace::<f32>::trace(&(ReduceMax, Largest, (ReduceSum, ArgMax::default())), 9));
    assert_eq!((steps.members, steps.inputs), (4, vec![Some(0), None]));
    assert_eq!(steps.selects, [1..3, 4..6]);
    let steps = trace(Trace::<(f32, f32)>::trace(&(Dot, SquaredError), 9));
    assert_eq!((steps.members, steps.inputs), (2, vec![Some(0), Some(1)]));
}

#[test]
fn several_inputs() {
    hold! {
        (Dot, Cosine::default()) => [(f32, f32), (f16, f16), (f64, f64)];
        (SquaredError, (Dot, Cosine::default())) => [(f32, f32)];
    }
}
