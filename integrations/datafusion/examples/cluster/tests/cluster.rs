//! Runs the example as its user would, and looks at what it says and at what it leaves behind.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test, at its line")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a run of the program may take. It gives up on its query after a minute.
const RUNS_WITHIN: Duration = Duration::from_secs(120);
/// How long processes may take to notice that their parent has died.
const NOTICED_WITHIN: Duration = Duration::from_secs(10);

/// A run of the program, whose temporary files and processes are told from others by `folder`.
struct Run {
    child: Child,
    output: BufReader<ChildStdout>,
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Run {
    fn start(args: &[&str]) -> Run {
        // One cluster at a time: several on few cores would be slower than their deadlines.
        static ALONE: Mutex<()> = Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_reduce-cluster"))
            .args(args)
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Run { child, output, folder, _alone }
    }

    /// Waits for the line that says that the cluster is ready.
    fn ready(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.contains("a scheduler at 127.0.0.1:"), "{line}");
        assert_eq!(processes(&self.folder).len(), 4, "the program, a scheduler, two executors");
    }

    /// Waits for the end; returns whether the run succeeded, its output, its errors.
    fn end(&mut self) -> (bool, String, String) {
        let status = within(RUNS_WITHIN, || self.child.try_wait().unwrap());
        let (mut output, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut output).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (status.success(), output, errors)
    }

    fn left_nothing(&self) {
        let processes = processes(&self.folder);
        assert!(processes.is_empty(), "{processes:?}");
        let files: Vec<_> = std::fs::read_dir(&self.folder).unwrap().collect();
        assert!(files.is_empty(), "{files:?}");
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // When a test has failed. The program's own processes end with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What `look` finds, which must be before the time is over.
fn within<T>(time: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < time, "not within {time:?}");
        sleep(Duration::from_millis(50));
    }
}

/// The command lines of the processes that run with this folder for temporary files.
fn processes(folder: &TempDir) -> Vec<String> {
    let variable = format!("TMPDIR={}\0", folder.path().display());
    let of_folder = |process: std::path::PathBuf| {
        let environment = std::fs::read(process.join("environ")).ok()?;
        let command = std::fs::read_to_string(process.join("cmdline")).ok()?;
        String::from_utf8_lossy(&environment).contains(&variable).then_some(command)
    };
    let all = std::fs::read_dir("/proc").unwrap();
    all.filter_map(|process| of_folder(process.ok()?.path())).collect()
}

/// The cells of the printed table, row by row.
fn cells(output: &str) -> Vec<Vec<String>> {
    let rows = output.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_string()).collect()).collect()
}

/// Runs the program, which must leave nothing; returns its output, or its errors if it failed.
fn run(args: &[&str]) -> Result<String, String> {
    let mut run = Run::start(args);
    let (success, output, errors) = run.end();
    run.left_nothing();
    if !success {
        return Err(errors);
    }
    assert!(output.contains("is equal to that of DataFusion alone"), "{output}");
    Ok(output)
}

/// The table of a run in which nothing is killed.
fn undisturbed() -> &'static Vec<Vec<String>> {
    static TABLE: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    TABLE.get_or_init(|| cells(&run(&[]).unwrap()))
}

/// Whether two cells hold the same text, and in it numbers that are the same but for their last digits.
fn same(one: &str, other: &str) -> bool {
    let words = |cell: &str| -> Vec<String> {
        cell.split(['{', '}', '[', ']', ',', ' ']).map(str::to_owned).collect()
    };
    let same = |(one, other): (&String, &String)| match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-10 * a.abs(),
        _ => one == other,
    };
    let (one, other) = (words(one), words(other));
    one.len() == other.len() && one.iter().zip(&other).all(same)
}

#[test]
fn cells_are_compared() {
    assert!(same("{mean: 1.00000000000001, rest: 2}", "{mean: 1.0, rest: 2.0}"));
    for (one, other) in [("1.0", "1.1"), ("[1.0, 2.0]", "[1.0]"), ("{a: 1}", "{b: 1}"), ("1.0", "")]
    {
        assert!(!same(one, other), "{one} {other}");
    }
}

