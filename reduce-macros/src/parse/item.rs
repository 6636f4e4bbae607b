//! The annotated item: an `impl<A: ..> ReduceOp<A> for Type` block, or one of `ReduceSlice<A>`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, ConstParam, GenericArgument, Ident, ImplItem, Item, ItemImpl, PathArguments, Type,
    parse_quote,
};

use super::header::{Element, Form, header};
use super::members::check_members;
use crate::diag::Diag;

/// The block and the parts of its header.
pub(crate) struct OpBlock {
    pub(crate) item: ItemImpl,
    /// The trait that it implements.
    pub(crate) form: Form,
    /// The operator's type, with its const parameters.
    pub(crate) op: Type,
    /// The const parameters, as they are declared.
    pub(crate) lengths: Vec<ConstParam>,
    /// Its name without a path.
    pub(crate) op_name: Ident,
    /// The parameter that stands for the compute type; `None` if the header is
    /// not that of an operator.
    pub(crate) param: Option<Ident>,
    /// What the operator takes as one element.
    pub(crate) element: Element,
}

impl OpBlock {
    /// The parts of `type Output`, if it is a tuple; else itself.
    pub(crate) fn outputs(&self) -> Vec<Type> {
        let output = self.item.items.iter().find_map(|member| match member {
            ImplItem::Type(alias) if alias.ident == "Output" => Some(&alias.ty),
            _ => None,
        });
        match output {
            Some(Type::Tuple(tuple)) if !tuple.elems.is_empty() => {
                tuple.elems.iter().cloned().collect()
            }
            Some(one) => vec![one.clone()],
            None => Vec::new(),
        }
    }

    /// What stands behind `impl` beside the block: its const parameters.
    pub(crate) fn generics(&self) -> Option<TokenStream> {
        let lengths = &self.lengths;
        (!lengths.is_empty()).then(|| quote!(<#(#lengths),*>))
    }

    /// An operator of the type, each const parameter a small number: what is tested, and asked for
    /// what all have in common.
    pub(crate) fn example(&self) -> Type {
        let mut example = self.op.clone();
        if let Type::Path(path) = &mut example
            && let Some(last) = path.path.segments.last_mut()
            && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
        {
            for argument in &mut arguments.args {
                *argument = parse_quote!(3);
            }
        }
        example
    }

    /// Whether there are several results, even if only one: `type Output = (A, ..)`.
    pub(crate) fn has_tuple_output(&self) -> bool {
        self.item.items.iter().any(|member| match member {
            ImplItem::Type(alias) if alias.ident == "Output" => matches!(alias.ty, Type::Tuple(_)),
            _ => false,
        })
    }

    /// Whether there is a function of this name, and under which conditions.
    pub(crate) fn function(&self, name: &str) -> Option<Vec<&Attribute>> {
        self.item.items.iter().find_map(|member| match member {
            ImplItem::Fn(function) if function.sig.ident == name => {
                Some(function.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect())
            }
            _ => None,
        })
    }

    /// Tells whether the operator selects one of its elements: `type Acc = Indexed<..>`.
    pub(crate) fn selects(&self) -> bool {
        self.item.items.iter().any(|member| match member {
            ImplItem::Type(alias) if alias.ident == "Acc" => match &alias.ty {
                Type::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "Indexed"),
                _ => false,
            },
            _ => false,
        })
    }
}

/// Reads the item. `None` if it is no block that an operator could be made of;
/// then a mistake was reported.
pub(crate) fn item(tokens: TokenStream, diag: &mut Diag) -> Option<OpBlock> {
    let item = match syn::parse2(tokens) {
        Ok(Item::Impl(item)) => item,
        Ok(other) => {
            let message =
                "`#[reduce_op]` belongs on an `impl<A: Num> ReduceOp<A> for MyOp` block, not here";
            diag.error(keyword_span(&other), message);
            return None;
        }
        // The compiler reports what it cannot parse itself.
        Err(error) => {
            diag.syntax(error);
            return None;
        }
    };
    let (form, header) = (Form::of(&item), header(&item, diag));
    let lengths: Vec<ConstParam> = item.generics.const_params().cloned().collect();
    let (op, op_name) = check_self_type(&item, &lengths, diag)?;
    if header.is_some() {
        check_members(&item, form, op_name.span(), diag);
    }
    let (param, element) = match header {
        Some((param, element)) => (Some(param), element),
        None => (None, Element::VALUE),
    };
    Some(OpBlock { item, form, op, lengths, op_name, param, element })
}

/// The span of the word that says what an item is.
pub(super) fn keyword_span(item: &impl ToTokens) -> Span {
    const WORDS: [&str; 13] = [
        "struct",
        "enum",
        "union",
        "fn",
        "mod",
        "trait",
        "type",
        "const",
        "static",
        "use",
        "impl",
        "extern",
        "macro_rules",
    ];
    let mut tokens = item.to_token_stream().into_iter();
    let keyword = tokens.find(|token| WORDS.contains(&token.to_string().as_str()));
    keyword.map_or_else(|| item.span(), |token| token.span())
}

/// The operator's type: a path without arguments, but for the const parameters.
fn check_self_type(
    item: &ItemImpl,
    lengths: &[ConstParam],
    diag: &mut Diag,
) -> Option<(Type, Ident)> {
    let mut op = item.self_ty.as_ref();
    // A type that a `macro_rules!` passes on is in a group.
    while let Type::Group(group) = op {
        op = &group.elem;
    }
    let last = match op {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    };
    match last {
        Some(last) if last.arguments.is_none() || are_lengths(&last.arguments, lengths) => {
            Some((op.clone(), last.ident.clone()))
        }
        _ => {
            let message =
                "an operator is a struct without type arguments; make its parameters fields";
            diag.error(op.span(), message);
            None
        }
    }
}

/// Whether arguments are const parameters of the block.
fn are_lengths(arguments: &PathArguments, lengths: &[ConstParam]) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else { return false };
    arguments.args.iter().all(|argument| match argument {
        GenericArgument::Type(Type::Path(path)) => {
            lengths.iter().any(|length| path.path.is_ident(&length.ident))
        }
        _ => false,
    })
}
