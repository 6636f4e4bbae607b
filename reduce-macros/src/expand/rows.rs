//! One kernel per storage type, all types concrete.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::paths::Paths;
use super::schema::expand_empty;
use crate::model::{Compute, DTypeRow, OpSpec};
use crate::parse::OpBlock;

/// `impl Reduces<T> for Op`, for each storage type `T`.
pub(super) fn expand_reduces(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> Vec<TokenStream> {
    let private = &paths.private;
    let op = &block.op;
    let expand = |row: &DTypeRow| {
        let input = paths.stored(&block.element, row);
        let reader = paths.reader(&block.element, row.compute);
        let output = paths.written(spec, block, row);
        let lanes = expand_lanes(spec, block, row.compute, paths);
        let empty = expand_empty(row.empty, paths);
        let kernel = match selects(spec, block) {
            true => quote!(#private::Kernel::selecting::<#reader, _, #lanes>(#empty)),
            false => quote!(#private::Kernel::new::<#reader, #lanes>(#empty)),
        };
        let kernel = super::at(row.span, kernel);
        let fold = match selects(spec, block) {
            true => quote!(#private::Selecting<#reader>),
            false => quote!(#private::Combining<#reader>),
        };
        quote! {
            #[automatically_derived]
            impl #private::Reduces<#input> for #op {
                type Reader = #reader;
                type Output = #output;
                type Fold = #fold;
                const LANES: ::core::primitive::usize = #lanes;
                const EMPTY: #private::Empty = #empty;
                // Not inlined, or every crate that calls it would compile a kernel of its own.
                #[inline(never)]
                fn kernel() -> &'static #private::Kernel<Self, #input, Self::Output> {
                    const { &#kernel }
                }
            }
        }
    };
    spec.kernels().into_iter().map(expand).collect()
}

/// Whether the kernel may look for the element that is selected, and not carry
/// every position along.
fn selects(spec: &OpSpec, block: &OpBlock) -> bool {
    spec.commutative && block.selects()
}

/// The spec's number of lanes, one for an ordered operator, or the core's
/// choice for the accumulator, which is concrete here.
fn expand_lanes(spec: &OpSpec, block: &OpBlock, compute: Compute, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let op = &block.op;
    match &spec.lanes {
        Some(lanes) => Literal::usize_unsuffixed(lanes.count).into_token_stream(),
        None if !spec.commutative => quote!({ #private::ORDERED }),
        None => {
            let element = paths.element(&block.element, compute);
            let acc = quote!(<#op as #private::ReduceOp<#element>>::Acc);
            match selects(spec, block) {
                true => quote!({ #private::lanes::<<#acc as #private::Selection>::Value>() }),
                false => quote!({ #private::lanes::<#acc>() }),
            }
        }
    }
}