/// The row of a group as plain loops find it.
fn by_loops(group: usize) -> Vec<String> {
    const GROUPS: [&str; 6] = ["amber", "blue", "cyan", "grey", "red", "void"];
    let rows = || (0..400_000usize).filter(|row| row * 31 % 1009 % 6 == group);
    let known = |row: &usize| !row.is_multiple_of(11) && group != 5;
    let x: Vec<f64> =
        rows().filter(known).map(|row| 0.5 + (row * 7919 % 100_003) as f64 / 10_000.3).collect();
    let mut cells = vec![GROUPS[group].to_owned(), rows().count().to_string()];
    if x.is_empty() {
        cells.extend(vec![String::new(); 6]);
        return cells;
    }
    let n = x.len() as f64;
    let mean_of = |of: &dyn Fn(f64) -> f64| x.iter().map(|&x| of(x)).sum::<f64>() / n;
    let mean = mean_of(&|x| x);
    let mut largest = x.clone();
    largest.sort_by(|a, b| b.total_cmp(a));
    cells.push((mean_of(&f64::exp) * n).ln().to_string());
    cells.push(format!("{{mean: {mean}, variance: {}}}", mean_of(&|x| (x - mean).powi(2))));
    cells.push(format!("{:?}", &largest[..3]));
    cells.push(mean_of(&|x| x.powi(3)).cbrt().to_string());
    cells.push(mean.to_string());
    cells.push((mean * n).to_string());
    cells
}

/// Asserts that a run finds the same after the loss of an executor as an undisturbed run.
fn changed_nothing(output: &str) {
    assert!(output.contains("is killed in its batch"), "{output}");
    let (table, expected) = (cells(output), undisturbed());
    assert_eq!(table.len(), expected.len());
    for (row, expected) in table.iter().zip(expected) {
        assert_eq!(row.len(), expected.len());
        let same = row.iter().zip(expected).all(|(cell, expected)| same(cell, expected));
        assert!(same, "{row:?} is not {expected:?}");
    }
}

#[test]
fn the_cluster_answers_as_datafusion_alone() {
    let table = undisturbed();
    assert_eq!(table.len(), 7);
    let rows: u32 = table[1..].iter().map(|row| row[1].parse::<u32>().unwrap()).sum();
    assert_eq!(rows, 400_000);
    assert_eq!(table[6][0], "void");
    assert!(table[6][2..].iter().all(String::is_empty), "a group of NULLs alone is NULL");
    for (group, row) in table[1..].iter().enumerate() {
        let expected = by_loops(group);
        assert_eq!(row.len(), expected.len());
        let same = row.iter().zip(&expected).all(|(cell, expected)| same(cell, expected));
        assert!(same, "{row:?} is not {expected:?}");
    }
}

#[test]
fn an_executor_lost_while_reading_changes_nothing() {
    changed_nothing(&run(&["--kill", "reading"]).unwrap());
}

#[test]
fn an_executor_lost_while_merging_never_makes_a_wrong_answer() {
    match run(&["--kill", "merging"]) {
        Ok(output) => changed_nothing(&output),
        Err(errors) => assert_eq!(errors, "the cluster gave no answer within 60s\n"),
    }
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    for signal in ["-INT", "-TERM"] {
        let mut run = Run::start(&["--kill"]);
        run.ready();
        let id = run.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let (success, _, errors) = run.end();
        assert!(!success);
        assert_eq!(errors, "interrupted\n");
        run.left_nothing();
    }
}

#[test]
fn no_process_outlives_a_killed_run() {
    let mut run = Run::start(&["--kill"]);
    run.ready();
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    within(NOTICED_WITHIN, || processes(&run.folder).is_empty().then_some(()));
}

#[test]
fn other_words_are_refused() {
    let mut run = Run::start(&["--kill", "never"]);
    let (success, output, errors) = run.end();
    assert!(!success && output.is_empty());
    assert!(errors.starts_with("usage: reduce-cluster"), "{errors}");
}
