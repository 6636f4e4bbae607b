//! `reduce check`, on the project's vectors and on copies of them in which an opset is another.

use std::fs;

use crate::support::{Folder, command, printed, reduce, refused};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors");

/// The bytes of the vector's model.
fn model(test: &str) -> Vec<u8> {
    fs::read(format!("{VECTORS}/{test}/model.onnx")).expect("a vector")
}

/// The vector's model, importing another opset, whose number is the last byte.
fn at_opset(test: &str, opset: u8) -> Vec<u8> {
    let mut bytes = model(test);
    let [.., 0x10, number] = bytes.as_mut_slice() else { panic!("the version comes last") };
    *number = opset;
    bytes
}

#[test]
fn every_vector_is_sound() {
    let mut folders: Vec<_> = fs::read_dir(VECTORS).expect("the vectors").flatten().collect();
    folders.retain(|entry| entry.path().is_dir());
    let models: Vec<String> =
        folders.iter().map(|entry| entry.path().join("model.onnx").display().to_string()).collect();
    let output = command("check").args(&models).output().expect("the binary starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!((output.status.code(), text.lines().count()), (Some(0), models.len()), "{text}");
    assert!(text.lines().all(|line| line.contains(": 1 reduction (1 ")), "{text}");
}

const MEAN: &str = "test_reduce_mean_opset17_float16_unsorted";

#[test]
fn a_problem_is_shown_at_its_node() {
    let folder = Folder::new("check_problem");
    let good = folder.file("good.onnx", &model(MEAN));
    let bad = folder.file("bad.onnx", &at_opset(MEAN, 18));
    let line = printed(&format!("check {good}"));
    assert_eq!(line, format!("{good}: 1 reduction (1 ReduceMean-13); no problems\n"));
    let outcome = reduce(&format!("check {bad} {good}"));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), ""));
    let text = outcome.stdout;
    let place = format!("--> {bad}: node 0 of graph ");
    for words in [
        "error[attribute-of-other-version]: ReduceMean at version 18: `axes` is an attribute only",
        &place,
        " an input at version 18\n",
        "= help: here it is an input: pass it as the second input\n",
        "1 reduction (1 ReduceMean-18); 1 problem\n",
        &line,
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    // Nothing but text goes to what is no terminal.
    assert!(!text.contains('\u{1b}') && !text.contains(":::"), "{text}");
}

#[test]
fn what_cannot_be_read_does_not_hide_the_others() {
    let folder = Folder::new("check_unreadable");
    let bad = folder.file("bad.onnx", &at_opset(MEAN, 18));
    let cut = folder.file("cut.onnx", &model(MEAN)[..100]);
    let outcome = reduce(&format!("check {cut} {bad} {}", folder.path("none.onnx")));
    assert_eq!(outcome.status, Some(2));
    assert!(outcome.stdout.contains("1 problem\n"), "{}", outcome.stdout);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    let [first, second] = lines[..] else { panic!("{lines:?}") };
    assert!(first.contains("cut.onnx`: is damaged or no ONNX file"), "{first}");
    assert!(second.contains("none.onnx`: cannot be read: there is no such file"), "{second}");
    assert!(refused(&format!("check {}", folder.0.display())).contains("not a regular file"));
}

#[test]
fn json_has_all_that_the_text_has() {
    let folder = Folder::new("check_json");
    let bad = folder.file("bad.onnx", &at_opset(MEAN, 18));
    let outcome = reduce(&format!("check --json {bad} {}", folder.path("none.onnx")));
    assert_eq!(outcome.status, Some(2));
    let document: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let model = &document["models"][0];
    assert_eq!((&model["opset"], &model["error"]), (&18.into(), &serde_json::Value::Null));
    assert_eq!(model["reductions"][0]["operator"], "ReduceMean");
    assert_eq!(model["reductions"][0]["version"], 18);
    let problem = &model["problems"][0];
    assert_eq!(problem["code"], "attribute-of-other-version");
    assert_eq!((&problem["level"], &problem["version"]), (&"error".into(), &18.into()));
    let text = problem["text"].as_str().expect("a text");
    let ends: Vec<usize> = [0, 1]
        .map(|end| problem["span"][end].as_u64().and_then(|place| place.try_into().ok()))
        .map(|place| place.expect("a place"))
        .to_vec();
    assert!(text[ends[0]..ends[1]].starts_with("axes = ["), "{text}");
    let missing = document["models"][1]["error"].as_str().expect("a sentence");
    assert!(missing.contains("there is no such file"), "{missing}");
}
