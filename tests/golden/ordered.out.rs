// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Last;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::commutative;
        let _ = ::reduce_core::__private::keys::empty;
        let _ = ::reduce_core::__private::keys::nan;
    }
};
/// The last element.
///
/// | | |
/// |---|---|
/// | name | `Last` |
/// | versions | 1 and later |
/// | types | `i64`, `f32` |
/// | result | as the input |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping of elements, in their order |
/// | NaN | not specified |
/// | over no elements | an error |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Num> ReduceOp<A> for Last {
    type Acc = (A, bool);
    type Output = A;
    #[inline(always)]
    fn identity(&self) -> (A, bool) {
        (A::ZERO, false)
    }
    #[inline(always)]
    fn map(&self, x: A) -> (A, bool) {
        (x, true)
    }
    #[inline(always)]
    fn combine(&self, a: (A, bool), b: (A, bool)) -> (A, bool) {
        if b.1 { b } else { a }
    }
    #[inline(always)]
    fn finalize(&self, (last, _): (A, bool), _count: usize) -> A {
        last
    }
    #[doc(hidden)]
    const ORDERED: ::core::primitive::bool = true;
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Last>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Last
    where
        for<'any> Last: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Last",
            summary: "The last element.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i64,
                >(::reduce_core::__private::Window::since(1), "i64"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f32"),
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
            nan: ::reduce_core::__private::NanPolicy::Unspecified,
            commutative: false,
            emits: &[],
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::core::primitive::i64>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::i64>();
            to.of_type::<::core::primitive::f32>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i64> for Last
    where
        for<'any> Last: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<
            ::core::num::Wrapping<::core::primitive::i64>,
        >;
        type Output = ::core::primitive::i64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::i64,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Error;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i64,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Last
    where
        for<'any> Last: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::core::primitive::f32;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::f32,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Error;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Last() {
    ::reduce_core::__private::check_laws::<Last, ::core::primitive::i64>();
    ::reduce_core::__private::check_laws::<Last, ::core::primitive::f32>();
}
