//! Emission: each element of some lines, with the result it belongs to, becomes another one.
//!
//! What is emitted may take the places of the elements: a step is read before anything is written
//! over it.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::super::fold::Lanes;
use super::super::fold::lanes::fetch;
use super::few::neighbours;
use super::{Data, INPUTS, Ways, by};
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::machine::{barrier, prefetch};
use crate::values::element::Slot;
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::{Stored, behind};

/// This many elements are emitted at once.
const TOGETHER: usize = 16;

/// The places of the output are fetched this many bytes ahead.
const PLACES_AHEAD: usize = 4096;

/// An operator that makes elements of type `O` of those of storage type `T`.
pub trait EmitsEach<T: Stored, O>: Sized + Sync + 'static {
    /// The result over a set.
    type Kept: Copy + Send + Sync + 'static;

    /// The element that `x` becomes.
    fn emitted(&self, x: T::Wide, result: &Self::Kept) -> O;
}

/// Lines that have the same number of elements, and lie alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emission {
    /// The first element of the first line, and the ways to the next element, and to the next line.
    pub(crate) data: Data,
    pub(crate) ways: Ways,
    pub(crate) next: Ways,
    /// The result of the first element, and the ways to that of the next element, and of the next line.
    pub(crate) results: *const u8,
    pub(crate) result_way: isize,
    pub(crate) next_result: isize,
    /// Where emitted elements go, one behind the other, and the way to the next line. They take the places of the
    /// elements of the only input, or overlap with none.
    pub(crate) out: *mut u8,
    pub(crate) next_out: isize,
    /// Elements of a line.
    pub(crate) count: usize,
    pub(crate) lines: usize,
    /// How many bytes ahead others are fetched; 0 if none are.
    pub(crate) ahead: usize,
}

/// The microkernel of an operator, its storage type, and the type that it emits. Since it depends on that type too, it
/// is in no table: one function enters the one of the level.
pub(crate) type EmitAtLevel = unsafe fn(level: Available, op: *const (), emission: &Emission);

/// The kinds of lines. All elements of a line have the same result ([`SAME`]), or neighbours have neighbouring results
/// ([`NEXT`]). In both, an input behind the first may have one element for the whole line, which is repeated in a list
/// of its own. In all other lines ([`APART`]), elements are taken one by one.
const SAME: u8 = 0;
const NEXT: u8 = 1;
const APART: u8 = 2;

/// Emits over lines, with the instructions of a level.
///
/// # Safety
/// *level*, *operator* and *types*, as for other microkernels. *elements*: those of each line are there, and a result
/// for each. *places*: there is one for what each element becomes.
pub(crate) unsafe fn emit<Op: EmitsEach<T, O>, T: Stored, O: Slot>(
    level: Available,
    op: *const (),
    emission: &Emission,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of the stage.
    let op = unsafe { &*op.cast::<Op>() };
    level.run(AtLevel { op, emission, types: PhantomData::<fn(T) -> O> });
}

/// Lines whose elements, results and places are there, at a level.
struct AtLevel<'a, Op, T, O> {
    op: &'a Op,
    emission: &'a Emission,
    types: PhantomData<fn(T) -> O>,
}

impl<Op: EmitsEach<T, O>, T: Stored, O: Slot> Work for AtLevel<'_, Op, T, O> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let AtLevel { op, emission, .. } = self;
        let is_dense = C::VECTORS && emission.count >= TOGETHER && are_dense::<T>(&emission.ways);
        let next = size_of::<Op::Kept>().cast_signed();
        match emission.result_way {
            // SAFETY: *elements* and *places*, which the caller of `emit` keeps. The line is dense, and has one result.
            0 if is_dense => unsafe { lines::<C, Op, T, O, SAME>(code, op, emission) },
            // SAFETY: *elements* and *places*, as above; results are neighbours.
            way if is_dense && way == next => unsafe {
                lines::<C, Op, T, O, NEXT>(code, op, emission);
            },
            // SAFETY: *elements* and *places*, as above; lines of this kind may lie in any way.
            _ => unsafe { lines::<C, Op, T, O, APART>(code, op, emission) },
        }
    }
}

