//! Storage types: `f32`, or `f16 => f32` with the type computed in; of several inputs,
//! `(f16, f32) => f32`.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token};

use super::expect;

/// A storage type, or one for each input, and, if written, the compute type.
pub(crate) struct RawDType {
    pub(crate) inputs: Vec<Ident>,
    pub(crate) compute: Option<Ident>,
}

impl Parse for RawDType {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let inputs = parse_words(input, parse_name)?;
        let compute = match input.parse::<Option<Token![=>]>>()? {
            Some(_) => Some(parse_name(input)?),
            None => None,
        };
        Ok(RawDType { inputs, compute })
    }
}

fn parse_name(input: ParseStream<'_>) -> syn::Result<Ident> {
    expect(input, "a dtype, such as `f32` or `f16 => f32`")
}

/// A word, or words in parentheses; there is at least one.
pub(super) fn parse_words(
    input: ParseStream<'_>,
    parse: fn(ParseStream<'_>) -> syn::Result<Ident>,
) -> syn::Result<Vec<Ident>> {
    if !input.peek(syn::token::Paren) {
        return Ok(vec![parse(input)?]);
    }
    let content;
    let parentheses = syn::parenthesized!(content in input);
    let words = content.parse_terminated(parse, Token![,])?;
    if words.is_empty() {
        let message = "no dtypes in these parentheses; write `(f32, f32)`";
        return Err(syn::Error::new(parentheses.span.join(), message));
    }
    Ok(words.into_iter().collect())
}
