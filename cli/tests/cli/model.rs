//! `reduce model`: files in, files out, and what is said of those that do not fit.

use std::fs;

use crate::onnx::{import, input, int, model, node};
use crate::support::{Folder, floats, npy, printed, refused};

/// Numbers of types in models.
const FLOAT: u64 = 1;
const LONG: u64 = 7;

/// A folder with a model of the logarithm of a sum of exponentials, and its input.
fn folder(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let nodes = [
        node("Exp", "x", "e"),
        [node("ReduceSum", "e", "s"), int("keepdims", 0)].concat(),
        node("Log", "s", "y"),
        node("Shape", "x", "sizes/x"),
    ];
    let model = model(&nodes, &[input("x", FLOAT, &["n", "2"])], &["y", "sizes/x"]);
    let model = folder.file("m.onnx", &model);
    folder.file("x.npy", &floats("(2, 2)", &[0.0; 4]));
    (folder, model)
}

#[test]
fn results_are_printed_by_name() {
    let (folder, model) = folder("model_printed");
    let x = folder.path("x.npy");
    let text = printed(&format!("model {model} --input x={x}"));
    assert_eq!(text, "y: f32 []\n1.3862944\nsizes/x: i64 [2]\n[2, 2]\n");
    for options in ["--no-fuse", "--level scalar", "--threads 2"] {
        assert_eq!(printed(&format!("model {model} -i x={x} {options}")), text, "{options}");
    }
}

#[test]
fn the_plan_is_explained() {
    let (_folder, model) = folder("model_explained");
    let joined = "step 1: ReduceLogSumExp of f32 in one pass, for node 0 (Exp), node 1 (ReduceSum), node 2 (Log)\n\
                  step 2: node 3 (Shape)\n";
    assert_eq!(printed(&format!("model {model} --explain")), joined);
    let apart = printed(&format!("model {model} --explain --no-fuse"));
    assert_eq!(apart.lines().count(), 4, "{apart}");
}

#[test]
fn outputs_are_written_to_a_folder() {
    let (folder, model) = folder("model_written");
    let (x, out) = (folder.path("x.npy"), folder.path("new/out"));
    let text = printed(&format!("model {model} --input x={x} -o {out}"));
    assert!(text.starts_with(&format!("wrote y to {out}/y.npy: f32 []\n")), "{text}");
    assert!(text.contains("sizes_x.npy: i64 [2]"), "{text}");
    let sizes = fs::read(format!("{out}/sizes_x.npy")).expect("an output");
    assert!(sizes.ends_with(&[2, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), 2);
}

/// A model that fails writes nothing, and leaves nothing beside what was there.
#[test]
fn all_are_written_or_none() {
    let folder = Folder::new("model_none");
    let nodes = [node("Abs", "x", "y"), node("Div", "k k", "z")];
    let inputs = [input("x", FLOAT, &["2"]), input("k", LONG, &["1"])];
    let model = folder.file("m.onnx", &model(&nodes, &inputs, &["y", "z"]));
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, -2.0]));
    let k = folder.file("k.npy", &npy("'<i8'", false, "(1,)", &[0; 8]));
    let out = Folder::new("model_none_out");
    let message = refused(&format!("model {model} -i x={x} -i k={k} -o {}", out.0.display()));
    assert!(message.contains("node 1 (Div): divides an integer by zero"), "{message}");
    assert_eq!(out.names(), [""; 0]);
    fs::create_dir(out.0.join("z.npy")).expect("in the way");
    let message = refused(&format!("model {model} -i x={x} -i k={k} -o {}", out.0.display()));
    assert!(message.contains("not a regular file"), "{message}");
    assert_eq!(out.names(), ["z.npy"]);
    let message = refused(&format!("model {model} -i x={x} -i k={k} -o {x}"));
    assert!(message.contains("cannot be made a folder"), "{message}");
}

