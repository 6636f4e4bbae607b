//! Several inputs walked together: a tuple of sources is read as one.

use std::ops::Range;

use super::ahead::Ahead;
use super::inputs::{Inputs, RowCount, Ways};
use super::lanes::{Lanes, Run};
use super::source::Source;
use super::stored::Stored;
use crate::dtype::DType;
use crate::element::Element;
use crate::level::{Available, Code};
use crate::plan::Plan;
use crate::tensor::AnyView;
use crate::view::View;

/// Iterators over each input as one over tuples.
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
    ($(($place:ty: $($T:ident . $index:tt),+))*) => {$(
        impl<$($T: Element),+> Stored for ($($T,)+) {
            const DTYPES: &'static [DType] = &[$(<$T as Element>::DTYPE),+];

            type First = A;
            type Wide = ($($T::Wide,)+);
            type Data<'a> = ($(&'a [$T],)+);
            type Step<'a, const L: usize> = ($(&'a [$T; L],)+);
            type Run<'a> = ($(Run<'a, $T>,)+);
            type Inputs<'a> = ($(Source<'a, $T>,)+);
            type Views<'a> = ($(View<'a, $T>,)+);

            fn views<'a>(any: &[AnyView<'a>]) -> Option<Self::Views<'a>> {
                const COUNT: usize = [$($index),+].len();
                let any: &[AnyView<'a>; COUNT] = any.try_into().ok()?;
                Some(($($T::view_of(&any[$index])?.clone(),)+))
            }

            fn plan_of(plan: &Plan) -> &Plan {
                plan
            }

            #[inline(always)]
            fn count(data: Self::Data<'_>) -> usize {
                data.0.len()
            }

            #[inline(always)]
            fn split_at(data: Self::Data<'_>, first: usize) -> (Self::Data<'_>, Self::Data<'_>) {
                let halves = ($(data.$index.split_at(first),)+);
                (($(halves.$index.0,)+), ($(halves.$index.1,)+))
            }

            #[inline(always)]
            fn shortened<'s, 'a: 's>(data: Self::Data<'a>) -> Self::Data<'s> {
                data
            }

            #[inline(always)]
            fn element(data: Self::Data<'_>, place: usize) -> Self {
                ($(data.$index[place],)+)
            }

            #[inline(always)]
            fn elements(data: Self::Data<'_>) -> impl Iterator<Item = Self> {
                zip!($(data.$index.iter().copied()),+)
            }

            #[inline(always)]
            fn wide(self) -> Self::Wide {
                ($(<$T as Stored>::wide(self.$index),)+)
            }

            #[inline(always)]
            fn widen<C: Code, const L: usize>(
                code: C,
                step: Self::Step<'_, L>,
            ) -> Lanes<Self::Wide, L> {
                ($(<$T as Stored>::widen(code, step.$index),)+)
            }

            #[inline(always)]
            fn lane<const L: usize>(step: Self::Step<'_, L>, lane: usize) -> Self {
                ($(step.$index[lane],)+)
            }

            #[inline(always)]
            fn fetch_in_streams(some: Self::Data<'_>) {
                $(<$T as Stored>::fetch_in_streams(some.$index);)+
            }

            #[inline(always)]
            fn steps<'a, const L: usize>(
                block: Self::Data<'a>,
                ahead: Ahead,
            ) -> impl Iterator<Item = Self::Step<'a, L>> {
                zip!($(ahead.steps::<$T, L>(block.$index)),+)
            }

            #[inline(always)]
            fn first<C: Code, const L: usize>(
                code: C,
                block: Self::Data<'_>,
                shift: usize,
            ) -> Lanes<Self::Wide, L> {
                ($(<$T as Stored>::first::<C, L>(code, block.$index, shift),)+)
            }

            #[inline(always)]
            fn rest<C: Code, const L: usize>(
                code: C,
                rest: Self::Data<'_>,
                ahead: Ahead,
            ) -> Lanes<Self::Wide, L> {
                ($(<$T as Stored>::rest::<C, L>(code, rest.$index, ahead),)+)
            }

            #[inline(always)]
            fn rows<'a, const L: usize>(
                run: Self::Run<'a>,
            ) -> impl Iterator<Item = Self::Step<'a, L>> + Clone {
                zip!($(run.$index.steps::<L>()),+)
            }

            #[inline(always)]
            fn right(run: Self::Run<'_>, lanes: usize) -> Self::Run<'_> {
                ($(<$T as Stored>::right(run.$index, lanes),)+)
            }

            #[inline(always)]
            fn below(run: Self::Run<'_>, first: usize, count: usize) -> Self::Run<'_> {
                ($(<$T as Stored>::below(run.$index, first, count),)+)
            }

            #[inline(always)]
            fn unfetched(run: Self::Run<'_>) -> Self::Run<'_> {
                ($(<$T as Stored>::unfetched(run.$index),)+)
            }
        }

        #[allow(private_interfaces, reason = "as `Inputs`")]
        impl<'a, $($T: Element),+> Inputs<'a> for ($(Source<'a, $T>,)+) {
            type Stored = ($($T,)+);
            type Place = $place;
            type Scratch = ($(<Source<'a, $T> as Inputs<'a>>::Scratch,)+);
            type Rows = ($(<Source<'a, $T> as Inputs<'a>>::Rows,)+);

            #[inline(always)]
            fn new(data: ($(&'a [$T],)+), plan: &'a Plan, level: Available) -> Self {
                ($(Source::new(data.$index, &plan.inputs[$index], level),)+)
            }

            #[inline(always)]
            fn behind(place: $place, way: $place) -> $place {
                ($(place.$index.wrapping_add(way.$index),)+)
            }

            #[inline(always)]
            fn times(way: $place, times: usize) -> $place {
                ($(way.$index.wrapping_mul(times),)+)
            }

            #[inline(always)]
            fn element(self, place: $place) -> Self::Stored {
                ($(self.$index.element(place.$index),)+)
            }

            #[inline(always)]
            fn neighbours(self, place: $place, count: usize) -> ($(&'a [$T],)+) {
                ($(self.$index.neighbours(place.$index, count),)+)
            }

            #[inline(always)]
            fn from(self, place: $place, count: usize) -> ($(&'a [$T],)+) {
                ($(self.$index.from(place.$index, count),)+)
            }

            #[inline(always)]
            fn outer_rows(self, index: usize) -> impl Iterator<Item = $place> {
                zip!($(self.$index.outer_rows(index)),+)
            }

            #[inline(always)]
            fn outer_way(self) -> $place {
                ($(self.$index.outer_way(),)+)
            }

            #[inline(always)]
            fn outer_is_dense(self) -> bool {
                true $(&& self.$index.outer_is_dense())+
            }

            #[inline(always)]
            fn lane_way(self) -> $place {
                ($(self.$index.lane_way(),)+)
            }

            #[inline(always)]
            fn ways(self, ways: &mut Ways<$place>) {
                let mut each = [$($index),+].map(|_: usize| Ways::<usize>::new());
                $(self.$index.ways(&mut each[$index]);)+
                ways.extend(zip!($(each[$index].iter().copied()),+));
            }

            #[inline(always)]
            fn units(self, first: usize) -> impl Iterator<Item = ($place, usize)> {
                let results = self.0.units(first).map(|(_, results)| results);
                zip!($(self.$index.units(first).map(|(place, _)| place)),+).zip(results)
            }

            #[inline(always)]
            fn is_in_place(self) -> bool {
                true $(&& self.$index.is_in_place())+
            }

            #[inline(always)]
            fn shift(self, place: $place) -> usize {
                self.0.shift(place.0)
            }

            #[inline(always)]
            fn run(self, place: $place, blocks: Range<usize>) -> (($(&'a [$T],)+), u64) {
                let runs = ($(self.$index.run(place.$index, blocks.clone()),)+);
                (($(runs.$index.0,)+), runs.0.1)
            }

            #[inline(always)]
            fn block<'s>(
                self,
                scratch: &'s mut Self::Scratch,
                place: $place,
                number: usize,
            ) -> (($(&'s [$T],)+), u64)
            where
                'a: 's,
            {
                let blocks =
                    ($(self.$index.block(&mut scratch.$index, place.$index, number),)+);
                (($(blocks.$index.0,)+), blocks.0.1)
            }

            #[inline(always)]
            fn segment(self, place: $place, rows: Range<usize>) -> (Self::Rows, RowCount) {
                let segments = ($(self.$index.segment(place.$index, rows.clone()),)+);
                (($(segments.$index.0,)+), segments.0.1)
            }

            #[inline(always)]
            fn is_last_cut_off(self, rows: Self::Rows, width: usize) -> bool {
                false $(|| self.$index.is_last_cut_off(rows.$index, width))+
            }

            #[inline(always)]
            fn lanes_at_once(self, rows: usize, group: usize) -> usize {
                usize::MAX $(.min(self.$index.lanes_at_once(rows, group)))+
            }

            #[inline(always)]
            fn rows<'s>(
                self,
                scratch: &'s mut Self::Scratch,
                rows: Self::Rows,
                skipped: usize,
                lanes: usize,
                group: usize,
            ) -> ($(Run<'s, $T>,)+)
            where
                'a: 's,
            {
                ($(self.$index.rows(
                    &mut scratch.$index,
                    rows.$index,
                    skipped,
                    lanes,
                    group,
                ),)+)
            }
        }
    )*};
}

several! {
    ((usize, usize): A.0, B.1)
    ((usize, usize, usize): A.0, B.1, D.2)
    ((usize, usize, usize, usize): A.0, B.1, D.2, E.3)
}
