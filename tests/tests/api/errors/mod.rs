//! Errors: every kind that a caller can meet says, in one lower-case sentence
//! without a full stop, what is wrong.

mod ops;

use std::collections::{BTreeMap, BTreeSet};

use reduce_core::along::ScanStream;
use reduce_core::nodes::{AttrValue, AxesInput, Node, OpEntry, PlannedCall};
use reduce_core::planning::Layout;
use reduce_core::{
    AnyGroups, AnyTensor, Axes, DType, Error, ErrorKind, Groups, Level, OpSpec, Progress,
    Reduction, Shape, SkipNan, State, Stream, Tensor, View, ViewMut,
};
use reduce_specs::{ArgMax, NEWEST_OPSET, ONNX, ReduceL1, ReduceMean, ReduceSum};

use super::emission::ops::LessSum;
use ops::{Both, Choosy, Copies, Counts, Plain, Twice};

static PLAIN: OpEntry = OpEntry::of::<Plain>();

/// The error of something that must fail.
fn error<T, E>(result: Result<T, E>) -> E {
    result.err().expect("must be refused")
}

/// The sums of two rows of two numbers.
fn planned_sums() -> PlannedCall {
    let node = Node::new(13, DType::F32).axes([1]).attr("keepdims", 0);
    let rows = Layout::new(DType::F32, &[2, 2]).expect("small");
    ONNX.prepare("ReduceSum", &node).expect("valid").plan(&[rows]).expect("valid")
}

/// The error of a reduction that is stopped before it begins.
fn stopped(progress: &Progress) -> Error {
    progress.stop();
    error(
        Reduction::new(ReduceSum).progress(progress).run(&View::new(&[1.0f32], &[1]).expect("one")),
    )
}

/// The sum of one number of `i64`, to be written as one of `i32`.
fn narrow_sum() -> PlannedCall {
    let node = Node::new(13, DType::I64).attr("keepdims", 0);
    let [one, narrow] = [(DType::I64, &[1][..]), (DType::I32, &[])]
        .map(|(dtype, shape): (_, &[usize])| Layout::new(dtype, shape).expect("small"));
    let call = ONNX.prepare("ReduceSum", &node).expect("valid");
    call.plan_into(&[one], &[narrow]).expect("valid")
}