#[test]
fn inputs_are_what_the_model_declares() {
    let folder = Folder::new("model_inputs");
    let nodes = [node("Add", "x w", "y")];
    let inputs = [input("x", FLOAT, &["n", "2"]), input("w", FLOAT, &["n", "1"])];
    let model = folder.file("m.onnx", &model(&nodes, &inputs, &["y"]));
    let x = folder.file("x.npy", &floats("(2, 2)", &[1.0, 2.0, 3.0, 4.0]));
    let column = folder.file("c.npy", &floats("(2, 1)", &[10.0, 20.0]));
    let tall = folder.file("t.npy", &floats("(3, 1)", &[0.0; 3]));
    let list = folder.file("l.npy", &floats("(2,)", &[0.0; 2]));
    let integers = folder.file("i.npy", &npy("'<i4'", false, "(2, 1)", &[0; 8]));
    for (given, words) in [
        (format!("-i x={x}"), "input `w` is not given; add --input w=FILE.npy of f32 [n, 1]"),
        (format!("-i z={x}"), "the model has no input `z`; its inputs are: `x`, `w`"),
        (format!("-i x={x} -i x={x} -i w={x}"), "input `x` is given twice"),
        (format!("-i x={x} -i w={x}"), "input `w` is declared with size 1 along axis 1"),
        (
            format!("-i x={x} -i w={list}"),
            "input `w` is declared with 2 axes, and this is of shape [2]",
        ),
        (format!("-i x={x} -i w={integers}"), "input `w` is declared as `f32`, and this is `i32`"),
        (
            format!("-i x={x} -i w={tall}"),
            "input `w` has size 3 along axis 0, which the model calls `n`; that is 2 in input `x`",
        ),
        (format!("-i x={x} -i w={model}"), "m.onnx`"),
    ] {
        let message = refused(&format!("model {model} {given}"));
        assert!(message.contains(words), "{words} in {message}");
    }
    // A file in Fortran order is read as it lies.
    let data: Vec<u8> = [1.0f32, 3.0, 2.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let turned = folder.file("f.npy", &npy("'<f4'", true, "(2, 2)", &data));
    let twice = [node("Concat", "x x", "y"), int("axis", 1)].concat();
    let twice = crate::onnx::model(&[twice], &[input("x", FLOAT, &["2", "2"])], &["y"]);
    let twice = folder.file("twice.onnx", &twice);
    for x in [x, turned] {
        let text = printed(&format!("model {model} -i x={x} -i w={column}"));
        assert_eq!(text, "y: f32 [2, 2]\n[[11.0, 12.0],\n [23.0, 24.0]]\n");
        let text = printed(&format!("model {twice} -i x={x}"));
        assert_eq!(text, "y: f32 [2, 4]\n[[1.0, 2.0, 1.0, 2.0],\n [3.0, 4.0, 3.0, 4.0]]\n");
    }
}

#[test]
fn what_is_not_run_or_no_model() {
    let folder = Folder::new("model_not_run");
    let nodes = [node("ReduceSum", "x", "y"), node("Conv", "y y", "z")];
    let model = folder.file("m.onnx", &model(&nodes, &[input("x", FLOAT, &["2"])], &["z"]));
    let message = refused(&format!("model {model} --explain"));
    assert!(message.contains("node 1 (Conv) of opset 18 is not run"), "{message}");
    let empty = folder.file("empty.onnx", b"");
    assert!(refused(&format!("model {empty}")).contains("has 0 bytes"));
    let bare = folder.file("bare.onnx", &import(18));
    assert!(refused(&format!("model {bare}")).contains("has no graph"));
    let text = folder.file("text.onnx", b"no model");
    assert!(refused(&format!("model {text}")).contains("is damaged or no ONNX file"));
    let missing = folder.path("missing.onnx");
    assert!(refused(&format!("model {missing}")).contains("no such file"));
}

/// A small model cannot ask for much memory, be it for one value or for many at a time.
#[test]
fn growth_is_bounded() {
    let folder = Folder::new("model_growth");
    let name = |number: usize| if number == 0 { "x".to_owned() } else { format!("v{number}") };
    let x = folder.file("x.npy", &floats("(1, 4096)", &[1.0; 4096]));
    let i = folder.file("i.npy", &npy("'<i8'", false, "(1024,)", &[0; 8192]));
    let inputs = [input("x", FLOAT, &["1", "4096"]), input("i", LONG, &["1024"])];
    let run = |nodes: &[Vec<u8>], outputs: &[&str]| {
        let model = folder.file("m.onnx", &model(nodes, &inputs, outputs));
        format!("model {model} -i x={x} -i i={i}")
    };
    let doubled = |number| {
        let input = format!("{0} {0}", name(number));
        [node("Concat", &input, &name(number + 1)), int("axis", 0)].concat()
    };
    let nodes: Vec<Vec<u8>> = (0..60).map(doubled).collect();
    assert!(refused(&run(&nodes, &["v60"])).contains("would be too much"));
    // Twenty results of 16 MiB: too many to hold, but not if none is read, or each for the last time.
    let names: Vec<String> = (1..=20).map(name).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let nodes: Vec<Vec<u8>> = all.iter().map(|name| node("Gather", "x i", name)).collect();
    assert!(
        refused(&run(&nodes, &all)).contains("node 16 (Gather): a result of shape [1024, 4096]")
    );
    assert!(printed(&run(&nodes, &["v1"])).starts_with("v1: f32 [1024, 4096]"));
    let next = |number| node("Gather", &format!("{} i", name(number)), &name(number + 1));
    let nodes: Vec<Vec<u8>> = (0..20).map(next).collect();
    assert!(printed(&run(&nodes, &["v20"])).starts_with("v20: f32 [1024, 4096]"));
}
