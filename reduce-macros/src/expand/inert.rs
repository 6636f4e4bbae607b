//! What a spec with mistakes becomes: the errors, and impls without content, so
//! that uses of the operator do not fail as well.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, Generics, Ident, ImplItem, ItemImpl, Path, PathArguments, parse_quote};

use super::paths::Paths;
use crate::parse::{Element, Form, OpBlock, Part, RawSpec, is_step, is_type};

/// The errors, the block as far as it is right, and empty impls. A bound under
/// `for<'any>` is not asked for here, only where the operator is used: whether it
/// is met is the next compile's concern.
pub(crate) fn inert(errors: &TokenStream, raw: &RawSpec, block: &OpBlock) -> TokenStream {
    let krate = raw.krate.clone().unwrap_or_else(|| parse_quote!(::reduce_core));
    let paths = Paths::new(&krate);
    let private = &paths.private;
    let (item, op, name) = (mended(block, private), &block.op, block.op_name.to_string());
    let (cfg, if_default) = (super::cfg_attrs(block), paths.if_default(op));
    let (generics, reduces) = (block.generics(), inert_kernels(block, private, &if_default));
    quote! {
        #errors
        #item

        #(#cfg)*
        const _: () = {
            #[automatically_derived]
            impl #generics #private::OpSpec for #op #if_default {
                const SCHEMA: #private::OpSchema = #private::OpSchema::inert(#name);
                const ROWS: &'static [#private::Row<Self>] = &[];
            }

            #reduces
        };
    }
}

/// Kernels for every type that leave their outputs as they are.
fn inert_kernels(block: &OpBlock, private: &TokenStream, if_default: &TokenStream) -> TokenStream {
    let (op, lengths) = (&block.op, &block.lengths);
    match block.form {
        Form::Op => quote! {
            #[automatically_derived]
            impl<__T: #private::Stored + #private::Written, #(#lengths),*> #private::Reduces<__T>
                for #op #if_default
            {
                type Reader = #private::AsStored;
                type Output = __T;
                type Fold = #private::Inert<Self, __T>;
                const LANES: ::core::primitive::usize = 1;
                const EMPTY: #private::Empty = #private::Empty::Error;
                fn kernel() -> &'static #private::Kernel<Self, __T, __T> {
                    #private::Kernel::INERT
                }
            }
        },
        Form::Slice => quote! {
            #[automatically_derived]
            impl<__T: #private::Stored + #private::EachWritten, #(#lengths),*>
                #private::ReducesSlices<__T> for #op #if_default
            {
                type Reader = #private::AsStored;
                type Output = __T;
                const EMPTY: #private::Empty = #private::Empty::Error;
                fn kernel() -> &'static #private::SliceKernel<Self, __T, __T> {
                    #private::SliceKernel::INERT
                }
            }
        },
    }
}

/// The block with the members that are right, and a stub for every other one:
/// the compiler would find the same faults again.
fn mended(block: &OpBlock, private: &TokenStream) -> ItemImpl {
    let mut item = block.item.clone();
    item.unsafety = None;
    let param = match &block.param {
        Some(param) => param.clone(),
        None => mend_header(&mut item, block.form, private),
    };
    let form = block.form;
    item.items.retain(|member| is_member(member, form));
    if type_count(&item) < 2 {
        item.items.clear();
        item.items.push(match form {
            Form::Op => parse_quote!(
                type Acc = ::core::primitive::bool;
            ),
            Form::Slice => parse_quote!(
                type Cell = ::core::primitive::bool;
            ),
        });
        item.items.push(parse_quote!(
            type Output = ::core::primitive::bool;
        ));
    }
    let element = element(&block.element, &param, private);
    let stubs = match form {
        Form::Op => stubs(&element),
        Form::Slice => slice_stubs(&element, private),
    };
    for (name, stub) in stubs {
        let is_there = |member: &ImplItem| matches!(member, ImplItem::Fn(f) if f.sig.ident == name);
        if !item.items.iter().any(is_there) {
            item.items.push(stub);
        }
    }
    item
}

/// What one element is, in the user's terms.
fn element(element: &Element, param: &Ident, private: &TokenStream) -> TokenStream {
    let value = match &element.inputs {
        None => quote!(#param),
        Some(parts) => {
            let parts = parts.iter().map(|part| match part {
                Part::Compute => param,
                Part::Fixed(word) => word,
            });
            quote!((#(#parts),*))
        }
    };
    if element.indexed { quote!(#private::Indexed<#value>) } else { value }
}

/// Makes the header that of an operator, with what it has in common with one, and
/// takes the members out: they were written for another header.
fn mend_header(item: &mut ItemImpl, form: Form, private: &TokenStream) -> Ident {
    let lengths: Vec<_> = item.generics.const_params().cloned().collect();
    let mut params = item.generics.type_params();
    let param = params.next().cloned().unwrap_or_else(|| parse_quote!(A));
    let ident = param.ident.clone();
    let mut path: Path = match item.trait_.take() {
        Some((path, _)) if path.segments.last().is_some_and(|last| last.ident == form.word()) => {
            path
        }
        _ => parse_quote!(#private::ReduceOp),
    };
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::AngleBracketed(parse_quote!(<#ident>));
    }
    item.trait_ = Some((path, parse_quote!(for)));
    item.generics = Generics::default();
    item.generics.params.push(GenericParam::Type(param));
    item.generics.params.extend(lengths.into_iter().map(GenericParam::Const));
    item.items.clear();
    ident
}

fn is_member(member: &ImplItem, form: Form) -> bool {
    match member {
        ImplItem::Fn(function) => is_step(&function.sig, form),
        ImplItem::Type(alias) => is_type(&alias.ident, form),
        _ => false,
    }
}

fn type_count(item: &ItemImpl) -> usize {
    item.items.iter().filter(|member| matches!(member, ImplItem::Type(_))).count()
}

/// The four functions, which are never called.
fn stubs(element: &TokenStream) -> [(&'static str, ImplItem); 4] {
    [
        (
            "identity",
            parse_quote!(
                fn identity(&self) -> Self::Acc {
                    loop {}
                }
            ),
        ),
        ("map", parse_quote!(fn map(&self, _: #element) -> Self::Acc { loop {} })),
        (
            "combine",
            parse_quote!(
                fn combine(&self, _: Self::Acc, _: Self::Acc) -> Self::Acc {
                    loop {}
                }
            ),
        ),
        (
            "finalize",
            parse_quote!(
                fn finalize(&self, _: Self::Acc, _: ::core::primitive::usize) -> Self::Output {
                    loop {}
                }
            ),
        ),
    ]
}

/// Those of a `ReduceSlice`.
fn slice_stubs(element: &TokenStream, private: &TokenStream) -> [(&'static str, ImplItem); 4] {
    let index = quote!(::core::primitive::usize);
    [
        ("identity", parse_quote!(fn identity(&self, _: #index) -> Self::Cell { loop {} })),
        (
            "push",
            parse_quote!(
                fn push(&self, _: &mut [Self::Cell], _: &[#element], _: #private::Indices<'_>) {
                    loop {}
                }
            ),
        ),
        (
            "combine",
            parse_quote!(
                fn combine(&self, _: &mut [Self::Cell], _: &[Self::Cell]) {
                    loop {}
                }
            ),
        ),
        (
            "finalize",
            parse_quote!(
                fn finalize(&self, _: &[Self::Cell], _: #index, _: #index) -> Self::Output {
                    loop {}
                }
            ),
        ),
    ]
}
