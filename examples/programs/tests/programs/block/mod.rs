//! The transformer block of `data/block.onnx`: its weights, its file, and what it computes, in plain loops over `f64`.

mod file;

use std::path::Path;

use reduce_onnx::proto::NodeProto;
use reduce_programs::noise;

use super::{Temporary, numbers, printed, run};

const WIDTH: usize = 16;
const HEADS: usize = 2;
const HIDDEN: usize = 32;
const EPSILON: f32 = 1e-5;

/// Numbers that look random: a matrix of this many rows, in row-major order, divided by the root of them.
fn matrix(seed: u32, rows: usize, columns: usize) -> Vec<f32> {
    noise(seed).take(rows * columns).map(|x| x / (rows as f32).sqrt()).collect()
}

/// Numbers around a middle.
fn list(seed: u32, middle: f32, count: usize) -> Vec<f32> {
    noise(seed).take(count).map(|x| middle + 0.1 * x).collect()
}

/// All weights, with their names and sizes.
fn weights() -> Vec<(&'static str, Vec<usize>, Vec<f32>)> {
    let mut weights = Vec::new();
    for (seed, name) in (11..).zip(["wq", "wk", "wv", "wo"]) {
        weights.push((name, vec![WIDTH, WIDTH], matrix(seed, WIDTH, WIDTH)));
    }
    weights.push(("up", vec![WIDTH, HIDDEN], matrix(15, WIDTH, HIDDEN)));
    weights.push(("down", vec![HIDDEN, WIDTH], matrix(16, HIDDEN, WIDTH)));
    for (seed, name) in (17..).zip(["norm1.scale", "norm2.scale"]) {
        weights.push((name, vec![WIDTH], list(seed, 1.0, WIDTH)));
    }
    for (seed, name) in (19..).zip(["norm1.bias", "norm2.bias"]) {
        weights.push((name, vec![WIDTH], list(seed, 0.0, WIDTH)));
    }
    weights.push(("up.bias", vec![HIDDEN], list(21, 0.0, HIDDEN)));
    weights.push(("down.bias", vec![WIDTH], list(22, 0.0, WIDTH)));
    weights.push(("epsilon", vec![], vec![EPSILON]));
    weights.push(("root", vec![], vec![((WIDTH / HEADS) as f32).sqrt()]));
    weights
}

fn weight(name: &str) -> Vec<f64> {
    let (.., data) = weights().into_iter().find(|(known, ..)| *known == name).expect(name);
    data.into_iter().map(f64::from).collect()
}

type Rows = Vec<Vec<f64>>;

fn product(a: &Rows, b: &[f64], columns: usize) -> Rows {
    let at = |row: &[f64], column| (0..row.len()).map(|k| row[k] * b[k * columns + column]).sum();
    a.iter().map(|row| (0..columns).map(|column| at(row, column)).collect()).collect()
}

fn sum(a: &Rows, b: &Rows) -> Rows {
    let rows = a.iter().zip(b);
    rows.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

fn norm(x: &Rows, name: &str) -> Rows {
    let (scale, bias) = (weight(&format!("{name}.scale")), weight(&format!("{name}.bias")));
    let normed = |row: &Vec<f64>| {
        let mean = row.iter().sum::<f64>() / WIDTH as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / WIDTH as f64;
        let deviation = (variance + f64::from(EPSILON)).sqrt();
        (0..WIDTH).map(|i| (row[i] - mean) / deviation * scale[i] + bias[i]).collect()
    };
    x.iter().map(normed).collect()
}

fn attention(x: &Rows) -> Rows {
    let [q, k, v] = ["wq", "wk", "wv"].map(|name| product(x, &weight(name), WIDTH));
    let (size, mut mixed) = (WIDTH / HEADS, vec![vec![0.0; WIDTH]; x.len()]);
    for (token, head) in (0..x.len()).flat_map(|token| (0..HEADS).map(move |head| (token, head))) {
        let own = head * size..(head + 1) * size;
        let score = |other: &Vec<f64>| own.clone().map(|i| q[token][i] * other[i]).sum::<f64>();
        let shares: Vec<f64> = k.iter().map(|k| (score(k) / (size as f64).sqrt()).exp()).collect();
        let total: f64 = shares.iter().sum();
        for i in own {
            let terms = shares.iter().zip(&v).map(|(share, v)| share / total * v[i]);
            mixed[token][i] = terms.sum();
        }
    }
    product(&mixed, &weight("wo"), WIDTH)
}

/// What the block makes of rows.
fn block(x: &Rows) -> Rows {
    let residual = sum(x, &attention(&norm(x, "norm1")));
    let mut hidden = product(&norm(&residual, "norm2"), &weight("up"), HIDDEN);
    let bias = weight("up.bias");
    for row in &mut hidden {
        row.iter_mut().zip(&bias).for_each(|(x, bias)| *x = (*x + bias).max(0.0));
    }
    let mut y = sum(&residual, &product(&hidden, &weight("down"), WIDTH));
    let bias = weight("down.bias");
    y.iter_mut().for_each(|row| row.iter_mut().zip(&bias).for_each(|(y, bias)| *y += bias));
    y
}

/// The path of the committed file.
fn path() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/data/block.onnx").to_owned()
}

