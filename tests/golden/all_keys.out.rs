// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum;
/// The sum of the elements, in the versions
/// from 13 to 18.
///
/// This paragraph is no part of the summary.
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
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Sum {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "com.example:Sum",
            summary: "The sum of the elements, in the versions from 13 to 18.",
            versions: &[13, 18],
            last: ::core::option::Option::Some(18),
            dtypes: &[
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        13,
                        ::core::option::Option::Some(18),
                    ),
                    input: ::reduce_core::__private::DType::F32,
                    compute: "f64",
                    output: ::reduce_core::__private::DType::F64,
                    empty: ::reduce_core::__private::Empty::Identity,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        18,
                        ::core::option::Option::Some(18),
                    ),
                    input: ::reduce_core::__private::DType::I32,
                    compute: "f64",
                    output: ::reduce_core::__private::DType::F64,
                    empty: ::reduce_core::__private::Empty::Error,
                },
            ],
            attrs: &[
                ::reduce_core::__private::AttrSchema {
                    name: "keepdims",
                    kind: ::reduce_core::__private::AttrKind::Bool,
                    default: ::reduce_core::__private::AttrDefault::Bool(false),
                    range: ::reduce_core::__private::AttrRange::ALL,
                    window: ::reduce_core::__private::Window::new(
                        13,
                        ::core::option::Option::Some(18),
                    ),
                },
                ::reduce_core::__private::AttrSchema {
                    name: "axes",
                    kind: ::reduce_core::__private::AttrKind::Ints,
                    default: ::reduce_core::__private::AttrDefault::All,
                    range: ::reduce_core::__private::AttrRange::ALL,
                    window: ::reduce_core::__private::Window::new(
                        13,
                        ::core::option::Option::Some(17),
                    ),
                },
            ],
            nan: ::reduce_core::__private::NanPolicy::Unspecified,
            commutative: true,
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::i32>(),
        ];
        fn configure(_: &::reduce_core::__private::Params) -> Self {
            <Sum as ::core::default::Default>::default()
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Sum {
        type Output = ::core::primitive::f64;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            ::core::primitive::f64,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f64,
            16,
        >(::reduce_core::__private::Empty::Identity);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for Sum {
        type Output = ::core::primitive::f64;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i32,
            ::core::primitive::f64,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f64,
            16,
        >(::reduce_core::__private::Empty::Error);
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Sum() {
    ::reduce_core::__private::check_laws::<
        Sum,
        ::core::primitive::f64,
        ::core::primitive::f32,
        ::core::primitive::f64,
    >();
    ::reduce_core::__private::check_laws::<
        Sum,
        ::core::primitive::f64,
        ::core::primitive::i32,
        ::core::primitive::f64,
    >();
}
