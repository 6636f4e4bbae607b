//! From what was written to what is meant: defaults filled in, names looked up.

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Lit, Meta, Type};

use super::attrs::resolve_attrs;
use super::dtype::{alias, nearest_alias};
use super::emits::resolve_emits;
use super::{Compute, DType, DTypeRow, Empty, Lanes, Nan, OpSpec, Output, Versions, Window};
use crate::diag::{Diag, instead_of};
use crate::parse::{Form, OpBlock, RawDType, RawEmpty, RawSpec, RawVersions, Windowed, as_array};

/// The model of a spec. Reports what has no meaning, and goes on without it.
pub(crate) fn resolve(raw: &RawSpec, block: &OpBlock, diag: &mut Diag) -> OpSpec {
    let name = resolve_name(raw, block, diag);
    let versions = resolve_versions(raw, block);
    let outputs = resolve_outputs(raw, block, diag);
    let nan = raw.nan.as_ref().map_or(Some(Nan::Propagate), |word| resolve_nan(word, diag));
    let emits = resolve_emits(raw.emits.as_ref(), block, diag);
    let lanes = resolve_lanes(raw, diag);
    let attrs = resolve_attrs(raw, &versions, block.op_name.span(), diag);
    let dtypes = resolve_dtypes(raw, &versions, block, diag);
    OpSpec {
        name,
        summary: summary(block),
        versions,
        dtypes,
        attrs,
        nan: nan.unwrap_or(Nan::Propagate),
        // Elements of slices are pushed in their order.
        commutative: block.form == Form::Op
            && raw.commutative.as_ref().is_none_or(syn::LitBool::value),
        outputs,
        emits,
        lanes,
        krate: raw.krate.clone().unwrap_or_else(|| syn::parse_quote!(::reduce_core)),
        form: block.form,
        length: raw.length.clone(),
        commutative_span: raw.commutative.as_ref().map(syn::LitBool::span),
        span: block.op_name.span(),
    }
}

fn resolve_name(raw: &RawSpec, block: &OpBlock, diag: &mut Diag) -> String {
    let Some(literal) = &raw.name else {
        return block.op_name.unraw().to_string();
    };
    let name = literal.value();
    let is_word = |c: char| c.is_ascii_alphanumeric() || "._-:/".contains(c);
    if name.is_empty() || !name.chars().all(is_word) {
        let message = "a name is letters, digits and `._-:/`; write `name = \"MyOp\"`";
        diag.error(literal.span(), message);
    }
    name
}

/// The first paragraph of the block's doc comment, on one line.
fn summary(block: &OpBlock) -> String {
    let lines = block.item.attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(line) => Some(line.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let paragraph: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ")
}

fn resolve_versions(raw: &RawSpec, block: &OpBlock) -> Versions {
    let span = block.op_name.span();
    match &raw.versions {
        None => Versions { life: Window::implied(1, None, span), listed: None },
        Some(RawVersions::Life(life)) => Versions { life: Window::written(life), listed: None },
        Some(RawVersions::Listed(versions)) => Versions {
            life: Window::implied(versions[0].number, None, versions[0].span),
            listed: Some(versions.iter().map(|version| version.number).collect()),
        },
    }
}

/// Every entry of a list or table, with its window.
pub(super) fn rows<'a, T>(list: &'a Windowed<T>, versions: &Versions) -> Vec<(Window, &'a [T])> {
    match list {
        Windowed::Always(items, span) => {
            let life = versions.life;
            vec![(Window::implied(life.first, life.last, *span), items.as_slice())]
        }
        Windowed::Table(rows) => {
            rows.iter().map(|(window, items)| (Window::written(window), items.as_slice())).collect()
        }
    }
}

