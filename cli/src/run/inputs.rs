//! The inputs of operators, held against what they take before anything is computed: a sentence says which is meant.

use std::path::{Path, PathBuf};

use reduce_core::{DType, Shape};

use crate::arrays::{Opened, Source};
use crate::error::Error;
use crate::operators::{Operator, Prepared};

/// The arguments as inputs, of which there are as many as one of the numbers. `x.npz:a,b` becomes `x.npz:a` and `x.npz:b`, if the
/// number is right only then.
pub(super) fn named(given: &[PathBuf], wanted: &[usize]) -> Vec<PathBuf> {
    let each = |path: &PathBuf| match Source::of(path) {
        Source { path, member: Some(members) } => {
            let one = |member: &str| {
                let mut named = path.clone().into_os_string();
                named.push(format!(":{}", member.trim()));
                named.into()
            };
            members.split(',').map(one).collect()
        }
        Source { path, member: None } => vec![path],
    };
    let split: Vec<PathBuf> = given.iter().flat_map(each).collect();
    let is_wanted = |paths: &[PathBuf]| wanted.contains(&paths.len());
    if !is_wanted(given) && is_wanted(&split) { split } else { given.to_vec() }
}

/// Inputs, with what they are called.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) paths: &'a [PathBuf],
    pub(super) opened: &'a [Opened],
}

impl Inputs<'_> {
    /// That an operator of several inputs takes arrays of these types.
    pub(super) fn check_types(self, operator: Operator) -> Result<(), Error> {
        let mut rows = operator.types_of_inputs();
        if self.opened.len() < 2 {
            return Ok(());
        }
        // Those beside the reduced inputs are of the type of the first.
        let at = |row: &[DType], place: usize| row[if place < row.len() { place } else { 0 }];
        for (place, array) in self.opened.iter().enumerate() {
            let allowed: Vec<DType> = rows.iter().map(|row| at(row, place)).collect();
            rows.retain(|row| at(row, place) == array.dtype());
            if rows.is_empty() {
                let of = |dtype: DType| format!("`{dtype}`");
                let before: Vec<String> =
                    self.opened[..place].iter().map(|array| of(array.dtype())).collect();
                let beside = match &before[..] {
                    [] => String::new(),
                    before => format!(" behind {}", before.join(", ")),
                };
                let mut allowed: Vec<String> = allowed.into_iter().map(of).collect();
                allowed.dedup();
                let (name, found) = (operator.schema().name, of(array.dtype()));
                return Err(Error::new(format!(
                    "operator `{name}`: {} is of {found}; expected {}{beside}",
                    self.called(place),
                    allowed.join(" or ")
                )));
            }
        }
        Ok(())
    }

    /// The shape to which all broadcast.
    pub(super) fn shape(self) -> Result<Shape, Error> {
        let mut sizes: Vec<usize> = Vec::new();
        for (place, array) in self.opened.iter().enumerate() {
            let rank = sizes.len().max(array.shape().len());
            let size = |of: &[usize], axis: usize| {
                (axis + of.len()).checked_sub(rank).map_or(1, |axis| of[axis])
            };
            let both = (0..rank).map(|axis| (size(&sizes, axis), size(array.shape(), axis)));
            let both: Vec<_> = both.collect();
            if both.iter().any(|&(one, other)| one != other && one != 1 && other != 1) {
                return Err(Error::new(format!(
                    "{} of shape {} does not broadcast to shape {}, that of the inputs before it; sizes must \
                     be equal or 1, counted from the last axis",
                    self.called(place),
                    Shape::new(array.shape())?,
                    Shape::new(&sizes)?
                )));
            }
            sizes =
                both.into_iter().map(|(one, other)| if one == 1 { other } else { one }).collect();
        }
        Ok(Shape::new(&sizes)?)
    }

    /// That results are in proportion. A file of a hundred bytes may say that it has a billion columns and no rows, and each
    /// column has a sum.
    pub(super) fn check_growth(self, shape: &Shape, operators: &[Prepared]) -> Result<(), Error> {
        /// Elements of results for each of the inputs.
        const FACTOR: usize = 128;
        /// Elements of results, if inputs have few.
        const FREE: usize = 1 << 25;
        let given: usize =
            self.opened.iter().map(|input| input.shape().iter().product::<usize>()).sum();
        let most = given.saturating_mul(FACTOR).saturating_add(FREE);
        for operator in operators {
            let result = operator.output_shape(shape)?;
            if result.count() > most {
                return Err(Error::new(format!(
                    "operator `{}`: a result of shape {result} is too much of inputs with {given} elements; they may \
                     have one of up to {most}",
                    operator.name()
                )));
            }
        }
        Ok(())
    }

    /// An input in a sentence: its place, from one on, and its name.
    fn called(self, place: usize) -> String {
        let path: &Path = &self.paths[place];
        format!("input {}, `{}`,", place + 1, path.display())
    }
}
