//! Emission over sets whose result is doubtful: once more, in numbers that neither overflow nor
//! underflow.
//!
//! Results by which an operator emits are noted as those of a run are ([`mend`](super::super::mend)). A
//! doubtful one is looked at before anything is emitted, since that may take the places of the elements: its
//! elements are packed, folded in [`Extended`](crate::Extended), and emitted in it, as `f64`. After the
//! others these take their places. It is compiled for the level without vectors alone, and for
//! operators that doubt results and emit over any type.

#![allow(unsafe_code, reason = "elements are copied with their types erased")]

use std::mem::MaybeUninit;

use half::{bf16, f16};
use smallvec::SmallVec;

use super::super::ending::Ending;
use super::super::fold::Fold;
use super::super::mend::{Doubtful, fold_again};
use super::super::micro::{Data, INPUTS, Sizes};
use super::super::read::Room;
use super::Kept;
use super::over::Over;
use super::stage::Stage;
use crate::facts::dtype::DType;
use crate::machine::level::Available;
use crate::machine::memory::reserve_or_unwind;
use crate::plan::{Axis, Needs, Places, Plan};
use crate::values::element::Store;
use crate::values::stored::Stored;

/// That an operator emits over elements that reader `R` makes of storage type `T`.
pub trait EmitsAgain<T: Stored, R>: Sized + Sync + 'static {
    /// The result over a set.
    type Kept: Copy + Send + Sync + 'static;

    /// The fold of such elements.
    type Fold: Fold<Op = Self, Stored = T>;

    /// Keeps its results as they are computed.
    type Ending: Ending<<Self::Fold as Fold>::Steps, Output = Kept<Self::Kept>>;

    /// What becomes of an element.
    fn emitted_again(&self, x: T::Wide, result: &Self::Kept) -> f64;
}

