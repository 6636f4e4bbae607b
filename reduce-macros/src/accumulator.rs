//! `#[derive(Accumulator)]`: a struct of accumulators kept one array per field.
//!
//! For `struct MaxSum<A> { max: A, sum: A }` the lanes are a tuple of the
//! fields' lanes, `(A::Lanes<L>, A::Lanes<L>)`, so no second type is needed.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Fields, Ident, Index, Member, Meta, Path, Token, Type, parse_quote,
};

use crate::diag::Diag;
use crate::expand::at;
use crate::parse::{check_lengths, expect, parse_all};

/// The longest tuple that is `Copy`.
const MOST_FIELDS: usize = 12;

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
        None => inert(&diag.into_tokens(), &input, &krate),
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
            let message = "an accumulator is a struct; a union has no fields to keep in lanes";
            diag.error(data.union_token.span, message);
            return None;
        }
    };
    if matches!(data.fields, Fields::Unit) || data.fields.is_empty() {
        let message =
            "an accumulator has at least one field; a struct without fields carries nothing";
        diag.error(input.ident.span(), message);
        return None;
    }
    if let Some(field) = data.fields.iter().nth(MOST_FIELDS) {
        let message = "an accumulator has at most 12 fields; group some in a struct of their own";
        diag.error(field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span), message);
        return None;
    }
    data.fields.iter().for_each(|field| check_lengths(&field.ty, diag));
    let members = data.fields.members();
    Some(members.zip(data.fields.iter().map(|field| field.ty.clone())).collect())
}

fn check_generics(input: &DeriveInput, diag: &mut Diag) {
    for lifetime in input.generics.lifetimes() {
        let message = "an accumulator outlives the data; keep values, not references";
        diag.error(lifetime.span(), message);
    }
}

/// `#[accumulator(crate = path)]`, or `::reduce_core`.
fn crate_path(input: &DeriveInput, diag: &mut Diag) -> Path {
    let mut krate = parse_quote!(::reduce_core);
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("accumulator")) {
        let form = "write `#[accumulator(crate = path)]`";
        let Meta::List(list) = &attr.meta else {
            diag.error(attr.path().span(), format!("`accumulator` has no arguments; {form}"));
            continue;
        };
        let key = |input: ParseStream<'_>| {
            let key = input
                .call(Ident::parse_any)
                .map_err(|error| Error::new(error.span(), "expected `crate = path`"))?;
            if key != "crate" {
                return Err(Error::new(key.span(), format!("unknown key `{key}`; {form}")));
            }
            let _: Token![=] = expect(input, "`crate = path`")?;
            let path = expect(input, "a path: `crate = ::reduce_core`")?;
            input.parse::<Option<Token![,]>>()?;
            Ok(path)
        };
        match parse_all(key, list.tokens.clone(), attr.path().span()) {
            Ok(path) => krate = path,
            Err(error) => diag.syntax(error),
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
    // Asked for where the accumulator is used: here it would be, of each function anew.
    generics.make_where_clause().predicates.push(parse_quote! {
        for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug
    });
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let (members, types): (Vec<_>, Vec<_>) = fields.iter().cloned().unzip();
    // A field that is no accumulator is reported at its type.
    let on = |step: &TokenStream| -> Vec<TokenStream> {
        let place = |ty: &Type| {
            // The compiler says what is wrong with a trait for a type, if it can read it.
            let is_trait = matches!(ty, Type::TraitObject(_) | Type::ImplTrait(_));
            let read = if is_trait { quote!((#ty)) } else { quote!(#ty) };
            at(ty.span(), quote!(<#read as #accumulator>::#step))
        };
        types.iter().map(place).collect()
    };
    let scalars = match on(&quote!(SCALARS)).as_slice() {
        [] => quote!(0),
        scalars => quote!(#(#scalars)+*),
    };
    let (lanes, splat) = (on(&quote!(Lanes<__LANES>)), on(&quote!(splat::<__LANES>)));
    let (get, set) = (on(&quote!(get::<__LANES>)), on(&quote!(set::<__LANES>)));
    let (each, layout, turn) = (on(&quote!(each_scalar)), on(&quote!(layout)), on(&quote!(turn)));
    let names = fields.iter().map(|(member, _)| format!(" {}", member.to_token_stream()));
    let kept = quote!(Self::Lanes<{ #krate::__private::KEPT }>);
    let places: Vec<Index> = (0..fields.len()).map(Index::from).collect();
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_qualifications, reason = "generated code")]
        impl #impl_generics #accumulator for #name #type_generics #where_clause {
            type Lanes<const __LANES: ::core::primitive::usize> = (#(#lanes,)*);

            const SCALARS: ::core::primitive::usize = #scalars;

            #[inline(always)]
            fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
                (#(#splat(self.#members),)*)
            }

            #[inline(always)]
            fn get<const __LANES: ::core::primitive::usize>(
                lanes: &Self::Lanes<__LANES>,
                lane: ::core::primitive::usize,
            ) -> Self {
                #name { #(#members: #get(&lanes.#places, lane),)* }
            }

            #[inline(always)]
            fn set<const __LANES: ::core::primitive::usize>(
                lanes: &mut Self::Lanes<__LANES>,
                lane: ::core::primitive::usize,
                value: Self,
            ) {
                #(#set(&mut lanes.#places, lane, value.#members);)*
            }

            #[inline(always)]
            fn each_scalar(&mut self, to: &mut impl #krate::__private::Scalars) {
                #(#each(&mut self.#members, to);)*
            }

            fn layout(to: &mut #krate::__private::String) {
                #(
                    to.push_str(#names);
                    #layout(to);
                )*
            }

            #[inline(always)]
            fn turn(from: &#kept, to: &mut #kept, code: impl #krate::__private::Code) {
                #(#turn(&from.#places, &mut to.#places, code);)*
            }
        }
    }
}

/// The errors, and an impl without content, so that uses of the struct do not
/// fail as well.
fn inert(errors: &TokenStream, input: &DeriveInput, krate: &Path) -> TokenStream {
    let accumulator = quote!(#krate::__private::Accumulator);
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let predicates = where_clause.iter().flat_map(|clause| &clause.predicates);
    quote! {
        #errors

        #[automatically_derived]
        impl #impl_generics #accumulator for #name #type_generics
        where
            #(#predicates,)*
            for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug + ::core::marker::Send
                + ::core::marker::Sync + 'static,
        {
            type Lanes<const __LANES: ::core::primitive::usize> = Self;

            fn splat<const __LANES: ::core::primitive::usize>(self) -> Self {
                self
            }

            fn get<const __LANES: ::core::primitive::usize>(
                lanes: &Self,
                _: ::core::primitive::usize,
            ) -> Self {
                *lanes
            }

            fn set<const __LANES: ::core::primitive::usize>(
                lanes: &mut Self,
                _: ::core::primitive::usize,
                value: Self,
            ) {
                *lanes = value;
            }

            fn each_scalar(&mut self, _: &mut impl #krate::__private::Scalars) {}
        }
    }
}
