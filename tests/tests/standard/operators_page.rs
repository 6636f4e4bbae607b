//! `docs/operators.md` is what the specs say.

use std::path::Path;

use reduce_tests::page;

#[test]
fn the_page_is_what_the_specs_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operators.md");
    let expected = page::operators(&reduce_specs::ONNX);
    if std::env::var_os("REDUCE_BLESS").is_some() {
        std::fs::write(&path, &expected).expect("docs/operators.md can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/operators.md is not what the specs say; run this test with REDUCE_BLESS=1"
    );
}
