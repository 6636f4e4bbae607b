//! Rows: kernels found by the types of their inputs.

use std::fmt;

use smallvec::SmallVec;

use super::{OpSpec, Reduces};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::front::settings::Settings;
use crate::kernel::{AnyKernel, LaidOut, OpKernel, PlannedKernel};
use crate::values::any::{AnyTensor, AnyView};
use crate::values::erased::AnyData;
use crate::values::layout::Layout;
use crate::values::stored::{INPUTS, Stored};
use crate::values::view::View;

/// The kernel of an operator for one storage type, or for one of each input, its types erased.
pub struct Row<Op> {
    inputs: &'static [DType],
    kernel: fn() -> OpKernel<Op>,
}

/// Inputs whose types are known at run time, and which of their elements count.
#[derive(Clone, Copy)]
pub(crate) struct AnyInputs<'a> {
    pub(crate) views: &'a [AnyView<'a>],
    /// If there is a mask, elements count for which it is true.
    pub(crate) mask: Option<&'a View<'a, bool>>,
    pub(crate) skips_nan: bool,
}

impl<'a> AnyInputs<'a> {
    /// Inputs whose elements all count.
    pub(crate) fn all(views: &'a [AnyView<'a>]) -> Self {
        AnyInputs { views, mask: None, skips_nan: false }
    }

    /// The results of a kernel over the inputs.
    ///
    /// # Errors
    /// If the kernel does not take the inputs, or the CPU lacks the level asked for.
    pub(crate) fn results(
        &self,
        kernel: AnyKernel<'_>,
        settings: &Settings,
    ) -> Result<SmallVec<[AnyTensor; 1]>, Error> {
        let AnyInputs { views, mask, skips_nan } = *self;
        let masks = || mask.into_iter();
        let layouts = views.iter().map(Layout::from).chain(masks().map(Layout::from));
        let inputs: SmallVec<[Layout; 1]> = layouts.collect();
        let data = views.iter().map(AnyData::from).chain(masks().map(AnyData::from));
        let data: SmallVec<[AnyData<'_>; INPUTS]> = data.collect();
        let laid_out = LaidOut { inputs: &inputs, is_masked: mask.is_some(), outputs: &[] };
        let planned = PlannedKernel::new(kernel, laid_out, settings.settled(skips_nan)?)?;
        planned.tensors(&data, settings.crew())
    }
}

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Stored>() -> Self
    where
        Op: Reduces<T>,
    {
        Row { inputs: T::DTYPES, kernel: || <Op as Reduces<T>>::kernel().of_op() }
    }

    /// The type of each input.
    pub fn inputs(&self) -> &'static [DType] {
        self.inputs
    }

    /// The kernel of the operator for inputs of these types.
    ///
    /// # Errors
    /// If it has no such row.
    pub(crate) fn kernel_for(inputs: &[DType]) -> Result<OpKernel<Op>, Error> {
        match Op::ROWS.iter().find(|row| row.inputs == inputs) {
            Some(row) => Ok((row.kernel)()),
            None => Err(no_row::<Op>(inputs).into()),
        }
    }
}

impl<Op> fmt::Debug for Row<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.inputs).finish()
    }
}

/// The error of an operator without a row for inputs of these types.
pub(crate) fn no_row<Op: OpSpec>(inputs: &[DType]) -> ErrorKind {
    let found = inputs.len();
    match Op::ROWS.first().map_or(1, |row| row.inputs().len()) {
        expected if expected != found => ErrorKind::InputCount { expected, found },
        _ => {
            // The first input that no row has in its place.
            let at = |place: usize| Op::ROWS.iter().map(move |row| row.inputs()[place]);
            let other = |&place: &usize| at(place).all(|dtype| dtype != inputs[place]);
            let place = (0..found).find(other).unwrap_or(0);
            let mut allowed: Vec<_> = at(place).collect();
            allowed.dedup();
            ErrorKind::DTypeNotAllowed { dtype: inputs[place], allowed, elsewhere: Vec::new() }
        }
    }
}
