// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Accumulator, Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Powers<const N: usize>;
#[derive(Clone, Copy, Debug)]
pub struct Sums<A: Accumulator, const N: usize> {
    of_powers: [A; N],
    count: i64,
}
#[automatically_derived]
#[allow(deprecated, unused_qualifications, reason = "generated code")]
impl<
    A: Accumulator + ::reduce_core::__private::Accumulator,
    const N: usize,
> ::reduce_core::__private::Accumulator for Sums<A, N>
where
    for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug,
{
    type Lanes<const __LANES: ::core::primitive::usize> = (
        <[A; N] as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
        <i64 as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
    );
    const SCALARS: ::core::primitive::usize = <[A; N] as ::reduce_core::__private::Accumulator>::SCALARS
        + <i64 as ::reduce_core::__private::Accumulator>::SCALARS;
    #[inline(always)]
    fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
        (
            <[A; N] as ::reduce_core::__private::Accumulator>::splat::<
                __LANES,
            >(self.of_powers),
            <i64 as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.count),
        )
    }
    #[inline(always)]
    fn get<const __LANES: ::core::primitive::usize>(
        lanes: &Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
    ) -> Self {
        Sums {
            of_powers: <[A; N] as ::reduce_core::__private::Accumulator>::get::<
                __LANES,
            >(&lanes.0, lane),
            count: <i64 as ::reduce_core::__private::Accumulator>::get::<
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
        <[A; N] as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.0, lane, value.of_powers);
        <i64 as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.1, lane, value.count);
    }
    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl ::reduce_core::__private::Scalars) {
        <[A; N] as ::reduce_core::__private::Accumulator>::each_scalar(
            &mut self.of_powers,
            to,
        );
        <i64 as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.count, to);
    }
    fn layout(to: &mut ::reduce_core::__private::String) {
        to.push_str(" of_powers");
        <[A; N] as ::reduce_core::__private::Accumulator>::layout(to);
        to.push_str(" count");
        <i64 as ::reduce_core::__private::Accumulator>::layout(to);
    }
    #[inline(always)]
    fn turn(
        from: &Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        to: &mut Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        code: impl ::reduce_core::__private::Code,
    ) {
        <[A; N] as ::reduce_core::__private::Accumulator>::turn(
            &from.0,
            &mut to.0,
            code,
        );
        <i64 as ::reduce_core::__private::Accumulator>::turn(&from.1, &mut to.1, code);
    }
}
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
    }
};
/// The sums of the first powers of the elements, and how many there are.
///
/// | | |
/// |---|---|
/// | name | `Powers` |
/// | versions | 1 and later |
/// | types | `f32`, `i64` |
/// | result | `N` times as the input, `1` times `i64` |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | floats of the result are NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Num, const N: usize> ReduceOp<A> for Powers<N> {
    type Acc = Sums<A, N>;
    type Output = ([A; N], [i64; 1]);
    #[inline(always)]
    fn identity(&self) -> Sums<A, N> {
        Sums {
            of_powers: [A::ZERO; N],
            count: 0,
        }
    }
    #[inline(always)]
    fn map(&self, x: A) -> Sums<A, N> {
        let mut sums = ReduceOp::<A>::identity(self);
        self.push_into(&mut sums, x);
        sums
    }
    #[inline(always)]
    fn enters(&self, _sums: &Sums<A, N>, _x: A) -> bool {
        true
    }
    #[inline(always)]
    fn push_into(&self, sums: &mut Sums<A, N>, x: A) {
        let mut power = x;
        for sum in &mut sums.of_powers {
            *sum = *sum + power;
            power = power * x;
        }
        sums.count += 1;
    }
    #[inline(always)]
    fn combine(&self, mut a: Sums<A, N>, b: Sums<A, N>) -> Sums<A, N> {
        for place in 0..N {
            a.of_powers[place] = a.of_powers[place] + b.of_powers[place];
        }
        a.count += b.count;
        a
    }
    #[inline(always)]
    fn finalize(&self, sums: Sums<A, N>, _count: usize) -> ([A; N], [i64; 1]) {
        (sums.of_powers, [sums.count])
    }
    #[doc(hidden)]
    const ENTERS: ::core::primitive::bool = true;
    #[doc(hidden)]
    const IN_PLACE: ::core::primitive::bool = true;
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Powers<3>>;
    #[automatically_derived]
    impl<const N: usize> ::reduce_core::__private::OpSpec for Powers<N>
    where
        for<'any> Powers<N>: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Powers",
            summary: "The sums of the first powers of the elements, and how many there are.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i64,
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
            ::reduce_core::__private::Row::new::<::core::primitive::i64>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::f32>();
            to.of_type::<::core::primitive::i64>();
        }
    }
    #[automatically_derived]
    impl<const N: usize> ::reduce_core::__private::Reduces<::core::primitive::f32>
    for Powers<N>
    where
        for<'any> Powers<N>: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ([::core::primitive::f32; N], [::core::primitive::i64; 1]);
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
    impl<const N: usize> ::reduce_core::__private::Reduces<::core::primitive::i64>
    for Powers<N>
    where
        for<'any> Powers<N>: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<
            ::core::num::Wrapping<::core::primitive::i64>,
        >;
        type Output = ([::core::primitive::i64; N], [::core::primitive::i64; 1]);
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::i64,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i64,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Powers() {
    ::reduce_core::__private::check_laws::<Powers<3>, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<Powers<3>, ::core::primitive::i64>();
}
