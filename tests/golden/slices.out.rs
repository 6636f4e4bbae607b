// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::Real;
use reduce_core::bounds::{Indices, ReduceSlice};
#[derive(Clone, Copy, Debug)]
pub struct Powers {
    n: i64,
}
impl Default for Powers {
    fn default() -> Self {
        Powers { n: 2 }
    }
}
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
        let _ = ::reduce_core::__private::keys::attrs;
        let _ = ::reduce_core::__private::keys::length;
        let _ = ::reduce_core::__private::keys::output;
    }
};
/// The means of the first powers of the elements.
///
/// | | |
/// |---|---|
/// | name | `Powers` |
/// | versions | 1 and later |
/// | types | `f32` computed in `f64`, `f64` |
/// | result | `n` times `f64` |
/// | attributes | `axes: ints = all`, `n: int = 2 in 1..` |
/// | order | any grouping of elements, in their order |
/// | NaN | the result is NaN if an element is |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Real> ReduceSlice<A> for Powers {
    type Cell = A;
    type Output = A;
    #[inline(always)]
    fn identity(&self, _index: usize) -> A {
        A::ZERO
    }
    #[inline(always)]
    fn push(&self, sums: &mut [A], elements: &[A], _indices: Indices<'_>) {
        for &x in elements {
            let mut power = A::ONE;
            for sum in &mut *sums {
                power = power * x;
                *sum = *sum + power;
            }
        }
    }
    #[inline(always)]
    fn combine(&self, sums: &mut [A], later: &[A]) {
        for (sum, &more) in sums.iter_mut().zip(later) {
            *sum = *sum + more;
        }
    }
    #[inline(always)]
    fn finalize(&self, sums: &[A], index: usize, count: usize) -> A {
        sums[index].div_count(count)
    }
    fn refuses(&self) -> Option<String> {
        (self.n > 100).then(|| "`n` is above 100; give less".to_owned())
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Powers>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Powers
    where
        for<'any> Powers: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Powers",
            summary: "The means of the first powers of the elements.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of_slices::<
                    Self,
                    ::core::primitive::f32,
                >(::reduce_core::__private::Window::since(1), "f64", "n"),
                ::reduce_core::__private::DTypeSchema::of_slices::<
                    Self,
                    ::core::primitive::f64,
                >(::reduce_core::__private::Window::since(1), "f64", "n"),
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
                    "n",
                    ::reduce_core::__private::AttrKind::Int,
                    ::reduce_core::__private::AttrDefault::Int(2i64),
                    ::reduce_core::__private::AttrRange {
                        low: ::core::option::Option::Some(1f64),
                        high: ::core::option::Option::None,
                    },
                    ::reduce_core::__private::Window::since(1),
                ),
            ],
            nan: ::reduce_core::__private::NanPolicy::Propagate,
            commutative: false,
            emits: &[],
        };
        const ROWS: &'static [::reduce_core::__private::Row<Self>] = &[
            ::reduce_core::__private::Row::of_slices::<::core::primitive::f32>(),
            ::reduce_core::__private::Row::of_slices::<::core::primitive::f64>(),
        ];
        fn refused(&self) -> ::reduce_core::__private::Refused {
            ::reduce_core::__private::refused_slices::<
                Self,
                ::core::primitive::f32,
            >(self)
        }
        fn array_length(&self) -> ::reduce_core::__private::ArrayLength {
            let field = (*self).n;
            ::reduce_core::__private::array_length(field)
        }
        fn give(&self, params: &mut ::reduce_core::__private::Params) {
            ::reduce_core::__private::Params::give(params, "n", &(*self).n);
        }
        fn fill(&mut self, params: &::reduce_core::__private::Params) {
            let field = &mut (*self).n;
            ::reduce_core::__private::Params::fill::<
                ::core::primitive::i64,
            >(params, "n", field);
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::ReducesSlices<::core::primitive::f32> for Powers
    where
        for<'any> Powers: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::f64;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::SliceKernel<
            Self,
            ::core::primitive::f32,
            Self::Output,
        > {
            const {
                &::reduce_core::__private::SliceKernel::of::<
                    Self::Reader,
                >(::reduce_core::__private::Empty::Identity)
            }
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::ReducesSlices<::core::primitive::f64> for Powers
    where
        for<'any> Powers: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::f64>;
        type Output = ::core::primitive::f64;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::SliceKernel<
            Self,
            ::core::primitive::f64,
            Self::Output,
        > {
            const {
                &::reduce_core::__private::SliceKernel::of::<
                    Self::Reader,
                >(::reduce_core::__private::Empty::Identity)
            }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Powers() {
    ::reduce_core::__private::check_slice_laws::<Powers, ::core::primitive::f32>();
    ::reduce_core::__private::check_slice_laws::<Powers, ::core::primitive::f64>();
}
