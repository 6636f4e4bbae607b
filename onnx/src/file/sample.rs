//! The model of the examples, as it is made: `REDUCE_BLESS=1 cargo test -p reduce-onnx sample` writes it anew.

use std::path::Path;

use prost::Message;

use super::proto::attribute_proto::AttributeType;
use super::proto::tensor_proto::DataType;
use super::proto::tensor_shape_proto::Dimension;
use super::proto::tensor_shape_proto::dimension::Value;
use super::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorShapeProto,
    TypeProto, ValueInfoProto, type_proto,
};

/// A node of a name: what it reads, what it gives.
fn node(name: &str, op: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        name: name.to_owned(),
        op_type: op.to_owned(),
        input: inputs.iter().map(|&input| input.to_owned()).collect(),
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

/// A value of floats; a size has a name or is a number.
fn floats(name: &str, sizes: &[Value]) -> ValueInfoProto {
    let dim = sizes.iter().map(|size| Dimension { value: Some(size.clone()) }).collect();
    let shape = Some(TensorShapeProto { dim });
    let tensor = type_proto::Tensor { elem_type: DataType::Float.into(), shape };
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type: Some(tensor) }) }
}

/// The root of the mean of the squares of each row, at opset 13.
fn rms() -> ModelProto {
    let rows = || Value::DimParam("rows".to_owned());
    let axes = AttributeProto {
        name: "axes".to_owned(),
        r#type: AttributeType::Ints.into(),
        ints: vec![1],
        ..AttributeProto::default()
    };
    let keepdims = AttributeProto {
        name: "keepdims".to_owned(),
        r#type: AttributeType::Int.into(),
        ..AttributeProto::default()
    };
    let mean = NodeProto {
        attribute: vec![axes, keepdims],
        ..node("mean", "ReduceMean", &["squares"], "means")
    };
    let graph = GraphProto {
        name: "rms".to_owned(),
        node: vec![
            node("square", "Mul", &["x", "x"], "squares"),
            mean,
            node("root", "Sqrt", &["means"], "y"),
        ],
        input: vec![floats("x", &[rows(), Value::DimValue(2)])],
        output: vec![floats("y", &[rows()])],
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 13 }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

#[test]
fn the_sample_is_what_this_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rms.onnx");
    if std::env::var_os("REDUCE_BLESS").is_some() {
        std::fs::write(&path, rms().encode_to_vec()).expect("a folder of data");
    }
    assert_eq!(std::fs::read(&path).expect("the sample"), rms().encode_to_vec());
}
