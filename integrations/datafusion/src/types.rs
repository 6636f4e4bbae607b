//! Which of Arrow's types are storage types of operators, and which of an operator's rows takes what a query gives.

use datafusion::arrow::datatypes::DataType;
use reduce_core::DType;

/// The storage type of a column; `None` for text, times and all else that is no number.
pub(crate) fn stored(column: &DataType) -> Option<DType> {
    Some(match column {
        DataType::Float16 => DType::F16,
        DataType::Float32 => DType::F32,
        DataType::Float64 => DType::F64,
        DataType::Boolean => DType::Bool,
        DataType::Int8 => DType::I8,
        DataType::Int16 => DType::I16,
        DataType::Int32 => DType::I32,
        DataType::Int64 => DType::I64,
        DataType::UInt8 => DType::U8,
        DataType::UInt16 => DType::U16,
        DataType::UInt32 => DType::U32,
        DataType::UInt64 => DType::U64,
        _ => return None,
    })
}

/// The type of a column of stored elements. Arrow has no `bf16` and no floats of eight bits; what is
/// stored so is shown as `Float32`.
pub(crate) fn column(stored: DType) -> DataType {
    match stored {
        DType::F16 => DataType::Float16,
        DType::F32 | DType::BF16 | DType::F8E4M3FN | DType::F8E5M2 => DataType::Float32,
        DType::F64 => DataType::Float64,
        DType::Bool => DataType::Boolean,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::U8 => DataType::UInt8,
        DType::U16 => DataType::UInt16,
        DType::U32 => DataType::UInt32,
        DType::U64 => DataType::UInt64,
    }
}

/// The row that takes columns of these types with the least change, and `None` if none takes them.
///
/// A column of a row's own type stays as it is. An integer becomes the narrowest wider integer that there is a row for, or
/// else `f64`; a float a wider float; a decimal `f64`. Truth values are no numbers: only a row of `bool` takes them.
pub(crate) fn choose<'a>(rows: &[&'a [DType]], columns: &[DataType]) -> Option<&'a [DType]> {
    let cost = |row: &&'a [DType]| -> Option<u32> {
        row.iter().zip(columns).map(|(&wanted, given)| change(given, wanted)).sum()
    };
    let of_number = rows.iter().filter(|row| row.len() == columns.len());
    of_number
        .filter_map(|row| Some((cost(row)?, *row)))
        .min_by_key(|&(cost, _)| cost)
        .map(|(_, row)| row)
}

/// What it costs to make a column one of another type; `None` where values would not be held.
fn change(given: &DataType, wanted: DType) -> Option<u32> {
    const TO_F64: u32 = 100;
    let given = match (given, stored(given)) {
        (_, Some(given)) => given,
        (DataType::Null, _) => return Some(if wanted == DType::F64 { 0 } else { 1 }),
        (other, _) if other.is_decimal() => return (wanted == DType::F64).then_some(TO_F64),
        (DataType::Dictionary(_, value), _) => return change(value, wanted),
        _ => return None,
    };
    if given == wanted {
        return Some(0);
    }
    // Twice the width: of two rows of one width, that of the column's own kind is nearer.
    let width = 2 * u32::try_from(wanted.size()).ok()?;
    match (Kind::of(given), Kind::of(wanted)) {
        (Kind::Float, Kind::Float) => (given.size() < wanted.size()).then_some(width),
        (Kind::Signed | Kind::Unsigned, Kind::Float) if wanted == DType::F64 => Some(TO_F64),
        (Kind::Signed | Kind::Unsigned, Kind::Float)
            if wanted == DType::F32 && given.size() < 3 =>
        {
            Some(TO_F64 + 1)
        }
        (Kind::Unsigned, Kind::Signed) => (given.size() < wanted.size()).then_some(width + 1),
        (one, other) if one == other => (given.size() < wanted.size()).then_some(width),
        _ => None,
    }
}

/// Kinds of storage types, within which a wider type holds a narrower one's values.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    Signed,
    Unsigned,
    Truth,
}

impl Kind {
    fn of(stored: DType) -> Self {
        match stored {
            DType::Bool => Kind::Truth,
            DType::F16
            | DType::BF16
            | DType::F8E4M3FN
            | DType::F8E5M2
            | DType::F32
            | DType::F64 => Kind::Float,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Kind::Unsigned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_row_that_holds_the_values_is_chosen() {
        use DType::*;
        let sums: &[&[DType]] = &[&[I32], &[I64], &[U32], &[U64], &[F16], &[F32], &[F64]];
        let one = |column: DataType| choose(sums, &[column]).map(|row| row[0]);
        assert_eq!(one(DataType::Int64), Some(I64));
        assert_eq!(one(DataType::Int8), Some(I32));
        assert_eq!(one(DataType::UInt16), Some(U32));
        assert_eq!(one(DataType::Float16), Some(F16));
        assert_eq!(one(DataType::Decimal128(10, 2)), Some(F64));
        assert_eq!(one(DataType::Null), Some(F64));
        assert_eq!(one(DataType::Boolean), None);
        assert_eq!(one(DataType::Utf8), None);
        let floats: &[&[DType]] = &[&[F32], &[F64]];
        assert_eq!(choose(floats, &[DataType::Int16]).map(|row| row[0]), Some(F64));
        assert_eq!(choose(floats, &[DataType::UInt64]).map(|row| row[0]), Some(F64));
        assert_eq!(choose(&[&[I64]], &[DataType::UInt64]), None);
        let pairs: &[&[DType]] = &[&[F32, F32], &[F64, F64], &[F16, F32]];
        assert_eq!(choose(pairs, &[DataType::Float16, DataType::Float32]), Some(&[F16, F32][..]));
        assert_eq!(choose(pairs, &[DataType::Float32, DataType::Int32]), Some(&[F64, F64][..]));
        assert_eq!(choose(pairs, &[DataType::Float32]), None);
    }
}
