//! What is joined to one pass, and what is not.

use std::slice::from_ref;

use reduce_core::{AnyTensor, DType};

use super::{
    file, graph, int, ints, list, longs, matrix, model, node, of_type, run_as, tensor, with,
};
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{GraphProto, NodeProto};
use crate::run::Program;

/// The plan, in words, of a graph whose inputs are of a type.
fn plan(opset: i64, graph: &GraphProto, dtype: DType) -> String {
    let file = file(&model(opset, graph));
    let program = Program::new(&file).expect("sound");
    let types = vec![Some(dtype); program.inputs().len()];
    program.plan(&types, true).expect("types").explain()
}

fn cast(to: DataType, input: &str, output: &str) -> NodeProto {
    with(int("to", i32::from(to).into()), node("Cast", input, output))
}

/// What the steps of a chain are called.
fn steps(nodes: &[NodeProto], dtype: DType) -> Vec<String> {
    let initializer = vec![longs("axes", &[1], &[0])];
    let graph = GraphProto { initializer, ..graph(nodes, "x w", "y") };
    let plan = plan(18, &graph, dtype);
    let steps = plan.lines().filter_map(|line| line.strip_prefix("step ")?.split_once(": "));
    let name = |step: &str| match step.split_once(" of ") {
        Some((operator, _)) => operator.to_owned(),
        None => step.split(['(', ')']).nth(1).unwrap_or_default().to_owned(),
    };
    steps.map(|(_, step)| name(step)).collect()
}

#[test]
fn every_row_of_the_table() {
    let sum = || node("ReduceSum", "a axes", "b");
    let first = |op: &str, inputs: &str| node(op, inputs, "a");
    let last = |op: &str| node(op, "b", "y");
    let end = |node: NodeProto| NodeProto { output: vec!["y".to_owned()], ..node };
    let begin = |op: &str, after: &str| vec![node(op, "x axes", "b"), last(after)];
    for (nodes, expected) in [
        (vec![first("Exp", "x"), sum(), last("Log")], vec!["ReduceLogSumExp"]),
        (
            vec![first("Exp", "x"), end(node("ReduceLogSum", "a axes", "b"))],
            vec!["ReduceLogSumExp"],
        ),
        (vec![first("Mul", "x x"), sum(), last("Sqrt")], vec!["ReduceL2"]),
        (begin("ReduceSumSquare", "Sqrt"), vec!["ReduceL2"]),
        (begin("ReduceSum", "Log"), vec!["ReduceLogSum"]),
        (vec![first("Abs", "x"), end(sum())], vec!["ReduceL1"]),
        (vec![first("Mul", "x x"), end(sum())], vec!["ReduceSumSquare"]),
        (vec![first("Mul", "x w"), end(sum())], vec!["Dot"]),
        (vec![first("Abs", "x"), sum(), last("Log")], vec!["ReduceL1", "Log"]),
        (vec![first("Mul", "x x"), sum(), last("Log")], vec!["ReduceSumSquare", "Log"]),
        (vec![first("Mul", "x w"), sum(), last("Sqrt")], vec!["Dot", "Sqrt"]),
        (begin("ReduceSum", "Sqrt"), vec!["ReduceSum", "Sqrt"]),
        (vec![first("Exp", "x"), end(sum())], vec!["Exp", "ReduceSum"]),
        (begin("ReduceMean", "Log"), vec!["ReduceMean", "Log"]),
    ] {
        assert_eq!(steps(&nodes, DType::F32), expected);
    }
    for (dtype, expected) in [(DType::I32, &["ReduceL1"][..]), (DType::U64, &["ReduceL1"])] {
        assert_eq!(steps(&[first("Abs", "x"), end(sum())], dtype), expected);
    }
    let dot = [first("Mul", "x w"), end(sum())];
    assert_eq!(steps(&dot, DType::I64), ["Dot"]);
    assert_eq!(steps(&dot, DType::U64), ["Mul", "ReduceSum"]);
}

