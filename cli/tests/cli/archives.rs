//! Archives whose members are beside other files, damaged, large, or of one name. Large ones are removed again: they take
//! room on the disk.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::support::{Folder, floats, npy_with, printed, refused};

/// An archive of members; returns its path.
fn archive(
    folder: &Folder,
    name: &str,
    method: CompressionMethod,
    members: &[(&str, &[u8])],
) -> String {
    let path = folder.path(name);
    let mut archive = ZipWriter::new(File::create(&path).expect("a file for the test"));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, contents) in members {
        archive.start_file(*name, options).expect("room");
        archive.write_all(contents).expect("room");
    }
    archive.finish().expect("room");
    path
}

/// A file of 100 MB of `f32`, behind a header of 128 bytes: zeros, and at last 3 and 5.
fn large() -> Vec<u8> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (25000000,), }";
    let blanks = " ".repeat(128 - 11 - header.len());
    let mut file = npy_with(&format!("{header}{blanks}"), &[]);
    file.resize(file.len() + 4 * (25_000_000 - 2), 0);
    file.extend([3.0f32, 5.0].map(f32::to_le_bytes).concat());
    file
}

#[test]
fn other_files_are_no_arrays() {
    let folder = Folder::new("others");
    let one = floats("(1,)", &[5.0]);
    let two = floats("(1,)", &[7.0]);
    let stored = CompressionMethod::Stored;
    let path = archive(&folder, "x.npz", stored, &[("README.md", b"words"), ("a.npy", &one)]);
    for input in [path.clone(), format!("{path}:a"), format!("{path}:a.npy")] {
        assert_eq!(printed(&format!("run Sum {input}")), "f32 [1]\n[5.0]\n");
    }
    let message = refused(&format!("run Sum {path}:README.md"));
    assert!(message.contains("its member `README.md` is no `.npy` file"), "{message}");
    assert!(refused(&format!("run Sum {path}:b")).ends_with("has no array `b`; name one of `a`"));
    // A folder, and a name that is there with the ending and without it.
    let members: [(&str, &[u8]); 4] =
        [("d/", b""), ("a", b"words"), ("a.npy", &one), ("d/b.npy", &two)];
    let path = archive(&folder, "y.npz", stored, &members);
    assert_eq!(printed(&format!("run Sum {path}:a")), "f32 [1]\n[5.0]\n");
    assert_eq!(printed(&format!("run Sum {path}:d/b")), "f32 [1]\n[7.0]\n");
    assert!(refused(&format!("run Sum {path}")).ends_with("of `a`, `d/b`"));
    // Where none has the ending, all may be arrays.
    let path = archive(&folder, "z.npz", stored, &[("a", &one), ("b", &two)]);
    assert_eq!(printed(&format!("run Sum {path}:b")), "f32 [1]\n[7.0]\n");
}

