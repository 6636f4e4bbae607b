//! What is asked for, with everything checked before the first measurement.

use std::path::{Path, PathBuf};

use reduce_core::{DType, Level, Reduction, Shape};
use reduce_specs::ReduceSum;

use super::cases::{self, Case, Kind};
use super::data::DTYPES;
use super::measure::Effort;
use super::names::{Known, NameList};
use super::ops::{BenchOp, OPS};
use super::sweep;
use super::workers::Workers;
use crate::args::BenchArgs;
use crate::call;
use crate::error::Error;

/// A benchmark that can be run.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) cases: Vec<Case>,
    pub(crate) dtypes: Vec<DType>,
    ops: Option<Vec<String>>,
    pub(crate) level: Level,
    pub(crate) workers: Workers,
    pub(crate) effort: Effort,
    /// The total size of each case of the sweep, if there is one.
    pub(crate) sweep: Option<usize>,
    pub(crate) roofline: bool,
    pub(crate) html: Option<PathBuf>,
}

impl Request {
    pub(crate) fn new(args: &BenchArgs) -> Result<Self, Error> {
        let ops = args.ops.as_ref().map(ops_of).transpose()?;
        let dtypes = match &args.dtypes {
            Some(list) => dtypes_of(list)?,
            None => vec![DType::F32],
        };
        let cases = cases_of(args)?;
        for case in &cases {
            check(case)?;
        }
        args.html.as_deref().map_or(Ok(()), check_place)?;
        Ok(Request {
            cases,
            dtypes,
            ops,
            level: call::check_level(args.level)?,
            workers: Workers::new(args.threads.into())?,
            effort: Effort::new(args.secs.0),
            sweep: args.sweep.map(|_| args.bytes),
            roofline: args.roofline,
            html: args.html.clone(),
        })
    }

    /// The operators of a case, those that share their input side by side.
    pub(crate) fn ops(&self, case: &Case, dtype: DType) -> Vec<&'static BenchOp> {
        let mut ops: Vec<_> = OPS.iter().filter(|op| self.wants(op, case, dtype)).collect();
        ops.sort_by_key(|op| op.class);
        ops
    }

    /// Tells whether an operator is measured in a case. Without a list of operators,
    /// other types than `f32` and the many cases of a sweep are for the sum alone.
    fn wants(&self, op: &BenchOp, case: &Case, dtype: DType) -> bool {
        let meets = case.kind != Kind::Named { fused: false } || !op.fused;
        let chosen = match &self.ops {
            Some(ops) => ops.iter().any(|name| name == op.name),
            None => op.name == "Sum" || (dtype == DType::F32 && case.kind != Kind::Sweep),
        };
        meets && chosen
    }
}

fn ops_of(list: &NameList) -> Result<Vec<String>, Error> {
    let names = || OPS.iter().map(|op| op.name);
    let known = Known { what: "operator", names: names().collect(), later: &[] };
    // With or without their `Reduce`, in capitals or small letters.
    let own = |given: &String| {
        let is = |name: &&str| {
            name.eq_ignore_ascii_case(given) || format!("reduce{name}").eq_ignore_ascii_case(given)
        };
        names().find(is).map_or_else(|| given.clone(), str::to_owned)
    };
    let given: Vec<String> = list.0.iter().map(own).collect();
    known.check(&given)?;
    Ok(given)
}

fn dtypes_of(list: &NameList) -> Result<Vec<DType>, Error> {
    let names = DTYPES.iter().map(|dtype| dtype.name()).collect();
    let later: Vec<&str> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
    Known { what: "type", names, later: &later }.check(&list.0)?;
    let dtype = |name: &String| DTYPES.iter().copied().find(|dtype| dtype.name() == name);
    Ok(list.0.iter().filter_map(dtype).collect())
}

/// The named cases that are chosen, those given, and those of the sweep. Without a
/// choice all named ones run, or none if others are given.
fn cases_of(args: &BenchArgs) -> Result<Vec<Case>, Error> {
    if let Some(list) = &args.cases {
        let mut names: Vec<&str> = cases::names().collect();
        names.extend(args.case.iter().map(|case| case.name.as_str()));
        // None is a choice: others are given.
        if !list.0.is_empty() {
            Known { what: "case", names, later: &[] }.check(&list.0)?;
        }
    }
    let all = args.case.is_empty() && args.sweep.is_none();
    let chosen = |case: &Case| args.cases.as_ref().map_or(all, |list| list.0.contains(&case.name));
    let mut chosen: Vec<Case> = cases::named().filter(chosen).collect();
    chosen.extend(args.case.iter().cloned());
    if let Some(longest) = args.sweep {
        chosen.extend(sweep::cases(longest.into(), args.bytes / size_of::<f32>()));
    }
    Ok(chosen)
}

/// Whether the axes are those of the view.
fn check(case: &Case) -> Result<(), Error> {
    let Some(axes) = &case.axes else { return Ok(()) };
    let shape = Shape::new(&case.shape)?;
    let shape = Reduction::new(ReduceSum).axes(axes.clone()).output_shape(&shape);
    shape.map(|_| ()).map_err(|error| Error::new(format!("case `{}`: {error}", case.name)))
}

/// Checks that a file could be written there. A user should learn of a bad path before the measurement,
/// and not an hour later.
fn check_place(path: &Path) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() || !folder.unwrap_or(Path::new(".")).is_dir() {
        return Err(Error::at(path, "cannot be written; name a file in a folder that exists"));
    }
    Ok(())
}
