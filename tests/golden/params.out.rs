// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::{Real, ReduceOp};
#[derive(Clone, Copy, Debug)]
pub struct Power {
    exponent: i64,
    scale: f64,
    r#dyn: bool,
}
impl Default for Power {
    fn default() -> Self {
        Power {
            exponent: 2,
            scale: 1.0,
            r#dyn: false,
        }
    }
}
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::attrs;
    }
};
/// The sum of powers, scaled.
///
/// | | |
/// |---|---|
/// | name | `Power` |
/// | versions | 1, 18 and later |
/// | types | `f32`, `f64` |
/// | result | as the input |
/// | attributes | `axis: int = -1`, `exponent: int = 2 in 0..=8`, `dyn: bool = false`; from version 18 on: `scale: float = 1.0 in -0.5..` |
/// | order | any grouping and order of elements |
/// | NaN | the result is NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Real> ReduceOp<A> for Power {
    type Acc = A;
    type Output = A;
    #[inline(always)]
    fn identity(&self) -> A {
        A::ZERO
    }
    #[inline(always)]
    fn map(&self, x: A) -> A {
        let x = if self.r#dyn { x.abs() } else { x };
        (0..self.exponent).fold(A::ONE, |power, _| power * x)
    }
    #[inline(always)]
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    #[inline(always)]
    fn finalize(&self, sum: A, _count: usize) -> A {
        sum * A::from_f64(self.scale)
    }
    fn refuses(&self) -> Option<String> {
        self.scale.is_nan().then(|| "`scale` is no number; give one".to_owned())
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Power>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Power
    where
        for<'any> Power: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Power",
            summary: "The sum of powers, scaled.",
            versions: &[1, 18],
            last: ::core::option::Option::None,
            dtypes: &[
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
                    "axis",
                    ::reduce_core::__private::AttrKind::Int,
                    ::reduce_core::__private::AttrDefault::Int(-1i64),
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::since(1),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "exponent",
                    ::reduce_core::__private::AttrKind::Int,
                    ::reduce_core::__private::AttrDefault::Int(2i64),
                    ::reduce_core::__private::AttrRange {
                        low: ::core::option::Option::Some(0f64),
                        high: ::core::option::Option::Some(8f64),
                    },
                    ::reduce_core::__private::Window::since(1),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "dyn",
                    ::reduce_core::__private::AttrKind::Bool,
                    ::reduce_core::__private::AttrDefault::Bool(false),
                    ::reduce_core::__private::AttrRange::ALL,
                    ::reduce_core::__private::Window::since(1),
                ),
                ::reduce_core::__private::AttrSchema::new(
                    "scale",
                    ::reduce_core::__private::AttrKind::Float,
                    ::reduce_core::__private::AttrDefault::Float(1f64),
                    ::reduce_core::__private::AttrRange {
                        low: ::core::option::Option::Some(-0.5f64),
                        high: ::core::option::Option::None,
                    },
                    ::reduce_core::__private::Window::since(18),
                ),
            ],
            nan: ::reduce_core::__private::NanPolicy::Propagate,
            commutative: true,
            emits: &[],
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::new::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::new::<::core::primitive::f64>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::f32>();
            to.of_type::<::core::primitive::f64>();
        }
        fn refused(&self) -> ::reduce_core::__private::Refused {
            ::reduce_core::__private::refused::<Self, ::core::primitive::f32>(self)
        }
        fn give(&self, params: &mut ::reduce_core::__private::Params) {
            ::reduce_core::__private::Params::give(
                params,
                "exponent",
                &(*self).exponent,
            );
            ::reduce_core::__private::Params::give(params, "dyn", &(*self).r#dyn);
            ::reduce_core::__private::Params::give(params, "scale", &(*self).scale);
        }
        fn fill(&mut self, params: &::reduce_core::__private::Params) {
            let field = &mut (*self).exponent;
            ::reduce_core::__private::Params::fill::<
                ::core::primitive::i64,
            >(params, "exponent", field);
            let field = &mut (*self).r#dyn;
            ::reduce_core::__private::Params::fill::<
                ::core::primitive::bool,
            >(params, "dyn", field);
            let field = &mut (*self).scale;
            ::reduce_core::__private::Params::fill::<
                ::core::primitive::f64,
            >(params, "scale", field);
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::f32> for Power
    where
        for<'any> Power: ::core::default::Default,
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
    impl ::reduce_core::__private::Reduces<::core::primitive::f64> for Power
    where
        for<'any> Power: ::core::default::Default,
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
fn laws_of_Power() {
    ::reduce_core::__private::check_laws::<Power, ::core::primitive::f32>();
    ::reduce_core::__private::check_laws::<Power, ::core::primitive::f64>();
}
