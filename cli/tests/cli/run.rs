//! `reduce run` on files that are in order.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};

use reduce_core::{DType, Level, bf16, f8e4m3fn, f8e5m2, f16};
use reduce_specs::ONNX;

use crate::support::{Folder, floats, npy, npy_with, printed, refused};

/// The values 1, 2, 3 as the lowest byte first.
fn one_two_three(dtype: DType) -> (&'static str, Vec<u8>) {
    let ints = |size: usize| {
        [1u8, 2, 3]
            .iter()
            .flat_map(|&int| std::iter::once(int).chain(std::iter::repeat_n(0, size - 1)))
            .collect()
    };
    let floats = [1.0f32, 2.0, 3.0];
    match dtype {
        DType::F16 => ("'<f2'", floats.map(|x| f16::from_f32(x).to_le_bytes()).concat()),
        DType::BF16 => ("'<V2'", floats.map(|x| bf16::from_f32(x).to_le_bytes()).concat()),
        DType::F8E4M3FN => ("'<V1'", floats.map(|x| f8e4m3fn::from_f32(x).to_bits()).to_vec()),
        DType::F8E5M2 => ("'<f1'", floats.map(|x| f8e5m2::from_f32(x).to_bits()).to_vec()),
        DType::F32 => ("'<f4'", floats.map(f32::to_le_bytes).concat()),
        DType::F64 => ("'<f8'", floats.map(|x| f64::from(x).to_le_bytes()).concat()),
        DType::Bool => ("'|b1'", vec![1, 0, 1]),
        DType::I8 => ("'|i1'", ints(1)),
        DType::I16 => ("'<i2'", ints(2)),
        DType::I32 => ("'<i4'", ints(4)),
        DType::I64 => ("'<i8'", ints(8)),
        DType::U8 => ("'|u1'", ints(1)),
        DType::U16 => ("'<u2'", ints(2)),
        DType::U32 => ("'<u4'", ints(4)),
        DType::U64 => ("'<u8'", ints(8)),
    }
}

/// A file of 68 MB, nearly all zeros that take no room on the disk: it is mapped where its
/// elements are aligned, and read where they are not.
#[test]
fn large_files_stay_where_they_are() {
    const COUNT: u64 = 17_000_000;
    let folder = Folder::new("large");
    for (name, padded) in [("aligned.npy", true), ("odd.npy", false)] {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (17000, 1000), }";
        let blanks = " ".repeat(if padded { 127 - 10 - header.len() } else { 0 });
        let path = folder.file(name, &npy_with(&format!("{header}{blanks}"), &[]));
        let mut file = OpenOptions::new().append(true).open(&path).expect("just written");
        let first = file.metadata().expect("there").len();
        assert_eq!(first.is_multiple_of(64), padded);
        file.set_len(first + 4 * (COUNT - 2)).expect("room");
        file.write_all(&[3.0f32, 5.0].map(f32::to_le_bytes).concat()).expect("room");
        assert_eq!(printed(&format!("run ReduceSum {path}")), "f32 [1, 1]\n[[8.0]]\n");
        let found = printed(&format!("run ArgMax {path} --attr axis=1 --keepdims 0 -o {path}.npy"));
        assert!(found.contains("i64 [17000]"), "{found}");
        let last = printed(&format!("run ReduceMax {path} --axes 0 --keepdims 0"));
        assert!(last.contains("0.0, 3.0, 5.0"), "{last}");
        file.set_len(first + 4 * (COUNT - 1)).expect("shorter");
        assert!(refused(&format!("run ReduceSum {path}")).contains("takes 68000000 bytes"));
    }
}

