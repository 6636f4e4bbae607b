//! `reduce bench`: how fast the operators are, and how fast they could be.
//!
//! Rows go to standard output, one per measurement and as soon as there is one;
//! what is concluded from them goes to standard error, or onto a page.

mod cases;
mod data;
mod device;
mod html;
mod machine;
mod measure;
mod names;
mod ops;
mod pages;
mod request;
mod roofline;
mod rows;
mod sweep;
mod workers;

use std::collections::BTreeSet;
use std::io::Write;

use crate::args::BenchArgs;
use crate::engine::{self, Open};
use crate::error::{Error, note};
use crate::place::Place;
use crate::table::{align_numbers, render, table};

pub(crate) use cases::Case;
pub(crate) use measure::Seconds;
pub(crate) use names::NameList;

use data::{Data, Store};
use device::Device;
use machine::Machine;
use ops::{BenchOp, Job};
use request::Request;
use roofline::Roofs;
use rows::{Row, Rows, Stop};
use sweep::Direction;

/// Measures, and prints what was measured.
pub(crate) fn run(args: &BenchArgs, open: Option<Open>) -> Result<(), Error> {
    // Before the program starts itself again, and knows no more of it.
    crate::printed(|| Ok(()))?;
    let request = Request::new(args)?;
    let device = args.gpu.as_deref().map(|name| engine::open(open, name)).transpose()?;
    let device = device.map(Device::new);
    pages::ask_for_huge();
    let page = request.html.as_deref().map(Place::new).transpose()?;
    match report(&request, device.as_ref(), page) {
        Err(Stop::Failed(error)) => Err(error),
        Ok(()) | Err(Stop::Closed) => Ok(()),
    }
}

fn report(request: &Request, device: Option<&Device>, page: Option<Place>) -> Result<(), Stop> {
    let mut rows = Rows::default();
    operators(request, device, &mut rows)?;
    // By now all memory has been in use.
    let machine = Machine::new(request);
    rooflines(request, &mut rows)?;
    if request.roofline {
        note(&comparison(&rows.0));
    }
    for direction in Direction::BOTH {
        for curve in sweep::curves(&rows.0, direction) {
            note(&curve.worst_step().map_or_else(String::new, |line| line + "\n"));
        }
    }
    if let Some(page) = page {
        page.write(|file| file.write_all(html::page(&machine, &rows.0).as_bytes()))?;
    }
    if rows.0.is_empty() && !request.cases.is_empty() {
        let sentence = "nothing was measured: no operator chosen takes such cases and types";
        return Err(Stop::Failed(Error::new(sentence)));
    }
    Ok(())
}

fn operators(request: &Request, device: Option<&Device>, rows: &mut Rows) -> Result<(), Stop> {
    let mut store = Store::default();
    for case in &request.cases {
        for &dtype in &request.dtypes {
            for op in request.ops(case, dtype) {
                let Some(data) = store.get(op.class, dtype, case.count())? else { continue };
                let job = Job {
                    case,
                    level: request.level,
                    workers: &request.workers,
                    effort: request.effort,
                };
                let Some(samples) = (op.run)(data, &job)? else { continue };
                let row = Row {
                    library: "reduce".to_owned(),
                    threads: request.workers.count(),
                    op: op.name,
                    dtype: dtype.name(),
                    case: case.name.clone(),
                    bytes: op.inputs * data.bytes(),
                    samples,
                };
                rows.add(row.clone())?;
                if let Some(device) = device {
                    on_device(device, op, (data, &job), row, rows)?;
                }
            }
        }
    }
    Ok(())
}

/// The row of a device, beside that of the CPU.
fn on_device(
    device: &Device,
    op: &BenchOp,
    (data, job): (&Data, &Job<'_>),
    row: Row,
    rows: &mut Rows,
) -> Result<(), Stop> {
    match device.measure(op, data, job) {
        Ok(Some(samples)) => {
            let library = device.library.clone();
            rows.add(Row { library, threads: 1, samples, ..row })?;
        }
        Ok(None) => {}
        // What a device cannot do is no reason not to measure the rest.
        Err(error) => note(&format!("{}, {}: {error}\n", row.case, row.op)),
    }
    Ok(())
}

/// The roofline, if it is asked for or the page needs it: at sizes of its own, and
/// at those of the operators' inputs. All inputs of a sweep are about of one size.
fn rooflines(request: &Request, rows: &mut Rows) -> Result<(), Stop> {
    let mut sizes: BTreeSet<usize> = request.sweep.into_iter().collect();
    if request.roofline {
        sizes.extend(roofline::SIZES);
    } else if request.html.is_none() {
        return Ok(());
    }
    let swept = |row: &&Row| Direction::BOTH.iter().any(|it| it.size(row).is_some());
    sizes.extend(rows.0.iter().filter(|row| !swept(row)).map(|row| row.bytes));
    for bytes in sizes.into_iter().filter(|&bytes| bytes >= roofline::LEAST) {
        rows.add(roofline::row(bytes, request.effort, &request.workers)?)?;
    }
    Ok(())
}

/// Every operator beside the limit of its size.
fn comparison(rows: &[Row]) -> String {
    let roofs = Roofs::new(rows);
    let mut table = table(["case", "op", "dtype", "GB/s", "roofline", "ratio"]);
    for row in rows.iter().filter(|row| row.library == "reduce") {
        let Some(roof) = roofs.at(row.bytes) else { continue };
        let numbers = [row.speed(), roof, row.speed() / roof];
        let [speed, roof, ratio] = numbers.map(|number| format!("{number:.2}"));
        table.add_row([&row.case, row.op, row.dtype, &speed, &roof, &ratio]);
    }
    if table.row_count() == 0 {
        return String::new();
    }
    align_numbers(&mut table);
    render(&table)
}
