// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Last;
/// The last element.
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
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Last {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Last",
            summary: "The last element.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::I64,
                    compute: "i64",
                    output: ::reduce_core::__private::DType::I64,
                    empty: ::reduce_core::__private::Empty::Error,
                },
                ::reduce_core::__private::DTypeSchema {
                    window: ::reduce_core::__private::Window::new(
                        1,
                        ::core::option::Option::None,
                    ),
                    input: ::reduce_core::__private::DType::F32,
                    compute: "f32",
                    output: ::reduce_core::__private::DType::F32,
                    empty: ::reduce_core::__private::Empty::Error,
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
            nan: ::reduce_core::__private::NanPolicy::Unspecified,
            commutative: false,
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::core::primitive::i64>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
        ];
        fn configure(_: &::reduce_core::__private::Params) -> Self {
            <Last as ::core::default::Default>::default()
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i64> for Last {
        type Output = ::core::primitive::i64;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::i64,
            ::core::primitive::i64,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::num::Wrapping<::core::primitive::i64>,
            { ::reduce_core::__private::ORDERED },
        >(::reduce_core::__private::Empty::Error);
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Last {
        type Output = ::core::primitive::f32;
        const KERNEL: ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            ::core::primitive::f32,
        > = ::reduce_core::__private::Kernel::new::<
            ::core::primitive::f32,
            { ::reduce_core::__private::ORDERED },
        >(::reduce_core::__private::Empty::Error);
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Last() {
    ::reduce_core::__private::check_laws::<
        Last,
        ::core::num::Wrapping<::core::primitive::i64>,
        ::core::primitive::i64,
        ::core::primitive::i64,
    >();
    ::reduce_core::__private::check_laws::<
        Last,
        ::core::primitive::f32,
        ::core::primitive::f32,
        ::core::primitive::f32,
    >();
}
