//! `reduce ops` and `reduce explain`.

use reduce_specs::ONNX;

use crate::support::{commands, printed, refused};

#[test]
fn ops_lists_each_version_of_each_operator() {
    let list = printed("ops");
    let versions: usize = ONNX.ops().iter().map(|entry| entry.schema().versions.len()).sum();
    for entry in ONNX.ops() {
        assert!(list.contains(entry.schema().name));
    }
    assert_eq!(list.lines().filter(|line| line.contains(" f32 ")).count(), versions, "{list}");
    assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
}

#[test]
fn explain_follows_the_schema_at_every_opset() {
    for entry in ONNX.ops() {
        let schema = entry.schema();
        let mut texts = Vec::new();
        for opset in schema.versions {
            let version = schema.at(*opset).expect("a version of its own");
            let text = printed(&format!("explain {} --opset {opset}", schema.name));
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
            assert_eq!(text.contains("axes: tensor(i64)"), version.axes_input, "{text}");
            for row in &version.dtypes {
                assert!(text.contains(row.input.name()), "{text}");
            }
            for attr in &version.attrs {
                assert!(text.contains(attr.name), "{text}");
            }
            texts.push(text);
        }
        assert_eq!(texts.last(), Some(&printed(&format!("explain {}", schema.name))));
    }
}

#[test]
fn explain_tells_what_changed() {
    let text = printed("explain ReduceSum --opset 13");
    for part in [
        "13, from opset 13 on",
        "others: 1, 11",
        "T gains bf16",
        "axes: an attribute before, now an input",
        "gains the attribute noop_with_empty_axes: int, 0 or 1; default 0",
        "f16, bf16: computed in f32",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = printed("explain ReduceLogSumExp --opset 27");
    assert!(text.contains("18, for opsets 18 to 27"), "{text}");
    assert!(text.contains("f16, bf16, f32, f64: -inf"), "{text}");
    assert!(text.contains("i32: -2147483648"), "{text}");
    assert!(printed("explain ReduceMean").contains("i32, i64, u32, u64: an error"));
}

#[test]
fn explain_of_a_position() {
    let text = printed("explain ArgMax --opset 12");
    for part in [
        "12, at opset 12 only",
        "output      reduced: tensor(i64)",
        "axis               int; default 0",
        "gains the attribute select_last_index: int, 0 or 1; default 0",
        "a NaN anywhere decides the result",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(printed("explain ReduceMax").contains("a NaN anywhere makes the result NaN"));
    let list = printed("ops");
    assert!(list.lines().any(|line| line.contains("ArgMax") && line.contains("one, attribute")));
}

/// Every help says what the exit status means.
#[test]
fn help_says_the_exit_status() {
    for command in commands() {
        let text = printed(&format!("{command} --help"));
        for words in ["Exit status: 0 ", "1 if a conformance test failed", "2 if a request"] {
            assert!(text.contains(words), "{command}: {words} in {text}");
        }
    }
    assert!(printed("run --help").contains("Nobody may shorten the file meanwhile"));
}

/// Every shell is told of every command, and `man` of each with its arguments.
#[test]
fn completions_and_pages() {
    let commands: Vec<String> = commands().into_iter().filter(|name| !name.is_empty()).collect();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&format!("completions {shell}"));
        for word in commands.iter().map(String::as_str).chain(["skip-nan", "roofline"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = printed("man");
    assert!(page.contains(".TH reduce 1"), "{page}");
    for command in commands {
        assert!(page.contains(&format!("reduce\\-{command}(1)")), "{command} in {page}");
        let own = printed(&format!("man {command}"));
        assert!(own.contains(&format!(".TH reduce-{command} 1  \"reduce ")), "{own}");
        assert!(own.contains(".SH \"EXIT STATUS\""), "{own}");
    }
    assert!(printed("man run").contains("keepdims"));
    assert!(refused("man rum").contains("no command `rum`"));
}

#[test]
fn explain_suggests_a_name() {
    assert!(refused("explain ReduceSun").contains("did you mean `ReduceSum`"));
    assert!(refused("explain Convolution").contains("`reduce ops`"));
    assert!(refused("explain ReduceSum --opset 999").contains("expected 1..="));
}

#[test]
fn versions_side_by_side() {
    let text = printed("explain ReduceSum --opset 18,11");
    for part in [
        "version 11",
        "version 13",
        "11..=12",
        "opsets",
        "noop_with_empty_axes",
        "11 to 13    T gains bf16",
        "axes: an attribute before, now an input",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("version 1 "), "{text}");
    let all = printed("explain ReduceSum --diff");
    assert!(all.contains("1 to 11 ") && all.contains("11 to 13 "), "{all}");
    let same = printed("explain Sum --opset 13,18");
    assert!(same.contains("version 13 governs them all: nothing changed between them"), "{same}");
    for name in ["ReduceMean", "ReduceMax", "ArgMax", "ReduceLogSumExp", "Variance"] {
        let text = printed(&format!("explain {name} --diff"));
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
    assert!(refused("explain Sum --opset 13,999").contains("opset 999 does not exist"));
}

/// The list for programs has what the schemas have.
#[test]
fn the_list_as_json() {
    let text = printed("ops --json");
    let list: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let list = list.as_array().expect("a list");
    let of = |name: &str| list.iter().find(|entry| entry["name"] == name).expect(name);
    for entry in ONNX.ops() {
        let schema = entry.schema();
        let found = of(schema.name);
        assert_eq!(found["set"], "onnx");
        let since: Vec<u64> = found["versions"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["since"].as_u64())
            .collect();
        assert!(
            since.iter().eq(&schema.versions.iter().map(|&one| u64::from(one)).collect::<Vec<_>>())
        );
        for (version, found) in
            schema.history().iter().zip(found["versions"].as_array().expect("a list"))
        {
            assert_eq!(found["dtypes"].as_array().map(Vec::len), Some(version.dtypes.len()));
            assert_eq!(found["attributes"].as_array().map(Vec::len), Some(version.attrs.len()));
            assert_eq!(found["until"].as_u64(), version.until.map(u64::from));
        }
    }
    assert_eq!(of("ReduceMean")["short"], "Mean");
    assert_eq!(of("ReduceSum")["versions"][2]["axes"], "input");
    let half =
        serde_json::json!({"input": "f16", "compute": "f32", "output": "f16", "empty": "value"});
    let first = &of("ReduceMean")["versions"][0];
    assert!(first["dtypes"].as_array().is_some_and(|rows| rows.contains(&half)), "{first}");
    assert_eq!((&of("Dot")["inputs"], &of("Dot")["set"]), (&2.into(), &"gallery".into()));
    assert_eq!(of("TopK")["length"], serde_json::json!({"name": "k"}));
    assert_eq!(of("Moments")["length"], serde_json::json!({"name": "n", "most": 8}));
    assert_eq!(of("Variance")["versions"][0]["attributes"][2]["low"], 0.0);
}
