//! Stages with their plans, and the results by which they emit.

#![allow(unsafe_code, reason = "kernels are called with their types erased")]

use std::ops::Range;

use smallvec::SmallVec;

use super::super::chosen::{Given, Results, run_alone};
use super::super::mend;
use super::super::micro::{INPUTS, Notes};
use super::super::read::{Lines, Scratch};
use super::super::walk::KernelCall;
use super::doubtful::DoubtfulSets;
use super::over::Over;
use super::repeat::{ResultWalk, repeat};
use super::stage::Stage;
use super::template::Template;
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::{InOrder, Places, Plan, Scatter};
use crate::values::layout::Strided;
use crate::values::stored::Buffers;

/// A stage, planned for all elements of one layout.
pub(super) struct StagePlan {
    pub(super) stage: Stage,
    reduction: Plan,
    /// The walk over all inputs and, behind them, the results and what is emitted.
    pub(super) walk: InOrder,
    /// What is the same for all planes of this walk.
    pub(super) template: Template,
    /// Where sets lie, if results may be doubted.
    pub(super) sets: Option<DoubtfulSets>,
    repeats: usize,
}

/// A stage that runs by a plan, with its operator.
#[derive(Clone, Copy)]
pub(super) struct PlannedStage<'a> {
    pub(super) op: *const (),
    pub(super) plan: &'a StagePlan,
    /// All results, if they are not made group by group.
    pub(super) all: Option<&'a AllResults>,
}

/// All results of a stage, in row-major order.
pub(super) struct AllResults {
    first: *const u8,
    /// Those that are doubtful, in order.
    doubtful: Vec<usize>,
    _room: Scratch<'static>,
}

/// Room for the results over one group after another.
pub(super) struct StageRooms<'r> {
    results: Scratch<'r>,
    repeated: Scratch<'r>,
    /// The plan of the group before, which most others are like.
    part: Option<Box<Plan>>,
    /// The doubtful results, of all that the stage has.
    pub(super) doubtful: Vec<usize>,
}

impl<'r> StageRooms<'r> {
    /// Rooms that are on the stack while they are small, if there is one.
    pub(super) fn on(stack: Option<&'r mut [Lines; 2]>) -> Self {
        let (results, repeated) = stack.map_or_else(
            || (Scratch::new(), Scratch::new()),
            |[results, repeated]| (Scratch::on(results), Scratch::on(repeated)),
        );
        StageRooms { results, repeated, part: None, doubtful: Vec::new() }
    }
}

impl StagePlan {
    pub(super) fn new(stage: &Stage, Over { shape, axes, inputs, out }: Over<'_>) -> Self {
        let ResultWalk { repeats, strides } = ResultWalk::new(shape, axes);
        let mut all: SmallVec<[Strided<'_>; INPUTS + 2]> = SmallVec::from_slice(inputs);
        all.extend([(strides.as_slice(), 0), out]);
        let walk = InOrder::new(shape, &all);
        let reduction = Plan::new(shape, &inputs[..stage.reduced], axes, stage.needs);
        let sets = stage.again.map(|_| DoubtfulSets::new(Over { shape, axes, inputs, out }));
        let template = Template::new(stage, &walk);
        StagePlan { stage: *stage, reduction, walk, template, sets, repeats }
    }

    /// All stages over these inputs, planned.
    pub(super) fn all(over: Over<'_>, stages: &[Stage]) -> StagePlans {
        let mut planned = StagePlans::with_capacity(stages.len());
        over.each(stages, |number, over| planned.push(Self::new(&stages[number], over)));
        planned
    }

    /// All stages, planned so that each combines the elements of each result as it does with axes in the order
    /// of another one. None if there is no such plan.
    pub(super) fn all_like(
        over: Over<'_>,
        stages: &[Stage],
        other: Over<'_>,
    ) -> Option<StagePlans> {
        let mut planned = Self::all(over, stages);
        let mut are_alike = true;
        other.each(stages, |number, over| {
            are_alike = are_alike && planned[number].combine_like(over, number == 0);
        });
        are_alike.then_some(planned)
    }

    /// Makes the plan, whose axes stand in the order of the output, combine the elements of each result as in row-major
    /// order. Returns whether it does, since there may be no such plan.
    fn combine_like(&mut self, Over { shape, axes, inputs, .. }: Over<'_>, is_first: bool) -> bool {
        let needs = self.stage.needs;
        let in_order = Plan::new(shape, &inputs[..self.stage.reduced], axes, needs);
        match is_first {
            true => self.reduction.combines_like(&in_order, needs),
            false => self.reduction.combine_like(&in_order, needs),
        }
    }

    /// Whether results over groups can be made one after another, each as if with all others.
    pub(super) fn is_divisible(&self, elements: Range<usize>) -> bool {
        self.reduction.part(self.results_of(&elements), self.stage.needs).is_some()
    }

    /// The results to which some elements belong. All elements of each result are among them.
    fn results_of(&self, elements: &Range<usize>) -> Range<usize> {
        elements.start / self.reduction.count()..elements.end / self.reduction.count()
    }
}

/// The plans of all stages: a list, since a plan is too large to be moved about.
pub(super) type StagePlans = Vec<StagePlan>;

impl PlannedStage<'_> {
    /// All results, made before the first group.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers* and *sharing*: the buffers are of the inputs of the stage.
    pub(super) unsafe fn reduce_all(
        self,
        buffers: Buffers,
        crew: (Available, Crew<'_>),
    ) -> Result<AllResults, Stopped> {
        let mut room = Scratch::new();
        // SAFETY: *operator*, *types* and *buffers*, which the caller keeps. The plan is that of all elements.
        let (first, doubtful) =
            unsafe { self.reduce(&self.plan.reduction, buffers, crew, &mut room) }?;
        Ok(AllResults { first, doubtful, _room: room })
    }

    /// Makes the results over some elements, each repeated as the emission needs it, and returns where all results
    /// would begin. The buffer of the first input begins with its element number `begin`.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers* and *sharing*: the buffers are of the inputs of the stage.
    pub(super) unsafe fn results(
        self,
        rooms: &mut StageRooms<'_>,
        elements: &Range<usize>,
        (buffers, begin): (Buffers, usize),
        crew: (Available, Crew<'_>),
    ) -> Result<*const u8, Stopped> {
        let results = self.plan.results_of(elements);
        let (size, repeats) = (self.plan.stage.sizes.result, self.plan.repeats);
        let mut first = match self.all {
            Some(all) => {
                let before = |end: usize| all.doubtful.partition_point(|&number| number < end);
                rooms.doubtful = all.doubtful[before(results.start)..before(results.end)].to_vec();
                all.first.wrapping_add(results.start * size)
            }
            None => {
                let plan = self.plan_of(&mut rooms.part, &results, begin);
                // SAFETY: *operator*, *types* and *buffers*, which the caller keeps. The plan is that of these
                // elements.
                let (first, doubtful) =
                    unsafe { self.reduce(plan, buffers, crew, &mut rooms.results) }?;
                rooms.doubtful =
                    doubtful.into_iter().map(|number| results.start + number).collect();
                first
            }
        };
        if repeats > 1 {
            let (room, count) = (&mut rooms.repeated, results.len());
            // SAFETY: *written*: `reduce` stored `count` results, in a room that begins with a line of the cache.
            first = unsafe { repeat(crew.0, first, (count, size), repeats, room) };
        }
        Ok(first.wrapping_sub(results.start * repeats * size))
    }

    /// The plan for some results, where the buffer of the first input begins with its element number `begin`.
    fn plan_of<'p>(
        &'p self,
        part: &'p mut Option<Box<Plan>>,
        results: &Range<usize>,
        begin: usize,
    ) -> &'p Plan {
        let whole = &self.plan.reduction;
        if results.len() == whole.outputs() {
            return whole;
        }
        if part.as_ref().is_none_or(|part| part.outputs() != results.len()) {
            *part = whole.part(results.clone(), self.plan.stage.needs).map(Box::new);
        }
        let Some(part) = part else {
            unreachable!("groups are like the first, which is divisible")
        };
        part.move_to(whole, results.start, begin);
        part
    }

