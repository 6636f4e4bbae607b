//! The run of a pass: results one after another, or some neighbours in turn, split among threads.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::super::micro::{INPUTS, Notes, Watched};
use super::pass::{
    CHUNK, CHUNK_IN_TURN, ChoosingPass, Chunk, IN_TURN, MemberPass, SourcePlaces, sources,
};
use super::result::{ChosenResult, Packed};
use super::{Given, Member, Results};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::progress::Stopped;
use crate::machine::memory::caught;
use crate::machine::team::{GRAIN, Team};

/// A result that is being folded by each member, and where its elements begin.
struct Neighbour {
    of_members: Vec<ChosenResult>,
    places: SourcePlaces,
}

impl<'a> ChoosingPass<'a> {
    /// A pass of some members. Results that an operator doubts are noted where it is watched.
    ///
    /// # Safety
    /// As for [`Untyped::run_chosen`](super::Untyped::run_chosen); `watched` has the operator of each member.
    pub(super) unsafe fn new(
        members: &'a [Member<'a>],
        watched: &'a [Watched<'a>],
        (given, results): (Given<'a>, Results),
    ) -> Self {
        let plan = given.plan;
        let run = plan.run().stride.unsigned_abs();
        let lie_between = plan.lane.size > 1 && plan.lane.stride.unsigned_abs() < run;
        let chunk = if lie_between { CHUNK_IN_TURN } else { CHUNK };
        let member = |(member, watched): (&'a Member<'a>, &'a Watched<'a>)| {
            let doubts = member.kernel.2.doubts;
            let op = if doubts { std::ptr::from_ref(watched).cast() } else { watched.op };
            MemberPass::new(member, op, plan, chunk)
        };
        ChoosingPass {
            members: members.iter().zip(watched).map(member).collect(),
            given,
            results,
            // SAFETY: the caller's.
            sources: unsafe { sources(members, given) },
            at_once: if lie_between { IN_TURN } else { 1 },
            chunk,
        }
    }

    /// Writes all results.
    ///
    /// # Errors
    /// As [`Untyped::run_chosen`](super::Untyped::run_chosen).
    pub(super) fn run(&self, team: Team<'_>) -> Result<(), Error> {
        caught(|| self.split(team))??;
        for MemberPass { member, lacks_value, .. } in &self.members {
            if lacks_value.load(Ordering::Relaxed) {
                return Err(ErrorKind::NoneCounts { dtype: member.kernel.0.dtypes[0] }.into());
            }
        }
        Ok(())
    }

    /// Writes all results, split among a team. Those that the operator has no value for stay as they are.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    pub(super) fn split(&self, team: Team<'_>) -> Result<(), Stopped> {
        let plan = self.given.plan;
        let together = (GRAIN / plan.count.max(1)).max(1).next_multiple_of(self.at_once);
        let parts = (0..plan.outputs).step_by(together);
        let parts = parts.map(|first| first..plan.outputs.min(first + together)).collect();
        team.each_unless_stopped(parts, |part: Range<usize>| {
            let elements = part.len() * plan.count;
            self.some(part);
            team.done(elements);
        })
    }

    /// Writes some results.
    fn some(&self, numbers: Range<usize>) {
        let mut chunk = Chunk::new();
        let at_once = self.at_once.min(numbers.len());
        let blank = |_| Neighbour {
            of_members: self.members.iter().map(|_| ChosenResult::new()).collect(),
            places: SourcePlaces::new(),
        };
        let mut all: Vec<Neighbour> = (0..at_once).map(blank).collect();
        let Range { start: mut first, end } = numbers;
        while first < end {
            // Neighbours along one axis.
            let size = self.given.plan.lane.size;
            let some = &mut all[..at_once.min(end - first).min(size - first % size)];
            self.in_turn(first, some, &mut chunk);
            first += some.len();
        }
    }

    /// Writes some neighbours, from number `first` on.
    fn in_turn(&self, first: usize, some: &mut [Neighbour], chunk: &mut Chunk) {
        for (number, Neighbour { of_members, places }) in (first..).zip(&mut *some) {
            of_members.iter_mut().for_each(ChosenResult::begin);
            *places = self.places(number);
        }
        for index in (0..self.given.plan.count).step_by(self.chunk) {
            self.read_all(chunk, &some[0].places, (index, some.len()));
            for (number, Neighbour { of_members, places }) in some.iter_mut().enumerate() {
                self.read(chunk, places, index, number);
                for (one, member) in of_members.iter_mut().zip(&self.members) {
                    chunk.choose(member.member);
                    one.take(member, chunk);
                }
            }
        }
        for (number, Neighbour { of_members, places }) in (first..).zip(some) {
            for (one, member) in of_members.iter_mut().zip(&self.members) {
                let Results { first, apart } = self.results;
                let out = first.wrapping_add(number * apart + member.member.result_at);
                one.end((self, member), places, out);
            }
        }
    }
}

impl Member<'_> {
    /// Mends the results that were noted, each over a list of its elements that count.
    ///
    /// # Safety
    /// They were written, by a pass over what is given.
    pub(super) unsafe fn mend(&self, notes: &Notes, given: Given<'_>, results: Results) {
        let (kernel, _, sizes) = self.kernel;
        let Given { plan, level, .. } = given;
        let members = std::slice::from_ref(self);
        let pass = ChoosingPass {
            members: vec![MemberPass::new(self, self.op, plan, CHUNK)],
            given,
            results,
            // SAFETY: the caller's.
            sources: unsafe { sources(members, given) },
            at_once: 1,
            chunk: CHUNK,
        };
        let (mut chunk, mut packed) = (Chunk::new(), Packed::new());
        for (place, doubts) in notes.sorted() {
            let number = (place - results.first.addr() - self.result_at) / results.apart;
            let places = pass.places(number);
            packed.clear();
            for first in (0..plan.count).step_by(CHUNK) {
                pass.read(&mut chunk, &places, first, 0);
                chunk.choose(self);
                packed.take(sizes, &chunk, plan.count + CHUNK, false);
            }
            let buffers = (packed.data(sizes), [packed.len(); INPUTS]);
            let out = results.first.wrapping_add(number * results.apart + self.result_at);
            let inputs = sizes.inputs;
            // SAFETY: the result is the operator's, and the buffers hold all elements of it that count.
            unsafe { kernel.mends.mend_list(self.op, (buffers, inputs), (level, doubts), out) };
        }
    }
}
