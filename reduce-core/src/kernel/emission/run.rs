//! The run of an emission: one group after another, or several by as many threads.

#![allow(unsafe_code, reason = "elements are passed on with their types erased")]

use std::marker::PhantomData;
use std::ops::Range;

use smallvec::SmallVec;

use super::super::micro::Data;
use super::super::read::{Lines, Room};
use super::doubtful::DoubtfulSets;
use super::lines::LineWalk;
use super::over::Over;
use super::slices::OutputSlices;
use super::stage::Stage;
use super::stage_plan::{AllResults, PlannedStage, StagePlan, StagePlans, StageRooms};
use super::{STACK_STAGES, StageOps, Stages};
use crate::facts::axes::AxisSet;
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::facts::progress::Stopped;
use crate::facts::shape::Shape;
use crate::facts::threads::Threads;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::{Crew, GRAIN, Team};
use crate::values::layout::Strided;
use crate::values::stored::Buffers;

/// A group has up to about this many bytes of elements. They, and what is emitted, stay in cache between the two
/// passes.
const GROUP_BYTES: usize = 1 << 16;

/// An emission over one layout of inputs and output: all that is known before there is an element.
pub(crate) struct EmissionPlan<T, O> {
    erased: ErasedPlan,
    types: PhantomData<fn(T) -> O>,
}

/// A plan, its types erased.
pub(super) struct ErasedPlan {
    stages: StagePlans,
    groups: OutputSlices,
    /// Whether the first stage makes all its results before the first group.
    reduces_all: bool,
    /// The first place of the output, if all are walked one behind the other, without gaps.
    dense: Option<usize>,
    /// The number of elements.
    count: usize,
}

impl<T, O> Stages<T, O> {
    /// The plan over inputs and an output of one shape, which has elements.
    pub(crate) fn plan(
        &self,
        (shape, axes): (&Shape, &AxisSet),
        inputs: &[Strided<'_>],
        out: Strided<'_>,
    ) -> EmissionPlan<T, O> {
        let erased = ErasedPlan::new(&self.all, Over { shape, axes, inputs, out });
        EmissionPlan { erased, types: PhantomData }
    }
}

impl<T, O> EmissionPlan<T, O> {
    /// Emits over inputs that lie as the plan has it.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*: the operators are those of the stages, in their order.
    /// If the output takes the places of the first input, both lie alike.
    pub(super) unsafe fn run(
        &self,
        ops: &StageOps<'_>,
        inputs: Buffers,
        crew: (Available, Crew<'_>),
        output: *mut u8,
    ) -> Result<(), Error> {
        // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps.
        unsafe { self.erased.run(&ops.all, inputs, crew, output) }
    }

    /// True if the output has `places` places, one behind the other.
    pub(super) fn fills(&self, places: usize) -> bool {
        self.erased.dense == Some(0) && self.erased.count == places
    }
}

impl ErasedPlan {
    /// The plan of some stages over inputs and an output of one shape, which has elements.
    pub(super) fn new(stages: &[Stage], over: Over<'_>) -> Self {
        let keeps_order = stages.len() > 1 || stages.iter().any(|stage| stage.needs.ordered);
        let sorted = over.sorted(keeps_order).and_then(|sorted| {
            sorted.with(|sorted| Some(Self::of(sorted, StagePlan::all_like(sorted, stages, over)?)))
        });
        sorted.unwrap_or_else(|| Self::of(over, StagePlan::all(over, stages)))
    }

    /// The plan of stages that were planned.
    fn of(over: Over<'_>, stages: StagePlans) -> Self {
        let elements = stages.first().map_or(1, |first| {
            (GROUP_BYTES / first.stage.elements[0]).max(first.template.least_together())
        });
        let mut groups = OutputSlices::new(over.shape, over.axes, elements);
        let later = stages.get(1..).unwrap_or_default();
        if groups.count > 1 && !later.iter().all(|stage| stage.is_divisible(groups.elements(0))) {
            groups = OutputSlices::whole(over.shape);
        }
        let is_divisible = |first: &StagePlan| first.is_divisible(groups.elements(0));
        let reduces_all = groups.count > 1 && !stages.first().is_some_and(is_divisible);
        let (strides, offset) = over.out;
        let dense = over.shape.is_row_major(strides).then_some(offset);
        let count = over.shape.count();
        ErasedPlan { stages, groups, reduces_all, dense, count }
    }

