//! The accumulators of all groups of a `GROUP BY`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray};
use datafusion::common::Result;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};
use reduce_core::AnyGroups;

use crate::batch::Batch;
use crate::operator::failed;
use crate::prepared::Prepared;

pub(crate) struct Grouped {
    prepared: Arc<Prepared>,
    groups: AnyGroups,
}

impl Grouped {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Result<Self> {
        let groups = prepared.groups(0)?;
        Ok(Grouped { prepared, groups })
    }

    /// Takes the first groups out, or all.
    fn emit(&mut self, emit_to: EmitTo) -> Result<AnyGroups> {
        let number = match emit_to {
            EmitTo::All => self.groups.len(),
            EmitTo::First(number) => number,
        };
        self.groups.take_first(number).map_err(failed)
    }
}

impl GroupsAccumulator for Grouped {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.groups.grow(total_num_groups).map_err(failed)?;
        let batch = Batch::new(self.prepared.read(values), opt_filter);
        self.groups.update(&batch.views()?, group_indices, batch.mask()).map_err(failed)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let groups = self.emit(emit_to)?;
        self.prepared.finish(&groups)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let groups = self.emit(emit_to)?;
        self.prepared.state(&groups)
    }

    fn merge_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        total_num_groups: usize,
    ) -> Result<()> {
        self.groups.grow(total_num_groups).map_err(failed)?;
        self.prepared.merge(&mut self.groups, values, group_indices)
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        opt_filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let batch = Batch::new(self.prepared.read(values), opt_filter);
        let mut groups = self.prepared.groups(batch.rows())?;
        let keys: Vec<usize> = (0..batch.rows()).collect();
        groups.update(&batch.views()?, &keys, batch.mask()).map_err(failed)?;
        self.prepared.state(&groups)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.groups.bytes()
    }
}
