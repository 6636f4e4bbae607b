//! `reduce check`, on the project's vectors and on copies of them in which an opset is another.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::onnx::{import, input, int, ints, ir_version, node, without_opset};
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
fn what_is_no_model_is_not_sound() {
    let folder = Folder::new("check_no_model");
    let empty = folder.file("empty.onnx", b"");
    let bare = folder.file("bare.onnx", &[ir_version(8), import(18)].concat());
    for (path, words) in [(empty, "has 0 bytes, so it is no model"), (bare, "has no graph")] {
        for args in ["check", "check --target-opset 18", "check --fix -o out.onnx"] {
            let outcome = reduce(&format!("{args} {path}"));
            assert_eq!((outcome.status, outcome.stdout.as_str()), (Some(2), ""), "{args}");
            assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
        }
        let outcome = reduce(&format!("check --json {path}"));
        assert_eq!(outcome.status, Some(2));
        let document: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        assert!(document["models"][0]["error"].as_str().expect("a sentence").contains(words));
    }
}

/// Of two imports the highest counts, and a model of format 1 or 2 has opset 1, whoever reads it.
#[test]
fn every_command_takes_the_same_opset() {
    let folder = Folder::new("check_opset");
    let inputs = [input("x", 1, &["2"])];
    let axes = [[node("ReduceSum", "x", "y"), ints("axes", &[0])].concat()];
    let noop = [[node("ReduceSum", "x", "y"), int("noop_with_empty_axes", 1)].concat()];
    let old = without_opset(&axes, &inputs, &["y"]);
    let new = without_opset(&noop, &inputs, &["y"]);
    for (name, bytes, version) in [
        ("old2", [&old[..], &ir_version(2)].concat(), 1),
        ("old1", [&old[..], &ir_version(1)].concat(), 1),
        ("up", [&new[..], &import(11), &import(13)].concat(), 13),
        ("down", [&new[..], &import(13), &import(11)].concat(), 13),
    ] {
        let test = format!("{name}/test_{name}");
        fs::create_dir_all(folder.0.join(format!("{test}/test_data_set_0"))).expect("a folder");
        let path = folder.file(&format!("{test}/model.onnx"), &bytes);
        let text = printed(&format!("check {path}"));
        assert!(text.contains(&format!("(1 ReduceSum-{version}); no problems")), "{text}");
        printed(&format!("model {path} --explain"));
        // The test has no data, which is told only of a model that is run.
        let outcome = reduce(&format!("conformance {}", folder.path(name)));
        assert!(outcome.stdout.contains("the model has 1 inputs, the test has 0"), "{outcome:?}");
    }
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

/// What is no operator at the opset is told, and nothing is written unless somebody asks for it.
#[test]
fn what_other_readers_refuse_is_not_written() {
    let folder = Folder::new("check_left");
    let with_name = |name: &[u8]| {
        let mut bytes = model(MEAN);
        let place = bytes.windows(10).position(|word| word == b"ReduceMean").expect("an operator");
        bytes[place..place + 10].copy_from_slice(name);
        bytes
    };
    let out = folder.path("out.onnx");
    for (name, code) in [(b"reducemean", "unknown-op"), (b"OtherNodes", "other-operator")] {
        let path = folder.file("m.onnx", &with_name(name));
        let line = format!("check {path} --target-opset 18 --fix -o {out}");
        let outcome = reduce(&line);
        assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), ""));
        let text = outcome.stdout;
        assert!(text.contains(&format!("error[{code}]")), "{text}");
        assert!(text.ends_with("1 problem; nothing is written\n"), "{text}");
        assert_eq!(folder.names(), ["m.onnx"]);
        let outcome = reduce(&format!("{line} --leave-others"));
        assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), ""));
        let left = "0 reductions changed\n1 node stayed as before, not the same at opset 18\n";
        assert!(outcome.stdout.ends_with(left), "{}", outcome.stdout);
        fs::remove_file(&out).expect("written");
    }
    assert_eq!(reduce("check m.onnx --fix -o out.onnx --leave-others").status, Some(2));
}