    /// As [`EmissionPlan::run`]. It is compiled once for all operators.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As [`EmissionPlan::run`].
    pub(super) unsafe fn run(
        &self,
        ops: &[*const ()],
        inputs: Buffers,
        (level, crew): (Available, Crew<'_>),
        output: *mut u8,
    ) -> Result<(), Error> {
        let replaces = inputs.0[0] == output.cast_const();
        let mut run = EmissionRun { ops, plan: self, all: None, inputs, output, replaces, level };
        let run = || -> Result<(), Stopped> {
            if self.reduces_all {
                // SAFETY: *operator*, *types* and *buffers*, which the caller keeps: the first stage reads the inputs.
                run.all = Some(unsafe { run.stage(0).reduce_all(inputs, (level, crew)) }?);
            }
            // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps; each stage goes over what
            // the one before it emits.
            unsafe { run.over_groups(crew) }
        };
        Ok(caught(run)??)
    }
}

/// What is the same for all groups.
struct EmissionRun<'a> {
    ops: &'a [*const ()],
    plan: &'a ErasedPlan,
    /// The results of the first stage, if they were made before the first group.
    all: Option<AllResults>,
    inputs: Buffers,
    /// The beginning of the buffer to which the last stage emits.
    output: *mut u8,
    /// Whether what is emitted takes the places of the first input.
    replaces: bool,
    level: Available,
}

// SAFETY: *sharing* and *places*, which the caller of `over_groups` keeps: each thread writes groups of its own, and
// reads nothing of others that is written.
unsafe impl Sync for EmissionRun<'_> {}

/// Room for what is made of one group after another.
struct GroupRooms<'r> {
    of_stages: SmallVec<[StageRooms<'r>; STACK_STAGES]>,
    /// A room for each type that stages before the last emit, if they do not emit to the output.
    between: SmallVec<[((DType, usize), Room); 1]>,
}

impl EmissionRun<'_> {
    /// A stage, with its plan.
    fn stage(&self, number: usize) -> PlannedStage<'_> {
        let all = if number == 0 { self.all.as_ref() } else { None };
        PlannedStage { op: self.ops[number], plan: &self.plan.stages[number], all }
    }

    /// Emits over all groups.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As [`EmissionPlan::run`].
    unsafe fn over_groups(&self, crew: Crew<'_>) -> Result<(), Stopped> {
        let groups = 0..self.plan.groups.count;
        if groups.len() == 1 {
            // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps.
            return unsafe { self.some(groups, crew, false) };
        }
        let elements = self.plan.groups.elements(groups.end - 1).end;
        // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps.
        unsafe { self.split(crew, crew.team(elements)) }
    }

    /// Emits over all groups, split among the team of a crew.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As [`EmissionPlan::run`].
    unsafe fn split(&self, crew: Crew<'_>, team: Team<'_>) -> Result<(), Stopped> {
        let count = self.plan.groups.count;
        let together = match team.threads() {
            1 => count,
            _ => (GRAIN / self.plan.groups.elements(0).len()).max(1),
        };
        let parts = (0..count).step_by(together).map(|first| first..count.min(first + together));
        let (alone, are_several) = (Crew { threads: &Threads::One, ..crew }, team.threads() > 1);
        let all = team.each_unless_stopped(parts.collect(), |groups| {
            // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps; no two parts have a group in
            // common.
            let _seen_below = unsafe { self.some(groups, alone, are_several) };
        });
        // A part that was stopped may be the last one.
        all.and_then(|()| team.check())
    }

    /// Emits over some groups, one after another. If there are several threads, others may emit over other groups
    /// meanwhile.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As [`EmissionPlan::run`], for these groups.
    unsafe fn some(
        &self,
        groups: Range<usize>,
        crew: Crew<'_>,
        are_several: bool,
    ) -> Result<(), Stopped> {
        let mut stack = [const { [Lines::uninit(); 2] }; STACK_STAGES];
        let mut stack = stack.iter_mut();
        let of_stages = self.ops.iter().map(|_| StageRooms::on(stack.next())).collect();
        let mut rooms = GroupRooms { of_stages, between: SmallVec::new() };
        for number in groups {
            let elements = self.plan.groups.elements(number);
            // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps.
            unsafe { self.group(&mut rooms, elements, crew, are_several) }?;
        }
        Ok(())
    }

