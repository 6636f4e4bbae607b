//! The ways in which an operator emits.

use super::Way;
use crate::diag::{Diag, instead_of};
use crate::parse::{MOST_INPUTS, OpBlock, RawEmits, RawWay};

/// The ways that a spec names, alone in front.
pub(super) fn resolve_emits(raw: Option<&RawEmits>, block: &OpBlock, diag: &mut Diag) -> Vec<Way> {
    let Some(RawEmits { ways, span }) = raw else { return Vec::new() };
    if ways.is_empty() {
        let message = "no way to emit is listed; write `emits = alone`, or leave it out";
        diag.error(*span, message);
    }
    let mut resolved: Vec<Way> = Vec::new();
    for way in ways {
        let Some(found) = resolve_way(way, block, diag) else { continue };
        if resolved.iter().any(|known| (known.beside == 0) == (found.beside == 0)) {
            let message = match found.beside {
                0 => "`alone` is listed twice; list it once",
                _ => "two ways with inputs beside; an operator has one `EmitBeside`: list one",
            };
            diag.error(found.span, message);
            continue;
        }
        resolved.push(found);
    }
    resolved.sort_by_key(|way| way.beside);
    resolved
}

fn resolve_way(RawWay { word, beside }: &RawWay, block: &OpBlock, diag: &mut Diag) -> Option<Way> {
    let text = word.to_string();
    match (text.as_str(), beside) {
        ("alone", None) => Some(Way { beside: 0, span: word.span() }),
        ("alone", Some(number)) => {
            diag.error(
                number.span(),
                "`alone` has no inputs beside; write `alone`, or `beside(2)`",
            );
            None
        }
        ("beside", None) => {
            diag.error(word.span(), "how many inputs lie beside the elements; write `beside(2)`");
            None
        }
        ("beside", Some(number)) => {
            let most = MOST_INPUTS - block.element.inputs.as_ref().map_or(1, Vec::len);
            let beside = number.base10_parse().ok().filter(|found| (1..=most).contains(found));
            if beside.is_none() {
                let message = match most {
                    0 => "four inputs are reduced, and none can lie beside them; leave it out"
                        .to_owned(),
                    1 => "one input at most lies beside those that are reduced; write `beside(1)`"
                        .to_owned(),
                    _ => format!(
                        "1 to {most} inputs lie beside those that are reduced; write `beside(1)`"
                    ),
                };
                diag.error(number.span(), message);
            }
            Some(Way { beside: beside?, span: word.span() })
        }
        _ => {
            let remedy = instead_of(&text, &["alone", "beside"]);
            diag.error(word.span(), format!("unknown way to emit `{text}`; {remedy}"));
            None
        }
    }
}
