//! Each rule of the check stage is held by some file of `tests/diagnostics/ui`: without it, what
//! that file reports is something else.

use proc_macro2::{TokenStream, TokenTree};

use super::{Written, written};
use crate::check::{RULES, Rule};
use crate::pipeline::under;

/// What is reported under some rules.
fn messages<'r>(spec: &Written, rules: impl IntoIterator<Item = &'r Rule>) -> Vec<String> {
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
    let mistaken = written("diagnostics/ui");
    assert!(mistaken.len() > 100, "{} specs", mistaken.len());
    for (number, rule) in RULES.iter().enumerate() {
        let without = |spec: &&Written| {
            let others = RULES.iter().enumerate().filter(|(other, _)| *other != number);
            messages(spec, others.map(|(_, rule)| rule)) != messages(spec, RULES)
        };
        let holding: Vec<_> = mistaken.iter().filter(without).map(|spec| &spec.path).collect();
        println!("{}: held by {} files", rule.name, holding.len());
        assert!(
            !holding.is_empty(),
            "no file in tests/diagnostics/ui holds the rule `{}`",
            rule.name
        );
    }
}