    /// Emits over the elements of a group: all stages, each over what the one before it emitted.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As [`EmissionPlan::run`], for these elements.
    unsafe fn group(
        &self,
        rooms: &mut GroupRooms<'_>,
        elements: Range<usize>,
        crew: Crew<'_>,
        are_several: bool,
    ) -> Result<(), Stopped> {
        let team = crew.team(elements.len());
        let (mut buffers, mut data) = (self.inputs, self.inputs.0);
        let mut first = 0;
        if self.replaces && are_several {
            (buffers, first) = self.alone(buffers, &elements);
        }
        for number in 0..self.ops.len() {
            let planned = self.stage(number);
            let PlannedStage { op, plan, .. } = planned;
            let (room, from) = (&mut rooms.of_stages[number], (buffers, first));
            // SAFETY: *operator*, *types* and *buffers*: the caller keeps those of the inputs, and later stages read
            // what was just emitted.
            let results = unsafe { planned.results(room, &elements, from, (self.level, crew)) }?;
            let is_last = number + 1 == self.ops.len();
            let (to, readable) = match is_last {
                true => (self.output, 0),
                false => self.places(&mut rooms.between, number, &elements),
            };
            let start = if is_last { 0 } else { elements.start };
            let out = to.wrapping_sub(start * plan.stage.emitted.1);
            // SAFETY: *operator* and *elements*: those of the inputs, which the caller keeps, or what was just emitted.
            let again = unsafe { self.again(planned, &rooms.of_stages[number].doubtful, &data) };
            let lines = LineWalk { op, plan, level: self.level, data, results, out };
            // SAFETY: *elements*: those of the inputs, which the caller keeps, or what was just emitted; and their
            // results. *places*: the caller's for the last stage, and a room for the others.
            unsafe { lines.split(elements.clone(), team) }?;
            for (sets, set, all) in again {
                // SAFETY: *places*: `lines.split` has just written to those of the same elements.
                unsafe { sets.put(set, &all, plan.stage.emitted.0, out) };
            }
            if number == 0 {
                let beside = self.inputs.0[plan.stage.reduced..].iter();
                data[1..].iter_mut().zip(beside).for_each(|(to, &beside)| *to = beside);
            }
            (buffers.0[0], buffers.1[0]) = (to, readable);
            (data[0], first) = (out, elements.start);
        }
        Ok(())
    }

    /// The buffers of the inputs, that of the first with these elements alone, and the number of its first element. A step
    /// that reaches beyond the last element of a group would read what another thread may write just then.
    fn alone(&self, (mut data, mut lengths): Buffers, elements: &Range<usize>) -> (Buffers, usize) {
        let size = self.plan.stages.first().map_or(0, |first| first.stage.elements[0]);
        data[0] = data[0].wrapping_add(elements.start * size);
        lengths[0] = elements.len();
        ((data, lengths), elements.start)
    }

    /// Returns the new elements of the doubtful sets whose results do not stand, each with the number of its set and
    /// where sets lie.
    ///
    /// # Safety
    /// *operator* and *elements*: those of the stage, as its plan has them.
    unsafe fn again<'s>(
        &self,
        PlannedStage { op, plan, .. }: PlannedStage<'s>,
        doubtful: &[usize],
        data: &Data,
    ) -> Vec<(&'s DoubtfulSets, usize, Vec<f64>)> {
        let (Some(sets), Some(again)) = (&plan.sets, plan.stage.again) else { return Vec::new() };
        let of_set = |&set: &usize| {
            // SAFETY: *operator* and *elements*, which the caller keeps for each set of the stage.
            let all = unsafe { sets.again((op, again), &plan.stage, set, (data, self.level)) };
            all.map(|all| (sets, set, all))
        };
        doubtful.iter().filter_map(of_set).collect()
    }

    /// Where a stage before the last emits to, over some elements, and how many elements may be read there. That is in
    /// the output if it has this type and is dense. Otherwise it is a room, in which the next stage may read a whole
    /// step.
    fn places(
        &self,
        between: &mut SmallVec<[((DType, usize), Room); 1]>,
        number: usize,
        elements: &Range<usize>,
    ) -> (*mut u8, usize) {
        let emitted = self.plan.stages[number].stage.emitted;
        let is_like_last =
            self.plan.stages.last().is_some_and(|last| last.stage.emitted == emitted);
        if let (true, Some(offset)) = (is_like_last, self.plan.dense) {
            let first = offset + elements.start;
            return (self.output.wrapping_add(first * emitted.1), elements.len());
        }
        let place = between.iter().position(|(of, _)| *of == emitted).unwrap_or_else(|| {
            between.push((emitted, Room::new()));
            between.len() - 1
        });
        // The room is equally large for every stage, since what is there must not move.
        let lanes = self.plan.stages.iter().map(|plan| plan.stage.sizes.lanes).max().unwrap_or(0);
        let readable = elements.len() + lanes;
        (between[place].1.bytes(readable * emitted.1), readable)
    }
}
