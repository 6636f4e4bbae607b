//! What generated code may not hold, and how long it may be.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, Macro, Meta, Path};

use super::{Golden, specs};

/// The lines for an operator, for each storage type (its schema, kernel, row and law test)
/// and for each attribute. As measured: paths are absolute, so few things fit a line.
const OPERATOR_LINES: usize = 49;
const DTYPE_LINES: usize = 31;
/// Of an attribute that is a parameter, two lines say its value, so that a stored state can name it.
const ATTR_LINES: usize = 11;
/// Of a type whose doubtful results are mended: how, in a run, in a scan, and in what is emitted alone or with others beside.
const MENDED_LINES: usize = 27;
/// Of a type over which the operator emits: alone and with others beside it, and what asks for that once.
const EMITTED_LINES: usize = 36;
/// The same for an operator that is asked about its parameters.
const ASKED_LINES: usize = 3;

/// Words that stand for a name of our own within the generated code.
const LOCALS: [&str; 12] = [
    "Self", "self", "op", "params", "field", "lanes", "lane", "value", "from", "to", "code",
    "__LANES",
];

/// Attributes of the language, which have no path.
const BUILT_IN: [&str; 5] = ["automatically_derived", "allow", "cfg", "doc", "inline"];

/// Collects the paths that depend on what is in scope.
struct Relative<'a> {
    /// The words of the spec, whose paths are the user's own.
    user: &'a BTreeSet<String>,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Relative<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let first = path.segments[0].ident.to_string();
        let is_absolute =
            path.leading_colon.is_some() && ["core", "reduce_core"].contains(&first.as_str());
        let is_local = path.leading_colon.is_none()
            && (LOCALS.contains(&first.as_str()) || self.user.contains(&first));
        let is_alone = path.segments.len() == 1 || first == "Self";
        if !(is_absolute || is_local && is_alone) {
            self.found.push(path.to_token_stream().to_string());
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        if !BUILT_IN.iter().any(|name| attr.path().is_ident(name)) {
            visit::visit_attribute(self, attr);
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.found.push(call.path.to_token_stream().to_string());
    }
}

#[test]
fn paths_depend_on_no_scope() {
    for Golden { name, source, generated, .. } in specs() {
        let mut user = BTreeSet::new();
        words(source.parse().expect("a spec"), &mut user);
        let mut relative = Relative { user: &user, found: Vec::new() };
        generated.iter().for_each(|item| relative.visit_item(item));
        assert!(relative.found.is_empty(), "{name}: {:?}", relative.found);
    }
}

#[test]
fn no_unsafe_no_features_no_std() {
    for Golden { name, generated, .. } in specs() {
        let mut found = BTreeSet::new();
        generated.iter().for_each(|item| words(item.to_token_stream(), &mut found));
        for word in ["unsafe", "target_feature", "feature", "std", "unwrap", "panic"] {
            assert!(!found.contains(word), "{name}: `{word}`");
        }
    }
}

/// Every identifier among some tokens.
fn words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => words(group.stream(), found),
            TokenTree::Ident(word) => {
                found.insert(word.to_string());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[test]
fn the_users_block_gains_inline_hints_a_table_and_what_kernels_ask_for_alone() {
    for Golden { name, source, expansion, .. } in specs() {
        let [before, after] = [&source, &expansion].map(|text| block(text));
        let Some((before, after)) = before.zip(after) else { continue };
        assert_eq!(before, after, "{name}");
        for (function, constant) in ASKED_FOR {
            let said = format!("const {constant}: ::core::primitive::bool = true;");
            let function = format!("fn {function}(");
            assert_eq!(before.contains(&function), expansion.contains(&said), "{name}: {constant}");
        }
    }
}

/// Functions, and the constants that are said beside them.
const ASKED_FOR: [(&str, &str); 5] = [
    ("push_two", "PUSHES_TWO"),
    ("push_into", "IN_PLACE"),
    ("enters", "ENTERS"),
    ("remove", "REMOVES"),
    ("doubts", "DOUBTS"),
];

/// The `impl ReduceOp` block of a file, without what the macro takes or adds.
fn block(text: &str) -> Option<String> {
    let file = syn::parse_file(text).expect("a file that parses");
    let blocks = file.items.into_iter().filter_map(|item| match item {
        Item::Impl(block) => Some(block),
        _ => None,
    });
    let is_operator =
        |path: &Path| path.is_ident("ReduceOp") || path.segments[0].ident == "ReduceOp";
    let mut block = blocks
        .into_iter()
        .find(|block| block.trait_.as_ref().is_some_and(|(path, _)| is_operator(path)))?;
    block.attrs.retain(|attr| match &attr.meta {
        Meta::NameValue(doc) => !is_of_table(&doc.value.to_token_stream().to_string()),
        _ => false,
    });
    block.items.retain(|member| !matches!(member, syn::ImplItem::Const(_)));
    for member in &mut block.items {
        if let syn::ImplItem::Fn(function) = member {
            function.attrs.retain(|attr| !attr.path().is_ident("inline"));
        }
    }
    Some(unparse(Item::Impl(block)))
}

/// Whether a line of documentation is one of the table that is added, or empty.
fn is_of_table(line: &str) -> bool {
    line == "\"\"" || line.starts_with("\" |")
}

#[test]
fn generated_code_keeps_to_its_budget() {
    for Golden { name, expansion, generated, .. } in specs() {
        let count = |word: &str| expansion.matches(word).count();
        let (dtypes, attrs) = (count("DTypeSchema::of"), count("AttrSchema::new"));
        if name.starts_with("accumulator_") && dtypes == 0 {
            continue;
        }
        assert!(dtypes > 0 && attrs > 0, "{name}: {dtypes} dtypes, {attrs} attributes");
        let is_operators = |item: &&Item| !matches!(item, Item::Impl(_));
        let lines: usize = generated.iter().filter(is_operators).map(lines).sum();
        let (mended, asked) = (count("const MENDS"), count("fn refused"));
        let emitting = EMITTED_LINES * count("const EMISSIONS");
        let of_options = MENDED_LINES * mended + ASKED_LINES * asked + emitting;
        let budget = OPERATOR_LINES + DTYPE_LINES * dtypes + ATTR_LINES * attrs + of_options;
        println!("{name}: {lines} lines, {dtypes} dtypes, {attrs} attributes; {budget} allowed");
        assert!(lines <= budget, "{name}: {lines} lines of generated code, {budget} allowed");
    }
}

fn lines(item: &Item) -> usize {
    unparse(item.clone()).lines().count()
}

fn unparse(item: Item) -> String {
    prettyplease::unparse(&File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    })
}