/// A file of 2.4 GB, nearly all zeros: it is reduced in parts, and these are put together.
#[test]
fn what_may_be_larger_than_the_memory() {
    const COLUMNS: u64 = 1_000_000;
    let folder = Folder::new("larger");
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (600, 1000000), }";
    let blanks = " ".repeat(127 - 10 - header.len());
    let path = folder.file("large.npy", &npy_with(&format!("{header}{blanks}"), &[]));
    let mut file = OpenOptions::new().write(true).open(&path).expect("just written");
    let first = file.metadata().expect("there").len();
    file.set_len(first + 4 * 600 * COLUMNS).expect("room");
    for (row, column, x) in
        [(0, 1, 2.0f32), (599, 0, 3.0), (7, 500_003, 9.0), (8, COLUMNS - 2, 4.0), (9, 500_003, 1.0)]
    {
        file.seek(SeekFrom::Start(first + 4 * (row * COLUMNS + column))).expect("within");
        file.write_all(&x.to_le_bytes()).expect("room");
    }
    let sums = format!("{path}.sums.npy");
    printed(&format!("run ReduceSum {path} --axes 0 --keepdims 0 -o {sums}"));
    let shown = printed(&format!("run ReduceSum {sums} --noop-with-empty-axes 1"));
    assert_eq!(
        shown,
        "f32 [1000000]\nfirst 6: 3.0, 2.0, 0.0, 0.0, 0.0, 0.0\nlast 6:  0.0, 0.0, 0.0, 0.0, 4.0, 0.0\n"
    );
    assert_eq!(printed(&format!("run ReduceMax {sums}")), "f32 [1]\n[10.0]\n");
    assert_eq!(printed(&format!("run ArgMax {sums}")), "i64 [1]\n[500003]\n");
    // Several results of each part.
    let both = folder.path("both.npz");
    printed(&format!("run Max,ArgMax {path} --axes 0 --keepdims 0 -o {both}"));
    assert_eq!(printed(&format!("run Max {both}:ReduceMax")), "f32 [1]\n[9.0]\n");
    let places = printed(&format!("run Sum {both}:ArgMax --noop-with-empty-axes 1"));
    let ends = "first 6: 599, 0, 0, 0, 0, 0\nlast 6:  0, 0, 0, 0, 8, 0\n";
    assert_eq!(places, format!("i64 [1000000]\n{ends}"));
    assert_eq!(printed(&format!("run Sum {both}:ArgMax")), "i64 [1]\n[614]\n");
}

#[test]
fn every_type_is_read_and_written() {
    let folder = Folder::new("every_type");
    let sum = ONNX.op("ReduceSum").expect("known").schema().at(ONNX.newest()).expect("newest");
    for dtype in DType::ALL {
        let (descr, data) = one_two_three(dtype);
        let input = folder.file("in.npy", &npy(descr, false, "(3,)", &data));
        let args = format!("run ReduceSum {input}");
        if !sum.dtypes.iter().any(|row| row.input == dtype) {
            assert!(refused(&args).contains(&format!("dtype `{dtype}` is not allowed")));
            continue;
        }
        let six = if dtype.is_float() { "6.0" } else { "6" };
        assert_eq!(printed(&args), format!("{dtype} [1]\n[{six}]\n"));
        let copy = folder.path("out.npy");
        let copying = format!("{args} --axes {{}} --noop-with-empty-axes 1 -o {copy}");
        assert_eq!(printed(&copying), format!("wrote {copy}: {dtype} [3]\n"));
        let written = fs::read(&copy).expect("written");
        assert!(written.ends_with(&data), "{dtype}");
        let header = String::from_utf8_lossy(&written[..written.len() - data.len()]).into_owned();
        assert!(header.contains(descr) && header.contains("'fortran_order': False"), "{header}");
        assert_eq!(header.chars().filter(char::is_ascii).count() % 64, 63, "padded: {header:?}");
        assert_eq!(printed(&format!("run ReduceSum {copy}")), format!("{dtype} [1]\n[{six}]\n"));
    }
    assert_eq!(folder.names(), ["in.npy", "out.npy"]);
}

#[test]
fn byte_order_and_fortran_order() {
    let folder = Folder::new("orders");
    let big: Vec<u8> = [1i32, 2, 3, 4, 5, 6].iter().flat_map(|x| x.to_be_bytes()).collect();
    let rows = folder.file("rows.npy", &npy("'>i4'", false, "(2, 3)", &big));
    let columns = folder.file("columns.npy", &npy("'>i4'", true, "(2, 3)", &big));
    let sums = |file: &str| printed(&format!("run ReduceSum --axes 0 --keepdims 0 {file}"));
    assert_eq!(sums(&rows), "i32 [3]\n[5, 7, 9]\n");
    assert_eq!(sums(&columns), "i32 [3]\n[3, 7, 11]\n");
    let bfloats = npy("'|V2'", true, "(1,)", &bf16::from_f32(-2.5).to_le_bytes());
    let bfloats = folder.file("bf16.npy", &bfloats);
    assert_eq!(printed(&format!("run ReduceL1 {bfloats}")), "bf16 [1]\n[2.5]\n");
}

