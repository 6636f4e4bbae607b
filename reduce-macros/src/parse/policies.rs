//! The value of `empty`: one word, or one for floats and one for integers.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token};

/// What an operator gives over no elements, as written.
pub(crate) enum RawEmpty {
    /// `identity` or `error`
    Always(Ident),
    /// `{ floats => identity, ints => error }`
    ByClass(Vec<(Ident, Ident)>),
}

impl Parse for RawEmpty {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Brace) {
            let word = input.parse().map_err(|error: syn::Error| {
                let message =
                    "expected `identity`, `error` or `{ floats => identity, ints => error }`";
                syn::Error::new(error.span(), message)
            })?;
            return Ok(RawEmpty::Always(word));
        }
        let content;
        syn::braced!(content in input);
        let row = |input: ParseStream<'_>| {
            let class = input.parse()?;
            input.parse::<Token![=>]>()?;
            Ok((class, input.parse()?))
        };
        let rows = content.parse_terminated(row, Token![,])?;
        Ok(RawEmpty::ByClass(rows.into_iter().collect()))
    }
}