fn about_shapes_and_views() -> Vec<Error> {
    let data = [1.0f32, 2.0, 3.0, 4.0];
    let view = View::new(&data, &[2, 2]).expect("four elements");
    let scalar = View::new(&data[..1], &[]).expect("one element");
    let doubles = View::new(&[1.0f64], &[1]).expect("one element");
    let list = View::new(&data, &[4]).expect("four elements");
    let shape = Shape::new(&[2, 2, 2]).expect("small");
    let sum = || Reduction::new(ReduceSum);
    let new_state = || Stream::<ReduceSum, f32>::over(sum()).state().expect("fits");
    vec![
        error(Shape::new(&[usize::MAX, 2])),
        error(View::new(&data, &[3])),
        error(Reduction::new(SkipNan(ReduceSum)).order(&view)),
        {
            let mut stream = Stream::over(Reduction::new(ReduceSum).axes([1]));
            stream.update(&view).expect("elements");
            error(stream.update(&View::new(&data, &[4, 1]).expect("four elements")))
        },
        error(Reduction::new(LessSum).scanning().exclusive(true).emit(&doubles)),
        error(ScanStream::over(sum().scanning().reversed(true)).update(&view)),
        {
            let mut stream = ScanStream::over(sum().axes([0]).scanning());
            stream.update(&view).expect("elements");
            error(stream.update(&View::new(&data, &[1, 4]).expect("four elements")))
        },
        error(Reduction::new(Both).run(&(view.clone(), View::new(&data[..3], &[3]).expect("3")))),
        error(Reduction::new(Both).run_any(&view.clone().into())),
        error(Reduction::new(Twice).run_any(&view.clone().into())),
        error(sum().run_into(&view, &mut [])),
        error(Reduction::new(Choosy).run(&view)),
        error(View::with_strides(&data, &[2, 2], &[1], 0)),
        error(Axes::all().resolve(usize::MAX)),
        ErrorKind::NoMemory { bytes: 1 << 40 }.into(),
        stopped(&Progress::default()),
        {
            let state = State { accumulators: vec![1.0], count: usize::MAX, ..new_state() };
            error(Stream::<ReduceSum, f32>::resume(sum(), state))
        },
        error(Stream::<ReduceL1, f32>::resume(Reduction::new(ReduceL1), new_state())),
        {
            let mut stream = Stream::over(sum().axes([0]));
            stream.update(&view).expect("elements");
            let state = stream.state().expect("fits");
            error(Stream::<ReduceSum, f32>::resume(sum().axes([1]), state))
        },
        {
            let counts = View::new(&[0u64], &[1]).expect("one").into();
            let some = View::new(&[1.0f32], &[1]).expect("one").into();
            let mut groups = Groups::<_, f32>::new(ReduceSum, 1).expect("few");
            error(groups.merge_columns(&[counts, some], &[0], None))
        },
        error(Axes::all().resolve(2).expect("all axes").output_shape(&shape, true)),
        error(View::with_strides(&data, &[2, 2], &[2, 1], 1)),
        error(ViewMut::with_strides(&mut [0.0f32; 4], &[2, 2], &[1, 1], 0)),
        error(
            sum().axes([1]).run_into_view(&view, &mut ViewMut::new(&mut [0.0], &[1]).expect("one")),
        ),
        error(planned_sums().run(&[(&data[..]).into()], &mut [(&mut [0i32; 2][..]).into()])),
        error(planned_sums().run(&[(&data[..]).into()], &mut [])),
        error(narrow_sum().run(&[(&[1i64 << 40][..]).into()], &mut [(&mut [0i32][..]).into()])),
        error(view.permute(&[0, 0])),
        error(view.slice(0, 2, 1, 1)),
        error(view.slice(0, 0, 1, 0)),
        error(view.slice(5, 0, 1, 1)),
        error(view.broadcast(&[2, 3])),
        error(sum().planned(&view).expect("valid").run_into(&list, &mut [0.0])),
        error(sum().axes([2]).run(&view)),
        error(sum().axes([0]).run(&scalar)),
        error(sum().axes([0, -2]).run(&view)),
        error(Reduction::new(ReduceMean).run(&View::new(&[0i32; 0], &[0]).expect("empty"))),
        error(
            Reduction::new(SkipNan(ArgMax::default()))
                .run(&View::new(&[f32::NAN], &[1]).expect("one")),
        ),
        error(sum().axes(Axes::none()).run(&scalar.broadcast(&[1 << 61]).expect("one element"))),
        error(sum().run_any(&View::new(&[true], &[1]).expect("one element").into())),
        error(sum().by_key(&[0, 1, 2, 0], 2).run(&list)),
        error(sum().axes([0]).by_key(&[0, 1, 1, 0], 2).run(&list)),
        error(sum().by_offsets(&[0, 3, 2]).run(&list)),
        error(Reduction::new(ArgMax::default()).by_key(&[0u8; 4], 2).run(&list)),
        error(Groups::<_, f32>::new(ReduceSum, 1).expect("few").merge_columns(&[], &[0], None)),
        error(Groups::<_, f32>::new(ReduceSum, 1).expect("few").remove(&list, 0)),
        error(Groups::<_, f32>::new(Counts, 1).expect("few").remove(&list, 0)),
        error(AnyGroups::new(Copies::default(), &[DType::F32])),
        // The feature `arrow` has this one.
        ErrorKind::OtherArray { found: "Utf8".to_owned() }.into(),
    ]
}

/// Every level that this CPU lacks: no CPU has those of two architectures.
fn about_levels() -> Vec<Error> {
    let view = View::new(&[1.0f32], &[1]).expect("one element");
    let run = |level| Reduction::new(ReduceSum).level(level).run(&view).err();
    Level::ALL.into_iter().filter_map(run).collect()
}

