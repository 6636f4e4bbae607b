//! What a query gives, cell by cell, and what is expected there.

use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::{Result, ScalarValue};
use datafusion::prelude::SessionContext;

/// A cell of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Int(i128),
    Float(f64),
    Truth(bool),
    Text(String),
    /// A list, or the fields of a struct.
    Many(Vec<Cell>),
}

/// What is expected of a cell.
#[derive(Clone, Debug)]
pub enum Expected {
    Exactly(Cell),
    /// A float, within a bound.
    Near(f64, f64),
    /// An integer that was truncated from a float within a bound.
    About(i128, i128),
    Many(Vec<Expected>),
    /// Either of some, where it depends on the order of rows.
    OneOf(Vec<Expected>),
}

/// Whether a cell is as expected; if not, how it differs.
pub fn agrees(found: &Cell, expected: &Expected) -> std::result::Result<(), String> {
    let is_right = match (found, expected) {
        (found, Expected::Exactly(expected)) => found == expected,
        (Cell::Float(found), Expected::Near(expected, bound)) => {
            found == expected
                || (found.is_nan() && expected.is_nan())
                || (found - expected).abs() <= *bound
        }
        (Cell::Int(found), Expected::About(expected, bound)) => (found - expected).abs() <= *bound,
        (found, Expected::OneOf(expected)) => {
            expected.iter().any(|expected| agrees(found, expected).is_ok())
        }
        (Cell::Many(found), Expected::Many(expected)) if found.len() == expected.len() => {
            return found
                .iter()
                .zip(expected)
                .try_for_each(|(found, expected)| agrees(found, expected));
        }
        _ => false,
    };
    if is_right { Ok(()) } else { Err(format!("found {found:?}, expected {expected:?}")) }
}

/// The rows of a query.
pub async fn rows(ctx: &SessionContext, sql: &str) -> Result<Vec<Vec<Cell>>> {
    let batches = ctx.sql(sql).await?.collect().await?;
    let mut rows = Vec::new();
    for batch in &batches {
        for row in 0..batch.num_rows() {
            rows.push(cells(batch, row)?);
        }
    }
    Ok(rows)
}

/// The one cell of a query.
pub async fn cell(ctx: &SessionContext, sql: &str) -> Result<Cell> {
    let mut rows = rows(ctx, sql).await?;
    assert_eq!((rows.len(), rows[0].len()), (1, 1), "{sql}");
    Ok(rows.remove(0).remove(0))
}

/// The sentence with which a query is refused.
pub async fn refusal(ctx: &SessionContext, sql: &str) -> String {
    match rows(ctx, sql).await {
        Ok(rows) => panic!("{sql} gave {rows:?}"),
        Err(error) => error.strip_backtrace(),
    }
}

/// The sentence with which a query is refused before it runs.
pub async fn planning(ctx: &SessionContext, sql: &str) -> String {
    let plan = match ctx.sql(sql).await {
        Ok(frame) => frame.create_physical_plan().await,
        Err(error) => Err(error),
    };
    plan.err().unwrap_or_else(|| panic!("{sql} is planned")).strip_backtrace()
}

fn cells(batch: &RecordBatch, row: usize) -> Result<Vec<Cell>> {
    batch.columns().iter().map(|column| of(&ScalarValue::try_from_array(column, row)?)).collect()
}

fn of(value: &ScalarValue) -> Result<Cell> {
    use ScalarValue as S;
    Ok(match value {
        value if value.is_null() => Cell::Null,
        S::Boolean(Some(value)) => Cell::Truth(*value),
        S::Float16(Some(value)) => Cell::Float(value.to_f64()),
        S::Float32(Some(value)) => Cell::Float(f64::from(*value)),
        S::Float64(Some(value)) => Cell::Float(*value),
        S::Int8(Some(value)) => Cell::Int((*value).into()),
        S::Int16(Some(value)) => Cell::Int((*value).into()),
        S::Int32(Some(value)) => Cell::Int((*value).into()),
        S::Int64(Some(value)) => Cell::Int((*value).into()),
        S::UInt8(Some(value)) => Cell::Int((*value).into()),
        S::UInt16(Some(value)) => Cell::Int((*value).into()),
        S::UInt32(Some(value)) => Cell::Int((*value).into()),
        S::UInt64(Some(value)) => Cell::Int((*value).into()),
        S::Utf8(Some(value)) | S::Utf8View(Some(value)) => Cell::Text(value.clone()),
        S::List(list) => elements(list.value(0).as_ref())?,
        S::FixedSizeList(list) => elements(list.value(0).as_ref())?,
        S::Struct(fields) => {
            let field = |column: &ArrayRef| of(&ScalarValue::try_from_array(column, 0)?);
            Cell::Many(fields.columns().iter().map(field).collect::<Result<_>>()?)
        }
        other => panic!("a cell of type {}", other.data_type()),
    })
}

fn elements(list: &dyn Array) -> Result<Cell> {
    let element = |place| of(&ScalarValue::try_from_array(list, place)?);
    (0..list.len()).map(element).collect::<Result<_>>().map(Cell::Many)
}

#[test]
fn what_differs_is_rejected() {
    let near = Expected::Near(1.0, 1e-9);
    for found in [Cell::Float(1.0 + 1e-8), Cell::Float(f64::NAN), Cell::Null, Cell::Int(1)] {
        assert!(agrees(&found, &near).is_err(), "{found:?}");
    }
    assert!(agrees(&Cell::Float(1.0 + 1e-10), &near).is_ok());
    assert!(agrees(&Cell::Float(f64::NAN), &Expected::Near(f64::NAN, 0.0)).is_ok());
    assert!(agrees(&Cell::Float(f64::NEG_INFINITY), &Expected::Near(f64::INFINITY, 1.0)).is_err());
    assert!(agrees(&Cell::Int(3), &Expected::Exactly(Cell::Int(4))).is_err());
    assert!(agrees(&Cell::Float(0.0), &Expected::Exactly(Cell::Null)).is_err());
    assert!(agrees(&Cell::Int(9), &Expected::About(7, 1)).is_err());
    let either = Expected::OneOf(vec![near.clone(), Expected::Exactly(Cell::Null)]);
    assert!(agrees(&Cell::Null, &either).is_ok() && agrees(&Cell::Float(1.0), &either).is_ok());
    assert!(agrees(&Cell::Float(2.0), &either).is_err());
    let two = Expected::Many(vec![near.clone(), near]);
    assert!(agrees(&Cell::Many(vec![Cell::Float(1.0)]), &two).is_err());
    assert!(agrees(&Cell::Many(vec![Cell::Float(1.0), Cell::Float(2.0)]), &two).is_err());
    assert!(agrees(&Cell::Many(vec![Cell::Float(1.0), Cell::Float(1.0)]), &two).is_ok());
}
