//! Any model runs or is refused, joined or not, with inputs of the shapes that it declares.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use reduce_core::{AnyTensor, DType, Shape};
use reduce_fuzz::{prepare, within};
use reduce_onnx::proto::tensor_shape_proto::dimension;
use reduce_onnx::proto::{TensorProto, ValueInfoProto};
use reduce_onnx::{Error, Input, Model, Program, Sizes, Value, read_tensor};

/// The values of a model may take up to this many bytes, whatever its size. Their copies count, too, as of a
/// converted operand.
const BOUND: usize = 3 << 28;

/// Axes and sizes of an input, at most; a model may declare any.
const AXES: usize = 4;
const SIZE: i64 = 4;

/// A tensor of the declared type and shape.
fn given(info: &ValueInfoProto) -> Option<AnyTensor> {
    let declared = info.r#type.as_ref()?.tensor_type.as_ref()?;
    let dims = declared.shape.iter().flat_map(|shape| &shape.dim).take(AXES);
    let dims: Vec<i64> = dims
        .map(|dim| match dim.value {
            Some(dimension::Value::DimValue(size)) => size.clamp(0, SIZE),
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
    read_tensor(&proto.encode_to_vec()).ok()
}

/// Types and shapes of the results, with chains joined or not. Of the elements, joined ones are rounded less often.
fn run(
    program: &Program<'_>,
    inputs: &[Option<AnyTensor>],
    joins: bool,
) -> Result<Vec<(DType, Shape)>, Error> {
    let mut sizes = Sizes::default();
    let mut values = Vec::new();
    for (input, tensor) in program.inputs().iter().zip(inputs) {
        let value = tensor.as_ref().map(|tensor| Value::from(tensor.view()));
        value.iter().try_for_each(|value| sizes.check(input, value))?;
        values.push(value);
    }
    let dtypes: Vec<_> = values.iter().map(|value| value.as_ref().map(Value::dtype)).collect();
    let results = program.plan(&dtypes, joins)?.run(values)?;
    let heading = |value: &Value<'_>| (value.dtype(), value.shape().clone());
    Ok(results.iter().map(heading).collect())
}

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    let Ok(model) = Model::from_bytes(bytes.to_vec()) else { return };
    let Ok(program) = within(BOUND, || Program::new(&model)) else { return };
    let tensor = |input: &Input<'_>| {
        let is_given = !input.has_default();
        is_given.then(|| given(input.declared())).flatten()
    };
    let inputs: Vec<Option<AnyTensor>> = program.inputs().iter().map(tensor).collect();
    let joined = within(BOUND, || run(&program, &inputs, true));
    let single = within(BOUND, || run(&program, &inputs, false));
    match (&joined, &single) {
        (Ok(joined), Ok(single)) => assert_eq!(joined, single),
        // Without joining, a value on the way may be too large, or have no form.
        (Ok(_), Err(_)) => {}
        (Err(problem), Ok(_)) => panic!("joined nodes are refused, and single ones run: {problem}"),
        (Err(_), Err(_)) => {}
    }
    let declared: Vec<_> = program.inputs().iter().map(Input::dtype).collect();
    let plan = program.plan(&declared, true).map(|plan| plan.explain());
    assert!(single.is_err() || plan.is_ok(), "it runs, and has no plan: {plan:?}");
});
