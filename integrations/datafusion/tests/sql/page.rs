//! The page that goes from a slice to a cluster.

/// Its first example is the file that the others include.
#[test]
fn the_operator_of_the_page_is_the_file_that_is_included() {
    let page = include_str!("../../../../docs/from-slice-to-cluster.md");
    let file = include_str!("../../examples/geometric_mean.rs");
    let first = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```\n").next());
    assert_eq!(first, Some(file));
    assert_eq!(page.matches("/examples/geometric_mean.rs").count(), 4);
}
