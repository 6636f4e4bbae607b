//! What a reduction reads at each index: an element, or one of each of several inputs.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use std::fmt::Debug;

use crate::facts::dtype::DType;
use crate::machine::code::{Code, Simple};
use crate::values::any::AnyView;
use crate::values::element::accumulator::{Accumulator, Lanes};
use crate::values::element::{Element, Widen};
use crate::values::view::View;

/// The most inputs that are walked together.
pub(crate) const INPUTS: usize = 4;

/// Where an element lies in each input.
pub(crate) type Data = [*const u8; INPUTS];

/// The buffer of each input, and how many elements it has.
pub(crate) type Buffers = (Data, [usize; INPUTS]);

/// What is stored for each index of the input: an [`Element`], or a tuple of up to four,
/// one of each input of an operator that walks several together.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no storage type",
    label = "tensors hold f16, bf16, f32, f64, bool, i8 to i64 or u8 to u64"
)]
#[allow(private_interfaces, reason = "in hidden functions")]
pub trait Stored: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The type of each input.
    const DTYPES: &'static [DType];

    /// The type of the first input.
    type First: Element;

    /// The type that lanes compute on; see [`Widen`].
    type Wide: Accumulator;

    /// Elements one after another: a buffer, or one of each input.
    type Data<'a>: Copy + Send + Sync;

    /// The views of all inputs.
    #[doc(hidden)]
    type Views<'a>;

    /// Elements of each input in a list of its own.
    #[doc(hidden)]
    type Lists: Default + Debug + Send + Sync + 'static;

    /// Bytes of an element of each input.
    #[doc(hidden)]
    const SIZES: [usize; INPUTS];

    /// Whether rows of a few elements are read fastest by turning them: those of one input, of four bytes or
    /// eight.
    #[doc(hidden)]
    const TURNED: bool;

    /// Views of these types, if they are.
    #[doc(hidden)]
    fn views<'a>(any: &[AnyView<'a>]) -> Option<Self::Views<'a>>;

    /// Where the elements of each input begin, and how many there are.
    #[doc(hidden)]
    fn buffers(data: Self::Data<'_>) -> Buffers;

    /// The elements of `L` lanes from a place on, in the type that lanes compute on.
    ///
    /// # Safety
    /// *elements*: there are `L` of each input, aligned to their type. *steps*: what is behind the last element of a
    /// set may be any initialised bytes.
    #[doc(hidden)]
    unsafe fn read<C: Code, const L: usize>(code: C, data: &Data) -> Lanes<Self::Wide, L>;

    /// One element, counted from a place on.
    ///
    /// # Safety
    /// *elements*: there is one at `place` in each input. Or *steps*: `place` is a lane of one, which may have no element.
    #[doc(hidden)]
    unsafe fn at(data: &Data, place: usize) -> Self;

    /// Whether the element is NaN, in any input.
    #[doc(hidden)]
    fn has_nan(x: Self::Wide) -> bool;

    /// The element as lanes compute on it.
    #[doc(hidden)]
    fn wide(self) -> Self::Wide;

    /// The element in a place.
    ///
    /// # Panics
    /// If there is none.
    #[doc(hidden)]
    fn get(data: Self::Data<'_>, place: usize) -> Self;

    /// Makes lists of the elements in some places, counted from the first.
    ///
    /// # Panics
    /// If there is none in a place.
    #[doc(hidden)]
    fn gather(data: Self::Data<'_>, first: usize, places: &[u32], lists: &mut Self::Lists);

    /// The elements of lists.
    #[doc(hidden)]
    fn lent(lists: &Self::Lists) -> Self::Data<'_>;
}

/// Makes a list of the elements in some places, counted from the first.
fn gather<T: Copy>(data: &[T], first: usize, places: &[u32], list: &mut Vec<T>) {
    let data = &data[first..];
    list.clear();
    list.extend(places.iter().map(|&place| data[place as usize]));
}

/// The place that lies `elements` elements behind another, in each input.
#[inline(always)]
pub(crate) fn behind<T: Stored>(data: &Data, elements: usize) -> Data {
    let mut there = *data;
    for input in 0..INPUTS {
        there[input] = there[input].wrapping_add(elements * T::SIZES[input]);
    }
    there
}

/// Places of no input.
const NOWHERE: Data = [std::ptr::null(); INPUTS];

#[allow(private_interfaces, reason = "as `Stored`")]
impl<T: Element> Stored for T {
    const DTYPES: &'static [DType] = &[T::DTYPE];

    type First = T;
    type Wide = T::Wide;
    type Data<'a> = &'a [T];
    type Views<'a> = View<'a, T>;
    type Lists = Vec<T>;

    const SIZES: [usize; INPUTS] = [size_of::<T>(), 0, 0, 0];
    const TURNED: bool = matches!(size_of::<T>(), 4 | 8);

    // Not inlined, or each operator would have a copy.
    #[inline(never)]
    fn views<'a>(any: &[AnyView<'a>]) -> Option<View<'a, T>> {
        match any {
            [view] => view.downcast(),
            _ => None,
        }
    }

    #[inline(always)]
    fn buffers(data: &[T]) -> Buffers {
        let mut buffers = NOWHERE;
        buffers[0] = data.as_ptr().cast();
        (buffers, [data.len(), 0, 0, 0])
    }

    #[inline(always)]
    unsafe fn read<C: Code, const L: usize>(code: C, data: &Data) -> Lanes<T::Wide, L> {
        // SAFETY: *elements* and *steps*, which the caller keeps: the step is aligned, in a buffer as in a copy.
        unsafe { T::widen_step(code, data[0].cast()) }
    }

    #[inline(always)]
    unsafe fn at(data: &Data, place: usize) -> T {
        // SAFETY: *elements* or *steps*, which the caller keeps: there is one at `place`, or a lane of a step.
        unsafe { T::in_lane(data[0].cast::<T>().wrapping_add(place)) }
    }

    #[inline(always)]
    #[allow(clippy::eq_op, reason = "NaN alone is not equal to itself")]
    fn has_nan(x: T::Wide) -> bool {
        x != x
    }

    #[inline(always)]
    fn wide(self) -> T::Wide {
        T::Wide::get(&T::widen(Simple, &[self]), 0)
    }

    #[inline(always)]
    fn get(data: &[T], place: usize) -> T {
        data[place]
    }

    fn gather(data: &[T], first: usize, places: &[u32], lists: &mut Vec<T>) {
        gather(data, first, places, lists);
    }

    fn lent(lists: &Vec<T>) -> &[T] {
        lists
    }
}