#[test]
fn casts_belong_to_a_chain_where_they_change_nothing() {
    let sum = node("ReduceSum", "a axes", "b");
    let around =
        |to: DataType, back: DataType| [cast(to, "x", "a"), sum.clone(), cast(back, "b", "y")];
    // A sum of f16 is computed in f32 anyway, one of f32 in f64 is not.
    assert_eq!(steps(&around(DataType::Float, DataType::Float16), DType::F16), ["ReduceSum"]);
    let apart = ["Cast", "ReduceSum", "Cast"];
    assert_eq!(steps(&around(DataType::Double, DataType::Float16), DType::F16), apart);
    assert_eq!(steps(&around(DataType::Double, DataType::Float), DType::F32), apart);
    assert_eq!(steps(&around(DataType::Float, DataType::Bfloat16), DType::F16), apart);
    assert_eq!(steps(&around(DataType::Float, DataType::Float), DType::F64), apart);
    let chain = |wide, narrow| {
        [
            cast(wide, "x", "c"),
            node("Identity", "c", "d"),
            node("Exp", "d", "a"),
            sum.clone(),
            node("Log", "b", "l"),
            cast(narrow, "l", "y"),
        ]
    };
    assert_eq!(steps(&chain(DataType::Double, DataType::Float), DType::F32), ["ReduceLogSumExp"]);
    assert_eq!(steps(&chain(DataType::Double, DataType::Float16), DType::F16), ["ReduceLogSumExp"]);
    let narrow = chain(DataType::Double, DataType::Float16);
    assert_eq!(steps(&narrow, DType::F32), ["Cast", "Identity", "ReduceLogSumExp", "Cast"]);
    // The body of ReduceL2 has its root in f32, which for f64 is fewer bits.
    let root = [
        node("Mul", "x x", "a"),
        sum.clone(),
        cast(DataType::Float, "b", "c"),
        node("Sqrt", "c", "d"),
        node("CastLike", "d x", "y"),
    ];
    assert_eq!(steps(&root, DType::F16), ["ReduceL2"]);
    assert_eq!(steps(&root, DType::F32), ["ReduceL2", "CastLike"]);
    let other = [&root[..4], &[node("Abs", "d", "y")]].concat();
    assert_eq!(steps(&other, DType::F16), ["ReduceSumSquare", "Cast", "Sqrt", "Abs"]);
    assert_eq!(steps(&root, DType::F64), ["ReduceSumSquare", "Cast", "Sqrt", "CastLike"]);
}

#[test]
fn what_others_read_stays() {
    let initializer = || vec![longs("axes", &[1], &[0])];
    let of = |nodes: &[NodeProto], outputs: &str| {
        let graph = GraphProto { initializer: initializer(), ..graph(nodes, "x", outputs) };
        plan(18, &graph, DType::F32)
    };
    let (exp, sum, log) =
        (node("Exp", "x", "a"), node("ReduceSum", "a axes", "b"), node("Log", "b", "y"));
    let all = of(&[exp.clone(), sum.clone(), log.clone()], "y");
    assert_eq!(
        all,
        "step 1: ReduceLogSumExp of f32 in one pass, for node 0 (Exp), node 1 (ReduceSum), node 2 (Log)\n"
    );
    let twice = of(&[exp.clone(), sum.clone(), log.clone(), node("Abs", "a", "z")], "y z");
    assert!(twice.contains("step 2: ReduceLogSum of f32 in one pass, for node 1"), "{twice}");
    assert!(
        twice.contains(
            "not joined: node 0 (Exp), whose result more nodes than node 1 (ReduceSum) read"
        ),
        "{twice}"
    );
    let output = of(&[exp.clone(), sum.clone(), log], "y a");
    assert!(output.contains("not joined: node 0 (Exp), whose result is an output"), "{output}");
    let partial = of(&[exp, sum], "b");
    assert!(
        partial.contains("not joined: node 0 (Exp), with node 1 (ReduceSum): no one operator"),
        "{partial}"
    );
}

