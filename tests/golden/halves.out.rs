// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Real, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct SumExp;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
    }
};
/// The sum of exponentials.
///
/// | | |
/// |---|---|
/// | name | `SumExp` |
/// | versions | 1 and later |
/// | types | `f16` computed in `f32`, `bf16` computed in `f32`, `f32`, `f64` |
/// | result | as the input |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | the result is NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Real> ReduceOp<A> for SumExp {
    type Acc = A;
    type Output = A;
    #[inline(always)]
    fn identity(&self) -> A {
        A::ZERO
    }
    #[inline(always)]
    fn map(&self, x: A) -> A {
        x.exp()
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
    const _: fn() = ::reduce_core::__private::has_default::<SumExp>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for SumExp
    where
        for<'any> SumExp: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "SumExp",
            summary: "The sum of exponentials.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::reduce_core::__private::f16,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::reduce_core::__private::bf16,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f64,
                >(::reduce_core::__private::Window::since(1), "f64"),
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
            ::reduce_core::__private::Row::new::<::reduce_core::__private::f16>(),
            ::reduce_core::__private::Row::new::<::reduce_core::__private::bf16>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f64>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::reduce_core::__private::f16>();
            to.of_type::<::reduce_core::__private::bf16>();
            to.of_type::<::core::primitive::f32>();
            to.of_type::<::core::primitive::f64>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::f16> for SumExp
    where
        for<'any> SumExp: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::reduce_core::__private::f16;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::reduce_core::__private::f16,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::reduce_core::__private::f16,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::bf16> for SumExp
    where
        for<'any> SumExp: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::reduce_core::__private::bf16;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::reduce_core::__private::bf16,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::reduce_core::__private::bf16,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for SumExp
    where
        for<'any> SumExp: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::core::primitive::f32;
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
    impl ::reduce_core::__private::Reduces<::core::primitive::f64> for SumExp
    where
        for<'any> SumExp: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::f64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::f64,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f64,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_SumExp() {
    ::reduce_core::__private::check_laws::<SumExp, ::reduce_core::__private::f16>();
    ::reduce_core::__private::check_laws::<SumExp, ::reduce_core::__private::bf16>();
    ::reduce_core::__private::check_laws::<SumExp, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<SumExp, ::core::primitive::f64>();
}
