//! Results of a device have the bits of the CPU's: every operator, over every type that it takes, every kind of layout, and
//! special values.

mod support;

use std::collections::BTreeSet;

use reduce_core::bounds::Written;
use reduce_core::{Reduction, bf16, f8e4m3fn, f8e5m2, f16};
use reduce_gallery as gallery;
use reduce_gpu::trace::Trace;
use reduce_gpu::{Bytes, Gpu};
use reduce_specs as specs;

use support::operators::{gallery, standard};
use support::samples::{Kind, Layout, Random, Samples, bits};

/// Layouts, and the axes that are reduced.
fn cases() -> Vec<(Layout, Vec<i64>)> {
    let rows = |shape: &[usize], axes: &[i64]| (Layout::rows(shape), axes.to_vec());
    vec![
        rows(&[1], &[0]),
        rows(&[5], &[0]),
        rows(&[17], &[0]),
        rows(&[1000], &[0]),
        rows(&[9001], &[0]),
        rows(&[7, 300], &[1]),
        rows(&[300, 40], &[0]),
        rows(&[500, 3], &[0]),
        rows(&[500, 3], &[1]),
        rows(&[6, 50, 4], &[1]),
        rows(&[12, 5, 30], &[0, 2]),
        (Layout::strided(&[40, 70], &[1, 40], 0), vec![1]),
        (Layout::strided(&[40, 70], &[-70, 1], 2730), vec![0]),
        (Layout::strided(&[30, 20], &[60, 3], 7), vec![1]),
        (Layout::strided(&[30, 20], &[0, 1], 5), vec![0]),
    ]
}

/// What was found.
#[derive(Default)]
struct Found {
    operators: BTreeSet<&'static str>,
    rows: usize,
    runs: usize,
    results: usize,
    differing: Vec<String>,
}

impl Found {
    fn hold(self) {
        let Found { operators, rows, runs, results, differing } = self;
        println!("{} operators, {rows} rows, {runs} runs, {results} results", operators.len());
        assert!(
            differing.is_empty(),
            "{} of {runs} differ:\n{}",
            differing.len(),
            differing.join("\n")
        );
    }
}

fn check<Op, T>(gpu: &Gpu, op: &Op, name: &'static str, ty: &str, found: &mut Found)
where
    T: Samples + Bytes,
    Op: Trace<T> + Clone,
{
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    found.operators.insert(name);
    found.rows += 1;
    for (number, (layout, axes)) in cases().into_iter().enumerate() {
        let one_axis = name.contains("Arg") && axes.len() > 1;
        if one_axis {
            continue;
        }
        let kind = [Kind::Ordinary, Kind::Few, Kind::Special][number % 3];
        let buffers = <T as Samples>::drawn(&mut random, &layout, kind);
        let reduction = Reduction::new(op.clone()).axes(axes.clone());
        let compared = T::with(&buffers, &layout, |views| {
            let expected = reduction.run(views).map_err(|error| error.to_string())?;
            let prepared = gpu.prepare(reduction.clone());
            let computed = prepared.run(views).map_err(|error| error.to_string())?;
            let all = <Op::Result as Written>::any;
            let of = |tensors| all(tensors).iter().map(bits).collect::<Vec<_>>();
            Ok::<_, String>((of(expected), of(computed)))
        });
        found.runs += 1;
        let at = format!("{name} over {ty}, {layout:?}, axes {axes:?}, {kind:?}");
        match compared {
            Err(error) => found.differing.push(format!("{at}: {}", &error[..error.len().min(300)])),
            Ok((expected, computed)) => {
                found.results += expected.iter().map(Vec::len).sum::<usize>();
                if expected != computed {
                    let pairs = expected.concat().into_iter().zip(computed.concat());
                    let pairs: Vec<_> = pairs.filter(|(a, b)| a != b).take(3).collect();
                    found.differing.push(format!("{at}: {pairs:x?}"));
                }
            }
        }
    }
}

#[test]
fn operators_of_the_standard_have_the_bits_of_the_cpu() {
    let mut found = Found::default();
    macro_rules! each {
        ($($op:expr => [$($ty:ty),*];)*) => {$(
            // Kernels are dropped with their device.
            let gpu = Gpu::new().expect("a device");
            $(check::<_, $ty>(&gpu, &$op, stringify!($op), stringify!($ty), &mut found);)*
        )*};
    }
    standard!(each);
    found.hold();
}

#[test]
fn operators_of_the_gallery_have_the_bits_of_the_cpu() {
    let mut found = Found::default();
    macro_rules! each {
        ($($op:expr => [$($ty:ty),*];)*) => {$(
            let gpu = Gpu::new().expect("a device");
            $(check::<_, $ty>(&gpu, &$op, stringify!($op), stringify!($ty), &mut found);)*
        )*};
    }
    gallery!(each);
    found.hold();
}
