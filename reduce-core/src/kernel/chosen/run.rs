//! The run of a pass: results one after another, or some neighbours in turn, split among threads.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::micro::{INPUTS, Notes, Sizes, Table, Watched};
use super::super::{Untyped, mend};
use super::pass::{
    CHUNK, CHUNK_IN_TURN, ChoosingPass, Chunk, IN_TURN, SourcePlaces, sources, ways,
};
use super::result::{ChosenResult, Packed};
use super::{Filter, Given, Results};
use crate::facts::error::{Error, ErrorKind};
use crate::machine::memory::caught;
use crate::machine::team::{GRAIN, Team};

impl<'a> ChoosingPass<'a> {
    /// Writes all results.
    ///
    /// # Errors
    /// As [`Untyped::run_chosen`].
    ///
    /// # Safety
    /// As for [`Untyped::run_chosen`]; the table and the sizes are the kernel's.
    pub(super) unsafe fn run(
        kernel: &'a Untyped,
        (table, sizes): (&'a Table, &'a Sizes),
        filter: Filter,
        given: Given<'a>,
        results: Results,
        team: Team<'_>,
    ) -> Result<(), Error> {
        let (plan, needs) = (given.plan, kernel.needs);
        let mut notes = Notes::new();
        let are_mended = sizes.doubts && !matches!(kernel.mends, mend::Mends::Never);
        let watched = Watched { op: given.op, notes: are_mended.then_some(&notes) };
        let op = if sizes.doubts { std::ptr::from_ref(&watched).cast() } else { given.op };
        let run = plan.run().stride.unsigned_abs();
        let lie_between = plan.lane.size > 1 && plan.lane.stride.unsigned_abs() < run;
        let pass = ChoosingPass {
            kernel,
            table,
            sizes,
            op,
            given,
            skips_nan: filter.skips_nan,
            results,
            // SAFETY: the caller's.
            sources: unsafe { sources(sizes, filter, given) },
            piece: needs.packed_piece(),
            at_once: if lie_between { IN_TURN } else { 1 },
            chunk: if lie_between { CHUNK_IN_TURN } else { CHUNK },
            ways: ways(sizes, needs.few),
            lacks_value: AtomicBool::new(false),
        };
        caught(|| pass.split(team))?;
        if pass.lacks_value.load(Ordering::Relaxed) {
            return Err(ErrorKind::NoneCounts { dtype: kernel.dtypes[0] }.into());
        }
        if are_mended && notes.has_any() {
            // SAFETY: results that were just written.
            caught(|| unsafe { pass.mend(&notes) })?;
        }
        Ok(())
    }

    /// Writes all results, split among a team.
    fn split(&self, team: Team<'_>) {
        let plan = self.given.plan;
        let together = (GRAIN / plan.count.max(1)).max(1).next_multiple_of(self.at_once);
        let parts = (0..plan.outputs).step_by(together);
        let parts = parts.map(|first| first..plan.outputs.min(first + together)).collect();
        team.each(parts, |part: Range<usize>| {
            let elements = part.len() * plan.count;
            self.some(part);
            team.done(elements);
        });
    }

    /// Writes some results.
    fn some(&self, numbers: Range<usize>) {
        let mut chunk = Chunk::new();
        let at_once = self.at_once.min(numbers.len());
        let mut all: Vec<(ChosenResult, SourcePlaces)> =
            (0..at_once).map(|_| (ChosenResult::new(), SourcePlaces::new())).collect();
        let Range { start: mut first, end } = numbers;
        while first < end {
            // Neighbours along one axis.
            let size = self.given.plan.lane.size;
            let some = &mut all[..at_once.min(end - first).min(size - first % size)];
            for (number, (one, places)) in (first..).zip(&mut *some) {
                one.begin();
                *places = self.places(number);
            }
            for index in (0..self.given.plan.count).step_by(self.chunk) {
                self.read_all(&mut chunk, &some[0].1, (index, some.len()));
                for (number, (one, places)) in some.iter_mut().enumerate() {
                    self.read(&mut chunk, places, index, number);
                    one.take(self, &chunk);
                }
            }
            for (number, (one, places)) in (first..).zip(&mut *some) {
                one.end(self, places, self.result(number));
            }
            first += some.len();
        }
    }

    /// Mends the results that were noted, each over a list of its elements that count.
    ///
    /// # Safety
    /// They were written.
    unsafe fn mend(&self, notes: &Notes) {
        let (mut chunk, mut packed) = (Chunk::new(), Packed::new());
        let Given { op, level, plan, .. } = self.given;
        for (place, doubts) in notes.sorted() {
            let number = (place - self.results.first.addr()) / self.results.apart;
            let places = self.places(number);
            packed.clear();
            for first in (0..plan.count).step_by(self.chunk) {
                self.read(&mut chunk, &places, first, 0);
                packed.take(self, &chunk, plan.count + self.chunk, false);
            }
            let buffers = (packed.data(self), [packed.len(); INPUTS]);
            let (mends, out) = (self.kernel.mends, self.result(number));
            let inputs = self.sizes.inputs;
            // SAFETY: the result is the operator's, and the buffers hold all elements of it that count.
            unsafe { mends.mend_list(op, (buffers, inputs), (level, doubts), out) };
        }
    }
}
