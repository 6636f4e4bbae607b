// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Indexed, Ordered, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstMax;
#[derive(Clone, Copy, Debug)]
pub struct Best<A> {
    value: A,
    index: u64,
}
#[automatically_derived]
#[allow(deprecated, unused_qualifications, reason = "generated code")]
impl<A: ::reduce_core::__private::Accumulator> ::reduce_core::__private::Accumulator
for Best<A>
where
    for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug,
{
    type Lanes<const __LANES: ::core::primitive::usize> = (
        <A as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
        <u64 as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
    );
    const SCALARS: ::core::primitive::usize = <A as ::reduce_core::__private::Accumulator>::SCALARS
        + <u64 as ::reduce_core::__private::Accumulator>::SCALARS;
    #[inline(always)]
    fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
        (
            <A as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.value),
            <u64 as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.index),
        )
    }
    #[inline(always)]
    fn get<const __LANES: ::core::primitive::usize>(
        lanes: &Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
    ) -> Self {
        Best {
            value: <A as ::reduce_core::__private::Accumulator>::get::<
                __LANES,
            >(&lanes.0, lane),
            index: <u64 as ::reduce_core::__private::Accumulator>::get::<
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
        >(&mut lanes.0, lane, value.value);
        <u64 as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.1, lane, value.index);
    }
    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl ::reduce_core::__private::Scalars) {
        <A as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.value, to);
        <u64 as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.index, to);
    }
    fn layout(to: &mut ::reduce_core::__private::String) {
        to.push_str(" value");
        <A as ::reduce_core::__private::Accumulator>::layout(to);
        to.push_str(" index");
        <u64 as ::reduce_core::__private::Accumulator>::layout(to);
    }
    #[inline(always)]
    fn turn(
        from: &Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        to: &mut Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        code: impl ::reduce_core::__private::Code,
    ) {
        <A as ::reduce_core::__private::Accumulator>::turn(&from.0, &mut to.0, code);
        <u64 as ::reduce_core::__private::Accumulator>::turn(&from.1, &mut to.1, code);
    }
}
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::attrs;
        let _ = ::reduce_core::__private::keys::output;
        let _ = ::reduce_core::__private::keys::empty;
    }
};
/// The position of the first of the largest elements along an axis.
///
/// | | |
/// |---|---|
/// | name | `FirstMax` |
/// | versions | 1 and later |
/// | types | `i32`, `u8` |
/// | result | `i64` |
/// | attributes | `axis: int = 0`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | over no elements | an error |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Ordered> ReduceOp<Indexed<A>> for FirstMax {
    type Acc = Best<A>;
    type Output = i64;
    #[inline(always)]
    fn identity(&self) -> Best<A> {
        Best {
            value: A::LOWEST,
            index: u64::MAX,
        }
    }
    #[inline(always)]
    fn map(&self, x: Indexed<A>) -> Best<A> {
        Best {
            value: x.value,
            index: x.index,
        }
    }
    #[inline(always)]
    fn combine(&self, a: Best<A>, b: Best<A>) -> Best<A> {
        let is_first = a.value == b.value && a.index < b.index;
        if a.value > b.value || is_first { a } else { b }
    }
    #[inline(always)]
    fn finalize(&self, best: Best<A>, _count: usize) -> i64 {
        best.index.cast_signed()
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<FirstMax>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for FirstMax
    where
        for<'any> FirstMax: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "FirstMax",
            summary: "The position of the first of the largest elements along an axis.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i32,
                >(::reduce_core::__private::Window::since(1), "i32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::u8,
                >(::reduce_core::__private::Window::since(1), "u8"),
            ],
            attrs: &[
                ::reduce_core::__private::AttrSchema::new(
                    "axis",
                    ::reduce_core::__private::AttrKind::Int,
                    ::reduce_core::__private::AttrDefault::Int(0i64),
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
            ::reduce_core::__private::Row::new::<::core::primitive::i32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::u8>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::i32>();
            to.of_type::<::core::primitive::u8>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for FirstMax
    where
        for<'any> FirstMax: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Positioned<
            ::reduce_core::__private::Value<
                ::core::num::Wrapping<::core::primitive::i32>,
            >,
        >;
        type Output = ::core::primitive::i64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::i32,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Error;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i32,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::u8> for FirstMax
    where
        for<'any> FirstMax: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Positioned<
            ::reduce_core::__private::Value<::core::num::Wrapping<::core::primitive::u8>>,
        >;
        type Output = ::core::primitive::i64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::u8,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Error;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::u8,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_FirstMax() {
    ::reduce_core::__private::check_laws::<FirstMax, ::core::primitive::i32>();
    ::reduce_core::__private::check_laws::<FirstMax, ::core::primitive::u8>();
}