fn resolve_dtypes(
    raw: &RawSpec,
    versions: &Versions,
    block: &OpBlock,
    diag: &mut Diag,
) -> Vec<DTypeRow> {
    let empty = resolve_empty(raw, diag);
    let Some(list) = &raw.dtypes else {
        if !raw.seen.iter().any(|key| key == "dtypes") {
            let message = "missing key `dtypes`; write `#[reduce_op(dtypes = [f32, f64])]`";
            diag.error(block.op_name.span(), message);
        }
        return Vec::new();
    };
    let mut resolved = Vec::new();
    for (window, items) in rows(list, versions) {
        if items.is_empty() {
            diag.error(
                window.first_span,
                format!("no dtypes for versions {window}; list at least one"),
            );
        }
        let entries = items.iter().filter_map(|item| resolve_row(item, block, window, empty, diag));
        resolved.extend(entries);
    }
    resolved
}

fn resolve_row(
    item: &RawDType,
    block: &OpBlock,
    window: Window,
    empty: [Empty; 2],
    diag: &mut Diag,
) -> Option<DTypeRow> {
    let span = item.inputs.first()?.span();
    let words = item.inputs.iter().map(|word| resolve_dtype(word, diag));
    // Each is looked up, whatever comes of the others.
    let inputs: Option<Vec<DType>> = words.collect::<Vec<_>>().into_iter().collect();
    let compute = match &item.compute {
        Some(word) => resolve_compute(word, diag),
        None => default_compute(item, inputs.as_deref()?, diag),
    };
    let mut inputs = inputs?;
    let expected = block.element.of_compute_type();
    match (inputs.len(), expected) {
        (1, _) => inputs = vec![inputs[0]; expected],
        (found, _) if found == expected => {}
        (found, _) => {
            let message = format!(
                "{found} types for {expected} of the compute type; write as many, or one for all"
            );
            diag.error(span, message);
            return None;
        }
    }
    let empty = if inputs[0].is_float() { empty[0] } else { empty[1] };
    let compute_span = item.compute.as_ref().map_or(span, Ident::span);
    Some(DTypeRow { window, inputs, compute: compute?, empty, span, compute_span })
}

/// The type that storage types compute in if the spec does not say.
fn default_compute(item: &RawDType, inputs: &[DType], diag: &mut Diag) -> Option<Compute> {
    let (first, word) = (inputs[0], &item.inputs[0]);
    if inputs.iter().any(|input| *input != first) {
        let words: Vec<&str> = inputs.iter().map(|input| input.word()).collect();
        let words = words.join(", ");
        let message = format!("`({words})` differ; say what to compute in: `({words}) => f32`");
        diag.error(word.span(), message);
        return None;
    }
    let default = Compute::default_of(first);
    if default.is_none() {
        let message = format!("`{word}` is too narrow to compute in; write `{word} => f32`");
        diag.error(word.span(), message);
    }
    default
}

/// Finds the storage type of each result: as the spec says; or, of a tuple, by the types of its
/// parts; or that of the input. An array has that of its elements.
fn resolve_outputs(raw: &RawSpec, block: &OpBlock, diag: &mut Diag) -> Vec<Output> {
    const MOST: usize = 8;
    let parts = block.outputs();
    if let Some(part) = parts.get(MOST) {
        let message = format!(
            "{} results of one operator; write at most {MOST}, or a tuple of operators",
            parts.len()
        );
        diag.error(part.span(), message);
    }
    let mut dtypes: Vec<Option<DType>> = match block.has_tuple_output() {
        true => parts.iter().map(written_out).collect(),
        false => vec![None],
    };
    if let Some(words) = &raw.output {
        dtypes = words.iter().map(|word| resolve_dtype(word, diag)).collect();
        if dtypes.len() != parts.len().max(1) && !parts.is_empty() {
            let (found, expected) = (dtypes.len(), parts.len());
            let message =
                format!("output types for {found} of {expected} results; write one for each");
            diag.error(words[0].span(), message);
        }
    }
    if block.form == Form::Slice {
        for array in parts.iter().filter_map(as_array) {
            let message = "an element of the results is no array; write its type alone, and how many there are as `length = k`";
            diag.error(array.bracket_token.span.join(), message);
        }
    }
    let lengths = parts.iter().map(|part| as_array(part).map(|array| array.len.clone()));
    let lengths = lengths.chain(std::iter::repeat(None));
    dtypes.into_iter().zip(lengths).map(|(dtype, length)| Output { dtype, length }).collect()
}

