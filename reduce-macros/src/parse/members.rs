//! The members of a block: the steps and the two types, each as the kernel calls it.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{ImplItem, ItemImpl, Signature};

use super::arrays::check_lengths;
use super::header::Form;
use super::item::keyword_span;
use crate::diag::{Diag, instead_of};

/// A function of a trait: its name, the number of its parameters after `&self`, and its form.
type Step = (&'static str, usize, &'static str);

/// The members of a trait.
struct Members {
    /// The functions that have to be written.
    steps: &'static [Step],
    /// Those that may be left out.
    options: &'static [Step],
    /// The types, with an example of each.
    types: [(&'static str, &'static str); 2],
}

impl Form {
    fn members(self) -> Members {
        match self {
            Form::Op => Members {
                steps: &STEPS,
                options: &OPTIONS,
                types: [("Acc", "type Acc = A;"), ("Output", "type Output = A;")],
            },
            Form::Slice => Members {
                steps: &SLICE_STEPS,
                options: &SLICE_OPTIONS,
                types: [("Cell", "type Cell = A;"), ("Output", "type Output = A;")],
            },
        }
    }
}

/// The functions of `ReduceOp`.
const STEPS: [Step; 4] = [
    ("identity", 0, "fn identity(&self) -> Self::Acc"),
    ("map", 1, "fn map(&self, x: A) -> Self::Acc"),
    ("combine", 2, "fn combine(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc"),
    ("finalize", 2, "fn finalize(&self, acc: Self::Acc, count: usize) -> Self::Output"),
];

/// Those that may be left out.
const OPTIONS: [Step; 8] = [
    ("push", 2, "fn push(&self, acc: Self::Acc, x: A) -> Self::Acc"),
    ("push_two", 3, "fn push_two(&self, acc: Self::Acc, x: A, y: A) -> Self::Acc"),
    ("push_into", 2, "fn push_into(&self, acc: &mut Self::Acc, x: A)"),
    ("enters", 2, "fn enters(&self, acc: &Self::Acc, x: A) -> bool"),
    ("remove", 2, "fn remove(&self, acc: Self::Acc, x: A) -> Self::Acc"),
    (DOUBTS, 2, "fn doubts(&self, acc: &Self::Acc, count: usize) -> bool"),
    (REFUSES, 0, "fn refuses(&self) -> Option<String>"),
    ("of_extremes", 2, "fn of_extremes(&self, least: f64, greatest: f64) -> Option<Self::Output>"),
];

/// The functions of `ReduceSlice`.
const SLICE_STEPS: [Step; 4] = [
    ("identity", 1, "fn identity(&self, index: usize) -> Self::Cell"),
    ("push", 3, "fn push(&self, acc: &mut [Self::Cell], elements: &[A], indices: Indices<'_>)"),
    ("combine", 2, "fn combine(&self, acc: &mut [Self::Cell], later: &[Self::Cell])"),
    (
        "finalize",
        3,
        "fn finalize(&self, acc: &[Self::Cell], index: usize, count: usize) -> Self::Output",
    ),
];

/// Those that may be left out.
const SLICE_OPTIONS: [Step; 3] = [
    ("cells", 1, "fn cells(&self, length: usize) -> usize"),
    ("finish", 2, "fn finish(&self, acc: &mut [Self::Cell], count: usize)"),
    (REFUSES, 0, "fn refuses(&self) -> Option<String>"),
];

/// Kernels and the law test ask for these functions; the constant beside each says that it is there.
pub(crate) const ASKED_FOR: [(&str, &str); 5] = [
    ("push_two", "PUSHES_TWO"),
    ("push_into", "IN_PLACE"),
    ("enters", "ENTERS"),
    ("remove", "REMOVES"),
    (DOUBTS, "DOUBTS"),
];

/// The function for which kernels have results mended.
pub(crate) const DOUBTS: &str = "doubts";

/// The function that is asked about the parameters, once for each reduction.
pub(crate) const REFUSES: &str = "refuses";

/// That the block has the trait's members, each as the kernel calls it. Types
/// are left to the compiler.
pub(super) fn check_members(item: &ItemImpl, form: Form, span: Span, diag: &mut Diag) {
    let Members { steps, types, .. } = form.members();
    let mut found = Vec::new();
    let mut hides_members = false;
    for member in &item.items {
        match member {
            ImplItem::Fn(function) => {
                found.push(function.sig.ident.to_string());
                check_function(&function.sig, form, diag);
            }
            ImplItem::Type(alias) => {
                found.push(alias.ident.to_string());
                let known = types.map(|(name, _)| name);
                if !known.contains(&alias.ident.to_string().as_str()) {
                    let remedy = instead_of(&alias.ident.to_string(), &known);
                    diag.error(
                        alias.ident.span(),
                        format!("unknown type `{}`; {remedy}", alias.ident),
                    );
                }
                check_lengths(&alias.ty, diag);
            }
            // What it stands for is not known here, so nothing is said to be missing.
            ImplItem::Macro(call) => {
                hides_members = true;
                let message = "a macro call hides what it writes; write the functions out";
                diag.error(call.mac.path.span(), message);
            }
            other => {
                let message = "a reduction has four functions and two types; move this out of it";
                diag.error(keyword_span(other), message);
            }
        }
    }
    if hides_members {
        return;
    }
    let steps = steps.iter().map(|&(name, _, signature)| (name, signature));
    let members = types.into_iter().chain(steps);
    for (name, form) in members.filter(|(name, _)| !found.iter().any(|found| found == name)) {
        diag.error(span, format!("missing `{name}`; a reduction needs `{form}`"));
    }
}

/// Whether a function is one of the trait's, as the kernel calls it.
pub(crate) fn is_step(signature: &Signature, form: Form) -> bool {
    let mut diag = Diag::default();
    check_function(signature, form, &mut diag);
    diag.is_clean()
}

/// Whether a type is one of the trait's.
pub(crate) fn is_type(name: &syn::Ident, form: Form) -> bool {
    form.members().types.iter().any(|(known, _)| name == known)
}

fn check_function(signature: &Signature, form: Form, diag: &mut Diag) {
    let name = signature.ident.to_string();
    let Members { steps, options, .. } = form.members();
    let mut known = steps.iter().chain(options);
    let Some(&(_, parameters, form)) = known.find(|(step, ..)| *step == name) else {
        let steps: Vec<&str> = steps.iter().map(|(step, ..)| *step).collect();
        let remedy = instead_of(&name, &steps);
        diag.error(signature.ident.span(), format!("unknown function `{name}`; {remedy}"));
        return;
    };
    if let Some(asyncness) = &signature.asyncness {
        diag.error(asyncness.span, format!("`{name}` runs inside a kernel; leave out `async`"));
    }
    if let syn::Safety::Unsafe(unsafety) = &signature.safety {
        diag.error(unsafety.span, format!("`{name}` is a safe function; leave out `unsafe`"));
    }
    if let Some(generic) = signature.generics.params.first() {
        let message = format!("`{name}` is not generic; the compute type is the block's parameter");
        diag.error(generic.span(), message);
    }
    let has_self = signature.receiver().is_some();
    if !has_self || signature.inputs.len() != parameters + 1 {
        diag.error(
            signature.paren_token.span.join(),
            format!("wrong parameters for `{name}`; write `{form}`"),
        );
    }
}
