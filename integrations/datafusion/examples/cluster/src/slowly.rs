//! `slowly(x)` is `x`. On an executor it takes its time over each batch of rows and reports it, so
//! that a query lasts long enough to lose an executor, and so that it is known which one is at work.

use std::time::Duration;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

/// The line that an executor writes to its standard output when it has begun a batch.
pub(crate) const BEGUN: &str = "begun";

/// `slowly` of an executor.
pub(crate) fn on_executor() -> ScalarUDF {
    Slowly::new(Some(Duration::from_millis(100))).into()
}

/// `slowly` of every other process: it takes no time.
pub(crate) fn elsewhere() -> ScalarUDF {
    Slowly::new(None).into()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Slowly {
    pause: Option<Duration>,
    signature: Signature,
}

impl Slowly {
    fn new(pause: Option<Duration>) -> Self {
        // Volatile: no plan may leave the call out or move it to another process.
        let signature = Signature::any(1, Volatility::Volatile);
        Slowly { pause, signature }
    }
}

impl ScalarUDFImpl for Slowly {
    fn name(&self) -> &str {
        "slowly"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(types[0].clone())
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if let Some(pause) = self.pause {
            println!("{BEGUN}");
            std::thread::sleep(pause);
        }
        Ok(args.args.remove(0))
    }
}