#[test]
fn axes_absent_empty_and_given() {
    let folder = Folder::new("axes");
    let file = folder.file("x.npy", &floats("(2, 2)", &[1.0, 2.0, 3.0, 4.0]));
    let (all, copy) = ("f32 [1, 1]\n[[10.0]]\n", "f32 [2, 2]\n[[1.0, 2.0],\n [3.0, 4.0]]\n");
    for (args, expected) in [
        ("", all),
        ("--axes {}", all),
        ("--axes=", all),
        ("--noop-with-empty-axes 0 --axes {}", all),
        ("--noop-with-empty-axes 1", copy),
        ("--noop-with-empty-axes 1 --axes {}", copy),
        ("--axes -1", "f32 [2, 1]\n[[3.0],\n [7.0]]\n"),
        ("--axes=-2", "f32 [1, 2]\n[[4.0, 6.0]]\n"),
        ("--axes 1,0 --keepdims 0", "f32 []\n10.0\n"),
        ("--axes 0 --attr keepdims=0", "f32 [2]\n[4.0, 6.0]\n"),
        ("--opset 11 --axes 0 --keepdims 0", "f32 [2]\n[4.0, 6.0]\n"),
        ("--opset 12 --axes {}", all),
        ("--opset 1 --attr axes=[-1] --keepdims 0", "f32 [2]\n[3.0, 7.0]\n"),
    ] {
        assert_eq!(printed(&format!("run ReduceSum {file} {args}")), expected, "{args}");
    }
    for level in Level::available() {
        assert_eq!(printed(&format!("run ReduceSum {file} --level {level}")), all);
    }
}

/// An operator that reduces one axis takes it as the others take theirs.
#[test]
fn one_axis() {
    let folder = Folder::new("one_axis");
    let file = folder.file("x.npy", &floats("(2, 2)", &[1.0, 4.0, 3.0, 2.0]));
    for (args, expected) in [
        ("--keepdims 0", "i64 [2]\n[1, 0]\n"),
        ("--axes 0 --keepdims 0", "i64 [2]\n[1, 0]\n"),
        ("--axes -1 --keepdims 0", "i64 [2]\n[1, 0]\n"),
        ("--axes 1", "i64 [2, 1]\n[[1],\n [0]]\n"),
        ("--attr axis=1 --opset 11", "i64 [2, 1]\n[[1],\n [0]]\n"),
        ("--axes 1 --opset 11", "i64 [2, 1]\n[[1],\n [0]]\n"),
    ] {
        assert_eq!(printed(&format!("run ArgMax {file} {args}")), expected, "{args}");
    }
}

/// What a terminal would obey is shown and not sent.
#[cfg(unix)]
#[test]
fn names_with_control_characters() {
    let folder = Folder::new("control");
    let file = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let mut command = crate::support::command(&format!("run ReduceSum {file} -o"));
    let output = command.arg(folder.0.join("a\u{1b}[31m\nb.npy")).output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.ends_with("/a\\u{1b}[31m\\nb.npy: f32 [1]\n"), "{text:?}");
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn log_sum_exp_does_not_overflow() {
    let folder = Folder::new("log_sum_exp");
    let value = |name: &str, values: &[f32]| -> f32 {
        let file = folder.file(name, &floats(&format!("({},)", values.len()), values));
        let text = printed(&format!("run ReduceLogSumExp --opset 18 --keepdims 0 {file}"));
        text.strip_prefix("f32 []\n").and_then(|x| x.trim().parse().ok()).expect("a number")
    };
    assert!((value("thousands.npy", &[1000.0, 1000.0]) - 1000.6931).abs() < 2e-4);
    assert_eq!(value("nothing.npy", &[f32::NEG_INFINITY; 5]), f32::NEG_INFINITY);
    assert!((value("zeros.npy", &[0.0; 1_000_000]) - 13.815_511).abs() < 1e-5);
}

#[test]
fn long_results_are_shown_by_their_ends() {
    let folder = Folder::new("long");
    let values: Vec<f32> = (0u16..300).map(f32::from).collect();
    let file = folder.file("x.npy", &floats("(300,)", &values));
    let text = printed(&format!("run ReduceSum --noop-with-empty-axes 1 {file}"));
    assert!(text.starts_with("f32 [300]\nfirst 6: 0.0, 1.0, "), "{text}");
    assert!(text.ends_with("298.0, 299.0\n") && text.lines().count() == 3, "{text}");
    let file = folder.file("empty.npy", &floats("(0, 3)", &[]));
    assert_eq!(printed(&format!("run ReduceSum --axes 1 {file}")), "f32 [0, 1]\nno elements\n");
    assert_eq!(
        printed(&format!("run ReduceSum --axes 0 {file}")),
        "f32 [1, 3]\n[[0.0, 0.0, 0.0]]\n"
    );
}

#[test]
fn output_replaces_a_file_and_leaves_nothing_else() {
    let folder = Folder::new("output");
    let file = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    printed(&format!("run ReduceSum {file} -o {file}"));
    assert_eq!(printed(&format!("run ReduceSum {file}")), "f32 [1]\n[3.0]\n");
    assert_eq!(folder.names(), ["x.npy"]);
}
