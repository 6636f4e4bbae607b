//! The run of an emission: one group after another, or several by as many threads.

#![allow(unsafe_code, reason = "elements are passed on with their types erased")]

use std::ops::Range;

use super::super::micro::Data;
use super::super::read::Room;
use super::Stages;
use super::doubtful::DoubtfulSets;
use super::lines::LineWalk;
use super::over::Over;
use super::slices::OutputSlices;
use super::stage::{PlannedStage, Stage, StageRooms};
use crate::facts::axes::AxisSet;
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::facts::shape::{Dims, Shape};
use crate::facts::threads::Threads;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::{Crew, GRAIN, Team};
use crate::values::element::Element;
use crate::values::input::Input;
use crate::values::stored::Buffers;
use crate::values::stored::Stored;
use crate::values::view_mut::ViewMut;

/// A group has up to about this many bytes of elements. They, and what is emitted, stay in cache between the two
/// passes.
const GROUP_BYTES: usize = 1 << 16;

impl<T: Stored, O: Element> Stages<'_, T, O> {
    /// Emits over views of one shape, into a view of that shape.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn run<V: Input<Stored = T>>(
        &self,
        views: &V,
        (shape, axes): (&Shape, &AxisSet),
        (level, threads): (Available, &Threads),
        output: &mut ViewMut<'_, O>,
    ) -> Result<(), Error> {
        let layouts = views.layouts();
        let is_of_shape = layouts.iter().all(|layout| layout.shape == *shape);
        assert!(is_of_shape && output.shape() == shape, "inputs and output of one shape");
        let inputs: Vec<_> =
            layouts.iter().map(|layout| (layout.strides.as_slice(), layout.offset)).collect();
        let buffers = T::buffers(views.data());
        let strides = Dims::from_slice(output.strides());
        let over = Over { shape, axes, inputs: &inputs, out: (&strides, output.offset()) };
        let output = output.data_mut().as_mut_ptr().cast();
        // SAFETY: stages are made of operators, each over what the one before it emits. Elements of
        // views lie in their buffers, those of the output at places of their own.
        caught(|| unsafe { run(&self.all, over, buffers, (level, threads), output) })
    }
}

/// Emits over inputs.
///
/// # Safety
/// The buffers are those of the inputs, and of the types of the first stage. Each other stage takes the type that the
/// one before it emits. The output has a place for each element of the last.
unsafe fn run(
    stages: &[Stage],
    over: Over<'_>,
    inputs_at: Buffers,
    crew: (Available, &Threads),
    output: *mut u8,
) {
    let places = (inputs_at, output, crew.0);
    let keeps_order = stages.len() > 1 || stages.iter().any(|stage| stage.needs.ordered);
    let sorted = over.sorted(keeps_order).and_then(|sorted| {
        sorted.with(|sorted| {
            Some(EmissionRun::new(sorted, PlannedStage::all_like(sorted, stages, over)?, places))
        })
    });
    let mut run =
        sorted.unwrap_or_else(|| EmissionRun::new(over, PlannedStage::all(over, stages), places));
    let group = run.groups.elements(0);
    let Some(first) = run.stages.first_mut() else { return };
    if run.groups.count > 1 && !first.is_divisible(group) {
        // SAFETY: the caller's.
        unsafe { first.reduce_all(inputs_at, crew) };
    }
    // SAFETY: the caller's.
    unsafe { run.all(crew.1) };
}

/// What is the same for all groups.
struct EmissionRun<'a> {
    stages: Vec<PlannedStage<'a>>,
    groups: OutputSlices,
    inputs: Buffers,
    /// The beginning of the buffer to which the last stage emits.
    output: *mut u8,
    /// The first place there, if all are walked one behind the other, without gaps.
    dense: Option<usize>,
    level: Available,
}

// SAFETY: operators and elements that threads may share; each writes groups of its own.
unsafe impl Sync for EmissionRun<'_> {}

/// Room for what is made of one group after another.
struct GroupRooms {
    of_stages: Vec<StageRooms>,
    /// A room for each type that stages before the last emit, if they do not emit to the output.
    between: Vec<((DType, usize), Room)>,
}

impl<'a> EmissionRun<'a> {
    /// The run of stages that were planned.
    fn new(
        over: Over<'_>,
        stages: Vec<PlannedStage<'a>>,
        (inputs, output, level): (Buffers, *mut u8, Available),
    ) -> Self {
        let elements = |first: &PlannedStage<'_>| GROUP_BYTES / first.stage.elements[0];
        let elements = stages.first().map_or(1, elements);
        let mut groups = OutputSlices::new(over.shape, over.axes, elements);
        let later = stages.get(1..).unwrap_or_default();
        if groups.count > 1 && !later.iter().all(|stage| stage.is_divisible(groups.elements(0))) {
            groups = OutputSlices::whole(over.shape);
        }
        let (strides, offset) = over.out;
        let dense = over.shape.is_row_major(strides).then_some(offset);
        EmissionRun { stages, groups, inputs, output, dense, level }
    }
}

