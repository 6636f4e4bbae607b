//! Running the binary, and making files for it without its own code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a run of the binary gave.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Outcome {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// The binary with arguments separated by blanks; `{}` stands for an empty one.
pub(crate) fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reduce"));
    command.args(args.split_whitespace().map(|arg| if arg == "{}" { "" } else { arg }));
    command
}

/// Runs the binary.
pub(crate) fn reduce(args: &str) -> Outcome {
    command(args).output().expect("the binary starts").into()
}

/// Runs the binary, which must print something and succeed.
pub(crate) fn printed(args: &str) -> String {
    let outcome = reduce(args);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""), "reduce {args}");
    outcome.stdout
}

/// The names of all commands, as the help lists them, and an empty one for none.
pub(crate) fn commands() -> Vec<String> {
    let help = printed("--help");
    let (_, list) = help.split_once("\nCommands:\n").expect("a list");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    let names: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(names.len() >= 9, "{help}");
    [vec![String::new()], names].concat()
}

/// Runs the binary, which must refuse in one line.
pub(crate) fn refused(args: &str) -> String {
    let outcome = reduce(args);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (Some(2), ""), "reduce {args}");
    let line = outcome.stderr.strip_suffix('\n').expect("a whole line");
    assert!(line.starts_with("error: ") && !line.contains('\n'), "{line}");
    assert!(!line.contains("panicked"), "{line}");
    line.to_owned()
}

/// A folder of one test's own, empty at first.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// Writes a file; returns its path.
    pub(crate) fn file(&self, name: &str, contents: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, contents).expect("a file for the test");
        path.display().to_string()
    }

    /// The path of a file that may not exist.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// The names of all files, hidden ones too, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().display().to_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }
}

/// An `.npy` file, version 1.0.
pub(crate) fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    npy_with(&format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"), data)
}

/// An `.npy` file with this header.
pub(crate) fn npy_with(header: &str, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len() + 1).expect("a short header");
    let length = length.to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), b"\n", data].concat()
}

/// A row-major `.npy` file of `f32`.
pub(crate) fn floats(shape: &str, values: &[f32]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy("'<f4'", false, shape, &data)
}
