//! Columns of a batch as an operator reads them.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::buffer::{BooleanBuffer, NullBuffer};
use datafusion::common::Result;
use reduce_core::{AnyView, View, arrow};

use crate::operator::failed;

/// Columns of equal length, and which of their rows count.
pub(crate) struct Batch<'a> {
    columns: &'a [ArrayRef],
    /// A truth value is a bit in Arrow and a byte in a tensor: the bytes of each column of truth values.
    truths: Vec<Vec<bool>>,
    mask: Option<Vec<bool>>,
}

impl<'a> Batch<'a> {
    /// A row counts if a filter is true for it, and no column is NULL there.
    pub(crate) fn new(columns: &'a [ArrayRef], filter: Option<&BooleanArray>) -> Self {
        let valid = columns.iter().fold(None, |nulls: Option<NullBuffer>, column| {
            NullBuffer::union(nulls.as_ref(), column.logical_nulls().as_ref())
        });
        let valid = valid.filter(|nulls| nulls.null_count() > 0).map(NullBuffer::into_inner);
        let chosen = filter.map(|filter| match filter.nulls() {
            Some(nulls) => filter.values() & nulls.inner(),
            None => filter.values().clone(),
        });
        let mask = match (valid, chosen) {
            (Some(valid), Some(chosen)) => Some(&valid & &chosen),
            (valid, chosen) => valid.or(chosen),
        };
        let truths = columns.iter().map(|column| match column.as_boolean_opt() {
            Some(bits) => arrow::bools(bits),
            None => Vec::new(),
        });
        Batch { columns, truths: truths.collect(), mask: mask.as_ref().map(bytes) }
    }

    /// The number of rows, whether they count or not.
    pub(crate) fn rows(&self) -> usize {
        self.columns.first().map_or(0, Array::len)
    }

    pub(crate) fn views(&self) -> Result<Vec<AnyView<'_>>> {
        self.columns.iter().zip(&self.truths).map(|(column, truths)| view(column, truths)).collect()
    }

    /// Which rows count; `None` if all do.
    pub(crate) fn mask(&self) -> Option<&[bool]> {
        self.mask.as_deref()
    }
}

fn view<'a>(column: &'a ArrayRef, truths: &'a [bool]) -> Result<AnyView<'a>> {
    if column.as_boolean_opt().is_some() {
        View::new(truths, &[truths.len()]).map(Into::into).map_err(failed)
    } else {
        arrow::view(column.as_ref()).map_err(failed)
    }
}

fn bytes(bits: &BooleanBuffer) -> Vec<bool> {
    bits.iter().collect()
}
