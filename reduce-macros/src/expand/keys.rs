//! The keys of a spec as paths, for editors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Path, parse_quote};

use super::paths::Paths;
use crate::parse::RawSpec;

/// Names the keys where editors see them, and only they: what resolves as a path is
/// completed and explained, also while it is being written. A word of the language is no
/// path.
pub(crate) fn keys(raw: &RawSpec) -> TokenStream {
    let krate: Path = raw.krate.clone().unwrap_or_else(|| parse_quote!(::reduce_core));
    let private = Paths::new(&krate).private;
    let is_path = |word: &&Ident| syn::parse2::<Ident>(word.to_token_stream()).is_ok();
    let words: Vec<_> = raw.words.iter().filter(is_path).collect();
    if words.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[allow(unexpected_cfgs, reason = "set by editors")]
        const _: () = {
            #[cfg(rust_analyzer)]
            {
                #(let _ = #private::keys::#words;)*
            }
        };
    }
}