fn about_nodes() -> Vec<Error> {
    let node = |opset| Node::new(opset, DType::F32);
    let sum = ONNX.op("ReduceSum").expect("registered");
    let prepare = |node| error(sum.prepare(&node)).errors().to_vec();
    let axes = [0i32; 2];
    let matrix = Tensor::new(vec![0i64; 2], &[1, 2]).expect("two elements");
    let narrow = Tensor::from_list(vec![0i32; 2]);
    let data = View::new(&axes, &[2]).expect("two elements");
    let call = sum.prepare(&node(13)).expect("valid");
    let runtime = || Node::new(13, DType::I32).axes(AxesInput::runtime());
    let later = sum.prepare(&runtime()).expect("valid");
    let plain = PLAIN.prepare(&node(13)).expect("valid");
    let row = Layout::new(DType::F32, &[2]).expect("small");
    let two = [row.clone(), row];
    [
        vec![error(call.plan_emission(&two)), error(plain.plan_emission(&two))],
        vec![error(plain.skip_nan(true).plan_emission(&two[..1]))],
        vec![error(later.run(&data.clone().into())), error(later.output_shape(data.shape()))],
        error(sum.convert(&runtime(), 12)).errors().to_vec(),
        vec![error(ONNX.op("ReduceSums")), error(ONNX.op("Conv")), error(ONNX.check_opset(0))],
        vec![error(ONNX.check_opset(NEWEST_OPSET + 1)), error(call.run(&data.into()))],
        prepare(node(0)),
        prepare(Node::new(12, DType::BF16)),
        prepare(Node::new(12, DType::I8)),
        prepare(node(13).attr("keepdim", 1).attr("nonsense", 1)),
        prepare(node(13).attr("axes", [0])),
        prepare(node(12).attr("noop_with_empty_axes", 1)),
        prepare(node(13).attr("keepdims", 1).attr("keepdims", 1)),
        prepare(node(13).attr("keepdims", AttrValue::Other("a string"))),
        prepare(node(13).attr("keepdims", 2)),
        error(ONNX.prepare("ArgMax", &node(13).shape([].as_slice()))).errors().to_vec(),
        prepare(node(12).axes([0])),
        error(PLAIN.prepare(&node(13).axes([0]))).errors().to_vec(),
        prepare(node(13).axes(AnyTensor::from(matrix))),
        prepare(node(13).axes(AnyTensor::from(narrow))),
    ]
    .concat()
}

/// The name of a kind, as `Debug` prints it.
fn name_of(kind: &ErrorKind) -> String {
    let debug = format!("{kind:?}");
    debug.chars().take_while(|c| c.is_alphanumeric()).collect()
}

#[test]
fn every_kind_is_one_sentence() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for error in [about_shapes_and_views(), about_levels(), about_nodes()].concat() {
        *kinds.entry(name_of(error.kind())).or_default() += 1;
        assert_sentence(error.kind());
    }
    let met: BTreeSet<&str> = kinds.keys().map(String::as_str).collect();
    let all: BTreeSet<&str> = ErrorKind::ALL.iter().map(|(_, name)| *name).collect();
    assert_eq!(met, all, "a kind that no test provokes");
}

#[track_caller]
fn assert_sentence(kind: &ErrorKind) {
    let message = kind.to_string();
    assert!(message.len() > 10, "{kind:?} says {message:?}");
    let starts_with_a_name = message.starts_with("Reduce");
    assert!(starts_with_a_name || !message.starts_with(char::is_uppercase), "{message:?}");
    let full_stop = |text: &str| text.ends_with(['.', '!', '?']) && !text.ends_with("..");
    assert!(!full_stop(&message), "{message:?} ends with a full stop");
    let inner = message.match_indices(' ').any(|(space, _)| full_stop(&message[..space]));
    assert!(!inner, "{message:?} is more than a sentence");
    assert!(!message.contains(['\n', '\t']) && !message.contains("  "), "{message:?}");
    assert_eq!(message.trim(), message);
    for unfinished in ["``", "[]", "{", "}"] {
        assert!(!message.contains(unfinished), "{message:?} has {unfinished:?}");
    }
}

/// An error of a named operator starts with its name and version, once.
#[test]
fn the_operator_comes_first() {
    let errors: Vec<Error> = about_nodes();
    let (named, others): (Vec<&Error>, Vec<&Error>) =
        errors.iter().partition(|error| error.to_string().contains(" at version "));
    assert!(named.len() >= 12 && others.len() >= 4);
    for error in named {
        let message = error.to_string();
        let (op, rest) = message.split_once(" at version ").expect("just found");
        assert!(["ArgMax", "ReduceSum", "Plain"].contains(&op), "{message}");
        let (version, sentence) = rest.split_once(": ").expect("a colon");
        version.parse::<u32>().expect("a number");
        assert_eq!(sentence, error.kind().to_string());
    }
}

