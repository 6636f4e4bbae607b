//! The value of `empty`: one word, or one for floats and one for integers.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token};

use super::expect;

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
            let words = "`identity`, `error` or `{ floats => identity, ints => error }`";
            return expect(input, words).map(RawEmpty::Always);
        }
        let content;
        syn::braced!(content in input);
        let rows = content.parse_terminated(parse_row, Token![,])?;
        Ok(RawEmpty::ByClass(rows.into_iter().collect()))
    }
}

/// `floats => identity`
fn parse_row(input: ParseStream<'_>) -> syn::Result<(Ident, Ident)> {
    let words = "a class and its policy: `ints => error`";
    let class = expect(input, words)?;
    let _: Token![=>] = expect(input, words)?;
    Ok((class, expect(input, words)?))
}