/// Whether elements of the first input lie side by side, and those of any other too, if it has more than one.
#[inline(always)]
fn are_dense<T: Stored>(ways: &Ways) -> bool {
    let sizes = neighbours::<T>();
    ways[0] == sizes[0]
        && ways[1..].iter().zip(&sizes[1..]).all(|(&way, &size)| way == size || way == 0)
}

/// For each input behind the first, room for one element that is repeated for a whole step.
struct Repeated([MaybeUninit<[u64; TOGETHER]>; INPUTS - 1]);

impl Repeated {
    const BLANK: Self = Repeated([const { MaybeUninit::uninit() }; INPUTS - 1]);

    /// Where each input of a line is read: in the room, if it has one element for the whole line.
    ///
    /// # Safety
    /// *elements*: the line has a first one in each input.
    #[inline(always)]
    unsafe fn of<T: Stored>(&mut self, data: &Data, ways: &Ways) -> Data {
        let mut from = *data;
        for input in 1..T::DTYPES.len() {
            if ways[input] == 0 {
                let room = self.0[input - 1].as_mut_ptr();
                let (one, room) = (data[input], room.cast());
                match T::SIZES[input] {
                    // SAFETY: *elements* and *room*: one element of a byte, and sixteen times eight bytes for its
                    // copies.
                    1 => unsafe { repeat::<u8>(one, room) },
                    // SAFETY: *elements* and *room*, as above, of two bytes.
                    2 => unsafe { repeat::<u16>(one, room) },
                    // SAFETY: *elements* and *room*, as above, of four bytes.
                    4 => unsafe { repeat::<u32>(one, room) },
                    // SAFETY: *elements* and *room*, as above, of eight bytes: there is no other size.
                    _ => unsafe { repeat::<u64>(one, room) },
                }
                from[input] = room.cast_const();
            }
        }
        from
    }
}

/// Copies an element for a whole step.
///
/// # Safety
/// *elements*: there is one as large as `N`. *room*: a step of copies fits.
#[inline(always)]
unsafe fn repeat<N: Copy>(one: *const u8, room: *mut u8) {
    // SAFETY: *elements*, which the caller keeps: there is one of this size.
    let all = [unsafe { *one.cast::<N>() }; TOGETHER];
    // SAFETY: *room*, which the caller keeps: copies for a whole step fit.
    unsafe { room.cast::<[N; TOGETHER]>().write(all) };
}

/// Emits over lines of a kind.
///
/// # Safety
/// As [`emit`], for lines of the kind.
#[inline(always)]
unsafe fn lines<C, Op, T, O, const KIND: u8>(code: C, op: &Op, emission: &Emission)
where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Stored,
    O: Slot,
{
    let Emission { mut data, mut results, out, count, lines, .. } = *emission;
    let mut out = out.cast::<O>();
    for _ in 0..lines {
        barrier();
        match KIND {
            // SAFETY: *elements* and *places*, which the caller keeps for each line.
            APART => unsafe { apart::<C, Op, T, O>(op, emission, (&data, results), out) },
            _ => {
                let mut room = Repeated::BLANK;
                // SAFETY: *elements*, which the caller keeps: the line has a first one in each input.
                let data = unsafe { room.of::<T>(&data, &emission.ways) };
                let places = (&data, results.cast::<Op::Kept>(), out);
                // SAFETY: *elements* and *places*, which the caller keeps. The line has a whole step, as the kind of
                // the lines says.
                unsafe { line::<C, Op, T, O, KIND>(code, op, places, count, emission) };
            }
        }
        data = by(&data, &emission.next);
        results = results.wrapping_offset(emission.next_result);
        out = out.wrapping_byte_offset(emission.next_out);
    }
}

