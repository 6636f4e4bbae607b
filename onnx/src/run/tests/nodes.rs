//! Every operator beside the reductions, held against what its page in the standard says.

use std::slice::from_ref;

use reduce_core::{AnyTensor, Element, bf16, f16};

use super::{
    AttributeProto, AttributeType, graph, int, ints, list, longs, matrix, node, of_type, one,
    refuses, results, tensor, with,
};
use crate::file::proto::GraphProto;
use crate::file::proto::tensor_proto::DataType;

fn gives(opset: i64, op: &str, inputs: &[AnyTensor], expected: &AnyTensor) {
    let names = ["x", "y", "z", "v", "w"][..inputs.len()].join(" ");
    let result = one(opset, &node(op, &names, "r"), inputs);
    assert_eq!(result.as_ref(), Ok(expected), "{op} of {inputs:?}");
}

fn fails(opset: i64, op: &str, inputs: &[AnyTensor], words: &str) {
    let names = ["x", "y", "z", "v", "w"][..inputs.len()].join(" ");
    let graph = graph(&[node(op, &names, "r")], &names, "r");
    refuses(opset, &graph, inputs, words);
}

fn halves(values: &[f32]) -> AnyTensor {
    list(&values.iter().map(|&x| f16::from_f32(x)).collect::<Vec<_>>())
}

#[test]
fn one_input_element_by_element() {
    gives(13, "Abs", &[list(&[-1.5f32, 0.0, 2.0])], &list(&[1.5f32, 0.0, 2.0]));
    gives(13, "Abs", &[list(&[i32::MIN, -3, 4])], &list(&[i32::MIN, 3, 4]));
    gives(13, "Abs", &[list(&[200u8])], &list(&[200u8]));
    gives(13, "Neg", &[list(&[1.5f64, -2.0])], &list(&[-1.5f64, 2.0]));
    gives(13, "Neg", &[list(&[i8::MIN, 5])], &list(&[i8::MIN, -5]));
    gives(13, "Sqrt", &[list(&[4.0f32, 2.25])], &list(&[2.0f32, 1.5]));
    gives(13, "Exp", &[list(&[0.0f32, f32::NEG_INFINITY])], &list(&[1.0f32, 0.0]));
    gives(13, "Log", &[list(&[1.0f64, 0.0])], &list(&[0.0f64, f64::NEG_INFINITY]));
    gives(13, "Exp", &[halves(&[0.0, 1.0])], &halves(&[1.0, std::f32::consts::E]));
    gives(13, "Abs", &[list(&[bf16::from_f32(-2.5)])], &list(&[bf16::from_f32(2.5)]));
    fails(13, "Exp", &[list(&[1i32])], "node 0 (Exp): is not for `i32`");
    fails(13, "Neg", &[list(&[1u8])], "is not for `u8`");
    fails(13, "Sqrt", &[list(&[true])], "is not for `bool`");
    // Longer than a block, and not a whole number of them.
    let long: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let roots: Vec<f32> = long.iter().map(|x| x.sqrt()).collect();
    gives(13, "Sqrt", &[list(&long)], &list(&roots));
}

#[test]
fn two_inputs_element_by_element() {
    let (a, b) = (list(&[7i32, -7, i32::MIN]), list(&[2i32, 2, -1]));
    for (op, expected) in [
        ("Add", [9i32, -5, i32::MAX]),
        ("Sub", [5, -9, i32::MIN + 1]),
        ("Mul", [14, -14, i32::MIN]),
        ("Div", [3, -3, i32::MIN]),
        ("Max", [7, 2, -1]),
        ("Min", [2, -7, i32::MIN]),
    ] {
        gives(14, op, &[a.clone(), b.clone()], &list(&expected));
    }
    fails(14, "Div", &[list(&[1u8, 2]), list(&[1u8, 0])], "divides an integer by zero");
    let ratios = [f32::INFINITY, -0.5];
    gives(14, "Div", &[list(&[1.0f32, 1.0]), list(&[0.0f32, -2.0])], &list(&ratios));
    // 2049 is no f16: computed in f32 and rounded once.
    gives(14, "Add", &[halves(&[2048.0]), halves(&[1.0])], &halves(&[2048.0]));
    gives(14, "Mul", &[halves(&[300.0]), halves(&[300.0])], &halves(&[f32::INFINITY]));
    fails(14, "Add", &[list(&[1.0f32]), list(&[1.0f64])], "one type, not `f32` and `f64`");
    fails(14, "Add", &[list(&[true]), list(&[true])], "is not for `bool`");
}

