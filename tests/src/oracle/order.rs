//! The largest and the smallest of elements, and where they stand.
//!
//! Zeros of both signs are equal, and NaN counts as more extreme than anything.

use std::cmp::Ordering;

use super::{Element, Errors, Type, Values};
use crate::float::Exact;

/// The most extreme element; of none, the least extreme value of the type.
pub(super) fn extreme(ty: Type, set: &Values, largest: bool) -> Element {
    let limits = ty.limits();
    let int = || if largest { limits.0 } else { limits.1 };
    let float = || if largest { f64::NEG_INFINITY } else { f64::INFINITY };
    let place = first(set, |a, b| more_extreme(a, b, largest));
    match (set, place) {
        (Values::Ints(xs), place) => Element::Int(place.map_or_else(int, |place| xs[place])),
        (Values::Floats(xs), place) => {
            let exact = Exact::from(place.map_or_else(float, |place| xs[place]));
            Element::Real { exact, errors: Errors::None }
        }
    }
}

/// The place of the most extreme element, if there is one.
pub(super) fn position(set: &Values, last: bool, largest: bool) -> Option<Element> {
    let place = first(set, |a, b| match more_extreme(a, b, largest) {
        Ordering::Equal if last => Ordering::Greater,
        other => other,
    })?;
    Some(Element::Int(i128::try_from(place).expect("a small list")))
}

/// One element, of either kind.
#[derive(Clone, Copy)]
enum One {
    Int(i128),
    Float(f64),
}

/// The place of the first element that none after it beats.
fn first(set: &Values, beats: impl Fn(One, One) -> Ordering) -> Option<usize> {
    let one = |place: usize| match set {
        Values::Ints(xs) => One::Int(xs[place]),
        Values::Floats(xs) => One::Float(xs[place]),
    };
    let better = |best: usize, place: usize| match beats(one(place), one(best)) {
        Ordering::Greater => place,
        _ => best,
    };
    (0..set.len()).reduce(better)
}

/// Whether the first is more extreme than the second.
fn more_extreme(a: One, b: One, largest: bool) -> Ordering {
    let ordering = match (a, b) {
        (One::Int(a), One::Int(b)) => a.cmp(&b),
        (One::Float(a), One::Float(b)) if a.is_nan() || b.is_nan() => {
            return a.is_nan().cmp(&b.is_nan());
        }
        (One::Float(a), One::Float(b)) => a.partial_cmp(&b).expect("no NaN"),
        _ => unreachable!("of one type"),
    };
    if largest { ordering } else { ordering.reverse() }
}
