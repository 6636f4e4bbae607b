//! ONNX models, encoded without the command's own code.
//!
//! A message is a list of fields. A field is a number, the kind of its value, and the value. Two kinds are enough here:
//! integers, seven bits to a byte, and bytes with their number before them.

/// A model of opset 18 of these nodes, inputs and outputs.
pub(crate) fn model(nodes: &[Vec<u8>], inputs: &[Vec<u8>], outputs: &[&str]) -> Vec<u8> {
    [without_opset(nodes, inputs, outputs), import(18)].concat()
}

/// The import of an opset, to go behind a model.
pub(crate) fn import(opset: u64) -> Vec<u8> {
    field(8, &integer(2, opset))
}

/// The version of the format, to go behind a model.
pub(crate) fn ir_version(version: u64) -> Vec<u8> {
    integer(1, version)
}

/// A model that imports nothing and has no version.
pub(crate) fn without_opset(nodes: &[Vec<u8>], inputs: &[Vec<u8>], outputs: &[&str]) -> Vec<u8> {
    let nodes = nodes.iter().flat_map(|node| field(1, node));
    let inputs = inputs.iter().flat_map(|input| field(11, input));
    let outputs = outputs.iter().flat_map(|name| field(12, &field(1, name.as_bytes())));
    let graph: Vec<u8> = nodes.chain(inputs).chain(outputs).collect();
    field(7, &graph)
}

/// A node: its operator, and names separated by blanks.
pub(crate) fn node(op: &str, inputs: &str, outputs: &str) -> Vec<u8> {
    let names = |number, names: &str| -> Vec<u8> {
        names.split_whitespace().flat_map(|name| field(number, name.as_bytes())).collect()
    };
    [names(1, inputs), names(2, outputs), field(4, op.as_bytes())].concat()
}

/// An attribute of a node that is an integer; 2 is the number of that type.
pub(crate) fn int(name: &str, value: u64) -> Vec<u8> {
    field(5, &[field(1, name.as_bytes()), integer(3, value), integer(20, 2)].concat())
}

/// An attribute of a node that is a list of integers; 7 is the number of that type.
pub(crate) fn ints(name: &str, values: &[u64]) -> Vec<u8> {
    let values: Vec<u8> = values.iter().flat_map(|&value| integer(8, value)).collect();
    field(5, &[field(1, name.as_bytes()), values, integer(20, 7)].concat())
}

/// The name of a node.
pub(crate) fn named(name: &str) -> Vec<u8> {
    field(3, name.as_bytes())
}

/// An input of a type, by its number, and of sizes: numbers or names.
pub(crate) fn input(name: &str, dtype: u64, sizes: &[&str]) -> Vec<u8> {
    let size = |text: &&str| match text.parse() {
        Ok(size) => field(1, &integer(1, size)),
        Err(_) => field(1, &field(2, text.as_bytes())),
    };
    let shape: Vec<u8> = sizes.iter().flat_map(size).collect();
    let tensor = field(1, &[integer(1, dtype), field(2, &shape)].concat());
    [field(1, name.as_bytes()), field(2, &tensor)].concat()
}

fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    let length = u64::try_from(bytes.len()).expect("a length");
    [varint(number << 3 | 2), varint(length), bytes.to_vec()].concat()
}

fn integer(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value.to_le_bytes()[0] | 128);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}
