//! `reduce model`: any model runs or is refused, joined or not, with inputs of the shapes that it declares.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use reduce_cli::fuzzing::tensor_shape_proto::dimension::Value;
use reduce_cli::fuzzing::{
    ModelProto, TensorProto, ValueInfoProto, answer, read_tensor, write_array,
};
use reduce_fuzz::{prepare, scratch, within};

/// The values of a model may take up to this many bytes, whatever its size. Their copies count, too: a converted
/// operand, a printed result.
const BOUND: usize = 3 << 28;

/// Axes and sizes of an input, at most; a model may declare any.
const AXES: usize = 4;
const SIZE: i64 = 4;

/// An array of the declared type and shape, as an argument.
fn argument(number: usize, info: &ValueInfoProto) -> Option<String> {
    let declared = info.r#type.as_ref()?.tensor_type.as_ref()?;
    let dims = declared.shape.iter().flat_map(|shape| &shape.dim).take(AXES);
    let dims: Vec<i64> = dims
        .map(|dim| match dim.value {
            Some(Value::DimValue(size)) => size.clamp(0, SIZE),
            _ => 2,
        })
        .collect();
    let count = dims.iter().product::<i64>();
    // In each list; the type says which of them counts. Bits of halves are numbers near 1.
    let proto = TensorProto {
        data_type: declared.elem_type,
        float_data: (0..count).map(|x| (x % 7 - 3) as f32).collect(),
        double_data: (0..count).map(|x| (x % 7 - 3) as f64).collect(),
        int32_data: (0..count).map(|x| i32::from(x % 3 == 1)).collect(),
        int64_data: (0..count).map(|x| x % 5 - 2).collect(),
        uint64_data: (0..count).map(|x| x.unsigned_abs() % 5).collect(),
        dims,
        ..TensorProto::default()
    };
    let array = read_tensor(&proto.encode_to_vec()).ok()?;
    let path = scratch::path(&format!("{number}.npy"));
    write_array(&path, &array).expect("room");
    Some(format!("{}={}", info.name, scratch::text(&path)))
}

/// What is printed; of the elements, only that they are there: joined, they are rounded less often.
fn run(model: &str, inputs: &[String], more: &[&str]) -> Result<String, String> {
    let mut arguments = vec!["model", model];
    arguments.extend(inputs.iter().flat_map(|input| ["--input", input]));
    arguments.extend(more);
    answer(&arguments).map(|(text, _)| text)
}

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    let Ok(model) = ModelProto::decode(bytes) else { return };
    let graph = model.graph.unwrap_or_default();
    let given = |info: &&ValueInfoProto| graph.initializer.iter().all(|tensor| tensor.name != info.name);
    let infos = graph.input.iter().filter(given).take(8).enumerate();
    let inputs: Vec<String> = infos.filter_map(|(number, info)| argument(number, info)).collect();
    let path = scratch::file("a.onnx", bytes);
    let path = scratch::text(&path);
    let joined = within(BOUND, || run(path, &inputs, &[]));
    let single = within(BOUND, || run(path, &inputs, &["--no-fuse"]));
    let heading = |text: &String| text.lines().next().map(str::to_owned);
    match (&joined, &single) {
        (Ok(joined), Ok(single)) => assert_eq!(heading(joined), heading(single)),
        // Without joining, a value on the way may be too large, or have no form.
        (Ok(_), Err(_)) => {}
        (Err(problem), Ok(_)) => panic!("joined nodes are refused, and single ones run: {problem}"),
        (Err(_), Err(_)) => {}
    }
    let plan = run(path, &inputs, &["--explain"]);
    assert!(single.is_err() || plan.is_ok(), "it runs, and has no plan: {plan:?}");
});
