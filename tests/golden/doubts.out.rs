// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Real, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Norm;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
    }
};
/// The Euclidean norm.
///
/// | | |
/// |---|---|
/// | name | `Norm` |
/// | versions | 1 and later |
/// | types | `f16` computed in `f32`, `f64`, `i32` computed in `f64` |
/// | result | as the input |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | the result is NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Real> ReduceOp<A> for Norm {
    type Acc = A;
    type Output = A;
    #[inline(always)]
    fn identity(&self) -> A {
        A::ZERO
    }
    #[inline(always)]
    fn map(&self, x: A) -> A {
        x * x
    }
    #[inline(always)]
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    #[inline(always)]
    fn finalize(&self, sum: A, _count: usize) -> A {
        sum.sqrt()
    }
    #[inline(always)]
    fn doubts(&self, sum: &A, _count: usize) -> bool {
        !sum.is_finite()
    }
    #[doc(hidden)]
    const DOUBTS: ::core::primitive::bool = true;
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Norm>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Norm
    where
        for<'any> Norm: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Norm",
            summary: "The Euclidean norm.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::reduce_core::__private::f16,
                >(::reduce_core::__private::Window::since(1), "f32"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::f64,
                >(::reduce_core::__private::Window::since(1), "f64"),
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::i32,
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
            ::reduce_core::__private::Row::new::<::core::primitive::f64>(),
            ::reduce_core::__private::Row::new::<::core::primitive::i32>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::reduce_core::__private::f16>();
            to.of_type::<::core::primitive::f64>();
            to.of_type::<::core::primitive::i32>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::f16> for Norm
    where
        for<'any> Norm: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::reduce_core::__private::f16;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::reduce_core::__private::f16,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        const MENDS: &'static ::reduce_core::__private::Mends = ::reduce_core::__private::mends::<
            ::reduce_core::__private::Combining<
                ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                Self,
                ::reduce_core::__private::f16,
            >,
            Self::Output,
        >();
        #[inline]
        fn scan_mends() -> ::reduce_core::__private::ScanMends {
            ::reduce_core::__private::ScanMends::by::<
                ::reduce_core::__private::Combining<
                    ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                    Self,
                    ::reduce_core::__private::f16,
                >,
                Self::Output,
            >()
        }
        fn again() -> ::reduce_core::__private::EmittedAgain {
            #[allow(unused_imports, reason = "one of each kind answers")]
            use ::reduce_core::__private::{
                DoesNotEmit as _, EmitsBesideExtended as _, EmitsExtended as _,
            };
            ::reduce_core::__private::EmittedAgain {
                alone: (&::reduce_core::__private::Probe::<
                    Self,
                    ::reduce_core::__private::f16,
                    ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                >::ASKED)
                    .again(),
                beside: (&::reduce_core::__private::Probe::<
                    Self,
                    ::reduce_core::__private::f16,
                    ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                >::ASKED)
                    .again_beside(),
            }
        }
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
    impl ::reduce_core::__private::Reduces<::core::primitive::f64> for Norm
    where
        for<'any> Norm: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::f64;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::f64,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        const MENDS: &'static ::reduce_core::__private::Mends = ::reduce_core::__private::mends::<
            ::reduce_core::__private::Combining<
                ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                Self,
                ::core::primitive::f64,
            >,
            Self::Output,
        >();
        #[inline]
        fn scan_mends() -> ::reduce_core::__private::ScanMends {
            ::reduce_core::__private::ScanMends::by::<
                ::reduce_core::__private::Combining<
                    ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                    Self,
                    ::core::primitive::f64,
                >,
                Self::Output,
            >()
        }
        fn again() -> ::reduce_core::__private::EmittedAgain {
            #[allow(unused_imports, reason = "one of each kind answers")]
            use ::reduce_core::__private::{
                DoesNotEmit as _, EmitsBesideExtended as _, EmitsExtended as _,
            };
            ::reduce_core::__private::EmittedAgain {
                alone: (&::reduce_core::__private::Probe::<
                    Self,
                    ::core::primitive::f64,
                    ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                >::ASKED)
                    .again(),
                beside: (&::reduce_core::__private::Probe::<
                    Self,
                    ::core::primitive::f64,
                    ::reduce_core::__private::Value<::reduce_core::__private::Extended>,
                >::ASKED)
                    .again_beside(),
            }
        }
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f64,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::i32> for Norm
    where
        for<'any> Norm: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::i32;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::i32,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
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
fn laws_of_Norm() {
    ::reduce_core::__private::check_laws::<Norm, ::reduce_core::__private::f16>();
    ::reduce_core::__private::check_laws::<Norm, ::core::primitive::f64>();
    ::reduce_core::__private::check_laws::<Norm, ::core::primitive::i32>();
}
