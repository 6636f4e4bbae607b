//! What a reduction reads at each index: an element, or one of each of several inputs.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use std::fmt::Debug;

use crate::facts::dtype::DType;
use crate::machine::code::{Code, Simple};
use crate::machine::prefetch;
use crate::values::accumulator::{Accumulator, Lanes};
use crate::values::element::Element;
use crate::values::tensor::AnyView;
use crate::values::view::View;

/// The most inputs that are walked together.
pub(crate) const INPUTS: usize = 4;

/// Where an element lies in each input.
pub(crate) type Data = [*const u8; INPUTS];

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

    /// What lanes compute on; see [`Widen`](crate::Widen).
    type Wide: Accumulator;

    /// Elements one after another: a buffer, or one of each input.
    type Data<'a>: Copy + Send + Sync;

    /// The elements of some lanes.
    #[doc(hidden)]
    type Step<'a, const L: usize>: Copy;

    /// The views of all inputs.
    #[doc(hidden)]
    type Views<'a>;

    /// Bytes of an element of each input.
    #[doc(hidden)]
    const SIZES: [usize; INPUTS];

    /// Whether rows of a few elements are turned faster than all else: those of one input, of four
    /// bytes or eight.
    #[doc(hidden)]
    const TURNED: bool;

    /// Views of these types, if they are.
    #[doc(hidden)]
    fn views<'a>(any: &[AnyView<'a>]) -> Option<Self::Views<'a>>;

    /// Where the elements of each input begin, and how many there are.
    #[doc(hidden)]
    fn buffers(data: Self::Data<'_>) -> (Data, [usize; INPUTS]);

    /// The elements of some lanes as they compute on them, from a place on.
    ///
    /// # Safety
    /// There are as many elements, of each input.
    #[doc(hidden)]
    unsafe fn read<C: Code, const L: usize>(code: C, data: &Data) -> Lanes<Self::Wide, L>;

    /// One element, counted from a place on.
    ///
    /// # Safety
    /// There is one, of each input.
    #[doc(hidden)]
    unsafe fn at(data: &Data, place: usize) -> Self;

    /// The element as lanes compute on it.
    #[doc(hidden)]
    fn wide(self) -> Self::Wide;

    /// The element at a place of each input.
    #[doc(hidden)]
    fn element(data: Self::Data<'_>, places: &[usize; INPUTS]) -> Self;

    /// All elements from a place of each input on.
    #[doc(hidden)]
    fn rest_of<'a>(data: Self::Data<'a>, places: &[usize; INPUTS]) -> Self::Data<'a>;

    /// The whole steps of some elements; as much as each is fetched so many bytes ahead of it, if
    /// that is not 0.
    #[doc(hidden)]
    fn steps<'a, const L: usize>(
        data: Self::Data<'a>,
        ahead: usize,
    ) -> impl Iterator<Item = Self::Step<'a, L>>;

    /// The elements of some lanes as they compute on them.
    #[doc(hidden)]
    fn widen<C: Code, const L: usize>(code: C, step: Self::Step<'_, L>) -> Lanes<Self::Wide, L>;

    /// Some elements as a step, filled up with what lies behind or with anything.
    #[doc(hidden)]
    fn rest<C: Code, const L: usize>(code: C, rest: Self::Data<'_>) -> Lanes<Self::Wide, L>;
}

/// The place so many elements behind another.
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
    type Step<'a, const L: usize> = &'a [T; L];
    type Views<'a> = View<'a, T>;

    const SIZES: [usize; INPUTS] = [size_of::<T>(), 0, 0, 0];
    const TURNED: bool = matches!(size_of::<T>(), 4 | 8);

    // Or each operator would have a copy.
    #[inline(never)]
    fn views<'a>(any: &[AnyView<'a>]) -> Option<View<'a, T>> {
        match any {
            [view] => T::view_of(view).cloned(),
            _ => None,
        }
    }

    #[inline(always)]
    fn buffers(data: &[T]) -> (Data, [usize; INPUTS]) {
        let mut buffers = NOWHERE;
        buffers[0] = data.as_ptr().cast();
        (buffers, [data.len(), 0, 0, 0])
    }

    #[inline(always)]
    unsafe fn read<C: Code, const L: usize>(code: C, data: &Data) -> Lanes<T::Wide, L> {
        // SAFETY: the caller's; buffers are aligned to their elements, and so is what is copied.
        T::widen(code, unsafe { &*data[0].cast::<[T; L]>() })
    }

    #[inline(always)]
    unsafe fn at(data: &Data, place: usize) -> T {
        // SAFETY: the caller's.
        unsafe { *data[0].cast::<T>().wrapping_add(place) }
    }

    #[inline(always)]
    fn wide(self) -> T::Wide {
        T::Wide::get(&T::widen(Simple, &[self]), 0)
    }

    #[inline(always)]
    fn element(data: &[T], places: &[usize; INPUTS]) -> T {
        data[places[0]]
    }

    #[inline(always)]
    fn rest_of<'a>(data: Self::Data<'a>, places: &[usize; INPUTS]) -> Self::Data<'a> {
        &data[places[0]..]
    }

    #[inline(always)]
    fn steps<'a, const L: usize>(
        data: Self::Data<'a>,
        ahead: usize,
    ) -> impl Iterator<Item = Self::Step<'a, L>> {
        data.as_chunks::<L>().0.iter().inspect(move |step| {
            if ahead > 0 {
                prefetch(step.as_ptr().cast(), ahead, size_of_val(*step));
            }
        })
    }

    #[inline(always)]
    fn widen<C: Code, const L: usize>(code: C, step: &[T; L]) -> Lanes<T::Wide, L> {
        T::widen(code, step)
    }

    #[inline(always)]
    fn rest<C: Code, const L: usize>(code: C, rest: &[T]) -> Lanes<T::Wide, L> {
        match rest.first_chunk() {
            Some(step) => T::widen(code, step),
            None => T::widen(code, &code.fill(rest, 0)),
        }
    }
}

