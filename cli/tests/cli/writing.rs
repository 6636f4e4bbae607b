//! Files that are written: at any moment they are as they were, or complete, and nothing stays beside them.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::limits::{is_ignored, limited, wait_for};
use crate::onnx::{input, model, node};
use crate::support::{Folder, command, floats, printed};

/// A program that has claimed its places, and waits for its input.
fn waiting(args: &str) -> Child {
    command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

fn send(signal: i32, child: &Child) {
    let id = child.id().to_string();
    Command::new("kill").args([format!("-{signal}"), id]).status().expect("kill");
}

/// Whatever a signal ends the program, but for those that nobody can ask for.
#[test]
fn every_signal_that_ends_the_program_leaves_nothing() {
    let folder = Folder::new("all_signals");
    // 9 kills and 19 stops; 11 is Rust's; 13 and 25 are ignored; 17, 18, 20 to 23 and 28 end nothing.
    let harmless = [7, 9, 11, 13, 17, 18, 19, 20, 21, 22, 23, 25, 28, 32, 33];
    let ending = (1i32..=64).filter(|signal| !harmless.contains(signal));
    for signal in ending.filter(|&signal| !is_ignored(signal.cast_unsigned())) {
        let out = folder.path("new/");
        let child = waiting(&format!("run Mean,Max - -o {out}"));
        wait_for("places", || fs::read_dir(&out).is_ok_and(|names| names.count() == 2));
        send(signal, &child);
        let status = child.wait_with_output().expect("it ends").status;
        assert_eq!(status.signal(), Some(signal), "{status}");
        assert_eq!(folder.names(), [""; 0], "signal {signal}");
    }
}

/// A model with `outputs` outputs. Each is the sum of the input.
fn wide_model(folder: &Folder, outputs: usize) -> String {
    let names: Vec<String> = (0..outputs).map(|number| format!("y{number}")).collect();
    let nodes: Vec<Vec<u8>> = names.iter().map(|name| node("ReduceSum", "x", name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder.file("m.onnx", &model(&nodes, &[input("x", 1, &["n"])], &names))
}

#[test]
fn any_number_of_files_is_cleaned() {
    let folder = Folder::new("many_cleaned");
    let model = wide_model(&folder, 300);
    let out = Folder::new("many_cleaned_out");
    let child = waiting(&format!("model {model} -i x=- -o {}", out.0.display()));
    wait_for("places", || out.names().len() == 300);
    send(15, &child);
    assert_eq!(child.wait_with_output().expect("it ends").status.signal(), Some(15));
    assert_eq!(out.names(), [""; 0]);
}

#[test]
fn more_files_than_may_be_open() {
    let folder = Folder::new("many_open");
    let model = wide_model(&folder, 200);
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let out = Folder::new("many_open_out");
    let args = format!("model {model} -i x={x} -o {}", out.0.display());
    let found = limited("-n 40", &args);
    assert_eq!((found.status, found.stderr.as_str()), (Some(0), ""));
    assert_eq!(out.names().len(), 200);
    assert_eq!(printed(&format!("run Max {}/y199.npy", out.0.display())), "f32 [1]\n[3.0]\n");
}

/// A new file may be read by whom the system lets read new files; one that is replaced keeps its owner and its mode.
#[test]
fn owners_and_modes() {
    let folder = Folder::new("owners");
    let x = folder.file("x.npy", &floats("(1,)", &[1.0]));
    let (new, out) = (folder.path("new.npy"), folder.file("out.npy", b"before"));
    printed(&format!("run Sum {x} -o {new}"));
    let of = |path: &str| {
        let found = fs::metadata(path).expect("there");
        (found.uid(), found.gid(), found.mode())
    };
    assert_eq!(of(&new), of(&x));
    fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).expect("its owner");
    // Only the system's administrator may give a file away.
    let _ = chown(&out, Some(12_345), Some(12_345));
    let before = of(&out);
    printed(&format!("run Sum {x} -o {out}"));
    assert_eq!(of(&out), before);
}

/// A file that may grow no further is told of, and the one before stays.
#[test]
fn a_file_that_may_not_grow() {
    let folder = Folder::new("may_not_grow");
    let x = folder.file("x.npy", &floats("(100000,)", &vec![1.0; 100_000]));
    let out = folder.file("out.npy", b"before");
    let run = format!("run Sum {x} --noop-with-empty-axes 1 -o {out}");
    for blocks in [0, 1, 10, 700] {
        let found = limited(&format!("-f {blocks}"), &run);
        assert_eq!((found.status, found.stdout.as_str()), (Some(2), ""), "{found:?}");
        let sentence = format!("error: `{out}`: cannot be written: file too large\n");
        assert_eq!(found.stderr, sentence);
        assert_eq!(fs::read(&out).expect("there"), b"before");
    }
    assert_eq!(folder.names(), ["out.npy", "x.npy"]);
    assert_eq!(limited("-f 1000", &run).status, Some(0));
}

/// The bytes that a reader finds in a file.
fn contents(path: &str) -> Vec<u8> {
    fs::read(path).expect("a file at any moment")
}

/// A reader who comes at any moment, and one who comes after the program was killed at any moment, finds the file before
/// or the file after. And who reads on in the file before has that to its end.
#[test]
fn a_file_is_replaced_at_once() {
    let folder = Folder::new("at_once");
    let (x, out) = (folder.path("x.npy"), folder.path("out.npy"));
    let count = 4_000_000;
    fs::write(&x, floats(&format!("({count},)"), &vec![2.0; count])).expect("room");
    let run = format!("run Sum {x} --noop-with-empty-axes 1 -o {out}");
    printed(&run);
    let start = Instant::now();
    printed(&run);
    let time = start.elapsed();
    let after = contents(&out);
    let before = b"before".repeat(2_000_000);
    for step in 0..=30 {
        fs::write(&out, &before).expect("room");
        let mut held = File::open(&out).expect("there");
        let mut child = waiting(&run);
        let end = Instant::now() + time * step / 20;
        // The last is not killed.
        while (step == 30 || Instant::now() < end) && child.try_wait().expect("ours").is_none() {
            let length = fs::metadata(&out).expect("at any moment").len();
            assert!([before.len() as u64, after.len() as u64].contains(&length), "{length} bytes");
        }
        // Killed: nobody can ask for that.
        let _ = child.kill();
        child.wait().expect("it ends");
        let found = contents(&out);
        assert!(found == before || found == after, "killed at step {step}: {} bytes", found.len());
        let mut old = Vec::new();
        held.read_to_end(&mut old).expect("open");
        assert!(old == before, "what was open is overwritten: {} bytes", old.len());
    }
    for name in folder.names().iter().filter(|name| name.starts_with(".reduce-")) {
        fs::remove_file(folder.0.join(name)).expect("left by a kill");
    }
    // The file that was written beside it is the one that stands there.
    let child = waiting(&format!("run Sum - -o {out}"));
    let temporary = || folder.names().into_iter().find(|name| name.starts_with(".reduce-"));
    wait_for("a temporary file", || temporary().is_some());
    let inode = |name: &str| fs::metadata(folder.0.join(name)).expect("there").ino();
    let written = inode(&temporary().expect("there"));
    std::io::Write::write_all(&mut child.stdin.as_ref().expect("a pipe"), &floats("(1,)", &[7.0]))
        .expect("it reads");
    assert!(child.wait_with_output().expect("it ends").status.success());
    assert_eq!(inode("out.npy"), written);
    assert_eq!(folder.names(), ["out.npy", "x.npy"]);
}
