//! What nobody can say of an operator but by trying it, on three different elements.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, Int32Array, UInt64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use reduce_core::{AnyGroups, arrow};

use crate::aggregate::Aggregate;
use crate::batch::Batch;
use crate::operator::failed;
use crate::prepared::Prepared;
use crate::types;

/// The aggregate over the columns that its first row takes; `None` if it has no row.
pub(crate) fn first_row(aggregate: &Aggregate) -> Result<Option<Prepared>> {
    let Some(row) = aggregate.members.first().and_then(|(_, operator)| operator.rows.first())
    else {
        return Ok(None);
    };
    let columns: Vec<DataType> = row.iter().copied().map(types::column).collect();
    Prepared::typed(aggregate, &columns).map(Some)
}

/// Whether positions of rows, which have no order, show in what a query sees of a result.
///
/// It is tried: the same elements in two orders must give the same result.
pub(crate) fn shows_positions(aggregate: &Aggregate) -> Result<bool> {
    let Some(prepared) = first_row(aggregate)? else {
        return Ok(false);
    };
    if !prepared.groups(0)?.is_positioned() {
        return Ok(false);
    }
    let result = |order| prepared.finish(&of_three(&prepared, order)?);
    Ok(result([1, 2, 3])? != result([3, 1, 2])? || result([1, 2, 3])? != result([2, 3, 1])?)
}

/// Whether a result changes if the same accumulator is said to be of more elements.
pub(crate) fn depends_on_count(prepared: &Prepared) -> Result<bool> {
    let three = of_three(prepared, [1, 2, 3])?;
    let mut columns: Vec<ArrayRef> =
        three.columns().map_err(failed)?.into_iter().map(arrow::array).collect();
    columns[0] = Arc::new(UInt64Array::from(vec![1000]));
    let mut thousand = prepared.groups(1)?;
    let batch = Batch::new(&columns, None);
    thousand.merge_columns(&batch.views()?, &[0], None).map_err(failed)?;
    let [three, thousand] = [prepared.finish(&three)?, prepared.finish(&thousand)?];
    // NaN is no more equal to itself than NULL is.
    Ok(three.to_data() != thousand.to_data())
}

/// One group that has seen three elements.
fn of_three(prepared: &Prepared, order: [i32; 3]) -> Result<AnyGroups> {
    let column: ArrayRef = Arc::new(Int32Array::from(order.to_vec()));
    let cast = |to| cast(&column, to);
    let columns = prepared.columns();
    let columns = columns.iter().map(cast).collect::<std::result::Result<Vec<_>, _>>()?;
    let mut groups = prepared.groups(1)?;
    groups.update(&Batch::new(&columns, None).views()?, &[0, 0, 0], None).map_err(failed)?;
    Ok(groups)
}