/// Archives of many members, or of large ones, have a second record of the directory, of 64 bits, and say where it is.
#[test]
fn records_of_64_bits() {
    let folder = Folder::new("records");
    let members: [(&str, &[u8]); 2] =
        [("a.npy", &floats("(1,)", &[5.0])), ("b.npy", &floats("(1,)", &[7.0]))];
    let file = fs::read(archive(&folder, "x.npz", CompressionMethod::Stored, &members));
    let file = file.expect("an archive");
    let (before, record) = file.split_at(file.len() - 22);
    let [size, start] = [12, 16].map(|at| {
        let bytes = record[at..at + 4].try_into().expect("four bytes");
        u64::from(u32::from_le_bytes(bytes))
    });
    // What the record says is right, or left to the other one.
    for left in [0, 0xff] {
        for (place, is_right) in [(before.len() as u64, true), (3, false), (u64::MAX - 8, false)] {
            let mut large = before.to_vec();
            large.extend(b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0");
            large.extend([2, 2, size, start].map(u64::to_le_bytes).concat());
            large
                .extend([&b"PK\x06\x07\0\0\0\0"[..], &place.to_le_bytes(), b"\x01\0\0\0"].concat());
            large.extend(record);
            let end = large.len();
            large[end - 14..end - 2].iter_mut().for_each(|byte| *byte |= left);
            let path = folder.file("y.npz", &large);
            if is_right {
                assert_eq!(printed(&format!("run Sum {path}:b")), "f32 [1]\n[7.0]\n");
            } else {
                let message = refused(&format!("run Sum {path}:b"));
                assert!(message.contains("it does not end with a zip directory"), "{message}");
            }
        }
    }
}

/// A directory that says another number of members than it has, or that two of them begin at one byte.
#[test]
fn directories_that_lie() {
    let folder = Folder::new("directories");
    let members: [(&str, &[u8]); 2] =
        [("a.npy", &floats("(1,)", &[5.0])), ("b.npy", &floats("(1,)", &[7.0]))];
    let file = fs::read(archive(&folder, "x.npz", CompressionMethod::Stored, &members));
    let file = file.expect("an archive");
    let mut counted = file.clone();
    counted[file.len() - 12] = 1;
    let second = file.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("an entry");
    let mut twice = file;
    twice[second + 42..second + 46].fill(0);
    for (file, words) in [
        (counted, "its directory says 1 members, and has 2"),
        (twice, "its members lie one over another"),
    ] {
        let message = refused(&format!("run Sum {}:b", folder.file("y.npz", &file)));
        assert!(message.contains(words), "{message}");
    }
}

/// A header of safetensors, with its length in front and some bytes behind.
fn safetensors(header: &str, bytes: &[u8]) -> Vec<u8> {
    let length = u64::try_from(header.len()).expect("a length").to_le_bytes();
    [&length, header.as_bytes(), bytes].concat()
}

#[test]
fn tensors_of_one_name() {
    let folder = Folder::new("twice");
    let tensor = |name: &str, start: usize| {
        format!(r#""{name}":{{"dtype":"F32","shape":[1],"data_offsets":[{start},{}]}}"#, start + 4)
    };
    let data = [1.0f32, 2.0].map(f32::to_le_bytes).concat();
    for (second, start) in [("a", 4), ("a", 0), ("\\u0061", 4)] {
        let header = format!("{{{},{}}}", tensor("a", 0), tensor(second, start));
        let path = folder.file("x.safetensors", &safetensors(&header, &data[..start + 4]));
        for input in [format!("{path}:a"), path] {
            let message = refused(&format!("run Sum {input}"));
            assert!(message.ends_with("has two tensors named `a`; save it anew"), "{message}");
        }
    }
    let header = format!("{{{},{}}}", tensor("a", 0), tensor("b", 4));
    let path = folder.file("x.safetensors", &safetensors(&header, &data));
    assert_eq!(printed(&format!("run Sum {path}:b")), "f32 [1]\n[2.0]\n");
}

/// A size of 18 digits may be meant; no file has one of 19.
#[test]
fn sizes_that_no_file_has() {
    let folder = Folder::new("digits");
    // A name with escapes before it changes nothing.
    for name in ["a", r"\\", r#"\"\n"#] {
        for (digits, is_told) in [(18, false), (19, true)] {
            let size = "9".repeat(digits);
            let header =
                format!(r#"{{"{name}":{{"dtype":"F32","shape":[{size}],"data_offsets":[0,4]}}}}"#);
            let path = folder.file("x.safetensors", &safetensors(&header, &[0; 4]));
            let message = refused(&format!("run Sum {path}"));
            assert_eq!(message.contains("a size that no file has"), is_told, "{message}");
        }
    }
}

/// The elements of a large array are in memory once if they are stored at an odd byte, compressed, or in the order of
/// another machine. Where they can be mapped they are not.
#[cfg(target_os = "linux")]
#[test]
fn large_arrays_are_not_held_twice() {
    use crate::limits::memory_of;

    let folder = Folder::new("held");
    let file = large();
    let header = r#"{"a":{"dtype":"F32","shape":[25000000],"data_offsets":[0,100000000]}}"#;
    let odd = safetensors(header, &file[128..]);
    assert_ne!((header.len() + 8) % 4, 0);
    let mut swapped = file.clone();
    let place = file.iter().position(|&byte| byte == b'<').expect("an order");
    swapped[place] = b'>';
    swapped[128..].as_chunks_mut::<4>().0.iter_mut().for_each(|bytes| bytes.reverse());
    let members: [(&str, &[u8]); 1] = [("arr_0.npy", &file)];
    let stored = archive(&folder, "stored.npz", CompressionMethod::Stored, &members);
    let aligned = folder.path("aligned.npz");
    printed(&format!("run Sum {stored} --noop-with-empty-axes 1 -o {aligned}"));
    for (input, most) in [
        (stored, 150_000_000),
        (archive(&folder, "deflated.npz", CompressionMethod::Deflated, &members), 150_000_000),
        (folder.file("odd.safetensors", &odd), 150_000_000),
        (folder.file("swapped.npy", &swapped), 150_000_000),
        (aligned, 110_000_000),
    ] {
        let (memory, found) = memory_of(&format!("run Sum {input} --keepdims 0"));
        assert_eq!(found.stdout, "f32 []\n8.0\n", "{input}: {}", found.stderr);
        assert!(memory < most, "{input}: {memory} bytes");
    }
    fs::remove_dir_all(folder.0).expect("ours");
}

/// One bit of an element is another than when the archive was written, wherever the member lies and however long it is.
#[test]
fn checksums_are_compared() {
    let folder = Folder::new("checksums");
    let file = large();
    let members: [(&str, &[u8]); 1] = [("a.npy", &file)];
    let odd = archive(&folder, "odd.npz", CompressionMethod::Stored, &members);
    let aligned = folder.path("aligned.npz");
    printed(&format!("run Sum {odd} --noop-with-empty-axes 1 -o {aligned}"));
    let small = folder.path("small.npz");
    printed(&format!("run Sum {odd} -o {small}"));
    for path in [odd, aligned, small] {
        assert!(printed(&format!("run Sum {path}")).ends_with("[8.0]\n"));
        let bytes = fs::read(&path).expect("written");
        let five = bytes.windows(4).rposition(|four| four == 5.0f32.to_le_bytes());
        let place = five.or(bytes.windows(4).rposition(|four| four == 8.0f32.to_le_bytes()));
        let mut damaged = fs::OpenOptions::new().write(true).open(&path).expect("ours");
        damaged.seek(SeekFrom::Start(place.expect("an element") as u64)).expect("within");
        damaged.write_all(&[1]).expect("room");
        let message = refused(&format!("run Sum {path}"));
        assert!(message.ends_with("cannot be read: invalid checksum"), "{message}");
    }
    fs::remove_dir_all(folder.0).expect("ours");
}

/// A file of `count` elements of `f32`. Their roundings depend on the order in which they are added.
fn rough(shape: &str, fortran: bool, count: u32) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '<f4', 'fortran_order': {order}, 'shape': {shape}, }}");
    let blanks = " ".repeat(128 - 11 - header.len());
    let mut file = npy_with(&format!("{header}{blanks}"), &[]);
    file.reserve(4 * count as usize);
    for number in 0..count {
        let value = number.wrapping_mul(2_654_435_761) as f32 / 1e9 - 2.0;
        file.extend(value.to_le_bytes());
    }
    file
}

