//! Literals of a query, which are the values of parameters.

use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{ColumnarValue, Expr};
use datafusion::physical_expr::PhysicalExpr;
use reduce_core::nodes::AttrValue;

use crate::aggregate::Aggregate;
use crate::parameters::Parameter;

/// The values that follow the inputs in a plan that is about to run.
pub(crate) fn of_plan(
    aggregate: &Aggregate,
    arguments: &[Arc<dyn PhysicalExpr>],
) -> Result<Vec<AttrValue>> {
    let read = |(parameter, argument): (&Parameter, &Arc<dyn PhysicalExpr>)| {
        // A column cannot be evaluated over nothing.
        let nothing = RecordBatch::new_empty(Arc::new(Schema::empty()));
        match argument.evaluate(&nothing) {
            Ok(ColumnarValue::Scalar(value)) => parameter.read(&aggregate.name, &value),
            _ => no_literal(aggregate, parameter, argument),
        }
    };
    aggregate.parameters().iter().zip(arguments).map(read).collect()
}

/// The values that follow the inputs in a query. `None` where one is not known yet, in a prepared statement.
pub(crate) fn of_query(
    aggregate: &Aggregate,
    arguments: &[Expr],
) -> Result<Option<Vec<AttrValue>>> {
    let read = |(parameter, argument): (&Parameter, &Expr)| match bare(argument) {
        Expr::Placeholder(_) => Ok(None),
        Expr::Literal(value, _) => parameter.read(&aggregate.name, value).map(Some),
        other => no_literal(aggregate, parameter, other),
    };
    aggregate.parameters().iter().zip(arguments).map(read).collect()
}

/// What is given another name, or cast.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Alias(alias) => bare(&alias.expr),
        Expr::Cast(cast) => bare(&cast.expr),
        other => other,
    }
}

fn no_literal<T>(
    aggregate: &Aggregate,
    parameter: &Parameter,
    found: &impl std::fmt::Display,
) -> Result<T> {
    plan_err!("parameter `{}` of `{}` is {found}; give a literal", parameter.name, aggregate.name)
}
