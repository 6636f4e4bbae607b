//! `reduce run` by several operators at once, of several inputs, and by the gallery's.

use std::fs;

use crate::support::{Folder, floats, npy, printed, refused};

#[test]
fn operators_of_the_gallery() {
    let folder = Folder::new("gallery");
    let x = folder.file("x.npy", &floats("(4,)", &[1.0, 2.0, 3.0, 6.0]));
    let y = folder.file("y.npy", &floats("(4,)", &[1.0, 0.0, 1.0, 2.0]));
    let mask = folder.file("mask.npy", &npy("'|b1'", false, "(4,)", &[1, 0, 1, 0]));
    let holes = folder.file("holes.npy", &floats("(4,)", &[1.0, f32::NAN, 3.0, f32::NAN]));
    for (args, expected) in [
        (format!("Variance {x} --keepdims 0"), "f32 []\n3.5\n"),
        (format!("Var {x} --attr correction=1"), "f32 [1]\n[4.6666665]\n"),
        (
            format!("MeanVariance {x} --keepdims 0"),
            "MeanVariance.mean: f32 []\n3.0\nMeanVariance.variance: f32 []\n3.5\n",
        ),
        (format!("Dot {x} {y} --keepdims 0"), "f32 []\n16.0\n"),
        (format!("DotProduct {x} {y} --axes 0"), "f32 [1]\n[16.0]\n"),
        (format!("SquaredError {x} {y}"), "f32 [1]\n[6.0]\n"),
        (format!("WeightedMean {x} {y} {mask} --keepdims 0"), "f32 []\n2.0\n"),
        (
            format!("TopK {x} --attr k=3 --keepdims 0"),
            "TopK.values: f32 [3]\n[6.0, 3.0, 2.0]\nTopK.positions: i64 [3]\n[3, 2, 1]\n",
        ),
        (format!("Moments {x} --attr n=2 --keepdims 0"), "f32 [2]\n[3.0, 12.5]\n"),
        (
            format!("Histogram {x} --attr bins=10 --attr high=10.0 --keepdims 0"),
            "u64 [10]\n[0, 1, 1, 1, 0, 0, 1, 0, 0, 0]\n",
        ),
        (
            format!("Histogram {x} --attr bins=3 --attr high=6.0 --keepdims 0"),
            "u64 [3]\n[1, 2, 1]\n",
        ),
        (
            format!("WeightedHistogram {x} {y} --attr bins=2 --attr high=6.0 --keepdims 0"),
            "f64 [2]\n[1.0, 3.0]\n",
        ),
        (
            format!("TopK {x} --attr k=5 --attr largest=0 --keepdims 0"),
            "TopK.values: f32 [5]\n[1.0, 2.0, 3.0, 6.0, inf]\nTopK.positions: i64 [5]\n[0, 1, 2, 3, -1]\n",
        ),
        (format!("ExactSum {x} --where {mask} --keepdims 0"), "f32 []\n4.0\n"),
        // Elements count for operators of several inputs and results, too.
        (format!("Dot {x} {y} --where {mask} --keepdims 0"), "f32 []\n4.0\n"),
        (format!("Dot {x} {holes} --skip-nan --keepdims 0"), "f32 []\n10.0\n"),
        (
            format!("MeanVariance {holes} --skip-nan --where {mask} --keepdims 0"),
            "MeanVariance.mean: f32 []\n2.0\nMeanVariance.variance: f32 []\n1.0\n",
        ),
        (
            format!("TopK {x} --attr k=2 --where {mask} --keepdims 0"),
            "TopK.values: f32 [2]\n[3.0, 1.0]\nTopK.positions: i64 [2]\n[2, 0]\n",
        ),
    ] {
        assert_eq!(printed(&format!("run {args}")), expected, "{args}");
    }
    for (args, words) in [
        (format!("Dot {x}"), "operator `Dot` takes 2 inputs, not 1; name as many"),
        (format!("Sum {x} {y}"), "operator `ReduceSum` takes 1 input, not 2; name as many"),
        (format!("Moments {x}"), "say how many results, with --attr n=N, N from 1 to 8"),
        (format!("Moments {x} --attr n=9"), "attribute `n` is 9; expected an integer, from 1 to 8"),
        (
            format!("Moments {x} --attr n=-1"),
            "attribute `n` is -1; expected an integer, from 1 to 8",
        ),
        (format!("Moments {x} --attr n=2.5"), "attribute `n` is 2.5; expected an integer, from 1"),
        (
            format!("Moments {x} --attr n=two"),
            "attribute `n` is a string; expected an integer, from 1",
        ),
        (format!("TopK {x} --attr k=0"), "attribute `k` is 0; expected at least 1"),
        (format!("TopK {x} --attr k=2.5"), "attribute `k` takes an integer, not a float"),
        (format!("Histogram {x} --attr low=2.0"), "no bins lie between 2, `low`, and 1, `high`"),
        (format!("Variance {x} --attr correction=-1"), "attribute `correction` is -1"),
        (format!("Dot {x} {mask}"), "operator `Dot`: "),
    ] {
        let message = refused(&format!("run {args}"));
        assert!(message.contains(words), "{words} in {message}");
    }
}

