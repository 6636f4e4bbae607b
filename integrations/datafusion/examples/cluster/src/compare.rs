//! Tells whether two tables are the same.
//!
//! The engine chooses which rows are added to which, so floats may differ in their last digits. A
//! sum of `n` numbers of one sign is off by at most about `n` units in the last place, however it is
//! grouped. Aggregates of this example that are made of such sums are off by as much. All else is
//! equal.

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float64Type};

use crate::Result;
use crate::data::{FILES, ROWS};

/// The relative difference that two floats may have: as many units in the last place as rows.
pub(crate) const BOUND: f64 = (FILES * ROWS) as f64 * f64::EPSILON;

/// The largest relative difference between floats at the same place.
///
/// # Errors
///
/// One sentence that says where the tables differ by more than the bound, or at all.
pub(crate) fn compare(one: &RecordBatch, other: &RecordBatch) -> Result<f64> {
    if (one.num_columns(), one.num_rows()) != (other.num_columns(), other.num_rows()) {
        let shape =
            |table: &RecordBatch| format!("{} by {}", table.num_rows(), table.num_columns());
        return Err(format!("a table of {} is not one of {}", shape(one), shape(other)).into());
    }
    let mut worst = 0.0;
    for (index, field) in one.schema().fields().iter().enumerate() {
        let difference = difference(one.column(index), other.column(index))
            .filter(|&difference| difference <= BOUND)
            .ok_or_else(|| format!("the tables differ in column `{}`", field.name()))?;
        worst = difference.max(worst);
    }
    Ok(worst)
}

/// The largest relative difference between two columns, or none if they cannot be close.
fn difference(one: &dyn Array, other: &dyn Array) -> Option<f64> {
    if one.data_type() != other.data_type() || one.logical_nulls() != other.logical_nulls() {
        return None;
    }
    let differences: Vec<f64> = match one.data_type() {
        DataType::Float64 => {
            let other = other.as_primitive::<Float64Type>();
            let one = one.as_primitive::<Float64Type>();
            one.iter().flatten().zip(other.iter().flatten()).map(|(a, b)| relative(a, b)).collect()
        }
        DataType::Struct(_) => {
            let (one, other) = (one.as_struct().columns(), other.as_struct().columns());
            one.iter().zip(other).map(|(a, b)| difference(a, b)).collect::<Option<_>>()?
        }
        _ if one == other => vec![],
        _ => return None,
    };
    Some(differences.into_iter().fold(0.0, f64::max))
}

/// The difference of two numbers as a part of the greater one; what differs and is not finite is
/// infinitely far apart.
fn relative(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let difference = (a - b).abs() / a.abs().max(b.abs());
    if difference.is_nan() { f64::INFINITY } else { difference }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, Float64Array, StringArray, StructArray};

    use super::*;

    fn table(name: &str, x: &[Option<f64>]) -> RecordBatch {
        let x: ArrayRef = Arc::new(x.iter().copied().collect::<Float64Array>());
        let name: ArrayRef = Arc::new(StringArray::from(vec![name; x.len()]));
        let fields = RecordBatch::try_from_iter([("x", x.clone())]).expect("one column");
        let nested: ArrayRef = Arc::new(StructArray::from(fields));
        RecordBatch::try_from_iter([("name", name), ("nested", nested)])
            .expect("columns of one length")
    }

    #[test]
    fn the_same_table_is_equal_to_itself() {
        let same = table("a", &[Some(2.0), None, Some(f64::NAN), Some(f64::INFINITY)]);
        assert_eq!(compare(&same, &same).expect("equal"), 0.0);
    }

    #[test]
    fn floats_may_differ_within_the_bound() {
        let (one, other) = (table("a", &[Some(2.0)]), table("a", &[Some(2.0 - BOUND)]));
        let worst = compare(&one, &other).expect("close");
        assert!(worst > 0.4 * BOUND && worst < 0.6 * BOUND);
    }

    #[test]
    fn what_differs_is_found() {
        let one = table("a", &[Some(2.0), None]);
        for other in [
            table("b", &[Some(2.0), None]),
            table("a", &[Some(2.0 + 4.0 * BOUND), None]),
            table("a", &[Some(-2.0), None]),
            table("a", &[Some(f64::NAN), None]),
            table("a", &[Some(f64::INFINITY), None]),
            table("a", &[None, Some(2.0)]),
            table("a", &[Some(2.0), Some(2.0)]),
            table("a", &[Some(2.0)]),
        ] {
            assert!(compare(&one, &other).is_err(), "{other:?}");
            assert!(compare(&other, &one).is_err(), "{other:?}");
        }
    }
}
