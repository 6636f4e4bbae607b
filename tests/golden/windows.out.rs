// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Num, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceMean;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::versions;
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::attrs;
        let _ = ::reduce_core::__private::keys::empty;
    }
};
/// The mean of the elements.
///
/// | | |
/// |---|---|
/// | name | `ReduceMean` |
/// | versions | 1, 11, 13, 18 and later |
/// | types | `i32` computed in `i128`, `u64` computed in `u128`, `f16` computed in `f32`, `f32`; from version 13 on: `bf16` computed in `f32` |
/// | result | as the input |
/// | attributes | versions 1 to 17: `axes: ints = all`; from version 18 on: `axes: input = all`, `noop_with_empty_axes: bool = false`; `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | the result is NaN if an element is |
/// | over no elements | floats: `finalize(identity(), 0)`; integers: an error |
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
    const _: fn() = ::reduce_core::__private::has_default::<ReduceMean>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for ReduceMean
    where
        for<'any> ReduceMean: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "ReduceMean",
            summary: "The mean of the elements.",
            versions: &[1, 11, 13, 18],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i32,
                >(::reduce_core::__private::Window::since(1), "i128"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::u64,
                >(::reduce_core::__private::Window::since(1), "u128"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::reduce_core::__private::f16,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::reduce_core::__private::bf16,
                >(::reduce_core::__private::Window::since(13), "f32"),
            ],
            attrs: &[
                ::reduce_core::__private::AttrSchema::new(
                    "axes",
                    ::reduce_core::__private::AttrKind::Ints,
                    ::reduce_core::__private::AttrDefault::All,
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::span(1, 17),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "axes",
                    ::reduce_core::__private::AttrKind::Input,
                    ::reduce_core::__private::AttrDefault::All,
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::since(18),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "noop_with_empty_axes",
                    ::reduce_core::__private::AttrKind::Bool,
                    ::reduce_core::__private::AttrDefault::Bool(false),
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::since(18),
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
            ::reduce_core::__private::Row::new::<::core::primitive::u64>(),
            ::reduce_core::__private::Row::new::<::reduce_core::__private::f16>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::reduce_core::__private::bf16>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::i32>();
            to.of_type::<::core::primitive::u64>();
            to.of_type::<::reduce_core::__private::f16>();
            to.of_type::<::core::primitive::f32>();
            to.of_type::<::reduce_core::__private::bf16>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for ReduceMean
    where
        for<'any> ReduceMean: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::reduce_core::__private::Int128>;
        type Output = ::core::primitive::i32;
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
    impl ::reduce_core::__private::Reduces<::core::primitive::u64> for ReduceMean
    where
        for<'any> ReduceMean: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::reduce_core::__private::Uint128>;
        type Output = ::core::primitive::u64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::u64,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Error;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::u64,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::f16> for ReduceMean
    where
        for<'any> ReduceMean: ::core::default::Default,
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
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for ReduceMean
    where
        for<'any> ReduceMean: ::core::default::Default,
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
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::bf16> for ReduceMean
    where
        for<'any> ReduceMean: ::core::default::Default,
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
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_ReduceMean() {
    ::reduce_core::__private::check_laws::<ReduceMean, ::core::primitive::i32>();
    ::reduce_core::__private::check_laws::<ReduceMean, ::core::primitive::u64>();
    ::reduce_core::__private::check_laws::<ReduceMean, ::reduce_core::__private::f16>();
    ::reduce_core::__private::check_laws::<ReduceMean, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<ReduceMean, ::reduce_core::__private::bf16>();
}
