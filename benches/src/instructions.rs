//! Instructions per element of the hot kernels, counted by valgrind's callgrind.
//!
//! Times on a shared machine vary by a factor of two; this count does not vary at all. A kernel
//! whose lanes fell out of their vectors needs several times as many instructions. The level is
//! AVX2, since valgrind knows no AVX-512.
//!
//! Exit status: 0, or 1 if a kernel takes more than its limit, or 2 if they
//! cannot be counted.

use std::process::{Command, ExitCode};

use reduce_benches::kernels;
use reduce_core::Level;

/// The most instructions a kernel may take for 1000 elements: a quarter more than
/// when the limit was set.
const LIMITS: [(&str, u64); 24] = [
    ("sum f32 list", 305),
    ("sum f64 list", 680),
    ("sum i64 list", 720),
    ("sum f16 list", 490),
    ("max f32 list", 760),
    ("max u8 list", 100),
    ("arg max f32 list", 945),
    ("log sum exp f32 list", 6600),
    ("sum f32 rows of 1024", 325),
    ("sum f32 rows of 8", 2000),
    ("sum f32 rows of 64", 1160),
    ("max f32 rows of 64", 2420),
    ("sum i64 rows of 40", 4520),
    ("sum f16 rows of 64", 1680),
    ("arg max f32 rows of 64", 3320),
    ("arg max f32 rows of 200", 2970),
    ("sum f32 columns", 790),
    ("sum f32 3 columns", 600),
    ("max f32 columns", 1270),
    ("arg max f32 columns", 1640),
    ("log sum exp f32 columns", 7110),
    ("softmax f32 rows of 1024", 7510),
    ("softmax f32 rows of 8", 17_850),
    ("softmax f32 columns", 9570),
];

/// Runs between the two counts that are compared.
const RUNS: u64 = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, runs] = arguments.as_slice() {
        return run(name, runs.parse().unwrap_or(0));
    }
    match compare() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("error: instructions cannot be counted: {reason}");
            ExitCode::from(2)
        }
    }
}

/// What callgrind watches: a kernel run so many times.
fn run(name: &str, runs: u64) -> ExitCode {
    let mut kernels = kernels(Level::Avx2);
    let Some(kernel) = kernels.iter_mut().find(|kernel| kernel.name == name) else {
        return ExitCode::from(2);
    };
    for _ in 0..runs {
        kernel.run();
    }
    ExitCode::SUCCESS
}

/// Counts every kernel and prints its limit; whether all keep to theirs.
fn compare() -> Result<bool, String> {
    if !Level::Avx2.is_available() {
        return Err("this CPU has no AVX2".into());
    }
    let mut all_keep = true;
    for kernel in kernels(Level::Avx2) {
        let limit = LIMITS.iter().find(|(name, _)| *name == kernel.name).map_or(0, |limit| limit.1);
        let runs = count(kernel.name, RUNS + 1)?.saturating_sub(count(kernel.name, 1)?);
        let found = runs * 1000 / RUNS / kernel.elements as u64;
        let keeps = found <= limit;
        all_keep &= keeps;
        let verdict = if keeps { "" } else { "  too many" };
        println!("{:24} {found:6} of {limit:6} per 1000 elements{verdict}", kernel.name);
    }
    Ok(all_keep)
}

/// The instructions of a process that runs a kernel so many times.
fn count(name: &str, runs: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([name, &runs.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    let collected = report.lines().find_map(|line| line.split_once("Collected :"));
    let number = collected.and_then(|(_, number)| number.trim().parse().ok());
    number.ok_or_else(|| format!("no count in valgrind's report: {report}"))
}