/// What is not a number wins, whichever side it is on.
#[test]
fn maxima_and_minima() {
    let (nan, number) = (list(&[f32::NAN]), list(&[1.0f32]));
    for op in ["Max", "Min"] {
        for inputs in [[nan.clone(), number.clone()], [number.clone(), nan.clone()]] {
            let result = one(13, &node(op, "x y", "r"), &inputs).expect("a number or none");
            let value = result.downcast::<f32>().expect("as the inputs").data()[0];
            assert!(value.is_nan(), "{op}");
        }
    }
    let three = [list(&[1u8, 9]), list(&[5u8, 0]), list(&[3u8])];
    gives(13, "Max", &three, &list(&[5u8, 9]));
    gives(13, "Min", &three[..1], &three[0]);
}

#[test]
fn powers() {
    gives(15, "Pow", &[list(&[2.0f32, -8.0]), list(&[3.0f32, 2.0])], &list(&[8.0f32, 64.0]));
    gives(15, "Pow", &[list(&[3i32, -2, 2]), list(&[4i64, 3, -1])], &list(&[81i32, -8, 0]));
    gives(15, "Pow", &[list(&[2i64]), list(&[0.5f32])], &list(&[1i64]));
    gives(15, "Pow", &[list(&[-1i64, 1]), list(&[-3i64, -4])], &list(&[-1i64, 1]));
    fails(15, "Pow", &[list(&[0i32]), list(&[-1i32])], "division by zero");
}

#[test]
fn shapes_broadcast() {
    let (row, column) = (list(&[1i32, 2, 3]), tensor(&[10i32, 20], &[2, 1]));
    let table = tensor(&[11i32, 12, 13, 21, 22, 23], &[2, 3]);
    gives(7, "Add", &[row.clone(), column.clone()], &table);
    gives(7, "Add", &[column.clone(), row.clone()], &table);
    gives(
        7,
        "Sub",
        &[table.clone(), tensor(&[1i32], &[])],
        &tensor(&[10i32, 11, 12, 20, 21, 22], &[2, 3]),
    );
    gives(7, "Mul", &[list::<i32>(&[]), list(&[3i32])], &list::<i32>(&[]));
    fails(7, "Add", &[row.clone(), list(&[1i32, 2])], "do not broadcast");
    fails(6, "Add", &[row.clone(), column.clone()], "equal, before opset 7");
    let old = with(int("broadcast", 1), node("Add", "x y", "r"));
    let old = one(6, &old, &[row, column]).expect_err("limited");
    assert!(old.contains("broadcasting of opsets before 7 is not run"), "{old}");
    // Rows that are too long to be gathered at once, and axes that cannot be merged.
    let long: Vec<i32> = (0..3000).collect();
    let doubled: Vec<i32> = long.iter().flat_map(|x| [*x, *x + 1]).collect();
    let (tall, pair) = (tensor(&long, &[3000, 1]), list(&[0i32, 1]));
    gives(7, "Add", &[tall, pair], &tensor(&doubled, &[3000, 2]));
    let wide: Vec<i32> = (0..2).flat_map(|x| long.iter().map(move |y| x + y)).collect();
    gives(7, "Add", &[tensor(&[0i32, 1], &[2, 1]), list(&long)], &tensor(&wide, &[2, 3000]));
    let cube: Vec<i32> = (0..24).collect();
    let middle: Vec<i32> = cube.iter().map(|x| x + 100 * (x / 4 % 3)).collect();
    let added = tensor(&[0i32, 100, 200], &[3, 1]);
    gives(7, "Add", &[tensor(&cube, &[2, 3, 4]), added], &tensor(&middle, &[2, 3, 4]));
}

fn cast<T: Element, R: Element>(from: &[T], to: DataType, expected: &[R]) {
    let cast = with(int("to", i32::from(to).into()), node("Cast", "x", "r"));
    assert_eq!(one(13, &cast, &[list(from)]), Ok(list(expected)), "{from:?} to {to:?}");
    let like = node("CastLike", "x y", "r");
    assert_eq!(one(15, &like, &[list(from), list::<R>(&[])]), Ok(list(expected)), "{from:?}");
}

