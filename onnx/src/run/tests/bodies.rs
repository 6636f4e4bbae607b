//! The bodies of the standard's functions: node by node and joined, they are the operators that they define.

use std::slice::from_ref;

use reduce_core::{AnyTensor, DType};

use super::{graph, int, list, longs, model, node, run_as, tensor, with};
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{GraphProto, NodeProto};

fn cast(to: DataType, input: &str, output: &str) -> NodeProto {
    with(int("to", i32::from(to).into()), node("Cast", input, output))
}

/// The sum in a body, which hands its flags on.
fn sum(input: &str, output: &str, keepdims: i64, noop: i64) -> NodeProto {
    let sum = node("ReduceSum", &format!("{input} axes"), output);
    with(int("noop_with_empty_axes", noop), with(int("keepdims", keepdims), sum))
}

/// The body of an operator, as the standard prints it.
fn body(op: &str, keepdims: i64, noop: i64) -> Vec<NodeProto> {
    let sum = |input, output| sum(input, output, keepdims, noop);
    match op {
        "ReduceL1" => vec![node("Abs", "x", "a"), sum("a", "y")],
        "ReduceSumSquare" => vec![node("Mul", "x x", "s"), sum("s", "y")],
        "ReduceL2" => vec![
            node("Mul", "x x", "s"),
            sum("s", "t"),
            cast(DataType::Float, "t", "u"),
            node("Sqrt", "u", "v"),
            node("CastLike", "v x", "y"),
        ],
        "ReduceLogSum" => vec![sum("x", "t"), node("Log", "t", "y")],
        "ReduceLogSumExp" => vec![
            cast(DataType::Double, "x", "d"),
            node("Exp", "d", "e"),
            sum("e", "t"),
            node("Log", "t", "u"),
            node("CastLike", "u x", "y"),
        ],
        _ => panic!("{op} has no body"),
    }
}

fn values(dtype: DType) -> AnyTensor {
    let numbers = [0.5f32, 1.0, 2.0, 1.5, 0.25, 3.0, 0.75, 1.25, 2.5, 0.125, 4.0, 1.75];
    let data = tensor(&numbers, &[2, 3, 2]);
    crate::run::elementwise::cast(&data.view(), dtype).expect("memory")
}

fn near(a: &AnyTensor, b: &AnyTensor) -> bool {
    let numbers = |tensor: &AnyTensor| {
        let wide = crate::run::elementwise::cast(&tensor.view(), DType::F64).expect("memory");
        wide.downcast::<f64>().expect("as cast").into_data()
    };
    let tolerance = if a.dtype().size() == 2 { 2e-2 } else { 1e-6 };
    a.dtype() == b.dtype()
        && a.shape() == b.shape()
        && numbers(a).iter().zip(numbers(b)).all(|(x, y)| (x - y).abs() <= tolerance * y.abs())
}

#[test]
fn bodies_are_what_they_define() {
    for op in ["ReduceL1", "ReduceSumSquare", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"] {
        for (keepdims, noop, axes) in
            [(1, 0, &[1i64][..]), (0, 0, &[-1, 0]), (1, 1, &[]), (0, 0, &[])]
        {
            let flags = |node| {
                with(int("noop_with_empty_axes", noop), with(int("keepdims", keepdims), node))
            };
            let initializer = vec![longs("axes", &[i64::try_from(axes.len()).expect("few")], axes)];
            let whole = |nodes: &[NodeProto]| {
                model(
                    18,
                    &GraphProto { initializer: initializer.clone(), ..graph(nodes, "x", "y") },
                )
            };
            let (body, one) =
                (whole(&body(op, keepdims, noop)), whole(&[flags(node(op, "x axes", "y"))]));
            for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
                let x = [values(dtype)];
                let expected = run_as(&one, &x, false).expect("one node");
                for joins in [false, true] {
                    let found = run_as(&body, &x, joins).expect("a body");
                    assert!(
                        near(&found[0], &expected[0]),
                        "{op} {axes:?} {dtype}: {found:?} {expected:?}"
                    );
                }
                // Joined, it is the operator itself: to the last bit, but for what is left of casts.
                let found = run_as(&body, &x, true).expect("a body");
                if dtype == DType::F32 || op == "ReduceLogSumExp" {
                    assert_eq!(found, expected, "{op} {axes:?} {dtype}");
                }
            }
        }
    }
}

/// Integers: L1 and the sum of squares wrap as their bodies do.
#[test]
fn bodies_over_integers() {
    for op in ["ReduceL1", "ReduceSumSquare"] {
        let initializer = vec![longs("axes", &[1], &[0])];
        let whole = |nodes: &[NodeProto]| {
            model(18, &GraphProto { initializer: initializer.clone(), ..graph(nodes, "x", "y") })
        };
        let (body, one) =
            (whole(&body(op, 0, 0)), whole(&[with(int("keepdims", 0), node(op, "x axes", "y"))]));
        for x in [
            list(&[i32::MIN, -3, i32::MAX]),
            list(&[i64::MIN, -3, i64::MAX]),
            list(&[u32::MAX, 3, 70_000]),
            list(&[u64::MAX, 3, 1 << 40]),
        ] {
            let expected = run_as(&one, from_ref(&x), false);
            assert_eq!(run_as(&body, from_ref(&x), false), expected, "{op} of {x:?}");
            assert_eq!(run_as(&body, from_ref(&x), true), expected, "{op} of {x:?}");
        }
    }
}

#[test]
fn softmax_and_its_logarithm() {
    let nodes = |last: &[NodeProto]| {
        let first = [
            node("ReduceMax", "x axes", "m"),
            node("Sub", "x m", "d"),
            node("Exp", "d", "e"),
            node("ReduceSum", "e axes", "s"),
        ];
        let initializer = vec![longs("axes", &[1], &[-1])];
        let nodes = [&first[..], last].concat();
        model(18, &GraphProto { initializer, ..graph(&nodes, "x", "y") })
    };
    let x = tensor(&[1000.0f32, 1000.0, 0.0, 1.0], &[2, 2]);
    let share = 1.0f32 / (1.0 + std::f32::consts::E);
    for joins in [false, true] {
        let softmax = run_as(&nodes(&[node("Div", "e s", "y")]), from_ref(&x), joins);
        let expected = tensor(&[0.5f32, 0.5, share, 1.0 - share], &[2, 2]);
        assert!(near(&softmax.expect("a graph")[0], &expected));
        let log =
            run_as(&nodes(&[node("Log", "s", "l"), node("Sub", "d l", "y")]), from_ref(&x), joins);
        let expected = [0.5f32, 0.5, share, 1.0 - share].map(f32::ln);
        assert!(near(&log.expect("a graph")[0], &tensor(&expected, &[2, 2])));
    }
}
