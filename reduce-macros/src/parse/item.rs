//! The annotated item: an `impl<A: ..> ReduceOp<A> for Type` block, or one of `ReduceSlice<A>`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, ConstParam, GenericArgument, GenericParam, Ident, ImplItem, Item, ItemImpl,
    PathArguments, PathSegment, Type, parse_quote,
};

use super::members::check_members;
use crate::diag::Diag;

/// The trait that a block implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `ReduceOp`
    Op,
    /// `ReduceSlice`: the length of accumulators and results is known when the program runs.
    Slice,
}

impl Form {
    const ALL: [Form; 2] = [Form::Op, Form::Slice];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Form::Op => "ReduceOp",
            Form::Slice => "ReduceSlice",
        }
    }

    /// The form of a block, by the last word of its trait's path; that of an operator, if it is another trait.
    fn of(item: &ItemImpl) -> Form {
        let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let is_named = |form: &Form| last.is_some_and(|last| last.ident == form.word());
        Form::ALL.into_iter().find(is_named).unwrap_or(Form::Op)
    }
}

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

/// The argument of the trait: what one element is.
pub(crate) struct Element {
    /// `Indexed<..>`: with its position.
    pub(crate) indexed: bool,
    /// `(..)`: one value of each input; nothing if there is one input.
    pub(crate) inputs: Option<Vec<Part>>,
}

/// The value of one of several inputs.
#[derive(Clone)]
pub(crate) enum Part {
    /// `A`
    Compute,
    /// A type of its own, such as `bool`.
    Fixed(Ident),
}

impl Element {
    /// `A`
    const VALUE: Element = Element { indexed: false, inputs: None };

    /// How many inputs have the compute type.
    pub(crate) fn of_compute_type(&self) -> usize {
        self.inputs
            .as_ref()
            .map_or(1, |parts| parts.iter().filter(|part| matches!(part, Part::Compute)).count())
    }
}

/// The most inputs that are walked together.
pub(crate) const MOST_INPUTS: usize = 4;

/// Types that an input may have whatever the compute type.
const FIXED: [&str; 11] =
    ["bool", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

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
    let (form, header) = (Form::of(&item), check_header(&item, diag));
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

/// The parameter in `impl<A: ..> ReduceOp<A>` and what one element is; `None` if
/// the header is another.
fn check_header(item: &ItemImpl, diag: &mut Diag) -> Option<(Ident, Element)> {
    let Some((path, _)) = &item.trait_ else {
        let message =
            "an operator implements `ReduceOp`; write `impl<A: Num> ReduceOp<A> for MyOp`";
        diag.error(item.self_ty.span(), message);
        return None;
    };
    let last = path.segments.last()?;
    let form = Form::of(item);
    let name = form.word();
    if last.ident != name {
        let message = format!(
            "`{}` is not `ReduceOp`; write `impl<A: Num> ReduceOp<A> for MyOp`",
            last.ident
        );
        diag.error(last.ident.span(), message);
        return None;
    }
    if let Some(unsafety) = &item.unsafety {
        diag.error(unsafety.span, format!("`{name}` is a safe trait; leave out `unsafe`"));
    }
    let is_length = |param: &&GenericParam| matches!(param, GenericParam::Const(_));
    let mut params = item.generics.params.iter().filter(|param| !is_length(param));
    let Some(GenericParam::Type(param)) = params.next() else {
        let message = format!("the compute type is a parameter; write `impl<A: Num> {name}<A>`");
        diag.error(last.ident.span(), message);
        return None;
    };
    let param = &param.ident;
    let element = element(last, form, param, diag)?;
    let mut header = Some((param.clone(), element));
    for length in item.generics.const_params() {
        if !matches!(&length.ty, Type::Path(path) if path.path.is_ident("usize")) {
            let message = "a const parameter is a length; write `usize`";
            diag.error(length.ty.span(), message);
            header = None;
        }
    }
    for other in params {
        let name = param_name(other);
        let message = format!("one parameter, the compute type; leave out `{name}`");
        diag.error(other.span(), message);
        header = None;
    }
    header
}

fn param_name(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    }
}

/// What one element is, by the argument of `ReduceOp<..>` or `ReduceSlice<..>`.
fn element(segment: &PathSegment, form: Form, param: &Ident, diag: &mut Diag) -> Option<Element> {
    let mut argument = only_argument(segment);
    let inner = argument.and_then(|argument| match argument {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    });
    let indexed = inner.filter(|segment| segment.ident == "Indexed");
    if let (Some(segment), Form::Slice) = (indexed, form) {
        let message = format!("`push` is given indices anyway; write `{}<{param}>`", form.word());
        diag.error(segment.ident.span(), message);
        return None;
    }
    if let Some(segment) = indexed {
        argument = only_argument(segment);
    }
    let indexed = indexed.is_some();
    match argument {
        Some(Type::Path(path)) if path.path.is_ident(param) => {
            Some(Element { indexed, inputs: None })
        }
        Some(Type::Tuple(tuple)) if !tuple.elems.is_empty() => {
            let inputs = parts(tuple, param, diag)?;
            Some(Element { indexed, inputs: Some(inputs) })
        }
        _ => {
            let indexed = match form {
                Form::Op => format!("`{param}`, `Indexed<{param}>`"),
                Form::Slice => format!("`{param}`"),
            };
            let name = form.word();
            let message = format!(
                "one element is {indexed}, or of several inputs a tuple; write `{name}<{param}>`"
            );
            diag.error(argument_span(segment), message);
            None
        }
    }
}

/// The parts of an element of several inputs.
fn parts(tuple: &syn::TypeTuple, param: &Ident, diag: &mut Diag) -> Option<Vec<Part>> {
    if !(2..=MOST_INPUTS).contains(&tuple.elems.len()) {
        let message = format!(
            "a tuple of {}; an operator walks two to four inputs together: `({param}, {param})`",
            tuple.elems.len()
        );
        diag.error(tuple.paren_token.span.join(), message);
        return None;
    }
    let part = |ty: &Type| match ty {
        Type::Path(path) if path.path.is_ident(param) => Some(Part::Compute),
        Type::Path(path) => path
            .path
            .get_ident()
            .filter(|word| FIXED.iter().any(|known| *word == known))
            .map(|word| Part::Fixed(word.clone())),
        _ => None,
    };
    let mut parts = Vec::new();
    for ty in &tuple.elems {
        match part(ty) {
            Some(part) => parts.push(part),
            None => {
                let message = format!(
                    "an input is `{param}`, `bool`, or a number such as `f32` or `i64`; \
                     write `({param}, bool)`"
                );
                diag.error(ty.span(), message);
            }
        }
    }
    if parts.len() < tuple.elems.len() {
        return None;
    }
    if !parts.iter().any(|part| matches!(part, Part::Compute)) {
        let message = format!("no input has the compute type; write `({param}, ..)`");
        diag.error(tuple.paren_token.span.join(), message);
        return None;
    }
    Some(parts)
}

/// The `T` of `Name<T>`, if it is the only argument.
fn only_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    let argument = match arguments.args.first() {
        Some(GenericArgument::Type(ty)) if arguments.args.len() == 1 => ty,
        _ => return None,
    };
    // A type that a `macro_rules!` passes on is in a group.
    let mut argument = argument;
    while let Type::Group(group) = argument {
        argument = &group.elem;
    }
    Some(argument)
}

/// Returns the span of the argument of the trait.
fn argument_span(segment: &PathSegment) -> Span {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.first().map_or_else(|| segment.span(), Spanned::span)
        }
        _ => segment.ident.span(),
    }
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
