//! Every path of the output, absolute, in one place.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;

use crate::model::{Compute, DType};
use crate::parse::Element;

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

    /// What the operator takes as one element.
    pub(super) fn element(&self, element: Element, compute: Compute) -> TokenStream {
        let (private, compute) = (&self.private, self.compute(compute));
        match element {
            Element::Value => compute,
            Element::Indexed => quote!(#private::Indexed<#compute>),
        }
    }

    /// How the core makes an element of a stored value.
    pub(super) fn reader(&self, element: Element, compute: Compute) -> TokenStream {
        let (private, compute) = (&self.private, self.compute(compute));
        match element {
            Element::Value => quote!(#private::Value<#compute>),
            Element::Indexed => quote!(#private::Positioned<#compute>),
        }
    }
}
