//! Some of an operator's storage types, chosen by whoever runs it by name.

use super::{OpSpec, Reduces, Row};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::front::spec::row::no_row;
use crate::kernel::{OpEmission, OpKernel};
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// Storage types that an operator has kernels for: a tuple of up to eight of them, such as `(f32, i32)`. Of an operator of
/// several inputs, each is again a tuple: `((f32, f32), (f64, f64))`.
///
/// They say for which types an [`OpEntry`](crate::nodes::OpEntry::with_types) has kernels.
#[diagnostic::on_unimplemented(
    message = "`{Op}` has no kernels for all of `{Self}`",
    label = "a type that `dtypes` of the operator's `#[reduce_op(..)]` does not name, or no tuple of types",
    note = "a single type is a tuple, too: `(f32,)`"
)]
pub trait KernelTypes<Op: 'static> {
    /// A kernel for each type.
    #[doc(hidden)]
    const ROWS: &'static [Row<Op>];
}

/// All types that the spec of an operator names.
#[derive(Debug)]
pub(crate) enum AllTypes {}

impl<Op: OpSpec> KernelTypes<Op> for AllTypes {
    const ROWS: &'static [Row<Op>] = Op::ROWS;
}

macro_rules! tuples {
    ($(($($T:ident . $index:tt),+))*) => {$(
        impl<Op: OpSpec + $(Reduces<$T> +)+, $($T: Stored),+> KernelTypes<Op> for ($($T,)+) {
            const ROWS: &'static [Row<Op>] = &[$(Row::new::<$T>()),+];
        }
    )*};
}

for_tuples!(tuples);

/// The kernel of an operator for inputs of some types, one of those that were chosen.
///
/// # Errors
/// If there is none.
pub(crate) fn kernel_for<Op: OpSpec, T: KernelTypes<Op>>(
    inputs: &[DType],
) -> Result<OpKernel<Op>, Error> {
    match T::ROWS.iter().find(|row| row.inputs() == inputs) {
        Some(row) => Ok(row.kernel()),
        None => Err(no_row(T::ROWS, inputs).into()),
    }
}

/// How an operator emits over inputs of some types, one of those that were chosen: the first are reduced, and others lie
/// beside them.
///
/// # Errors
/// If it does not.
pub(crate) fn emission_for<Op: OpSpec, T: KernelTypes<Op>>(
    inputs: &[DType],
) -> Result<OpEmission<Op>, Error> {
    let reduced = T::ROWS.first().map_or(1, |row| row.inputs().len());
    check_count(Op::SCHEMA.emits, reduced, inputs.len())?;
    let front = &inputs[..reduced];
    let Some(row) = T::ROWS.iter().find(|row| row.inputs() == front) else {
        return Err(no_row(T::ROWS, front).into());
    };
    let Some(emission) = row.emission(reduced < inputs.len()) else {
        return Err(ErrorKind::EmitsNothing.into());
    };
    check_beside(emission.inputs(), inputs)?;
    Ok(emission)
}

/// Checks how many inputs there are. It is compiled once, and not for each operator, as the next check is.
///
/// # Errors
/// If there are more or fewer than the operator takes when it emits in one of its ways.
fn check_count(beside: &[usize], reduced: usize, found: usize) -> Result<(), Error> {
    if beside.iter().any(|beside| reduced + beside == found) {
        return Ok(());
    }
    let expected = beside.iter().map(|beside| reduced + beside).collect();
    Err(ErrorKind::EmissionInputs { expected, found }.into())
}

/// Checks the types of inputs, of which the first were found to be right.
///
/// # Errors
/// If one is of another type.
fn check_beside(expected: &[DType], inputs: &[DType]) -> Result<(), Error> {
    match expected.iter().zip(inputs).find(|(expected, found)| expected != found) {
        None => Ok(()),
        Some((&expected, &found)) => {
            Err(ErrorKind::InputDType { input: "beside the data", expected, found }.into())
        }
    }
}
