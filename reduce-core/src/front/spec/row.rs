//! Rows: kernels found by the types of their inputs.

use std::fmt;

use super::{OpSpec, Reduces};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::front::settings::Settings;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::chosen::Choosing;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::view::View;
use crate::values::written::Written;

/// The kernel of an operator for one storage type, or for one of each input, its types erased.
pub struct Row<Op> {
    inputs: &'static [DType],
    run: RunAny<Op>,
}

/// Runs a reduction if the inputs are of the row's types.
type RunAny<Op> = fn(&Op, &Settings, &AnyInputs<'_>) -> Option<Result<Vec<AnyTensor>, Error>>;

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
}

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Stored>() -> Self
    where
        Op: Reduces<T>,
        for<'a> T::Views<'a>: Input<Stored = T>,
    {
        Row {
            inputs: T::DTYPES,
            run: |op, settings, inputs| {
                let AnyInputs { views, mask, skips_nan } = *inputs;
                let input = Choosing { views: T::views(views)?, mask, skips_nan };
                let tensors = settings.tensors(<Op as Reduces<T>>::kernel().bound(op), &input);
                Some(tensors.map(<Op as Reduces<T>>::Output::any))
            },
        }
    }

    /// The type of each input.
    pub fn inputs(&self) -> &'static [DType] {
        self.inputs
    }

    /// The row's results, or nothing if the inputs are of other types.
    pub(crate) fn run(
        &self,
        op: &Op,
        settings: &Settings,
        inputs: &AnyInputs<'_>,
    ) -> Option<Result<Vec<AnyTensor>, Error>> {
        (self.run)(op, settings, inputs)
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
