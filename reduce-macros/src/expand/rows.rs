//! One kernel per storage type, all types concrete.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::emissions::expand_emissions;
use super::paths::Paths;
use super::schema::expand_empty;
use crate::model::{DType, DTypeRow, OpSpec};
use crate::parse::{DOUBTS, OpBlock};

/// `impl Reduces<T> for Op`, for each storage type `T`.
pub(super) fn expand_reduces(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> Vec<TokenStream> {
    let private = &paths.private;
    let (op, generics) = (&block.op, block.generics());
    let if_default = paths.if_default(op);
    let inline = expand_inline();
    let expand = |row: &DTypeRow| {
        let input = paths.stored(&block.element, row);
        let reader = paths.reader(&block.element, row.compute);
        let output = paths.written(spec, block, row);
        let lanes = expand_lanes(spec);
        let empty = expand_empty(row.empty, paths);
        let mends = expand_mends(row, block, paths);
        let emissions = expand_emissions(spec, row, block, paths);
        let fold = match selects(spec, block) {
            true => quote!(#private::Selecting<Self::Reader, Self, #input>),
            false => quote!(#private::Combining<Self::Reader, Self, #input>),
        };
        let [reader, output, fold] = [reader, output, fold].map(|kind| super::at(row.span, kind));
        quote! {
            #[automatically_derived]
            impl #generics #private::Reduces<#input> for #op #if_default {
                type Reader = #reader;
                type Output = #output;
                type Fold = #fold;
                #lanes
                const EMPTY: #private::Empty = #empty;
                #mends
                #emissions
                #inline
                fn kernel() -> &'static #private::Kernel<Self, #input, Self::Output> {
                    const { &#private::Kernel::of() }
                }
            }
        }
    };
    spec.kernels().into_iter().map(expand).collect()
}

/// Where kernels are compiled: with the operator's crate, or with each crate that calls them, since what is inlined is
/// compiled where it is called.
pub(super) fn expand_inline() -> TokenStream {
    match cfg!(feature = "kernels-ahead") {
        true => quote!(#[inline(never)]),
        false => quote!(#[inline]),
    }
}

/// How doubtful results of floats are mended, if the operator doubts any.
fn expand_mends(row: &DTypeRow, block: &OpBlock, paths: &Paths) -> Option<TokenStream> {
    let cfg = block.function(DOUBTS)?;
    // A mask beside floats is read as it is.
    let is_extended = |input: &DType| input.is_float() || input.is_bool();
    let has_floats = row.inputs.iter().any(|input| input.is_float());
    if !has_floats || !row.inputs.iter().all(is_extended) {
        return None;
    }
    let private = &paths.private;
    let input = paths.stored(&block.element, row);
    let reader = paths.extended_reader(&block.element);
    Some(quote! {
        #(#cfg)*
        const MENDS: &'static #private::Mends =
            #private::mends::<#private::Combining<#reader, Self, #input>, Self::Output>();
        #(#cfg)*
        #[inline]
        fn scan_mends() -> #private::ScanMends {
            #private::ScanMends::by::<#private::Combining<#reader, Self, #input>, Self::Output>()
        }
        #(#cfg)*
        fn again() -> #private::EmittedAgain {
            #[allow(unused_imports, reason = "one of each kind answers")]
            use #private::{DoesNotEmit as _, EmitsBesideExtended as _, EmitsExtended as _};
            #private::EmittedAgain {
                alone: (&#private::Probe::<Self, #input, #reader>::ASKED).again(),
                beside: (&#private::Probe::<Self, #input, #reader>::ASKED).again_beside(),
            }
        }
    })
}

/// Whether the kernel may look for the element that is selected, and not carry
/// every position along.
pub(super) fn selects(spec: &OpSpec, block: &OpBlock) -> bool {
    spec.commutative && block.selects()
}

/// The spec's number of lanes; without one, it is what suits the accumulator.
fn expand_lanes(spec: &OpSpec) -> Option<TokenStream> {
    let lanes = Literal::usize_unsuffixed(spec.lanes.as_ref()?.count);
    Some(quote!(const LANES: ::core::primitive::usize = #lanes;))
}
