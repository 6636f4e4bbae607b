//! A program of tests that runs some of its tests, and is stopped at the first that fails.

use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::compile::Program;

/// How a run ended.
#[derive(Debug)]
pub(super) enum Ended {
    Passed,
    /// The test that failed.
    Failed(String),
    /// It was killed by a signal, or gave up without naming a test.
    Died,
    TimedOut,
}

fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command
}

/// The names of the tests of a program.
pub(super) fn listed(program: &Program) -> io::Result<Vec<String>> {
    let output = command(program).args(["--list", "--format", "terse"]).output()?;
    let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs some tests with the switch set to a mutant.
pub(super) fn run(
    program: &Program,
    tests: &[&str],
    switch: &str,
    limit: Duration,
) -> io::Result<Ended> {
    let mut child = command(program)
        .args(tests)
        .arg("--exact")
        .env("REDUCE_MUTANT", switch)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let ended = watch(&mut child, limit);
    // What it started goes with it.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status();
    child.wait()?;
    ended
}

/// Reads what the tests print until one fails, or all are done.
fn watch(child: &mut Child, limit: Duration) -> io::Result<Ended> {
    let end = Instant::now() + limit;
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            BufReader::new(output)
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
    }
    if let Some(mut output) = child.stderr.take() {
        thread::spawn(move || output.read_to_end(&mut Vec::new()));
    }
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                if let Some(name) =
                    line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
                {
                    return Ok(Ended::Failed(name.to_owned()));
                }
            }
            Err(RecvTimeoutError::Timeout) => return Ok(Ended::TimedOut),
            Err(RecvTimeoutError::Disconnected) => {
                let status = child.wait()?;
                return Ok(match status.success() && status.signal().is_none() {
                    true => Ended::Passed,
                    false => Ended::Died,
                });
            }
        }
    }
}
