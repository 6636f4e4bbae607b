//! What a reduction reads at each index: an element, or one of each of several inputs.

use std::fmt::Debug;

use super::ahead::Ahead;
use super::inputs::Inputs;
use super::lanes::{Lanes, Run};
use super::source::Source;
use crate::accumulator::Accumulator;
use crate::dtype::DType;
use crate::element::Element;
use crate::input::Input;
use crate::level::{Code, Simple};
use crate::plan::Plan;
use crate::simd::{Fetch, prefetch_in_streams};
use crate::tensor::AnyView;
use crate::view::View;

/// What is stored for each index of the input: an [`Element`], or a tuple of up to four,
/// one of each input of an operator that walks several together.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no storage type",
    label = "tensors hold f16, bf16, f32, f64, bool, i8 to i64 or u8 to u64"
)]
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

    /// Steps, each at the same distance from the one before.
    #[doc(hidden)]
    type Run<'a>: Copy;

    /// Buffers and the plan they are read by.
    #[doc(hidden)]
    type Inputs<'a>: Inputs<'a, Stored = Self>;

    /// The views of all inputs.
    #[doc(hidden)]
    type Views<'a>: Input<Stored = Self>;

    /// Views of these types, if they are.
    #[doc(hidden)]
    fn views<'a>(any: &[AnyView<'a>]) -> Option<Self::Views<'a>>;

    /// The plan that [`Inputs::new`] wants, of one that walks something else besides.
    #[doc(hidden)]
    fn plan_of(plan: &Plan) -> &Plan;

    /// The number of elements.
    #[doc(hidden)]
    fn count(data: Self::Data<'_>) -> usize;

    /// The first elements, and the others.
    #[doc(hidden)]
    fn split_at(data: Self::Data<'_>, first: usize) -> (Self::Data<'_>, Self::Data<'_>);

    /// The same elements, for a shorter time: the compiler does not see that it may.
    #[doc(hidden)]
    fn shortened<'s, 'a: 's>(data: Self::Data<'a>) -> Self::Data<'s>;

    /// One element.
    #[doc(hidden)]
    fn element(data: Self::Data<'_>, place: usize) -> Self;

    /// All elements.
    #[doc(hidden)]
    fn elements(data: Self::Data<'_>) -> impl Iterator<Item = Self>;

    /// The element as lanes compute on it.
    #[doc(hidden)]
    fn wide(self) -> Self::Wide;

    /// The elements of some lanes as they compute on them.
    #[doc(hidden)]
    fn widen<C: Code, const L: usize>(code: C, step: Self::Step<'_, L>) -> Lanes<Self::Wide, L>;

    /// The element of one lane.
    #[doc(hidden)]
    fn lane<const L: usize>(step: Self::Step<'_, L>, lane: usize) -> Self;

    /// Fetches in streams as much as some elements are.
    #[doc(hidden)]
    fn fetch_in_streams(some: Self::Data<'_>);

    /// The whole steps of a block, each of which fetches its part of what lies ahead.
    #[doc(hidden)]
    fn steps<'a, const L: usize>(
        block: Self::Data<'a>,
        ahead: Ahead,
    ) -> impl Iterator<Item = Self::Step<'a, L>>;

    /// The first step of a block of which the first `shift` lanes have no element, filled up with
    /// anything.
    #[doc(hidden)]
    fn first<C: Code, const L: usize>(
        code: C,
        block: Self::Data<'_>,
        shift: usize,
    ) -> Lanes<Self::Wide, L>;

    /// What is left of a block after its whole steps, filled up with what lies behind
    /// or with anything.
    #[doc(hidden)]
    fn rest<C: Code, const L: usize>(
        code: C,
        rest: Self::Data<'_>,
        ahead: Ahead,
    ) -> Lanes<Self::Wide, L>;

    /// The steps of a run.
    #[doc(hidden)]
    fn rows<'a, const L: usize>(
        run: Self::Run<'a>,
    ) -> impl Iterator<Item = Self::Step<'a, L>> + Clone;

    /// The run for lanes further to the right.
    #[doc(hidden)]
    fn right(run: Self::Run<'_>, lanes: usize) -> Self::Run<'_>;

    /// Some steps of the run, after the first ones.
    #[doc(hidden)]
    fn below(run: Self::Run<'_>, first: usize, count: usize) -> Self::Run<'_>;

    /// The run, without fetching ahead.
    #[doc(hidden)]
    fn unfetched(run: Self::Run<'_>) -> Self::Run<'_>;
}

impl<T: Element> Stored for T {
    const DTYPES: &'static [DType] = &[T::DTYPE];

    type First = T;
    type Wide = T::Wide;
    type Data<'a> = &'a [T];
    type Step<'a, const L: usize> = &'a [T; L];
    type Run<'a> = Run<'a, T>;
    type Inputs<'a> = Source<'a, T>;
    type Views<'a> = View<'a, T>;

    // Or each operator would have a copy.
    #[inline(never)]
    fn views<'a>(any: &[AnyView<'a>]) -> Option<View<'a, T>> {
        match any {
            [view] => T::view_of(view).cloned(),
            _ => None,
        }
    }

    fn plan_of(plan: &Plan) -> &Plan {
        &plan.inputs[0]
    }

    #[inline(always)]
    fn count(data: Self::Data<'_>) -> usize {
        data.len()
    }

    #[inline(always)]
    fn split_at(data: Self::Data<'_>, first: usize) -> (Self::Data<'_>, Self::Data<'_>) {
        data.split_at(first)
    }

    #[inline(always)]
    fn shortened<'s, 'a: 's>(data: Self::Data<'a>) -> Self::Data<'s> {
        data
    }

    #[inline(always)]
    fn element(data: Self::Data<'_>, place: usize) -> T {
        data[place]
    }

    #[inline(always)]
    fn elements(data: Self::Data<'_>) -> impl Iterator<Item = T> {
        data.iter().copied()
    }

    #[inline(always)]
    fn wide(self) -> T::Wide {
        T::Wide::get(&T::widen(Simple, &[self]), 0)
    }

    #[inline(always)]
    fn widen<C: Code, const L: usize>(code: C, step: Self::Step<'_, L>) -> Lanes<T::Wide, L> {
        T::widen(code, step)
    }

    #[inline(always)]
    fn lane<const L: usize>(step: Self::Step<'_, L>, lane: usize) -> T {
        step[lane]
    }

    #[inline(always)]
    fn fetch_in_streams(some: Self::Data<'_>) {
        prefetch_in_streams(some.as_ptr().cast(), size_of_val(some));
    }

    #[inline(always)]
    fn steps<'a, const L: usize>(
        block: Self::Data<'a>,
        ahead: Ahead,
    ) -> impl Iterator<Item = Self::Step<'a, L>> {
        ahead.steps(block)
    }

    #[inline(always)]
    fn first<C: Code, const L: usize>(
        code: C,
        block: Self::Data<'_>,
        shift: usize,
    ) -> Lanes<Self::Wide, L> {
        match block.first_chunk() {
            Some(step) if shift == 0 => T::widen(code, step),
            _ => T::widen(code, &code.fill(block, shift)),
        }
    }

    #[inline(always)]
    fn rest<C: Code, const L: usize>(
        code: C,
        rest: Self::Data<'_>,
        ahead: Ahead,
    ) -> Lanes<T::Wide, L> {
        ahead.fetch::<T, L>(rest);
        match rest.first_chunk() {
            Some(step) => T::widen(code, step),
            None => T::widen(code, &code.fill(rest, 0)),
        }
    }

    #[inline(always)]
    fn rows<'a, const L: usize>(
        run: Self::Run<'a>,
    ) -> impl Iterator<Item = Self::Step<'a, L>> + Clone {
        run.steps()
    }

    #[inline(always)]
    fn right(run: Self::Run<'_>, lanes: usize) -> Self::Run<'_> {
        Run { at: run.at + lanes, ..run }
    }

    #[inline(always)]
    fn below(run: Self::Run<'_>, first: usize, count: usize) -> Self::Run<'_> {
        let way = first.cast_signed().wrapping_mul(run.stride);
        Run { at: run.at.wrapping_add_signed(way), steps: count, ..run }
    }

    #[inline(always)]
    fn unfetched(run: Self::Run<'_>) -> Self::Run<'_> {
        Run { ahead: Fetch::Nothing, ..run }
    }
}
