//! What operators of slices have in place of lanes: kernels of their own, and a length that is a parameter.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::paths::Paths;
use super::rows::expand_inline;
use super::schema::expand_empty;
use crate::model::{DTypeRow, OpSpec};
use crate::parse::OpBlock;

/// `impl ReducesSlices<T> for Op`, for each storage type `T`.
pub(super) fn expand_reduces(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> Vec<TokenStream> {
    let private = &paths.private;
    let (op, generics) = (&block.op, block.generics());
    let (if_default, inline) = (paths.if_default(op), expand_inline());
    let expand = |row: &DTypeRow| {
        let input = paths.stored(&block.element, row);
        let reader = paths.reader(&block.element, row.compute);
        let output = paths.written(spec, block, row);
        let empty = expand_empty(row.empty, paths);
        let kernel = quote!(#private::SliceKernel::of::<Self::Reader>);
        let [reader, output, kernel] =
            [reader, output, kernel].map(|kind| super::at(row.span, kind));
        quote! {
            #[automatically_derived]
            impl #generics #private::ReducesSlices<#input> for #op #if_default {
                type Reader = #reader;
                type Output = #output;
                const EMPTY: #private::Empty = #empty;
                #inline
                fn kernel() -> &'static #private::SliceKernel<Self, #input, Self::Output> {
                    const { &#kernel(#empty) }
                }
            }
        }
    };
    spec.kernels().into_iter().map(expand).collect()
}

/// The length of results, out of its parameter. A field of another type is reported where the parameter is declared.
pub(super) fn expand_length(spec: &OpSpec, paths: &Paths) -> Option<TokenStream> {
    let (private, param) = (&paths.private, spec.length_param()?);
    let (field, place) = (&param.field, Ident::new("field", param.span));
    let length = super::at(param.span, quote!(#private::array_length));
    Some(quote! {
        fn array_length(&self) -> #private::ArrayLength {
            let #place = (*self).#field;
            #length(#place)
        }
    })
}
