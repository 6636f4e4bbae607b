#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! Operators are run by their types and not by their names: a registry has the kernels of all types.

mod table;

use std::error::Error;
use std::iter;

use reduce_core::{Element, OpSpec, Reduction, Tensor, View};
use reduce_gallery::Variance;
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};

use crate::table::table;

const ELNINO: &str = include_str!("../data/elnino.csv");
const WIDTH: usize = 100;

/// Why there is no tour.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The tour's text.
///
/// # Errors
/// If the data that are built in cannot be read or reduced.
pub fn text() -> Result<String, Failure> {
    let data = DataSet::parse(ELNINO)?;
    let view = View::new(&data.values, &[data.years.len(), data.months.len()])?;
    let columns = columns(&view)?;
    let mut text = introduction(&data);
    for part in parts(&columns) {
        text.push_str(&months_table(&data.months, part));
        text.push('\n');
    }
    text.push_str(&legend(&columns));
    text.push_str(CLOSING);
    Ok(text)
}

/// Years down, months across.
struct DataSet {
    months: Vec<&'static str>,
    years: Vec<&'static str>,
    values: Vec<f64>,
}

impl DataSet {
    fn parse(csv: &'static str) -> Result<Self, Failure> {
        let mut lines = csv.lines();
        let header = lines.next().unwrap_or_default();
        let months = header.split(',').skip(1).map(|name| name.trim_matches('"')).collect();
        let mut data = DataSet { months, years: Vec::new(), values: Vec::new() };
        for line in lines {
            let mut fields = line.split(',');
            data.years.extend(fields.next());
            for field in fields {
                let value = field.parse();
                let bad = |_| format!("the built-in data holds `{field}`; rebuild it");
                data.values.push(value.map_err(bad)?);
            }
        }
        Ok(data)
    }
}

/// An operator and what it gives for each month.
struct Column {
    name: &'static str,
    summary: &'static str,
    values: Vec<String>,
}

impl Column {
    /// The widest cell, with a blank on either side.
    fn width(&self) -> usize {
        self.values.iter().map(String::len).fold(self.name.len(), usize::max) + 2
    }
}

/// Every operator's result over the years, axis 0: those of ONNX in the order of its registry, and one more.
fn columns(view: &View<'_, f64>) -> Result<Vec<Column>, Failure> {
    macro_rules! columns {
        ($($op:ident),+ $(,)?) => {
            vec![$(column::<$op, _>(&Reduction::new($op::default()).axes([0]).run(view)?)),+]
        };
    }
    Ok(columns![
        ReduceSum,
        ReduceMean,
        ReduceProd,
        ReduceL1,
        ReduceL2,
        ReduceSumSquare,
        ReduceLogSum,
        ReduceLogSumExp,
        ReduceMax,
        ReduceMin,
        ArgMax,
        ArgMin,
        Variance,
    ])
}

fn column<Op: OpSpec, T: Cell>(result: &Tensor<T>) -> Column {
    let schema = Op::SCHEMA;
    let values = result.data().iter().map(|&value| value.text()).collect();
    Column { name: schema.name, summary: schema.summary, values }
}

/// A result as the table shows it.
trait Cell: Element {
    fn text(self) -> String;
}

impl Cell for i64 {
    fn text(self) -> String {
        self.to_string()
    }
}

impl Cell for f64 {
    /// Four decimals, or a power of ten where those say too little or too much.
    fn text(self) -> String {
        let size = self.abs();
        if size == 0.0 || (1e-3..1e7).contains(&size) {
            format!("{self:.4}")
        } else {
            format!("{self:.4e}")
        }
    }
}

/// The columns in as many groups as lines of text can hold beside the months.
fn parts(columns: &[Column]) -> Vec<&[Column]> {
    const MONTHS: usize = 7;
    let mut parts = Vec::new();
    let mut rest = columns;
    while !rest.is_empty() {
        let mut width = MONTHS;
        let fitting = rest.iter().take_while(|column| {
            width += column.width();
            width <= WIDTH
        });
        let (part, later) = rest.split_at(fitting.count().max(1));
        parts.push(part);
        rest = later;
    }
    parts
}

fn months_table(months: &[&str], columns: &[Column]) -> String {
    let months = iter::once("month").chain(months.iter().copied()).collect();
    let values = columns.iter().map(|column| {
        iter::once(column.name).chain(column.values.iter().map(String::as_str)).collect()
    });
    table(&iter::once(months).chain(values).collect::<Vec<_>>())
}

fn introduction(data: &DataSet) -> String {
    let (years, months) = (data.years.len(), data.months.len());
    let first = data.years.first().copied().unwrap_or_default();
    let last = data.years.last().copied().unwrap_or_default();
    format!(
        "reduce: the reductions of ONNX, each written once.

The temperature of the sea off Peru in degrees Celsius, one value for each month from {first} to
{last}: an array of shape [{years}, {months}]. Below, every operator reduces axis 0, the years, and
leaves one value per month. Averages show the season. The last column shows how far the years
lie apart, which is El Niño's doing. ArgMax and ArgMin count the years from {first}. Some columns
are mere arithmetic: nobody needs a product of temperatures.

"
    )
}

/// Each operator with the first sentence of its documentation.
fn legend(columns: &[Column]) -> String {
    let widest = columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for column in columns {
        let sentence = column.summary.split_inclusive(". ").next().unwrap_or_default().trim_end();
        text.push_str(&format!("{:<widest$}  {sentence}\n", column.name));
    }
    text
}

const CLOSING: &str = "
Variance is no operator of ONNX. It is one of the crate reduce-gallery, which are written as a user
writes them. It too reads the data once, along any axes, at any strides.

The data are NOAA's (ERSST.V3B, the region Niño 1+2), in the public domain: tour/data/README.md.

Next, with the command `reduce`, which `cargo install --path cli` installs:
  reduce ops                                       every operator, its versions and types
  reduce explain ReduceLogSumExp --opset 13        one of them, as it was at an opset
  reduce run ReduceMean --axes 0 FILE.npy          the same on an array of your own
  reduce conformance tests/data/vectors            ONNX models with their expected outputs
  reduce bench --ops Sum,Max --roofline            speed, against what the memory allows
";

#[cfg(test)]
mod tests {
    use super::{Column, parts};

    #[test]
    fn any_number_of_columns_fits() {
        for count in 0..30 {
            let column = |_| Column { name: "Reduction", summary: "", values: Vec::new() };
            let columns: Vec<Column> = (0..count).map(column).collect();
            let sizes: Vec<usize> = parts(&columns).iter().map(|part| part.len()).collect();
            assert_eq!(sizes.iter().sum::<usize>(), count);
            assert!(sizes.iter().all(|size| (1..=8).contains(size)), "{sizes:?}");
        }
    }
}
