//! Shape inference: what is known of a result before it runs, for data whose
//! shape is known in part.

use reduce_core::nodes::{AttrValue, AxesInput, Call, Dim, Node, PartialShape};
use reduce_core::{AnyTensor, DType, Tensor, View};
use reduce_specs::ONNX;

fn named(name: &str) -> Dim {
    Dim::Named(name.to_owned())
}

/// `[batch, 3, ?]`
fn images() -> PartialShape {
    PartialShape::new([named("batch"), Dim::Known(3), Dim::Unknown])
}

fn call(op: &str, node: &Node) -> Call {
    ONNX.prepare(op, node).unwrap_or_else(|error| panic!("{op}: {error}"))
}

fn sum() -> Node {
    Node::new(13, DType::F32)
}

/// The inferred shape, as it is written.
fn inferred(op: &str, node: &Node, shape: &PartialShape) -> String {
    call(op, node).infer(shape).expect("the axes fit").to_string()
}

#[test]
fn kept_axes_keep_what_is_known_of_them() {
    let shape = |node: Node| inferred("ReduceSum", &node, &images());
    assert_eq!(shape(sum().axes([1])), "[batch, 1, ?]");
    assert_eq!(shape(sum().axes([-1])), "[batch, 3, 1]");
    assert_eq!(shape(sum().axes([0, 2]).attr("keepdims", 0)), "[3]");
    assert_eq!(shape(sum().axes([1]).attr("keepdims", 0)), "[batch, ?]");
    assert_eq!(shape(sum()), "[1, 1, 1]");
    assert_eq!(shape(sum().attr("keepdims", 0)), "[]");
    let noop = sum().attr("noop_with_empty_axes", 1);
    assert_eq!(shape(noop.clone()), "[batch, 3, ?]");
    assert_eq!(shape(noop.clone().attr("keepdims", 0)), "[batch, 3, ?]");
    assert_eq!(shape(noop.axes([0])), "[1, 3, ?]");
}

#[test]
fn one_axis() {
    let arg = || Node::new(13, DType::F32);
    for op in ["ArgMax", "ArgMin"] {
        assert_eq!(inferred(op, &arg(), &images()), "[1, 3, ?]");
        assert_eq!(inferred(op, &arg().attr("keepdims", 0), &images()), "[3, ?]");
        assert_eq!(inferred(op, &arg().attr("axis", -2), &images()), "[batch, 1, ?]");
        let dropped = arg().attr("axis", 2).attr("keepdims", 0);
        assert_eq!(inferred(op, &dropped, &images()), "[batch, 3]");
        assert_eq!(inferred(op, &dropped, &PartialShape::unknown()), "of unknown rank");
        assert!(call(op, &arg()).infer(&PartialShape::new([])).is_err(), "rank 0 has no axis 0");
        assert_eq!(call(op, &arg()).output_dtype(), DType::I64);
    }
}

#[test]
fn unknown_ranks() {
    let shape = |node: Node| inferred("ReduceSum", &node, &PartialShape::unknown());
    assert_eq!(shape(sum()), "of unknown rank");
    assert_eq!(shape(sum().attr("keepdims", 0)), "[]", "a scalar, whatever the rank");
    assert_eq!(shape(sum().axes([0])), "of unknown rank");
    assert_eq!(shape(sum().axes([0]).attr("keepdims", 0)), "of unknown rank");
    assert_eq!(shape(sum().axes(AxesInput::runtime())), "of unknown rank");
    let noop = sum().attr("noop_with_empty_axes", 1).attr("keepdims", 0);
    assert_eq!(shape(noop), "of unknown rank");
}

/// The same number twice is one axis twice, whatever the rank is; other numbers may be.
#[test]
fn axes_named_twice_at_an_unknown_rank() {
    let of = |axes: &[i64]| {
        let node = sum().axes(axes.to_vec()).shape(PartialShape::unknown());
        ONNX.prepare("ReduceSum", &node).map(|_| ()).map_err(|problems| problems.to_string())
    };
    for axes in [[0, 0], [-1, -1]] {
        let problems = of(&axes).expect_err("named twice");
        assert!(problems.contains(&format!("axis {} is named twice", axes[0])), "{problems}");
    }
    assert_eq!(of(&[0, -1]), Ok(()));
}

