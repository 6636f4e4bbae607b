//! The file of the block, as exporters write one: norms and softmax are reductions and elementwise nodes.

use reduce_onnx::Model;
use reduce_onnx::proto::attribute_proto::AttributeType;
use reduce_onnx::proto::tensor_proto::DataType;
use reduce_onnx::proto::tensor_shape_proto::Dimension;
use reduce_onnx::proto::tensor_shape_proto::dimension::Value;
use reduce_onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};

use super::{HEADS, WIDTH, weights};

/// The nodes of a norm that is called `name`.
fn norm(name: &str, x: &str, y: &str) -> String {
    format!(
        "ReduceMean {x} -> {name}.mean | axes=-1
        Sub {x} {name}.mean -> {name}.centred
        Mul {name}.centred {name}.centred -> {name}.squares
        ReduceMean {name}.squares -> {name}.variance | axes=-1
        Add {name}.variance epsilon -> {name}.shifted
        Sqrt {name}.shifted -> {name}.deviation
        Div {name}.centred {name}.deviation -> {name}.normed
        Mul {name}.normed {name}.scale -> {name}.scaled
        Add {name}.scaled {name}.bias -> {y}\n"
    )
}

/// A product whose heads become the outer axis.
fn heads(name: &str, perm: &str) -> String {
    format!(
        "MatMul n1 w{name} -> {name}.rows
        Reshape {name}.rows split -> {name}.split
        Transpose {name}.split -> {name} | perm={perm}\n"
    )
}

/// All nodes, in the order in which they run. At opset 17 the axes of `ReduceSum` are an input, and those of the others
/// an attribute.
pub(super) fn nodes() -> Vec<NodeProto> {
    let text = [
        &norm("norm1", "x", "n1"),
        &heads("q", "1,0,2"),
        &heads("k", "1,2,0"),
        &heads("v", "1,0,2"),
        "MatMul q k -> products
        Div products root -> scores
        ReduceMax scores -> largest | axes=-1 keepdims=1
        Sub scores largest -> differences
        Exp differences -> exponentials
        ReduceSum exponentials last -> totals | keepdims=1
        Div exponentials totals -> shares
        MatMul shares v -> mixed
        Transpose mixed -> tokens | perm=1,0,2
        Reshape tokens joined -> rows
        MatMul rows wo -> attended
        Add x attended -> residual\n",
        &norm("norm2", "residual", "n2"),
        "MatMul n2 up -> up.rows
        Add up.rows up.bias -> up.sums
        Relu up.sums -> hidden
        MatMul hidden down -> down.rows
        Add down.rows down.bias -> fed
        Add residual fed -> y",
    ];
    text.concat().lines().map(node).collect()
}

/// A node of a text such as `ReduceSum x axes -> y | keepdims=0`; axes and permutations are lists.
pub(super) fn node(text: &str) -> NodeProto {
    let (text, attributes) = text.split_once('|').unwrap_or((text, ""));
    let (left, output) = text.split_once("->").expect("an arrow");
    let mut words = left.split_whitespace().map(str::to_owned);
    NodeProto {
        op_type: words.next().expect("an operator"),
        input: words.collect(),
        output: vec![output.trim().to_owned()],
        attribute: attributes.split_whitespace().map(attribute).collect(),
        ..NodeProto::default()
    }
}

fn attribute(text: &str) -> AttributeProto {
    let (name, value) = text.split_once('=').expect("a name and a value");
    let ints: Vec<i64> = value.split(',').map(|int| int.parse().expect("an integer")).collect();
    let (r#type, i, ints) = match name {
        "keepdims" => (AttributeType::Int, ints[0], vec![]),
        _ => (AttributeType::Ints, 0, ints),
    };
    AttributeProto {
        name: name.to_owned(),
        r#type: r#type.into(),
        i,
        ints,
        ..AttributeProto::default()
    }
}

/// A model of opset 17 with these nodes, and the weights of the block.
pub(super) fn model(nodes: &[NodeProto]) -> Model {
    let signed = |size: usize| i64::try_from(size).expect("small");
    let mut initializer = Vec::new();
    for (name, shape, data) in weights() {
        initializer.push(TensorProto {
            name: name.to_owned(),
            dims: shape.into_iter().map(signed).collect(),
            data_type: DataType::Float.into(),
            raw_data: data.iter().flat_map(|x| x.to_le_bytes()).collect(),
            ..TensorProto::default()
        });
    }
    let (heads, width) = (signed(HEADS), signed(WIDTH));
    for (name, list) in
        [("split", &[-1, heads, width / heads][..]), ("joined", &[-1, width]), ("last", &[-1])]
    {
        initializer.push(TensorProto {
            name: name.to_owned(),
            dims: vec![signed(list.len())],
            data_type: DataType::Int64.into(),
            int64_data: list.to_vec(),
            ..TensorProto::default()
        });
    }
    let graph = GraphProto {
        name: "block".to_owned(),
        node: nodes.to_vec(),
        initializer,
        input: vec![rows("x", width)],
        output: vec![rows("y", width)],
        ..GraphProto::default()
    };
    let model = ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
        graph: Some(graph),
        ..ModelProto::default()
    };
    Model::from_proto(&model).expect("it has a graph")
}

/// A matrix of floats, of as many rows as there are tokens.
fn rows(name: &str, width: i64) -> ValueInfoProto {
    let dim = |value| Dimension { value: Some(value) };
    let dim = vec![dim(Value::DimParam("tokens".to_owned())), dim(Value::DimValue(width))];
    let shape = Some(TensorShapeProto { dim });
    let tensor_type = Some(type_proto::Tensor { elem_type: DataType::Float.into(), shape });
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type }) }
}
