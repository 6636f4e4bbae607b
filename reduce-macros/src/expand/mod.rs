//! Expansion: the model as tokens. Nothing can fail here.
//!
//! For `impl<A: Real> ReduceOp<A> for Rms` with two dtypes:
//!
//! ```text
//! /// what the user wrote, and a table of the facts
//! impl<A: Real> ReduceOp<A> for Rms { /* the user's functions, now inline */ }
//!
//! const _: () = {
//!     impl OpSpec for Rms { const SCHEMA = OpSchema { .. }; const ROWS = &[..]; fn fill(..) }
//!     impl Reduces<f32> for Rms { type Output = f32; type Fold = ..; fn kernel() { &Kernel::of() } }
//!     impl Reduces<f64> for Rms { .. }
//! };
//!
//! #[cfg(test)] #[test] fn laws_of_Rms() { check_laws::<Rms, f32, f32, f32>(); .. }
//! ```

mod docs;
mod emissions;
mod inert;
mod keys;
mod laws;
mod paths;
mod rows;
mod schema;
mod slices;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Attribute, ImplItem, ItemImpl};

use crate::model::OpSpec;
use crate::parse::{ASKED_FOR, Form, OpBlock, REFUSES};
pub(crate) use inert::inert;
pub(crate) use keys::keys;
use paths::Paths;

/// The operator: the user's block, its facts and kernels, its law test.
pub(crate) fn expand(spec: &OpSpec, block: &OpBlock) -> TokenStream {
    let paths = Paths::new(&spec.krate);
    let item = documented(spec, inlined(spec, block));
    let op_spec = schema::expand_op_spec(spec, block, &paths);
    let reduces = match block.form {
        Form::Op => rows::expand_reduces(spec, block, &paths),
        Form::Slice => slices::expand_reduces(spec, block, &paths),
    };
    let emits = emissions::expand_check(spec, block, &paths);
    let laws = laws::expand_laws(spec, block, &paths);
    let cfg = cfg_attrs(block);
    quote! {
        #item

        #(#cfg)*
        #[allow(deprecated, unused_qualifications, reason = "generated code")]
        const _: () = {
            #op_spec
            #(#reduces)*
            #emits
        };

        #laws
    }
}

/// The user's block; functions without an inline hint of their own get
/// `#[inline(always)]`, without which they would be compiled for the build's CPU
/// and not for the kernel's; no kernel asks about parameters. Which of those that may be left out are there is said beside them.
fn inlined(spec: &OpSpec, block: &OpBlock) -> ItemImpl {
    let mut item = block.item.clone();
    item.items.extend(block.item.items.iter().filter_map(is_there));
    if !spec.commutative && spec.form == Form::Op {
        item.items.push(syn::parse_quote! {
            #[doc(hidden)]
            const ORDERED: ::core::primitive::bool = true;
        });
    }
    for member in &mut item.items {
        if let ImplItem::Fn(function) = member
            && function.sig.ident != REFUSES
            && !function.attrs.iter().any(|attr| attr.path().is_ident("inline"))
        {
            function.attrs.push(syn::parse_quote!(#[inline(always)]));
        }
    }
    item
}

/// That a function which is asked for is there, under its conditions.
fn is_there(member: &ImplItem) -> Option<ImplItem> {
    let ImplItem::Fn(function) = member else { return None };
    let cfg = function.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    let (_, word) = ASKED_FOR.into_iter().find(|(name, _)| function.sig.ident == name)?;
    let word = format_ident!("{word}");
    Some(syn::parse_quote! {
        #(#cfg)*
        #[doc(hidden)]
        const #word: ::core::primitive::bool = true;
    })
}

/// The block with its facts below its author's words.
fn documented(spec: &OpSpec, mut item: ItemImpl) -> ItemImpl {
    item.attrs.extend(docs::table(spec).iter().map(|line| syn::parse_quote!(#[doc = #line])));
    // A crate with pedantic lints asked for none of the hints.
    item.attrs.push(syn::parse_quote! {
        #[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
    });
    item
}

/// The conditions under which the block is compiled; they hold for what stands
/// beside it, too.
fn cfg_attrs(block: &OpBlock) -> Vec<&Attribute> {
    block.item.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

/// The tokens as if the user had written them at `span`: what the compiler finds
/// wrong with them, for instance a type that lacks a trait, it reports there.
/// Not for local variables, whose names are kept apart by their spans.
pub(crate) fn at(span: Span, tokens: TokenStream) -> TokenStream {
    let place = |token| match token {
        TokenTree::Group(group) => {
            let mut placed = Group::new(group.delimiter(), at(span, group.stream()));
            placed.set_span(span);
            TokenTree::Group(placed)
        }
        mut token => {
            token.set_span(span);
            token
        }
    };
    tokens.into_iter().map(place).collect()
}
