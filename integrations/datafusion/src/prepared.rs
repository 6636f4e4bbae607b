//! An aggregate in a query: types and parameters are known.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use reduce_core::nodes::AttrValue;
use reduce_core::{AnyGroups, DType, arrow};

use crate::aggregate::Aggregate;
use crate::batch::Batch;
use crate::operator::{Operator, failed};
use crate::results::Results;
use crate::{state, types, undefined};

/// What accumulators of all three kinds are made from.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    function: String,
    operator: Operator,
    given: Vec<(&'static str, AttrValue)>,
    inputs: Vec<DType>,
    results: Results,
    is_packed: bool,
    is_null_undefined: bool,
    is_uncounted: bool,
}

impl Prepared {
    /// An aggregate over columns of these types, with values of its first parameters.
    pub(crate) fn new(
        aggregate: &Aggregate,
        columns: &[DataType],
        given: &[AttrValue],
    ) -> Result<Self> {
        let settings = aggregate.settings(given)?;
        let Some(inputs) = aggregate.reading.choose(&settings.operator.rows, columns) else {
            return refuse(&aggregate.name, settings.operator, columns);
        };
        Ok(Prepared {
            function: aggregate.name.clone(),
            operator: settings.operator.clone(),
            given: settings.given,
            inputs: inputs.to_vec(),
            results: Results::of(aggregate, settings.length),
            is_packed: aggregate.size.is_some(),
            is_null_undefined: aggregate.is_null_undefined,
            is_uncounted: aggregate.is_uncounted,
        })
    }

    /// The same where no parameter is known yet, since types do not depend on them: of the least length, if it is a
    /// family, and with the operator's own values.
    pub(crate) fn typed(aggregate: &Aggregate, columns: &[DataType]) -> Result<Self> {
        let prepared = Prepared::new(aggregate, columns, aggregate.smallest().as_slice())?;
        Ok(Prepared { given: Vec::new(), ..prepared })
    }

    /// The number of columns that are read; literals stand behind them.
    pub(crate) fn width(&self) -> usize {
        self.inputs.len()
    }

    /// The types that columns are made into.
    pub(crate) fn columns(&self) -> Vec<DataType> {
        self.inputs.iter().copied().map(types::column).collect()
    }

    /// The accumulators of `number` groups that have seen nothing.
    pub(crate) fn groups(&self, number: usize) -> Result<AnyGroups> {
        let mut groups = self.operator.groups(&self.function, &self.given, &self.inputs)?;
        groups.grow(number).map_err(failed)?;
        Ok(groups)
    }

    /// The columns of a batch that the operator reads.
    pub(crate) fn read<'a>(&self, columns: &'a [ArrayRef]) -> &'a [ArrayRef] {
        &columns[..self.width().min(columns.len())]
    }

    /// One column of results, a row for each group.
    pub(crate) fn finish(&self, groups: &AnyGroups) -> Result<ArrayRef> {
        let tensors = groups.finish().map_err(failed)?;
        let finite = match self.is_null_undefined && tensors.iter().any(undefined::has_nan) {
            true => Some(undefined::finite(groups)?),
            false => None,
        };
        self.results.column(tensors, &groups.seen(), finite.as_ref())
    }

    /// The types of the columns of a state.
    pub(crate) fn state_types(&self) -> Result<Vec<DataType>> {
        Ok(state::types(&self.fields(&self.groups(0)?), self.is_packed))
    }

    /// The types of the fields of a state.
    fn fields(&self, groups: &AnyGroups) -> Vec<DType> {
        let mut fields = groups.column_dtypes();
        if self.is_uncounted {
            fields[0] = DType::U8;
        }
        fields
    }

    /// The columns of a state, a row for each group.
    pub(crate) fn state(&self, groups: &AnyGroups) -> Result<Vec<ArrayRef>> {
        let tensors = groups.columns().map_err(failed)?;
        let mut columns: Vec<ArrayRef> = tensors.into_iter().map(arrow::array).collect();
        if self.is_uncounted {
            columns[0] = state::ranks(&columns[0]);
        }
        if self.is_packed { Ok(vec![state::pack(&columns)?]) } else { Ok(columns) }
    }

    /// Merges a state, each row of it into a group.
    pub(crate) fn merge(
        &self,
        groups: &mut AnyGroups,
        state: &[ArrayRef],
        keys: &[usize],
    ) -> Result<()> {
        let mut columns = match (self.is_packed, state) {
            (true, [packed]) => state::unpack(packed, &self.fields(groups))?,
            _ => state.to_vec(),
        };
        if let Some(first) = columns.first_mut().filter(|_| self.is_uncounted) {
            *first = state::counts(first)?;
        }
        let batch = Batch::new(&columns, None);
        groups.merge_columns(&batch.views()?, keys, batch.mask()).map_err(failed)
    }
}

fn refuse<T>(function: &str, operator: &Operator, columns: &[DataType]) -> Result<T> {
    let words = |types: &mut dyn Iterator<Item = String>| types.collect::<Vec<_>>().join(", ");
    let given = words(&mut columns.iter().map(ToString::to_string));
    let row = |row: &&'static [DType]| {
        words(&mut row.iter().map(|&dtype| types::column(dtype).to_string()))
    };
    let rows: Vec<String> = operator.rows.iter().map(row).map(|row| format!("({row})")).collect();
    plan_err!("`{function}` does not take ({given}); cast to one of {}", rows.join(", "))
}
