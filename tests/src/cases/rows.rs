//! Rows: every operator of the registry with every type it takes somewhere.

use std::sync::atomic::{AtomicUsize, Ordering};

use reduce_core::DType;
use reduce_core::nodes::OpEntry;

use crate::oracle::{Op, Type};

/// An operator and a type, as the crates under test and as the oracle know them.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operator.
    pub entry: &'static OpEntry,
    /// The type of the data.
    pub dtype: DType,
    /// The operator, to the oracle.
    pub op: Op,
    /// The type, to the oracle.
    pub ty: Type,
}

/// Every row.
///
/// # Panics
/// If the oracle does not know an operator of the registry.
pub fn rows() -> Vec<Row> {
    let row = |entry: &'static OpEntry, dtype| Row {
        entry,
        dtype,
        op: Op::named(entry.schema().name),
        ty: super::type_of(dtype),
    };
    let has = |entry: &OpEntry, dtype| entry.schema().dtypes.iter().any(|row| row.input == dtype);
    reduce_specs::ONNX
        .ops()
        .iter()
        .flat_map(|entry| DType::ALL.map(|dtype| row(entry, dtype)))
        .filter(|row| has(row.entry, row.dtype))
        .collect()
}

impl Row {
    /// The versions of the operator that take the type, the oldest first.
    pub fn versions(&self) -> Vec<u32> {
        let history = self.entry.schema().history().into_iter();
        let takes =
            history.filter(|version| version.dtypes.iter().any(|row| row.input == self.dtype));
        takes.map(|version| version.since).collect()
    }

    /// Whether a version has an attribute, in whatever form.
    ///
    /// # Panics
    /// If there is no such version.
    pub fn has(&self, version: u32, attr: &str) -> bool {
        self.entry.schema().at(version).expect("a version").attr(attr).is_some()
    }

    /// The sets of axes that the operator can be asked for: any, or any single
    /// one where it takes one.
    pub fn choices(&self, rank: usize) -> Vec<Vec<usize>> {
        let mut choices = super::subsets(rank);
        choices.retain(|axes| !self.takes_one_axis() || axes.len() == 1);
        choices
    }

    /// Whether the operator takes one axis, and not a list of them.
    pub fn takes_one_axis(&self) -> bool {
        super::takes_one_axis(self.entry)
    }

    /// Operator and type, for messages.
    pub fn name(&self) -> String {
        format!("{} of {}", self.entry.schema().name, self.dtype)
    }

    /// Does something for every row, on all cores; one after another where there are no threads.
    pub fn for_each(work: impl Fn(&Row) + Sync) {
        let rows = rows();
        let next = AtomicUsize::new(0);
        let take = || rows.get(next.fetch_add(1, Ordering::Relaxed));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        if threads == 1 {
            return rows.iter().for_each(work);
        }
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| std::iter::from_fn(take).for_each(&work));
            }
        });
    }
}
