//! One kernel per storage type, all types concrete.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::paths::Paths;
use super::schema::expand_empty;
use crate::model::{DTypeRow, OpSpec};
use crate::parse::OpBlock;

/// `impl Reduces<T> for Op`, for each storage type `T`.
pub(super) fn expand_reduces(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> Vec<TokenStream> {
    let private = &paths.private;
    let op = &block.op;
    let expand = |row: &DTypeRow| {
        let (input, compute) = (paths.storage(row.input), paths.compute(row.compute));
        let output = paths.storage(spec.output.unwrap_or(row.input));
        let lanes = expand_lanes(spec, block, &compute, paths);
        let empty = expand_empty(row.empty, paths);
        let kernel = super::at(row.span, quote!(#private::Kernel::new::<#compute, #lanes>(#empty)));
        quote! {
            #[automatically_derived]
            impl #private::Reduces<#input> for #op {
                type Output = #output;
                const KERNEL: #private::Kernel<Self, #input, #output> = #kernel;
            }
        }
    };
    spec.kernels().into_iter().map(expand).collect()
}

/// The spec's number of lanes, one for an ordered operator, or the core's
/// choice for the accumulator, which is concrete here.
fn expand_lanes(
    spec: &OpSpec,
    block: &OpBlock,
    compute: &TokenStream,
    paths: &Paths,
) -> TokenStream {
    let private = &paths.private;
    let op = &block.op;
    match &spec.lanes {
        Some(lanes) => Literal::usize_unsuffixed(lanes.count).into_token_stream(),
        None if !spec.commutative => quote!({ #private::ORDERED }),
        None => quote!({ #private::lanes::<<#op as #private::ReduceOp<#compute>>::Acc>() }),
    }
}