#[test]
fn elements_are_no_axes_of_their_own() {
    let odd = graph(&[node("Abs", "x", "a"), node("ReduceSum", "a a", "b")], "x", "b");
    assert!(plan(18, &odd, DType::I64).contains("step 2"));
    let run = run_as(&model(18, &odd), &[list(&[0i64])], true);
    assert_eq!(run, Ok(vec![list(&[0i64])]));
}

/// Axes and flags are those of the reduction, whichever form it has them in.
#[test]
fn axes_and_flags_carry_over() {
    let pair = |sum: NodeProto| [node("Mul", "x x", "a"), sum, node("Sqrt", "b", "y")];
    let flat = with(int("keepdims", 0), node("ReduceSum", "a", "b"));
    let x = tensor(&[3.0f32, 4.0, 6.0, 8.0], &[2, 2]);
    let old = graph(&pair(with(ints("axes", &[-1]), flat.clone())), "x", "y");
    assert!(plan(11, &old, DType::F32).starts_with("step 1: ReduceL2"));
    assert_eq!(run_as(&model(11, &old), from_ref(&x), true), Ok(vec![list(&[5.0f32, 10.0])]));
    let given = with(int("keepdims", 0), node("ReduceSum", "a axes", "b"));
    let given = graph(&pair(given), "x axes", "y");
    let axes: AnyTensor = list(&[0i64, 1]);
    let all = run_as(&model(13, &given), &[x.clone(), axes], true).expect("a norm");
    assert_eq!(all, [tensor(&[125.0f32.sqrt()], &[])]);
    let noop = with(int("noop_with_empty_axes", 1), node("ReduceSum", "a", "b"));
    let noop = graph(&pair(noop), "x", "y");
    assert_eq!(run_as(&model(13, &noop), from_ref(&x), true), Ok(vec![x]));
    let wrong = with(int("keepdims", 2), node("ReduceSum", "a", "b"));
    let wrong = run_as(&model(13, &graph(&pair(wrong), "x", "y")), &[matrix()], true);
    assert!(wrong.expect_err("no flag").sentence().contains("`keepdims` is 2"));
    let text = with(of_type("keepdims", AttributeType::String), node("ReduceSum", "a", "b"));
    assert!(run_as(&model(13, &graph(&pair(text), "x", "y")), &[matrix()], true).is_err());
}

#[test]
fn dot_products_broadcast() {
    let nodes = |sum| [node("Mul", "x w", "a"), sum];
    let sum = with(int("keepdims", 0), node("ReduceSum", "a axes", "y"));
    let (column, row) = (tensor(&[1.0f32, 2.0], &[2, 1]), list(&[3.0f32, 4.0, 5.0]));
    for (axes, expected) in [
        (&[0i64][..], list(&[9.0f32, 12.0, 15.0])),
        (&[-1], list(&[12.0f32, 24.0])),
        (&[], tensor(&[36.0f32], &[])),
    ] {
        let graph = graph(&nodes(sum.clone()), "x w axes", "y");
        assert!(plan(13, &graph, DType::F32).starts_with("step 1: Dot"));
        for joins in [false, true] {
            let inputs = [column.clone(), row.clone(), list(axes)];
            assert_eq!(
                run_as(&model(13, &graph), &inputs, joins),
                Ok(vec![expected.clone()]),
                "{axes:?}"
            );
        }
    }
    let noop = with(int("noop_with_empty_axes", 1), node("ReduceSum", "a", "y"));
    let graph = graph(&nodes(noop), "x w", "y");
    let products = tensor(&[3.0f32, 4.0, 5.0, 6.0, 8.0, 10.0], &[2, 3]);
    for joins in [false, true] {
        let result = run_as(&model(13, &graph), &[column.clone(), row.clone()], joins);
        assert_eq!(result, Ok(vec![products.clone()]));
        let wrong = run_as(&model(13, &graph), &[column.clone(), list(&[1.0f64])], joins);
        assert!(wrong.expect_err("two types").sentence().contains("one type, not `f32` and `f64`"));
    }
}
