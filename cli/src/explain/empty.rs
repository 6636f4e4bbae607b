//! The value over an empty set, found by asking the operator.

use reduce_core::schema::{Empty, VersionSchema};
use reduce_core::{AnyView, DType, Node, OpEntry, View};

use super::grouped;
use crate::error::Error;
use crate::scalar::{Scalar, with_dtype, with_tensor};

/// One line per value, with the types that have it.
pub(super) fn values(
    entry: &'static OpEntry,
    version: &VersionSchema,
) -> Result<Vec<String>, Error> {
    let mut values = Vec::new();
    for row in &version.dtypes {
        let value = match row.empty {
            Empty::Error => "an error".to_owned(),
            Empty::Identity => value(entry, version.since, row.input)?,
        };
        values.push((value, row.input));
    }
    Ok(grouped(values))
}

fn value(entry: &'static OpEntry, since: u32, dtype: DType) -> Result<String, Error> {
    let call = entry.prepare(&Node::new(since, dtype))?;
    let empty: AnyView<'_> = with_dtype!(dtype, T => View::<T>::new(&[], &[0])?.into());
    let result = call.run(&empty)?;
    Ok(with_tensor!(&result, t => t.data().first().map_or_else(String::new, |x| x.text())))
}
