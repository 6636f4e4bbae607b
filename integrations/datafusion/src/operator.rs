//! Operators whose type is forgotten: what is known of each without a type parameter.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result};
use reduce_core::bounds::{Input, Stored, Streams};
use reduce_core::nodes::AttrValue;
use reduce_core::schema::{AttrSchema, OpSchema};
use reduce_core::{AnyGroups, DType, OpSpec, Reduction};

/// An operator at its newest version.
#[derive(Clone)]
pub(crate) struct Operator {
    pub(crate) id: TypeId,
    pub(crate) schema: &'static OpSchema,
    /// The types of the inputs of each row.
    pub(crate) rows: Vec<&'static [DType]>,
    pub(crate) parameters: Vec<AttrSchema>,
    make: Make,
}

/// Makes accumulators of an operator with parameters, over inputs of these types.
type Make = Arc<
    dyn Fn(&[(&str, AttrValue)], &[DType]) -> std::result::Result<AnyGroups, Mistake> + Send + Sync,
>;

/// What the core says of parameters, or of types.
type Mistake = Box<dyn std::error::Error>;

impl Operator {
    pub(crate) fn of<Op: OpSpec>() -> Self {
        let schema = const { &Op::SCHEMA };
        let newest = newest(schema);
        let (dtypes, attrs) =
            schema.at(newest).map(|version| (version.dtypes, version.attrs)).unwrap_or_default();
        // Arrow has none of these.
        let is_unknown =
            |dtype: &DType| matches!(dtype, DType::BF16 | DType::F8E4M3FN | DType::F8E5M2);
        let is_there = |row: &&[DType]| {
            dtypes.iter().any(|dtype| dtype.input == row[0]) && !row.iter().any(is_unknown)
        };
        Operator {
            id: TypeId::of::<Op>(),
            schema,
            rows: Op::ROWS.iter().map(reduce_core::nodes::Row::inputs).filter(is_there).collect(),
            parameters: attrs.into_iter().filter(AttrSchema::is_param).collect(),
            make: Arc::new(|given, inputs| {
                let parameters = Op::SCHEMA.params(given)?;
                Ok(AnyGroups::new(Op::configure(&parameters), inputs)?)
            }),
        }
    }

    /// The operator as a reduction of columns of type `T` runs it.
    pub(crate) fn adapted<Op, T, Adapted>(reduction: fn() -> Reduction<Adapted>) -> Self
    where
        Op: OpSpec,
        T: Stored,
        Adapted: Streams<T>,
        for<'a> T::Views<'a>: Input<Stored = T>,
    {
        Operator {
            id: TypeId::of::<(Adapted, T)>(),
            rows: vec![T::DTYPES],
            parameters: Vec::new(),
            make: Arc::new(move |_, _| Ok(AnyGroups::of::<Adapted, T>(reduction())?)),
            ..Operator::of::<Op>()
        }
    }

    /// The version whose types and parameters count.
    pub(crate) fn version(&self) -> u32 {
        newest(self.schema)
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.rows.first().map_or(1, |row| row.len())
    }

    /// Accumulators of no group yet. An error's sentence begins with the function's name.
    pub(crate) fn groups(
        &self,
        function: &str,
        given: &[(&'static str, AttrValue)],
        inputs: &[DType],
    ) -> Result<AnyGroups> {
        (self.make)(given, inputs)
            .map_err(|mistake| DataFusionError::Plan(format!("`{function}`: {mistake}")))
    }
}

fn newest(schema: &OpSchema) -> u32 {
    schema.last.or(schema.versions.last().copied()).unwrap_or(1)
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Operator").field(&self.schema.name).finish()
    }
}

/// What the core says while a query runs.
pub(crate) fn failed(error: reduce_core::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
