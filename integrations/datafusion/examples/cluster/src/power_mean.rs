//! An aggregate written by hand: the power mean `(mean of x^p)^(1/p)`, of a power `p` that is fixed
//! when the function is made. The plan's name of it does not tell `p`: a codec must.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Float64Type, UInt64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PowerMean {
    pub power: i32,
    signature: Signature,
}

impl PowerMean {
    pub fn new(power: i32) -> Self {
        let signature = Signature::exact(vec![DataType::Float64], Volatility::Immutable);
        PowerMean { power, signature }
    }
}

impl AggregateUDFImpl for PowerMean {
    fn name(&self) -> &str {
        "power_mean"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn state_fields(&self, _: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![
            Arc::new(Field::new("sum", DataType::Float64, false)),
            Arc::new(Field::new("count", DataType::UInt64, false)),
        ])
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Sum { power: self.power, sum: 0.0, count: 0 }))
    }
}

#[derive(Debug)]
struct Sum {
    power: i32,
    sum: f64,
    count: u64,
}

impl Accumulator for Sum {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for x in values[0].as_primitive::<Float64Type>().iter().flatten() {
            self.sum += x.powi(self.power);
            self.count += 1;
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.sum += states[0].as_primitive::<Float64Type>().iter().flatten().sum::<f64>();
        self.count += states[1].as_primitive::<UInt64Type>().iter().flatten().sum::<u64>();
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.sum.into(), self.count.into()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mean = (self.sum / self.count as f64).powf(1.0 / f64::from(self.power));
        Ok(ScalarValue::Float64((self.count > 0).then_some(mean)))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}