impl EmissionRun<'_> {
    /// Emits over all groups.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn all(&self, threads: &Threads) {
        let groups = 0..self.groups.count;
        if groups.len() == 1 {
            // SAFETY: the caller's.
            return unsafe { self.some(groups, threads) };
        }
        let elements = self.groups.elements(groups.end - 1).end;
        // SAFETY: the caller's.
        unsafe { self.split(Crew::from(threads).team(elements)) };
    }

    /// Emits over all groups, split among a team.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn split(&self, team: Team<'_>) {
        let count = self.groups.count;
        let together = match team.threads() {
            1 => count,
            _ => (GRAIN / self.groups.elements(0).len()).max(1),
        };
        let parts = (0..count).step_by(together).map(|first| first..count.min(first + together));
        // SAFETY: the caller's; no two parts have a group in common.
        team.each(parts.collect(), |groups| unsafe { self.some(groups, &Threads::One) });
    }

    /// Emits over some groups, one after another.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn some(&self, groups: Range<usize>, threads: &Threads) {
        let of_stages = self.stages.iter().map(|_| StageRooms::new()).collect();
        let mut rooms = GroupRooms { of_stages, between: Vec::new() };
        for number in groups {
            let elements = self.groups.elements(number);
            // SAFETY: the caller's.
            unsafe { self.group(&mut rooms, elements, threads) };
        }
    }

    /// Emits over the elements of a group: all stages, each over what the one before it emitted.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn group(&self, rooms: &mut GroupRooms, elements: Range<usize>, threads: &Threads) {
        let crew = (self.level, threads);
        let (mut buffers, mut data) = (self.inputs, self.inputs.0);
        for (number, stage) in self.stages.iter().enumerate() {
            let (room, from) = (&mut rooms.of_stages[number], (buffers, number > 0));
            // SAFETY: the caller's, or what was just emitted.
            let results = unsafe { stage.results(room, &elements, from, crew) };
            let is_last = number + 1 == self.stages.len();
            let (to, readable) = match is_last {
                true => (self.output, 0),
                false => self.places(&mut rooms.between, number, &elements),
            };
            let start = if is_last { 0 } else { elements.start };
            let out = to.wrapping_sub(start * stage.stage.emitted.1);
            // SAFETY: elements of inputs, or what was just emitted.
            let again = unsafe { self.again(stage, &rooms.of_stages[number].doubtful, &data) };
            let (walk, level) = (&stage.walk, self.level);
            let lines = LineWalk { stage: stage.stage, walk, level, data, results, out };
            let team = Crew::from(threads).team(elements.len());
            // SAFETY: elements of inputs, or what was just emitted; their results; and room.
            unsafe { lines.split(elements.clone(), team) };
            for (sets, set, all) in again {
                // SAFETY: sets of these elements.
                unsafe { sets.put(set, &all, stage.stage.emitted.0, out) };
            }
            (buffers.0[0], buffers.1[0]) = (to, readable);
            data[0] = out;
        }
    }

    /// Returns the new elements of the doubtful sets whose results do not stand, each with the number of its set and
    /// where sets lie.
    ///
    /// # Safety
    /// The elements of the stage are there.
    unsafe fn again<'s>(
        &self,
        stage: &'s PlannedStage<'_>,
        doubtful: &[usize],
        data: &Data,
    ) -> Vec<(&'s DoubtfulSets, usize, Vec<f64>)> {
        let (Some(sets), Some(again)) = (&stage.sets, stage.stage.again) else { return Vec::new() };
        let Stage { op, kernel, filter, elements, .. } = *stage.stage;
        let of = (kernel, filter);
        let of_set = |&set: &usize| {
            // SAFETY: the caller's.
            let all = unsafe { sets.again((op, again), of, &elements, set, (data, self.level)) };
            all.map(|all| (sets, set, all))
        };
        doubtful.iter().filter_map(of_set).collect()
    }

    /// Where a stage before the last emits to, over some elements, and how many elements may be read there. That is in
    /// the output if it has this type and is dense. Otherwise it is a room, in which the next stage may read a whole
    /// step.
    fn places(
        &self,
        between: &mut Vec<((DType, usize), Room)>,
        number: usize,
        elements: &Range<usize>,
    ) -> (*mut u8, usize) {
        let emitted = self.stages[number].stage.emitted;
        let is_like_last = self.stages.last().is_some_and(|last| last.stage.emitted == emitted);
        if let (true, Some(offset)) = (is_like_last, self.dense) {
            let first = offset + elements.start;
            return (self.output.wrapping_add(first * emitted.1), elements.len());
        }
        let place = between.iter().position(|(of, _)| *of == emitted).unwrap_or_else(|| {
            between.push((emitted, Room::new()));
            between.len() - 1
        });
        // The room is equally large for every stage, since what is there must not move.
        let lanes = self.stages.iter().map(|stage| stage.stage.sizes.lanes).max().unwrap_or(0);
        let readable = elements.len() + lanes;
        (between[place].1.bytes(readable * emitted.1), readable)
    }
}
