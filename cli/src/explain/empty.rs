//! The value over an empty set, found by asking the operator.

use reduce_core::dtypes::{with_any, with_dtype};
use reduce_core::schema::{Empty, VersionSchema};
use reduce_core::{AnyTensor, AnyView, DType, Level, View};

use super::grouped;
use crate::error::Error;
use crate::operators::{Operator, Request};
use crate::scalar::Scalar;

/// One line per value, with the types that have it.
pub(super) fn values(operator: Operator, version: &VersionSchema) -> Result<Vec<String>, Error> {
    let mut values = Vec::new();
    for row in &version.dtypes {
        let value = match row.empty {
            Empty::Error => "an error".to_owned(),
            Empty::Identity => value(operator, version.since, row.input)?,
        };
        values.push((value, row.input));
    }
    Ok(grouped(values))
}

/// The value of each result, with commas between them.
fn value(operator: Operator, since: u32, dtype: DType) -> Result<String, Error> {
    let attrs = operator.smallest().into_iter().collect();
    let (level, axes, skip_nan) = (Level::best(), None, false);
    let request = Request { opset: since, axes, attrs, skip_nan, level };
    let rows = operator.types_of_inputs();
    let row = rows.iter().find(|row| row[0] == dtype).copied().unwrap_or(&[]);
    let dtypes = if row.is_empty() { std::slice::from_ref(&dtype) } else { row };
    let empty = |dtype: &DType| -> Result<AnyView<'static>, Error> {
        Ok(with_dtype!(*dtype, T => View::<T>::new(&[], &[0])?.into()))
    };
    let views = dtypes.iter().map(empty).collect::<Result<Vec<_>, _>>()?;
    let results = operator.prepare(&request, dtypes)?.run(&views, None, None)?;
    let first = |result: &AnyTensor| with_any!(AnyTensor, result, t => t.data().first().map_or_else(String::new, |x| x.text()));
    Ok(results.iter().map(first).collect::<Vec<_>>().join(", "))
}
