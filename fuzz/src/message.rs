//! Models as messages, held against one another without the code that changes them.

use std::ops::Range;

use reduce_specs::ONNX;

/// The command may take up to this many bytes for a model, plus [`FACTOR`] times the file's bytes. The bytes of its own
/// arguments are extra. An empty node takes two bytes of a file and some hundred of memory. Its list grows to twice as
/// many, while the old one is there. The node is also counted, named and shown.
pub const BOUND: usize = 1 << 22;
/// See [`BOUND`].
pub const FACTOR: usize = 4096;

/// Chooses a number below `count`, by what the bytes are.
pub fn chosen(bytes: &[u8], count: usize) -> usize {
    bytes.iter().map(|&byte| usize::from(byte)).sum::<usize>() % count
}

/// A field of a message.
#[derive(Clone, Debug)]
struct Field<'a> {
    number: u64,
    whole: &'a [u8],
    /// What is in it, without key and length.
    content: &'a [u8],
}

/// The fields of a message that was decoded once.
fn fields(message: &[u8]) -> Vec<Field<'_>> {
    let (mut fields, mut next) = (Vec::new(), 0);
    while next < message.len() {
        let start = next;
        let key = varint(message, &mut next);
        let content = content(message, key, &mut next);
        fields.push(Field {
            number: key >> 3,
            whole: &message[start..next],
            content: &message[content],
        });
    }
    fields
}

fn content(message: &[u8], key: u64, next: &mut usize) -> Range<usize> {
    match key & 7 {
        0 => drop(varint(message, next)),
        1 => *next += 8,
        2 => {
            let length = usize::try_from(varint(message, next)).expect("it was decoded");
            *next += length;
            return *next - length..*next;
        }
        3 => loop {
            // A group, up to the key that ends it.
            let start = *next;
            let key = varint(message, next);
            if key & 7 == 4 {
                return start..start;
            }
            content(message, key, next);
        },
        5 => *next += 4,
        kind => panic!("it was decoded, with kind {kind}"),
    }
    *next..*next
}

fn varint(message: &[u8], next: &mut usize) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = message[*next];
        *next += 1;
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

/// The contents of the fields of a number.
fn all(message: &[u8], number: u64) -> Vec<&[u8]> {
    let found = fields(message).into_iter().filter(|field| field.number == number);
    found.map(|field| field.content).collect()
}

/// All fields but those of some numbers, byte for byte.
fn others<'a>(message: &'a [u8], numbers: &[u64]) -> Vec<&'a [u8]> {
    let kept = fields(message).into_iter().filter(|field| !numbers.contains(&field.number));
    kept.map(|field| field.whole).collect()
}

/// A text: the last one, as decoders have it.
fn text(message: &[u8], number: u64) -> &[u8] {
    all(message, number).pop().unwrap_or_default()
}

/// Where a graph, or a function, has what may change.
struct Numbers {
    nodes: u64,
    initializers: Option<u64>,
    imports: Option<u64>,
}

const GRAPH: Numbers = Numbers { nodes: 1, initializers: Some(5), imports: None };
const FUNCTION: Numbers = Numbers { nodes: 7, initializers: None, imports: Some(9) };

/// That two models are the same but for their reductions, the tensors of axes, and the imports of opsets.
///
/// # Panics
/// If they are not.
pub fn assert_others_same(before: &[u8], after: &[u8]) {
    // A format without imports becomes one that has them.
    let may_change: &[u64] = if all(before, 8).is_empty() { &[1, 7, 8, 25] } else { &[7, 8, 25] };
    assert_eq!(others(before, may_change), others(after, may_change), "fields of the model");
    pairs(&all(before, 7), &all(after, 7), |before, after| bodies(before, after, &GRAPH));
    pairs(&all(before, 25), &all(after, 25), |before, after| bodies(before, after, &FUNCTION));
}

fn pairs(before: &[&[u8]], after: &[&[u8]], same: impl Fn(&[u8], &[u8])) {
    assert_eq!(before.len(), after.len(), "there are more or fewer");
    before.iter().zip(after).for_each(|(before, after)| same(before, after));
}

fn bodies(before: &[u8], after: &[u8], numbers: &Numbers) {
    let mut may_change = vec![numbers.nodes];
    may_change.extend(numbers.initializers);
    may_change.extend(numbers.imports);
    assert_eq!(others(before, &may_change), others(after, &may_change), "fields of a body");
    if let Some(number) = numbers.initializers {
        initializers(&all(before, number), &all(after, number));
    }
    // Nodes that give axes come and go.
    let nodes = |body| {
        let mut nodes = all(body, numbers.nodes);
        nodes.retain(|node| text(node, 4) != b"Constant");
        nodes
    };
    pairs(&nodes(before), &nodes(after), node);
}

/// Those that came and those that went are lists of `i64`; all others are there, in their order.
fn initializers(before: &[&[u8]], after: &[&[u8]]) {
    const I64: u64 = 7;
    let is_axes = |tensor: &&&[u8]| {
        let mut kinds = fields(tensor).into_iter().filter(|field| field.number == 2);
        kinds.next_back().is_some_and(|field| {
            let mut next = 0;
            varint(field.whole, &mut next);
            varint(field.whole, &mut next) == I64
        })
    };
    let kept = |list: &[&[u8]], other: &[&[u8]]| -> Vec<Vec<u8>> {
        let (kept, gone): (Vec<_>, Vec<_>) = list.iter().partition(|tensor| other.contains(tensor));
        assert!(gone.iter().all(|tensor| is_axes(&tensor)), "a tensor came or went");
        kept.into_iter().map(<[u8]>::to_vec).collect()
    };
    let [mut old, mut new] = [kept(before, after), kept(after, before)];
    // Of several that are alike, one may have gone.
    old.dedup();
    new.dedup();
    assert_eq!(old, new, "initializers");
}

fn node(before: &[u8], after: &[u8]) {
    let is_standard = matches!(text(before, 7), b"" | b"ai.onnx");
    let name = String::from_utf8_lossy(text(before, 4));
    if is_standard && ONNX.op(&name).is_ok() {
        assert_eq!(others(before, &[1, 5]), others(after, &[1, 5]), "fields of a reduction");
        return;
    }
    assert_eq!(others(before, &[5]), others(after, &[5]), "fields of a node");
    pairs(&all(before, 5), &all(after, 5), |before, after| {
        assert_eq!(others(before, &[6, 11]), others(after, &[6, 11]), "fields of an attribute");
        for number in [6, 11] {
            pairs(&all(before, number), &all(after, number), |before, after| {
                bodies(before, after, &GRAPH);
            });
        }
    });
}
