//! Every path of the output, absolute, in one place.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;

use crate::model::{Compute, DType};

/// Where the names of the core are found.
pub(super) struct Paths {
    /// The module with exactly the names that generated code uses.
    pub(super) private: TokenStream,
}

impl Paths {
    pub(super) fn new(krate: &Path) -> Self {
        Paths { private: quote!(#krate::__private) }
    }

    /// A storage type.
    pub(super) fn storage(&self, dtype: DType) -> TokenStream {
        let private = &self.private;
        let word = format_ident!("{}", dtype.word());
        if dtype.is_half() { quote!(#private::#word) } else { quote!(::core::primitive::#word) }
    }

    /// A compute type; integers wrap.
    pub(super) fn compute(&self, compute: Compute) -> TokenStream {
        let word = format_ident!("{}", compute.word());
        if compute.wraps() {
            quote!(::core::num::Wrapping<::core::primitive::#word>)
        } else {
            quote!(::core::primitive::#word)
        }
    }

    /// A variant of the core's `DType`.
    pub(super) fn variant(&self, dtype: DType) -> TokenStream {
        let private = &self.private;
        let word = dtype.word();
        let variant = if word == "bool" { "Bool".to_owned() } else { word.to_uppercase() };
        let variant = format_ident!("{variant}");
        quote!(#private::DType::#variant)
    }
}