/// Of all lists of operators, each result is the one that the operator has alone.
#[test]
fn several_at_once() {
    let folder = Folder::new("several");
    // Long enough for operators to keep step, and with roundings that depend on the order.
    let values: Vec<f32> =
        (0..1_500_000u64).map(|i| ((i * 7919) % 1_000_003) as f32 / 7.0).collect();
    let x = folder.file("x.npy", &floats("(1500, 1000)", &values));
    let ops = ["ReduceMean", "Variance", "ReduceMin", "ReduceLogSumExp", "ReduceL2"];
    let files = |rest: &str| -> Vec<Vec<u8>> {
        let parts = folder.path("parts/");
        printed(&format!("run {} {x} {rest} -o {parts}", ops.join(",")));
        let read = |op: &str| fs::read(format!("{parts}{op}.npy")).expect("written");
        ops.iter().map(|op| read(op)).collect()
    };
    let alone = |rest: &str| -> Vec<Vec<u8>> {
        let out = folder.path("alone.npy");
        let one = |op: &&str| {
            printed(&format!("run {op} {x} {rest} -o {out}"));
            fs::read(&out).expect("written")
        };
        ops.iter().map(one).collect()
    };
    for rest in ["--axes 0", "--axes 1 --threads 2"] {
        assert_eq!(files(rest), alone(rest), "{rest}");
    }
    for rest in ["--keepdims 0", "--axes 0 --keepdims 0", "--axes 1", "--threads 1", "--threads 3"]
    {
        let alone = ops.map(|op| format!("{op}: {}", printed(&format!("run {op} {x} {rest}"))));
        let names = ops.join(",");
        assert_eq!(printed(&format!("run {names} {x} {rest}")), alone.concat(), "{rest}");
    }
}

#[test]
fn lists_of_operators() {
    let folder = Folder::new("lists");
    let x = folder.file("x.npy", &floats("(4,)", &[1.0, 2.0, 3.0, 6.0]));
    let text = printed(&format!("run Mean,Var,Max {x} --attr correction=1 --keepdims 0"));
    assert_eq!(
        text,
        "ReduceMean: f32 []\n3.0\nVariance: f32 []\n4.6666665\nReduceMax: f32 []\n6.0\n"
    );
    // An axis for the one operator that has it; the others reduce the same.
    let text = printed(&format!("run Sum,ArgMax {x} --axes 0 --keepdims 0"));
    assert_eq!(text, "ReduceSum: f32 []\n12.0\nArgMax: i64 []\n3\n");
    for (args, words) in [
        ("Mean,Mean", "operator `ReduceMean` is named twice"),
        ("Mean,ReduceMean", "operator `ReduceMean` is named twice"),
        ("Mean,", "unknown operator ``"),
        ("Mean,Dot", "operator `Dot` takes 2 inputs, not 1"),
        ("Mean,Max --attr corection=1", "unknown attribute `corection`"),
    ] {
        let (ops, rest) = args.split_once(' ').unwrap_or((args, ""));
        let message = refused(&format!("run {ops} {x} {rest}"));
        assert!(message.contains(words), "{words} in {message}");
    }
    let out = folder.path("out.npy");
    assert!(refused(&format!("run Mean,Max {x} -o {out}")).contains("takes one result"));
    assert!(fs::metadata(&out).is_err());
}

