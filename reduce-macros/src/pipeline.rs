//! The stages of `#[reduce_op]`, in order. Each goes on after a mistake, so that all are
//! reported at once; past the gate before expansion nothing can fail.

use proc_macro2::TokenStream;
use quote::quote;

use crate::check::{RULES, Rule, check};
use crate::diag::Diag;
use crate::{expand, model, parse};

pub(crate) fn reduce_op(args: TokenStream, item: &TokenStream) -> TokenStream {
    under(RULES, args, item)
}

/// The operator, held against some rules.
pub(crate) fn under<'r>(
    rules: impl IntoIterator<Item = &'r Rule>,
    args: TokenStream,
    item: &TokenStream,
) -> TokenStream {
    let mut diag = Diag::default();
    let raw = parse::spec(args, &mut diag);
    // First, since editors take the first token that stands where the cursor does.
    let keys = expand::keys(&raw);
    let Some(block) = parse::item(item.clone(), &mut diag) else {
        let errors = diag.into_tokens();
        return quote! { #keys #errors #item };
    };
    let spec = model::resolve(&raw, &block, &mut diag);
    check(&spec, rules, &mut diag);
    let operator = match diag.is_clean() {
        true => expand::expand(&spec, &block),
        false => expand::inert(&diag.into_tokens(), &raw, &block),
    };
    quote! { #keys #operator }
}
