// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use std::num::Wrapping;
use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct CountZeros;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::output;
    }
};
/// How many elements are zero.
///
/// | | |
/// |---|---|
/// | name | `CountZeros` |
/// | versions | 1 and later |
/// | types | `f32`, `u8` |
/// | result | `i64` |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | the result is no float, and cannot be NaN |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Num> ReduceOp<A> for CountZeros {
    type Acc = Wrapping<i64>;
    type Output = Wrapping<i64>;
    #[inline(always)]
    fn identity(&self) -> Wrapping<i64> {
        Wrapping(0)
    }
    #[inline(always)]
    fn map(&self, x: A) -> Wrapping<i64> {
        Wrapping(i64::from(x == A::ZERO))
    }
    #[inline(always)]
    fn combine(&self, a: Wrapping<i64>, b: Wrapping<i64>) -> Wrapping<i64> {
        a + b
    }
    #[inline(always)]
    fn remove(&self, zeros: Wrapping<i64>, x: A) -> Wrapping<i64> {
        zeros - Wrapping(i64::from(x == A::ZERO))
    }
    #[inline]
    fn finalize(&self, zeros: Wrapping<i64>, _count: usize) -> Wrapping<i64> {
        zeros
    }
    #[doc(hidden)]
    const REMOVES: ::core::primitive::bool = true;
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<CountZeros>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for CountZeros
    where
        for<'any> CountZeros: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "CountZeros",
            summary: "How many elements are zero.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::u8,
                >(::reduce_core::__private::Window::since(1), "u8"),
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
            ::reduce_core::__private::Row::new::<::core::primitive::u8>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::f32>();
            to.of_type::<::core::primitive::u8>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for CountZeros
    where
        for<'any> CountZeros: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::core::primitive::i64;
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
    impl ::reduce_core::__private::Reduces<::core::primitive::u8> for CountZeros
    where
        for<'any> CountZeros: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<
            ::core::num::Wrapping<::core::primitive::u8>,
        >;
        type Output = ::core::primitive::i64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::u8,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
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
fn laws_of_CountZeros() {
    ::reduce_core::__private::check_laws::<CountZeros, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<CountZeros, ::core::primitive::u8>();
}
