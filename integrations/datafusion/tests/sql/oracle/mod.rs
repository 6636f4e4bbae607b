//! Plain loops over rows say what aggregates mean. Nothing here comes from the code under test.

mod numbers;
mod several;
mod together;
mod types;

use crate::cells::{Cell, Expected};
use crate::table::Row;

pub use types::{integer, wrapped};

/// A call of a function: `top_k(f64, 3)`.
#[derive(Clone, Debug)]
pub struct Call {
    pub function: &'static str,
    pub columns: Vec<&'static str>,
    pub parameters: Vec<f64>,
}

impl Call {
    pub fn new(function: &'static str, columns: &[&'static str], parameters: &[f64]) -> Self {
        Call { function, columns: columns.to_vec(), parameters: parameters.to_vec() }
    }

    pub fn sql(&self) -> String {
        let columns = self.columns.iter().map(ToString::to_string);
        let parameters = self.parameters.iter().map(|parameter| match self.function {
            "cosine" => (*parameter != 0.0).to_string(),
            _ => parameter.to_string(),
        });
        format!("{}({})", self.function, columns.chain(parameters).collect::<Vec<_>>().join(", "))
    }
}

/// What a call gives over some rows: NULL if there is none without NULL.
pub fn expected(call: &Call, rows: &[&Row]) -> Expected {
    let has_all = |row: &&&Row| call.columns.iter().all(|column| row[column] != Cell::Null);
    let rows: Vec<&Row> = rows.iter().filter(has_all).copied().collect();
    if rows.is_empty() {
        return Expected::Exactly(Cell::Null);
    }
    let stored = types::stored(call);
    if stored == "b" {
        let mut truths = rows.iter().map(|row| row[call.columns[0]] == Cell::Truth(true));
        let truth =
            if call.function == "reduce_max" { truths.any(|x| x) } else { truths.all(|x| x) };
        return Expected::Exactly(Cell::Truth(truth));
    }
    if let Some(integer) = integer(stored) {
        let column = |place: usize| {
            rows.iter().map(|row| int(&row[call.columns[place]])).collect::<Vec<_>>()
        };
        let second = if call.columns.len() > 1 { column(1) } else { Vec::new() };
        return numbers::of_integers(call, &column(0), &second, integer);
    }
    let column =
        |place: usize| rows.iter().map(|row| float(&row[call.columns[place]])).collect::<Vec<_>>();
    let columns: Vec<Vec<f64>> = (0..call.columns.len()).map(column).collect();
    let precision = types::precision(stored);
    match call.columns.len() {
        1 => numbers::of_floats(call, &columns[0], precision),
        _ => several::of_floats(call, &columns, precision),
    }
}

fn int(cell: &Cell) -> i128 {
    match cell {
        Cell::Int(int) => *int,
        other => panic!("{other:?} is no integer"),
    }
}

fn float(cell: &Cell) -> f64 {
    match cell {
        Cell::Int(int) => *int as f64,
        Cell::Float(float) => *float,
        Cell::Truth(truth) => f64::from(u8::from(*truth)),
        other => panic!("{other:?} is no number"),
    }
}
