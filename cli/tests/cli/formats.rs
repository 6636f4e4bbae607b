//! `.npz` and safetensors: files of `NumPy` and of Python's safetensors, and what is written.

use std::fs;

use reduce_core::DType;

use crate::support::{Folder, floats, printed, refused};

/// A file that Python wrote: [[1, 2, 3], [4, 5, 6]] of each type, and [[true, false, true], [false, false, true]].
fn sample(name: &str) -> String {
    format!("{}/tests/cli/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The text that [`max`] prints for the sample of a type: the largest over axis 0, or the variance.
fn largest(dtype: DType) -> String {
    let values = match dtype {
        DType::Bool => "[true, false, true]",
        // The shortest text of 2.25 among so few numbers.
        DType::F8E4M3FN => "[2.2, 2.2, 2.2]",
        // Half of the numbers between 2 and 3 are not there.
        DType::F8E5M2 => "[2.0, 2.0, 2.0]",
        _ if dtype.is_float() => "[4.0, 5.0, 6.0]",
        _ => "[4, 5, 6]",
    };
    format!("{dtype} [3]\n{values}\n")
}

fn max(input: &str) -> String {
    let is_one_of = |names: &[&str]| names.iter().any(|name| input.ends_with(&format!(":{name}")));
    // `Max` of ONNX does not take all types.
    let op = match input {
        _ if is_one_of(&["i16", "u16"]) => "ArgMax",
        _ if is_one_of(&["f8e4m3fn", "f8e5m2"]) => "Variance",
        _ => "Max",
    };
    printed(&format!("run {op} --axes 0 --keepdims 0 {input}"))
}

#[test]
fn every_type_of_files_of_python() {
    for file in ["stored.npz", "deflated.npz", "all.safetensors"] {
        for dtype in DType::ALL {
            let input = format!("{}:{dtype}", sample(file));
            match dtype {
                DType::I16 | DType::U16 => assert_eq!(max(&input), "i64 [3]\n[1, 1, 1]\n"),
                _ => assert_eq!(max(&input), largest(dtype), "{input}"),
            }
        }
    }
    for file in ["stored.npz", "deflated.npz"] {
        for member in ["fortran", "big", "big.npy"] {
            assert_eq!(max(&format!("{}:{member}", sample(file))), largest(DType::I32));
        }
    }
    for file in ["one.npz", "one.safetensors", "one.npz:arr_0", "one.safetensors:weight"] {
        assert_eq!(printed(&format!("run Sum --keepdims 0 {}", sample(file))), "f64 []\n6.0\n");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let folder = Folder::new("written");
    for format in ["npz", "safetensors"] {
        for dtype in DType::ALL {
            if matches!(dtype, DType::I16 | DType::U16 | DType::Bool) {
                continue;
            }
            let out = folder.path(&format!("{dtype}.{format}"));
            let op = if matches!(dtype, DType::I8 | DType::U8) { "Max,Min" } else { "Max,Sum" };
            let input = format!("{}:{dtype}", sample("all.safetensors"));
            if matches!(dtype, DType::F8E4M3FN | DType::F8E5M2) {
                // No reduction of ONNX takes these.
                let text = printed(&format!("run Variance --axes 0 {input} -o {out}"));
                assert_eq!(text, format!("wrote {out}: {dtype} [1, 3]\n"));
                let again = printed(&format!("run Variance --axes 0 --keepdims 0 {out}"));
                assert_eq!(again, format!("{dtype} [3]\n[0.0, 0.0, 0.0]\n"));
                continue;
            }
            let text = printed(&format!("run {op} --axes 0 --keepdims 0 {input} -o {out}"));
            assert!(text.starts_with(&format!("wrote {out}: ReduceMax: {dtype} [3]; ")), "{text}");
            let again = format!("run Max --axes 0 {out}:ReduceMax");
            let most = if dtype.is_float() { "6.0" } else { "6" };
            assert_eq!(printed(&again), format!("{dtype} [1]\n[{most}]\n"));
        }
    }
}

#[test]
fn several_results_in_files() {
    let folder = Folder::new("results");
    let x = folder.file("x.npy", &floats("(4,)", &[1.0, 2.0, 3.0, 6.0]));
    let ops = format!("run Mean,MeanVariance,ArgMax {x} --axes 0");
    let all = folder.path("all.safetensors");
    assert_eq!(
        printed(&format!("{ops} -o {all}")),
        format!(
            "wrote {all}: ReduceMean: f32 [1]; MeanVariance.mean: f32 [1]; \
             MeanVariance.variance: f32 [1]; ArgMax: i64 [1]\n"
        )
    );
    for (name, value) in
        [("MeanVariance.variance", "f32 [1]\n[3.5]\n"), ("ArgMax", "i64 [1]\n[3]\n")]
    {
        let copy = if name == "ArgMax" { "Max" } else { "Sum" };
        assert_eq!(printed(&format!("run {copy} {all}:{name}")), value);
    }
    // Elements lie at multiples of 64 bytes.
    let bytes = fs::read(&all).expect("written");
    assert_eq!((bytes.len() - 20) % 64, 0);
    let parts = folder.path("parts/");
    let text = printed(&format!("{ops} -o {parts}"));
    assert_eq!(text.lines().count(), 4, "{text}");
    assert_eq!(printed(&format!("run Sum {parts}MeanVariance.mean.npy")), "f32 [1]\n[3.0]\n");
    // A folder that is there.
    assert_eq!(printed(&format!("{ops} -o {}", &parts[..parts.len() - 1])).lines().count(), 4);
    assert_eq!(folder.names(), ["all.safetensors", "parts", "x.npy"]);
}

#[test]
fn names_that_no_file_has() {
    let folder = Folder::new("members");
    let x = folder.file("a.npz:x.npy", &floats("(1,)", &[5.0]));
    assert_eq!(printed(&format!("run Sum {x}")), "f32 [1]\n[5.0]\n");
    let empty = folder.file("empty.npz", &[b"PK\x05\x06".as_slice(), &[0; 18]].concat());
    for (input, words) in [
        (sample("stored.npz"), "has several arrays; name one, as in FILE.npz:NAME, of `f16`, "),
        (sample("all.safetensors"), "name one, as in FILE.safetensors:NAME, of "),
        (sample("stored.npz:f31"), "has no array `f31`; name one of `f16`, "),
        (sample("all.safetensors:"), "has no array ``; name one of "),
        (sample("all.safetensors:c64"), "is of dtype C64, which no reduction takes"),
        (empty, "has no array"),
        (folder.path("none.npz:x"), "there is no such file"),
        (folder.file("b.npz", b"PK\x03\x04"), "does not end with a zip directory"),
        (folder.file("b.safetensors", &[9; 7]), "does not begin with the length of its header"),
        (folder.file("c.safetensors", &[255; 70]), "100000000 are allowed"),
    ] {
        let message = refused(&format!("run Sum {input}"));
        assert!(message.contains(words), "{words} in {message}");
    }
}

/// Members that lie one over another, have one name, or say more than a compressed one can hold.
#[test]
fn members_that_lie() {
    let folder = Folder::new("member_lies");
    for (name, place, bytes, words) in [
        ("stored.npz", 42, [0; 4], "its members lie one over another"),
        ("stored.npz", 46, *b"f16.", "has two members named `f16.npy`; save it anew"),
        ("deflated.npz", 24, [0, 0, 0, 0x7f], "more than its"),
    ] {
        let mut file = fs::read(sample(name)).expect("there");
        let is_entry = |&at: &usize| {
            file[at..].starts_with(b"PK\x01\x02") && file[at + 46..].starts_with(b"f64.npy")
        };
        let entry = (0..file.len() - 60).find(is_entry).expect("an entry");
        file[entry + place..entry + place + 4].copy_from_slice(&bytes);
        let path = folder.file(name, &file);
        let message = refused(&format!("run Sum {path}:f64"));
        assert!(message.contains(words), "{words} in {message}");
    }
}

/// A directory that says more than there is.
#[test]
fn archives_that_lie() {
    let folder = Folder::new("lies");
    let good = fs::read(sample("one.npz")).expect("there");
    let record = good.len() - 22;
    let directory = good.windows(4).position(|bytes| bytes == b"PK\x01\x02").expect("a directory");
    let with = |place: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[place..place + bytes.len()].copy_from_slice(bytes);
        folder.file("lie.npz", &file)
    };
    for (place, bytes, words) in [
        (record + 10, &[0xff, 0xff][..], "says 65535 members, and is too short for them"),
        (record + 10, &[2, 0], "is too short for them"),
        (record + 16, &[0, 0, 0, 0], "its directory is not where it says"),
        (directory + 8, &[1], "is encrypted; save it without a password"),
        (directory + 10, &[12], "is compressed by method 12; save it with numpy.savez"),
        (directory + 20, &[0xff, 0xff, 0xff, 0x7f], "is cut off within a member"),
        (directory + 24, &[0xff, 0xff, 0xff, 0x7f], "is stored, and of two sizes"),
        (directory + 16, &[1, 2, 3, 4], "checksum"),
    ] {
        let message = refused(&format!("run Sum {}", with(place, bytes)));
        assert!(message.contains(words), "{words} in {message}");
    }
}
