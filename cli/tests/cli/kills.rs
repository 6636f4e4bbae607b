//! The command is killed at each system call of its writing, by `strace`: the file is as it was, or complete.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Output};

use crate::support::{Folder, command, floats};

/// Runs the binary under `strace`, with a list of the calls of its main thread in a file. Nothing if that is not installed, or
/// may not trace.
fn traced(log: &str, options: &[&str], args: &str) -> Option<Output> {
    let binary = command(args);
    let mut strace = Command::new("strace");
    strace.args(["-o", log]).args(options).arg(binary.get_program()).args(binary.get_args());
    let output = strace.output().ok()?;
    if String::from_utf8_lossy(&output.stderr).contains("strace: ") {
        return None;
    }
    Some(output)
}

/// The name of the call in a line of the list.
fn name(line: &str) -> &str {
    line.split('(').next().unwrap_or_default()
}

/// A way to write `out`, and what is in the file before, if it is there.
struct Case {
    args: String,
    out: String,
    before: Option<&'static [u8]>,
}

impl Case {
    /// Puts the file as it was before, and removes what a kill left beside it.
    fn prepare(&self, folder: &Folder) {
        let names = folder.names();
        for left in names.iter().filter(|name| name.starts_with(".reduce-")) {
            fs::remove_file(folder.0.join(left)).expect("left by a kill");
        }
        let _ = fs::remove_file(&self.out);
        if let Some(before) = self.before {
            fs::write(&self.out, before).expect("room");
        }
    }

    /// Kills the program at each call from the first that names a temporary file on. Returns how often that was, and whether
    /// the disk took what was written before it got its name.
    fn check(&self, folder: &Folder) -> Option<(usize, bool)> {
        let log = folder.path("log");
        self.prepare(folder);
        let whole = traced(&log, &[], &self.args)?;
        assert!(whole.status.success(), "{whole:?}");
        let after = fs::read(&self.out).expect("a file");
        let calls = fs::read_to_string(&log).expect("a list of calls");
        let calls: Vec<&str> = calls.lines().filter(|line| line.contains('(')).collect();
        let first = calls.iter().position(|line| line.contains(".reduce-"))?;
        let place = |of: &str| calls.iter().position(|line| name(line).starts_with(of));
        let is_synced = place("fsync") > Some(first) && place("fsync") < place("rename");
        let mut kills = 0;
        for (number, line) in calls.iter().enumerate().skip(first) {
            let call = name(line);
            let before = calls[..=number].iter().filter(|line| name(line) == call).count();
            let kill = format!("inject={call}:signal=KILL:when={before}");
            self.prepare(folder);
            let outcome = traced(&log, &["-e", &kill], &self.args)?;
            kills += usize::from(!outcome.status.success());
            let found = fs::read(&self.out).ok();
            let is_whole = found.as_deref() == self.before || found.as_ref() == Some(&after);
            assert!(is_whole, "{}: killed at {line}: {found:?}", self.args);
        }
        Some((kills, is_synced))
    }
}

#[test]
fn a_file_is_whole_wherever_the_program_is_killed() {
    let folder = Folder::new("kills");
    let x = folder.file("x.npy", &floats("(3,)", &[1.0, 2.0, 4.0]));
    let before = Some(&b"before"[..]);
    for (ending, before) in [("npy", None), ("npy", before), ("npz", None), ("safetensors", before)]
    {
        let out = folder.path(&format!("out.{ending}"));
        let case = Case { args: format!("run Sum {x} -o {out}"), out, before };
        let Some((kills, is_synced)) = case.check(&folder) else {
            return println!("strace is not installed or may not trace: nothing was killed");
        };
        assert!(kills >= 8, "{ending}: killed {kills} times");
        assert!(is_synced, "{ending}: the file has its name before the disk has what it holds");
    }
}
