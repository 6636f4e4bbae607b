//! The builder of an aggregate.

use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::AggregateUDF;
use reduce_core::{AttrValue, OpSpec};

use crate::operator::Operator;
use crate::parameters::{Parameter, Value};
use crate::udaf::Udaf;

/// An operator as an aggregate function of DataFusion, before it is registered.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use reduce_datafusion::Aggregate;
/// use reduce_gallery::MeanVariance;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::common::Result<()> {
/// let ctx = SessionContext::new();
/// ctx.register_udaf(Aggregate::of::<MeanVariance>().results(["mean", "variance"]).into());
/// let rows = ctx.sql("SELECT get_field(mean_variance(x), 'variance') FROM (VALUES (1.0), (3.0)) AS t(x)").await?;
/// assert_eq!(rows.collect().await?[0].column(0).as_ref(), &datafusion::arrow::array::Float64Array::from(vec![1.0]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Aggregate {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) results: Vec<String>,
    pub(crate) only: Option<usize>,
    pub(crate) positions: Option<usize>,
    pub(crate) is_exact: bool,
    pub(crate) defaults: Vec<(String, AttrValue)>,
    pub(crate) size: Option<&'static str>,
    /// One operator, or a family's members, the smallest first.
    pub(crate) members: Vec<(usize, Operator)>,
}

/// What is left to choose once parameters are known.
pub(crate) struct Settings<'a> {
    pub(crate) operator: &'a Operator,
    pub(crate) given: Vec<(&'static str, AttrValue)>,
    /// How long the arrays of a family's results are.
    pub(crate) length: Option<usize>,
}

impl Aggregate {
    /// The aggregate of an operator. It is called as the operator is, in lower case and with underscores:
    /// `ReduceLogSumExp` becomes `reduce_log_sum_exp`.
    pub fn of<Op: OpSpec>() -> Self {
        Aggregate::new(snake_case(Op::SCHEMA.name), None, vec![(0, Operator::of::<Op>())])
    }

    /// An aggregate whose first parameter is the length of its result: `top_k(x, 3)`. Add operators of some sizes by
    /// [`size`](Self::size). The smallest that is as long as the query asks for computes the result, which is then
    /// cut to length; a list.
    ///
    /// ```
    /// use reduce_datafusion::Aggregate;
    /// use reduce_gallery::Moments;
    ///
    /// let moments = Aggregate::sized("moments", "n").size::<Moments<2>>(2).size::<Moments<4>>(4).udaf();
    /// assert_eq!(moments.name(), "moments");
    /// ```
    pub fn sized(name: impl Into<String>, parameter: &'static str) -> Self {
        Aggregate::new(name.into(), Some(parameter), Vec::new())
    }

    fn new(name: String, size: Option<&'static str>, members: Vec<(usize, Operator)>) -> Self {
        Aggregate {
            name,
            aliases: Vec::new(),
            results: Vec::new(),
            only: None,
            positions: None,
            is_exact: false,
            defaults: Vec::new(),
            size,
            members,
        }
    }

    /// Adds the operator of one size to a family. All have the same inputs, parameters and results.
    #[must_use]
    pub fn size<Op: OpSpec>(mut self, size: usize) -> Self {
        self.members.push((size, Operator::of::<Op>()));
        self.members.sort_by_key(|&(size, _)| size);
        self
    }

    /// Another name than the operator's.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// One more name.
    #[must_use]
    pub fn alias(mut self, alias: impl Into<String>) -> Self {
        self.aliases.push(alias.into());
        self
    }

    /// The names of several results, which are the fields of a struct; without them, `c0`, `c1` and so on.
    #[must_use]
    pub fn results<const N: usize>(mut self, names: [&str; N]) -> Self {
        self.results = names.map(str::to_owned).into();
        self
    }

    /// Shows one of several results, counted from 0, and no struct.
    #[must_use]
    pub fn only(mut self, result: usize) -> Self {
        self.only = Some(result);
        self
    }

    /// Says which result of a family has the positions of elements. Where a position is negative there is no
    /// element: lists of groups with fewer rows than were asked for are shorter.
    #[must_use]
    pub fn positions(mut self, result: usize) -> Self {
        self.positions = Some(result);
        self
    }

