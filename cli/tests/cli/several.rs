//! `reduce run` by several operators at once, of several inputs, and by the gallery's.

use std::fs;

use crate::support::{Folder, floats, npy, printed, refused};

#[test]
fn operators_of_the_gallery() {
    let folder = Folder::new("gallery");
    let x = folder.file("x.npy", &floats("(4,)", &[1.0, 2.0, 3.0, 6.0]));
    let y = folder.file("y.npy", &floats("(4,)", &[1.0, 0.0, 1.0, 2.0]));
    let mask = folder.file("mask.npy", &npy("'|b1'", false, "(4,)", &[1, 0, 1, 0]));
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
        (format!("ExactSum {x} --where {mask} --keepdims 0"), "f32 []\n4.0\n"),
    ] {
        assert_eq!(printed(&format!("run {args}")), expected, "{args}");
    }
    for (args, words) in [
        (format!("Dot {x}"), "operator `Dot` takes 2 inputs, not 1; name as many"),
        (format!("Sum {x} {y}"), "operator `ReduceSum` takes 1 input, not 2; name as many"),
        (format!("TopK {x}"), "say how many results, with --attr k=N, N from 1 to 64"),
        (format!("TopK {x} --attr k=65"), "N from 1 to 64"),
        (format!("Histogram {x} --attr bins=11"), "N one of 10, 16, 20"),
        (format!("Variance {x} --attr correction=-1"), "attribute `correction` is -1"),
        (format!("Dot {x} {mask}"), "operator `Dot`: "),
        (format!("Dot {x} {y} --where {mask}"), "operator `Dot`: --where is for operators of one"),
        (format!("Dot {x} {y} --skip-nan"), "operator `Dot`: --skip-nan is for operators of one"),
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

#[test]
fn operators_of_the_gallery_are_explained() {
    let list = printed("ops");
    for name in ["MeanVariance", "Dot or DotProduct", "TopK", "positions", "correction"] {
        assert!(list.contains(name), "{name} in {list}");
    }
    for name in ["Dot", "TopK", "MeanVariance", "Histogram", "Moments", "WeightedMean", "Cosine"] {
        let text = printed(&format!("explain {name}"));
        assert!(text.starts_with(name) && text.lines().all(|line| line.chars().count() <= 100));
    }
    assert!(printed("explain Dot").contains("2 tensors, of types (f16, f16) (bf16, bf16)"));
    assert!(printed("explain TopK").contains("k         int, from 1 to 64; no default"));
}
