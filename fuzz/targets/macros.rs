//! The macros: any tokens give items that parse, and twice the same.
//!
//! An input is text, as in a file: `#[reduce_op(...)]` and the item behind it; anything else is a struct
//! for `#[derive(Accumulator)]`.
#![no_main]

#[path = "../../reduce-macros/src/accumulator.rs"]
mod accumulator;
#[path = "../../reduce-macros/src/check/mod.rs"]
mod check;
#[path = "../../reduce-macros/src/diag.rs"]
mod diag;
#[path = "../../reduce-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../reduce-macros/src/model/mod.rs"]
mod model;
#[path = "../../reduce-macros/src/parse/mod.rs"]
mod parse;
#[path = "../../reduce-macros/src/pipeline.rs"]
mod pipeline;
#[path = "../../reduce-macros/src/suggest.rs"]
mod suggest;

use libfuzzer_sys::fuzz_target;
use proc_macro2::{TokenStream, TokenTree};
use reduce_fuzz::{prepare, within};

/// The compiler would hand this to a macro.
enum Input {
    Operator { args: TokenStream, item: TokenStream },
    Struct(TokenStream),
}

impl Input {
    fn of(tokens: TokenStream) -> Input {
        let mut rest = tokens.clone().into_iter();
        if let (Some(TokenTree::Punct(hash)), Some(TokenTree::Group(attribute))) =
            (rest.next(), rest.next())
            && hash.as_char() == '#'
        {
            let mut inside = attribute.stream().into_iter();
            if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(args))) =
                (inside.next(), inside.next())
                && name == "reduce_op"
            {
                return Input::Operator { args: args.stream(), item: rest.collect() };
            }
        }
        Input::Struct(tokens)
    }

    fn expand(&self) -> TokenStream {
        match self {
            Input::Operator { args, item } => pipeline::reduce_op(args.clone(), item),
            Input::Struct(item) => accumulator::derive(item.clone()),
        }
    }

    /// Tells whether the compiler would come to the macro: it parses items before it looks for their macros.
    fn is_item(&self) -> bool {
        match self {
            Input::Operator { item, .. } => syn::parse2::<syn::Item>(item.clone()).is_ok(),
            Input::Struct(item) => syn::parse2::<syn::DeriveInput>(item.clone()).is_ok(),
        }
    }
}

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    // Or the text of each input would be kept, for its places.
    proc_macro2::extra::invalidate_current_thread_spans();
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(tokens) = text.parse::<TokenStream>() else { return };
    let input = Input::of(tokens);
    let bound = (1 << 22) + 4096 * bytes.len();
    let output = within(bound, || input.expand());
    assert_eq!(output.to_string(), input.expand().to_string(), "another run, another expansion");
    if input.is_item() {
        let parsed = syn::parse2::<syn::File>(output.clone());
        assert!(parsed.is_ok(), "it expands to what is not Rust: {output}");
    }
});