#[test]
fn casts() {
    cast(&[1.9f32, -1.9, f32::NAN, 1e20], DataType::Int32, &[1i32, -1, 0, i32::MAX]);
    cast(&[300i32, -1], DataType::Uint8, &[44u8, 255]);
    cast(&[-1i32, 5], DataType::Int64, &[-1i64, 5]);
    cast(&[u64::MAX], DataType::Int64, &[-1i64]);
    cast(&[u64::MAX], DataType::Double, &[18_446_744_073_709_551_615.0f64]);
    cast(&[0.0f64, -0.0, 0.1, f64::NAN], DataType::Bool, &[false, false, true, true]);
    cast(&[true, false], DataType::Float, &[1.0f32, 0.0]);
    cast(&[1.0f64, 65520.0], DataType::Float16, &[f16::ONE, f16::INFINITY]);
    // Rounded once: over f32 it would become 1 + 2^-10.
    cast(&[1.0 + 2f64.powi(-11) - 2f64.powi(-40)], DataType::Float16, &[f16::ONE]);
    cast(&[1.0f32 + 2f32.powi(-8)], DataType::Bfloat16, &[bf16::ONE]);
    cast(&[16_777_217i64], DataType::Float, &[16_777_216.0f32]);
    // Over f64 it would be a tie, and go down.
    let (above, up) = ((1i64 << 60) + (1 << 36) + 1, 2f32.powi(60) + 2f32.powi(37));
    cast(&[above], DataType::Float, &[up]);
    let to = |attr| with(attr, node("Cast", "x", "r"));
    for (opset, node, words) in [
        (13, node("Cast", "x", "r"), "no attribute `to`"),
        (13, to(int("to", 8)), "its result has data type STRING"),
        (13, to(int("to", 99)), "unknown data type"),
        (
            13,
            with(int("saturate", 1), to(int("to", 1))),
            "`saturate` is given twice, or does not exist",
        ),
        (14, node("CastLike", "x x", "r"), "there is no CastLike at opset 14"),
    ] {
        refuses(opset, &graph(&[node], "x", "r"), &[matrix()], words);
    }
    let name = AttributeProto { s: b"INT64"[..].into(), ..of_type("to", AttributeType::String) };
    assert_eq!(one(1, &to(name), &[list(&[2.0f32])]), Ok(list(&[2i64])));
    assert_eq!(
        one(19, &with(int("saturate", 1), to(int("to", 1))), &[list(&[2i64])]),
        Ok(list(&[2.0f32]))
    );
}

#[test]
fn what_is_asked_of_shapes() {
    let cube = tensor(&[0u8; 24], &[2, 3, 4]);
    gives(13, "Shape", from_ref(&cube), &list(&[2i64, 3, 4]));
    gives(13, "Size", from_ref(&cube), &tensor(&[24i64], &[]));
    for (start, end, expected) in [
        (0, Some(1), &[2i64][..]),
        (-1, None, &[4]),
        (1, Some(-1), &[3]),
        (-9, Some(9), &[2, 3, 4]),
        (2, Some(1), &[]),
    ] {
        let mut shape = with(int("start", start), node("Shape", "x", "r"));
        shape.attribute.extend(end.map(|end| int("end", end)));
        assert_eq!(one(15, &shape, from_ref(&cube)), Ok(list(expected)), "{start} {end:?}");
        refuses(
            14,
            &graph(&[shape], "x", "r"),
            from_ref(&cube),
            "`start` is given twice, or does not exist",
        );
    }
    gives(1, "Identity", from_ref(&cube), &cube);
}

#[test]
fn axes_of_size_one_come_and_go() {
    let (flat, tall) = (list(&[1u8, 2]), tensor(&[1u8, 2], &[1, 2, 1]));
    let unsqueeze = with(ints("axes", &[0, -1]), node("Unsqueeze", "x", "r"));
    let squeeze = with(ints("axes", &[2, 0]), node("Squeeze", "x", "r"));
    assert_eq!(one(11, &unsqueeze, from_ref(&flat)), Ok(tall.clone()));
    assert_eq!(one(11, &squeeze, from_ref(&tall)), Ok(flat.clone()));
    gives(13, "Unsqueeze", &[flat.clone(), list(&[2i64, 0])], &tall);
    gives(13, "Squeeze", &[tall.clone(), list(&[-3i64, 2])], &flat);
    for opset in [11, 13] {
        gives(opset, "Squeeze", from_ref(&tall), &flat);
    }
    let one_input = |node| graph(&[node], "x", "r");
    refuses(13, &one_input(unsqueeze), from_ref(&flat), "`axes` is given twice, or does not exist");
    refuses(13, &one_input(squeeze), from_ref(&tall), "`axes` is given twice, or does not exist");
    fails(12, "Unsqueeze", &[flat.clone(), list(&[0i64])], "no attribute `axes`");
    fails(13, "Unsqueeze", from_ref(&flat), "has 1 inputs, not 2");
    fails(13, "Squeeze", &[tall, list(&[1i64])], "whose size is not 1");
    fails(13, "Unsqueeze", &[flat.clone(), list(&[0i64, 0])], "names axis 0 twice");
    fails(13, "Unsqueeze", &[flat.clone(), list(&[4i64])], "axis 4");
    fails(13, "Unsqueeze", &[flat, list(&[0i32])], "`i32`");
}

