//! Expansion: the model as tokens. Nothing can fail here.
//!
//! For `impl<A: Real> ReduceOp<A> for Rms` with two dtypes:
//!
//! ```text
//! impl<A: Real> ReduceOp<A> for Rms { /* the user's functions, now inline */ }
//!
//! const _: () = {
//!     impl OpSpec for Rms { const SCHEMA = OpSchema { .. }; const ROWS = &[..]; fn configure(..) }
//!     impl Reduces<f32> for Rms { type Output = f32; const KERNEL = Kernel::new::<f32, {..}>(..); }
//!     impl Reduces<f64> for Rms { .. }
//! };
//!
//! #[cfg(test)] #[test] fn laws_of_Rms() { check_laws::<Rms, f32, f32, f32>(); .. }
//! ```

mod laws;
mod paths;
mod rows;
mod schema;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ImplItem;

use crate::model::OpSpec;
use crate::parse::{OpBlock, RawSpec};
use paths::Paths;

/// The operator: the user's block, its facts and kernels, its law test.
pub(crate) fn expand(spec: &OpSpec, block: &OpBlock) -> TokenStream {
    let paths = Paths::new(&spec.krate);
    let item = inlined(block);
    let op_spec = schema::expand_op_spec(spec, block, &paths);
    let reduces = rows::expand_reduces(spec, block, &paths);
    let laws = laws::expand_laws(spec, block, &paths);
    quote! {
        #item

        const _: () = {
            #op_spec
            #(#reduces)*
        };

        #laws
    }
}

/// The user's block; functions without an inline hint of their own get
/// `#[inline(always)]`, without which they would be compiled for the build's CPU
/// and not for the kernel's.
fn inlined(block: &OpBlock) -> TokenStream {
    let mut item = block.item.clone();
    for member in &mut item.items {
        if let ImplItem::Fn(function) = member
            && !function.attrs.iter().any(|attr| attr.path().is_ident("inline"))
        {
            function.attrs.push(syn::parse_quote!(#[inline(always)]));
        }
    }
    item.into_token_stream()
}

/// What a spec with mistakes becomes: the errors, the user's block, and impls
/// without content, so that uses of the operator do not fail as well.
pub(crate) fn inert(errors: &TokenStream, raw: &RawSpec, block: &OpBlock) -> TokenStream {
    let krate = raw.krate.clone().unwrap_or_else(|| syn::parse_quote!(::reduce_core));
    let private = Paths::new(&krate).private;
    let (item, op, name) = (&block.item, &block.op, block.op_name.to_string());
    quote! {
        #errors
        #item

        const _: () = {
            #[automatically_derived]
            impl #private::OpSpec for #op
            where
                #op: ::core::default::Default,
            {
                const SCHEMA: #private::OpSchema = #private::OpSchema::inert(#name);
                const ROWS: &'static [#private::Row<Self>] = &[];
                fn configure(_: &#private::Params) -> Self {
                    ::core::default::Default::default()
                }
            }

            #[automatically_derived]
            impl<__T: #private::Element> #private::Reduces<__T> for #op {
                type Output = __T;
                const KERNEL: #private::Kernel<Self, __T, __T> = #private::Kernel::inert();
            }
        };
    }
}