/// Emits over a doubtful set, whose elements are a list, if its result does not stand.
#[derive(Clone, Copy, Debug)]
pub struct Again(unsafe fn(op: *const (), list: &Doubtful<'_>, out: &mut [f64]) -> bool);

impl Again {
    /// By an operator, a storage type, and what reads its elements.
    pub(crate) const fn of<Op: EmitsAgain<T, R>, T: Stored, R>() -> Self {
        Again(emit_again::<Op, T, R>)
    }
}

/// Emits over a set, and says whether it did.
///
/// # Safety
/// The operator and the elements of the list are of these types; there is a number for each element.
unsafe fn emit_again<Op: EmitsAgain<T, R>, T: Stored, R>(
    op: *const (),
    list: &Doubtful<'_>,
    out: &mut [f64],
) -> bool {
    let mut kept: Kept<Op::Kept> = Kept(MaybeUninit::uninit());
    let result = std::ptr::from_mut(&mut kept).cast();
    // SAFETY: the caller's, and room for a result.
    if !unsafe { fold_again::<Op::Fold, Op::Ending>(op, list, result) } {
        return false;
    }
    // SAFETY: the operator of the fold.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: it was just written.
    let kept = unsafe { kept.0.assume_init() };
    for (place, out) in out.iter_mut().enumerate() {
        // SAFETY: one of the list.
        let x = unsafe { T::at(&list.buffers.0, place) };
        *out = op.emitted_again(x.wide(), &kept);
    }
    true
}

/// Where the elements of each set lie in each input, and where what they become goes.
pub(super) struct DoubtfulSets {
    kept: SmallVec<[usize; 4]>,
    /// Of each input, and of the output behind them.
    tensors: SmallVec<[SetStrides; 2]>,
}

/// The strides of a tensor.
struct SetStrides {
    kept: SmallVec<[isize; 4]>,
    reduced: SmallVec<[Axis; 4]>,
    offset: usize,
}

impl DoubtfulSets {
    pub(super) fn new(Over { shape, axes, inputs, out }: Over<'_>) -> Self {
        let is_reduced = |&axis: &usize| axes.contains(axis);
        let kept = || (0..shape.rank()).filter(|axis| !is_reduced(axis));
        let reduced = || (0..shape.rank()).filter(is_reduced);
        let of = |&(strides, offset): &(&[isize], usize)| SetStrides {
            kept: kept().map(|axis| strides[axis]).collect(),
            reduced: reduced()
                .map(|axis| Axis { size: shape[axis], stride: strides[axis] })
                .collect(),
            offset,
        };
        let tensors = inputs.iter().chain([&out]).map(of).collect();
        DoubtfulSets { kept: kept().map(|axis| shape[axis]).collect(), tensors }
    }

    /// The places of the elements of a set, counted in row-major order, in one of the tensors.
    fn places(&self, set: usize, tensor: usize) -> Places<'_> {
        let SetStrides { kept, reduced, offset } = &self.tensors[tensor];
        let (mut start, mut left) = (*offset, set);
        for (size, stride) in self.kept.iter().zip(kept).rev() {
            let index = (left % size).cast_signed();
            start = start.wrapping_add_signed(index.wrapping_mul(*stride));
            left /= size;
        }
        Places::new(reduced, start)
    }

    /// What the elements of a doubtful set become, if its result does not stand.
    ///
    /// # Safety
    /// The elements lie at their places, counted from those given for each input, and are of the stage's
    /// types.
    pub(super) unsafe fn again(
        &self,
        stage: &Stage,
        again: Again,
        set: usize,
        (data, level): (&Data, Available),
    ) -> Option<Vec<f64>> {
        let Sizes { inputs, elements, .. } = *stage.sizes;
        let mut rooms: [Room; INPUTS] = Default::default();
        let mut buffers = ([std::ptr::null(); INPUTS], [0; INPUTS]);
        let mut count = 0;
        for input in 0..inputs {
            let (size, places) = (elements[input], self.places(set, input));
            count = places.size_hint().0;
            let room = rooms[input].bytes(count * size);
            for (number, place) in places.enumerate() {
                let (from, to) =
                    (data[input].wrapping_add(place * size), room.wrapping_add(number * size));
                // SAFETY: an element, and room for it.
                unsafe { from.copy_to_nonoverlapping(to, size) };
            }
            (buffers.0[input], buffers.1[input]) = (room.cast_const(), count);
        }
        let plan = &Plan::of_lists(0, count, inputs, Needs::IN_ORDER);
        let mut out = reserve_or_unwind(count);
        out.resize(count, 0.0);
        // SAFETY: the operator of the stage, and a list of its elements.
        let is_again =
            unsafe { (again.0)(stage.op, &Doubtful { plan, buffers, number: 0, level }, &mut out) };
        is_again.then_some(out)
    }

    /// Puts what the elements of a set become to its places.
    ///
    /// # Safety
    /// There is a place for each, counted from the one given, for numbers of the type.
    pub(super) unsafe fn put(&self, set: usize, all: &[f64], dtype: DType, out: *mut u8) {
        let places = self.places(set, self.tensors.len() - 1).zip(all);
        match dtype {
            // SAFETY: the caller's.
            DType::F16 => unsafe { put::<f16>(places, out) },
            // SAFETY: the caller's.
            DType::BF16 => unsafe { put::<bf16>(places, out) },
            // SAFETY: the caller's.
            DType::F32 => unsafe { put::<f32>(places, out) },
            // SAFETY: the caller's.
            DType::F64 => unsafe { put::<f64>(places, out) },
            _ => {}
        }
    }
}

/// Puts numbers to places.
///
/// # Safety
/// As [`DoubtfulSets::put`].
unsafe fn put<'a, O: Store<f64>>(places: impl Iterator<Item = (usize, &'a f64)>, out: *mut u8) {
    let out = out.cast::<O>();
    for (place, &number) in places {
        // SAFETY: the caller's.
        unsafe { out.wrapping_add(place).write(O::store(number)) };
    }
}