#[test]
fn reshapes() {
    let cube = tensor(&[0u8; 24], &[2, 3, 4]);
    for (sizes, shape) in
        [(&[4i64, -1][..], &[4usize, 6][..]), (&[0, 0, -1], &[2, 3, 4]), (&[-1], &[24])]
    {
        gives(5, "Reshape", &[cube.clone(), list(sizes)], &tensor(&[0u8; 24], shape));
    }
    let none = tensor::<u8>(&[], &[0, 3]);
    let zero = with(int("allowzero", 1), node("Reshape", "x y", "r"));
    assert_eq!(one(14, &zero, &[none.clone(), list(&[3i64, 0])]), Ok(tensor::<u8>(&[], &[3, 0])));
    for (sizes, words) in [
        (&[5i64][..], "not as many elements"),
        (&[-1, -1], "one may be -1"),
        (&[-2], "one may be -1"),
        (&[2, 3, 4, 0], "has not so many"),
    ] {
        fails(13, "Reshape", &[cube.clone(), list(sizes)], words);
    }
    let graph = graph(&[zero], "x y", "r");
    refuses(14, &graph, &[none, list(&[-1i64, 0])], "is open");
    let old = with(ints("shape", &[6, 4]), node("Reshape", "x", "r"));
    assert_eq!(one(1, &old, &[cube]), Ok(tensor(&[0u8; 24], &[6, 4])));
}

#[test]
fn parts_are_gathered() {
    let table = tensor(&[1u8, 2, 3, 4, 5, 6], &[3, 2]);
    gives(13, "Gather", &[table.clone(), list(&[2i64, 0])], &tensor(&[5u8, 6, 1, 2], &[2, 2]));
    gives(13, "Gather", &[table.clone(), tensor(&[-1i32], &[])], &list(&[5u8, 6]));
    let along = with(int("axis", -1), node("Gather", "x y", "r"));
    let twice = tensor(&[1i64, 1], &[1, 2]);
    let expected = tensor(&[2u8, 2, 4, 4, 6, 6], &[3, 1, 2]);
    assert_eq!(one(13, &along, &[table.clone(), twice]), Ok(expected));
    gives(13, "Gather", &[table.clone(), list::<i64>(&[])], &tensor::<u8>(&[], &[0, 2]));
    fails(
        13,
        "Gather",
        &[table.clone(), list(&[3i64])],
        "the index 3, which is none of an axis of size 3",
    );
    fails(13, "Gather", &[table.clone(), list(&[-4i64])], "the index -4");
    fails(13, "Gather", &[table, list(&[0u8])], "not of `u8`");
    fails(13, "Gather", &[tensor(&[0u8], &[]), list(&[0i64])], "a tensor of rank 0 has not");
}

#[test]
fn tensors_are_put_together() {
    let at = |axis| with(int("axis", axis), node("Concat", "x y", "r"));
    let (a, b) = (tensor(&[1u8, 2], &[2, 1]), tensor(&[3u8, 4, 5, 6], &[2, 2]));
    let both = tensor(&[1u8, 3, 4, 2, 5, 6], &[2, 3]);
    assert_eq!(one(13, &at(-1), &[a.clone(), b.clone()]), Ok(both.clone()));
    assert_eq!(one(1, &node("Concat", "x y", "r"), &[a.clone(), b.clone()]), Ok(both));
    let empty = tensor::<u8>(&[], &[2, 0]);
    assert_eq!(one(13, &at(1), &[a.clone(), empty]), Ok(a.clone()));
    let pairs = |node| graph(&[node], "x y", "r");
    refuses(
        13,
        &pairs(at(0)),
        &[a.clone(), b.clone()],
        "cannot put shapes [2, 1] and [2, 2] together",
    );
    refuses(13, &pairs(at(0)), &[a.clone(), list(&[1u8])], "cannot put shapes");
    refuses(13, &pairs(at(0)), &[a.clone(), matrix()], "one type");
    refuses(13, &pairs(at(2)), &[a.clone(), b], "axis 2");
    refuses(4, &pairs(node("Concat", "x y", "r")), &[a.clone(), a], "no attribute `axis`");
}

