// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use std::num::Wrapping;
use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct CountZeros;
/// How many elements are zero.
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
    #[inline]
    fn finalize(&self, zeros: Wrapping<i64>, _count: usize) -> Wrapping<i64> {
        zeros
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for CountZeros {
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
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::u8>(),
        ];
        fn configure(_: &::reduce_core::__private::Params) -> Self {
            <CountZeros as ::core::default::Default>::default()
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for CountZeros {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::core::primitive::i64;
        type Fold = ::reduce_core::__private::Combining<
            ::reduce_core::__private::Value<::core::primitive::f32>,
        >;
        const LANES: ::core::primitive::usize = {
            ::reduce_core::__private::lanes::<
                <CountZeros as ::reduce_core::__private::ReduceOp<
                    ::core::primitive::f32,
                >>::Acc,
            >()
        };
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            Self::Output,
        > {
            const {
                &::reduce_core::__private::Kernel::new::<
                    ::reduce_core::__private::Value<::core::primitive::f32>,
                    {
                        ::reduce_core::__private::lanes::<
                            <CountZeros as ::reduce_core::__private::ReduceOp<
                                ::core::primitive::f32,
                            >>::Acc,
                        >()
                    },
                >(::reduce_core::__private::Empty::Identity)
            }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::u8> for CountZeros {
        type Reader = ::reduce_core::__private::Value<
            ::core::num::Wrapping<::core::primitive::u8>,
        >;
        type Output = ::core::primitive::i64;
        type Fold = ::reduce_core::__private::Combining<
            ::reduce_core::__private::Value<::core::num::Wrapping<::core::primitive::u8>>,
        >;
        const LANES: ::core::primitive::usize = {
            ::reduce_core::__private::lanes::<
                <CountZeros as ::reduce_core::__private::ReduceOp<
                    ::core::num::Wrapping<::core::primitive::u8>,
                >>::Acc,
            >()
        };
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::u8,
            Self::Output,
        > {
            const {
                &::reduce_core::__private::Kernel::new::<
                    ::reduce_core::__private::Value<
                        ::core::num::Wrapping<::core::primitive::u8>,
                    >,
                    {
                        ::reduce_core::__private::lanes::<
                            <CountZeros as ::reduce_core::__private::ReduceOp<
                                ::core::num::Wrapping<::core::primitive::u8>,
                            >>::Acc,
                        >()
                    },
                >(::reduce_core::__private::Empty::Identity)
            }
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
