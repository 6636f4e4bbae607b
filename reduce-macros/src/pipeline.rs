//! The stages of `#[reduce_op]`, in order, with a gate after parsing and one
//! after checking. Past the second gate nothing can fail.

use proc_macro2::TokenStream;
use quote::quote;

use crate::diag::Diag;
use crate::{check, expand, model, parse};

pub(crate) fn reduce_op(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diag = Diag::default();
    let raw = parse::spec(args, &mut diag);
    let Some(block) = parse::item(item.clone(), &mut diag) else {
        let errors = diag.into_tokens();
        return quote! { #errors #item };
    };
    let spec = model::resolve(&raw, &block, &mut diag);
    let spec = spec.filter(|_| diag.is_clean());
    let spec = spec.inspect(|spec| check::check(spec, &mut diag));
    match spec.filter(|_| diag.is_clean()) {
        Some(spec) => expand::expand(&spec, &block),
        None => expand::inert(&diag.into_tokens(), &raw, &block),
    }
}
