// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Emit, EmitBeside, Real, ReduceOp};
#[derive(Clone, Copy, Debug, Default)]
pub struct Centre;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::emits;
    }
};
/// The mean; elements less it.
///
/// | | |
/// |---|---|
/// | name | `Centre` |
/// | versions | 1 and later |
/// | types | `f16` computed in `f32`, `f32` |
/// | result | as the input |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | NaN | the result is NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
/// | emits | over its elements, or with 2 inputs beside them |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Real> ReduceOp<A> for Centre {
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
    const _: fn() = ::reduce_core::__private::has_default::<Centre>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Centre
    where
        for<'any> Centre: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Centre",
            summary: "The mean; elements less it.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::reduce_core::__private::f16,
                >(::reduce_core::__private::Window::since(1), "f32"),
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
            nan: ::reduce_core::__private::NanPolicy::Propagate,
            commutative: true,
            emits: &[0, 2],
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::reduce_core::__private::f16>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::reduce_core::__private::f16>();
            to.of_type::<::core::primitive::f32>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::reduce_core::__private::f16> for Centre
    where
        for<'any> Centre: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::reduce_core::__private::f16;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::reduce_core::__private::f16,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        const EMISSIONS: ::core::option::Option<
            fn() -> ::reduce_core::__private::Emissions<Self>,
        > = ::core::option::Option::Some(|| {
            #[allow(unused_imports, reason = "one of the two answers")]
            use ::reduce_core::__private::{EmitsNoRow as _, EmitsRow as _};
            ::reduce_core::__private::Emissions {
                alone: (&::reduce_core::__private::Probe::<
                    Self,
                    ::reduce_core::__private::f16,
                    (),
                >::ASKED)
                    .emission(),
                beside: (&::reduce_core::__private::Probe::<
                    Self,
                    (
                        ::reduce_core::__private::f16,
                        ::reduce_core::__private::f16,
                        ::reduce_core::__private::f16,
                    ),
                    ::reduce_core::__private::Ahead<1>,
                >::ASKED)
                    .emission(),
            }
        });
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
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Centre
    where
        for<'any> Centre: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f32>;
        type Output = ::core::primitive::f32;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::f32,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        const EMISSIONS: ::core::option::Option<
            fn() -> ::reduce_core::__private::Emissions<Self>,
        > = ::core::option::Option::Some(|| {
            #[allow(unused_imports, reason = "one of the two answers")]
            use ::reduce_core::__private::{EmitsNoRow as _, EmitsRow as _};
            ::reduce_core::__private::Emissions {
                alone: (&::reduce_core::__private::Probe::<
                    Self,
                    ::core::primitive::f32,
                    (),
                >::ASKED)
                    .emission(),
                beside: (&::reduce_core::__private::Probe::<
                    Self,
                    (
                        ::core::primitive::f32,
                        ::core::primitive::f32,
                        ::core::primitive::f32,
                    ),
                    ::reduce_core::__private::Ahead<1>,
                >::ASKED)
                    .emission(),
            }
        });
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::f32,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
    const _: fn() = ::reduce_core::__private::each_emits::<
        Centre,
        ((::reduce_core::__private::f16, ()), ((::core::primitive::f32, ()), ())),
    >;
    const _: fn() = ::reduce_core::__private::each_emits::<
        Centre,
        (
            (
                (
                    ::reduce_core::__private::f16,
                    ::reduce_core::__private::f16,
                    ::reduce_core::__private::f16,
                ),
                ::reduce_core::__private::Ahead<1>,
            ),
            (
                (
                    (
                        ::core::primitive::f32,
                        ::core::primitive::f32,
                        ::core::primitive::f32,
                    ),
                    ::reduce_core::__private::Ahead<1>,
                ),
                (),
            ),
        ),
    >;
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Centre() {
    ::reduce_core::__private::check_laws::<Centre, ::reduce_core::__private::f16>();
    ::reduce_core::__private::check_laws::<Centre, ::core::primitive::f32>();
}
impl<A: Real> Emit<A> for Centre {
    type Emitted = A;
    #[inline(always)]
    fn emit(&self, x: A, mean: &A) -> A {
        x - *mean
    }
}
impl<A: Real> EmitBeside<A> for Centre {
    type Beside = (A, A);
    type Emitted = A;
    #[inline(always)]
    fn emit_beside(&self, x: A, (scale, bias): (A, A), mean: &A) -> A {
        (x - *mean) * scale + bias
    }
}
