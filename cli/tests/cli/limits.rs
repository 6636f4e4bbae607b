//! A system that gives little: no threads, no memory; and one in which others are at work too.

#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Folder, Outcome, command, floats, npy_with, printed, reduce, refused};

/// A file of zeros, which take no room on the disk, aligned so that it can be mapped.
fn zeros(folder: &Folder, name: &str, descr: &str, shape: &str, bytes: u64) -> String {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
    let blanks = " ".repeat(127 - 10 - header.len());
    let path = folder.file(name, &npy_with(&format!("{header}{blanks}"), &[]));
    let file = OpenOptions::new().append(true).open(&path).expect("just written");
    let first = file.metadata().expect("there").len();
    file.set_len(first + bytes).expect("room");
    path
}

/// Runs the binary in a shell, which sets a limit first.
pub(crate) fn limited(limit: &str, args: &str) -> Outcome {
    let program = env!("CARGO_BIN_EXE_reduce");
    let line = format!("ulimit {limit} && exec {program} {args}");
    Command::new("sh").args(["-c", &line]).output().expect("a shell").into()
}

/// Waits for something that comes soon.
pub(crate) fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} does not come");
        sleep(Duration::from_millis(2));
    }
}

/// No thread has so large a stack.
#[test]
fn without_threads_one_does_the_work() {
    let folder = Folder::new("no_threads");
    let large = zeros(&folder, "large.npy", "'<f4'", "(17000, 1000)", 68_000_000);
    for (args, words) in [("--keepdims 0", "f32 []\n0.0\n"), ("--axes 0 --keepdims 0", "[1000]")] {
        let mut command = command(&format!("run ReduceSum {large} {args}"));
        let output = command.env("RUST_MIN_STACK", (1u64 << 62).to_string()).output();
        let Outcome { status, stdout, stderr } = output.expect("the binary starts").into();
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        assert!(stdout.contains(words), "{stdout}");
    }
}

#[test]
fn without_memory_there_is_a_sentence() {
    let folder = Folder::new("no_memory");
    for (descr, bytes) in [("'>f4'", 4), ("'|b1'", 1), ("'>i8'", 8)] {
        let count = 3_000_000_000u64 / bytes;
        let path = zeros(&folder, "x.npy", descr, &format!("({count},)"), count * bytes);
        let op = if bytes == 1 { "ReduceMax" } else { "ReduceSum" };
        let found = limited("-v 2097152", &format!("run {op} {path}"));
        assert_eq!((found.status, found.stdout.as_str()), (Some(2), ""), "{found:?}");
        assert!(found.stderr.contains("do not fit in memory"), "{}", found.stderr);
        assert_eq!(found.stderr.lines().count(), 1, "{}", found.stderr);
    }
}

/// What a file only says that it holds takes no memory.
#[test]
fn claims_take_no_memory() {
    let folder = Folder::new("claims");
    let sample = |name: &str| {
        let path = format!("{}/tests/cli/data/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::read(path).expect("a sample")
    };
    let replaced = |name: &str, old: &[u8], new: &[u8]| {
        let mut file = sample(name);
        let place = file.windows(old.len()).position(|bytes| bytes == old).expect("it is there");
        file[place..place + new.len()].copy_from_slice(new);
        folder.file(name, &file)
    };
    let mut header = 90_000_000u64.to_le_bytes().to_vec();
    header.push(b'{');
    for path in [
        replaced("one.npz", b"(4,), }          ", b"(40000000000,), }"),
        replaced("one.safetensors", b"[0,32]", b"[0,9e]"),
        replaced("one.safetensors", b"[4]", b"[9]"),
        folder.file("x.safetensors", &header),
    ] {
        let found = limited("-v 300000", &format!("run Sum {path}"));
        assert_eq!((found.status, found.stdout.as_str()), (Some(2), ""), "{found:?}");
        assert_eq!(found.stderr.lines().count(), 1, "{}", found.stderr);
        assert!(found.stderr.contains(&path), "{}", found.stderr);
    }
}

/// A variable cannot ask for more threads than an argument.
#[test]
fn threads_are_not_without_number() {
    let folder = Folder::new("many_threads");
    let large = zeros(&folder, "large.npy", "'<f4'", "(17000, 1000)", 68_000_000);
    let mut command = command(&format!("run ReduceSum {large} --keepdims 0"));
    command.env("RAYON_NUM_THREADS", "5000").stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("ours").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("Threads:"));
        most = most.max(line.and_then(|line| line.trim().parse().ok()).unwrap_or(0u32));
    }
    let found: Outcome = child.wait_with_output().expect("it ended").into();
    assert_eq!(found.stdout, "f32 []\n0.0\n");
    assert!((1..1100).contains(&most), "{most} threads");
}

