//! Every path of the output, absolute, in one place.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Path, Type};

use crate::model::{Compute, DType, DTypeRow, OpSpec};
use crate::parse::{Element, OpBlock, Part};

/// Where the names of the core are found.
pub(super) struct Paths {
    /// The module with exactly the names that generated code uses.
    pub(super) private: TokenStream,
}

impl Paths {
    pub(super) fn new(krate: &Path) -> Self {
        Paths { private: quote!(#krate::__private) }
    }

    /// A bound that the compiler does not ask for here, only where the operator is used.
    pub(super) fn if_default(&self, op: &Type) -> TokenStream {
        quote!(where for<'any> #op: ::core::default::Default)
    }

    /// A storage type.
    pub(super) fn storage(&self, dtype: DType) -> TokenStream {
        let private = &self.private;
        let word = format_ident!("{}", dtype.word());
        if dtype.is_narrow() { quote!(#private::#word) } else { quote!(::core::primitive::#word) }
    }

    /// A compute type; integers wrap.
    pub(super) fn compute(&self, compute: Compute) -> TokenStream {
        let private = &self.private;
        let word = format_ident!("{}", compute.word());
        match compute.word() {
            "i128" => quote!(#private::Int128),
            "u128" => quote!(#private::Uint128),
            _ if compute.wraps() => quote!(::core::num::Wrapping<::core::primitive::#word>),
            _ => quote!(::core::primitive::#word),
        }
    }

    /// What is stored for one element.
    pub(super) fn stored(&self, element: &Element, row: &DTypeRow) -> TokenStream {
        let inputs = self.inputs(element, row);
        match &element.inputs {
            None => quote!(#(#inputs)*),
            Some(_) => quote!((#(#inputs,)*)),
        }
    }

    /// What is stored of each input.
    pub(super) fn inputs(&self, element: &Element, row: &DTypeRow) -> Vec<TokenStream> {
        let mut inputs = row.inputs.iter();
        let mut next = || inputs.next().map(|&dtype| self.storage(dtype)).unwrap_or_default();
        let part = |part: &Part| match part {
            Part::Compute => next(),
            Part::Fixed(word) => quote!(::core::primitive::#word),
        };
        match &element.inputs {
            None => vec![next()],
            Some(parts) => parts.iter().map(part).collect(),
        }
    }

    /// What is stored for one result.
    pub(super) fn written(&self, spec: &OpSpec, block: &OpBlock, row: &DTypeRow) -> TokenStream {
        let of_input = row.inputs.first().copied();
        let mut outputs = spec.outputs.iter().map(|output| {
            let dtype = output.dtype.or(of_input);
            let element = dtype.map(|dtype| self.storage(dtype)).unwrap_or_default();
            match &output.length {
                Some(length) => quote!([#element; #length]),
                None => element,
            }
        });
        match block.has_tuple_output() {
            true => quote!((#(#outputs,)*)),
            false => outputs.next().unwrap_or_default(),
        }
    }

    /// How the core makes an element of a stored value.
    pub(super) fn reader(&self, element: &Element, compute: Compute) -> TokenStream {
        self.reader_in(element, &self.compute(compute))
    }

    /// Returns the same for elements of a wider range than any storage type.
    pub(super) fn extended_reader(&self, element: &Element) -> TokenStream {
        let private = &self.private;
        self.reader_in(element, &quote!(#private::Extended))
    }

    fn reader_in(&self, element: &Element, compute: &TokenStream) -> TokenStream {
        let private = &self.private;
        let value = self.parts(element, compute, |ty| quote!(#private::Value<#ty>));
        if element.indexed { quote!(#private::Positioned<#value>) } else { value }
    }

    /// The type of each input, put into another, as a tuple if there are several.
    fn parts(
        &self,
        element: &Element,
        compute: &TokenStream,
        wrap: impl Fn(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let Some(parts) = &element.inputs else { return wrap(compute.clone()) };
        let parts = parts.iter().map(|part| match part {
            Part::Compute => wrap(compute.clone()),
            Part::Fixed(word) => wrap(quote!(::core::primitive::#word)),
        });
        quote!((#(#parts,)*))
    }
}
