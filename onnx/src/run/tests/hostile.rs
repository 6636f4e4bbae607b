//! Graphs that nobody should write: each is a sentence, and soon.

use std::time::Instant;

use super::{graph, int, list, longs, matrix, model, node, refuses, run_as, with};
use crate::file::proto::{GraphProto, NodeProto};

#[test]
fn names_that_lead_nowhere() {
    for (nodes, words) in [
        (vec![node("Abs", "y", "y")], "node 0 (Abs): reads `y`, which node 0 gives only then"),
        (
            vec![node("Abs", "b", "a"), node("Abs", "a", "b")],
            "reads `b`, which node 1 gives only then or later",
        ),
        (vec![node("Abs", "q", "y")], "reads `q`, which has no value"),
        (
            vec![node("Abs", "x", "y"), node("Neg", "x", "y")],
            "node 1 (Neg): gives `y`, which has a value already",
        ),
        (vec![node("Abs", "x", "x")], "gives `x`, which has a value already"),
        (vec![node("Abs", "x", "z")], "no node gives output `y`"),
        (vec![node("Abs", "x", "")], "has 0 outputs, not 1"),
        (vec![node("Add", "x _", "y")], "leaves out input 1"),
        (vec![node("Concat", "x _", "y")], "no attribute `axis`"),
        (vec![with(int("axis", 0), node("Concat", "x _", "y"))], "leaves out input 1"),
        (vec![node("Abs", "x x", "y")], "has 2 inputs, not 1"),
        (vec![node("Slice", "x x", "y")], "has 2 inputs, not 3 to 5"),
        (vec![node("Max", "", "y")], "has 0 inputs, not 1 or more"),
        (
            vec![with(int("alpha", 1), node("Abs", "x", "y"))],
            "`alpha` is given twice, or does not exist",
        ),
    ] {
        refuses(13, &graph(&nodes, "x", "y"), &[matrix()], words);
    }
    let abs = [node("Abs", "x", "y")];
    refuses(13, &graph(&abs, "x x", "y"), &[matrix()], "two inputs of the name `x`");
    let twice = vec![longs("c", &[], &[1]), longs("c", &[], &[2])];
    let twice = GraphProto { initializer: twice, ..graph(&abs, "x", "y") };
    refuses(13, &twice, &[matrix()], "two initializers of the name `c`");
    let of_input = vec![longs("x", &[], &[1]), longs("x", &[], &[2])];
    let of_input = GraphProto { initializer: of_input, ..graph(&abs, "x", "y") };
    refuses(13, &of_input, &[matrix()], "two initializers of the name `x`");
    let hidden = vec![longs("y", &[], &[1])];
    let hidden = GraphProto { initializer: hidden, ..graph(&abs, "x", "y") };
    refuses(13, &hidden, &[matrix()], "gives `y`, which has a value already");
}

/// A name that holds what a terminal obeys reaches nobody as it is.
#[test]
fn names_are_only_names() {
    let evil = NodeProto { name: "a\n\x1b[31m".to_owned(), ..node("Conv", "x", "y") };
    let refusal = run_as(&model(13, &graph(&[evil], "x", "y")), &[matrix()], true);
    let sentence = refusal.expect_err("not run").to_string();
    assert!(!sentence.contains(char::is_control), "{sentence}");
}

#[test]
fn long_chains_are_run_at_once() {
    let count = 100_000;
    let name = |number: usize| if number == 0 { "x".to_owned() } else { format!("v{number}") };
    let chain = |op: &str| {
        let nodes: Vec<NodeProto> =
            (0..count).map(|number| node(op, &name(number), &name(number + 1))).collect();
        model(18, &graph(&nodes, "x", &name(count)))
    };
    for op in ["Abs", "Identity", "ReduceSum"] {
        let model = chain(op);
        let start = Instant::now();
        let result = run_as(&model, &[list(&[2.0f32])], true);
        assert_eq!(result, Ok(vec![list(&[2.0f32])]), "{op}");
        assert!(start.elapsed().as_secs() < 5, "{op}: {:?}", start.elapsed());
    }
    let nodes: Vec<NodeProto> = (0..count)
        .map(|number| node("Unsqueeze", &format!("{} zero", name(number)), &name(number + 1)))
        .collect();
    let initializer = vec![longs("zero", &[1], &[0])];
    let graph = GraphProto { initializer, ..graph(&nodes, "x", &name(count)) };
    refuses(18, &graph, &[matrix()], "values have up to 64");
}

/// What would take more memory than the file is worth is refused before there is any.
#[test]
fn growth_is_bounded() {
    let scalars = |limit: i64| ["a", "b", "c"].into_iter().zip([0, limit, 1]);
    for limit in [1 << 30, 1 << 45, i64::MAX] {
        let initializer = scalars(limit).map(|(name, x)| longs(name, &[], &[x])).collect();
        let range = node("Range", "a b c", "y");
        let range = GraphProto { initializer, ..graph(&[range], "", "y") };
        refuses(13, &range, &[], "would be too much");
    }
    // As large a product of sizes as there can be.
    let wide = list::<u8>(&[0; 1 << 12]);
    let nodes = [
        node("Unsqueeze", "x one", "a"),
        node("Mul", "a x", "b"),
        node("Unsqueeze", "b two", "c"),
        node("Mul", "c b", "y"),
    ];
    let initializer = vec![longs("one", &[1], &[1]), longs("two", &[2], &[2, 3])];
    let graph = GraphProto { initializer, ..graph(&nodes, "x", "y") };
    refuses(14, &graph, &[wide], "would be too much");
}
