//! The header of a block: `impl<A: ..> ReduceOp<A> for`, or that of `ReduceSlice<A>`. It says which trait is implemented, and
//! what one element is.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{GenericArgument, GenericParam, Ident, ItemImpl, PathArguments, PathSegment, Type};

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
    pub(super) fn of(item: &ItemImpl) -> Form {
        let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let is_named = |form: &Form| last.is_some_and(|last| last.ident == form.word());
        Form::ALL.into_iter().find(is_named).unwrap_or(Form::Op)
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
    pub(super) const VALUE: Element = Element { indexed: false, inputs: None };

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

/// The parameter in `impl<A: ..> ReduceOp<A>` and what one element is; `None` if
/// the header is another.
pub(super) fn header(item: &ItemImpl, diag: &mut Diag) -> Option<(Ident, Element)> {
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
    let mut read = Some((param.clone(), element));
    for length in item.generics.const_params() {
        if !matches!(&length.ty, Type::Path(path) if path.path.is_ident("usize")) {
            let message = "a const parameter is a length; write `usize`";
            diag.error(length.ty.span(), message);
            read = None;
        }
    }
    for other in params {
        let name = param_name(other);
        let message = format!("one parameter, the compute type; leave out `{name}`");
        diag.error(other.span(), message);
        read = None;
    }
    read
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
