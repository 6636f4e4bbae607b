//! The attribute's arguments: `key = value`, each key once.
//!
//! Arguments are split at their commas first, so that a mistake in one value
//! does not hide those in the others.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitBool, LitInt, LitStr, Path};

use super::dtypes::parse_words;
use super::{RawAttr, RawDType, RawEmits, RawEmpty, RawVersions, Windowed, expect, parse_all};
use crate::diag::{Diag, instead_of};

/// What the attribute says, as written. A key that is missing, or whose value
/// does not parse, is `None`.
#[derive(Default)]
pub(crate) struct RawSpec {
    pub(crate) name: Option<LitStr>,
    pub(crate) versions: Option<RawVersions>,
    pub(crate) dtypes: Option<Windowed<RawDType>>,
    pub(crate) attrs: Option<Windowed<RawAttr>>,
    pub(crate) nan: Option<Ident>,
    pub(crate) empty: Option<RawEmpty>,
    pub(crate) commutative: Option<LitBool>,
    pub(crate) output: Option<Vec<Ident>>,
    pub(crate) emits: Option<RawEmits>,
    pub(crate) lanes: Option<LitInt>,
    pub(crate) length: Option<Ident>,
    pub(crate) krate: Option<Path>,
    /// The keys present, whether or not their values parsed.
    pub(crate) seen: Vec<String>,
    /// Every word in the place of a key, as it was written.
    pub(crate) words: Vec<Ident>,
}

pub(crate) const KEYS: [&str; 12] = [
    "name",
    "versions",
    "dtypes",
    "attrs",
    "nan",
    "empty",
    "commutative",
    "output",
    "emits",
    "lanes",
    "length",
    "crate",
];

/// Reads the arguments.
pub(crate) fn spec(args: TokenStream, diag: &mut Diag) -> RawSpec {
    let mut spec = RawSpec::default();
    for argument in split_at_commas(args, diag) {
        if let Err(error) = take_argument(&mut spec, argument) {
            diag.syntax(error);
        }
    }
    spec
}

/// The tokens between commas; an argument that is missing between two commas is
/// a mistake at the second.
fn split_at_commas(args: TokenStream, diag: &mut Diag) -> Vec<Vec<TokenTree>> {
    let mut arguments = vec![Vec::new()];
    for token in args {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                if arguments.last().is_some_and(Vec::is_empty) {
                    diag.error(punct.span(), "stray comma; write `key = value` before it");
                }
                arguments.push(Vec::new());
            }
            _ => arguments.last_mut().expect("never empty").push(token),
        }
    }
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

fn take_argument(spec: &mut RawSpec, argument: Vec<TokenTree>) -> syn::Result<()> {
    let span = argument.first().map_or_else(Span::call_site, TokenTree::span);
    let tokens: TokenStream = argument.into_iter().collect();
    let split = |input: ParseStream<'_>| {
        let key = input.call(Ident::parse_any).map_err(|_| {
            syn::Error::new(input.span(), "expected `key = value`; a spec holds facts under keys")
        })?;
        let equals: Option<syn::Token![=]> = input.parse()?;
        Ok((key, equals, input.parse::<TokenStream>()?))
    };
    let (key, equals, value) = parse_all(split, tokens, span)?;
    spec.words.push(key.clone());
    let word = key.unraw().to_string();
    if !KEYS.contains(&word.as_str()) {
        let remedy = instead_of(&word, &KEYS);
        return Err(syn::Error::new(key.span(), format!("unknown key `{word}`; {remedy}")));
    }
    if spec.seen.contains(&word) {
        let message = format!("duplicate key `{word}`; write it once");
        return Err(syn::Error::new(key.span(), message));
    }
    spec.seen.push(word.clone());
    match equals {
        Some(equals) => take_value(spec, &word, value, equals.spans[0]),
        None => {
            let message = format!("key `{word}` has no value; write `{word} = ..`");
            Err(syn::Error::new(key.span(), message))
        }
    }
}

fn take_value(spec: &mut RawSpec, key: &str, value: TokenStream, equals: Span) -> syn::Result<()> {
    match key {
        "name" => spec.name = Some(literal(value, equals, "a string: `name = \"MyOp\"`")?),
        "versions" => spec.versions = Some(parse_all(RawVersions::parse, value, equals)?),
        "dtypes" => spec.dtypes = Some(parse_all(Windowed::parse, value, equals)?),
        "attrs" => spec.attrs = Some(parse_all(Windowed::parse, value, equals)?),
        "nan" => spec.nan = Some(literal(value, equals, "a word: `nan = propagate`")?),
        "empty" => spec.empty = Some(parse_all(RawEmpty::parse, value, equals)?),
        "commutative" => spec.commutative = Some(literal(value, equals, "`true` or `false`")?),
        "output" => {
            let words = |input: ParseStream<'_>| {
                parse_words(input, |input| expect(input, "a dtype: `output = i64`"))
            };
            spec.output = Some(parse_all(words, value, equals)?);
        }
        "emits" => spec.emits = Some(parse_all(RawEmits::parse, value, equals)?),
        "lanes" => spec.lanes = Some(literal(value, equals, "a power of two: `lanes = 32`")?),
        "length" => spec.length = Some(literal(value, equals, "a parameter: `length = k`")?),
        _ => spec.krate = Some(literal(value, equals, "a path: `crate = ::reduce_core`")?),
    }
    Ok(())
}

/// A value of one token (or one path), with our own words if it is another.
fn literal<T: Parse>(value: TokenStream, equals: Span, expected: &str) -> syn::Result<T> {
    parse_all(|input| expect(input, expected), value, equals)
}
