//! Results of groups as a column of a query.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeListArray, ListArray, StructArray, make_array,
    new_empty_array,
};
use datafusion::arrow::buffer::{BooleanBuffer, NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::concat;
use datafusion::arrow::datatypes::{Field, Fields};
use datafusion::common::{DataFusionError, Result, plan_err};
use reduce_core::{AnyTensor, arrow};

use crate::aggregate::Aggregate;
use crate::undefined;

/// Which results a query sees, and in which form.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    function: String,
    names: Vec<String>,
    only: Option<usize>,
    /// The length of the arrays of a family.
    length: Option<usize>,
    positions: Option<usize>,
}

impl Results {
    pub(crate) fn of(aggregate: &Aggregate, length: Option<usize>) -> Self {
        Results {
            function: aggregate.name.clone(),
            names: aggregate.results.clone(),
            only: aggregate.only,
            length,
            positions: aggregate.positions,
        }
    }

    /// One column, a row for each group; NULL for a group that has not seen an element, and for NaN where it is
    /// said that accumulators are finite.
    pub(crate) fn column(
        &self,
        tensors: Vec<AnyTensor>,
        seen: &[bool],
        finite: Option<&BooleanBuffer>,
    ) -> Result<ArrayRef> {
        let lengths = self.length.map(|length| self.lengths(length, &tensors, seen.len()));
        let mut columns = self.shown(tensors)?;
        if let Some(lengths) = lengths {
            for column in &mut columns {
                *column = cut(column, &lengths)?;
            }
        }
        let nulls = NullBuffer::from(seen);
        let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
        for column in &mut columns {
            let defined = match finite {
                Some(finite) => undefined::defined(column, finite)?,
                None => None,
            };
            let nulls = NullBuffer::union(nulls.as_ref(), defined.as_ref());
            *column = with_nulls(column, nulls.as_ref())?;
        }
        match columns.len() {
            1 => Ok(columns.swap_remove(0)),
            _ => self.structure(columns, nulls),
        }
    }

    /// The results that a query sees.
    fn shown(&self, tensors: Vec<AnyTensor>) -> Result<Vec<ArrayRef>> {
        let number = tensors.len();
        let mut columns: Vec<ArrayRef> =
            tensors.into_iter().map(arrow::array).map(nullable).collect();
        match self.only {
            None => Ok(columns),
            Some(place) if place < number => Ok(vec![columns.swap_remove(place)]),
            Some(place) => {
                plan_err!(
                    "`{}` has {number} results; result {place} of `only` is none of them",
                    self.function
                )
            }
        }
    }

    fn structure(&self, columns: Vec<ArrayRef>, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
        if !self.names.is_empty() && self.names.len() != columns.len() {
            let (given, number) = (self.names.len(), columns.len());
            return plan_err!(
                "`{}` has {number} results; `results` names {given} of them",
                self.function
            );
        }
        let name = |place| self.names.get(place).cloned().unwrap_or_else(|| format!("c{place}"));
        let fields = columns.iter().enumerate();
        let fields =
            fields.map(|(place, column)| Field::new(name(place), column.data_type().clone(), true));
        Ok(Arc::new(StructArray::try_new(fields.collect::<Fields>(), columns, nulls)?))
    }

    /// How many elements each group's arrays keep.
    fn lengths(&self, length: usize, tensors: &[AnyTensor], groups: usize) -> Vec<usize> {
        match self.positions.and_then(|place| tensors.get(place)) {
            Some(AnyTensor::I64(positions)) if groups > 0 => {
                let rows = positions.data().chunks(positions.data().len() / groups);
                let is_there = |&&position: &&i64| position >= 0;
                rows.map(|row| row.iter().take(length).take_while(is_there).count()).collect()
            }
            _ => vec![length; groups],
        }
    }
}

/// Arrays of a family's member, cut to lengths.
fn cut(column: &ArrayRef, lengths: &[usize]) -> Result<ArrayRef> {
    let Some(arrays) = column.as_fixed_size_list_opt() else {
        return Ok(Arc::clone(column));
    };
    let pieces = lengths.iter().enumerate();
    let pieces: Vec<ArrayRef> =
        pieces.map(|(group, &length)| arrays.value(group).slice(0, length)).collect();
    let offsets = OffsetBuffer::from_lengths(lengths.iter().copied());
    let pieces: Vec<&dyn Array> = pieces.iter().map(AsRef::as_ref).collect();
    let values = match pieces.is_empty() {
        true => new_empty_array(&arrays.value_type()),
        false => concat(&pieces)?,
    };
    let item = Field::new_list_field(values.data_type().clone(), true);
    Ok(Arc::new(ListArray::try_new(Arc::new(item), offsets, values, None)?))
}

/// The column, whose elements, if it is of lists, may be NULL as far as its type says.
fn nullable(column: ArrayRef) -> ArrayRef {
    match column.as_fixed_size_list_opt() {
        None => column,
        Some(lists) => {
            let item = Field::new_list_field(lists.value_type(), true);
            let (values, length) = (Arc::clone(lists.values()), lists.value_length());
            Arc::new(FixedSizeListArray::new(Arc::new(item), length, values, None))
        }
    }
}

/// The column with NULL where a group has no element.
fn with_nulls(column: &ArrayRef, nulls: Option<&NullBuffer>) -> Result<ArrayRef> {
    match nulls {
        None => Ok(Arc::clone(column)),
        Some(nulls) => {
            let data = column.to_data().into_builder().nulls(Some(nulls.clone()));
            Ok(make_array(data.build().map_err(DataFusionError::from)?))
        }
    }
}
