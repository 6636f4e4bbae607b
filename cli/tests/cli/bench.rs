//! `reduce bench`, on inputs so small that nothing is learnt about speed.

use std::fs;

use crate::support::{Folder, Outcome, command, printed, reduce, refused};

const CASES: [&str; 19] = [
    "all_1e3",
    "all_1e5",
    "all_1e7",
    "all_1e8",
    "last_1024x1024",
    "last_100000x64",
    "last_1000000x8",
    "last_1000000x3",
    "last_64x1000000",
    "first_1024x1024",
    "first_100000x64",
    "first_64x1000000",
    "mid_64x512x128",
    "multi_32x64x56x56_ax23",
    "multi_32x64x56x56_ax023",
    "trans_4096x4096T_ax0",
    "trans_4096x4096T_ax1",
    "tiny_2x3x4_all",
    "tiny_2x3x4_ax1",
];

/// The fields of one row.
#[derive(Debug)]
struct Row {
    library: String,
    threads: usize,
    op: String,
    dtype: String,
    case: String,
    bytes: usize,
}

/// Reads rows, and checks what holds for all of them.
fn rows(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [library, threads, op, dtype, case, bytes, count, least, median, most] = fields[..]
        else {
            panic!("not ten fields: {line}");
        };
        let number = |field: &str| field.parse::<usize>().expect("a number");
        let seconds = |field: &str| {
            let digits = field.split('e').next().map(str::len);
            assert_eq!((digits, field.contains('e')), (Some(6), true), "{line}");
            field.parse::<f64>().expect("seconds")
        };
        let times = [least, median, most].map(seconds);
        assert!(times[0] > 0.0 && times.is_sorted() && times[2] < 10.0, "{line}");
        assert!(number(count) >= 2, "{line}");
        let [library, op, dtype, case] = [library, op, dtype, case].map(str::to_owned);
        Row { library, threads: number(threads), op, dtype, case, bytes: number(bytes) }
    };
    text.lines().map(row).collect()
}

fn bench(args: &str) -> Vec<Row> {
    rows(&printed(&format!("bench --secs 0.001 {args}")))
}

fn names<'a>(rows: &'a [Row], field: impl Fn(&'a Row) -> &'a String) -> Vec<&'a str> {
    rows.iter().map(|row| field(row).as_str()).collect()
}

#[test]
fn every_operator_meets_a_case() {
    let rows = bench("--cases tiny_2x3x4_all");
    let mut ops = names(&rows, |row| &row.op);
    ops.sort_unstable();
    let all = "ArgMax L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare Var VarMean";
    assert_eq!(ops.join(" "), all);
    for row in &rows {
        assert_eq!((row.library.as_str(), row.threads), ("reduce", 1), "{row:?}");
        assert_eq!((row.dtype.as_str(), row.bytes), ("f32", 2 * 3 * 4 * 4), "{row:?}");
    }
    let rows = bench("--cases tiny_2x3x4_ax1");
    assert!(rows.len() == 11 && rows.iter().all(|row| row.op != "Var"), "{rows:?}");
}

#[test]
fn types_are_for_the_sum_unless_operators_are_named() {
    let rows = bench("--cases all_1e3 --dtypes f32,f64,f16,bf16,i32,i64,u8 --threads 2");
    let (sums, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.op == "Sum");
    assert!(others.iter().all(|row| row.dtype == "f32") && others.len() == 14, "{others:?}");
    assert!(rows.iter().all(|row| row.threads == 2));
    let bytes: Vec<usize> = sums.iter().map(|row| row.bytes).collect();
    assert_eq!(bytes, [4000, 8000, 2000, 2000, 4000, 8000]);
    let rows = bench("--cases all_1e3 --dtypes f16,i32 --ops LogSumExp,Max,Sum,Dot,Var");
    let found: Vec<String> = rows.iter().map(|row| format!("{} {}", row.op, row.dtype)).collect();
    let f16 = ["Sum f16", "Max f16", "Var f16", "Dot f16", "LogSumExp f16"];
    assert_eq!(found, [&f16[..], &["Sum i32", "Max i32"]].concat());
}

#[test]
fn cases_of_ones_own() {
    let rows = bench("--ops Sum,ArgMax,Var --case a=4x6x2:1,2 --case b=6x4:0:t --case c=5:all");
    assert_eq!(names(&rows, |row| &row.case), ["a", "a", "a", "b", "b", "b", "c", "c", "c"]);
    assert_eq!((rows[0].bytes, rows[3].bytes, rows[6].bytes), (192, 96, 20));
    let rows = bench("--ops Sum --cases all_1e3 --case a=7x3:-1 --level scalar");
    assert_eq!(names(&rows, |row| &row.case), ["all_1e3", "a"]);
    let rows = bench("--ops Sum --cases a --case a=7x3:1");
    assert_eq!(names(&rows, |row| &row.case), ["a"]);
    assert!(bench("--cases {}").is_empty());
}

#[test]
fn every_named_case_is_known() {
    // Names that are all known and one that is not: nothing is measured.
    let message = refused(&format!("bench --cases {},all_1e9", CASES.join(",")));
    assert!(message.contains("no case `all_1e9` to measure; did you mean `all_1e"), "{message}");
}