/// An array that is copied piece by piece has the results of one that is read where it lies, to the last bit.
#[test]
fn pieces_have_the_bits_of_the_whole() {
    let folder = Folder::new("pieces");
    for (shape, fortran, axes) in [
        ("(17003, 1000)", false, &["1", "0"][..]),
        ("(1000, 17000)", true, &["0"]),
        ("(5000, 17, 200)", false, &["1", "1,2"]),
        ("(1700003, 10)", false, &["1"]),
        ("(600, 1, 28334)", false, &["2"]),
    ] {
        let sizes = shape.trim_matches(['(', ')']).split(", ");
        let count = sizes.map(|size| size.parse::<u32>().expect("a size")).product();
        let file = rough(shape, fortran, count);
        let members: [(&str, &[u8]); 1] = [("a.npy", &file)];
        let apart = archive(&folder, "a.npz", CompressionMethod::Stored, &members);
        let whole = folder.file("a.npy", &file);
        for axes in axes {
            // One that takes positions has one axis.
            let more = if axes.contains(',') { "" } else { ",ArgMin" };
            let results = |input: &str| {
                let out = folder.path("results.npz");
                let ops = format!("Sum,LogSumExp,MeanVariance{more}");
                printed(&format!("run {ops} {input} --axes {axes} --keepdims 0 -o {out}"));
                fs::read(out).expect("written")
            };
            assert!(results(&apart) == results(&whole), "{shape} over {axes}");
        }
    }
    fs::remove_dir_all(folder.0).expect("ours");
}

/// What is in memory of such an array is two pieces, if an axis is kept.
#[cfg(target_os = "linux")]
#[test]
fn pieces_take_little_memory() {
    use crate::limits::memory_of;

    let folder = Folder::new("pieces_memory");
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (50000, 1000), }";
    let blanks = " ".repeat(128 - 11 - header.len());
    let mut file = npy_with(&format!("{header}{blanks}"), &[]);
    file.resize(file.len() + 200_000_000, 0);
    let stored = CompressionMethod::Stored;
    let path = archive(&folder, "a.npz", stored, &[("a.npy", file.as_slice())]);
    let args = format!("run Sum,Max {path} --axes 1 --keepdims 0 -o {}", folder.path("out.npz"));
    let (memory, found) = memory_of(&args);
    assert_eq!((found.status, found.stderr.as_str()), (Some(0), ""));
    assert!(memory < 150_000_000, "{memory} bytes");
    // A damaged one is refused before its first piece.
    let mut damaged = fs::OpenOptions::new().write(true).open(&path).expect("ours");
    damaged.seek(SeekFrom::Start(199_000_000)).expect("within");
    damaged.write_all(&[1]).expect("room");
    let message = refused(&args);
    assert!(message.ends_with("its member `a.npy` cannot be read: invalid checksum"), "{message}");
    fs::remove_dir_all(folder.0).expect("ours");
}
