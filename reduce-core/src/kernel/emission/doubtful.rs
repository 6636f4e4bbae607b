//! Doubtful sets: where their elements lie, and what becomes of these.

#![allow(unsafe_code, reason = "elements are copied with their types erased")]

use smallvec::SmallVec;

use super::super::chosen::{Flag, choose, pack};
use super::super::mend::{Doubtful, KeptPlans};
use super::super::micro::{Data, INPUTS};
use super::super::read::Room;
use super::again::{Again, BESIDE};
use super::over::Over;
use super::stage::Stage;
use crate::facts::dtype::{DType, with_dtype, with_float};
use crate::machine::level::Available;
use crate::machine::memory::reserve_or_unwind;
use crate::plan::{Axis, Needs, Places, Plan};
use crate::values::element::{Element, Store};

/// Where the elements of each set lie in each input, and where what they become goes.
pub(super) struct DoubtfulSets {
    kept: SmallVec<[usize; 4]>,
    /// The strides of each input, and those of the output behind them.
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
    /// *operator*: `op` and `again` are those of the stage. *elements*: those of the set lie at its places, counted
    /// from those given for each input.
    pub(super) unsafe fn again(
        &self,
        (op, again): (*const (), Again),
        stage: &Stage,
        set: usize,
        (data, level): (&Data, Available),
    ) -> Option<Vec<f64>> {
        let Stage { kernel, filter, elements, inputs: all, .. } = *stage;
        let inputs = kernel.dtypes.len();
        let mut rooms: [Room; INPUTS] = Default::default();
        let mut buffers = ([std::ptr::null(); INPUTS], [0; INPUTS]);
        let mut count = 0;
        for input in 0..all {
            let (size, places) = (elements[input], self.places(set, input));
            count = places.size_hint().0;
            let room = rooms[input].bytes(count * size);
            for (number, place) in places.enumerate() {
                let (from, to) =
                    (data[input].wrapping_add(place * size), room.wrapping_add(number * size));
                // SAFETY: *elements*, which the caller keeps; and *room* for `count` of them.
                unsafe { from.copy_to_nonoverlapping(to, size) };
            }
            (buffers.0[input], buffers.1[input]) = (room.cast_const(), count);
        }
        let mut counting = Vec::new();
        // SAFETY: *elements*: `count` of each input were just packed, and of each mask behind them.
        unsafe { choose(&mut counting, (&buffers.0, count), kernel.dtypes, filter) };
        for input in 0..inputs {
            let (from, size) = (buffers.0[input], elements[input]);
            let mut packed = Room::new();
            // SAFETY: *elements* and *room*: `choose` made a flag for each of `count` elements, and as many fit.
            buffers.1[input] = unsafe { pack(packed.bytes(count * size), from, size, &counting) };
            rooms[input] = packed;
            buffers.0[input] = rooms[input].bytes(0).cast_const();
        }
        let beside = (stage.reduced..all).map(|input| {
            // SAFETY: *elements*: there is one for each flag, of the type that the stage says.
            unsafe { as_numbers(stage.dtypes[input], buffers.0[input], &counting) }
        });
        let beside: SmallVec<[Vec<f64>; BESIDE]> = beside.collect();
        let plan = &Plan::of_lists(0, buffers.1[0], inputs, Needs::IN_ORDER);
        let mut out = reserve_or_unwind(count);
        out.resize(buffers.1[0], 0.0);
        let list = Doubtful { plan, buffers, number: 0, level, kept: &KeptPlans::default() };
        // SAFETY: *operator* and *types*, which the caller keeps for `again`. *elements*: the list has as many as
        // `out`, and so has each list beside it.
        let is_again = unsafe { (again.0)(op, &list, &beside, &mut out) };
        is_again.then(|| spread(out, &counting))
    }

    /// Puts what the elements of a set become to its places.
    ///
    /// # Safety
    /// *places*: there is one for each number, counted from the one given, of this type.
    pub(super) unsafe fn put(&self, set: usize, all: &[f64], dtype: DType, out: *mut u8) {
        let places = self.places(set, self.tensors.len() - 1).zip(all);
        // SAFETY: *places*, which the caller keeps: they are of this type.
        with_float!(dtype, T => unsafe { put::<T>(places, out) }, else ());
    }
}

/// The elements of an input that count, as numbers.
///
/// # Safety
/// *elements*: there is one for each flag, of this type.
unsafe fn as_numbers(dtype: DType, elements: *const u8, counting: &[Flag]) -> Vec<f64> {
    with_dtype!(dtype, T => {
        // SAFETY: *elements*, which the caller keeps: there is one for each flag, of this type.
        let all = unsafe { std::slice::from_raw_parts(elements.cast::<T>(), counting.len()) };
        let mut numbers = reserve_or_unwind(all.len());
        let counts = all.iter().zip(counting).filter(|&(_, &counts)| counts == 1);
        numbers.extend(counts.map(|(x, _)| x.to_f64()));
        numbers
    })
}

/// Puts a number at each place that counts, and 0 at the others.
fn spread(numbers: Vec<f64>, counting: &[Flag]) -> Vec<f64> {
    if numbers.len() == counting.len() {
        return numbers;
    }
    let mut next = numbers.into_iter();
    let number = |&counts: &Flag| if counts == 1 { next.next().unwrap_or(0.0) } else { 0.0 };
    counting.iter().map(number).collect()
}

/// Puts numbers to places.
///
/// # Safety
/// *places*, as for [`DoubtfulSets::put`]: they are of type `O`.
unsafe fn put<'a, O: Store<f64>>(places: impl Iterator<Item = (usize, &'a f64)>, out: *mut u8) {
    let out = out.cast::<O>();
    for (place, &number) in places {
        // SAFETY: *places*, which the caller keeps: each number has one, and no other set has it.
        unsafe { out.wrapping_add(place).write(O::store(number)) };
    }
}
