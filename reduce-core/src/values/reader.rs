//! Readers: how a stored value becomes an element of an operator.

use std::marker::PhantomData;

use crate::machine::TURNED;
use crate::machine::code::Code;
use crate::values::element::Load;
use crate::values::element::accumulator::{Accumulator, Scalars};

/// An element and its position among the elements of its result, counted in
/// row-major order of the reduced axes. For one reduced axis that is the index
/// along it.
///
/// ```
/// use reduce_core::{Indexed, Ordered, ReduceOp, Reduction, View, reduce_op};
///
/// /// The last element.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Last;
///
/// #[reduce_op(dtypes = [f32, i32], empty = error, nan = unspecified)]
/// impl<A: Ordered> ReduceOp<Indexed<A>> for Last {
///     type Acc = Indexed<A>;
///     type Output = (A, i64);
///     fn identity(&self) -> Indexed<A> { Indexed { value: A::LOWEST, index: 0 } }
///     fn map(&self, x: Indexed<A>) -> Indexed<A> { x }
///     fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> { if b.index > a.index { b } else { a } }
///     fn finalize(&self, last: Indexed<A>, _count: usize) -> (A, i64) {
///         (last.value, last.index.cast_signed())
///     }
/// }
///
/// # fn main() -> Result<(), reduce_core::Error> {
/// let rows = View::new(&[3.0f32, 1.0, 2.0, 9.0, 8.0, 7.0], &[2, 3])?;
/// let (last, place) = Reduction::new(Last).axes([1]).run(&rows)?;
/// assert_eq!((last.data(), place.data()), (&[2.0, 7.0][..], &[2, 2][..]));
/// # Ok(())
/// # }
/// ```
///
/// An operator whose accumulator is `Indexed`, too, *selects* one of its elements, as "the position of the
/// largest" does. It runs nearly as fast as one without positions. Its `map` keeps the index. Its `combine`
/// returns one of its two arguments, or an equal value with the same index. It may ask which of two indices is
/// smaller, and nothing else of them: kernels compare elements in blocks, and number them anew there. Its
/// `identity` has the index that loses a tie.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Indexed<A> {
    /// The element.
    pub value: A,
    /// Its position; 64 bits wide, so it cannot wrap.
    pub index: u64,
}

impl<K: Accumulator> Accumulator for Indexed<K> {
    type Lanes<const L: usize> = (K::Lanes<L>, [u64; L]);

    #[inline(always)]
    fn splat<const L: usize>(self) -> Self::Lanes<L> {
        (self.value.splat(), [self.index; L])
    }

    #[inline(always)]
    fn get<const L: usize>(lanes: &Self::Lanes<L>, lane: usize) -> Self {
        Indexed { value: K::get(&lanes.0, lane), index: lanes.1[lane] }
    }

    #[inline(always)]
    fn set<const L: usize>(lanes: &mut Self::Lanes<L>, lane: usize, value: Self) {
        K::set(&mut lanes.0, lane, value.value);
        lanes.1[lane] = value.index;
    }

    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl Scalars) {
        self.value.each_scalar(to);
        to.position(&mut self.index);
    }

    #[inline(always)]
    fn turn(from: &Self::Lanes<TURNED>, to: &mut Self::Lanes<TURNED>, code: impl Code) {
        K::turn(&from.0, &mut to.0, code);
        u64::turn(&from.1, &mut to.1, code);
    }
}

/// Makes an operator's element of a stored value and its position.
#[diagnostic::on_unimplemented(
    message = "an operator cannot read stored `{T}` as this spec has it",
    label = "no element of the operator for a stored `{T}`"
)]
pub trait Reader<T>: 'static {
    /// The element.
    type Element;

    /// True if the position matters, and with it the order of the walk.
    const POSITIONED: bool;

    /// The element.
    fn read(x: T, position: u64) -> Self::Element;
}

/// For `ReduceOp<A>`: the value alone.
#[derive(Debug)]
pub struct Value<A>(PhantomData<A>);

/// For `ReduceOp<Indexed<..>>`: what another reader makes, and its position.
#[derive(Debug)]
pub struct Positioned<R>(PhantomData<R>);

/// For an operator whose spec has mistakes: the stored value itself.
#[derive(Debug)]
pub struct AsStored;

impl<T> Reader<T> for AsStored {
    type Element = T;
    const POSITIONED: bool = false;

    fn read(x: T, _position: u64) -> T {
        x
    }
}

impl<A: 'static, T: Load<A>> Reader<T> for Value<A> {
    type Element = A;
    const POSITIONED: bool = false;

    #[inline(always)]
    fn read(x: T, _position: u64) -> A {
        x.load()
    }
}

impl<T, R: Reader<T>> Reader<T> for Positioned<R> {
    type Element = Indexed<R::Element>;
    const POSITIONED: bool = true;

    #[inline(always)]
    fn read(x: T, position: u64) -> Indexed<R::Element> {
        Indexed { value: R::read(x, position), index: position }
    }
}

/// For `ReduceOp<(A, B)>`: one element of each input.
macro_rules! tuples {
    ($(($($T:ident $R:ident . $index:tt),+))*) => {$(
        impl<$($T, $R: Reader<$T>),+> Reader<($($T,)+)> for ($($R,)+) {
            type Element = ($($R::Element,)+);
            const POSITIONED: bool = false $(|| $R::POSITIONED)+;

            #[inline(always)]
            fn read(x: ($($T,)+), position: u64) -> Self::Element {
                ($($R::read(x.$index, position),)+)
            }
        }
    )*};
}

tuples! {
    (T R.0, U S.1)
    (T R.0, U S.1, V Q.2)
    (T R.0, U S.1, V Q.2, W P.3)
}
