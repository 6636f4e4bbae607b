//! How an operator emits, for each row of its spec.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::paths::Paths;
use crate::model::{DTypeRow, OpSpec};
use crate::parse::OpBlock;

/// Asks once for what `emits` says, over all rows together. What is missing is reported at the word.
pub(super) fn expand_check(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> Option<TokenStream> {
    let (private, example) = (&paths.private, block.example());
    let checks: Vec<TokenStream> = spec
        .emits
        .iter()
        .map(|way| {
            let mut rows = quote!(());
            for row in spec.kernels().into_iter().rev() {
                let (stored, ahead) = way_of(row, way.beside, block, paths);
                rows = quote!(((#stored, #ahead), #rows));
            }
            let check = quote!(#private::each_emits::<#example, #rows>);
            let check = super::at(way.span, check);
            quote!(const _: fn() = #check;)
        })
        .collect();
    (!checks.is_empty()).then(|| quote!(#(#checks)*))
}

/// What emits over the types of a row.
pub(super) fn expand_emissions(
    spec: &OpSpec,
    row: &DTypeRow,
    block: &OpBlock,
    paths: &Paths,
) -> Option<TokenStream> {
    if spec.emits.is_empty() {
        return None;
    }
    let private = &paths.private;
    let way = |is_alone: bool| {
        let Some(beside) = spec.beside().find(|&beside| (beside == 0) == is_alone) else {
            return quote!(::core::option::Option::None);
        };
        let (stored, ahead) = way_of(row, beside, block, paths);
        quote!((&#private::Probe::<Self, #stored, #ahead>::ASKED).emission())
    };
    let (alone, beside) = (way(true), way(false));
    Some(quote! {
        const EMISSIONS: ::core::option::Option<fn() -> #private::Emissions<Self>> =
            ::core::option::Option::Some(|| {
                #[allow(unused_imports, reason = "one of the two answers")]
                use #private::{EmitsNoRow as _, EmitsRow as _};
                #private::Emissions { alone: #alone, beside: #beside }
            });
    })
}

/// The storage types of all inputs, those beside as the first of the row, and how many of them are reduced.
fn way_of(
    row: &DTypeRow,
    beside: usize,
    block: &OpBlock,
    paths: &Paths,
) -> (TokenStream, TokenStream) {
    let (private, stored) = (&paths.private, paths.stored(&block.element, row));
    if beside == 0 {
        return (stored, quote!(()));
    }
    let reduced = paths.inputs(&block.element, row);
    let first = reduced.first().cloned().unwrap_or_default();
    let ahead = Literal::usize_unsuffixed(reduced.len());
    let all = reduced.into_iter().chain(std::iter::repeat_n(first, beside));
    (quote!((#(#all,)*)), quote!(#private::Ahead<#ahead>))
}
