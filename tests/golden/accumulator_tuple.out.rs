// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<A, B>(
    pub A,
    pub B,
)
where
    A: PartialEq;
#[automatically_derived]
#[allow(deprecated, unused_qualifications, reason = "generated code")]
impl<
    A: ::reduce_core::__private::Accumulator,
    B: ::reduce_core::__private::Accumulator,
> ::reduce_core::__private::Accumulator for Pair<A, B>
where
    A: PartialEq,
    for<'any> Self: ::core::marker::Copy + ::core::fmt::Debug,
{
    type Lanes<const __LANES: ::core::primitive::usize> = (
        <A as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
        <B as ::reduce_core::__private::Accumulator>::Lanes<__LANES>,
    );
    const SCALARS: ::core::primitive::usize = <A as ::reduce_core::__private::Accumulator>::SCALARS
        + <B as ::reduce_core::__private::Accumulator>::SCALARS;
    #[inline(always)]
    fn splat<const __LANES: ::core::primitive::usize>(self) -> Self::Lanes<__LANES> {
        (
            <A as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.0),
            <B as ::reduce_core::__private::Accumulator>::splat::<__LANES>(self.1),
        )
    }
    #[inline(always)]
    fn get<const __LANES: ::core::primitive::usize>(
        lanes: &Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
    ) -> Self {
        Pair {
            0: <A as ::reduce_core::__private::Accumulator>::get::<
                __LANES,
            >(&lanes.0, lane),
            1: <B as ::reduce_core::__private::Accumulator>::get::<
                __LANES,
            >(&lanes.1, lane),
        }
    }
    #[inline(always)]
    fn set<const __LANES: ::core::primitive::usize>(
        lanes: &mut Self::Lanes<__LANES>,
        lane: ::core::primitive::usize,
        value: Self,
    ) {
        <A as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.0, lane, value.0);
        <B as ::reduce_core::__private::Accumulator>::set::<
            __LANES,
        >(&mut lanes.1, lane, value.1);
    }
    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl ::reduce_core::__private::Scalars) {
        <A as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.0, to);
        <B as ::reduce_core::__private::Accumulator>::each_scalar(&mut self.1, to);
    }
    fn layout(to: &mut ::reduce_core::__private::String) {
        to.push_str(" 0");
        <A as ::reduce_core::__private::Accumulator>::layout(to);
        to.push_str(" 1");
        <B as ::reduce_core::__private::Accumulator>::layout(to);
    }
    #[inline(always)]
    fn turn(
        from: &Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        to: &mut Self::Lanes<{ ::reduce_core::__private::KEPT }>,
        code: impl ::reduce_core::__private::Code,
    ) {
        <A as ::reduce_core::__private::Accumulator>::turn(&from.0, &mut to.0, code);
        <B as ::reduce_core::__private::Accumulator>::turn(&from.1, &mut to.1, code);
    }
}
