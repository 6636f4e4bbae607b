//! `reduce run --gpu` and `reduce bench --gpu`, beside the same without.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run of the binary gave: whether it succeeded, what it printed, and the last line of its errors. Drivers of devices
/// print lines of their own.
fn reduce(args: &[&str]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reduce"));
    let output = command.args(args).output().expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let errors = text(output.stderr);
    let last = errors.lines().last().unwrap_or_default().to_owned();
    (output.status.success(), text(output.stdout), last)
}

/// A folder of one test's own, empty at first.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Writes a `.npy` file of some type and shape; returns its path.
fn npy(folder: &Path, name: &str, (descr, shape): (&str, &str), data: &[u8]) -> String {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let length = u16::try_from(header.len()).expect("a short header").to_le_bytes();
    let path = folder.join(name);
    let file = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat();
    fs::write(&path, file).expect("a file");
    path.display().to_string()
}

/// Floats of both signs, 20 rows of 30.
fn matrix(folder: &Path, name: &str) -> String {
    let value = |x: u16| f32::from(x.wrapping_mul(40_503) % 1999) / 64.0 - 15.0;
    let data: Vec<u8> = (0..600).flat_map(|x| value(x).to_le_bytes()).collect();
    npy(folder, name, ("<f4", "(20, 30)"), &data)
}

#[test]
fn results_have_the_bits_of_the_cpu() {
    let folder = folder("bits");
    let (x, y) = (matrix(&folder, "x.npy"), matrix(&folder, "y.npy"));
    let halves: Vec<u8> = (0u16..600).flat_map(|x| (0x3000 + 7 * x).to_le_bytes()).collect();
    let halves = npy(&folder, "halves.npy", ("<f2", "(600,)"), &halves);
    let none = npy(&folder, "none.npy", ("<f4", "(0, 3)"), &[]);
    let requests: [&[&str]; 10] = [
        &["Sum", &x],
        &["Mean,Var,Max,LogSumExp", &x, "--axes", "0"],
        &["ArgMax", &x, "--axes", "1", "--keepdims", "0", "--attr", "select_last_index=1"],
        &["MeanVariance,Dot", &x, &y, "--axes", "-1"],
        &["MeanVariance", &x, "--axes", "-1"],
        &["StandardDeviation", &x, "--axes", "0"],
        &["Covariance,Correlation,Regression", &x, &y, "--axes", "-1"],
        &["WeightedVariance,WeightedDeviation", &x, &y, "--axes", "-1"],
        &["L2", &halves],
        &["Sum", &none, "--axes", "0"],
    ];
    for (number, request) in requests.into_iter().enumerate() {
        let written = |device: &[&str]| {
            let place = folder.join(format!("{number}{}.npz", device.len())).display().to_string();
            let args = [&["run"], request, device, &["-o", &place]].concat();
            let (succeeded, _, error) = reduce(&args);
            (succeeded.then(|| fs::read(&place).expect("results")), error)
        };
        let (computed, error) = written(&["--gpu"]);
        assert_eq!(computed, written(&[]).0, "{request:?}: {error}");
        // One of the requests is for operators of different numbers of inputs.
        assert_eq!(computed.is_some(), !request[0].contains(",Dot"), "{request:?}: {error}");
    }
    let (succeeded, sum, _) = reduce(&["run", "Dot", &x, &y, "--gpu", "--keepdims", "0"]);
    assert!(succeeded);
    assert_eq!(sum, reduce(&["run", "Dot", &x, &y, "--keepdims", "0"]).1);
}

#[test]
fn each_mistake_is_named() {
    let folder = folder("mistakes");
    let x = matrix(&folder, "x.npy");
    for (args, words) in [
        (
            &["run", "Sum", &x, "--gpu=no such device"][..],
            "no adapter has `no such device` in its name",
        ),
        (
            &["run", "TopK", &x, "--attr", "k=4", "--gpu"],
            "`TopK` does not run on a GPU; leave out --gpu",
        ),
        (&["run", "Sum", &x, "--gpu", "--axes", "2"], "axis 2 is out of range for rank 2"),
        (&["bench", "--gpu=no such device"], "no adapter has"),
    ] {
        let (succeeded, printed, error) = reduce(args);
        assert!(!succeeded && printed.is_empty(), "{args:?}");
        assert!(error.starts_with("error: ") && error.contains(words), "{words} in {error}");
    }
    for other in ["--skip-nan", "--level=scalar", "--threads=2", "--where=mask.npy"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reduce"));
        let output = command.args(["run", "Sum", &x, "--gpu", other]).output().expect("it starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let words = "the argument '--gpu[=<NAME>]' cannot be used with '--";
        assert!(!output.status.success() && error.contains(words), "{error}");
    }
}

#[test]
fn rows_of_the_device_are_beside_those_of_the_cpu() {
    let args = ["bench", "--gpu", "--secs", "0", "--ops", "Sum,ArgMax,VarMean,Dot,Softmax"];
    let cases = ["--case", "a=500:all", "--case", "b=20x30:0,1", "--cases", ""];
    let (succeeded, printed, error) = reduce(&[&args[..], &cases].concat());
    assert!(succeeded, "{error}");
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 10), "{printed}");
    let of = |case: &str, device: bool| -> Vec<&str> {
        let is_of = |row: &&Vec<&str>| row[4] == case && (row[0] != "reduce") == device;
        rows.iter().filter(is_of).map(|row| row[2]).collect()
    };
    assert_eq!(of("a", false), ["Sum", "ArgMax", "VarMean", "Dot"]);
    assert_eq!(of("a", true), ["Sum", "ArgMax", "VarMean", "Dot"]);
    assert_eq!(of("b", false), ["Sum", "ArgMax", "VarMean"]);
    // Nodes reduce one axis by ArgMax.
    assert_eq!(of("b", true), ["Sum", "VarMean"]);
}
