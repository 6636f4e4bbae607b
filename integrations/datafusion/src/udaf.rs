//! An aggregate as DataFusion asks for it.

use std::any::TypeId;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::function::{
    AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs,
};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, Expr, GroupsAccumulator, ReversedUDAF, Signature,
    Volatility,
};

use crate::aggregate::Aggregate;
use crate::grouped::Grouped;
use crate::prepared::Prepared;
use crate::single::Single;
use crate::sliding::Sliding;
use crate::{documentation, literals, trial};

/// A function of DataFusion.
pub(crate) struct Udaf {
    aggregate: Arc<Aggregate>,
    signature: Signature,
    documentation: Documentation,
    /// Why every query with this function is refused.
    refusal: Option<String>,
}

impl Udaf {
    pub(crate) fn new(aggregate: Aggregate) -> Self {
        Udaf {
            signature: signature(&aggregate),
            documentation: documentation::of(&aggregate),
            refusal: refusal(&aggregate),
            aggregate: Arc::new(aggregate),
        }
    }

    pub(crate) fn aggregate(&self) -> &Aggregate {
        &self.aggregate
    }

    fn prepare(&self, args: &AccumulatorArgs<'_>) -> Result<Arc<Prepared>> {
        check_clauses(&self.aggregate.name, args.is_distinct, args.ignore_nulls)?;
        let width = self.inputs();
        let types: Vec<DataType> =
            args.expr_fields.iter().take(width).map(|field| field.data_type().clone()).collect();
        let given =
            literals::of_plan(&self.aggregate, args.exprs.get(width..).unwrap_or_default())?;
        Ok(Arc::new(Prepared::new(&self.aggregate, &types, &given)?))
    }

    /// The aggregate over columns of these types, for all that does not depend on values of parameters.
    fn typed(&self, types: &[DataType]) -> Result<Prepared> {
        Prepared::typed(&self.aggregate, &types[..self.inputs().min(types.len())])
    }

    fn inputs(&self) -> usize {
        self.aggregate.inputs()
    }
}

/// DataFusion shows functions in plans and in errors, where few words are enough.
impl fmt::Debug for Udaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Udaf").field(&documentation::usage(&self.aggregate)).finish()
    }
}

/// What a query may write: arguments in order, or by name. They have no names if two were the same.
fn signature(aggregate: &Aggregate) -> Signature {
    let signature = Signature::user_defined(Volatility::Immutable);
    let named = signature.clone().with_parameter_names(documentation::names(aggregate));
    named.unwrap_or(signature)
}

/// What is the same in two functions that do the same.
type Identity = (String, Vec<(usize, TypeId)>);

impl Udaf {
    fn identity(&self) -> Identity {
        let Aggregate { name, aliases, results, only, .. } = self.aggregate();
        let Aggregate { positions, is_exact, defaults, size, members, .. } = self.aggregate();
        let Aggregate { required, reading, is_null_undefined, is_uncounted, .. } = self.aggregate();
        let form = (positions, is_exact, defaults, size, required, reading);
        let flags = (is_null_undefined, is_uncounted);
        (
            format!("{name}{aliases:?}{results:?}{only:?}{form:?}{flags:?}"),
            members.iter().map(|(size, operator)| (*size, operator.id)).collect(),
        )
    }
}

impl PartialEq for Udaf {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Udaf {}

impl Hash for Udaf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// Why an aggregate cannot be computed over rows, which have no order.
fn refusal(aggregate: &Aggregate) -> Option<String> {
    let name = &aggregate.name;
    let (_, operator) = aggregate.members.first()?;
    if !operator.schema.commutative {
        return Some(format!(
            "`{name}` depends on the order of its elements, and rows of a query have none; \
             reduce a tensor with it instead"
        ));
    }
    trial::shows_positions(aggregate).unwrap_or(false).then(|| {
        format!(
            "`{name}` gives positions of elements, and rows of a query have none; show a result that is \
             no position, by `Aggregate::only`"
        )
    })
}

/// Refuses clauses that would not be heeded.
fn check_clauses(name: &str, is_distinct: bool, ignores_nulls: bool) -> Result<()> {
    if is_distinct {
        return plan_err!("`{name}` takes no DISTINCT; select distinct rows in a subquery");
    }
    if ignores_nulls {
        return plan_err!("`{name}` takes no IGNORE NULLS; rows with NULL never count");
    }
    Ok(())
}

impl AggregateUDFImpl for Udaf {
    fn name(&self) -> &str {
        &self.aggregate.name
    }

    fn aliases(&self) -> &[String] {
        &self.aggregate.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        if let Some(refusal) = &self.refusal {
            return plan_err!("{refusal}");
        }
        self.aggregate.check_number(given.len())?;
        let (inputs, parameters) = (self.inputs(), self.aggregate.parameters());
        let mut types = self.typed(given)?.columns();
        for (parameter, literal) in parameters.iter().zip(&given[inputs..]) {
            types.push(parameter.coerced(&self.aggregate.name, literal)?);
        }
        Ok(types)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let prepared = self.typed(types)?;
        Ok(prepared.finish(&prepared.groups(0)?)?.data_type().clone())
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let types: Vec<DataType> =
            args.input_fields.iter().map(|field| field.data_type().clone()).collect();
        let columns = self.typed(&types)?.state_types()?.into_iter().enumerate();
        let field = |(place, column)| {
            Arc::new(Field::new(
                format_state_name(args.name, &format!("state{place}")),
                column,
                true,
            ))
        };
        Ok(columns.map(field).collect())
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Single::new(self.prepare(&args)?)?))
    }

    fn create_sliding_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn Accumulator>> {
        let prepared = self.prepare(&args)?;
        let single = Single::new(Arc::clone(&prepared))?;
        if single.supports_retract_batch() {
            Ok(Box::new(single))
        } else {
            Ok(Box::new(Sliding::new(prepared)?))
        }
    }

    fn groups_accumulator_supported(&self, _args: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Grouped::new(self.prepare(&args)?)?))
    }

    /// Checks clauses and literals as soon as DataFusion shows them. The expression stays as it is.
    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        let aggregate = Arc::clone(&self.aggregate);
        Some(Box::new(move |function: AggregateFunction, _| {
            check_clauses(&aggregate.name, function.params.distinct, false)?;
            let arguments = function.params.args.get(aggregate.inputs()..).unwrap_or_default();
            if let Some(given) = literals::of_query(&aggregate, arguments)? {
                aggregate.check_given(&given)?;
            }
            Ok(Expr::AggregateFunction(function))
        }))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }
}
