//! `.npy` files that are damaged, or mean harm.

use crate::support::{Folder, floats, npy, npy_with, refused};

fn good() -> Vec<u8> {
    floats("(3,)", &[1.0, 2.0, 3.0])
}

#[test]
fn damaged_files() {
    let folder = Folder::new("damaged");
    let mut later = good();
    later[6] = 4;
    let mut trailing = good();
    trailing.push(0);
    for (contents, words) in [
        (Vec::new(), "magic"),
        (b"PK\x03\x04".to_vec(), "magic"),
        (good()[..7].to_vec(), "cut off within its header"),
        (good()[..9].to_vec(), "cut off within its header"),
        (good()[..40].to_vec(), "cut off within its header"),
        (good()[..good().len() - 1].to_vec(), "takes 12 bytes, but 11 follow"),
        (trailing, "takes 12 bytes, but 13 follow"),
        (later, "format version 4.0"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(), "cut off within its header"),
        (npy_with("{'descr': '<f4', 'shape': (3,)}", &[0; 12]), "fortran_order"),
        (npy_with("{'descr': '<f4', 'fortran", &[]), "not one that NumPy writes"),
        (npy_with("['<f4', False, (3,)]", &[]), "not one that NumPy writes"),
        (npy("'<f4'", false, "3", &[0; 12]), "not one that NumPy writes"),
        (npy("'<f\u{e9}'", false, "(3,)", &[]), "not one that NumPy writes"),
    ] {
        let file = folder.file("x.npy", &contents);
        let message = refused(&format!("run ReduceSum {file}"));
        assert!(message.contains(words) && message.contains("x.npy"), "{words} in {message}");
    }
}

#[test]
fn shapes_that_lie() {
    let folder = Folder::new("shapes");
    let nested = "[".repeat(40) + &"]".repeat(40);
    for (shape, words) in [
        ("(-3,)", "negative size -3"),
        ("(4611686018427387904,)", "bytes, but 12 follow"),
        ("(1000000000000,)", "takes 4000000000000 bytes, but 12 follow"),
        ("(4294967296, 4294967296, 4294967296)", "4294967296 among them"),
        ("(0, 4294967296, 4294967296, 4294967296)", "4294967296 among them"),
        ("(18446744073709551616,)", "18446744073709551616 among them"),
        ("(0x3,)", "`0x3` where a size belongs"),
        ("(1+2,)", "`1+2` where a size belongs"),
        ("(3.0,)", "`3.0` where a size belongs"),
        (nested.as_str(), "nested too deeply"),
        ("''''(3,)'''", "a string that NumPy does not write"),
        ("'\\x28'", "a string that NumPy does not write"),
        (&format!("({})", "1, ".repeat(65)), "has 65 axes"),
        (&format!("({})", "1, ".repeat(5000)), "NumPy allows 10000"),
    ] {
        let file = folder.file("x.npy", &npy("'<f4'", false, shape, &[0; 12]));
        let message = refused(&format!("run ReduceSum {file}"));
        assert!(message.contains(words), "{words} in {message}");
    }
    // Nothing to read, but a result beyond any memory.
    let file = folder.file("x.npy", &npy("'<f4'", false, "(0, 2305843009213693952)", &[]));
    let message = refused(&format!("run ReduceSum --axes 0 {file}"));
    assert!(
        message.contains("a result of shape [1, 2305843009213693952] is too much"),
        "{message}"
    );
}

#[test]
fn types_that_no_reduction_takes() {
    let folder = Folder::new("types");
    for (descr, words) in [
        ("'<c8'", "'<c8' is complex"),
        ("'<U5'", "'<U5' is text"),
        ("'|S5'", "'|S5' is text"),
        ("'<M8[s]'", "'<M8[s]' is a date"),
        ("'<M8[25s]'", "<M8[25s]"),
        ("'<m8[ns]'", "is a span of time"),
        ("'|O'", "'|O' is a Python object"),
        ("'<f16'", "a float of an unusual size"),
        ("'|V3'", "'|V3' is raw bytes"),
        ("'<f3'", "<f3"),
        ("[('a', '<u2'), ('b', '<f4', (2, 3))]", "a structured type"),
        ("'\u{1b}[31m\n'", "\\u{1b}[31m\\n"),
    ] {
        let file = folder.file("x.npy", &npy(descr, false, "(2,)", &[0; 64]));
        let message = refused(&format!("run ReduceSum {file}"));
        assert!(message.contains(words), "{words} in {message}");
    }
}
