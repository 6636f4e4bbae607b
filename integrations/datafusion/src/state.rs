//! The state of each group, in columns, travels between the two halves of an aggregation.
//!
//! An aggregation runs in two halves where there are several partitions. The first folds the rows of a partition, the
//! second merges what the first made. What passes between them are columns, a row for each group: its number of
//! elements, and the fields of its accumulator. Their types are known where a query is planned.
//!
//! Results of many operators do not depend on the number of elements, as a sum does not. It then only says in which order
//! accumulators are best combined, and for this its order of magnitude is enough: a *rank*, which takes one byte.
//!
//! For a family such as `top_k(x, 3)` the types are not known so early. The number of its fields follows from a
//! literal, and DataFusion does not tell the literal where it asks for the types of columns. A family's state is
//! therefore *packed*: all fields of a group, byte behind byte, in one column of binary values.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayData, ArrayRef, AsArray, BinaryArray, BinaryBuilder, UInt8Array, UInt64Array,
    make_array,
};
use datafusion::arrow::buffer::Buffer;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt8Type, UInt64Type};
use datafusion::common::{Result, exec_err};
use reduce_core::DType;

use crate::types::column;

/// The types of the columns.
pub(crate) fn types(fields: &[DType], is_packed: bool) -> Vec<DataType> {
    if is_packed { vec![DataType::Binary] } else { fields.iter().copied().map(column).collect() }
}

/// The ranks of numbers of elements: 0 of none, 1 of one, 2 of two or three, 3 of four to seven.
pub(crate) fn ranks(counts: &ArrayRef) -> ArrayRef {
    let rank = |count: u64| u8::try_from(u64::BITS - count.leading_zeros()).unwrap_or(u8::MAX);
    let counts = counts.as_primitive::<UInt64Type>().values();
    Arc::new(counts.iter().map(|&count| rank(count)).collect::<UInt8Array>())
}

/// The least numbers of elements of ranks.
pub(crate) fn counts(ranks: &ArrayRef) -> Result<ArrayRef> {
    let Some(ranks) = ranks.as_primitive_opt::<UInt8Type>() else {
        return exec_err!("the ranks of a state are of type {}; expected UInt8", ranks.data_type());
    };
    let count = |rank: u8| match rank {
        0 => 0,
        rank => 1u64 << (rank - 1).min(62),
    };
    Ok(Arc::new(ranks.values().iter().map(|&rank| count(rank)).collect::<UInt64Array>()))
}

/// One column that has the bytes of several, row by row.
pub(crate) fn pack(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let rows = columns.first().map_or(0, Array::len);
    let fields = columns.iter().map(plain).collect::<Result<Vec<_>>>()?;
    let width = fields.iter().map(|(_, width)| width).sum::<usize>();
    let mut packed = BinaryBuilder::with_capacity(rows, rows * width);
    let mut row_bytes = Vec::with_capacity(width);
    for row in 0..rows {
        row_bytes.clear();
        for (data, width) in &fields {
            let start = (data.offset() + row) * width;
            row_bytes.extend_from_slice(&data.buffers()[0][start..start + width]);
        }
        packed.append_value(&row_bytes);
    }
    Ok(Arc::new(packed.finish()))
}

/// The columns whose bytes one column has.
pub(crate) fn unpack(packed: &ArrayRef, fields: &[DType]) -> Result<Vec<ArrayRef>> {
    let Some(packed) = packed.as_binary_opt::<i32>() else {
        return exec_err!("a packed state is of type {}; expected Binary", packed.data_type());
    };
    let width: usize = fields.iter().map(|field| field.size()).sum();
    if (0..packed.len()).any(|row| packed.is_null(row) || packed.value(row).len() != width) {
        return exec_err!(
            "a packed state does not have {width} bytes; its family has another length"
        );
    }
    let mut start = 0;
    let columns = fields.iter().map(|&field| {
        let here = start..start + field.size();
        start = here.end;
        unpacked(packed, field, &here)
    });
    columns.collect()
}

/// One field of all rows.
fn unpacked(packed: &BinaryArray, field: DType, here: &std::ops::Range<usize>) -> Result<ArrayRef> {
    let bytes: Vec<u8> =
        (0..packed.len()).flat_map(|row| &packed.value(row)[here.clone()]).copied().collect();
    let stored = if field == DType::Bool { DataType::UInt8 } else { column(field) };
    let data = ArrayData::builder(stored).len(packed.len()).add_buffer(Buffer::from_vec(bytes));
    let array = make_array(data.align_buffers(true).build()?);
    Ok(cast(&array, &column(field))?)
}

/// A column's data, and the width of a value. Truth values become bytes.
fn plain(column: &ArrayRef) -> Result<(ArrayData, usize)> {
    let column = match column.data_type() {
        DataType::Boolean => cast(column, &DataType::UInt8)?,
        _ => Arc::clone(column),
    };
    match column.data_type().primitive_width() {
        Some(width) => Ok((column.to_data(), width)),
        None => exec_err!("a state of type {} cannot be packed", column.data_type()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{BooleanArray, Float64Array, UInt64Array};

    #[test]
    fn a_rank_is_an_order_of_magnitude() -> Result<()> {
        let numbers = vec![0, 1, 2, 3, 4, 1000, 1 << 40, (1 << 62) + 1];
        let least = vec![0, 1, 2, 2, 4, 512, 1 << 40, 1 << 62];
        let ranked = ranks(&(Arc::new(UInt64Array::from(numbers)) as ArrayRef));
        assert_eq!(&counts(&ranked)?, &(Arc::new(UInt64Array::from(least)) as ArrayRef));
        let message = counts(&counts(&ranked)?).expect_err("no ranks").to_string();
        assert!(message.contains("are of type UInt64"), "{message}");
        Ok(())
    }

    #[test]
    fn what_is_packed_is_unpacked() -> Result<()> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(UInt64Array::from(vec![7, 1, 2]).slice(1, 2)),
            Arc::new(BooleanArray::from(vec![true, false])),
            Arc::new(Float64Array::from(vec![0.5, -2.0])),
        ];
        let packed = pack(&columns)?;
        let fields = [DType::U64, DType::Bool, DType::F64];
        assert_eq!(unpack(&packed, &fields)?, columns);
        let message = unpack(&packed, &fields[..2]).expect_err("too many bytes").to_string();
        assert!(message.contains("does not have 9 bytes"), "{message}");
        Ok(())
    }
}
