//! A table of random rows with a column of each type: as DataFusion reads it, and as plain rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionContext, col};
use reduce_core::f16;

use crate::cells::Cell;
use crate::random::Random;
use crate::settings::Settings;

/// The columns of values. The letter and the bits in a name tell its type. `p` and `q` are positive.
pub const VALUES: [&str; 16] = [
    "f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "b", "g32", "g64",
    "p64", "q64",
];

/// A row: its cells by the names of columns.
pub type Row = BTreeMap<&'static str, Cell>;

pub fn random_rows(random: &mut Random, number: usize) -> Vec<Row> {
    (0..number).map(|_| row(random)).collect()
}

fn row(random: &mut Random) -> Row {
    let mut row = Row::new();
    // Few enough keys that groups have several rows, and some have none that count.
    row.insert(
        "k",
        if random.once_in(8) { Cell::Null } else { Cell::Int(random.below(6) as i128) },
    );
    row.insert("t", Cell::Text(["a", "b", "c"][random.below(3)].to_owned()));
    for name in VALUES {
        let nulls = if name == "g32" { 2 } else { 6 };
        let cell = if random.once_in(nulls) { Cell::Null } else { value(random, name) };
        row.insert(name, cell);
    }
    row
}

/// Floats are multiples of 1/64 between -4 and 4, which every type of float holds; integers may be any.
fn value(random: &mut Random, column: &str) -> Cell {
    let bits = random.next();
    match column {
        "b" => Cell::Truth(bits.is_multiple_of(2)),
        "f16" | "f32" | "f64" | "g32" | "g64" => Cell::Float(random.below(513) as f64 / 64.0 - 4.0),
        "p64" | "q64" => Cell::Float((random.below(256) + 1) as f64 / 64.0),
        "i8" => Cell::Int((bits as i8).into()),
        "i16" => Cell::Int((bits as i16).into()),
        "i32" => Cell::Int((bits as i32).into()),
        "i64" => Cell::Int((bits as i64).into()),
        "u8" => Cell::Int((bits as u8).into()),
        "u16" => Cell::Int((bits as u16).into()),
        "u32" => Cell::Int((bits as u32).into()),
        _ => Cell::Int(bits.into()),
    }
}

/// The rows as a table `t` of some partitions and batches.
pub fn context(random: &mut Random, rows: &[Row]) -> Result<SessionContext> {
    let settings = Settings::plain(random);
    context_with(&settings, random, rows)
}

/// The rows as a table `t`, in a session of some settings.
pub fn context_with(
    settings: &Settings,
    random: &mut Random,
    rows: &[Row],
) -> Result<SessionContext> {
    let ctx = SessionContext::new_with_config_rt(settings.config()?, settings.runtime()?);
    reduce_datafusion::register_specs(&ctx);
    reduce_datafusion::register_gallery(&ctx);
    let mut rows: Vec<&Row> = rows.iter().collect();
    if settings.is_sorted {
        rows.sort_by_key(|row| if let Cell::Int(k) = row["k"] { Some(k) } else { None });
    }
    let partitions = 1 + random.below(3);
    let mut batches = vec![Vec::new(); partitions];
    let mut start = 0;
    while start < rows.len() || start == 0 {
        let end = rows.len().min(start + 1 + random.below(40));
        batches[random.below(partitions)].push(batch(&rows[start..end])?);
        start = end.max(1);
    }
    let schema = batches.iter().flatten().next().expect("at least one").schema();
    let mut table = MemTable::try_new(schema, batches)?;
    if settings.is_sorted {
        table = table.with_sort_order(vec![vec![col("k").sort(true, true)]]);
    }
    ctx.register_table("t", Arc::new(table))?;
    Ok(ctx)
}

fn batch(rows: &[&Row]) -> Result<RecordBatch> {
    let names = ["k", "t"].into_iter().chain(VALUES);
    Ok(RecordBatch::try_from_iter_with_nullable(names.map(|name| (name, array(rows, name), true)))?)
}

fn array(rows: &[&Row], name: &str) -> ArrayRef {
    let ints =
        || rows.iter().map(|row| if let Cell::Int(int) = row[name] { Some(int) } else { None });
    let floats = || {
        rows.iter().map(|row| if let Cell::Float(float) = row[name] { Some(float) } else { None })
    };
    match name {
        "t" => Arc::new(StringArray::from_iter(rows.iter().map(|row| match &row[name] {
            Cell::Text(text) => Some(text.clone()),
            _ => None,
        }))),
        "b" => Arc::new(BooleanArray::from_iter(rows.iter().map(|row| match row[name] {
            Cell::Truth(truth) => Some(truth),
            _ => None,
        }))),
        "f16" => Arc::new(Float16Array::from_iter(floats().map(|float| float.map(f16::from_f64)))),
        "f32" | "g32" => {
            Arc::new(Float32Array::from_iter(floats().map(|float| float.map(|float| float as f32))))
        }
        "f64" | "g64" | "p64" | "q64" => Arc::new(Float64Array::from_iter(floats())),
        "i8" => Arc::new(Int8Array::from_iter(ints().map(|int| int.map(|int| int as i8)))),
        "i16" => Arc::new(Int16Array::from_iter(ints().map(|int| int.map(|int| int as i16)))),
        "i32" => Arc::new(Int32Array::from_iter(ints().map(|int| int.map(|int| int as i32)))),
        "i64" | "k" => Arc::new(Int64Array::from_iter(ints().map(|int| int.map(|int| int as i64)))),
        "u8" => Arc::new(UInt8Array::from_iter(ints().map(|int| int.map(|int| int as u8)))),
        "u16" => Arc::new(UInt16Array::from_iter(ints().map(|int| int.map(|int| int as u16)))),
        "u32" => Arc::new(UInt32Array::from_iter(ints().map(|int| int.map(|int| int as u32)))),
        _ => Arc::new(UInt64Array::from_iter(ints().map(|int| int.map(|int| int as u64)))),
    }
}
