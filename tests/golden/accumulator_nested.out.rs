// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Dispersion;
#[derive(Clone, Copy, Debug)]
pub struct Sums<A> {
    plain: A,
    squares: A,
}
#[automatically_derived]
#[allow(deprecated, unused_qualifications, reason = "generated code")]
impl<A: ::reduce_core::__private::Accumulator> ::reduce_core::__private::Accumulator
for Sums<A>
where
    for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug,
{
    type Lanes<const __LANES: ::core::primitive::usize> = (
        <A as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
        <A as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
    );
    const SCALARS: ::core::primitive::usize = <A as ::reduce_core::__private::Accumulator>::SCALARS
        + <A as ::reduce_core::__private::Accumulator>::SCALARS;
    #[inline(always)]
    fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
        (
            <A as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.plain),
            <A as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.squares),
        )
    }
    #[inline(always)]
    fn get<const __LANES: ::core::primitive::usize>(
        lanes: &Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
    ) -> Self {
        Sums {
            plain: <A as ::reduce_core::__private::Accumulator>::get::<
                __LANES,
            >(&lanes.0, lane),
            squares: <A as ::reduce_core::__private::Accumulator>::get::<
                __LANES,
            >(&lanes.1, lane),
        }
    }
    #[inline(always)]
    fn set<const __LANES: ::core::primitive::usize>(
        lanes: &mut Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
        value: Self,
    ) {
        <A as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.0, lane, value.plain);
        <A as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.1, lane, value.squares);
    }
    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl ::reduce_core::__private::Scalars) {
        <A as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.plain, to);
        <A as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.squares, to);
    }
    fn layout(to: &mut ::reduce_core::__private::String) {
        to.push_str(" plain");
        <A as ::reduce_core::__private::Accumulator>::layout(to);
        to.push_str(" squares");
        <A as ::reduce_core::__private::Accumulator>::layout(to);
    }
    #[inline(always)]
    fn turn(
        from: &Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        to: &mut Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        code: impl ::reduce_core::__private::Code,
    ) {
        <A as ::reduce_core::__private::Accumulator>::turn(&from.0, &mut to.0, code);
        <A as ::reduce_core::__private::Accumulator>::turn(&from.1, &mut to.1, code);
    }
}
#[derive(Clone, Copy, Debug)]
pub struct Moments<A> {
    sums: Sums<A>,
    signs: (bool, u8),
}
#[automatically_derived]
#[allow(deprecated, unused_qualifications, reason = "generated code")]
impl<A: ::reduce_core::__private::Accumulator> ::reduce_core::__private::Accumulator
for Moments<A>
where
    for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug,
{
    type Lanes<const __LANES: ::core::primitive::usize> = (
        <Sums<A> as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
        <(bool, u8) as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
    );
    const SCALARS: ::core::primitive::usize = <Sums<
        A,
    > as ::reduce_core::__private::Accumulator>::SCALARS
        + <(bool, u8) as ::reduce_core::__private::Accumulator>::SCALARS;
    #[inline(always)]
    fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
        (
            <Sums<
                A,
            > as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.sums),
            <(
                bool,
                u8,
            ) as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.signs),
        )
    }
    #[inline(always)]
    fn get<const __LANES: ::core::primitive::usize>(
        lanes: &Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
    ) -> Self {
        Moments {
            sums: <Sums<
                A,
            > as ::reduce_core::__private::Accumulator>::get::<__LANES>(&lanes.0, lane),
            signs: <(
                bool,
                u8,
            ) as ::reduce_core::__private::Accumulator>::get::<__LANES>(&lanes.1, lane),
        }
    }
    #[inline(always)]
    fn set<const __LANES: ::core::primitive::usize>(
        lanes: &mut Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
        value: Self,
    ) {
        <Sums<
            A,
        > as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.0, lane, value.sums);
        <(
            bool,
            u8,
        ) as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.1, lane, value.signs);
    }
    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl ::reduce_core::__private::Scalars) {
        <Sums<
            A,
        > as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.sums, to);
        <(
            bool,
            u8,
        ) as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.signs, to);
    }
    fn layout(to: &mut ::reduce_core::__private::String) {
        to.push_str(" sums");
        <Sums<A> as ::reduce_core::__private::Accumulator>::layout(to);
        to.push_str(" signs");
        <(bool, u8) as ::reduce_core::__private::Accumulator>::layout(to);
    }
    #[inline(always)]
    fn turn(
        from: &Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        to: &mut Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        code: impl ::reduce_core::__private::Code,
    ) {
        <Sums<
            A,
        > as ::reduce_core::__private::Accumulator>::turn(&from.0, &mut to.0, code);
        <(
            bool,
            u8,
        ) as ::reduce_core::__private::Accumulator>::turn(&from.1, &mut to.1, code);
    }
}
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
    }
};
/// The sum of squares less the squared sum.
///
/// | | |
/// |---|---|
/// | name | `Dispersion` |
/// | versions | 1 and later |
/// | types | `f32`, `i32` computed in `i64` |
/// | result | as the input |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | the result is NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Num> ReduceOp<A> for Dispersion {
    type Acc = Moments<A>;
    type Output = A;
    #[inline(always)]
    fn identity(&self) -> Moments<A> {
        Moments {
            sums: Sums {
                plain: A::ZERO,
                squares: A::ZERO,
            },
            signs: (false, 0),
        }
    }
    #[inline(always)]
    fn map(&self, x: A) -> Moments<A> {
        Moments {
            sums: Sums { plain: x, squares: x * x },
            signs: (x < A::ZERO, 1),
        }
    }
    #[inline(always)]
    fn combine(&self, a: Moments<A>, b: Moments<A>) -> Moments<A> {
        let plain = a.sums.plain + b.sums.plain;
        let squares = a.sums.squares + b.sums.squares;
        Moments {
            sums: Sums { plain, squares },
            signs: (a.signs.0 | b.signs.0, a.signs.1 | b.signs.1),
        }
    }
    #[inline(always)]
    fn finalize(&self, moments: Moments<A>, _count: usize) -> A {
        moments.sums.squares - moments.sums.plain * moments.sums.plain
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Dispersion>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Dispersion
    where
        for<'any> Dispersion: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Dispersion",
            summary: "The sum of squares less the squared sum.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i32,
                >(::reduce_core::__private::Window::since(1), "i64"),
            ],
            attrs: &[
                ::reduce_core::__private::AttrSchema::new(
                    "axes",
                    ::reduce_core::__private::AttrKind::Ints,
                    ::reduce_core::__private::AttrDefault::All,
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::since(1),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "keepdims",
                    ::reduce_core::__private::AttrKind::Bool,
                    ::reduce_core::__private::AttrDefault::Bool(true),
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::since(1),
                ),
            ],
            nan: ::reduce_core::__private::NanPolicy::Propagate,
            commutative: true,
            emits: &[],
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::i32>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::f32>();
            to.of_type::<::core::primitive::i32>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Dispersion
    where
        for<'any> Dispersion: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::core::primitive::f32;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::f32,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for Dispersion
    where
        for<'any> Dispersion: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<
            ::core::num::Wrapping<::core::primitive::i64>,
        >;
        type Output = ::core::primitive::i32;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::i32,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i32,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Dispersion() {
    ::reduce_core::__private::check_laws::<Dispersion, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<Dispersion, ::core::primitive::i32>();
}
