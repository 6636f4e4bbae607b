//! Models that are cut, changed at random, or large: an answer, and never a panic.

use prost::Message;

use crate::check::Report;
use crate::check::tests::build::*;
use crate::file::Model;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::{FunctionProto, GraphProto, ModelProto};
use crate::fix::Revision;
use crate::words::is_seen;

/// A model with something of everything.
fn everything() -> ModelProto {
    let refer = refers("keepdims", "k", AttributeType::Int);
    let f = FunctionProto {
        attribute: names("k"),
        ..function(13, &[with(node("ReduceSum x -> y"), [refer])])
    };
    let body = GraphProto {
        initializer: vec![longs("a", &[0])],
        ..inner("body", &[node("ReduceMax x a -> y")])
    };
    let nodes = [
        with(node("Constant -> b"), [tensor_attr("value", longs("", &[1]))]),
        with(node("If x -> w"), [subgraph("then", body)]),
        with(call("f x -> v"), [int("k", 1)]),
        with(node("ReduceSum x b -> u"), [int("keepdims", 0)]),
        with(node("ArgMax x -> y"), [int("axis", 1)]),
    ];
    let main = GraphProto { initializer: vec![longs("c", &[0])], ..graph(&nodes) };
    ModelProto { functions: vec![f], ..model(18, main) }
}

/// Everything that is done with a model.
fn answer(bytes: Vec<u8>) -> bool {
    let Ok(model) = Model::from_bytes(bytes) else { return false };
    let report = model.check();
    let texts = report.problems().map(|problem| (problem.to_string(), problem.text()));
    assert!(
        texts.into_iter().all(|(line, text)| {
            line.chars().all(is_seen) && text.text.get(text.span).is_some()
        })
    );
    changes(&report, &report.mended());
    for opset in [11, 18, 28] {
        let target = report.at_opset(opset).expect("a known opset");
        assert!(!target.to_string().is_empty());
        if let Ok(revision) = report.converted(opset) {
            changes(&report, &revision);
        }
    }
    !report.to_string().is_empty()
}

/// The model at another opset, or mended; what is written is a model, too.
fn changes(report: &Report<'_>, revision: &Revision<'_>) {
    let Ok(rewritten) = revision.rewritten() else { return };
    let written = Model::from_bytes(rewritten.to_vec()).expect("what was a model is one");
    let after = written.check();
    assert!(after.errors() <= report.errors() || revision.problems().len() > 0, "{after:?}");
}

#[test]
fn cut_and_changed_files() {
    is_sound(&everything(), 4);
    let good = everything().encode_to_vec();
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let mut answered = 0;
    for end in 0..good.len() {
        answered += usize::from(answer(good[..end].to_vec()));
    }
    for _ in 0..10_000 {
        let mut bytes = good.clone();
        for _ in 0..=random(3) {
            let place = random(bytes.len());
            match random(3) {
                0 => bytes[place] ^= 1 << random(8),
                1 => bytes[place] = u8::try_from(random(256)).expect("a byte"),
                _ => {
                    bytes.remove(place);
                }
            }
        }
        answered += usize::from(answer(bytes));
    }
    assert!(answered > 1000, "{answered}");
}

/// As many problems as there are nodes, and names as long as the file: the time is that of the file.
#[test]
fn large_models() {
    let long = "n".repeat(100_000);
    let mut nodes = vec![node("ReduceSum z -> y"); 3_000];
    nodes.push(node(&format!("ReduceSum {long} -> {long}")));
    nodes.push(node(&format!("{long} x -> q")));
    let found = findings(&model(13, graph(&nodes)));
    assert_eq!(found.problems.len(), 3_001);
    assert!(told(&model(13, graph(&nodes))).len() < 3_001 * 600);
    // Nor is one node with very many problems.
    let attrs = (0..50_000).map(|number| int(&format!("a{number}"), 0));
    let found = findings(&model(13, graph(&[with(node("ReduceSum x -> y"), attrs)])));
    assert_eq!(found.problems.len(), 21);
    assert!(
        found.problems.iter().any(|problem| problem.fact == "49980 more problems of this node"),
        "{found:?}"
    );
}

/// Very many nodes that cannot come along, and one with very many inputs and outputs.
#[test]
fn large_models_at_another_opset() {
    let many = "v ".repeat(50_000);
    let mut nodes = vec![node(&format!("Concat {many} -> q")), node(&format!("Scale {many} -> r"))];
    nodes.push(node(&format!("Split q -> {many}")));
    nodes.push(node(&format!("Sum {many} -> s")));
    nodes.extend(vec![node("Upsample x -> y"); 10_000]);
    nodes.extend(vec![node("reducemean x -> y"); 10_000]);
    let model = read(&model(9, graph(&nodes)));
    let report = model.check();
    let target = report.at_opset(18).expect("a known opset");
    assert_eq!(target.others().len(), 20_002 + 1, "all but Sum");
    let revision = report.converted(18).expect("an opset");
    assert_eq!(revision.others().len(), 20_003);
}