/// The most memory that a run has, looked at again and again, and what it prints.
pub(crate) fn memory_of(args: &str) -> (u64, Outcome) {
    let mut child = command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("ours").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let found = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
        most = most.max(1024 * found.unwrap_or(0));
        sleep(Duration::from_millis(2));
    }
    (most, child.wait_with_output().expect("it ended").into())
}

/// Over any axis, by one operator or several, most of a mapped file is not in memory at a time.
#[test]
fn memory_is_given_back() {
    let folder = Folder::new("given_back");
    let path = zeros(&folder, "x.npy", "'<f4'", "(6000, 100000)", 2_400_000_000);
    for args in ["--axes 0", "--axes 1", "--axes 0,1"] {
        for ops in ["Max", "Max,Min"] {
            let (most, found) = memory_of(&format!("run {ops} {path} --keepdims 0 {args}"));
            assert_eq!((found.status, found.stderr.as_str()), (Some(0), ""), "{ops} {args}");
            assert!((1..500_000_000).contains(&most), "{ops} {args}: {most} bytes");
        }
    }
}

/// Results are written from where they are: there is memory for the input and for them, and not for
/// a copy.
#[test]
fn what_is_written_is_not_copied() {
    let folder = Folder::new("not_copied");
    let path = zeros(&folder, "x.npy", "'|u1'", "(1400, 1000000)", 1_400_000_000);
    let out = folder.path("out.npy");
    let args = format!("run ReduceMax {path} --axes 0 --keepdims 0 -o {out}");
    let found = limited("-v 2300000", &args);
    assert_eq!((found.status, found.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::metadata(&out).expect("written").len(), 128 + 1_000_000);
}

#[test]
fn the_mode_of_what_is_replaced_is_kept() {
    let folder = Folder::new("mode");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let out = folder.file("out.npy", b"before");
    for mode in [0o640, 0o600, 0o444, 0o755] {
        fs::set_permissions(&out, fs::Permissions::from_mode(mode)).expect("its owner");
        printed(&format!("run ReduceSum {x} -o {out}"));
        let found = fs::metadata(&out).expect("written");
        assert_eq!(found.mode() & 0o7777, mode, "{mode:o}");
        assert!(found.len() > 100, "replaced");
    }
    // Through a link, the file that it leads to is replaced, and keeps its mode.
    let link = folder.path("link.npy");
    symlink(&out, &link).expect("a link");
    printed(&format!("run ReduceSum {x} -o {link}"));
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(fs::metadata(&out).expect("there").mode() & 0o7777, 0o755);
    let other = folder.path("other.npy");
    fs::hard_link(&out, &other).expect("another name");
    let message = refused(&format!("run ReduceSum {x} -o {out}"));
    assert!(message.contains("other names (hard links)"), "{message}");
    assert_eq!(folder.names(), ["link.npy", "other.npy", "out.npy", "x.npy"]);
}

/// A place that cannot be written to is named before the input is even looked for.
#[test]
fn the_place_comes_first() {
    let folder = Folder::new("place_first");
    let (missing, out) = (folder.path("missing.npy"), folder.path("folder/out.npy"));
    let message = refused(&format!("run ReduceSum {missing} -o {out}"));
    assert!(message.contains("`: cannot be written: "), "{message}");
    let message = refused(&format!("run ReduceSum {missing} -o {}", folder.path("out.npy")));
    assert!(message.contains("missing.npy"), "{message}");
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// A run over more than it can read in a moment, which has claimed its place and mapped its input.
fn at_work(folder: &Folder) -> (Child, String) {
    let path = zeros(folder, "x.npy", "'<f4'", "(3000000000,)", 12_000_000_000);
    let out = folder.path("out.npy");
    let child = command(&format!("run ReduceSum {path} -o {out}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let maps = format!("/proc/{}/maps", child.id());
    wait_for("the map", || fs::read_to_string(&maps).is_ok_and(|maps| maps.contains("x.npy")));
    sleep(Duration::from_millis(50));
    (child, path)
}

/// Tells whether this program ignores a signal, as in the background of a shell. If it does, so do all programs that
/// it starts.
pub(crate) fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("signals");
    u64::from_str_radix(line.trim(), 16).expect("bits") >> (signal - 1) & 1 == 1
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    let signals = [("TERM", 15), ("INT", 2), ("HUP", 1)];
    for (signal, number) in signals.into_iter().filter(|(_, number)| !is_ignored(*number)) {
        let folder = Folder::new("signals");
        let (child, _) = at_work(&folder);
        let names = folder.names();
        let random = names.iter().find(|name| name.starts_with(".reduce-")).expect("temporary");
        assert!(!random.contains(&child.id().to_string()) && random.len() > 20, "{names:?}");
        let id = child.id().to_string();
        Command::new("kill").args(["-s", signal, &id]).status().expect("kill");
        let status = child.wait_with_output().expect("it ends").status;
        assert_eq!(status.signal(), Some(number.cast_signed()), "{status}");
        assert_eq!(folder.names(), ["x.npy"]);
    }
}

#[test]
fn an_input_that_is_shortened_meanwhile_is_named() {
    let folder = Folder::new("shortened");
    let (child, path) = at_work(&folder);
    let file = OpenOptions::new().write(true).open(path).expect("there");
    file.set_len(1 << 20).expect("shorter");
    let Outcome { status, stdout, stderr } = child.wait_with_output().expect("it ends").into();
    assert_eq!((status, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.starts_with("error: a file was shortened while it was read; "), "{stderr}");
    assert_eq!(folder.names(), ["x.npy"]);
}

/// Of a file that says it is empty and has no end, no more is read than its header asks for.
#[test]
fn files_without_end() {
    let start = Instant::now();
    // Some of the system's files are read in multiples of eight bytes alone.
    let message = refused("run ReduceSum /proc/self/pagemap");
    assert!(message.contains("magic bytes") || message.contains("cannot be read: "), "{message}");
    let folder = Folder::new("no_end");
    fs::create_dir(folder.0.join("test_a")).expect("a folder");
    symlink("/proc/self/pagemap", folder.0.join("test_a/model.onnx")).expect("a link");
    let found = reduce(&format!("conformance {}", folder.0.display()));
    let text = found.stdout;
    assert!(text.starts_with("FAILED test_a: `"), "{text}");
    let rest = "has 0 bytes, so it is no model; name a whole one\n0 passed, 1 failed, 0 skipped\n";
    assert!(text.ends_with(rest), "{text}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// What cannot be read counts as failed, and the rest is run.
#[test]
fn a_conformance_run_goes_on() {
    let folder = Folder::new("goes_on");
    let test = |name: &str| {
        fs::create_dir(folder.0.join(name)).expect("a folder");
        folder.0.join(name).join("model.onnx")
    };
    let pipe = test("test_a_pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    symlink("nowhere", test("test_b_link")).expect("a link");
    fs::create_dir(test("test_c_folder")).expect("a folder");
    let run = || reduce(&format!("conformance {}", folder.0.display()));
    let Outcome { status, stdout, .. } = run();
    assert_eq!(status, Some(1));
    for line in [
        "FAILED test_a_pipe: ",
        "FAILED test_b_link: ",
        "FAILED test_c_folder: ",
        "is not a regular file",
        "there is no such file",
        "\n0 passed, 3 failed, 0 skipped\n",
    ] {
        assert!(stdout.contains(line), "{line} in {stdout}");
    }
    let closed = folder.0.join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("its owner");
    let found = closed_to(&folder.0);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).expect("its owner");
    let Some(found) = found else { return };
    assert_eq!(found.status, Some(1), "{found:?}");
    assert!(found.stdout.starts_with("FAILED closed: "), "{found:?}");
    assert!(found.stdout.ends_with("0 passed, 4 failed, 0 skipped\n"), "{found:?}");
}

/// A conformance run by a user to whom a folder may be closed: not the superuser. Nothing if another
/// user cannot start the program.
fn closed_to(folder: &Path) -> Option<Outcome> {
    use std::os::unix::process::CommandExt;

    let mut command = command(&format!("conformance {}", folder.display()));
    if fs::read_dir(folder.join("closed")).is_ok() {
        const NOBODY: u32 = 65534;
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().ok().map(Outcome::from)
}

/// A run that takes too long ends with a sentence, and the file that was there stays.
#[test]
fn what_takes_too_long_is_stopped() {
    let folder = Folder::new("timeout");
    let large = zeros(&folder, "large.npy", "'<f4'", "(600000, 1000)", 2_400_000_000);
    let out = folder.file("out.npy", b"precious");
    for how in ["", "--axes 0", "--threads 1"] {
        let args = format!("run Sum,Max {large} --keepdims 0 {how} --timeout 0.001");
        let stderr = refused(&args);
        assert!(stderr.contains("the deadline passed before the reduction was done"), "{stderr}");
    }
    let stderr = refused(&format!("run Sum {large} --timeout 0.001 -o {out}"));
    assert!(stderr.contains("the deadline passed"), "{stderr}");
    assert_eq!(fs::read(&out).expect("there"), b"precious");
    for wrong in ["0", "-1", "nan", "soon"] {
        let found = reduce(&format!("run Sum {large} --timeout {wrong}"));
        assert_eq!((found.status, found.stdout.as_str()), (Some(2), ""), "{wrong}");
        assert!(found.stderr.contains("expected a number of seconds above 0"), "{}", found.stderr);
    }
    let small = zeros(&folder, "small.npy", "'<f4'", "(10,)", 40);
    assert_eq!(printed(&format!("run Sum {small} --keepdims 0 --timeout 1e15")), "f32 []\n0.0\n");
    assert_eq!(printed(&format!("run Sum {small} --keepdims 0 --timeout 600")), "f32 []\n0.0\n");
}
