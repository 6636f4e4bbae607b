//! Operators that start from a value or are computed in another type, on a device: the bits of the CPU's results.

#[path = "support/samples.rs"]
mod samples;

use reduce_core::bounds::Written;
use reduce_core::numbers::Compensated;
use reduce_core::{Reduction, f16};
use reduce_gallery::{MeanVariance, TopK, Variance};
use reduce_gpu::trace::Trace;
use reduce_gpu::{Bytes, Gpu};
use reduce_specs::{ArgMax, ArgMin, ReduceL2, ReduceMax, ReduceMean, ReduceProd, ReduceSum};

use samples::{Kind, Layout, Random, Samples, bits};

/// Layouts, and the axis that is reduced.
fn cases() -> Vec<(Layout, i64)> {
    vec![
        (Layout::rows(&[5]), 0),
        (Layout::rows(&[9001]), 0),
        (Layout::rows(&[7, 300]), 1),
        (Layout::rows(&[300, 40]), 0),
        (Layout::strided(&[30, 20], &[60, 3], 7), 1),
    ]
}

/// Holds a reduction against the CPU.
fn check<Op, T>(gpu: &Gpu, reduction: &Reduction<Op>, name: &str)
where
    T: Samples + Bytes,
    Op: Trace<T> + Clone,
{
    let all = |tensors| <Op::Result as Written>::any(tensors).iter().map(bits).collect::<Vec<_>>();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (layout, axis) in cases() {
        for kind in [Kind::Ordinary, Kind::Few, Kind::Special] {
            let buffers = T::drawn(&mut random, &layout, kind);
            let reduction = reduction.clone().axes([axis]);
            T::with(&buffers, &layout, |views| {
                let expected = all(reduction.run(views).expect("a result"));
                let at = format!("{name}, {layout:?}, axis {axis}, {kind:?}");
                let computed = gpu.prepare(reduction.clone()).run(views);
                let computed = all(computed.unwrap_or_else(|error| panic!("{at}: {error}")));
                assert_eq!(computed, expected, "{at}");
            });
        }
    }
}

/// Calls `check` for each operator and each of its types.
macro_rules! hold {
    (|$op:ident| $reduction:expr; $($of:expr => [$($ty:ty),*];)*) => {$(
        let gpu = Gpu::new().expect("a device");
        $({
            let $op = Reduction::new($of);
            let name = concat!(stringify!($of), " over ", stringify!($ty));
            check::<_, $ty>(&gpu, &$reduction, name);
        })*
    )*};
}

#[test]
fn sums_in_double_precision() {
    hold! {
        |op| op.computing_in::<f64>();
        ReduceSum => [f16, f32];
        Variance { correction: 1 } => [f32];
        (ReduceMean, ReduceProd) => [f32];
    }
}

#[test]
fn sums_with_corrections() {
    hold! {
        |op| op.computing_in::<Compensated<f32>>();
        ReduceSum => [f16, f32];
        (ReduceMean, ReduceL2) => [f32];
        MeanVariance => [f32];
    }
    hold! {
        |op| op.computing_in::<Compensated<f64>>();
        ReduceMean => [f64];
    }
}

#[test]
fn a_value_before_all_elements() {
    hold! {
        |op| op.initial(1.5f32);
        ReduceSum => [f32];
        TopK::<3> => [f32];
        (ReduceMax, ArgMax::default(), Variance { correction: 0 }) => [f32];
    }
    hold! {
        |op| op.initial(-3i32);
        (ReduceProd, ArgMin { select_last_index: true }) => [i32];
    }
    hold! {
        |op| op.initial(f16::from_f32(2.5));
        ReduceMean => [f16];
    }
}
