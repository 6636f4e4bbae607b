//! As what columns are read, where an operator has rows of several types.

use datafusion::arrow::datatypes::DataType;
use reduce_core::DType;

use crate::types;

/// As what an aggregate reads columns of integers: [`Aggregate::integers`](crate::Aggregate::integers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Integers {
    /// As they are, or as the narrowest wider type that the operator takes.
    #[default]
    Own,
    /// As `Int64` or `UInt64`, in which sums have room.
    Widest,
    /// As `Float64`, since means and norms of integers are seldom integers.
    Float,
}

/// Which rows of an operator are tried first. If none of them takes the columns, all are tried.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) integers: Integers,
    /// Whether results are elements of the column, as of a maximum. A `Float16` then has room for each of them.
    /// A sum of `Float16` soon leaves it, so such a column is otherwise read as a wider float.
    pub(crate) selects: bool,
}

impl Reading {
    pub(crate) fn choose(
        self,
        rows: &[&'static [DType]],
        columns: &[DataType],
    ) -> Option<&'static [DType]> {
        let first = rows.iter().filter(|row| row.iter().all(|&stored| self.has_room(stored)));
        let first: Vec<_> = first.copied().collect();
        types::choose(&first, columns).or_else(|| types::choose(rows, columns))
    }

    fn has_room(self, stored: DType) -> bool {
        match stored {
            DType::F16 => self.selects,
            DType::I8 | DType::I16 | DType::I32 | DType::U8 | DType::U16 | DType::U32 => {
                self.integers == Integers::Own
            }
            DType::I64 | DType::U64 => self.integers != Integers::Float,
            DType::Bool
            | DType::BF16
            | DType::F8E4M3FN
            | DType::F8E5M2
            | DType::F32
            | DType::F64 => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMS: &[&[DType]] = {
        use DType::*;
        &[&[I32], &[I64], &[U32], &[U64], &[F16], &[F32], &[F64]]
    };

    fn one(integers: Integers, selects: bool, column: DataType) -> Option<DType> {
        Reading { integers, selects }.choose(SUMS, &[column]).map(|row| row[0])
    }

    #[test]
    fn integers_and_halves_get_room() {
        use Integers::{Float, Own, Widest};
        for (column, wanted) in [
            (DataType::Int8, [DType::I32, DType::I64, DType::F64]),
            (DataType::Int64, [DType::I64, DType::I64, DType::F64]),
            (DataType::UInt16, [DType::U32, DType::U64, DType::F64]),
            (DataType::Float32, [DType::F32; 3]),
            (DataType::Float16, [DType::F32; 3]),
            (DataType::Null, [DType::F64; 3]),
        ] {
            for (integers, wanted) in [Own, Widest, Float].into_iter().zip(wanted) {
                assert_eq!(
                    one(integers, false, column.clone()),
                    Some(wanted),
                    "{integers:?} {column}"
                );
            }
        }
        assert_eq!(one(Own, true, DataType::Float16), Some(DType::F16));
    }

    #[test]
    fn a_row_that_is_the_only_one_is_taken() {
        let reading = Reading { integers: Integers::Float, selects: false };
        let halves: &[&[DType]] = &[&[DType::F16]];
        assert_eq!(reading.choose(halves, &[DataType::Float16]), Some(halves[0]));
        let integers: &[&[DType]] = &[&[DType::I32]];
        assert_eq!(reading.choose(integers, &[DataType::Int16]), Some(integers[0]));
        assert_eq!(reading.choose(integers, &[DataType::Float32]), None);
    }
}
