//! The value of `emits`: one way of emitting, or a list of two.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitInt};

use super::{expect, list, next_span};

/// The ways in which an operator emits, as written.
pub(crate) struct RawEmits {
    pub(crate) ways: Vec<RawWay>,
    pub(crate) span: Span,
}

/// `alone`, or `beside(2)`
pub(crate) struct RawWay {
    pub(crate) word: Ident,
    pub(crate) beside: Option<LitInt>,
}

const WORDS: &str = "`alone`, `beside(2)` or `[alone, beside(2)]`";

impl Parse for RawEmits {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = next_span(input);
        let ways = match input.peek(syn::token::Bracket) {
            true => list(input)?,
            false => vec![input.parse()?],
        };
        Ok(RawEmits { ways, span })
    }
}

impl Parse for RawWay {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word = expect(input, WORDS)?;
        if !input.peek(syn::token::Paren) {
            return Ok(RawWay { word, beside: None });
        }
        let content;
        syn::parenthesized!(content in input);
        let beside = expect(&content, "how many inputs lie beside the elements: `beside(2)`")?;
        match content.is_empty() {
            true => Ok(RawWay { word, beside: Some(beside) }),
            false => Err(content.error("one number says how many inputs lie beside; end it here")),
        }
    }
}
