//! Diagnostics: collected, then reported together.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};

/// The mistakes found so far. Every stage takes it and goes on after a mistake,
/// so that the user sees all of them in one compile.
#[derive(Default)]
pub(crate) struct Diag {
    errors: Vec<syn::Error>,
}

impl Diag {
    /// Notes a mistake: one sentence, at the smallest token the user wrote.
    pub(crate) fn error(&mut self, span: Span, message: impl Display) {
        self.errors.push(syn::Error::new(span, message));
    }

    /// Notes a mistake that a parser found.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// Whether nothing was found yet: the gate between two stages.
    pub(crate) fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// The mistakes as `compile_error!` invocations, in the order of the source.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.errors.sort_by_key(|error| {
            let start = error.span().start();
            (start.line, start.column)
        });
        self.errors.into_iter().map(syn::Error::into_compile_error).collect()
    }
}

/// `a`, `b` or `c`, each in backticks.
pub(crate) fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// "did you mean `x`", or the words there are.
pub(crate) fn instead_of(given: &str, words: &[&str]) -> String {
    match crate::suggest::nearest(given, words) {
        Some(word) => format!("did you mean `{word}`"),
        None => format!("expected {}", one_of(words)),
    }
}
