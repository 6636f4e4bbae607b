//! The run of a pass: results one after another, or some neighbours in turn, split among threads.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::super::micro::{INPUTS, Notes, Watched};
use super::super::read::{CHUNK, Chunk, ChunkSources, SourcePlaces};
use super::pass::{ChoosingPass, Flags, MemberPass, choose_for, sources};
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
    /// As for [`Untyped::run_chosen`](super::Untyped::run_chosen), for each member; `watched` has the operators of the
    /// members, in their order.
    pub(super) unsafe fn new(
        members: &'a [Member<'a>],
        watched: &'a [Watched<'a>],
        (given, results): (Given<'a>, Results),
    ) -> Self {
        let plan = given.plan;
        // SAFETY: *types* and *buffers*, which the caller keeps for all members.
        let sources = ChunkSources::new(unsafe { sources(members, given) }, plan);
        let chunk = sources.chunk;
        let member = |(member, watched): (&'a Member<'a>, &'a Watched<'a>)| {
            let doubts = member.kernel.2.doubts;
            let op = if doubts { std::ptr::from_ref(watched).cast() } else { watched.op };
            MemberPass::new(member, op, plan, chunk)
        };
        ChoosingPass {
            members: members.iter().zip(watched).map(member).collect(),
            given,
            results,
            sources,
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
        let together = (GRAIN / plan.count.max(1)).max(1).next_multiple_of(self.sources.at_once);
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
        let (mut chunk, mut flags) = (Chunk::new(), Flags::new());
        let at_once = self.sources.at_once.min(numbers.len());
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
            self.in_turn(first, some, (&mut chunk, &mut flags));
            first += some.len();
        }
    }

    /// Writes some neighbours, from number `first` on.
    fn in_turn(
        &self,
        first: usize,
        some: &mut [Neighbour],
        (chunk, flags): (&mut Chunk, &mut Flags),
    ) {
        for (number, Neighbour { of_members, places }) in (first..).zip(&mut *some) {
            of_members.iter_mut().for_each(ChosenResult::begin);
            *places = self.sources.places(number);
        }
        for index in (0..self.given.plan.count).step_by(self.sources.chunk) {
            self.sources.read_all(chunk, &some[0].places, (index, some.len()));
            for (number, Neighbour { of_members, places }) in some.iter_mut().enumerate() {
                self.sources.read(chunk, places, index, number);
                for (one, member) in of_members.iter_mut().zip(&self.members) {
                    choose_for(member.member, chunk, flags);
                    one.take(member, chunk, flags);
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
    /// *operator*, *types*, *buffers* and *places*, for this member. *written*: a pass over what is given has stored
    /// the results that were noted.
    pub(super) unsafe fn mend(&self, notes: &Notes, given: Given<'_>, results: Results) {
        let (kernel, _, sizes) = self.kernel;
        let Given { plan, level, .. } = given;
        let members = std::slice::from_ref(self);
        let pass = ChoosingPass {
            members: vec![MemberPass::new(self, self.op, plan, CHUNK)],
            given,
            results,
            // SAFETY: *types* and *buffers*, which the caller keeps: it gives the pass what was given to the one
            // before.
            sources: ChunkSources::one_by_one(unsafe { sources(members, given) }, plan),
        };
        let (mut chunk, mut flags) = (Chunk::new(), Flags::new());
        let mut packed = Packed::new();
        for (place, doubts) in notes.sorted() {
            let number = (place - results.first.addr() - self.result_at) / results.apart;
            let places = pass.sources.places(number);
            packed.clear();
            for first in (0..plan.count).step_by(CHUNK) {
                pass.sources.read(&mut chunk, &places, first, 0);
                choose_for(self, &chunk, &mut flags);
                packed.take(sizes, (&chunk, &flags), plan.count + CHUNK, false);
            }
            let buffers = (packed.data(sizes), [packed.len(); INPUTS]);
            let out = results.first.wrapping_add(number * results.apart + self.result_at);
            let inputs = sizes.inputs;
            // SAFETY: *operator* and *types*, which the caller keeps. *buffers*: they hold all elements of the result
            // that count. *places*: the result is noted once.
            unsafe { kernel.mends.mend_list(self.op, (buffers, inputs), (level, doubts), out) };
        }
    }
}