/// The storage type that a result, or the elements of one, is written as.
fn written_out(part: &Type) -> Option<DType> {
    match as_array(part).map_or(part, |array| &array.elem) {
        Type::Path(path) => DType::parse(&path.path.get_ident()?.to_string()),
        _ => None,
    }
}

fn resolve_dtype(word: &Ident, diag: &mut Diag) -> Option<DType> {
    let found = DType::parse(&word.to_string());
    if found.is_none() {
        diag.error(word.span(), unknown_type("dtype", word, &DType::WORDS));
    }
    found
}

fn resolve_compute(word: &Ident, diag: &mut Diag) -> Option<Compute> {
    let found = Compute::parse(&word.to_string());
    if found.is_none() {
        diag.error(word.span(), unknown_type("compute type", word, &Compute::WORDS));
    }
    found
}

fn unknown_type(what: &str, word: &Ident, words: &[&str]) -> String {
    let text = word.to_string();
    let known = |word: Option<&'static str>| word.filter(|known| words.contains(known));
    if let Some(known) = known(alias(&text)) {
        return format!("unknown {what} `{text}`; write `{known}`");
    }
    match known(nearest_alias(&text)) {
        Some(known) => format!("unknown {what} `{text}`; did you mean `{known}`"),
        None => format!("unknown {what} `{text}`; expected {}", crate::diag::one_of(words)),
    }
}

fn resolve_nan(word: &Ident, diag: &mut Diag) -> Option<Nan> {
    let text = word.to_string();
    match text.as_str() {
        "propagate" => Some(Nan::Propagate),
        "ignore" => Some(Nan::Ignore),
        "unspecified" => Some(Nan::Unspecified),
        _ => {
            let remedy = instead_of(&text, &["propagate", "ignore", "unspecified"]);
            diag.error(word.span(), format!("unknown NaN policy `{text}`; {remedy}"));
            None
        }
    }
}

/// The policy of floats and that of integers and `bool`.
fn resolve_empty(raw: &RawSpec, diag: &mut Diag) -> [Empty; 2] {
    let mut resolved = [Empty::Identity; 2];
    match &raw.empty {
        None => {}
        Some(RawEmpty::Always(word)) => resolved = [resolve_empty_word(word, diag); 2],
        Some(RawEmpty::ByClass(rows)) => {
            let mut seen: Vec<&Ident> = Vec::new();
            for (class, word) in rows {
                let text = class.to_string();
                if seen.contains(&class) {
                    diag.error(class.span(), format!("`{text}` is listed twice; write it once"));
                }
                seen.push(class);
                match text.as_str() {
                    "floats" => resolved[0] = resolve_empty_word(word, diag),
                    "ints" => resolved[1] = resolve_empty_word(word, diag),
                    _ => {
                        let remedy = instead_of(&text, &["floats", "ints"]);
                        diag.error(class.span(), format!("unknown class `{text}`; {remedy}"));
                    }
                }
            }
        }
    }
    resolved
}

fn resolve_empty_word(word: &Ident, diag: &mut Diag) -> Empty {
    let text = word.to_string();
    match text.as_str() {
        "identity" => Empty::Identity,
        "error" => Empty::Error,
        _ => {
            let remedy = instead_of(&text, &["identity", "error"]);
            diag.error(word.span(), format!("unknown empty-set policy `{text}`; {remedy}"));
            Empty::Identity
        }
    }
}

fn resolve_lanes(raw: &RawSpec, diag: &mut Diag) -> Option<Lanes> {
    let literal = raw.lanes.as_ref()?;
    match literal.base10_parse() {
        Ok(count) => Some(Lanes { count, span: literal.span() }),
        Err(_) => {
            diag.error(literal.span(), "`lanes` is too large; write a power of two such as `32`");
            None
        }
    }
}
