//! Each rule of the check stage is held by some file of `tests/ui`: without it, what that
//! file reports is something else.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

use super::take;
use crate::check::{RULES, Rule};
use crate::pipeline::under;

/// A spec with mistakes: arguments and block.
struct Mistaken {
    path: PathBuf,
    args: TokenStream,
    block: TokenStream,
}

/// Every spec of the files in a folder and its folders.
fn specs(folder: &Path, found: &mut Vec<Mistaken>) {
    let entries = fs::read_dir(folder).expect("a readable folder");
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            specs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).expect("a readable file");
            let Ok(file) = syn::parse_file(&source) else { continue };
            for item in file.items {
                let Item::Impl(mut block) = item else { continue };
                let Some(args) = take(&mut block.attrs, "reduce_op") else { continue };
                let block = block.to_token_stream();
                found.push(Mistaken { path: path.clone(), args, block });
            }
        }
    }
}

/// What is reported under some rules.
fn messages<'r>(spec: &Mistaken, rules: impl IntoIterator<Item = &'r Rule>) -> Vec<String> {
    let mut found = Vec::new();
    collect(under(rules, spec.args.clone(), &spec.block), &mut found);
    found
}

/// The texts of `compile_error!("..")`.
fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_error = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if is_error => found.push(group.stream().to_string()),
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Punct(punct) if punct.as_char() == '!' => continue,
            TokenTree::Ident(ident) => {
                is_error = ident == "compile_error";
                continue;
            }
            _ => {}
        }
        is_error = false;
    }
}

#[test]
fn every_rule_is_held_by_a_file() {
    let mut mistaken = Vec::new();
    specs(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/ui"), &mut mistaken);
    assert!(mistaken.len() > 100, "{} specs", mistaken.len());
    for (number, rule) in RULES.iter().enumerate() {
        let without = |spec: &&Mistaken| {
            let others = RULES.iter().enumerate().filter(|(other, _)| *other != number);
            messages(spec, others.map(|(_, rule)| rule)) != messages(spec, RULES)
        };
        let holding: Vec<_> = mistaken.iter().filter(without).map(|spec| &spec.path).collect();
        println!("{}: held by {} files", rule.name, holding.len());
        assert!(!holding.is_empty(), "no file in tests/ui holds the rule `{}`", rule.name);
    }
}