#[test]
fn a_sweep_goes_over_every_size() {
    let Outcome { status, stdout, stderr } =
        reduce("bench --secs 0 --sweep=20 --bytes 4000 --dtypes f32,f64");
    assert_eq!(status, Some(0), "{stderr}");
    let rows = rows(&stdout);
    let name = |size: usize| if size <= 20 { format!("rows_{size}") } else { String::new() };
    assert_eq!(rows.len(), 2 * 2 * 20);
    for (place, row) in rows.iter().enumerate() {
        let size = place / 2 % 20 + 1;
        assert_eq!(row.op, "Sum");
        assert!(place >= 40 || row.case == name(size), "{row:?}");
        assert!(place < 40 || row.case == format!("columns_{size}"), "{row:?}");
        let width = if row.dtype == "f64" { 8 } else { 4 };
        assert_eq!(row.bytes, 1000 / size * size * width, "{row:?}");
    }
    assert_eq!(stderr.lines().count(), 4, "{stderr}");
    assert!(stderr.lines().all(|line| line.starts_with("worst neighbours, Sum f")), "{stderr}");
}

#[test]
fn the_page_stands_alone() {
    let folder = Folder::new("bench_page");
    let page = folder.path("page.html");
    let case = "--case one_of_mine=40x50:1 --cases tiny_2x3x4_all --sweep=9 --bytes 4000";
    let outcome = reduce(&format!("bench --secs 0.001 --ops Sum,Max {case} --html {page}"));
    assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    let rows = rows(&outcome.stdout);
    let roofs: Vec<&Row> = rows.iter().filter(|row| row.library == "roofline").collect();
    assert!(roofs.iter().all(|row| row.op == "Roofline" && row.dtype == "f32"));
    assert_eq!(roofs.iter().map(|row| row.bytes).collect::<Vec<_>>(), [4000, 8000]);
    let text = fs::read_to_string(&page).expect("the page");
    for part in ["<svg", "one_of_mine", "rows_9", "columns_9", "roofline", "CPU", "Max"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("http") && !text.contains("<script"), "the page needs another file");
    well_formed(&text);
    assert_eq!(folder.names(), ["page.html"]);
}

/// Every element is closed, in the order in which they were opened.
fn well_formed(page: &str) {
    let body = page.strip_prefix("<!doctype html>").expect("a page");
    let mut open = Vec::new();
    for tag in body.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag with an end");
        let name = tag.split_whitespace().next().unwrap_or_default();
        assert!(!text.contains('>') || open.last() == Some(&"style"), "{tag}: {text}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn each_mistake_is_named() {
    let folder = Folder::new("bench_mistakes");
    let missing = folder.path("missing/page.html");
    for (args, words) in [
        ("--ops Summ".to_owned(), "no operator `Summ` to measure; did you mean `Sum`?"),
        ("--ops {}".to_owned(), "no operator to measure is named; choose from Sum, Mean, "),
        ("--dtypes {}".to_owned(), "no type to measure is named; choose from f32, "),
        ("--ops ReduceMedian".to_owned(), "to measure; choose from Sum, Mean, "),
        ("--ops Mean --dtypes u8".to_owned(), "nothing was measured: "),
        ("--ops Sum,".to_owned(), "no operator `` to measure; choose from Sum, Mean, "),
        ("--dtypes fp32".to_owned(), "no type `fp32` to measure; did you mean `f32`?"),
        ("--dtypes float".to_owned(), "choose from f32, f64, f16, bf16, i32, i64"),
        ("--cases all_1e6".to_owned(), "did you mean `all_1e"),
        ("--case x=2x3:2".to_owned(), "case `x`: axis 2 is out of range for rank 2"),
        ("--case x=2x3:1,-1".to_owned(), "case `x`: axis -1 names axis 1, which is named already"),
        ("--ops Sum --case x=99999999x99999999:0".to_owned(), "do not fit in memory; choose"),
        (format!("--html {missing}"), "cannot be written; name a file in a folder that exists"),
        (format!("--html {}", folder.0.display()), "cannot be written"),
    ] {
        let message = refused(&format!("bench {args}"));
        assert!(message.contains(words), "{words} in {message}");
    }
    assert!(folder.names().is_empty());
    for args in [
        "--threads 0",
        "--threads 5000",
        "--secs -1",
        "--secs nan",
        "--secs inf",
        "--sweep=0",
        "--bytes 4000",
        "--case x",
        "--case x=0:0",
        "--case x=3:0:T",
        "--level mmx",
    ] {
        let outcome = reduce(&format!("bench --cases {{}} {args}"));
        assert_eq!((outcome.status, outcome.stdout.as_str()), (Some(2), ""), "{args}");
        assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    }
}

/// The rows are printed one by one, so a reader may stop at any.
#[cfg(target_os = "linux")]
#[test]
fn rows_that_cannot_be_printed_end_the_run() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let args = "bench --secs 0 --cases tiny_2x3x4_all";
    let output = command(args).stdout(full).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with("error: standard output cannot be written"), "{message}");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command(args).stdout(writer).output().expect("the binary starts");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