/// What there is one of is not called by the name of several.
/// A list of as many axes as a tensor may have is read, and one of more is not.
#[test]
fn lists_of_axes_are_as_long_as_ranks() {
    let sum = ONNX.prepare("ReduceSum", &Node::new(13, DType::F32)).expect("valid");
    let zero = View::new(&[0i64], &[1]).expect("one axis");
    let code = |axes: usize| {
        let axes = zero.broadcast(&[axes]).expect("the same axis again and again");
        let data = View::new(&[1.0f32], &[1]).expect("a list");
        error(sum.run_with_axes(&data.into(), &axes.into())).code()
    };
    assert_eq!([1 << 20, (1 << 20) + 1].map(code), ["duplicate-axis", "rank-too-large"]);
}

/// What every reduction has is no parameter of the operator.
#[test]
fn parameters_are_the_operators_own() {
    let params = ArgMax::SCHEMA.params(&[("select_last_index", 1.into())]).expect("its parameter");
    assert!(ArgMax::configure(&params).select_last_index);
    for name in ["keepdims", "axis"] {
        let problems = error(ArgMax::SCHEMA.params(&[(name, 0.into())])).to_string();
        assert!(problems.contains(&format!("`{name}`")), "{problems}");
    }
}

#[test]
fn one_is_not_several() {
    let one = View::new(&[1.0f32], &[1]).expect("one element");
    let sum = ONNX.op("ReduceSum").expect("registered");
    let later = sum.prepare(&Node::new(13, DType::F32).axes(AxesInput::runtime()));
    let two = AxesInput::Runtime { dtype: DType::I64, shape: [2].into() };
    let two = sum.prepare(&Node::new(13, DType::F32).axes(two)).expect("valid");
    let axis = View::new(&[0i64], &[1]).expect("one axis").into();
    let of_scalar = AxesInput::Runtime { dtype: DType::I64, shape: [1].into() };
    let of_scalar = Node::new(13, DType::F32).axes(of_scalar).shape([].as_slice());
    assert!(later.is_ok());
    for (message, words) in [
        (error(View::new(&[1.0f32], &[2])).to_string(), "has 1 element;"),
        (error(View::with_strides(&[1.0f32], &[1], &[1], 1)).to_string(), "buffer of 1 element"),
        (error(View::with_strides(&[1.0f32], &[1, 1], &[1], 0)).to_string(), "has 1 entry;"),
        (error(two.run_with_axes(&one.clone().into(), &axis)).to_string(), "has 1 element;"),
        (error(sum.prepare(&of_scalar)).to_string(), "has 1 entry;"),
        (error(Reduction::new(ReduceSum).run_into(&one, &mut [0.0; 2])).to_string(), "2 elements;"),
    ] {
        assert!(message.contains(words) || message.ends_with(words), "{words} in {message}");
    }
}

/// A step may be negative, so a message must not ask for a positive one, and an
/// axis that is not there has no range to be within.
#[test]
fn slices_say_what_is_wrong() {
    let data = [0u8; 4];
    let view = View::new(&data, &[2, 2]).expect("four elements");
    for error in [view.slice(0, 0, 1, 0), view.slice(0, 1, 3, -1)].map(error) {
        let message = error.to_string();
        assert!(!message.contains("step of at least 1"), "{message}");
    }
    let message = error(view.slice(5, 0, 0, 1)).to_string();
    assert!(message.contains("axis 5") && !message.contains("0..0 of"), "{message}");
    assert!(message.contains("rank 2"), "{message}");
}

/// Errors can be sent, shared, boxed and compared.
#[test]
fn errors_are_ordinary_errors() {
    fn boxed(error: impl std::error::Error + Send + Sync + 'static) -> String {
        let boxed: Box<dyn std::error::Error + Send + Sync> = error.into();
        boxed.to_string()
    }
    let errors = about_shapes_and_views();
    assert_eq!(errors, about_shapes_and_views());
    for error in errors {
        assert_eq!(boxed(error.clone()), error.to_string());
        assert_eq!(boxed(reduce_core::Problems::from(error.clone())), error.to_string());
    }
}
