//! Rows of a long update in spans, which threads share.
//!
//! Where groups are few, each span of rows has groups of its own, and what a group got there is one piece of what it gets from
//! the update. Spans are cut by the number of rows alone, so no result depends on the threads.

use super::{Groups, Key, Table};
use crate::facts::error::Error;
use crate::facts::threads::Threads;
use crate::front::settings::Settings;
use crate::front::stream::Streams;
use crate::kernel::SMALL;
use crate::machine::team::Team;
use crate::values::stored::Stored;

use super::fold::Scratch;

/// Rows of a span.
const SPAN: usize = 1 << 18;

/// Rows that a span has for each group, at least: to add up what groups got there takes a fraction of what its rows take.
const ROWS: usize = 1 << 8;

/// Spans that each thread has at a time.
const AT_A_TIME: usize = 4;

/// A span, and its groups.
struct Span<Op: Streams<T>, T: Stored> {
    from: usize,
    groups: Groups<Op, T>,
    taken: Result<(), Error>,
}

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// Whether so many rows are taken in spans.
    pub(super) fn has_spans(&self, rows: usize) -> bool {
        rows >= 2 * SPAN && self.len() <= SPAN / ROWS
    }

    /// Takes the rows that count, in spans.
    pub(super) fn take_spans<K: Key>(
        &mut self,
        (data, first): (T::Data<'_>, usize),
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let settings = self.settings.clone();
        let take = |span: &mut Span<Op, T>| {
            let rows = span.from..keys.len().min(span.from + SPAN);
            let mask = mask.map(|mask| &mask[rows.clone()]);
            span.taken = span.groups.take_rows((data, first + rows.start), &keys[rows], mask);
        };
        settings.crew().enter(keys.len(), SMALL, |team: Team<'_>| {
            let froms: Vec<usize> = (0..keys.len()).step_by(SPAN).collect();
            for froms in froms.chunks(AT_A_TIME * team.threads()) {
                let spans = froms.iter().map(|&from| self.span(from));
                let mut spans: Vec<_> = spans.collect::<Result<_, _>>()?;
                team.each(spans.iter_mut().collect(), take);
                for Span { groups, taken, .. } in spans {
                    taken?;
                    self.add(&groups);
                }
            }
            self.rows += keys.len() as u64;
            self.check_memory()
        })
    }

    /// Groups that have seen nothing, for the rows from one on.
    fn span(&self, from: usize) -> Result<Span<Op, T>, Error> {
        let table = Table::new(&*self.op, self.len(), T::DTYPES[0])?;
        let settings = Settings { threads: Threads::One, progress: None, ..self.settings.clone() };
        let (op, rows, scratch) = (self.op.clone(), self.rows + from as u64, Scratch::default());
        let groups = Groups { op, settings, table, rows, scratch };
        Ok(Span { from, groups, taken: Ok(()) })
    }

    /// Adds what groups of the same numbers have seen.
    fn add(&mut self, newer: &Self) {
        for group in 0..newer.len() {
            let (newest, count) = newer.table.of(&self.op, group);
            self.table.add(&self.op, group, newest, count);
        }
    }
}
