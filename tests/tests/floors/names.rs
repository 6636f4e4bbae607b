//! Names: each type name stands for one thing in the whole core, so that a reader who met it once knows it.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{Source, sources};

/// The names of the types, traits and aliases of a source. Associated types are named by their traits, and are none of these.
fn type_names(tokens: TokenStream, is_within: bool, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_next_within = false;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let names = match word.as_str() {
                    "struct" | "enum" | "union" | "trait" => true,
                    "type" => !is_within,
                    _ => false,
                };
                if names && let Some(TokenTree::Ident(name)) = tokens.get(place + 1) {
                    found.push(name.to_string());
                }
                // A macro may write what stands in an implementation.
                is_next_within |= ["impl", "trait", "macro_rules"].contains(&word.as_str());
            }
            TokenTree::Group(group) => {
                let is_body = group.delimiter() == Delimiter::Brace;
                let is_within = is_within || is_body && is_next_within;
                type_names(group.stream(), is_within, found);
                is_next_within &= !is_body;
            }
            _ => {}
        }
    }
}

/// Which sources give a type each of these names, of those that several give or one gives twice.
pub(crate) fn given_twice(sources: &[Source]) -> BTreeMap<String, Vec<&str>> {
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources {
        let mut found = Vec::new();
        type_names(source.text.parse().expect("Rust"), false, &mut found);
        for name in found {
            all.entry(name).or_default().push(&source.file);
        }
    }
    all.retain(|_, files| files.len() > 1);
    all
}

#[test]
fn each_type_name_stands_for_one_thing() {
    let sources = sources();
    let twice = given_twice(&sources);
    assert!(twice.is_empty(), "{} names: {twice:#?}", twice.len());
}

#[test]
fn a_name_that_is_given_twice_is_found() {
    let sources = [
        Source::new("a.rs", "struct Row; trait Walk { type Row; } mod inner { type Step = u8; }"),
        Source::new("b.rs", "enum Row {} impl Walk for u8 { type Row = u8; type Step = u8; }"),
    ];
    let expected = BTreeMap::from([("Row".to_owned(), vec!["a.rs", "b.rs"])]);
    assert_eq!(given_twice(&sources), expected);
}

#[test]
fn nothing_is_public_that_nobody_reaches() {
    let allows = |source: &Source| source.text.matches("unreachable_pub").count();
    let allowed: usize = sources().iter().map(allows).sum();
    assert!(allowed <= 10, "{allowed} items");
}
