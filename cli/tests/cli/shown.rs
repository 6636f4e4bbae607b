//! How names and lists of a file are shown: those that a terminal would obey are escaped, and long ones are cut.

use crate::onnx::{input, ints, model, named, node};
use crate::support::{Folder, Outcome, floats, reduce};

/// Names with a character each that nobody sees, or that turns others around.
const UNSEEN: [char; 9] = [
    '\u{1b}',
    '\u{7f}',
    '\u{9b}',
    '\u{200b}',
    '\u{2028}',
    '\u{202e}',
    '\u{2066}',
    '\u{feff}',
    '\u{e0041}',
];

/// All ways to look at a model.
fn looks(folder: &Folder, model: &[u8]) -> Vec<(String, Outcome)> {
    std::fs::create_dir_all(folder.0.join("test_a")).expect("a folder");
    let path = folder.file("test_a/model.onnx", model);
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let args = [
        format!("check {path}"),
        format!("check --json {path}"),
        format!("check --target-opset 11 {path}"),
        format!("check --target-opset 11 --json {path}"),
        format!("check --fix --target-opset 11 -o {path}.fixed {path}"),
        format!("model {path} -i x={x}"),
        format!("model --explain {path}"),
        format!("conformance {}", folder.0.display()),
        format!("conformance --json {}", folder.0.display()),
    ];
    args.map(|args| (args.clone(), reduce(&args))).into()
}

#[test]
fn what_nobody_sees_is_escaped() {
    let folder = Folder::new("shown_unseen");
    for c in UNSEEN {
        let name = format!("a{c}b");
        for model in [
            model(&[node(&format!("ReduceSum{c}"), "x", "y")], &[input("x", 1, &["2"])], &["y"]),
            model(&[node("ReduceSum", "x", &name)], &[input("x", 1, &["2"])], &[&name]),
            model(
                &[[node("ReduceSum", &name, "y"), named(&name), ints(&name, &[0])].concat()],
                &[input(&name, 1, &[&name])],
                &["y"],
            ),
        ] {
            for (args, found) in looks(&folder, &model) {
                for text in [&found.stdout, &found.stderr] {
                    assert!(!text.contains(c), "reduce {args}: {text:?}");
                }
            }
        }
    }
}

#[test]
fn what_is_long_is_cut() {
    let folder = Folder::new("shown_long");
    let long = "n".repeat(5_000_000);
    let axes: Vec<u64> = (0..100_000).collect();
    for model in [
        model(&[node(&format!("Reduce{long}"), "x", "y")], &[input("x", 1, &["2"])], &["y"]),
        model(&[node("ReduceSum", "x", &long)], &[input("x", 1, &["2"])], &[&long]),
        model(
            &[[node("ReduceSum", &long, "y"), named(&long), ints("axes", &axes)].concat()],
            &[input(&long, 1, &[&long])],
            &["y"],
        ),
        model(
            &[[node("ReduceMean", "x", "y"), ints(&long, &axes)].concat()],
            &[input("x", 1, &["2"])],
            &["y"],
        ),
    ] {
        for (args, found) in looks(&folder, &model) {
            // A program gets a name as it is, once.
            let most = if args.contains("--json") { 2 * long.len() + 20_000 } else { 20_000 };
            let length = found.stdout.len() + found.stderr.len();
            assert!(length < most, "reduce {args}: {length} bytes");
            let longest = found.stderr.lines().map(str::len).max().unwrap_or(0);
            assert!(longest < 3000, "reduce {args}: {longest} bytes");
        }
    }
    let found = reduce(&format!("run {} x.npy", "n".repeat(100_000)));
    assert!(found.stderr.len() < 3000 && found.stderr.contains("`reduce ops` lists"), "{found:?}");
}
