//! Attributes, from what was written to what is meant.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Ident, Lit};

use super::resolve::rows;
use super::{AttrDecl, Kind, Value, Versions, Window};
use crate::diag::{Diag, instead_of};
use crate::parse::{RawAttr, RawSpec, RawValue};

/// The attributes: as declared, or those that every reduction has.
pub(super) fn resolve_attrs(
    raw: &RawSpec,
    versions: &Versions,
    span: Span,
    diag: &mut Diag,
) -> Vec<AttrDecl> {
    let Some(list) = &raw.attrs else {
        let plain = |name: &str, kind, default| AttrDecl {
            window: versions.life,
            name: name.to_owned(),
            field: Ident::new(name, span),
            kind,
            default,
            low: None,
            high: None,
            span,
            kind_span: span,
            default_span: span,
            range_span: None,
        };
        let axes = plain("axes", Kind::Ints, Value::All);
        return vec![axes, plain("keepdims", Kind::Bool, Value::Bool(true))];
    };
    let rows = rows(list, versions).into_iter();
    let declared = rows.flat_map(|(window, items)| items.iter().map(move |item| (window, item)));
    declared.filter_map(|(window, item)| resolve_attr(item, window, diag)).collect()
}

fn resolve_attr(item: &RawAttr, window: Window, diag: &mut Diag) -> Option<AttrDecl> {
    let kind_word = item.kind.to_string();
    let Some(kind) = kind_of(&kind_word) else {
        let remedy = instead_of(&kind_word, &Kind::WORDS);
        diag.error(item.kind.span(), format!("unknown kind `{kind_word}`; {remedy}"));
        return None;
    };
    let name = item.name.unraw().to_string();
    let field = resolve_field(&name, item.name.span(), diag)?;
    let Some(default) = &item.default else {
        let example = default_example(kind);
        let message = format!("`{name}` has no default; write `{name}: {kind_word} = {example}`");
        diag.error(item.name.span(), message);
        return None;
    };
    let Some(value) = resolve_value(default) else {
        let (given, example) = (default.text(), default_example(kind));
        let message = format!("`{given}` is no default; write `{name}: {kind_word} = {example}`");
        diag.error(default.span(), message);
        return None;
    };
    let range = item.range.as_ref();
    Some(AttrDecl {
        window,
        name,
        field,
        kind,
        default: value,
        low: range.and_then(|range| resolve_limit(range.low.as_ref()?, diag)),
        high: range.and_then(|range| resolve_limit(range.high.as_ref()?, diag)),
        span: item.name.span(),
        kind_span: item.kind.span(),
        default_span: default.span(),
        range_span: range.map(|range| range.span),
    })
}

fn resolve_limit(limit: &RawValue, diag: &mut Diag) -> Option<f64> {
    match resolve_value(limit) {
        Some(Value::Int(limit)) => Some(as_float(limit)),
        Some(Value::Float(limit)) => Some(limit),
        Some(Value::All | Value::Bool(_)) | None => {
            let message = "a limit is a number; write a range such as `0..=1`";
            diag.error(limit.span(), message);
            None
        }
    }
}

/// The field of a parameter; a keyword needs its raw form.
fn resolve_field(name: &str, span: Span, diag: &mut Diag) -> Option<Ident> {
    let plain = syn::parse_str::<Ident>(name).map(|_| Ident::new(name, span));
    match plain {
        Ok(field) => Some(field),
        Err(_) if ["self", "Self", "super", "crate", "_"].contains(&name) => {
            diag.error(span, format!("`{name}` cannot be a field; choose another name"));
            None
        }
        Err(_) => Some(Ident::new_raw(name, span)),
    }
}

fn kind_of(word: &str) -> Option<Kind> {
    let kinds = [Kind::Bool, Kind::Int, Kind::Float, Kind::Ints, Kind::Input];
    kinds.into_iter().find(|kind| kind.word() == word)
}

fn default_example(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "false",
        Kind::Int => "0",
        Kind::Float => "0.0",
        Kind::Ints | Kind::Input => "all",
    }
}

#[allow(clippy::cast_precision_loss, reason = "a limit beyond 2^53 may be off by a rounding")]
fn as_float(limit: i64) -> f64 {
    limit as f64
}

/// A literal's value; nothing for words other than `all` and literals of other
/// kinds.
fn resolve_value(raw: &RawValue) -> Option<Value> {
    let (negative, lit) = match raw {
        RawValue::Word(word) => return (word == "all").then_some(Value::All),
        RawValue::Lit { negative, lit } => (*negative, lit),
    };
    match lit {
        Lit::Bool(value) if !negative => Some(Value::Bool(value.value())),
        Lit::Int(value) => {
            let digits = format!("{}{}", if negative { "-" } else { "" }, value.base10_digits());
            digits.parse().ok().map(Value::Int)
        }
        Lit::Float(value) => {
            let magnitude: f64 =
                value.base10_parse().ok().filter(|value: &f64| value.is_finite())?;
            Some(Value::Float(if negative { -magnitude } else { magnitude }))
        }
        _ => None,
    }
}
