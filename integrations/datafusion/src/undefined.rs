//! Sets whose result is not defined, such as the sample variance of one row.
//!
//! An operator gives NaN for such a set, and SQL has NULL. But NaN is also the result where an element is NaN or
//! infinite, and there SQL has NaN, too. The accumulator tells the two apart: an element that is no finite number makes one of
//! its floats NaN or infinite, and so does a sum that overflows. A NaN from finite floats was made by the last step, which divided zero by
//! zero.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::buffer::{BooleanBuffer, NullBuffer};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::common::Result;
use reduce_core::{AnyGroups, AnyTensor, arrow};

use crate::operator::failed;

/// Which groups have accumulators of finite floats alone.
pub(crate) fn finite(groups: &AnyGroups) -> Result<BooleanBuffer> {
    let mut finite = BooleanBuffer::new_set(groups.len());
    for column in groups.columns().map_err(failed)? {
        if let Some(column) = floats(&arrow::array(column))? {
            finite = &finite & &holds(&column, f64::is_finite);
        }
    }
    Ok(finite)
}

/// Whether a tensor of results, one number for each group, has a NaN.
pub(crate) fn has_nan(tensor: &AnyTensor) -> bool {
    match tensor {
        AnyTensor::F16(tensor) => tensor.data().iter().any(|x| x.is_nan()),
        AnyTensor::F32(tensor) => tensor.data().iter().any(|x| x.is_nan()),
        AnyTensor::F64(tensor) => tensor.data().iter().any(|x| x.is_nan()),
        _ => false,
    }
}

/// Where a column of results is not NULL, though NaN of finite accumulators is.
pub(crate) fn defined(column: &ArrayRef, finite: &BooleanBuffer) -> Result<Option<NullBuffer>> {
    let Some(column) = floats(column)? else {
        return Ok(None);
    };
    let undefined = &holds(&column, f64::is_nan) & finite;
    Ok(Some(NullBuffer::new(!&undefined)))
}

/// A column of floats, as `f64`; `None` of any other.
fn floats(column: &ArrayRef) -> Result<Option<ArrayRef>> {
    let is_float = column.data_type().is_floating();
    Ok(if is_float { Some(cast(column, &DataType::Float64)?) } else { None })
}

fn holds(column: &ArrayRef, of: impl Fn(f64) -> bool) -> BooleanBuffer {
    let values = column.as_primitive::<Float64Type>().values();
    BooleanBuffer::collect_bool(column.len(), |row| of(values[row]))
}