/// Axes that are computed: how many there are may be known, which is not.
fn computed(count: Dim) -> AxesInput {
    AxesInput::Runtime { dtype: DType::I64, shape: PartialShape::new([count]) }
}

#[test]
fn the_rank_is_known_where_the_axes_are_not() {
    let anything = [
        AxesInput::runtime(),
        computed(named("n")),
        AxesInput::Runtime { dtype: DType::I64, shape: PartialShape::unknown() },
    ];
    for axes in anything {
        let shape = |node: Node| inferred("ReduceSum", &node.axes(axes.clone()), &images());
        assert_eq!(shape(sum()), "[?, ?, ?]");
        assert_eq!(shape(sum().attr("keepdims", 0)), "of unknown rank");
    }
    let ones = PartialShape::new([Dim::Known(1), named("n"), Dim::Known(1)]);
    let runtime = sum().axes(AxesInput::runtime());
    assert_eq!(inferred("ReduceSum", &runtime, &ones), "[1, ?, 1]", "1, reduced or not");
}

#[test]
fn a_known_number_of_axes() {
    let shape = |count: usize, keepdims: i64, noop: i64| {
        let node = sum().axes(computed(Dim::Known(count))).attr("keepdims", keepdims);
        inferred("ReduceSum", &node.attr("noop_with_empty_axes", noop), &images())
    };
    assert_eq!(shape(1, 0, 0), "[?, ?]");
    assert_eq!(shape(2, 0, 1), "[?]");
    assert_eq!(shape(3, 0, 0), "[]");
    assert_eq!(shape(2, 1, 0), "[?, ?, ?]");
    assert_eq!(shape(0, 1, 0), "[1, 1, 1]", "none are all");
    assert_eq!(shape(0, 0, 0), "[]", "none are all");
    assert_eq!(shape(0, 0, 1), "[batch, 3, ?]", "none are none");
}

/// One operator, axes and flags, with the node that says it.
struct Request {
    op: &'static str,
    node: Node,
    /// The axes computed at run time, if they are.
    later: Option<Vec<i64>>,
}

/// Every choice of axes of a rank: constant, computed with their number known
/// or not; as the one axis of `ArgMax`.
fn requests(rank: usize) -> Vec<Request> {
    let mut requests = Vec::new();
    let signed = i64::try_from(rank).expect("small");
    let spell = |axis: i64| if axis % 2 == 0 { axis } else { axis - signed };
    for flags in 0..4 {
        let (keepdims, noop) = (flags & 1, flags >> 1);
        let node = || Node::new(18, DType::F32).attr("keepdims", keepdims);
        for mask in 0..1 << rank {
            let axes: Vec<i64> =
                (0..signed).filter(|axis| mask >> axis & 1 == 1).map(spell).collect();
            let node = || node().attr("noop_with_empty_axes", noop);
            let mut add = |node, later| requests.push(Request { op: "ReduceMax", node, later });
            add(node().axes(axes.clone()), None);
            add(node().axes(AxesInput::runtime()), Some(axes.clone()));
            add(node().axes(computed(Dim::Known(axes.len()))), Some(axes));
        }
        for axis in 0..signed {
            let node = node().attr("axis", spell(axis));
            requests.push(Request { op: "ArgMin", node, later: None });
        }
    }
    requests
}

/// Every shape of a rank, of sizes 1, 2 and 3.
fn shapes(rank: usize) -> Vec<Vec<usize>> {
    let mut shapes = vec![Vec::new()];
    for _ in 0..rank {
        let longer =
            |shape: &Vec<usize>| [1, 2, 3].map(|size| [shape.as_slice(), &[size]].concat());
        shapes = shapes.iter().flat_map(longer).collect();
    }
    shapes
}

