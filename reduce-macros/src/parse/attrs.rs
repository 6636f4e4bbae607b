//! Attribute declarations: `keepdims: bool = true`, `p: float = 2.0 in 1.0..`.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Lit, Token};

use super::expect;

/// A declaration, as written.
pub(crate) struct RawAttr {
    pub(crate) name: Ident,
    pub(crate) kind: Ident,
    pub(crate) default: Option<RawValue>,
    pub(crate) range: Option<RawRange>,
}

/// A literal or a word.
#[derive(Clone)]
pub(crate) enum RawValue {
    /// `all`
    Word(Ident),
    /// `true`, `-1`, `2.0`
    Lit {
        /// The sign.
        negative: bool,
        /// The rest.
        lit: Lit,
    },
}

/// `low..=high`, `low..` or `..=high`
pub(crate) struct RawRange {
    pub(crate) low: Option<RawValue>,
    pub(crate) high: Option<RawValue>,
    pub(crate) span: Span,
}

impl RawValue {
    pub(crate) fn span(&self) -> Span {
        match self {
            RawValue::Word(word) => word.span(),
            RawValue::Lit { lit, .. } => lit.span(),
        }
    }

    /// Returns the value as written, for messages.
    pub(crate) fn text(&self) -> String {
        match self {
            RawValue::Word(word) => word.to_string(),
            RawValue::Lit { negative, lit } => {
                format!("{}{}", if *negative { "-" } else { "" }, lit.to_token_stream())
            }
        }
    }
}

impl Parse for RawAttr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(error.span(), "expected an attribute, such as `keepdims: bool = true`")
        })?;
        if !input.peek(Token![:]) {
            let message = format!("attribute `{name}` has no kind; write `{name}: bool = true`");
            return Err(syn::Error::new(name.span(), message));
        }
        input.parse::<Token![:]>()?;
        let kind = expect(input, "a kind: `bool`, `int`, `float`, `ints` or `input`")?;
        let default = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        if !(input.is_empty() || input.peek(Token![,]) || input.peek(Token![in])) {
            let message = format!("expected `=`, `in` or `,`; write `{name}: {kind} = ..`");
            return Err(syn::Error::new(input.span(), message));
        }
        let range = match input.parse::<Option<Token![in]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(RawAttr { name, kind, default, range })
    }
}

impl Parse for RawValue {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Ident) {
            return input.parse().map(RawValue::Word);
        }
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        let lit = expect(input, "a number, `true`, `false` or `all`")?;
        Ok(RawValue::Lit { negative, lit })
    }
}

impl Parse for RawRange {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = input.span();
        let low = if input.peek(Token![..]) { None } else { Some(input.parse()?) };
        if input.peek(Token![..=]) {
            input.parse::<Token![..=]>()?;
            return Ok(RawRange { low, high: Some(input.parse()?), span });
        }
        let dots: Token![..] = expect(input, "a range, such as `0..=1` or `1.0..`")?;
        if !input.is_empty() && !input.peek(Token![,]) {
            let message = "the limit is part of a range; write `..=` instead of `..`";
            return Err(syn::Error::new(dots.spans[0], message));
        }
        Ok(RawRange { low, high: None, span })
    }
}
