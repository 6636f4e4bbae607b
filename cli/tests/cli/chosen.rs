//! `reduce run` over some elements: `--where` and `--skip-nan`.

use crate::support::{Folder, floats, npy, printed, refused};

#[test]
fn a_mask_chooses_elements() {
    let folder = Folder::new("where");
    let data = folder.file("data.npy", &floats("(2, 3)", &[1.0, 2.0, 6.0, 4.0, 5.0, 3.0]));
    let mask = folder.file("mask.npy", &npy("'|b1'", false, "(2, 3)", &[1, 0, 1, 0, 1, 1]));
    let run = |op: &str, rest: &str| {
        printed(&format!("run {op} {data} --where {mask} --keepdims 0 {rest}"))
    };
    assert_eq!(run("ReduceMean", "--axes 1"), "f32 [2]\n[3.5, 4.0]\n");
    assert_eq!(run("ReduceSum", "--axes 0"), "f32 [3]\n[1.0, 5.0, 9.0]\n");
    assert_eq!(run("ArgMin", "--axes 1"), "i64 [2]\n[0, 2]\n");
    // One for all rows.
    let row = folder.file("row.npy", &npy("'|b1'", false, "(3,)", &[0, 1, 1]));
    let sums = printed(&format!("run ReduceSum {data} --axes 1 --where {row} --keepdims 0"));
    assert_eq!(sums, "f32 [2]\n[8.0, 8.0]\n");
}

#[test]
fn nan_is_skipped() {
    let folder = Folder::new("skip_nan");
    let values = [1.0, f32::NAN, 3.0, f32::NAN, f32::NAN, f32::NAN];
    let data = folder.file("data.npy", &floats("(2, 3)", &values));
    let run = |op: &str| format!("run {op} {data} --axes 1 --skip-nan --keepdims 0");
    assert_eq!(printed(&run("ReduceMean")), "f32 [2]\n[2.0, NaN]\n");
    assert_eq!(printed(&run("ReduceSum")), "f32 [2]\n[4.0, 0.0]\n");
    let refused = refused(&run("ArgMax"));
    assert!(
        refused.contains("ArgMax at version 13: no value over an empty set of f32"),
        "{refused}"
    );
}

#[test]
fn masks_that_are_none() {
    let folder = Folder::new("no_mask");
    let data = folder.file("data.npy", &floats("(2,)", &[1.0, 2.0]));
    let refused = |mask: &str| refused(&format!("run ReduceSum {data} --where {mask}"));
    let other = refused(&folder.file("bytes.npy", &npy("'|u1'", false, "(2,)", &[1, 0])));
    assert!(other.contains("bytes.npy`: a mask of u8; save it as bool"), "{other}");
    let other = refused(&folder.file("three.npy", &npy("'|b1'", false, "(3,)", &[1, 0, 1])));
    assert!(
        other.contains("a mask of shape [3] does not broadcast to the input's shape [2]"),
        "{other}"
    );
    let other = refused(&folder.file("more.npy", &npy("'|b1'", false, "(1, 2)", &[1, 0])));
    assert!(other.contains("does not broadcast"), "{other}");
    assert!(refused(&folder.path("absent.npy")).contains("absent.npy"));
}
