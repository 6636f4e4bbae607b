//! DataFusion shows this documentation of a function to a user who asks.

use datafusion::logical_expr::Documentation;
use datafusion::logical_expr::window_doc_sections::DOC_SECTION_AGGREGATE;

use crate::aggregate::Aggregate;

/// The documentation of an aggregate: the first sentence of its operator, and its arguments.
pub(crate) fn of(aggregate: &Aggregate) -> Documentation {
    let summary = aggregate.members.first().map_or("", |(_, operator)| operator.schema.summary);
    let mut builder = Documentation::builder(DOC_SECTION_AGGREGATE, summary, usage(aggregate));
    for input in inputs(aggregate) {
        builder = builder.with_argument(input, "A column; rows where it is NULL do not count.");
    }
    for parameter in aggregate.parameters() {
        builder =
            builder.with_argument(parameter.name, format!("A literal: {}.", parameter.describe()));
    }
    builder.build()
}

/// How the function is called: `lp_norm(x [, p])`.
pub(crate) fn usage(aggregate: &Aggregate) -> String {
    let parameters = aggregate.parameters();
    let (first, others) = parameters.split_at(aggregate.needed());
    let mut arguments: Vec<&str> = inputs(aggregate);
    arguments.extend(first.iter().map(|parameter| parameter.name));
    let others: String =
        others.iter().map(|parameter| format!(" [, {}]", parameter.name)).collect();
    format!("{}({}{others})", aggregate.name, arguments.join(", "))
}

/// The names of all arguments: `lp_norm(x => growth, p => 3.0)`.
pub(crate) fn names(aggregate: &Aggregate) -> Vec<&'static str> {
    let parameters = aggregate.parameters();
    inputs(aggregate).into_iter().chain(parameters.iter().map(|known| known.name)).collect()
}

/// Names for the inputs. An operator has up to four.
fn inputs(aggregate: &Aggregate) -> Vec<&'static str> {
    ["x", "y", "z", "w"].into_iter().take(aggregate.inputs()).collect()
}