/// `Squeeze` has its axes in an attribute up to opset 12, and `ReduceMean` up to 17.
#[test]
fn other_operators_come_along_or_the_model_stays() {
    let folder = Folder::new("check_others");
    let mean = [node("ReduceMean", "x", "m"), ints("axes", &[0])].concat();
    let squeeze = [node("Squeeze", "m", "y"), ints("axes", &[0])].concat();
    let inputs = [input("x", 1, &["2"])];
    let of = |last: Vec<u8>| {
        [without_opset(&[mean.clone(), last], &inputs, &["y"]), import(11)].concat()
    };
    let old = folder.file("old.onnx", &of(squeeze));
    let out = folder.path("out.onnx");
    let outcome = reduce(&format!("check {old} --target-opset 18"));
    assert_eq!(outcome.status, Some(1));
    let last =
        "at opset 18: 0 unchanged, 1 changed, 0 impossible; 1 other node not the same there\n";
    for words in [
        "error[other-operator]: Squeeze at version 13: `axes` is no attribute, but an input\n",
        "node 1 of graph ",
        "= note: it is Squeeze-11 here, and Squeeze-13 at opset 18\n",
        last,
    ] {
        assert!(outcome.stdout.contains(words), "{words} in {}", outcome.stdout);
    }
    let json = reduce(&format!("check {old} --target-opset 18 --json")).stdout;
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let other = &document["models"][0]["others"][0];
    assert_eq!((&other["code"], &other["operator"]), (&"other-operator".into(), &"Squeeze".into()));
    let outcome = reduce(&format!("check {old} --target-opset 18 --fix -o {out}"));
    assert!(outcome.stdout.ends_with("1 problem; nothing is written\n"), "{}", outcome.stdout);
    assert_eq!(folder.names(), ["old.onnx"]);
    // All axes of size 1, which both versions say by saying nothing.
    let old = folder.file("old.onnx", &of(node("Squeeze", "m", "y")));
    let text = printed(&format!("check {old} --target-opset 18 --fix -o {out}"));
    assert!(text.ends_with("1 reduction changed\n"), "{text}");
    assert!(printed(&format!("check {out}")).contains("(1 ReduceMean-18); no problems"));
}

/// What is written at any opset passes the standard's own checker, and gives what the model before gave.
#[test]
fn other_readers_take_what_is_written() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/opsets.py");
    let python = Command::new("python3").args([script, env!("CARGO_BIN_EXE_reduce")]).output();
    let Ok(output) = python else {
        eprintln!("skipped: there is no Python");
        return;
    };
    let [told, error] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    match output.status.code() {
        Some(77) => eprintln!("{told}"),
        status => assert_eq!(status, Some(0), "{told}{error}"),
    }
}

/// A model comes from the standard input and goes to the standard output, where nothing else goes.
#[test]
fn models_through_pipes() {
    let through = |args: &str, bytes: &[u8]| {
        let mut child = command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        child.stdin.take().expect("a pipe").write_all(bytes).expect("it reads");
        child.wait_with_output().expect("it ends")
    };
    let old = model(MEAN);
    let checked = through("check -", &old);
    assert_eq!(checked.stdout, b"-: 1 reduction (1 ReduceMean-13); no problems\n");
    let new = through("check --fix --target-opset 18 -o - -", &old);
    assert_eq!(new.status.code(), Some(0));
    let told = String::from_utf8_lossy(&new.stderr);
    assert!(told.ends_with("wrote the standard output: 1 reduction changed\n"), "{told}");
    let checked = through("check -", &new.stdout);
    assert_eq!(checked.stdout, b"-: 1 reduction (1 ReduceMean-18); no problems\n");
    let explained = through("model - --explain", &new.stdout);
    assert_eq!(explained.status.code(), Some(0), "{explained:?}");
    let none = through("check --fix -o - -", b"");
    assert_eq!((none.status.code(), none.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&none.stderr).contains("`-`: has 0 bytes"));
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

/// A model of 3 GB is checked in the memory that its nodes take. Nearly all of the model is an initializer.
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
    let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), "")
    );
    assert!(text.contains("1 reduction (1 ReduceMean-13); no problems"), "{text}");
}
