//! How good a forecast was, where something was measured: an error over two `ndarray` arrays and a mask.
//!
//! Months of sea-surface temperature are forecast in two ways: as they were a year before, and as they are on average.
//! The root mean square error is an operator over pairs; `Masked` leaves out each pair with a missing part. Arrays and
//! slices of arrays are read where they are, and the average of each month is broadcast over the years.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin masked-error             NOAA's record, with a made-up outage
//! cargo run --release -p reduce-programs --bin masked-error -- FILE.csv years down, months across; what is missing is empty or -9999
//! ```

use ndarray::{Array2, ArrayBase, Data, Ix2, s};
use reduce_core::{Element, Masked, Real, ReduceOp, Reduction, View, reduce_op};
use reduce_programs::{Failure, append_row};
use reduce_specs::ReduceMean;

const ELNINO: &str = include_str!("../../../../tour/data/elnino.csv");
/// What stands for a value that was not measured.
const MISSING: f64 = -9999.0;

/// The root of the mean squared difference.
#[derive(Clone, Copy, Debug, Default)]
struct RootMeanSquareError;

#[reduce_op(dtypes = [f64])]
impl<A: Real> ReduceOp<(A, A)> for RootMeanSquareError {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        (x - y) * (x - y)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, squares: A, count: usize) -> A {
        squares.div_count(count).sqrt()
    }
}

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1);
    let csv = match &path {
        Some(path) => {
            std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?
        }
        None => ELNINO.to_owned(),
    };
    let (months, mut table) = parse(&csv)?;
    if path.is_none() {
        table.slice_mut(s![30..32, 4..]).fill(MISSING); // the outage: May to December of two years
    }
    let is_measured = table.mapv(|value| value > MISSING);
    let average =
        Reduction::new(Masked(ReduceMean)).axes([0]).run(&(view(&table)?, view(&is_measured)?))?;

    // The years from the second on, the year before each, and where both were measured.
    let (observed, year_before) = (table.slice(s![1.., ..]), table.slice(s![..-1, ..]));
    let both = &is_measured.slice(s![1.., ..]) & &is_measured.slice(s![..-1, ..]);
    let (observed, both) = (view(&observed)?, view(&both)?);
    let as_last_year = (observed.clone(), view(&year_before)?, both.clone());
    let as_on_average = (observed, average.view(), both.clone());

    let error = Reduction::new(Masked(RootMeanSquareError));
    let of_months = error.clone().axes([0]);
    let (last_year, on_average) = (of_months.run(&as_last_year)?, of_months.run(&as_on_average)?);
    let counted = both.data().iter().filter(|&&counts| counts).count();
    println!("{counted} of {} pairs count; degrees by which a forecast is off:", both.data().len());
    println!("month   as last year   as on average");
    for (month, (last_year, on_average)) in
        months.iter().zip(last_year.data().iter().zip(on_average.data()))
    {
        println!("{month:5}{last_year:15.3}{on_average:16.3}");
    }
    let (last_year, on_average) = (error.run(&as_last_year)?, error.run(&as_on_average)?);
    println!("all  {:15.3}{:16.3}", last_year.data()[0], on_average.data()[0]);
    Ok(())
}

/// An array, read where it is.
fn view<T: Element, S: Data<Elem = T>>(array: &ArrayBase<S, Ix2>) -> Result<View<'_, T>, Failure> {
    View::of_array(&array.view())
        .ok_or_else(|| "the array has gaps between its elements; copy it first".into())
}

/// The names of the columns behind the first, and their values.
fn parse(csv: &str) -> Result<(Vec<&str>, Array2<f64>), Failure> {
    let mut lines = csv.lines();
    let names: Vec<&str> =
        lines.next().unwrap_or("").split(',').skip(1).map(|name| name.trim_matches('"')).collect();
    let (mut values, mut years) = (Vec::new(), 0);
    for (index, line) in lines.enumerate() {
        append_row(&mut values, line, index + 2, names.len())?;
        years += 1;
    }
    if years < 2 {
        return Err(format!("a forecast needs the year before; found {years} in the table").into());
    }
    Ok((names.clone(), Array2::from_shape_vec((years, names.len()), values)?))
}
