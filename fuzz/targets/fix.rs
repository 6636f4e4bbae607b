//! `reduce check --fix` writes a model in which the reductions are in another form, and all else stays. Nothing is left
//! to do in it, and it gives what the model before gives.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prost::Message;
use reduce_cli::fuzzing::{ModelProto, NodeProto, answer};
use reduce_fuzz::message::{BOUND, FACTOR, assert_others_same, chosen};
use reduce_fuzz::{prepare, scratch, within};
use reduce_specs::ONNX;

/// Opsets to change to, and none: of each input one.
const TARGETS: [Option<&str>; 5] = [None, Some("11"), Some("13"), Some("18"), Some("20")];

/// Writes the mended model; the exit status, and what was written.
fn mend(from: &Path, to: &Path, target: Option<&str>) -> (u8, Option<Vec<u8>>) {
    let mut arguments = vec!["check", "--fix", "-o", scratch::text(to), scratch::text(from)];
    if let Some(target) = target {
        arguments.extend(["--target-opset", target]);
    }
    let status = answer(&arguments).map_or(2, |(_, status)| status);
    let written = fs::read(to).ok();
    if written.is_some() {
        fs::remove_file(to).expect("it was just written");
    }
    (status, written)
}

/// What a model gives that needs nothing to be given.
fn results(model: &Path) -> Option<String> {
    answer(&["model", scratch::text(model)]).ok().map(|(text, _)| text)
}

fn is_valid(model: &Path) -> bool {
    answer(&["check", scratch::text(model)]).is_ok_and(|(_, status)| status == 0)
}

/// Whether a model is made of nodes that every opset has alike, but for reductions, and needs no input.
fn is_of_reductions(model: &ModelProto) -> bool {
    let is_known = |node: &NodeProto| {
        let is_standard = matches!(node.domain.as_str(), "" | "ai.onnx");
        let is_value =
            node.op_type == "Constant" && node.attribute.iter().all(|attr| attr.name == "value");
        is_standard && (is_value || ONNX.op(&node.op_type).is_ok())
    };
    let graph =
        model.graph.as_ref().filter(|graph| graph.input.is_empty() && model.functions.is_empty());
    graph.is_some_and(|graph| graph.node.iter().all(is_known))
}

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    let Ok(before) = ModelProto::decode(bytes) else { return };
    let target = TARGETS[chosen(bytes, TARGETS.len())];
    let (from, to) = (scratch::file("a.onnx", bytes), scratch::path("b.onnx"));
    let bound = BOUND + FACTOR * bytes.len();
    let (status, written) = within(bound, || mend(&from, &to, target));
    assert!(written.is_some() || status != 0, "all is well, and nothing is written");
    let Some(written) = written else { return };
    ModelProto::decode(&written[..]).expect("what is written is a model");
    assert_others_same(bytes, &written);
    let after = scratch::file("c.onnx", &written);
    let (_, again) = mend(&after, &to, target);
    assert!(again.as_ref() == Some(&written), "a second time, something else is written");
    if status == 0 {
        assert!(is_valid(&after), "what is mended has problems");
    }
    if is_of_reductions(&before) && is_valid(&from) {
        let results = [results(&from), results(&after)];
        assert!(results[0].is_none() || results[0] == results[1], "other results: {results:?}");
    }
});
