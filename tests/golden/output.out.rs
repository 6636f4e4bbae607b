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
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::F32,
                    compute: "f32",
                    output: ::reduce_core::__private::DType::I64,
                    empty: ::reduce_core::__private::Empty::Identity,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::U8,
                    compute: "u8",
                    output: ::reduce_core::__private::DType::I64,
                    empty: ::reduce_core::__private::Empty::Identity,
                },
            ],
            attrs: &[
                ::reduce_core::__private::AttrSchema {
                    name: "axes",
                    kind: ::reduce_core::__private::AttrKind::Ints,
                    default: ::reduce_core::__private::AttrDefault::All,
                    range: ::reduce_core::__private::AttrRange::ALL,
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                },
                ::reduce_core::__private::AttrSchema {
                    name: "keepdims",
                    kind: ::reduce_core::__private::AttrKind::Bool,
                    default: ::reduce_core::__private::AttrDefault::Bool(true),
                    range: ::reduce_core::__private::AttrRange::ALL,
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                },
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
        type Output = ::core::primitive::i64;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            ::core::primitive::i64,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f32,
            {
                ::reduce_core::__private::lanes::<
                    <CountZeros as ::reduce_core::__private::ReduceOp<
                        ::core::primitive::f32,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Identity);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::u8> for CountZeros {
        type Output = ::core::primitive::i64;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::u8,
            ::core::primitive::i64,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::num::Wrapping<::core::primitive::u8>,
            {
                ::reduce_core::__private::lanes::<
                    <CountZeros as ::reduce_core::__private::ReduceOp<
                        ::core::num::Wrapping<::core::primitive::u8>,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Identity);
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_CountZeros() {
    ::reduce_core::__private::check_laws::<
        CountZeros,
        ::core::primitive::f32,
        ::core::primitive::f32,
        ::core::primitive::i64,
    >();
    ::reduce_core::__private::check_laws::<
        CountZeros,
        ::core::num::Wrapping<::core::primitive::u8>,
        ::core::primitive::u8,
        ::core::primitive::i64,
    >();
}