/// What differs without a word is told; what is the same is not.
#[test]
fn axes_that_operators_have_by_themselves() {
    let folder = Folder::new("own_axes");
    let x = folder.file("x.npy", &floats("(2, 3)", &[1.0, 2.0, 3.0, 6.0, 5.0, 4.0]));
    let list = folder.file("list.npy", &floats("(3,)", &[1.0, 2.0, 3.0]));
    let said = |args: &str| {
        let found = crate::support::reduce(&format!("run {args}"));
        assert_eq!(found.status, Some(0), "{args}: {found:?}");
        found.stderr
    };
    assert_eq!(
        said(&format!("Mean,ArgMax,Max {x}")),
        "note: without --axes, each operator has its own: ReduceMean, ReduceMax over all axes; ArgMax over axis 0\n"
    );
    assert_eq!(
        said(&format!("Mean,ArgMax {x} --attr axis=1 --noop-with-empty-axes 1")),
        "note: without --axes, each operator has its own: ReduceMean over no axis; ArgMax over axis 1\n"
    );
    for args in [
        format!("Mean,ArgMax {x} --axes 0"),
        format!("Mean,Max {x}"),
        format!("Mean,ArgMax {list}"),
    ] {
        assert_eq!(said(&args), "", "{args}");
    }
}

#[test]
fn names_in_small_letters() {
    let folder = Folder::new("small_letters");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 3.0]));
    for (name, long) in [("mean", "ReduceMean"), ("REDUCEL2", "ReduceL2"), ("var", "Variance")] {
        assert_eq!(printed(&format!("run {name} {x}")), printed(&format!("run {long} {x}")));
        assert_eq!(printed(&format!("explain {name}")), printed(&format!("explain {long}")));
    }
    let message = refused(&format!("run mean,Mean {x}"));
    assert!(message.contains("operator `ReduceMean` is named twice"), "{message}");
    let row = |ops: &str| printed(&format!("bench --ops {ops} --case x=8:0 --secs 0"));
    assert!(row("sum").contains(",Sum,f32,x,") && row("reducemax").contains(",Max,f32,x,"));
}

/// Of several inputs, a sentence says which is meant.
#[test]
fn the_input_that_is_wrong_is_named() {
    let folder = Folder::new("which");
    let x = folder.file("x.npy", &floats("(4,)", &[1.0, 2.0, 3.0, 6.0]));
    let wide = folder.file("wide.npy", &floats("(2, 3)", &[0.0; 6]));
    let ints = folder.file("ints.npy", &npy("'<i4'", false, "(4,)", &[0; 16]));
    let mask = folder.file("mask.npy", &npy("'|b1'", false, "(4,)", &[1, 0, 1, 0]));
    for (args, words) in [
        (
            format!("WeightedMean {x} {x} {x}"),
            format!("input 3, `{x}`, is of `f32`; expected `bool` behind `f32`, `f32`"),
        ),
        (
            format!("WeightedMean {x} {ints} {mask}"),
            format!(
                "operator `WeightedMean`: input 2, `{ints}`, is of `i32`; expected `f32` behind `f32`"
            ),
        ),
        (format!("Dot {mask} {x}"), format!("input 1, `{mask}`, is of `bool`; expected `f16` or")),
        (
            format!("Dot,SquaredError {x} {wide}"),
            format!("input 2, `{wide}`, of shape [2, 3] does not broadcast to shape [4]"),
        ),
        (
            format!("WeightedMean {x} {x} {mask} --where {wide}"),
            "a mask of shape [2, 3] does not broadcast".to_owned(),
        ),
    ] {
        let message = refused(&format!("run {args}"));
        assert!(message.contains(&words), "{words} in {message}");
    }
}

#[test]
fn arrays_of_one_file() {
    let folder = Folder::new("one_file");
    let x = folder.file("x.npy", &floats("(2, 2)", &[1.0, 2.0, 3.0, 6.0]));
    for format in ["npz", "safetensors"] {
        let both = folder.path(&format!("both.{format}"));
        printed(&format!("run Max,Mean {x} --axes 0 -o {both}"));
        for inputs in ["ReduceMax,ReduceMean", "ReduceMax,ReduceMean.npy"] {
            if format == "safetensors" && inputs.ends_with(".npy") {
                continue;
            }
            assert_eq!(printed(&format!("run Dot {both}:{inputs} --keepdims 0")), "f32 []\n30.0\n");
        }
        let message = refused(&format!("run Dot {both}"));
        assert!(message.contains("takes 2 inputs, not 1; name as many, such as "), "{message}");
        let message = refused(&format!("run Max {both}:ReduceMax,ReduceMean"));
        assert!(message.contains("has no array `ReduceMax,ReduceMean`"), "{message}");
    }
}

