//! What is no file: the standard input and output, pipes, devices, links; and names that say no format.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, Outcome, command, floats, npy, printed, refused};

/// Runs the binary with these bytes as its standard input, in a pipe.
fn piped(args: &str, input: &[u8]) -> std::process::Output {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // Who refuses early does not read to the end.
    let sends = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    sends.join().expect("it ends");
    output
}

/// A file of each format with the array [1, 2, 3], and its bytes.
fn samples(folder: &Folder) -> [(&'static str, Vec<u8>); 3] {
    let x = folder.file("x.npy", &floats("(3,)", &[1.0, 2.0, 3.0]));
    ["npy", "npz", "safetensors"].map(|format| {
        let path = folder.path(&format!("copy.{format}"));
        printed(&format!("run Sum {x} --noop-with-empty-axes 1 -o {path}"));
        (format, fs::read(path).expect("written"))
    })
}

#[test]
fn the_standard_input_is_an_array() {
    let folder = Folder::new("input");
    for (format, bytes) in samples(&folder) {
        let members: &[&str] = match format {
            "npy" => &["-"],
            _ => &["-", "-- -:ReduceSum", "/dev/stdin:ReduceSum"],
        };
        for input in members {
            let found: Outcome = piped(&format!("run Sum {input}"), &bytes).into();
            assert_eq!((found.stdout.as_str(), found.stderr.as_str()), ("f32 [1]\n[6.0]\n", ""));
        }
        let path = folder.path(&format!("copy.{format}"));
        let found = command("run Sum -").stdin(fs::File::open(path).expect("there")).output();
        assert_eq!(Outcome::from(found.expect("it starts")).stdout, "f32 [1]\n[6.0]\n");
        if format != "npy" {
            let file = fs::File::open(folder.path(&format!("copy.{format}"))).expect("there");
            let args = "run Dot /dev/stdin:ReduceSum,ReduceSum --keepdims 0";
            let found = command(args).stdin(file).output().expect("it starts");
            assert_eq!(Outcome::from(found).stdout, "f32 []\n14.0\n");
            let found: Outcome = piped(args, &bytes).into();
            assert_eq!(found.stdout, "f32 []\n14.0\n", "{found:?}");
        }
        let cut: Outcome = piped("run Sum -", &bytes[..bytes.len() - 1]).into();
        assert_eq!(cut.status, Some(2), "{format}: {cut:?}");
        assert!(cut.stderr.starts_with("error: `-`: "), "{format}: {cut:?}");
    }
    let x = folder.path("x.npy");
    let file = fs::read(&x).expect("there");
    let both: Outcome = piped(&format!("run Dot - {x} --keepdims 0"), &file).into();
    assert_eq!(both.stdout, "f32 []\n14.0\n");
    let behind = [file.as_slice(), b"x"].concat();
    for (args, input, words) in [
        ("run Dot - -", &file, "the standard input is read once"),
        ("run Sum -", &b"a,b\n1,2\n".to_vec(), ".npy, .npz and .safetensors are"),
        ("run Sum -", &Vec::new(), "`-`: is empty; give it an array"),
        ("run Sum -", &behind, "takes 12 bytes, but 13 follow the header"),
    ] {
        let found: Outcome = piped(args, input).into();
        assert_eq!((found.status, found.stdout.as_str()), (Some(2), ""), "{found:?}");
        assert!(found.stderr.contains(words), "{words} in {}", found.stderr);
    }
}

#[test]
fn the_standard_output_is_a_file() {
    let folder = Folder::new("output_stream");
    let x = folder.file("x.npy", &floats("(4,)", &[1.0, 2.0, 3.0, 6.0]));
    for (ops, format) in [("Sum", "npy"), ("Mean,Max", "npz")] {
        let path = folder.path(&format!("out.{format}"));
        printed(&format!("run {ops} {x} -o {path}"));
        let output = command(&format!("run {ops} {x} -o -")).output().expect("it starts");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(
            (output.status.code(), output.stdout),
            (Some(0), fs::read(&path).expect("there"))
        );
    }
    // A command that fails sends nothing.
    let refusal = refused(&format!("run Sum {} -o -", folder.path("none.npy")));
    assert!(refusal.contains("no such file"), "{refusal}");
    // One program sends to another.
    let sent = command(&format!("run Sum {x} -o -")).output().expect("it starts").stdout;
    let found: Outcome = piped("run Sum -", &sent).into();
    assert_eq!(found.stdout, "f32 [1]\n[12.0]\n");
}

#[test]
fn a_name_says_the_format_or_the_first_bytes_do() {
    let folder = Folder::new("endings");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let table = folder.file("t.parquet", b"PAR1 and more");
    let missing = folder.path("none.csv");
    for path in [&table, &missing] {
        let ending = path.rsplit('.').next().expect("an ending");
        let message = refused(&format!("run Sum {path}"));
        let words =
            format!("ends with `.{ending}`, which is not read; .npy, .npz and .safetensors are");
        assert!(message.ends_with(&words), "{message}");
    }
    for (name, words) in [
        (
            "r.csv",
            "ends with `.csv`, which is not written; .npy, .npz and .safetensors are, and a folder, such as results/",
        ),
        (
            "r",
            "has no ending that says how it is written; .npy, .npz and .safetensors are, and a folder, such as results/",
        ),
    ] {
        let message = refused(&format!("run Sum {x} -o {}", folder.path(name)));
        assert!(message.ends_with(words), "{message}");
    }
    assert_eq!(folder.names(), ["t.parquet", "x.npy"]);
    for (format, bytes) in samples(&folder) {
        for name in ["backup.bak", "plain"] {
            let copy = folder.file(name, &bytes);
            assert_eq!(printed(&format!("run Sum {copy}")), "f32 [1]\n[6.0]\n", "{format}");
        }
    }
    let plain = folder.file("plain", b"no array");
    let message = refused(&format!("run Sum {plain}"));
    assert!(message.contains("does not begin as a file that is read"), "{message}");
}

/// What only the links and devices of a system have.
#[cfg(target_os = "linux")]
mod system {
    use std::fs::{self, OpenOptions};
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    /// Runs a line of a shell, in which `$R` is the binary.
    fn shell(line: &str) -> Outcome {
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("R", env!("CARGO_BIN_EXE_reduce"));
        command.output().expect("a shell").into()
    }

    #[test]
    fn pipes_are_read_and_written() {
        let folder = Folder::new("pipes");
        let x = folder.file("x.npy", &floats("(3,)", &[1.0, 2.0, 3.0]));
        for input in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
            for line in
                [format!("cat {x} | $R run Sum {input}"), format!("$R run Sum {input} < {x}")]
            {
                assert_eq!(shell(&line).stdout, "f32 [1]\n[6.0]\n", "{line}");
            }
        }
        let pipe = folder.path("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let found = shell(&format!("cat {x} > {pipe} & $R run Sum {pipe}; wait"));
        assert_eq!(found.stdout, "f32 [1]\n[6.0]\n", "{found:?}");
        let copy = folder.path("copy.npy");
        let found = shell(&format!("cat {pipe} > {copy} & $R run Sum {x} -o {pipe}; wait"));
        assert_eq!(found.stdout, format!("wrote {pipe}: f32 [1]\n"));
        assert_eq!(printed(&format!("run Max {copy}")), "f32 [1]\n[6.0]\n");
        assert_eq!(folder.names(), ["copy.npy", "pipe", "x.npy"]);
    }

    /// Models go the ways that arrays go.
    #[test]
    fn models_come_and_go_through_pipes() {
        use crate::onnx::{input, int, model, node};

        let folder = Folder::new("model_pipes");
        let sum = [node("ReduceSum", "x", "y"), int("keepdims", 0)].concat();
        let bytes = model(&[sum], &[input("x", 1, &["n"])], &["y"]);
        let m = folder.file("m.onnx", &bytes);
        let x = folder.file("x.npy", &floats("(3,)", &[1.0, 2.0, 3.0]));
        for line in [
            format!("cat {m} | $R model - -i x={x}"),
            format!("cat {m} | $R model /dev/stdin -i x={x}"),
            format!("$R model /dev/fd/3 -i x={x} 3< {m}"),
            format!("cat {m} | $R model /dev/fd/3 -i x={x} 3<&0"),
            format!("cat {x} | $R model {m} -i x=-"),
        ] {
            assert_eq!(shell(&line).stdout, "y: f32 []\n6.0\n", "{line}: {:?}", shell(&line));
        }
        let found = shell(&format!("cat {m} | $R model - -i x=-"));
        assert!(
            found.stderr.contains("`-`: the standard input is read once, and was read"),
            "{found:?}"
        );
        let all = folder.path("all.onnx");
        for output in ["-", "/dev/stdout"] {
            let found = shell(&format!("$R check --fix -o {output} {m} > {all}"));
            assert_eq!(found.status, Some(0), "{found:?}");
            assert_eq!(fs::read(&all).expect("written"), bytes);
            assert!(
                found.stderr.starts_with("wrote the standard output: 0 reductions"),
                "{found:?}"
            );
        }
        let found = shell(&format!("$R check --fix -o - {m} >&-"));
        assert_eq!(found.status, Some(2), "{found:?}");
    }

    /// Results come behind what was written before, and the file stays the one that it was.
    #[test]
    fn a_descriptor_is_written_where_it_is() {
        let folder = Folder::new("descriptor");
        let x = folder.file("x.npy", &floats("(3,)", &[1.0, 2.0, 3.0]));
        let one = folder.path("one.npy");
        printed(&format!("run Sum {x} -o {one}"));
        let all = folder.path("all.txt");
        for output in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let found = shell(&format!(
                "(echo before; $R run Sum {x} -o {output}; $R run Sum {x}; echo after) > {all}"
            ));
            assert_eq!(found.stderr, "", "{output}");
            let expected =
                [b"before\n", &fs::read(&one).expect("there")[..], b"f32 [1]\n[6.0]\nafter\n"]
                    .concat();
            assert_eq!(fs::read(&all).expect("there"), expected, "{output}");
        }
        let other = folder.path("other.txt");
        shell(&format!("(echo before >&3; $R run Sum {x} -o /dev/fd/3) 3> {other}"));
        let expected = [b"before\n", &fs::read(&one).expect("there")[..]].concat();
        assert_eq!(fs::read(&other).expect("there"), expected);
    }

    #[test]
    fn a_link_that_leads_to_nothing_is_followed() {
        let folder = Folder::new("dangling");
        let x = folder.file("x.npy", &floats("(3,)", &[1.0, 2.0, 3.0]));
        fs::create_dir(folder.0.join("inner")).expect("a folder");
        let (first, second) = (folder.path("first.npy"), folder.path("inner/second.npy"));
        symlink("inner/second.npy", &first).expect("a link");
        symlink("../third.npy", &second).expect("a link");
        printed(&format!("run Sum {x} -o {first}"));
        for link in [&first, &second] {
            assert!(fs::symlink_metadata(link).expect("there").is_symlink(), "{link}");
            assert_eq!(printed(&format!("run Max {link}")), "f32 [1]\n[6.0]\n");
        }
        assert!(fs::symlink_metadata(folder.path("third.npy")).expect("there").is_file());
        symlink("round.npy", folder.path("round.npy")).expect("a link");
        let message = refused(&format!("run Sum {x} -o {}", folder.path("round.npy")));
        assert!(message.contains("cannot be written: too many levels of"), "{message}");
    }

    /// Nothing can be printed: the standard output is closed, or its disk is full.
    #[test]
    fn an_output_that_takes_nothing_is_told() {
        let folder = Folder::new("closed");
        let x = folder.file("x.npy", &npy("'|u1'", false, "(2,)", &[1, 2]));
        let bench = "bench --ops Sum --case x=8:0 --secs 0";
        for args in
            ["", "ops", "--help", "run --help", "--version", "man", "completions bash", bench]
        {
            for (output, reason) in [(">&-", "it is closed"), ("> /dev/full", "no space left")] {
                let found = shell(&format!("$R {args} {output}"));
                assert_eq!(found.status, Some(2), "{args} {output}: {found:?}");
                let words = format!("error: standard output cannot be written: {reason}");
                assert!(found.stderr.starts_with(&words), "{args} {output}: {found:?}");
            }
        }
        let found = shell(&format!("$R run Max {x} -o - >&-"));
        assert_eq!(found.status, Some(2));
        assert_eq!(found.stderr, "error: `-`: cannot be written: it is closed\n");
        // What is not used may be closed, and what throws all away is no mistake.
        assert_eq!(shell(&format!("$R run Max {x} <&- 2>&-")).stdout, "u8 [1]\n[2]\n");
        let null = OpenOptions::new().read(true).write(true).open("/dev/null").expect("a device");
        let found = command("ops").stdout(null).output().expect("it starts");
        assert_eq!(found.status.code(), Some(0));
    }

    /// What belongs to a file beside its bytes stays, where the system has such.
    #[test]
    fn extended_attributes_stay() {
        let folder = Folder::new("attributes");
        let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
        let out = folder.file("out.npy", b"before");
        if xattr::set(&out, "user.origin", b"a buoy").is_err() {
            return;
        }
        xattr::set(&out, "user.empty", b"").expect("as the other");
        printed(&format!("run Sum {x} -o {out}"));
        let value = |name: &str| xattr::get(&out, name).expect("there");
        assert_eq!(value("user.origin").as_deref(), Some(&b"a buoy"[..]));
        assert_eq!(value("user.empty").as_deref(), Some(&b""[..]));
        assert_eq!(printed(&format!("run Max {out}")), "f32 [1]\n[3.0]\n");
    }
}