    /// Of a family: only the very lengths that it has operators of may be asked for. It is for results that
    /// cannot be cut, as the counts of a histogram.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.is_exact = true;
        self
    }

    /// The value of a parameter where a query gives none. Whether there is such a parameter, and whether it takes the
    /// value, is said where a query is planned.
    #[must_use]
    pub fn with(mut self, parameter: impl Into<String>, value: impl Into<Value>) -> Self {
        let parameter = parameter.into();
        self.defaults.retain(|(known, _)| *known != parameter);
        self.defaults.push((parameter, value.into().0));
        self
    }

    /// The function, to be registered.
    pub fn udaf(self) -> AggregateUDF {
        AggregateUDF::new_from_impl(Udaf::new(self))
    }

    /// The parameters, in the order in which a query gives them.
    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        let largest = self.members.last().map_or(0, |&(size, _)| size);
        let size = self.size.map(|name| Parameter::size(name, largest));
        let others = self.members.first().into_iter().flat_map(|(_, one)| &one.parameters);
        size.into_iter().chain(others.map(Parameter::of)).collect()
    }

    pub(crate) fn with_defaults(self, defaults: Vec<(String, AttrValue)>) -> Self {
        Aggregate { defaults, ..self }
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.members.first().map_or(1, |(_, operator)| operator.inputs())
    }

    /// The least length of a family, with which types can be asked for.
    pub(crate) fn smallest(&self) -> Option<AttrValue> {
        let smallest = self.members.first().and_then(|&(size, _)| i64::try_from(size).ok());
        self.size.and(smallest).map(AttrValue::Int)
    }

    /// Whether a query has to say how long a result is.
    pub(crate) fn needs_size(&self) -> bool {
        self.size.is_some_and(|name| self.defaults.iter().all(|(known, _)| known != name))
    }

    /// What follows from values of the first parameters; the others have their defaults.
    pub(crate) fn settings(&self, given: &[AttrValue]) -> Result<Settings<'_>> {
        let parameters = self.parameters();
        let mut values: Vec<(&'static str, AttrValue)> = Vec::new();
        for (name, value) in &self.defaults {
            let Some(known) = parameters.iter().find(|known| known.name == name) else {
                return plan_err!(
                    "`{}` has no parameter `{name}`, for which it was given a default",
                    self.name
                );
            };
            values.push((known.name, known.check(&self.name, value)?));
        }
        for (parameter, value) in parameters.iter().zip(given) {
            values.retain(|&(name, _)| name != parameter.name);
            values.push((parameter.name, parameter.check(&self.name, value)?));
        }
        self.member(values)
    }

    /// The member of the family that is long enough.
    fn member(&self, mut given: Vec<(&'static str, AttrValue)>) -> Result<Settings<'_>> {
        let length = match self.size {
            None => None,
            Some(parameter) => {
                let place = given.iter().position(|&(name, _)| name == parameter);
                match place.map(|place| given.remove(place)) {
                    Some((_, AttrValue::Int(length))) => usize::try_from(length).ok(),
                    _ => {
                        return plan_err!(
                            "`{}` needs its parameter `{parameter}`, an integer",
                            self.name
                        );
                    }
                }
            }
        };
        let fits = |size: usize| match length {
            Some(length) if self.is_exact => length == size,
            Some(length) => length <= size,
            None => true,
        };
        match self.members.iter().find(|&&(size, _)| fits(size)) {
            Some((_, operator)) => Ok(Settings { operator, given, length }),
            None => {
                let sizes: Vec<String> =
                    self.members.iter().map(|(size, _)| size.to_string()).collect();
                let (name, sizes) = (&self.name, sizes.join(", "));
                plan_err!(
                    "`{name}` has no operator of length {}; there are {sizes}",
                    length.unwrap_or(0)
                )
            }
        }
    }
}

impl From<Aggregate> for AggregateUDF {
    fn from(aggregate: Aggregate) -> Self {
        aggregate.udaf()
    }
}

/// A name without its domain, in lower case and with underscores.
fn snake_case(name: &str) -> String {
    let name = name.rsplit([':', '.', '/']).next().unwrap_or(name);
    let mut snake = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if letter.is_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
        snake.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn names_become_those_of_sql() {
        let names =
            ["ReduceLogSumExp", "ReduceL1", "acme.LpNorm", "com.example:Sum", "TopK", "my-op"];
        let snakes = ["reduce_log_sum_exp", "reduce_l1", "lp_norm", "sum", "top_k", "my_op"];
        assert_eq!(names.map(snake_case), snakes);
    }
}
