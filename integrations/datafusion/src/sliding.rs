//! Windows that slide, of operators that cannot take an element out again.
//!
//! A maximum does not know what it was before its last element. So such a window is kept as a queue of two parts
//! (the two stacks of Tangwongsan, Hirzel and Schneider). Rows enter at the *back*, which has one accumulator, and
//! keeps the rows themselves. They leave at the *front*, which has an accumulator for each row: over this row and all
//! of the front behind it. The window is the first accumulator of the front, merged with that of the back. When the
//! front has no row left, the back becomes the front.
//!
//! The accumulators of a front of `n` rows are made all at once, by doubling. At first each holds its own row. Then each takes
//! what its neighbour holds, then what the second behind it holds, the fourth, and so on, until none holds less than
//! the rest of the front. These are `log n` passes over columns. So a row costs `log n` merges, however it moves; nothing is ever subtracted.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::arrow::compute::concat;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::Accumulator;
use reduce_core::AnyGroups;

use crate::batch::Batch;
use crate::operator::failed;
use crate::prepared::Prepared;

/// A window, as a queue of rows.
#[derive(Debug)]
pub(crate) struct Sliding {
    prepared: Arc<Prepared>,
    /// A group for each row of the front. The first `left` rows have left.
    front: AnyGroups,
    left: usize,
    /// One group.
    back: AnyGroups,
    /// The columns of the rows of the back, batch by batch.
    rows: Vec<Vec<ArrayRef>>,
}

impl Sliding {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Result<Self> {
        let (front, back) = (prepared.groups(0)?, prepared.groups(1)?);
        Ok(Sliding { prepared, front, left: 0, back, rows: Vec::new() })
    }

    /// The rows of the front that have not left.
    fn front_rows(&self) -> usize {
        self.front.len() - self.left
    }

    /// Makes the back the front, which is empty.
    fn turn(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let column = |place: usize| {
            let pieces: Vec<&dyn Array> = rows.iter().map(|batch| batch[place].as_ref()).collect();
            concat(&pieces)
        };
        let width = rows.first().map_or(0, Vec::len);
        let columns = (0..width).map(column).collect::<std::result::Result<Vec<_>, _>>()?;
        let batch = Batch::new(&columns, None);
        let mut groups = self.prepared.groups(batch.rows())?;
        let keys: Vec<usize> = (0..batch.rows()).collect();
        groups.update(&batch.views()?, &keys, batch.mask()).map_err(failed)?;
        let mut reach = 1;
        while reach < batch.rows() {
            let behind = self.prepared.state(&groups)?;
            let behind: Vec<ArrayRef> =
                behind.iter().map(|column| column.slice(reach, batch.rows() - reach)).collect();
            self.prepared.merge(&mut groups, &behind, &keys[..batch.rows() - reach])?;
            reach *= 2;
        }
        self.front = groups;
        self.left = 0;
        self.back = self.prepared.groups(1)?;
        Ok(())
    }

    /// The whole window, as one group.
    fn window(&self) -> Result<AnyGroups> {
        let mut whole = self.prepared.groups(1)?;
        if self.front_rows() > 0 {
            whole.merge_one(&self.front, self.left, 0).map_err(failed)?;
        }
        whole.merge_one(&self.back, 0, 0).map_err(failed)?;
        Ok(whole)
    }
}

impl Accumulator for Sliding {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let columns = self.prepared.read(values);
        let batch = Batch::new(columns, None);
        if batch.rows() > 0 {
            self.back.update_one(&batch.views()?, 0, batch.mask()).map_err(failed)?;
            self.rows.push(columns.to_vec());
        }
        Ok(())
    }

    /// The oldest rows leave. Only their number is looked at, in which rows with NULL count as they do when they enter.
    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let mut leaving = values.first().map_or(0, Array::len);
        while leaving > 0 {
            if self.front_rows() == 0 {
                if self.rows.is_empty() {
                    return exec_err!("{leaving} more rows leave a window than have entered it");
                }
                self.turn()?;
            }
            let now = leaving.min(self.front_rows());
            self.left += now;
            leaving -= now;
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.prepared.finish(&self.window()?)?, 0)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let columns = self.prepared.state(&self.window()?)?;
        columns.iter().map(|column| ScalarValue::try_from_array(column, 0)).collect()
    }

    fn merge_batch(&mut self, _states: &[ArrayRef]) -> Result<()> {
        exec_err!("a state cannot be merged into a window that slides")
    }

    fn size(&self) -> usize {
        let columns = self.rows.iter().flatten();
        let arrays: usize =
            columns.map(|column| column.to_data().get_slice_memory_size().unwrap_or(0)).sum();
        size_of_val(self) + self.front.bytes() + self.back.bytes() + arrays
    }
}