/// The shape with each size known, named or unknown: every combination.
fn partial(shape: &[usize]) -> Vec<Vec<Dim>> {
    let mut all = vec![Vec::new()];
    for (axis, &size) in shape.iter().enumerate() {
        let choices = [Dim::Known(size), named(&format!("d{axis}")), Dim::Unknown];
        let longer =
            |dims: &Vec<Dim>| choices.clone().map(|dim| [dims.as_slice(), &[dim]].concat());
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Whether a shape may turn out to be this one, where `d3` is the size of axis 3.
fn admits(inferred: &PartialShape, actual: &[usize], data: &[usize]) -> bool {
    let Some(dims) = inferred.dims() else { return true };
    let fits = |(dim, &size): (&Dim, &usize)| match dim {
        Dim::Known(known) => *known == size,
        Dim::Named(name) => data[name[1..].parse::<usize>().expect("an axis")] == size,
        Dim::Unknown => true,
    };
    dims.len() == actual.len() && dims.iter().zip(actual).all(fits)
}

fn run(request: &Request, call: &Call, data: &View<'_, f32>) -> AnyTensor {
    let data = data.clone().into();
    let result = match &request.later {
        None => call.run(&data),
        Some(axes) => {
            let axes: AnyTensor = Tensor::from_list(axes.clone()).into();
            call.run_with_axes(&data, &axes.view())
        }
    };
    result.unwrap_or_else(|error| panic!("{:?}: {error}", request.node))
}

/// Fully known shapes infer to what a run gives; whatever less is known never
/// contradicts it, and kept axes keep their names.
#[test]
fn inference_never_contradicts_a_run() {
    const ELEMENTS: [f32; 81] = [1.0; 81];
    let (mut runs, mut inferences) = (0, 0);
    for rank in 0..=4 {
        for request in requests(rank) {
            let call = call(request.op, &request.node);
            for shape in shapes(rank) {
                let data = View::new(&ELEMENTS[..shape.iter().product()], &shape).expect("sized");
                let result = run(&request, &call, &data);
                let actual = result.shape().dims();
                runs += 1;
                if request.later.is_none() {
                    let known = call.infer(&shape.as_slice().into()).expect("the axes fit");
                    assert_eq!(known, PartialShape::from(actual), "{:?}", request.node);
                    assert_eq!(&call.output_shape(data.shape()).expect("the same"), result.shape());
                }
                // Sizes of 3 add nothing to those of 2 below.
                if shape.contains(&3) {
                    continue;
                }
                inferences += check_partial(&request, &call, &shape, actual);
            }
        }
    }
    println!("{runs} runs, {inferences} inferences from partial shapes");
    assert!(runs > 10_000 && inferences > 100_000);
}

fn check_partial(request: &Request, call: &Call, shape: &[usize], actual: &[usize]) -> usize {
    let keeps = request.node.attrs.contains(&("keepdims".to_owned(), AttrValue::Int(1)));
    let all = partial(shape);
    for dims in &all {
        let inferred = call.infer(&PartialShape::new(dims.iter().cloned())).expect("the axes fit");
        assert!(admits(&inferred, actual, shape), "{:?}: {inferred}", request.node);
        if keeps || request.later.is_none() {
            assert_eq!(inferred.rank(), Some(actual.len()), "{:?}", request.node);
        }
        if request.later.is_none() {
            check_names(request, dims, &inferred);
        }
    }
    let unknown = call.infer(&PartialShape::unknown()).expect("nothing to contradict");
    assert!(admits(&unknown, actual, shape), "{:?}: {unknown}", request.node);
    all.len()
}

/// Each size of the result is one of the data's in its place, or 1.
fn check_names(request: &Request, dims: &[Dim], inferred: &PartialShape) {
    let mut rest = dims.iter();
    let keeps = inferred.rank() == Some(dims.len());
    for (place, dim) in inferred.dims().expect("a known rank").iter().enumerate() {
        let known = match keeps {
            true => *dim == dims[place] || *dim == Dim::Known(1),
            false => rest.any(|kept| kept == dim),
        };
        assert!(known, "{:?}: {inferred} of {dims:?}", request.node);
    }
}

/// What is known of the shape when the node is prepared does not bind the call.
#[test]
fn a_call_infers_for_any_shape() {
    let node = sum().axes([2]).shape(images());
    assert_eq!(inferred("ReduceSum", &node, &images()), "[batch, 3, 1]");
    let problem = call("ReduceSum", &node).infer(&PartialShape::of_rank(2)).expect_err("rank 2");
    assert_eq!((problem.code(), problem.op()), ("axis-out-of-range", Some("ReduceSum")));
}