/// As `a.zip(b)`, of any number of iterators, into flat tuples.
macro_rules! zip {
    ($a:expr, $b:expr) => {
        $a.zip($b)
    };
    ($a:expr, $b:expr, $c:expr) => {
        $a.zip($b).zip($c).map(|((a, b), c)| (a, b, c))
    };
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        $a.zip($b).zip($c).zip($d).map(|(((a, b), c), d)| (a, b, c, d))
    };
}

macro_rules! several {
    ($(($($T:ident . $index:tt),+))*) => {$(
        #[allow(private_interfaces, reason = "as `Stored`")]
        impl<$($T: Element),+> Stored for ($($T,)+) {
            const DTYPES: &'static [DType] = &[$(<$T as Element>::DTYPE),+];

            type First = A;
            type Wide = ($($T::Wide,)+);
            type Data<'a> = ($(&'a [$T],)+);
            type Step<'a, const L: usize> = ($(&'a [$T; L],)+);
            type Views<'a> = ($(View<'a, $T>,)+);

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
                Some(($($T::view_of(&any[$index])?.clone(),)+))
            }

            #[inline(always)]
            fn buffers(data: Self::Data<'_>) -> (Data, [usize; INPUTS]) {
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
                    // SAFETY: as of one input.
                    let step = unsafe { &*data[$index].cast::<[$T; L]>() };
                    <$T as Stored>::widen(code, step)
                },)+)
            }

            #[inline(always)]
            unsafe fn at(data: &Data, place: usize) -> Self {
                // SAFETY: the caller's.
                ($(unsafe { *data[$index].cast::<$T>().wrapping_add(place) },)+)
            }

            #[inline(always)]
            fn wide(self) -> Self::Wide {
                ($(<$T as Stored>::wide(self.$index),)+)
            }

            #[inline(always)]
            fn element(data: Self::Data<'_>, places: &[usize; INPUTS]) -> Self {
                ($(data.$index[places[$index]],)+)
            }

            #[inline(always)]
            fn rest_of<'a>(data: Self::Data<'a>, places: &[usize; INPUTS]) -> Self::Data<'a> {
                ($(&data.$index[places[$index]..],)+)
            }

            #[inline(always)]
            fn steps<'a, const L: usize>(
                data: Self::Data<'a>,
                ahead: usize,
            ) -> impl Iterator<Item = Self::Step<'a, L>> {
                zip!($(<$T as Stored>::steps::<L>(data.$index, ahead)),+)
            }

            #[inline(always)]
            fn widen<C: Code, const L: usize>(
                code: C,
                step: Self::Step<'_, L>,
            ) -> Lanes<Self::Wide, L> {
                ($(<$T as Stored>::widen(code, step.$index),)+)
            }

            #[inline(always)]
            fn rest<C: Code, const L: usize>(
                code: C,
                rest: Self::Data<'_>,
            ) -> Lanes<Self::Wide, L> {
                ($(<$T as Stored>::rest::<C, L>(code, rest.$index),)+)
            }
        }
    )*};
}

several! {
    (A.0, B.1)
    (A.0, B.1, D.2)
    (A.0, B.1, D.2, E.3)
}
