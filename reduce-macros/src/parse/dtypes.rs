//! Storage types: `f32`, or `f16 => f32` with the type computed in.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token};

use super::expect;

/// A storage type and, if written, its compute type.
pub(crate) struct RawDType {
    pub(crate) input: Ident,
    pub(crate) compute: Option<Ident>,
}

impl Parse for RawDType {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let dtype = parse_name(input)?;
        let compute = match input.parse::<Option<Token![=>]>>()? {
            Some(_) => Some(parse_name(input)?),
            None => None,
        };
        Ok(RawDType { input: dtype, compute })
    }
}

fn parse_name(input: ParseStream<'_>) -> syn::Result<Ident> {
    expect(input, "a dtype, such as `f32` or `f16 => f32`")
}
