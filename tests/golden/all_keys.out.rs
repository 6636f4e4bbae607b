// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::name;
        let _ = ::reduce_core::__private::keys::versions;
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::attrs;
        let _ = ::reduce_core::__private::keys::nan;
        let _ = ::reduce_core::__private::keys::empty;
        let _ = ::reduce_core::__private::keys::commutative;
        let _ = ::reduce_core::__private::keys::output;
        let _ = ::reduce_core::__private::keys::lanes;
    }
};
/// The sum of the elements, in the versions
/// from 13 to 18.
///
/// This paragraph is no part of the summary.
///
/// | | |
/// |---|---|
/// | name | `com.example:Sum` |
/// | versions | 13, 18, the last one 18 |
/// | types | `f32` computed in `f64`; from version 18 on: `i32` computed in `f64` |
/// | result | `f64` |
/// | attributes | `keepdims: bool = false`; versions 13 to 17: `axes: ints = all` |
/// | order | any grouping and order of elements |
/// | NaN | not specified |
/// | over no elements | floats: `finalize(identity(), 0)`; integers: an error |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    #[inline(always)]
    fn identity(&self) -> A {
        A::ZERO
    }
    #[inline(always)]
    fn map(&self, x: A) -> A {
        x
    }
    #[inline(always)]
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    #[inline(always)]
    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Sum>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Sum
    where
        for<'any> Sum: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "com.example:Sum",
            summary: "The sum of the elements, in the versions from 13 to 18.",
            versions: &[13, 18],
            last: ::core::option::Option::Some(18),
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::span(13, 18), "f64"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i32,
                >(::reduce_core::__private::Window::span(18, 18), "f64"),
            ],
            attrs: &[
                ::reduce_core::__private::AttrSchema::new(
                    "keepdims",
                    ::reduce_core::__private::AttrKind::Bool,
                    ::reduce_core::__private::AttrDefault::Bool(false),
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::span(13, 18),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "axes",
                    ::reduce_core::__private::AttrKind::Ints,
                    ::reduce_core::__private::AttrDefault::All,
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::span(13, 17),
                ),
            ],
            nan: ::reduce_core::__private::NanPolicy::Unspecified,
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
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Sum
    where
        for<'any> Sum: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::f64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::f32,
        >;
        const LANES: ::core::primitive::usize = 16;
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
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for Sum
    where
        for<'any> Sum: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::f64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::i32,
        >;
        const LANES: ::core::primitive::usize = 16;
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
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Sum() {
    ::reduce_core::__private::check_laws::<Sum, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<Sum, ::core::primitive::i32>();
}
