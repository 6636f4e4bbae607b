//! The table of the example: several Parquet files of made-up rows.

use std::fs::{File, create_dir_all};
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;

use crate::Result;

/// Files of the table, so that there is something to share out.
pub(crate) const FILES: usize = 8;
/// Rows of each file.
pub(crate) const ROWS: usize = 50_000;

const GROUPS: [&str; 6] = ["amber", "blue", "cyan", "grey", "red", "void"];

/// Writes the table's files to `folder`.
pub(crate) fn write(folder: &Path) -> Result<()> {
    create_dir_all(folder)?;
    for file in 0..FILES {
        let rows = || file * ROWS..(file + 1) * ROWS;
        let g: StringArray = rows().map(|row| Some(group(row))).collect();
        let x: Float64Array = rows().map(value).collect();
        let batch =
            RecordBatch::try_from_iter([("g", Arc::new(g) as ArrayRef), ("x", Arc::new(x))])?;
        let path = folder.join(format!("part-{file}.parquet"));
        let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), None)?;
        writer.write(&batch)?;
        writer.close()?;
    }
    Ok(())
}

fn group(row: usize) -> &'static str {
    GROUPS[row * 31 % 1009 % GROUPS.len()]
}

/// A number between 0.5 and 10.5; NULL in every eleventh row, and in all rows of one group.
fn value(row: usize) -> Option<f64> {
    let known = !row.is_multiple_of(11) && group(row) != "void";
    known.then(|| 0.5 + (row * 7919 % 100_003) as f64 / 10_000.3)
}
