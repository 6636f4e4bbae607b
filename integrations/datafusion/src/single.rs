//! The accumulator of one group: of a query without `GROUP BY`, and of a window that only grows.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;
use reduce_core::AnyGroups;

use crate::batch::Batch;
use crate::operator::failed;
use crate::prepared::Prepared;

/// One group. Where the operator can take elements out again, its window may slide.
#[derive(Debug)]
pub(crate) struct Single {
    prepared: Arc<Prepared>,
    group: AnyGroups,
}

impl Single {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Result<Self> {
        let group = prepared.groups(1)?;
        Ok(Single { prepared, group })
    }
}

impl Accumulator for Single {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let batch = Batch::new(self.prepared.read(values), None);
        self.group.update_one(&batch.views()?, 0, batch.mask()).map_err(failed)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let batch = Batch::new(self.prepared.read(values), None);
        self.group.remove(&batch.views()?, 0, batch.mask()).map_err(failed)
    }

    fn supports_retract_batch(&self) -> bool {
        self.group.removes()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.prepared.finish(&self.group)?, 0)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let columns = self.prepared.state(&self.group)?;
        columns.iter().map(|column| ScalarValue::try_from_array(column, 0)).collect()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let rows = states.first().map_or(0, Array::len);
        self.prepared.merge(&mut self.group, states, &vec![0; rows])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.group.bytes()
    }
}
