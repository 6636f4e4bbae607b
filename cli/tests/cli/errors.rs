//! Requests that are refused: in one line that says why.

use crate::support::{Folder, floats, npy, printed, reduce, refused};

#[test]
fn each_mistake_is_named() {
    let folder = Folder::new("mistakes");
    let x = folder.file("x.npy", &floats("(2, 2)", &[1.0, 2.0, 3.0, 4.0]));
    let scalar = folder.file("scalar.npy", &floats("()", &[1.0]));
    let bools = folder.file("bools.npy", &npy("'|b1'", false, "(2,)", &[0, 1]));
    let ints = folder.file("ints.npy", &npy("'<i4'", false, "(0,)", &[]));
    for (args, words) in [
        (format!("ReduceSun {x}"), "did you mean `ReduceSum`"),
        (format!("Conv {x}"), "`reduce ops` lists those there are"),
        (format!("ReduceSum {x} --opset 0"), "opset 0 does not exist; expected 1..="),
        (format!("ReduceSum {x} --opset 999"), "opset 999 does not exist; expected 1..="),
        (format!("ReduceMean --opset 13 --noop-with-empty-axes 1 {x}"), "versions 18.. have it"),
        (format!("ReduceSum {x} --attr keepdim=1"), "did you mean `keepdims`"),
        (format!("ReduceSum {x} --keepdims 2"), "attribute `keepdims` is 2; expected 0 or 1"),
        (format!("ReduceSum {x} --keepdims -1"), "attribute `keepdims` is -1"),
        (format!("ReduceSum {x} --keepdims 1 --attr keepdims=1"), "given twice"),
        (format!("ReduceSum {x} --attr keepdims=1.0"), "takes an integer, 0 or 1, not a float"),
        (format!("ReduceSum {x} --attr keepdims=yes"), "not a string"),
        (format!("ReduceSum {x} --attr axes=[0]"), "pass it as the second input"),
        (format!("ReduceSum {bools}"), "dtype `bool` is not allowed; expected"),
        (format!("ReduceLogSumExp --opset 28 {ints}"), "`i32` is allowed at versions 1..=27"),
        (format!("ArgMax {x} --axes 0,1"), "reduces one axis; name one, not 2, with --axes"),
        (format!("ArgMax {x} --axes {{}}"), "reduces one axis; name one, not 0, with --axes"),
        (format!("ArgMax {x} --axes 2"), "axis 2 is out of range for rank 2"),
        (format!("ArgMax {x} --axes 0 --attr axis=0"), "given twice"),
        (
            format!("ArgMax {scalar}"),
            "that reduces one axis, named or not, give a tensor of rank 1",
        ),
        (
            format!("ReduceStd {x}"),
            "unknown operator `ReduceStd`; `reduce ops` lists those there are",
        ),
        (format!("ReduceMedian {x}"), "unknown operator `ReduceMedian`; `reduce ops` lists"),
        (format!("ReduceSum {x} --axes 2"), "axis 2 is out of range for rank 2"),
        (format!("ReduceSum {x} --axes -3"), "axis -3 is out of range for rank 2"),
        (format!("ReduceSum {x} --axes 0,-2"), "axis -2 names axis 0, which is named already"),
        (format!("ReduceSum {scalar} --axes 0"), "rank 0 has no axes"),
        (format!("ReduceMean {ints}"), "no value over an empty set of i32"),
        (format!("ReduceSum {x}.npy"), "there is no such file"),
        (format!("ReduceSum {}", folder.0.display()), "is not a regular file"),
    ] {
        let message = refused(&format!("run {args}"));
        assert!(message.contains(words), "{words} in {message}");
        // Mistakes of the request come first; the others name the file.
        let about_request = message.contains("operator") || message.contains("error: opset");
        assert!(about_request || message.contains(&folder.0.display().to_string()), "{message}");
    }
}

