//! Long updates, which threads share.
//!
//! Where groups are few, rows are cut in spans. Each span has groups of its own. What a group got there is one piece for the
//! group of that number. Spans are cut by the number of rows alone, so no result depends on the threads.
//!
//! Where groups are many, each thread has a part of them. It looks at all keys, and folds the rows of its groups. All go from
//! span to span together, so that rows are read from memory once, and then found in a cache.

use super::fold::Folding;
use super::rows::RowScratch;
use super::{GroupTable, Groups, Key};
use crate::facts::error::Error;
use crate::facts::order::{SPAN, SPAN_ROWS};
use crate::facts::threads::Threads;
use crate::front::settings::Settings;
use crate::front::stream::Streams;
use crate::machine::team::Crew;
use crate::values::stored::Stored;

/// Each thread has this many spans at a time.
const AT_A_TIME: usize = 4;

/// From this many bytes of accumulators on, threads share groups. Each thread reads all rows, and where accumulators
/// are near, that takes as long as to push them. Two threads took up to a quarter longer there, and a fifth to a third
/// less time from here on.
const FAR: usize = 1 << 22;

/// A span, and its groups.
struct Span<Op: Streams<T>, T: Stored> {
    from: usize,
    groups: Groups<Op, T>,
    taken: Result<(), Error>,
}

/// Groups that a thread has.
struct GroupPart<'a, Op: Streams<T>, T: Stored> {
    folding: Folding<'a, Op, T>,
    scratch: RowScratch<T>,
    taken: Result<(), Error>,
}

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// Whether this number of rows is cut in spans.
    pub(super) fn has_spans(&self, rows: usize) -> bool {
        rows >= 2 * SPAN && self.len() <= SPAN / SPAN_ROWS
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
        let team = settings.crew().team(keys.len());
        let froms: Vec<usize> = (0..keys.len()).step_by(SPAN).collect();
        for froms in froms.chunks(AT_A_TIME * team.threads()) {
            team.check()?;
            let spans = froms.iter().map(|&from| self.span(from));
            let mut spans: Vec<_> = spans.collect::<Result<_, _>>()?;
            team.each(spans.iter_mut().collect(), take);
            for Span { from, groups, taken } in spans {
                taken?;
                self.add(&groups);
                team.done(SPAN.min(keys.len() - from));
            }
        }
        Ok(())
    }

    /// Says whether threads share the groups when this number of rows comes.
    pub(super) fn has_parts(&self, rows: usize) -> bool {
        rows >= 2 * SPAN && self.len() * size_of::<Op::Acc>() >= FAR
    }

    /// Takes the rows that count, each thread those of its groups.
    pub(super) fn take_parts<K: Key>(
        &mut self,
        (data, first): (T::Data<'_>, usize),
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let Groups { op, settings, table, rows, .. } = self;
        let (level, all) = (settings.level.check()?, table.len());
        let (team, crew) = (settings.crew().team(keys.len()), Crew::from(&Threads::One));
        let part = |table| GroupPart {
            folding: Folding { op: &**op, table, all, level, crew },
            scratch: RowScratch::default(),
            taken: Ok(()),
        };
        let mut parts: Vec<_> = table.parts(team.threads()).into_iter().map(part).collect();
        for from in (0..keys.len()).step_by(SPAN) {
            let span = from..keys.len().min(from + SPAN);
            let (keys, mask) = (&keys[span.clone()], mask.map(|mask| &mask[span]));
            let places = (data, first + from, *rows + from as u64);
            team.each(parts.iter_mut().collect(), |GroupPart { folding, scratch, taken }| {
                *taken = folding.take(places, keys, mask, scratch, |_| Ok(()));
            });
            parts.iter_mut().try_for_each(|part| std::mem::replace(&mut part.taken, Ok(())))?;
            team.done(keys.len());
            team.check()?;
        }
        Ok(())
    }

    /// Groups that have seen nothing, for the rows from number `from` on.
    fn span(&self, from: usize) -> Result<Span<Op, T>, Error> {
        let table = GroupTable::new(&*self.op, self.len(), T::DTYPES[0])?;
        let settings = Settings { threads: Threads::One, progress: None, ..self.settings.clone() };
        let (op, rows, scratch) = (self.op.clone(), self.rows + from as u64, RowScratch::default());
        let groups = Groups { op, settings, table, rows, scratch };
        Ok(Span { from, groups, taken: Ok(()) })
    }

    /// Adds what groups of the same numbers have seen.
    fn add(&mut self, newer: &Self) {
        for group in 0..newer.len() {
            let (newest, count) = newer.table.of(&self.op, group);
            self.table.open().add(&self.op, group, newest, count);
        }
    }
}
