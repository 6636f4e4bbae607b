//! A model that is mended, or brought to another opset, has its reductions in another form, and all else stays. Nothing is
//! left to do in it, and it gives what the model before gives.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reduce_fuzz::message::{BOUND, FACTOR, assert_others_same, chosen};
use reduce_fuzz::{prepare, within};
use reduce_onnx::proto::{ModelProto, NodeProto};
use reduce_onnx::{ErrorKind, Model, Program, write_tensor};
use reduce_specs::ONNX;

/// Opsets to change to, and none: of each input one.
const TARGETS: [Option<u32>; 5] = [None, Some(11), Some(13), Some(18), Some(20)];

/// What becomes of a model: whether nothing is left to tell, and the bytes. To another opset all nodes come, or none.
fn mend(model: &Model, target: Option<u32>) -> Option<(bool, Vec<u8>)> {
    let report = model.check();
    let revision = match target {
        None => report.mended(),
        Some(opset) => report.converted(opset).ok()?,
    };
    let left = revision.problems().len() + revision.others().len();
    if target.is_some() && left > 0 {
        return None;
    }
    let rewritten = match revision.rewritten() {
        Ok(rewritten) => rewritten,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotChanged, "{error}");
            return None;
        }
    };
    let bytes = rewritten.to_vec();
    let written = Model::from_bytes(bytes.clone()).expect("what is written is a model");
    revision.verify(&written).ok()?;
    Some((left + revision.nearly().len() == 0, bytes))
}

/// What a model gives that needs nothing to be given.
fn results(model: &Model) -> Option<Vec<Vec<u8>>> {
    let program = Program::new(model).ok()?;
    let results = program.run([]).ok()?;
    results.iter().map(|value| Some(write_tensor("", &*value.tensor().ok()?))).collect()
}

fn is_valid(model: &Model) -> bool {
    model.check().errors() == 0
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
    let Ok(before) = Model::from_bytes(bytes.to_vec()) else { return };
    let target = TARGETS[chosen(bytes, TARGETS.len())];
    let bound = BOUND + FACTOR * bytes.len();
    let Some((is_clean, written)) = within(bound, || mend(&before, target)) else { return };
    assert_others_same(bytes, &written);
    let after = Model::from_bytes(written.clone()).expect("what is written is a model");
    let (_, again) = mend(&after, target).expect("nothing hinders it a second time");
    assert!(again == written, "a second time, something else is written");
    if is_clean {
        assert!(is_valid(&after), "what is mended has problems");
    }
    if is_of_reductions(before.proto()) && is_valid(&before) {
        let results = [results(&before), results(&after)];
        assert!(results[0].is_none() || results[0] == results[1], "other results: {results:?}");
    }
});
