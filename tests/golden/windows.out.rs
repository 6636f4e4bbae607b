// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceMean;
/// The mean of the elements.
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Num> ReduceOp<A> for ReduceMean {
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
    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for ReduceMean {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "ReduceMean",
            summary: "The mean of the elements.",
            versions: &[1, 11, 13, 18],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::I32,
                    compute: "i128",
                    output: ::reduce_core::__private::DType::I32,
                    empty: ::reduce_core::__private::Empty::Error,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::U64,
                    compute: "u128",
                    output: ::reduce_core::__private::DType::U64,
                    empty: ::reduce_core::__private::Empty::Error,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::F16,
                    compute: "f32",
                    output: ::reduce_core::__private::DType::F16,
                    empty: ::reduce_core::__private::Empty::Identity,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::F32,
                    compute: "f32",
                    output: ::reduce_core::__private::DType::F32,
                    empty: ::reduce_core::__private::Empty::Identity,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        13,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::BF16,
                    compute: "f32",
                    output: ::reduce_core::__private::DType::BF16,
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
                        ::core::option::Option::Some(17),
                    ),
                },
                ::reduce_core::__private::AttrSchema {
                    name: "axes",
                    kind: ::reduce_core::__private::AttrKind::Input,
                    default: ::reduce_core::__private::AttrDefault::All,
                    range: ::reduce_core::__private::AttrRange::ALL,
                    window: ::reduce_core::__private::Window::new(
                        18,
                        ::core::option::Option::None,
                    ),
                },
                ::reduce_core::__private::AttrSchema {
                    name: "noop_with_empty_axes",
                    kind: ::reduce_core::__private::AttrKind::Bool,
                    default: ::reduce_core::__private::AttrDefault::Bool(false),
                    range: ::reduce_core::__private::AttrRange::ALL,
                    window: ::reduce_core::__private::Window::new(
                        18,
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
            ::reduce_core::__private::Row::new::<::core::primitive::i32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::u64>(),
            ::reduce_core::__private::Row::new::<::reduce_core::__private::f16>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::reduce_core::__private::bf16>(),
        ];
        fn configure(_: &::reduce_core::__private::Params) -> Self {
            <ReduceMean as ::core::default::Default>::default()
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for ReduceMean {
        type Output = ::core::primitive::i32;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i32,
            ::core::primitive::i32,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::num::Wrapping<::core::primitive::i128>,
            {
                ::reduce_core::__private::lanes::<
                    <ReduceMean as ::reduce_core::__private::ReduceOp<
                        ::core::num::Wrapping<::core::primitive::i128>,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Error);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::u64> for ReduceMean {
        type Output = ::core::primitive::u64;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::u64,
            ::core::primitive::u64,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::num::Wrapping<::core::primitive::u128>,
            {
                ::reduce_core::__private::lanes::<
                    <ReduceMean as ::reduce_core::__private::ReduceOp<
                        ::core::num::Wrapping<::core::primitive::u128>,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Error);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::f16>
    for ReduceMean {
        type Output = ::reduce_core::__private::f16;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::reduce_core::__private::f16,
            ::reduce_core::__private::f16,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f32,
            {
                ::reduce_core::__private::lanes::<
                    <ReduceMean as ::reduce_core::__private::ReduceOp<
                        ::core::primitive::f32,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Identity);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for ReduceMean {
        type Output = ::core::primitive::f32;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            ::core::primitive::f32,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f32,
            {
                ::reduce_core::__private::lanes::<
                    <ReduceMean as ::reduce_core::__private::ReduceOp<
                        ::core::primitive::f32,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Identity);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::bf16>
    for ReduceMean {
        type Output = ::reduce_core::__private::bf16;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::reduce_core::__private::bf16,
            ::reduce_core::__private::bf16,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f32,
            {
                ::reduce_core::__private::lanes::<
                    <ReduceMean as ::reduce_core::__private::ReduceOp<
                        ::core::primitive::f32,
                    >>::Acc,
                >()
            },
        >(::reduce_core::__private::Empty::Identity);
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_ReduceMean() {
    ::reduce_core::__private::check_laws::<
        ReduceMean,
        ::core::num::Wrapping<::core::primitive::i128>,
        ::core::primitive::i32,
        ::core::primitive::i32,
    >();
    ::reduce_core::__private::check_laws::<
        ReduceMean,
        ::core::num::Wrapping<::core::primitive::u128>,
        ::core::primitive::u64,
        ::core::primitive::u64,
    >();
    ::reduce_core::__private::check_laws::<
        ReduceMean,
        ::core::primitive::f32,
        ::reduce_core::__private::f16,
        ::reduce_core::__private::f16,
    >();
    ::reduce_core::__private::check_laws::<
        ReduceMean,
        ::core::primitive::f32,
        ::core::primitive::f32,
        ::core::primitive::f32,
    >();
    ::reduce_core::__private::check_laws::<
        ReduceMean,
        ::core::primitive::f32,
        ::reduce_core::__private::bf16,
        ::reduce_core::__private::bf16,
    >();
}
