//! Runs of one call at every level.

use reduce_core::{AnyTensor, AnyView, Error};

use super::{Request, Row, available, found, same_bits, tensor};
use crate::compare::{self, Found};
use crate::oracle::{self, Values};

impl Row {
    /// The row of these names.
    ///
    /// # Panics
    /// If the registry has none.
    pub fn named(op: &str, dtype: &str) -> Row {
        let rows = super::rows();
        let row =
            rows.iter().find(|row| row.entry.schema().name == op && row.dtype.name() == dtype);
        *row.unwrap_or_else(|| panic!("no row of {op} for {dtype}"))
    }

    /// The newest version that takes the type.
    ///
    /// # Panics
    /// If there is none.
    pub fn newest(&self) -> u32 {
        *self.versions().last().expect("a row is in some version")
    }

    /// What a call gives, after making sure that every level gives the same.
    ///
    /// # Errors
    /// If the call cannot run, or is refused beforehand; of several problems the first.
    ///
    /// # Panics
    /// If levels differ.
    pub fn run(
        &self,
        opset: u32,
        view: &AnyView<'_>,
        request: &Request<'_>,
    ) -> Result<AnyTensor, Error> {
        let call = request.prepare(self.entry, opset, self.dtype);
        let call = call.map_err(|problems| problems.errors()[0].clone())?;
        let run = |level| request.run(&call.clone().level(level), view);
        let mut results = available().into_iter().map(run);
        let first = results.next().expect("there is always a level");
        for result in results {
            match (&first, &result) {
                (Ok(first), Ok(result)) => same_bits(first, result)
                    .unwrap_or_else(|error| panic!("{}: levels differ: {error}", self.name())),
                (first, result) => assert_eq!(first, result, "{}: levels differ", self.name()),
            }
        }
        first
    }

    /// What the newest version gives for values of a shape.
    ///
    /// # Panics
    /// If it gives nothing.
    pub fn reduce(&self, (shape, values): (&[usize], &Values), request: &Request<'_>) -> Found {
        let data = tensor(self.dtype, values, shape);
        let result = self.run(self.newest(), &data.view(), request);
        found(&result.unwrap_or_else(|error| panic!("{}: {error}", self.name())))
    }

    /// That all values together give what the oracle says.
    ///
    /// # Panics
    /// If they do not; `what` says what was tried.
    pub fn check_all(&self, values: &Values, what: &dyn std::fmt::Display) {
        let shape = [values.len()];
        let lasts = [None, Some(true)];
        let has_last = self.has(self.newest(), "select_last_index");
        for &last in &lasts[..1 + usize::from(has_last)] {
            let found = self.reduce((&shape, values), &Request { last, ..Request::default() });
            let op = self.op.select_last(last.unwrap_or(false));
            let expected = oracle::reduce(op, self.ty, (&shape, values), &[0], true);
            let expected = expected.expect("only asked for where there is a value");
            compare::check(&expected, &found).unwrap_or_else(|error| {
                panic!("{} of {} values, {what}, {last:?}: {error}", self.name(), values.len())
            });
        }
    }
}
