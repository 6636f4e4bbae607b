//! The law test, run by the operator author's own `cargo test`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::paths::Paths;
use crate::model::OpSpec;
use crate::parse::{Form, OpBlock};

/// A test beside the operator that tries its laws for every storage type.
pub(super) fn expand_laws(spec: &OpSpec, block: &OpBlock, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let op = block.example();
    let test = format_ident!("laws_of_{}", block.op_name);
    let checks = spec.kernels().into_iter().map(|row| {
        let input = paths.stored(&block.element, row);
        let check = match block.form {
            Form::Op => quote!(check_laws),
            Form::Slice => quote!(check_slice_laws),
        };
        let mut checks = vec![quote!(#private::#check::<#op, #input>();)];
        if super::rows::selects(spec, block) {
            checks.push(quote!(#private::check_selection::<#op, #input>();));
        }
        super::at(row.span, quote!(#(#checks)*))
    });
    let cfg = super::cfg_attrs(block);
    quote! {
        #(#cfg)*
        #[cfg(test)]
        #[::core::prelude::v1::test]
        #[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
        fn #test() {
            #(#checks)*
        }
    }
}
