//! Where the compiler reports what only it can find: a type that lacks a trait,
//! a field of another type, a missing `Default`. It goes by the spans of the
//! generated tokens, which must be those of the user's words.

use proc_macro2::{TokenStream, TokenTree};

const ARGS: &str = "dtypes = [f32, i32 => f64], attrs = [axes: ints = all, p: int = 1]";

const BLOCK: &str = "impl<A: Real> ReduceOp<A> for Sum { \
    type Acc = A; type Output = A; \
    fn identity(&self) -> A { A::ZERO } \
    fn map(&self, x: A) -> A { x } \
    fn combine(&self, a: A, b: A) -> A { a + b } \
    fn finalize(&self, acc: A, _count: usize) -> A { acc } }";

/// Where in the source the occurrences of a word in the expansion stand, but for
/// those that stand nowhere.
fn columns(word: &str) -> Vec<usize> {
    let args = ARGS.parse().expect("arguments");
    let block: TokenStream = BLOCK.parse().expect("a block");
    let mut found = Vec::new();
    collect(crate::pipeline::reduce_op(args, &block), word, &mut found);
    found.retain(|column| *column > 0);
    found
}

#[test]
fn fields_stand_at_their_types() {
    let item = "struct Pair { a: f32, b: Total }";
    let mut found = Vec::new();
    collect(crate::accumulator::derive(item.parse().expect("a struct")), "splat", &mut found);
    found.retain(|column| *column > 0);
    assert_eq!(found, [column(item, "f32"), column(item, "Total")]);
}

fn collect(tokens: TokenStream, word: &str, found: &mut Vec<usize>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), word, found),
            TokenTree::Ident(ident) if ident == word => found.push(ident.span().start().column),
            _ => {}
        }
    }
}

fn column(source: &str, word: &str) -> usize {
    source.find(word).expect("a word of the source")
}

#[test]
fn kernels_stand_at_their_dtypes() {
    let dtypes = [column(ARGS, "f32"), column(ARGS, "i32")];
    assert_eq!(columns("check_laws"), dtypes);
    assert_eq!(columns("Combining"), dtypes);
}

#[test]
fn parameters_stand_at_their_declarations() {
    let declared = column(ARGS, "p:");
    assert_eq!(columns("fill"), [declared]);
    assert_eq!(columns("field"), [declared, declared]);
}

/// So editors know what stands there. The core has a constant of each name.
#[test]
fn keys_stand_where_they_are_written() {
    let attrs = column(ARGS, "attrs");
    assert!(columns("attrs").contains(&attrs));
    let core = concat!(env!("CARGO_MANIFEST_DIR"), "/../reduce-core/src/private.rs");
    let core = std::fs::read_to_string(core).expect("a readable source");
    for key in crate::parse::KEYS.iter().filter(|key| **key != "crate") {
        assert!(core.contains(&format!("pub const {key}: ()")), "{key}");
    }
    assert_eq!(core.matches("pub const ").count(), crate::parse::KEYS.len() - 1);
}
