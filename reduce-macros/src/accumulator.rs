//! `#[derive(Accumulator)]`: a struct of accumulators kept one array per field.
//!
//! For `struct MaxSum<A> { max: A, sum: A }` the lanes are a tuple of the
//! fields' lanes, `(A::Lanes<L>, A::Lanes<L>)`, so no second type is needed.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Index, Member, Path, Type, parse_quote};

use crate::diag::Diag;

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let mut diag = Diag::default();
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let krate = crate_path(&input, &mut diag);
    let fields = fields(&input, &mut diag);
    check_generics(&input, &mut diag);
    match fields.filter(|_| diag.is_clean()) {
        Some(fields) => expand(&input, &fields, &krate),
        None => diag.into_tokens(),
    }
}

/// The struct's fields: name or place, and type.
fn fields(input: &DeriveInput, diag: &mut Diag) -> Option<Vec<(Member, Type)>> {
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(data) => {
            let message =
                "an accumulator is a struct; an enum has no fixed fields to keep in lanes";
            diag.error(data.enum_token.span, message);
            return None;
        }
        Data::Union(data) => {
            diag.error(data.union_token.span, "an accumulator is a struct, not a union");
            return None;
        }
    };
    if matches!(data.fields, Fields::Unit) || data.fields.is_empty() {
        let message =
            "an accumulator has at least one field; a struct without fields carries nothing";
        diag.error(input.ident.span(), message);
        return None;
    }
    let members = data.fields.members();
    Some(members.zip(data.fields.iter().map(|field| field.ty.clone())).collect())
}

fn check_generics(input: &DeriveInput, diag: &mut Diag) {
    for lifetime in input.generics.lifetimes() {
        let message = "an accumulator outlives the data; keep values, not references";
        diag.error(lifetime.span(), message);
    }
    for constant in input.generics.const_params() {
        diag.error(
            constant.ident.span(),
            "a const parameter is not supported; write the length out",
        );
    }
}

/// `#[accumulator(crate = path)]`, or `::reduce_core`.
fn crate_path(input: &DeriveInput, diag: &mut Diag) -> Path {
    let mut krate = parse_quote!(::reduce_core);
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("accumulator")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                let message = "unknown key; expected `#[accumulator(crate = path)]`";
                return Err(syn::Error::new(meta.path.span(), message));
            }
            krate = meta.value()?.parse()?;
            Ok(())
        });
        if let Err(error) = parsed {
            diag.syntax(error);
        }
    }
    krate
}

fn expand(input: &DeriveInput, fields: &[(Member, Type)], krate: &Path) -> TokenStream {
    let accumulator = quote!(#krate::__private::Accumulator);
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote!(#accumulator));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let (members, types): (Vec<_>, Vec<_>) = fields.iter().cloned().unzip();
    let places: Vec<Index> = (0..fields.len()).map(Index::from).collect();
    quote! {
        #[automatically_derived]
        impl #impl_generics #accumulator for #name #type_generics #where_clause {
            type Lanes<const __LANES: ::core::primitive::usize> =
                (#(<#types as #accumulator>::Lanes<__LANES>,)*);

            #[inline(always)]
            fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
                (#(<#types as #accumulator>::splat::<__LANES>(self.#members),)*)
            }

            #[inline(always)]
            fn get<const __LANES: ::core::primitive::usize>(
                lanes: &Self::Lanes<__LANES>,
                lane: ::core::primitive::usize,
            ) -> Self {
                #name { #(#members: <#types as #accumulator>::get::<__LANES>(&lanes.#places, lane),)* }
            }

            #[inline(always)]
            fn set<const __LANES: ::core::primitive::usize>(
                lanes: &mut Self::Lanes<__LANES>,
                lane: ::core::primitive::usize,
                value: Self,
            ) {
                #(<#types as #accumulator>::set::<__LANES>(&mut lanes.#places, lane, value.#members);)*
            }
        }
    }
}
