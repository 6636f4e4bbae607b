//! The builder of an aggregate.

use datafusion::logical_expr::AggregateUDF;
use reduce_core::bounds::{Input, Stored, Streams};
use reduce_core::nodes::AttrValue;
use reduce_core::{OpSpec, Reduction};

use crate::operator::Operator;
use crate::parameters::Value;
use crate::reading::{Integers, Reading};
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
    /// Parameters that a query has to give.
    pub(crate) required: Vec<String>,
    pub(crate) reading: Reading,
    /// Whether sets whose result is not defined have NULL.
    pub(crate) is_null_undefined: bool,
    /// Whether results do not depend on how many elements there were.
    pub(crate) is_uncounted: bool,
    pub(crate) size: Option<&'static str>,
    /// One operator, or a family's members, the smallest first.
    pub(crate) members: Vec<(usize, Operator)>,
}

impl Aggregate {
    /// The aggregate of an operator. It is called as the operator is, in lower case and with underscores:
    /// `ReduceLogSumExp` becomes `reduce_log_sum_exp`.
    pub fn of<Op: OpSpec>() -> Self {
        Aggregate::new(snake_case(Op::SCHEMA.name), None, vec![(0, Operator::of::<Op>())])
    }

    /// The aggregate of a reduction, such as an operator in an adaptor, over columns of type `T`. Other columns are read
    /// as this type if they can be.
    ///
    /// ```
    /// use datafusion::prelude::SessionContext;
    /// use reduce_core::Reduction;
    /// use reduce_datafusion::Aggregate;
    /// use reduce_specs::{ReduceMax, ReduceSum};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::common::Result<()> {
    /// // What was paid on the last day.
    /// let paid_last = Aggregate::over::<ReduceSum, (f64, i64), _>("paid_last", || {
    ///     Reduction::new(ReduceSum).at(ReduceMax)
    /// });
    /// let ctx = SessionContext::new();
    /// ctx.register_udaf(paid_last.into());
    /// let rows = ctx
    ///     .sql("SELECT paid_last(paid, day) FROM (VALUES (5.0, 3), (1.0, 4), (2.0, 4)) AS t(paid, day)")
    ///     .await?;
    /// let sums = datafusion::arrow::array::Float64Array::from(vec![3.0]);
    /// assert_eq!(rows.collect().await?[0].column(0).as_ref(), &sums);
    /// # Ok(())
    /// # }
    /// ```
    pub fn over<Op, T, Adapted>(
        name: impl Into<String>,
        reduction: fn() -> Reduction<Adapted>,
    ) -> Self
    where
        Op: OpSpec,
        T: Stored,
        Adapted: Streams<T>,
        for<'a> T::Views<'a>: Input<Stored = T>,
    {
        let operator = Operator::adapted::<Op, T, Adapted>(reduction);
        Aggregate::new(name.into(), None, vec![(0, operator)])
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
            required: Vec::new(),
            reading: Reading::default(),
            is_null_undefined: false,
            is_uncounted: false,
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

    /// The value of a parameter where a query gives none. [`check`](Self::check) and [`register`](crate::register) say
    /// whether there is such a parameter, and whether it takes the value.
    #[must_use]
    pub fn with(mut self, parameter: impl Into<String>, value: impl Into<Value>) -> Self {
        let parameter = parameter.into();
        self.defaults.retain(|(known, _)| *known != parameter);
        self.defaults.push((parameter, value.into().0));
        self
    }

    /// Says that a query has to give a parameter, since the operator's default suits few columns.
    ///
    /// ```
    /// use reduce_datafusion::Aggregate;
    /// use reduce_gallery::Histogram;
    ///
    /// let counts = Aggregate::of::<Histogram<20>>().required("low").required("high").udaf();
    /// let usage = &counts.documentation().expect("there is some").syntax_example;
    /// assert_eq!(usage, "histogram(x, low, high)");
    /// ```
    #[must_use]
    pub fn required(mut self, parameter: impl Into<String>) -> Self {
        self.required.push(parameter.into());
        self
    }

    /// As what columns of integers are read, if the operator takes several types. Unless this says otherwise, a column
    /// stays as it is, and a type that the operator does not take becomes the narrowest wider one that it takes.
    ///
    /// ```
    /// use reduce_datafusion::{Aggregate, Integers};
    /// use reduce_specs::ReduceMean;
    /// # use datafusion::prelude::SessionContext;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::common::Result<()> {
    /// # let ctx = SessionContext::new();
    /// ctx.register_udaf(Aggregate::of::<ReduceMean>().name("middle").integers(Integers::Float).into());
    /// let rows = ctx.sql("SELECT middle(x) FROM (VALUES (1), (2)) AS t(x)").await?.collect().await?;
    /// assert_eq!(rows[0].column(0).as_ref(), &datafusion::arrow::array::Float64Array::from(vec![1.5]));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn integers(mut self, integers: Integers) -> Self {
        self.reading.integers = integers;
        self
    }

    /// Says that results are elements of the column, as of a maximum. So a column of `Float16` stays as it is. Otherwise
    /// it becomes a wider float that the operator takes, since sums of a few thousand elements leave a `Float16`.
    #[must_use]
    pub fn selects(mut self) -> Self {
        self.reading.selects = true;
        self
    }

    /// Shows NULL where a result is not defined, as SQL does for the sample variance of one row. That is where the operator
    /// makes NaN of an accumulator whose floats are all finite. Elements that are NaN or infinite give what they gave.
    #[must_use]
    pub fn undefined_is_null(mut self) -> Self {
        self.is_null_undefined = true;
        self
    }

    /// Says that results do not depend on how many elements there were, as a sum does not and a mean does. What
    /// partitions and machines send to one another is smaller then, and so is what is spilled: by seven bytes for each group.
    /// [`check`](Self::check) tries whether it is true.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        self.is_uncounted = true;
        self
    }

    /// The function, to be registered. What does not fit the operator is said where a query is planned;
    /// [`check`](Self::check) says it at once.
    pub fn udaf(self) -> AggregateUDF {
        AggregateUDF::new_from_impl(Udaf::new(self))
    }

    pub(crate) fn with_defaults(self, defaults: Vec<(String, AttrValue)>) -> Self {
        Aggregate { defaults, ..self }
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
