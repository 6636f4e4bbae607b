//! Tests run once more under valgrind. It sees each read and write beyond allocated memory, and each decision on memory
//! that nobody wrote.

use std::process::Command;

/// Runs a test of this program under valgrind, if it is installed and the program is not emulated, as `REDUCE_EMULATED` says. Valgrind
/// has no AVX-512, so the levels below it are what runs.
///
/// # Panics
/// If valgrind finds a fault, or the test fails, or there is no such test.
pub fn check(test: &str) {
    if crate::is_emulated() {
        return println!("valgrind sees no emulated program: {test} was not run under it");
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        return println!("valgrind is not installed: {test} was not run under it");
    }
    let program = std::env::current_exe().expect("a program that runs");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9"]).arg(program);
    valgrind.args(["--exact", test, "--test-threads=1"]);
    let output = valgrind.output().expect("valgrind runs");
    let (said, found) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{test} under valgrind:\n{said}\n{found}");
    assert!(said.contains("1 passed"), "there is no test {test}:\n{said}");
}
