//! Each program is run, and what it prints is held against a plain computation, or against values that follow from the input.

mod block;
mod models;
mod page;
mod tables;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The built program of a name.
fn binary(name: &str) -> &'static str {
    match name {
        "check-nodes" => env!("CARGO_BIN_EXE_check-nodes"),
        "exposure" => env!("CARGO_BIN_EXE_exposure"),
        "masked-error" => env!("CARGO_BIN_EXE_masked-error"),
        "quantise" => env!("CARGO_BIN_EXE_quantise"),
        "rms-norm" => env!("CARGO_BIN_EXE_rms-norm"),
        "route-tokens" => env!("CARGO_BIN_EXE_route-tokens"),
        "same-bits" => env!("CARGO_BIN_EXE_same-bits"),
        "sensor-log" => env!("CARGO_BIN_EXE_sensor-log"),
        "tiny-engine" => env!("CARGO_BIN_EXE_tiny-engine"),
        _ => panic!("no program `{name}`"),
    }
}

/// What a program prints, what it says of a failure, and whether it succeeded; in the workspace's root.
fn run(name: &str, args: &[&str], input: &str) -> (String, String, bool) {
    let mut command = Command::new(binary(name));
    command.args(args).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it was built");
    // A program that takes no input may have ended.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.success())
}

/// What a program prints that has nothing to complain of.
fn printed(name: &str, args: &[&str], input: &str) -> String {
    let (printed, complaint, succeeded) = run(name, args, input);
    assert!(succeeded && complaint.is_empty(), "{name}: {complaint}");
    printed
}

/// The numbers of a line that begins with these words.
fn numbers(text: &str, words: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.starts_with(words));
    let line = line.unwrap_or_else(|| panic!("no line `{words}` in\n{text}"));
    let rest = line[words.len()..].split([' ', '[', ']', ',', '(', ')', '%']);
    rest.filter_map(|word| word.parse().ok()).collect()
}

/// A file that lasts as long as a test, with this text.
struct Temporary(String);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, bytes).expect("cargo's folder for this");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Bad input: one sentence that names it.
#[test]
fn failures_are_sentences() {
    let short = Temporary::new("short.ppm", b"P6\n2 2\n255\nabc");
    let table = Temporary::new("one-year.csv", b"YEAR,A\n1,2\n");
    for (name, args, input, sentence) in [
        ("rms-norm", &["0"][..], "", "`0` tokens; write a number from 1 to 4096"),
        ("tiny-engine", &[], "", "no model; name an `.onnx` file"),
        ("same-bits", &["many"], "", "`many` numbers; write a number from 1 to 100000000"),
        ("route-tokens", &["9", "1"], "", "`1` experts; write a number from 2 to 1024"),
        (
            "quantise",
            &["0.5", "inf"],
            "",
            "`inf` is no weight in `bf16`; write a number, such as 0.5",
        ),
        (
            "masked-error",
            &["no.csv"],
            "",
            "cannot read no.csv: No such file or directory (os error 2)",
        ),
        ("masked-error", &[&table.0], "", "a forecast needs the year before; found 1 in the table"),
        (
            "exposure",
            &[&short.0],
            "",
            "short.ppm is no whole binary PPM of 8 bits, which begins with `P6`",
        ),
        ("sensor-log", &[], "time,a\n1,\n", "there is no value behind any label"),
        ("sensor-log", &[], "time,a\n1,2\n2,x\n", "line 3: `x` is no number"),
        (
            "sensor-log",
            &[],
            "time,a\n1\n",
            "line 2: 0 values behind the label, where the first line names 1",
        ),
        (
            "sensor-log",
            &[],
            "",
            "the first line of a log names its columns, with commas between: a label, then the sensors",
        ),
        (
            "check-nodes",
            &[],
            "\nReduceSum 13 f31 2x3",
            "line 2: `f31` is no type; write Rust's name of it, such as f32",
        ),
        (
            "check-nodes",
            &[],
            "ReduceSum 13",
            "line 1: no type; a node is `OPERATOR OPSET TYPE SHAPE` and attributes",
        ),
    ] {
        let (_, complaint, succeeded) = run(name, args, input);
        let found = complaint.strip_prefix("Error: ").and_then(|text| text.strip_suffix('\n'));
        let found = found.unwrap_or_else(|| panic!("{name} {args:?}: {complaint}"));
        assert!(!succeeded && found.ends_with(sentence), "{name} {args:?}: {found}");
        assert!(!found.contains('\n'), "{found}");
    }
}
