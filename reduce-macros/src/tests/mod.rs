//! These tests check what the macros write for the specs of `tests/golden`.

mod compute;
mod golden;
mod hygiene;
mod robust;
mod rules;
mod spans;
mod time;

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Item, Meta};

/// A spec of `tests/golden`, expanded.
struct Golden {
    name: String,
    source: String,
    /// The file with its macros expanded.
    expansion: String,
    /// The macros added these items to it.
    generated: Vec<Item>,
}

/// Every spec of `tests/golden`, by name.
fn specs() -> Vec<Golden> {
    let entries = fs::read_dir(folder()).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut specs: Vec<Golden> = paths
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(".in.rs")?.to_owned();
            Some(read(name, fs::read_to_string(path).expect("a readable spec")))
        })
        .collect();
    specs.sort_by(|a, b| a.name.cmp(&b.name));
    specs
}

fn folder() -> PathBuf {
    tests().join("golden")
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// A spec as it is written: arguments and block.
struct Written {
    path: PathBuf,
    args: TokenStream,
    block: TokenStream,
}

/// Every spec in a folder of `tests` and its folders.
fn written(folder: &str) -> Vec<Written> {
    let mut found = Vec::new();
    collect(&tests().join(folder), &mut found);
    found
}

fn collect(folder: &Path, found: &mut Vec<Written>) {
    let entries = fs::read_dir(folder).expect("a readable folder");
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).expect("a readable file");
            // Some mistakes leave no Rust to parse.
            let Ok(file) = syn::parse_file(&source) else { continue };
            for item in file.items {
                let Item::Impl(mut block) = item else { continue };
                let Some(args) = take(&mut block.attrs, "reduce_op") else { continue };
                found.push(Written { path: path.clone(), args, block: block.to_token_stream() });
            }
        }
    }
}

fn read(name: String, source: String) -> Golden {
    let mut file = syn::parse_file(&source).expect("a spec that parses");
    let mut generated = Vec::new();
    for item in std::mem::take(&mut file.items) {
        let mut expanded = expand(item);
        let own = expanded.iter().position(|item| !matches!(item, Item::Const(_)));
        let is_own = |place: usize| Some(place) == own;
        let others = expanded.iter().enumerate().filter(|(place, _)| !is_own(*place));
        generated.extend(others.map(|(_, item)| item.clone()));
        file.items.append(&mut expanded);
    }
    Golden { name, source, expansion: prettyplease::unparse(&file), generated }
}

/// The item without our attribute, and what the attribute adds.
fn expand(mut item: Item) -> Vec<Item> {
    let tokens = match &mut item {
        Item::Impl(block) => {
            let Some(args) = take(&mut block.attrs, "reduce_op") else {
                return vec![item];
            };
            crate::pipeline::reduce_op(args, &item.to_token_stream())
        }
        Item::Struct(data) => {
            if !take_derive(&mut data.attrs) {
                return vec![item];
            }
            let derived = crate::accumulator::derive(data.to_token_stream());
            take(&mut data.attrs, "accumulator");
            quote!(#data #derived)
        }
        _ => return vec![item],
    };
    syn::parse2::<syn::File>(tokens).expect("an expansion that parses").items
}

/// Takes an attribute off an item; its arguments, if it is there.
fn take(attrs: &mut Vec<Attribute>, name: &str) -> Option<TokenStream> {
    let is_named =
        |attr: &Attribute| attr.path().segments.last().is_some_and(|segment| segment.ident == name);
    let attr = attrs.remove(attrs.iter().position(is_named)?);
    match attr.meta {
        Meta::List(list) => Some(list.tokens),
        Meta::Path(_) | Meta::NameValue(_) => Some(TokenStream::new()),
    }
}

/// Takes `Accumulator` out of the traits to derive; whether it was there.
fn take_derive(attrs: &mut [Attribute]) -> bool {
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("derive")) {
        let Meta::List(list) = &mut attr.meta else { continue };
        let text = list.tokens.to_string();
        let traits = text.split(',').filter(|name| !name.contains("Accumulator"));
        let others: Vec<&str> = traits.collect();
        if others.len() < text.split(',').count() {
            list.tokens = others.join(",").parse().expect("the traits left");
            return true;
        }
    }
    false
}
