//! Nodes on a device: every operator of ONNX, at every version, over every type; and the errors of the CPU.

#[path = "support/samples.rs"]
mod samples;

use reduce_core::dtypes::with_dtype;
use reduce_core::nodes::{AxesInput, Call, Node, OpEntry, Registry};
use reduce_core::schema::VersionSchema;
use reduce_core::{AnyView, DType, View};
use reduce_gallery::{Dot, MeanVariance};
use reduce_gpu::{Gpu, Library};
use reduce_specs::{ONNX, ReduceMax};

use samples::{Kind, Layout, Random, Sample, Samples, bits};

fn gpu() -> Gpu {
    Gpu::new().expect("a device")
}

/// What is made of a view of elements of some type.
fn with_view<R>(
    dtype: DType,
    layout: &Layout,
    kind: Kind,
    then: impl FnOnce(&AnyView<'_>) -> R,
) -> R {
    fn typed<T, R>(layout: &Layout, kind: Kind, then: impl FnOnce(&AnyView<'_>) -> R) -> R
    where
        T: Sample + Samples<Buffers = Vec<T>>,
    {
        let buffer = T::drawn(&mut Random(0x2545_f491_4f6c_dd1d), layout, kind);
        let view = View::with_strides(&buffer, &layout.shape, &layout.strides, layout.offset);
        then(&view.expect("a layout").into())
    }
    with_dtype!(dtype, T => typed::<T, R>(layout, kind, then))
}

/// A node over the last axis, with attributes that are not the default.
fn node(version: &VersionSchema, dtype: DType) -> Node {
    let node = Node::new(version.since, dtype).attr("keepdims", 0);
    let node = match version.attr("select_last_index") {
        Some(_) => node.attr("select_last_index", 1),
        None => node,
    };
    match (version.axes_input, version.attr("axis")) {
        (true, _) => node.axes([-1]),
        (false, Some(_)) => node.attr("axis", 1),
        (false, None) => node.attr("axes", [1]),
    }
}

#[test]
fn every_operator_of_the_registry_runs() {
    let (gpu, library) = (gpu(), Library::onnx());
    let layouts = [
        (Layout::rows(&[7, 300]), Kind::Few),
        (Layout::strided(&[30, 20], &[60, 3], 7), Kind::Special),
    ];
    let (mut runs, mut differing) = (0, Vec::new());
    for entry in ONNX.ops() {
        let name = entry.schema().name;
        for version in entry.schema().history() {
            for row in &version.dtypes {
                let dtype = row.input;
                assert!(library.types(name).contains(&&[dtype][..]), "{name} over {dtype}");
                let call = ONNX.prepare(name, &node(&version, dtype)).expect(name);
                for (layout, kind) in &layouts {
                    let both = with_view(dtype, layout, *kind, |view| {
                        let computed = library.run(&gpu, &call, view).expect(name);
                        let expected = call.run(view).expect(name);
                        assert_eq!(computed.shape(), expected.shape());
                        (computed.dtype(), bits(&computed)) == (expected.dtype(), bits(&expected))
                    });
                    runs += 1;
                    if !both {
                        differing
                            .push(format!("{name} {} over {dtype}, {layout:?}", version.since));
                    }
                }
            }
        }
    }
    println!("{runs} runs");
    assert!(
        differing.is_empty() && runs > 300,
        "{} of {runs}:\n{}",
        differing.len(),
        differing.join("\n")
    );
}

/// The sentences of a call on the device and on the CPU.
fn errors(gpu: &Gpu, call: &Call, data: &AnyView<'_>) -> [String; 2] {
    let computed = Library::onnx().run(gpu, call, data).expect_err("an error");
    [computed.to_string(), call.run(data).expect_err("an error").to_string()]
}

#[test]
fn errors_are_those_of_the_cpu() {
    let gpu = gpu();
    let floats: AnyView<'_> = View::new(&[1.0f32, 2.0], &[2]).expect("a view").into();
    let integers: AnyView<'_> = View::new(&[1i32, 2], &[2]).expect("a view").into();
    let none: AnyView<'_> = View::new(&[0i32; 0], &[2, 0]).expect("a view").into();
    let sum = |node: Node| ONNX.prepare("ReduceSum", &node).expect("a call");
    let float = || Node::new(13, DType::F32);
    let mean =
        ONNX.prepare("ReduceMean", &Node::new(13, DType::I32).attr("axes", [1])).expect("a call");
    for (call, data, words) in [
        (sum(float()), &integers, "`i32`"),
        (sum(float().axes([1])), &floats, "axis 1 is out of range"),
        (sum(float().axes(AxesInput::runtime())), &floats, "axes"),
        (mean.clone(), &integers, "axis 1 is out of range"),
        (mean, &none, "no value over an empty set"),
    ] {
        let [computed, expected] = errors(&gpu, &call, data);
        assert_eq!(computed, expected);
        assert!(
            computed.starts_with("Reduce") && computed.contains(words),
            "{words} in {computed}"
        );
    }
    let skips = sum(float()).skip_nan(true);
    let error = Library::onnx().run(&gpu, &skips, &floats).expect_err("it skips NaN").to_string();
    assert!(error.contains("without `Masked` and `SkipNan`"), "{error}");
    let small = Library::new().with::<ReduceMax, (f32, f64)>();
    let error = small.run(&gpu, &sum(float()), &floats).expect_err("it is not there").to_string();
    assert_eq!(error, "operator `ReduceSum` is not in the library; add it with `Library::with`");
    let max = ONNX.prepare("ReduceMax", &Node::new(13, DType::I32)).expect("a call");
    let error = small.run(&gpu, &max, &integers).expect_err("no row").to_string();
    assert_eq!(
        error,
        "the library has operator `ReduceMax` not over `i32`; choose from `f32`, `f64`"
    );
}

#[test]
fn axes_may_come_later() {
    let (gpu, library) = (gpu(), Library::onnx());
    let call = ONNX.prepare("ReduceSum", &Node::new(13, DType::I32).axes(AxesInput::runtime()));
    let call = call.expect("a call");
    let data: AnyView<'_> = View::new(&[1, 2, 3, 4], &[2, 2]).expect("a view").into();
    let axes: AnyView<'_> = View::new(&[0i64], &[1]).expect("a view").into();
    let known = call.with_axes(&axes).expect("axes");
    assert!(!known.needs_axes());
    let computed = library.run(&gpu, &known, &data).expect("sums");
    assert_eq!(computed, call.run_with_axes(&data, &axes).expect("sums"));
}

#[test]
fn several_inputs_and_results() {
    static OPS: [OpEntry; 2] = [OpEntry::of::<Dot>(), OpEntry::of::<MeanVariance>()];
    static ENGINE: Registry = Registry::new(&OPS, 1);
    let gpu = gpu();
    let library =
        Library::new().with::<Dot, ((f32, f32), (f64, f64))>().with::<MeanVariance, (f32,)>();
    let (x, y) = ([1.0f32, 2.0, 3.0], [4.0f32, 5.0, 6.0]);
    let views = [&x, &y].map(|list| AnyView::from(View::new(list, &[3]).expect("a view")));
    let prepare = |name, inputs: &[DType]| {
        let call = ENGINE.prepare(name, &Node::new(1, DType::F32).attr("keepdims", 0));
        library.prepare(&gpu, &call.expect("a call"), inputs)
    };
    let dot = prepare("Dot", &[DType::F32; 2]).expect("a row");
    let run = dot.over(&views).expect("copied");
    for _ in 0..2 {
        let results = run().expect("a dot product");
        assert_eq!(results.iter().map(bits).collect::<Vec<_>>(), [[u64::from(32.0f32.to_bits())]]);
    }
    let both = prepare("MeanVariance", &[DType::F32]).expect("a row").run(&views[..1]);
    assert_eq!(both.expect("both").len(), 2);
    let error = dot.run(&views[..1]).expect_err("one input").to_string();
    assert_eq!(error, "the library has operator `Dot` not over `f32`; choose from (`f32`, `f32`)");
    let error = prepare("Dot", &[DType::F32, DType::F64]).expect_err("no row").to_string();
    assert!(error.contains("choose from (`f32`, `f32`), (`f64`, `f64`)"), "{error}");
}