/// A file of a few bytes asks for a result of any size.
#[test]
fn results_are_in_proportion() {
    let folder = Folder::new("proportion");
    let empty = folder.file("empty.npy", &floats("(0, 268435456)", &[]));
    let message = refused(&format!("run Sum {empty} --axes 0"));
    let words = "a result of shape [1, 268435456] is too much of inputs with 0 elements";
    assert!(message.contains(words), "{message}");
    let text = printed(&format!("run Sum {}", folder.file("e.npy", &floats("(0, 5)", &[]))));
    assert_eq!(text, "f32 [1, 1]\n[[0.0]]\n");
    // Much is not too much.
    let row = folder.file("row.npy", &floats("(1, 1000)", &[1.0; 1000]));
    let text = printed(&format!("run TopK {row} --axes 0 --attr k=64"));
    assert!(text.starts_with("TopK.values: f32 [1, 1000, 64]\n"), "{text}");
    let text = printed(&format!("run TopK {row} --axes 1 --attr k=1000 --keepdims 0"));
    assert!(text.starts_with("TopK.values: f32 [1, 1000]\n"), "{text}");
}

#[test]
fn operators_of_the_gallery_are_explained() {
    let list = printed("ops");
    for name in
        ["MeanVariance", "Dot or DotProduct", "TopK", "positions", "k, largest", "correction"]
    {
        assert!(list.contains(name), "{name} in {list}");
    }
    for name in ["Dot", "TopK", "MeanVariance", "Histogram", "WeightedMean", "LayerNorm"] {
        let text = printed(&format!("explain {name}"));
        assert!(text.starts_with(name) && text.lines().all(|line| line.chars().count() <= 100));
    }
    assert!(printed("explain Dot").contains("2 tensors, of types (f16, f16) (bf16, bf16)"));
    assert!(printed("explain TopK").contains("k         int, at least 1; default 1"));
}

/// What an operator emits has the shape of the input. Beside the input there may be others.
#[test]
fn operators_that_emit_are_run() {
    let folder = Folder::new("emitted");
    let rows = folder.file("x.npy", &floats("(2, 2)", &[1.0, 3.0, 6.0, 2.0]));
    let two = folder.file("two.npy", &floats("(2,)", &[2.0, 2.0]));
    let bias = folder.file("bias.npy", &floats("(2,)", &[0.0, 1.0]));
    let norm = format!("LayerNorm {rows} {two} {bias} --axes -1 --attr epsilon=0.0");
    for (arguments, expected) in [
        (format!("Softmax {two} --axes -1"), "f32 [2]\n[0.5, 0.5]\n"),
        (format!("Softmax,Sum {two}"), "Softmax: f32 [2]\n[0.5, 0.5]\nReduceSum: f32 [1]\n[4.0]\n"),
        (norm.clone(), "f32 [2, 2]\n[[-2.0,  3.0],\n [ 2.0, -1.0]]\n"),
        (format!("RmsNorm {two} {two} --attr epsilon=0.0"), "f32 [2]\n[2.0, 2.0]\n"),
    ] {
        assert_eq!(printed(&format!("run {arguments}")), expected, "{arguments}");
    }
    let mask = folder.file("mask.npy", &npy("'|b1'", false, "(2,)", &[1, 0]));
    for (arguments, words) in [
        (format!("Softmax {two} {two}"), "operator `Softmax` takes 1 input, not 2"),
        (format!("LayerNorm {rows} {two}"), "operator `LayerNorm` takes 1 or 3 inputs, not 2"),
        (format!("Softmax {two} --where {mask}"), "emits over all elements; leave out --where"),
        (format!("Softmax {two} --skip-nan"), "an emission by node is over all elements"),
    ] {
        let message = refused(&format!("run {arguments}"));
        assert!(message.contains(words), "{message}");
    }
    assert!(printed("explain LayerNorm").contains("beside the data: 2 of tensor(T), or none"));
    assert!(printed("ops").contains("LayerNorm or LayerNormalization"));
    assert!(printed("ops --json").contains("\"emits\": [\n      0,\n      2\n    ]"));
}
