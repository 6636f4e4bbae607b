//! The geometric mean as DataFusion's guide teaches to write an aggregate.

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Float64Type, UInt64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};

/// The aggregate.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct HandWritten {
    signature: Signature,
}

impl HandWritten {
    pub(crate) fn new() -> Self {
        HandWritten { signature: Signature::exact(vec![DataType::Float64], Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for HandWritten {
    fn name(&self) -> &str {
        "geometric_mean_by_hand"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn accumulator(&self, _args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Logarithms { sum: 0.0, count: 0 }))
    }

    fn state_fields(&self, _args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![
            Field::new("sum", DataType::Float64, true).into(),
            Field::new("count", DataType::UInt64, true).into(),
        ])
    }
}

#[derive(Debug)]
struct Logarithms {
    sum: f64,
    count: u64,
}

impl Accumulator for Logarithms {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let values = values[0].as_primitive::<Float64Type>();
        for value in values.iter().flatten() {
            self.sum += value.ln();
            self.count += 1;
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::from((self.sum / self.count as f64).exp()))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::from(self.sum), ScalarValue::from(self.count)])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let (sums, counts) =
            (states[0].as_primitive::<Float64Type>(), states[1].as_primitive::<UInt64Type>());
        for row in 0..sums.len() {
            self.sum += sums.value(row);
            self.count += counts.value(row);
        }
        Ok(())
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}