macro_rules! several {
    ($(($($T:ident . $index:tt),+))*) => {$(
        #[allow(private_interfaces, reason = "as `Stored`")]
        impl<$($T: Element),+> Stored for ($($T,)+) {
            const DTYPES: &'static [DType] = &[$(<$T as Element>::DTYPE),+];

            type First = A;
            type Wide = ($($T::Wide,)+);
            type Data<'a> = ($(&'a [$T],)+);
            type Views<'a> = ($(View<'a, $T>,)+);
            type Lists = ($(Vec<$T>,)+);

            const SIZES: [usize; INPUTS] = {
                let mut sizes = [0; INPUTS];
                $(sizes[$index] = size_of::<$T>();)+
                sizes
            };
            const TURNED: bool = false;

            #[inline(never)]
            fn views<'a>(any: &[AnyView<'a>]) -> Option<Self::Views<'a>> {
                const COUNT: usize = [$($index),+].len();
                let any: &[AnyView<'a>; COUNT] = any.try_into().ok()?;
                Some(($(any[$index].downcast::<$T>()?,)+))
            }

            #[inline(always)]
            fn buffers(data: Self::Data<'_>) -> Buffers {
                let (mut buffers, mut counts) = (NOWHERE, [0; INPUTS]);
                $(
                    buffers[$index] = data.$index.as_ptr().cast();
                    counts[$index] = data.$index.len();
                )+
                (buffers, counts)
            }

            #[inline(always)]
            unsafe fn read<C: Code, const L: usize>(
                code: C,
                data: &Data,
            ) -> Lanes<Self::Wide, L> {
                ($({
                    // SAFETY: *elements* and *steps*, which the caller keeps for each input.
                    unsafe { <$T as Widen>::widen_step(code, data[$index].cast()) }
                },)+)
            }

            #[inline(always)]
            unsafe fn at(data: &Data, place: usize) -> Self {
                // SAFETY: *elements* or *steps*, which the caller keeps: there is one at `place` in each input, or a lane
                // of a step.
                ($(unsafe { $T::in_lane(data[$index].cast::<$T>().wrapping_add(place)) },)+)
            }

            #[inline(always)]
            fn has_nan(x: Self::Wide) -> bool {
                false $(|| <$T as Stored>::has_nan(x.$index))+
            }

            #[inline(always)]
            fn wide(self) -> Self::Wide {
                ($(<$T as Stored>::wide(self.$index),)+)
            }

            #[inline(always)]
            fn get(data: Self::Data<'_>, place: usize) -> Self {
                ($(data.$index[place],)+)
            }

            fn gather(
                data: Self::Data<'_>,
                first: usize,
                places: &[u32],
                lists: &mut Self::Lists,
            ) {
                $(gather(data.$index, first, places, &mut lists.$index);)+
            }

            fn lent(lists: &Self::Lists) -> Self::Data<'_> {
                ($(&lists.$index[..],)+)
            }
        }
    )*};
}

several! {
    (A.0, B.1)
    (A.0, B.1, D.2)
    (A.0, B.1, D.2, E.3)
}

/// What is stored for each index of some inputs and one more, the last.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no input behind those of the operator",
    label = "expected elements and one more behind them",
    note = "give it as the last input: `run(&(view, last))`"
)]
pub trait BeforeLast: Stored {
    /// What is stored of the inputs before the last.
    type Before: Stored;

    /// What is stored of the last.
    type Last: Element;

    /// The inputs before the last, and the last.
    #[doc(hidden)]
    fn split(x: Self::Wide) -> (<Self::Before as Stored>::Wide, <Self::Last as Stored>::Wide);
}

/// What is stored for each index of some inputs and a mask, which is the last: an element of each input,
/// and a `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no mask",
    label = "expected elements and a `bool` behind them",
    note = "give a mask as the last input: `run(&(view, mask))`, of a view of `bool`"
)]
pub trait BeforeMask: BeforeLast<Last = bool> {}

impl<T: BeforeLast<Last = bool>> BeforeMask for T {}

macro_rules! before_last {
    ($(($($T:ident $x:ident),+) = $Before:ty, $before:expr;)*) => {$(
        impl<$($T: Element,)+ Last: Element> BeforeLast for ($($T,)+ Last) {
            type Before = $Before;
            type Last = Last;

            #[inline(always)]
            fn split(
                ($($x,)+ last): Self::Wide,
            ) -> (<$Before as Stored>::Wide, <Last as Stored>::Wide) {
                ($before, last)
            }
        }
    )*};
}

before_last! {
    (A a) = A, a;
    (A a, B b) = (A, B), (a, b);
    (A a, B b, D d) = (A, B, D), (a, b, d);
}