/// Each number that is printed, for several numbers of tokens in one process, whose buffers come from one pool.
#[test]
fn a_block_is_run() {
    let found = printed("tiny-engine", &[&path(), "5", "1", "7", "5"], "");
    let calls: Vec<&str> = found.split(" tokens: ").skip(1).collect();
    assert_eq!(calls.len(), 4, "{found}");
    for (call, tokens) in calls.into_iter().zip([5, 1, 7, 5]) {
        let x: Vec<f64> = noise(1).take(tokens * WIDTH).map(f64::from).collect();
        let exact = block(&x.chunks(WIDTH).map(<[f64]>::to_vec).collect());
        for (token, exact) in exact.iter().enumerate() {
            let row = numbers(call, &format!("  token {token} "));
            assert_eq!(row.len(), WIDTH);
            for (found, exact) in row.iter().zip(exact) {
                // Half of the last place that is printed, and the rounding of `f32`.
                assert!((found - exact).abs() < 5e-5 + 2e-5, "{tokens}, {token}: {found}, {exact}");
            }
        }
    }
}

/// A plan is kept, and memory of the pool is enough for the same number of tokens.
#[test]
fn plans_and_buffers_are_used_again() {
    let found = printed("tiny-engine", &[&path(), "6", "6", "3"], "");
    assert!(found.starts_with("45 nodes, 6 of them reductions\n6 tokens: planned; "), "{found}");
    assert!(found.contains("\n6 tokens: plan kept; 0 new buffers\n"), "{found}");
    assert!(found.contains("\n3 tokens: planned; 0 new buffers\n"), "{found}");
}

/// The file is the one that the builder makes; `REDUCE_BLESS=1` writes it.
#[test]
fn the_file_is_the_block() {
    let model = file::model(&file::nodes());
    if std::env::var_os("REDUCE_BLESS").is_some() {
        std::fs::write(path(), model.bytes()).expect("the folder is there");
    }
    assert!(std::fs::read(Path::new(&path())).is_ok_and(|bytes| bytes == model.bytes()[..]));
    assert_eq!(model.check().problems().count(), 0);
}

/// A model that this engine does not run: the sentence names what is wrong.
#[test]
fn other_models_are_refused() {
    for (text, sentence) in [
        ("ReduceMean x -> y | axes=-1 keepdims=2", "attribute `keepdims` is 2; expected 0 or 1"),
        ("ReduceMean x -> y | axes=2", "axis 2 is out of range for rank 2"),
        ("ReduceMeen x -> y", "did you mean `ReduceMean`"),
        ("ArgMax x -> y", "ArgMax gives i64; this engine has f32 alone"),
        ("Add x z -> y", "Add: nothing gives `z`"),
        ("MatMul x up.bias -> y", "MatMul: [4, 16] and [32] do not fit"),
    ] {
        refuses(&[file::node(text)], sentence);
    }
    let mut other = file::node("Relu x -> y");
    other.domain = "com.example".to_owned();
    refuses(&[other], "`Relu` is of the domain `com.example`, and not of ONNX");
}

fn refuses(nodes: &[NodeProto], sentence: &str) {
    let model = file::model(nodes);
    let file = Temporary::new("refused.onnx", model.bytes());
    let (_, complaint, succeeded) = run("tiny-engine", &[&file.0], "");
    assert!(!succeeded && complaint.contains(sentence), "{sentence}: {complaint}");
}
