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
        let input = paths.storage(row.input);
        let reader = paths.reader(block.element, row.compute);
        let output = paths.storage(spec.output.unwrap_or(row.input));
        let lanes = expand_lanes(spec, block, row.compute, paths);
        let empty = expand_empty(row.empty, paths);
        let kernel =
            super::at(row.span, quote!(#private::Kernel::new::<Self::Reader, #lanes>(#empty)));
        quote! {
            #[automatically_derived]
            impl #private::Reduces<#input> for #op {
                type Reader = #reader;
                type Output = #output;
                const KERNEL: #private::Kernel<Self, #input, Self::Output> = #kernel;
            }
        }
    };
    spec.kernels().into_iter().map(expand).collect()
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
            let element = paths.element(block.element, compute);
            quote!({ #private::lanes::<<#op as #private::ReduceOp<#element>>::Acc>() })
        }
    }
}
