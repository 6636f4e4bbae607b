//! Parsing: tokens to what was written, spans kept, nothing judged but its form.

mod args;
mod attrs;
mod dtypes;
mod item;
mod policies;
mod versions;

pub(crate) use args::{RawSpec, spec};
pub(crate) use attrs::{RawAttr, RawValue};
pub(crate) use dtypes::RawDType;
pub(crate) use item::{OpBlock, item};
pub(crate) use policies::RawEmpty;
pub(crate) use versions::{RawVersions, RawWindow};

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};

/// A list that holds for all versions, or one list per window of versions.
pub(crate) enum Windowed<T> {
    /// `[..]`
    Always(Vec<T>),
    /// `{ 1..=17 => [..], 18.. => [..] }`
    Table(Vec<(RawWindow, Vec<T>)>),
}

impl<T: Parse> Parse for Windowed<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Bracket) {
            return Ok(Windowed::Always(list(input)?));
        }
        if !input.peek(syn::token::Brace) {
            return Err(
                input.error("expected a list `[..]` or a table of windows `{ 1.. => [..] }`")
            );
        }
        let content;
        syn::braced!(content in input);
        let mut rows = Vec::new();
        while !content.is_empty() {
            let window = content.parse()?;
            content.parse::<syn::Token![=>]>()?;
            rows.push((window, list(&content)?));
            if !content.is_empty() {
                content.parse::<syn::Token![,]>()?;
            }
        }
        Ok(Windowed::Table(rows))
    }
}

/// `[a, b, c]`
fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    syn::bracketed!(content in input);
    let items = content.parse_terminated(T::parse, syn::Token![,])?;
    Ok(items.into_iter().collect())
}

/// Parses the whole of some tokens; where they end too early, the error points
/// at the last of them and not at the whole attribute.
fn parse_all<T>(
    parser: impl Parser<Output = T>,
    tokens: TokenStream,
    before: Span,
) -> syn::Result<T> {
    let last = tokens.clone().into_iter().last().map_or(before, |token| match token {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    });
    parser.parse2(tokens).map_err(|error| {
        let message = error.to_string();
        match message.strip_prefix("unexpected end of input, ") {
            Some(expected) => syn::Error::new(last, format!("the value ends here; {expected}")),
            None => error,
        }
    })
}
