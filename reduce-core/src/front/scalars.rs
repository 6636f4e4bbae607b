//! Checks of accumulators that come from elsewhere, by their scalars.

use crate::facts::error::{Error, ErrorKind};
use crate::values::element::Element;
use crate::values::element::accumulator::{Accumulator, Scalars};

/// Checks positions: each must be that of an element, or the one of no element.
///
/// # Errors
/// [`ErrorKind::BadState`] if one is beyond `i64::MAX`.
pub(super) fn check_positions<Acc: Accumulator>(accs: &[Acc]) -> Result<(), Error> {
    let mut beyond = Beyond(false);
    accs.iter().for_each(|acc| { *acc }.each_scalar(&mut beyond));
    match beyond.0 {
        true => Err(ErrorKind::BadState { problem: "a position beyond `i64::MAX`" }.into()),
        false => Ok(()),
    }
}

/// Checks that accumulators are those of no element.
///
/// # Errors
/// [`ErrorKind::BadState`] if it has seen elements.
pub(super) fn check_none<Acc: Accumulator>(
    none: Acc,
    accs: impl Iterator<Item = Acc>,
) -> Result<(), Error> {
    let (none, mut values) = (values_of(none, Vec::new()), Vec::new());
    for acc in accs {
        values.clear();
        values = values_of(acc, values);
        if values != none {
            let problem = "accumulators of elements where it counts none";
            return Err(ErrorKind::BadState { problem }.into());
        }
    }
    Ok(())
}

/// The scalars as bits of the nearest `f64`.
fn values_of<Acc: Accumulator>(mut acc: Acc, values: Vec<u64>) -> Vec<u64> {
    let mut values = ScalarValues(values);
    acc.each_scalar(&mut values);
    values.0
}

/// Whether a position was beyond those of elements.
struct Beyond(bool);

impl Scalars for Beyond {
    fn scalar<E: Element>(&mut self, _x: &mut E) {}

    fn position(&mut self, x: &mut u64) {
        self.0 |= i64::try_from(*x).is_err() && *x != u64::MAX;
    }
}

struct ScalarValues(Vec<u64>);

impl Scalars for ScalarValues {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        self.0.push(x.to_f64().to_bits());
    }
}
