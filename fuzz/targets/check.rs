//! `reduce check`: any model is checked, its problems shown, and all of it in plain text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reduce_cli::fuzzing::answer;
use reduce_fuzz::{prepare, scratch, within};
use reduce_onnx::Model;

/// Of each input one, so that none is read four times.
const WAYS: [&[&str]; 4] = [&[], &["--json"], &["--target-opset", "18"], &["--target-opset", "11"]];

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    let bound = reduce_fuzz::message::BOUND + reduce_fuzz::message::FACTOR * bytes.len();
    // The command would say of each of a million inputs that it is no model.
    let Ok(model) = within(bound, || Model::from_bytes(bytes.to_vec())) else { return };
    let lines = within(bound, || {
        let report = model.check();
        let lines: Vec<String> = report.problems().map(|problem| problem.to_string()).collect();
        assert!(report.problems().all(|problem| {
            let text = problem.text();
            text.text.get(text.span).is_some()
        }));
        lines
    });
    assert!(lines.iter().all(|line| !line.contains(char::is_control)), "{lines:?}");
    let path = scratch::file("a.onnx", bytes);
    let mut arguments = vec!["check", scratch::text(&path)];
    arguments.extend(WAYS[reduce_fuzz::message::chosen(bytes, WAYS.len())]);
    let text = match within(bound, || answer(&arguments)) {
        Ok((text, status)) => {
            assert!(status < 2, "a model that is read is refused: {text}");
            text
        }
        Err(sentence) => sentence,
    };
    // JSON escapes only characters that programs cannot read. A terminal obeys others, too.
    let is_json = text.starts_with('{');
    let is_plain = |c: char| c == '\n' || !c.is_control() || is_json && c >= ' ';
    assert!(text.chars().all(is_plain), "it sends the terminal more than text: {text:?}");
});
