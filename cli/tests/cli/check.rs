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

#[test]
fn a_model_comes_to_another_opset_and_back() {
    let folder = Folder::new("check_target");
    let old = folder.file("old.onnx", &model(MEAN));
    let text = printed(&format!("check {old} --target-opset 18"));
    assert!(text.contains(": ReduceMean 13 -> 18: axes = ["), "{text}");
    assert!(text.contains("]: an attribute before, now an input\n"), "{text}");
    assert!(text.ends_with("at opset 18: 0 unchanged, 1 changed, 0 impossible\n"), "{text}");
    let json = printed(&format!("check {old} --target-opset 18 --json"));
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let conversion = &document["models"][0]["conversions"][0];
    assert_eq!(
        (&conversion["outcome"], &conversion["to_version"]),
        (&"changed".into(), &18.into())
    );
    let [new, back] = ["new.onnx", "back.onnx"].map(|name| folder.path(name));
    let text = printed(&format!("check {old} --target-opset 18 --fix -o {new}"));
    assert!(text.ends_with(&format!("wrote {new}: 1 reduction changed\n")), "{text}");
    assert!(printed(&format!("check {new}")).contains("(1 ReduceMean-18); no problems"));
    printed(&format!("check {new} --target-opset 17 --fix -o {back}"));
    assert_eq!(
        fs::metadata(&back).expect("written").len(),
        fs::metadata(&old).expect("there").len()
    );
    // In its own place, and mended without a target.
    fs::write(&old, at_opset(MEAN, 18)).expect("written");
    printed(&format!("check {old} --fix -o {old}"));
    assert!(printed(&format!("check {old}")).contains("(1 ReduceMean-18); no problems"));
    assert_eq!(folder.names(), ["back.onnx", "new.onnx", "old.onnx"]);
}

#[test]
fn what_has_no_form_is_not_written() {
    let folder = Folder::new("check_no_form");
    let noop = folder.file("noop.onnx", &model("test_reduce_mean_opset18_float_noop_absent"));
    let out = folder.path("out.onnx");
    let outcome = reduce(&format!("check {noop} --target-opset 13 --fix -o {out}"));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), ""));
    let text = outcome.stdout;
    assert!(text.contains("error[no-form]: ReduceMean at version 13: "), "{text}");
    assert!(text.ends_with("1 problem; nothing is written\n"), "{text}");
    let outcome = reduce(&format!("check {noop} --target-opset 13"));
    assert_eq!(outcome.status, Some(1));
    assert!(
        outcome.stdout.ends_with("0 unchanged, 0 changed, 1 impossible\n"),
        "{}",
        outcome.stdout
    );
    assert_eq!(folder.names(), ["noop.onnx"]);
    for (args, words) in [
        (format!("check {noop} --target-opset 99"), "opset 99 does not exist"),
        (format!("check {noop} {noop} --fix -o {out}"), "--fix writes one model"),
    ] {
        assert!(refused(&args).contains(words), "{args}");
    }
    for args in
        [format!("check {noop} --fix"), format!("check {noop} -o {out}"), "check".to_owned()]
    {
        assert_eq!(reduce(&args).status, Some(2), "{args}");
    }
}

/// What is nearly a reduction is told, and hinders nobody; other operators are counted.
#[test]
fn what_is_mended_and_what_is_left() {
    let folder = Folder::new("check_left");
    let with_name = |name: &[u8]| {
        let mut bytes = model(MEAN);
        let place = bytes.windows(10).position(|word| word == b"ReduceMean").expect("an operator");
        bytes[place..place + 10].copy_from_slice(name);
        bytes
    };
    let out = folder.path("out.onnx");
    let near = folder.file("near.onnx", &with_name(b"reducemean"));
    let outcome = reduce(&format!("check {near} --target-opset 18 --fix -o {out}"));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), ""));
    let text = outcome.stdout;
    assert!(text.contains("error[unknown-op]") && text.contains("wrote "), "{text}");
    let other = folder.file("other.onnx", &with_name(b"OtherNodes"));
    let text = printed(&format!("check {other} --target-opset 18 --fix -o {out}"));
    let left = "1 other node of the standard domain stayed as before, valid at opset 18 or not\n";
    assert!(text.ends_with(&format!("0 reductions changed\n{left}")), "{text}");
}

/// A field of a message, its content to follow.
#[cfg(target_os = "linux")]
fn field(number: u8, mut length: u64) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    while length >= 0x80 {
        bytes.push(length.to_le_bytes()[0] | 0x80);
        length >>= 7;
    }
    bytes.push(length.to_le_bytes()[0]);
    bytes
}

/// A model of 3 GB, of which nearly all is an initializer, is checked in the memory that its nodes take.
#[cfg(target_os = "linux")]
#[test]
fn a_model_larger_than_the_memory() {
    const WEIGHTS: u64 = 3 << 30;
    let folder = Folder::new("check_large");
    let small = model(MEAN);
    // The graph is the only message whose key is 0x3a; what is behind it, the import, goes first.
    let place = small.iter().position(|byte| *byte == 0x3a).expect("a graph");
    let (length, start) = match small[place + 1] {
        low @ 0..0x80 => (usize::from(low), place + 2),
        low => (usize::from(low & 0x7f) + 128 * usize::from(small[place + 2]), place + 3),
    };
    let (graph, import) = (&small[start..start + length], &small[start + length..]);
    let tensor =
        [&[0x10, 2, 0x08][..], &[0x80, 0x80, 0x80, 0x80, 0x0c], &field(9, WEIGHTS)].concat();
    let initializer = [field(5, tensor.len() as u64 + WEIGHTS), tensor].concat();
    let all = (graph.len() + initializer.len()) as u64 + WEIGHTS;
    let bytes = [&small[..place], import, &field(7, all), graph, &initializer].concat();
    let path = folder.file("large.onnx", &bytes);
    let file = fs::OpenOptions::new().append(true).open(&path).expect("just written");
    if file.set_len(bytes.len() as u64 + WEIGHTS).is_err() {
        eprintln!("skipped: the disk has no files of 3 GB");
        return;
    }
    // Of addresses the file takes 3 GB; what else is there is for the program.
    let program = env!("CARGO_BIN_EXE_reduce");
    let line = format!("ulimit -v 3500000 && exec {program} check {path} --target-opset 18");
    let output = std::process::Command::new("sh").args(["-c", &line]).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), "")
    );
    assert!(text.contains("1 reduction (1 ReduceMean-13); no problems"), "{text}");
}