    /// The results of a plan, in row-major order, and which of them are doubtful.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers* and *sharing*: the buffers are those of this plan.
    unsafe fn reduce(
        self,
        plan: &Plan,
        buffers: Buffers,
        (level, crew): (Available, Crew<'_>),
        room: &mut Scratch<'_>,
    ) -> Result<(*const u8, Vec<usize>), Stopped> {
        let PlannedStage { op, plan: &StagePlan { stage, .. }, .. } = self;
        let Stage { kernel, tables, sizes, filter, again, .. } = stage;
        let mut notes = Notes::new();
        let bytes = plan.outputs() * sizes.result;
        let mut unordered = Scratch::new();
        let first = match &plan.scatter {
            None => room.bytes(bytes),
            Some(_) => unordered.bytes(bytes),
        };
        let noted = again.map(|_| &notes);
        let (table, team) = (tables.of(level), crew.team(plan.elements()));
        if filter.is_all() {
            let call = KernelCall { table, sizes, op, buffers, plan, level };
            // SAFETY: *operator*, *types* and *buffers*, which the caller keeps. *places*: `first` is a room for all
            // results of the plan.
            unsafe { mend::run_alone(call, first, team, noted) }?;
        } else {
            let results = Results { first, apart: sizes.result };
            let given = Given { op, buffers, plan, level, mends: true };
            // SAFETY: *operator*, *types*, *buffers* and *places*, as above; masks are behind the inputs.
            unsafe { run_alone((kernel, table, sizes), filter, (given, results), noted, team) }?;
        }
        let doubtful = match notes.has_any() {
            true => doubtful(&notes, first, sizes.result, plan),
            false => Vec::new(),
        };
        let Some(scatter) = &plan.scatter else { return Ok((first, doubtful)) };
        let to = room.bytes(bytes);
        for (number, place) in Places::new(&scatter.axes, scatter.start).enumerate() {
            let from = first.wrapping_add(number * sizes.result);
            let to = to.wrapping_add(place * sizes.result);
            // SAFETY: *written*: a result of the plan. *room*: `place` is one of as many in a room of the same size.
            unsafe { from.copy_to_nonoverlapping(to, sizes.result) };
        }
        Ok((to, doubtful))
    }
}

/// The numbers of noted results in row-major order, sorted. The first result of the plan is stored at `first`.
fn doubtful(notes: &Notes, first: *const u8, size: usize, plan: &Plan) -> Vec<usize> {
    let number = |(place, _): (usize, u32)| {
        let number = (place - first.addr()) / size;
        let in_order = |scatter: &Scatter| {
            Places::from_index(&scatter.axes, scatter.start, number).next().unwrap_or(number)
        };
        plan.scatter.as_ref().map_or(number, in_order)
    };
    let mut numbers: Vec<usize> = notes.sorted().into_iter().map(number).collect();
    numbers.sort_unstable();
    numbers
}
