//! Versions and windows of versions: `1..`, `1..=17`, `[1, 11, 13]`.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{LitInt, Token};

use super::{expect, list};

/// A version and where it is written.
#[derive(Clone, Copy)]
pub(crate) struct Version {
    pub(crate) number: u32,
    pub(crate) span: Span,
}

/// A window, both ends included.
#[derive(Clone, Copy)]
pub(crate) struct RawWindow {
    pub(crate) first: Version,
    pub(crate) last: Option<Version>,
}

/// The value of `versions`.
pub(crate) enum RawVersions {
    /// The operator's life; its versions follow from the windows in the spec.
    Life(RawWindow),
    /// The versions at which something changed.
    Listed(Vec<Version>),
}

impl Parse for Version {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let literal: LitInt = expect(input, "a version; write a window as `1..=17` or `18..`")?;
        let span = literal.span();
        match literal.base10_parse() {
            Ok(0) => Err(syn::Error::new(span, "version 0 does not exist; versions start at 1")),
            Ok(number) => Ok(Version { number, span }),
            Err(_) => Err(syn::Error::new(span, "this version is too large; versions fit a `u32`")),
        }
    }
}

impl Parse for RawWindow {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let first: Version = input.parse()?;
        if input.peek(Token![..=]) {
            input.parse::<Token![..=]>()?;
            return closed(first, input.parse()?);
        }
        if !input.peek(Token![..]) {
            return Ok(RawWindow { first, last: Some(first) });
        }
        let dots: Token![..] = input.parse()?;
        if input.peek(LitInt) {
            let message = "the last version is part of a window; write `..=` instead of `..`";
            return Err(syn::Error::new(dots.spans[0], message));
        }
        Ok(RawWindow { first, last: None })
    }
}

fn closed(first: Version, last: Version) -> syn::Result<RawWindow> {
    if last.number < first.number {
        let (first, last_number) = (first.number, last.number);
        let message = format!(
            "the window ends before it starts; write `{last_number}..={first}` or an open `{first}..`"
        );
        return Err(syn::Error::new(last.span, message));
    }
    Ok(RawWindow { first, last: Some(last) })
}

impl Parse for RawVersions {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Bracket) {
            return input.parse().map(RawVersions::Life);
        }
        let span = super::next_span(input);
        let versions: Vec<Version> = list(input)?;
        if versions.is_empty() {
            let message =
                "`versions` is empty; list the versions at which something changed, as `[1]`";
            return Err(syn::Error::new(span, message));
        }
        for pair in versions.windows(2) {
            if pair[1].number <= pair[0].number {
                let message = format!(
                    "version {} comes after version {}; list each version once, ascending",
                    pair[1].number, pair[0].number
                );
                return Err(syn::Error::new(pair[1].span, message));
            }
        }
        Ok(RawVersions::Listed(versions))
    }
}
