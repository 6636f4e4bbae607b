//! What a stream has seen: a [cascade](crate::front::cascade) whose sets have one accumulator for each result.

use std::fmt::Debug;

use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::front::cascade::{closed, few, gathered, some};
use crate::values::steps::Steps;
use crate::values::tensor::reserve;

/// An accumulator for each result, each of `count` elements.
#[derive(Clone, Debug)]
struct Set<Acc> {
    accumulators: Vec<Acc>,
    count: u64,
}

/// The sets, the oldest first, of a number of results.
#[derive(Clone, Debug)]
pub(super) struct StreamSets<Acc> {
    results: usize,
    sets: Vec<Set<Acc>>,
}

impl<Acc: Copy> StreamSets<Acc> {
    /// The sets of `results` results that have seen nothing yet.
    pub(super) fn new(results: usize) -> Self {
        StreamSets { results, sets: Vec::new() }
    }

    /// The number of elements in each accumulator.
    pub(super) fn count(&self) -> u64 {
        self.sets.iter().map(|set| set.count).sum()
    }

    /// Adds what newer elements gave.
    ///
    /// # Errors
    /// If memory runs out. Then, and if the operator panics, no set has other elements than before.
    pub(super) fn add<S>(
        &mut self,
        op: &S::Op,
        mut accumulators: Vec<Acc>,
        count: u64,
        dtype: DType,
    ) -> Result<(), Error>
    where
        S: Steps<Acc = Acc>,
    {
        if let Some(newest) = self.sets.last() {
            let together = newest.count.saturating_add(count);
            if together <= u64::from(few::<S>()) {
                for (newer, &older) in accumulators.iter_mut().zip(&newest.accumulators) {
                    *newer = S::combine(op, older, *newer);
                }
                self.sets.pop();
                self.sets.push(Set { accumulators, count: together });
                return Ok(());
            }
            self.pass::<S>(op, dtype)?;
        }
        self.sets.push(Set { accumulators, count });
        Ok(())
    }

    /// The newest set passes to the second stage, and the one that is there to the third, unless it takes the newest.
    fn pass<S: Steps<Acc = Acc>>(&mut self, op: &S::Op, dtype: DType) -> Result<(), Error> {
        let [older @ .., before, newest] = &self.sets[..] else { return Ok(()) };
        let mut accumulators = reserve(self.results, dtype)?;
        let together = before.count.saturating_add(newest.count);
        if together <= some::<S>() {
            let pairs = before.accumulators.iter().zip(&newest.accumulators);
            accumulators.extend(pairs.map(|(&older, &newer)| S::combine(op, older, newer)));
            self.sets.truncate(self.sets.len() - 2);
            self.sets.push(Set { accumulators, count: together });
            return Ok(());
        }
        let counts = older.iter().rev().map(|set| ((), set.count));
        let (((), count), taken) = closed(((), before.count), counts, |(), ()| ());
        accumulators.extend(before.accumulators.iter().enumerate().map(|(result, &acc)| {
            let older = older.iter().rev().map(|set| (set.accumulators[result], set.count));
            closed((acc, before.count), older, |a, b| S::combine(op, a, b)).0.0
        }));
        let last = older.len();
        self.sets.splice(last - taken..=last, [Set { accumulators, count }]);
        Ok(())
    }

    /// The accumulators of a result, and their numbers of elements.
    fn newest_first(&self, result: usize) -> impl Iterator<Item = (Acc, u64)> + '_ {
        self.sets.iter().rev().map(move |set| (set.accumulators[result], set.count))
    }

    /// The accumulator of each result over all elements.
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub(super) fn gathered<S: Steps<Acc = Acc>>(
        &self,
        op: &S::Op,
        dtype: DType,
    ) -> Result<Vec<Acc>, Error> {
        let mut all = reserve(self.results, dtype)?;
        all.extend((0..self.results).map(|result| {
            let sets = gathered(self.newest_first(result), |a, b| S::combine(op, a, b));
            sets.map_or_else(|| S::none(op), |(acc, _)| acc)
        }));
        Ok(all)
    }
}