#[test]
fn numbers_at_equal_distances() {
    let scalars = |of: [i64; 3]| of.map(|x| tensor(&[x], &[]));
    for (of, expected) in
        [([3, 9, 3], &[3i64, 6][..]), ([10, 4, -2], &[10, 8, 6]), ([1, 1, 1], &[])]
    {
        gives(11, "Range", &scalars(of), &list(expected));
    }
    let floats = [0.0f32, 1.0, 0.4].map(|x| tensor(&[x], &[]));
    gives(11, "Range", &floats, &list(&[0.0f32, 0.4, 0.8]));
    let halves = [1.0f32, 2.0, 0.5].map(|x| tensor(&[f16::from_f32(x)], &[]));
    gives(28, "Range", &halves, &list(&[f16::ONE, f16::from_f32(1.5)]));
    fails(11, "Range", &scalars([0, 1, 0]), "cannot go from 0 to 1 by 0");
    fails(11, "Range", &[tensor(&[0i64], &[]), matrix(), matrix()], "three scalars of one type");
    fails(11, "Range", &[list(&[0i64, 1]), list(&[1i64]), list(&[1i64])], "takes scalars");
    let nan = [0.0f64, f64::NAN, 1.0].map(|x| tensor(&[x], &[]));
    fails(11, "Range", &nan, "cannot go from 0.0 to NaN");
}

#[test]
fn slices() {
    let table = tensor(&[1u8, 2, 3, 4, 5, 6], &[2, 3]);
    let cut = |lists: &[&[i64]], expected: &AnyTensor| {
        let lists = lists.iter().map(|some| list(some));
        let inputs: Vec<AnyTensor> = std::iter::once(table.clone()).chain(lists).collect();
        gives(13, "Slice", &inputs, expected);
    };
    cut(&[&[1], &[9]], &tensor(&[4u8, 5, 6], &[1, 3]));
    cut(&[&[0, 1], &[2, -1]], &tensor(&[2u8, 5], &[2, 1]));
    cut(&[&[-1], &[i64::MIN], &[1], &[-2]], &tensor(&[3u8, 1, 6, 4], &[2, 2]));
    cut(&[&[2], &[1], &[1]], &tensor::<u8>(&[], &[2, 0]));
    cut(&[&[5], &[0], &[-1], &[i64::MIN]], &tensor(&[3u8, 6], &[2, 1]));
    let lists = |starts: &[i64], ends: &[i64], axes: &[i64], steps: &[i64]| {
        [table.clone(), list(starts), list(ends), list(axes), list(steps)]
    };
    fails(13, "Slice", &lists(&[0], &[1], &[0], &[0]), "a step of 0");
    fails(13, "Slice", &lists(&[0, 0], &[1, 1], &[0, -2], &[1, 1]), "names axis 0 twice");
    fails(13, "Slice", &lists(&[0], &[1, 2], &[0], &[1]), "not of one length");
    let old = with(ints("ends", &[1]), with(ints("starts", &[0]), node("Slice", "x", "r")));
    assert_eq!(one(9, &old, &[table]), Ok(tensor(&[1u8, 2, 3], &[1, 3])));
}

#[test]
fn axes_are_computed_from_shapes() {
    // All axes but the first: Range(1, Size(Shape(x)), 1).
    let nodes = [
        node("Shape", "x", "shape"),
        node("Size", "shape", "rank"),
        node("Range", "one rank one", "axes"),
        node("ReduceSum", "x axes", "y"),
    ];
    let initializer = vec![longs("one", &[], &[1])];
    let graph = GraphProto { initializer, ..graph(&nodes, "x", "y") };
    let cube = tensor(&[1.0f32; 24], &[2, 3, 4]);
    let result = results(13, &graph, &[cube]);
    assert_eq!(result, Ok(vec![tensor(&[12.0f32, 12.0], &[2, 1, 1])]));
}
