//! External data that is there, and locations that nobody may name.

use std::fs;
use std::path::PathBuf;

use reduce_core::{AnyTensor, Tensor};

use super::tensor;
use crate::file::disk::mapped;
use crate::file::proto::tensor_proto::{DataLocation, DataType};
use crate::file::proto::{StringStringEntryProto, TensorProto};

/// A folder for one test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("reduce-external-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("model/deep")).expect("a folder for the test");
        Folder(fs::canonicalize(path).expect("just made"))
    }

    /// A tensor of a model in the folder.
    fn tensor(&self, proto: &TensorProto) -> Result<AnyTensor, String> {
        tensor(&self.0.join("model"), mapped, proto)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A tensor of two `i16`, elsewhere.
fn external(entries: &[(&str, &str)]) -> TensorProto {
    let entry = |&(key, value): &(&str, &str)| StringStringEntryProto {
        key: key.to_owned(),
        value: value.to_owned(),
    };
    TensorProto {
        dims: vec![2],
        data_type: DataType::Int16.into(),
        data_location: DataLocation::External.into(),
        external_data: entries.iter().map(entry).collect(),
        ..TensorProto::default()
    }
}

#[test]
fn elements_are_where_the_model_says() {
    let folder = Folder::new("there");
    fs::write(folder.0.join("model/deep/a.bin"), [9, 1, 0, 0xfe, 0xff, 7]).expect("written");
    let expected: AnyTensor = Tensor::new(vec![1i16, -2], &[2]).expect("two").into();
    for location in ["deep/a.bin", "./deep/a.bin"] {
        let proto = external(&[("location", location), ("offset", "1"), ("length", "4")]);
        assert_eq!(folder.tensor(&proto), Ok(expected.clone()));
    }
    let proto = external(&[("location", "deep/a.bin"), ("offset", "1"), ("checksum", "?")]);
    assert_eq!(folder.tensor(&proto), Ok(expected));
}

#[test]
fn what_is_large_is_mapped() {
    let folder = Folder::new("large");
    let file = fs::File::create(folder.0.join("model/large.bin")).expect("made");
    file.set_len((1 << 26) + 3).expect("zeros, which take no room");
    let proto = TensorProto {
        dims: vec![1 << 26],
        data_type: DataType::Uint8.into(),
        ..external(&[("location", "large.bin"), ("offset", "3")])
    };
    let tensor = folder.tensor(&proto).expect("as many as there are");
    assert_eq!(tensor.shape().dims(), [1 << 26]);
    let proto = TensorProto { dims: vec![1 << 26, 2], ..proto };
    let problem = folder.tensor(&proto).expect_err("too short");
    assert!(problem.contains("does not fit"), "{problem}");
}

#[test]
fn what_is_not_there_is_said() {
    let folder = Folder::new("escapes");
    fs::write(folder.0.join("outside.bin"), [0; 4]).expect("written");
    fs::write(folder.0.join("model/a.bin"), [0; 4]).expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../outside.bin", folder.0.join("model/link.bin")).expect("a link");
        symlink("..", folder.0.join("model/up")).expect("a link");
        symlink("a.bin", folder.0.join("model/inside.bin")).expect("a link");
        assert!(folder.tensor(&external(&[("location", "inside.bin")])).is_ok());
        for location in ["link.bin", "up/outside.bin"] {
            let problem = folder.tensor(&external(&[("location", location)]));
            let problem = problem.expect_err(location);
            assert!(problem.contains("a link out of the model's folder"), "{problem}");
        }
    }
    let absolute = folder.0.join("model/a.bin").display().to_string();
    let own = |offset: &'static str, length: &'static str| {
        vec![("location", "a.bin"), ("offset", offset), ("length", length)]
    };
    for (entries, words) in [
        (vec![], "without a location"),
        (vec![("location", "")], "no path below"),
        (vec![("location", "..")], "no path below"),
        (vec![("location", "../outside.bin")], "no path below"),
        (vec![("location", "deep/../a.bin")], "no path below"),
        (vec![("location", absolute.as_str())], "no path below"),
        (vec![("location", "b.bin")], "there is no such file"),
        (vec![("location", "deep")], "not a regular file"),
        (own("1", "4"), "has 4 bytes; shape [2] of i16 from byte 1 on"),
        (own("18446744073709551615", "4"), "does not fit"),
        (own("-1", "4"), "`-1` as offset; expected a number"),
        (own("0", "x"), "`x` as length"),
        (own("0", "3"), "has 3 bytes of data, which is not shape [2] of i16"),
    ] {
        let problem = folder.tensor(&external(&entries)).expect_err(words);
        assert!(problem.contains(words), "{words} in {problem}");
    }
    let proto = TensorProto { dims: vec![i64::MAX], ..external(&own("0", "4")) };
    assert!(folder.tensor(&proto).is_err());
}