/// The device is told of before the file.
#[test]
fn devices_are_of_another_program() {
    for request in ["run Sum missing.npy --gpu", "run Sum missing.npy --gpu=H200", "bench --gpu"] {
        let message = refused(request);
        let words = "runs on the CPU alone; `cargo install --path integrations/gpu/cli`";
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn usage_errors_have_the_same_status() {
    for args in [
        "run",
        "run ReduceSum",
        "frobnicate",
        "run ReduceSum x.npy --axes a",
        "run ReduceSum x.npy --level mmx",
        "run ReduceSum x.npy --opset -1",
        "run ReduceSum x.npy --attr keepdims",
        "run ReduceSum x.npy --gpu --skip-nan",
        "run ReduceSum x.npy --gpu --where mask.npy",
        "run ReduceSum x.npy --gpu --level scalar",
        "run ReduceSum x.npy --gpu --threads 2",
    ] {
        let outcome = reduce(args);
        assert_eq!((outcome.status, outcome.stdout.as_str()), (Some(2), ""), "{args}");
        assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    }
}

/// Of every option that is a number, the range that holds is said, whatever stands in its place.
#[test]
fn ranges_are_said() {
    let newest = reduce_specs::ONNX.newest();
    let opsets = format!("expected a whole number from 1 to {newest}");
    let threads = "expected a whole number from 1 to 1024";
    for (command, option, range) in [
        ("run Sum x.npy", "--opset", opsets.as_str()),
        ("run Sum x.npy", "--threads", threads),
        ("run Sum x.npy", "--keepdims", "expected 0 or 1"),
        ("run Sum x.npy", "--noop-with-empty-axes", "expected 0 or 1"),
        ("explain Sum", "--opset", &opsets),
        ("check m.onnx", "--target-opset", &opsets),
        ("model m.onnx", "--threads", threads),
        ("bench", "--threads", threads),
        ("bench", "--secs", "write seconds, from 0 to 3600"),
        ("bench --sweep", "--bytes", "expected a whole number from 4 to 1099511627776"),
    ] {
        for value in ["-1", "x", "1.5e99", "99999999999999999999"] {
            // A number that is no flag is told of with the operator.
            if value == "-1" && range == "expected 0 or 1" {
                continue;
            }
            let found = reduce(&format!("{command} {option} {value}"));
            assert_eq!(found.status, Some(2), "{command} {option} {value}");
            let told = format!("error: invalid value '{value}' for '{option} ");
            assert!(found.stderr.starts_with(&told), "{}", found.stderr);
            assert!(found.stderr.contains(range), "{range} in {}", found.stderr);
        }
    }
    for (args, range) in [
        ("run Sum x.npy --threads 1025", threads),
        ("run Sum x.npy --threads 0", threads),
        ("bench --sweep=0", "expected a whole number from 1 to 10000"),
        ("bench --sweep=-1", "expected a whole number from 1 to 10000"),
        ("bench --sweep --bytes 3", "from 4 to"),
        ("explain Sum --opset 13,x", &opsets),
    ] {
        assert!(reduce(args).stderr.contains(range), "{args}: {}", reduce(args).stderr);
    }
    let message = refused("explain Sum --opset 0");
    assert!(
        message.contains(&format!("opset 0 does not exist; expected 1..={newest}")),
        "{message}"
    );
}

#[test]
fn a_path_that_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new("unwritable");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    std::fs::create_dir_all(folder.0.join("folder/ReduceSum.npy")).expect("a folder");
    for output in ["missing/out.npy", "x.npy/out.npy", "missing/new/", "x.npy/new/"] {
        let output = folder.path(output);
        let message = refused(&format!("run ReduceSum {x} -o {output}"));
        assert!(message.contains(&format!("`{output}`: cannot be written: ")), "{message}");
    }
    assert_eq!(folder.names(), ["folder", "x.npy"]);
    // Where a folder is in the place of a result.
    let message = refused(&format!("run ReduceSum {x} -o {}", folder.path("folder")));
    assert!(message.contains("ReduceSum.npy`: cannot be written: "), "{message}");
    // A folder is made when there are results.
    refused(&format!("run ReduceSum {} -o {}", folder.path("none.npy"), folder.path("new/")));
    assert_eq!(folder.names(), ["folder", "x.npy"]);
    assert_eq!(std::fs::read_dir(folder.0.join("folder")).expect("a folder").count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_not_read_and_not_replaced() {
    let folder = Folder::new("devices");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    printed(&format!("run ReduceSum {x} -o /dev/null"));
    let message = refused(&format!("run ReduceSum {x} -o /dev/full"));
    assert!(message.contains("`/dev/full`: cannot be written: no space left"), "{message}");
    for device in ["/dev/null", "/dev/full"] {
        assert!(!std::fs::metadata(device).expect("there").is_file(), "{device}");
    }
    assert!(refused("run ReduceSum /dev/zero").contains("not a regular file"));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let output = crate::support::command("ops").stdout(full).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with("error: standard output cannot be written"), "{message}");
}