/// Emits over a line of neighbours, a step at a time.
///
/// # Safety
/// As [`lines`], for this line, which has a whole step.
#[inline(always)]
unsafe fn line<C, Op, T, O, const KIND: u8>(
    code: C,
    op: &Op,
    (data, results, out): (&Data, *const Op::Kept, *mut O),
    count: usize,
    &Emission { ways, ahead, .. }: &Emission,
) where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Stored,
    O: Slot,
{
    // SAFETY: *elements*, which the caller keeps: there is a result for the first element.
    let of_line = unsafe { *results };
    let results_from = |first: usize| match KIND {
        SAME => [of_line; TOGETHER],
        // SAFETY: *elements*, which the caller keeps: `first + TOGETHER` is at most `count`, and each element has a
        // result.
        _ => unsafe { *results.wrapping_add(first).cast::<[Op::Kept; TOGETHER]>() },
    };
    // The last step ends where the line does, and is read before another one is written over it.
    let last = count - TOGETHER;
    let step_from = |first: usize| match T::DTYPES.len() {
        1 => behind::<T>(data, first),
        _ => by(data, &ways.map(|way| way.wrapping_mul(first.cast_signed()))),
    };
    // SAFETY: *elements*, which the caller keeps: these are the last `TOGETHER` of the `count` of the line.
    let last_values = unsafe { T::read::<C, TOGETHER>(code, &step_from(last)) };
    let mut first = 0;
    while first <= last {
        barrier();
        let step = step_from(first);
        let to = out.wrapping_add(first);
        if ahead > 0 {
            fetch::<T, TOGETHER>(&step, ahead);
            prefetch(to.cast(), PLACES_AHEAD, TOGETHER * size_of::<O>());
        }
        // SAFETY: *elements*, which the caller keeps: `first` is at most `last`, so that the step ends within the line.
        let values = unsafe { T::read::<C, TOGETHER>(code, &step) };
        let emitted = emitted::<Op, T, O>(op, &values, &results_from(first));
        // SAFETY: *places*, which the caller keeps: there is one for each element of the step, which was read before.
        unsafe { to.cast::<[O; TOGETHER]>().write(emitted) };
        first += TOGETHER;
    }
    if first < count {
        let emitted = emitted::<Op, T, O>(op, &last_values, &results_from(last));
        // SAFETY: *places*, which the caller keeps: these are the last `TOGETHER` of the line.
        unsafe { out.wrapping_add(last).cast::<[O; TOGETHER]>().write(emitted) };
    }
}

/// Emits over a line of elements that are read one by one, and computed on together where there are
/// vectors.
///
/// # Safety
/// As [`lines`], for this line.
#[inline(always)]
unsafe fn apart<C, Op, T, O>(
    op: &Op,
    emission: &Emission,
    (data, results): (&Data, *const u8),
    out: *mut O,
) where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Stored,
    O: Slot,
{
    let on = |index: usize| {
        let ways = emission.ways.map(|way| way.wrapping_mul(index.cast_signed()));
        let result = emission.result_way.wrapping_mul(index.cast_signed());
        let result = results.wrapping_offset(result).cast::<Op::Kept>();
        // SAFETY: *elements*, which the caller keeps: `index` is less than `count`.
        let x = unsafe { T::at(&by(data, &ways), 0) };
        // SAFETY: *elements*, which the caller keeps: each element has a result.
        (x.wide(), unsafe { *result })
    };
    if !C::VECTORS {
        for index in 0..emission.count {
            let (x, result) = on(index);
            // SAFETY: *places*, which the caller keeps: `index` is less than `count`.
            unsafe { out.wrapping_add(index).write(op.emitted(x, &result)) };
        }
        return;
    }
    let mut first = 0;
    while first < emission.count {
        let some = TOGETHER.min(emission.count - first);
        let (x, result) = on(first);
        let mut values: Lanes<T::Wide, TOGETHER> = x.splat();
        let mut of_values = [result; TOGETHER];
        for lane in 1..some {
            let (x, result) = on(first + lane);
            T::Wide::set(&mut values, lane, x);
            of_values[lane] = result;
        }
        let emitted = emitted::<Op, T, O>(op, &values, &of_values);
        for lane in 0..some {
            // SAFETY: *places*, which the caller keeps: `first + lane` is less than `count`.
            unsafe { out.wrapping_add(first + lane).write(emitted[lane]) };
        }
        first += TOGETHER;
    }
}

/// The elements that `values` become.
#[inline(always)]
fn emitted<Op: EmitsEach<T, O>, T: Stored, O: Slot>(
    op: &Op,
    values: &Lanes<T::Wide, TOGETHER>,
    results: &[Op::Kept; TOGETHER],
) -> [O; TOGETHER] {
    let mut emitted = [O::blank(); TOGETHER];
    for lane in 0..TOGETHER {
        emitted[lane] = op.emitted(T::Wide::get(values, lane), &results[lane]);
    }
    emitted
}
