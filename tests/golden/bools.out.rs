// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

use reduce_core::ReduceOp;
#[derive(Clone, Copy, Debug, Default)]
pub struct Any;
#[allow(unexpected_cfgs, reason = "set by editors")]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        let _ = ::reduce_core::__private::keys::dtypes;
    }
};
/// Whether any element is true.
///
/// | | |
/// |---|---|
/// | name | `Any` |
/// | versions | 1 and later |
/// | types | `bool` |
/// | result | as the input |
/// | attributes | `axes: ints = all`, `keepdims: bool = true` |
/// | order | any grouping and order of elements |
/// | over no elements | `finalize(identity(), 0)` |
#[allow(clippy::inline_always, reason = "compiled for the CPU level of their kernel")]
impl<A: Copy + Into<bool>> ReduceOp<A> for Any {
    type Acc = bool;
    type Output = bool;
    #[inline(always)]
    fn identity(&self) -> bool {
        false
    }
    #[inline(always)]
    fn map(&self, x: A) -> bool {
        x.into()
    }
    #[inline(always)]
    fn combine(&self, a: bool, b: bool) -> bool {
        a | b
    }
    #[inline(always)]
    fn finalize(&self, any: bool, _count: usize) -> bool {
        any
    }
}
#[allow(deprecated, unused_qualifications, reason = "generated code")]
const _: () = {
    const _: fn() = ::reduce_core::__private::has_default::<Any>;
    #[automatically_derived]
    impl ::reduce_core::__private::OpSpec for Any
    where
        for<'any> Any: ::core::default::Default,
    {
        const SCHEMA: ::reduce_core::__private::OpSchema = ::reduce_core::__private::OpSchema {
            name: "Any",
            summary: "Whether any element is true.",
            versions: &[1],
            last: ::core::option::Option::None,
            dtypes: &[
                ::reduce_core::__private::DTypeSchema::of::<
                    Self,
                    ::core::primitive::bool,
                >(::reduce_core::__private::Window::since(1), "bool"),
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
            ::reduce_core::__private::Row::new::<::core::primitive::bool>(),
        ];
        fn each_type(to: &mut impl ::reduce_core::__private::EachType<Self>) {
            to.of_type::<::core::primitive::bool>();
        }
    }
    #[automatically_derived]
    impl ::reduce_core::__private::Reduces<::core::primitive::bool> for Any
    where
        for<'any> Any: ::core::default::Default,
    {
        type Reader = ::reduce_core::__private::Value<::core::primitive::bool>;
        type Output = ::core::primitive::bool;
        type Fold = ::reduce_core::__private::Combining<
            Self::Reader,
            Self,
            ::core::primitive::bool,
        >;
        const EMPTY: ::reduce_core::__private::Empty = ::reduce_core::__private::Empty::Identity;
        #[inline(never)]
        fn kernel() -> &'static ::reduce_core::__private::Kernel<
            Self,
            ::core::primitive::bool,
            Self::Output,
        > {
            const { &::reduce_core::__private::Kernel::of() }
        }
    }
};
#[cfg(test)]
#[::core::prelude::v1::test]
#[allow(deprecated, non_snake_case, unused_qualifications, reason = "generated code")]
fn laws_of_Any() {
    ::reduce_core::__private::check_laws::<Any, ::core::primitive::bool>();
}
