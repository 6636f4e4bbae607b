//! A kernel with its operator, whose type is erased: so what runs it is compiled once for all operators.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

use std::marker::PhantomData;

use super::chosen::{Filter, Given, Results};
use super::walk::KernelCall;
use super::{Kernel, MadeOf, Mends, Untyped, mend};
use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::machine::Machine;
use crate::machine::level::Available;
use crate::machine::team::Team;
use crate::plan::{Needs, Plan};
use crate::values::element::Slot;
use crate::values::stored::{Buffers, Stored};

/// A kernel with an operator, all types erased.
#[derive(Clone, Copy)]
pub(crate) struct ErasedKernel<'k> {
    op: *const (),
    untyped: &'k Untyped,
    /// Whether results that the operator doubts are made again.
    mends: bool,
}

/// A kernel from storage type `T` to storage type `O`, with an operator.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'k, T, O> {
    erased: ErasedKernel<'k>,
    types: PhantomData<fn(T) -> O>,
}

impl<Op: Sync + 'static, T: Stored, O: Slot> Kernel<Op, T, O> {
    /// The kernel with an operator.
    #[inline(always)]
    pub(crate) fn bound<'k>(&'k self, op: &'k Op) -> Bound<'k, T, O> {
        let op = std::ptr::from_ref(op).cast();
        let erased = ErasedKernel { op, untyped: &self.untyped, mends: true };
        Bound { erased, types: PhantomData }
    }
}

impl<T: Stored, O: Slot> Bound<'_, T, O> {
    /// What the kernel needs of a plan, on this machine.
    pub(crate) fn needs(&self) -> Needs {
        self.erased.needs(Filter::ALL)
    }

    /// The kernel, which makes doubtful results again if `mends` is true.
    #[inline(always)]
    pub(crate) fn mending(self, mends: bool) -> Self {
        Bound { erased: ErasedKernel { mends, ..self.erased }, ..self }
    }

    /// Its value over no elements.
    pub(crate) fn empty(&self) -> Empty {
        self.erased.empty()
    }

    /// Writes the results of a plan that may be run, in its order, with the microkernels of a level.
    ///
    /// # Errors
    /// If there is not enough memory, or if all elements of a result are left out and the operator has no value over
    /// none. Some results may be written then.
    #[inline]
    pub(crate) fn with_table(
        &self,
        data: T::Data<'_>,
        plan: &Plan,
        output: &mut [O],
        level: Available,
        team: Team<'_>,
    ) -> Result<(), Error> {
        assert_eq!(output.len(), plan.outputs, "as many results as the plan has");
        let output = Results { first: output.as_mut_ptr().cast(), apart: size_of::<O>() };
        // SAFETY: *operator*, *types* and *sharing*, by the types of `bound` and of this function. *buffers*: the plan
        // was made of the view that `data` is of. *places*: the output is borrowed alone, and has as many as the plan
        // has results.
        unsafe { self.erased.run((T::buffers(data), Filter::ALL), plan, output, level, team) }
    }

    /// Mends a result of a plan, counted in its order. `doubts` has a bit for each operator of a tuple, or for the only
    /// operator: it is set if that operator doubts the result. The result stays as it is if it stands, or if there is
    /// none of this number.
    pub(crate) fn mend(
        &self,
        data: T::Data<'_>,
        (plan, number): (&Plan, usize),
        doubts: u32,
        level: Available,
        result: &mut O,
    ) {
        if number >= plan.outputs || plan.count == 0 {
            return;
        }
        let result = std::ptr::from_mut(result).cast();
        let buffers = T::buffers(data);
        let ErasedKernel { op, untyped: &Untyped { mends, .. }, .. } = self.erased;
        // SAFETY: *operator*, *types* and *sharing*, by the types of `bound` and of this function. *buffers*: the plan
        // was made of the view that `data` is of. *places*: the result is borrowed alone.
        unsafe { mends.mend_one(op, (buffers, plan, number), (level, doubts), result) };
    }
}

impl<'k> ErasedKernel<'k> {
    /// A kernel with its operator, which makes doubtful results again if `mends` is true.
    pub(crate) fn new(op: *const (), untyped: &'k Untyped, mends: bool) -> Self {
        ErasedKernel { op, untyped, mends }
    }

    /// What the kernel needs of a plan, on this machine, over the elements that are chosen.
    pub(crate) fn needs(&self, filter: Filter) -> Needs {
        let needs = if filter.is_all() { self.untyped.needs } else { Needs::IN_ORDER };
        Needs { machine: Machine::this(), ..needs }
    }

    /// Its value over no elements.
    pub(crate) fn empty(&self) -> Empty {
        self.untyped.empty
    }

    /// The results of a plan that may be run, in its order, with the microkernels of a level.
    ///
    /// # Errors
    /// As [`Bound::with_table`].
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, for this kernel and this plan. Masks are behind the
    /// inputs.
    #[inline]
    pub(crate) unsafe fn run(
        &self,
        (buffers, filter): (Buffers, Filter),
        plan: &Plan,
        results: Results,
        level: Available,
        team: Team<'_>,
    ) -> Result<(), Error> {
        let ErasedKernel { op, untyped, mends } = *self;
        if let (MadeOf::Tables(tables, sizes), true) = (&untyped.made_of, filter.is_all()) {
            let table = tables.of(level);
            let mut call = KernelCall { table, sizes, op, buffers, plan, level };
            // Either function does the work of a small call by itself: one more would take some 40 of its thousand
            // instructions.
            return match sizes.doubts {
                // SAFETY: *operator*, *types*, *buffers*, *sharing* and *places*, which the caller keeps. *level*: the
                // table is that of `level`.
                false => unsafe { call.unwatched(results.first, team) },
                // SAFETY: *operator*, *types*, *buffers*, *sharing*, *places* and *level*, as above. The operator is not
                // watched yet, and the mends stand in the same kernel as the table.
                true => unsafe {
                    let mends = if mends { untyped.mends } else { &Mends::Never };
                    mend::watched(&mut call, results.first, team, mends)
                },
            };
        }
        // SAFETY: *operator*, *types*, *buffers*, *sharing* and *places*, which the caller keeps for each kernel that
        // this is made of.
        unsafe { self.over_chosen((buffers, filter), plan, results, level, team) }
    }

    /// As [`Bound::with_table`], over the elements that count.
    ///
    /// # Errors
    /// As [`Bound::with_table`].
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, for this kernel and this plan. Masks are behind the
    /// inputs.
    #[inline(never)]
    unsafe fn over_chosen(
        &self,
        (buffers, filter): (Buffers, Filter),
        plan: &Plan,
        results: Results,
        level: Available,
        team: Team<'_>,
    ) -> Result<(), Error> {
        let given = Given { op: self.op, buffers, plan, level, mends: self.mends };
        // SAFETY: *operator*, *types*, *buffers*, *sharing* and *places*, which the caller keeps; masks are behind the
        // inputs.
        unsafe { self.untyped.run_chosen(filter, given, results, team) }
    }
}
