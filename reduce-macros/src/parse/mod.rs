//! Parsing: tokens to what was written, spans kept, nothing judged but its form.

mod args;
mod arrays;
mod attrs;
mod dtypes;
mod emits;
mod header;
mod item;
mod members;
mod policies;
mod versions;

#[cfg(test)]
pub(crate) use args::KEYS;
pub(crate) use args::{RawSpec, spec};
pub(crate) use arrays::{as_array, check_lengths};
pub(crate) use attrs::{RawAttr, RawValue};
pub(crate) use dtypes::RawDType;
pub(crate) use emits::{RawEmits, RawWay};
pub(crate) use header::{Element, Form, MOST_INPUTS, Part};
pub(crate) use item::{OpBlock, item};
pub(crate) use members::{ASKED_FOR, DOUBTS, REFUSES, is_step, is_type};
pub(crate) use policies::RawEmpty;
pub(crate) use versions::{RawVersions, RawWindow};

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};

/// A list that holds for all versions, or one list per window of versions.
pub(crate) enum Windowed<T> {
    /// `[..]`, and where it stands
    Always(Vec<T>, Span),
    /// `{ 1..=17 => [..], 18.. => [..] }`
    Table(Vec<(RawWindow, Vec<T>)>),
}

impl<T: Parse> Parse for Windowed<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Bracket) {
            let span = next_span(input);
            return Ok(Windowed::Always(list(input)?, span));
        }
        if !input.peek(syn::token::Brace) {
            let message = "expected a list `[..]` or a table of windows `{ 1.. => [..] }`";
            return Err(syn::Error::new(input.span(), message));
        }
        let span = next_span(input);
        let content;
        syn::braced!(content in input);
        if content.is_empty() {
            let message = "this table has no windows; write `{ 1.. => [..] }`";
            return Err(syn::Error::new(span, message));
        }
        let mut rows = Vec::new();
        while !content.is_empty() {
            let window = content.parse()?;
            let _: syn::Token![=>] = expect(&content, "a list after the window: `1.. => [..]`")?;
            rows.push((window, list(&content)?));
            if !content.is_empty() {
                content.parse::<syn::Token![,]>()?;
            }
        }
        Ok(Windowed::Table(rows))
    }
}

/// The span of the next token: that of both delimiters if it is a group.
fn next_span(input: ParseStream<'_>) -> Span {
    input.cursor().token_tree().map_or_else(|| input.span(), |(token, _)| token.span())
}

/// `[a, b, c]`
fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    if !input.peek(syn::token::Bracket) {
        return Err(syn::Error::new(input.span(), "expected a list in brackets: `[..]`"));
    }
    let content;
    syn::bracketed!(content in input);
    let items = content.parse_terminated(T::parse, syn::Token![,])?;
    Ok(items.into_iter().collect())
}

/// Parses a token, with our own words if it is another.
pub(crate) fn expect<T: Parse>(input: ParseStream<'_>, words: &str) -> syn::Result<T> {
    input.parse().map_err(|error| syn::Error::new(error.span(), format!("expected {words}")))
}

/// Parses the whole of some tokens; where they end too early, the error points
/// at the last of them, or at what comes before, and not at the whole attribute.
pub(crate) fn parse_all<T>(
    parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    tokens: TokenStream,
    before: Span,
) -> syn::Result<T> {
    let last = tokens.clone().into_iter().last().map_or(before, |token| match token {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    });
    // The end of a group has a place, which is what syn points at.
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(last);
    let whole = |input: ParseStream<'_>| {
        let content;
        syn::parenthesized!(content in input);
        let value = parser(&content)?;
        match content.is_empty() {
            true => Ok(value),
            false => Err(content.error("the value ends before this; write `,` between two keys")),
        }
    };
    whole.parse2(TokenTree::from(group).into())
}
