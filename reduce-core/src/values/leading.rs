//! Some inputs, of which the first are taken together, and those behind them.

use crate::values::element::{Element, Load};
use crate::values::stored::Stored;

/// What is stored for each index of some inputs, of which the first `N` are reduced. Those behind them are read beside
/// them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no inputs behind the first {N}",
    label = "expected elements of {N} inputs, and others behind them",
    note = "give them as one tuple: `emit(&(x, scale, bias))`"
)]
pub trait Leading<const N: usize>: Stored {
    /// What is stored of the first inputs.
    type Front: Stored<First = Self::First>;

    /// What is stored of the others.
    type Rest: Stored;

    /// The first inputs, and the others.
    #[doc(hidden)]
    fn part(x: Self::Wide) -> (<Self::Front as Stored>::Wide, <Self::Rest as Stored>::Wide);
}

/// Inputs that are read beside one of type `E`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot lie beside elements of `{E}`",
    label = "expected elements of one to three inputs",
    note = "give one view, or a tuple of two or three: `&scale` or `&(scale, bias)`"
)]
pub trait Behind<E: Element>: Stored {
    /// All of them, that one in front.
    type All: Leading<1, Front = E, Rest = Self>;
}

macro_rules! leading {
    ($($count:literal: ($($T:ident $x:ident),+) = ($Front:ty, $front:expr), ($Rest:ty, $rest:expr);)*) => {$(
        impl<$($T: Element),+> Leading<$count> for ($($T,)+) {
            type Front = $Front;
            type Rest = $Rest;

            #[inline(always)]
            fn part(
                ($($x,)+): Self::Wide,
            ) -> (<$Front as Stored>::Wide, <$Rest as Stored>::Wide) {
                ($front, $rest)
            }
        }
    )*};
}

leading! {
    1: (A a, B b) = (A, a), (B, b);
    1: (A a, B b, C c) = (A, a), ((B, C), (b, c));
    1: (A a, B b, C c, D d) = (A, a), ((B, C, D), (b, c, d));
    2: (A a, B b, C c) = ((A, B), (a, b)), (C, c);
    2: (A a, B b, C c, D d) = ((A, B), (a, b)), ((C, D), (c, d));
    3: (A a, B b, C c, D d) = ((A, B, C), (a, b, c)), (D, d);
}

impl<E: Element, A: Element> Behind<E> for A {
    type All = (E, A);
}

impl<E: Element, A: Element, B: Element> Behind<E> for (A, B) {
    type All = (E, A, B);
}

impl<E: Element, A: Element, B: Element, C: Element> Behind<E> for (A, B, C) {
    type All = (E, A, B, C);
}

/// Elements that are computed on as `A`: one, or a tuple of them, each as an element of a tuple `A`.
#[diagnostic::on_unimplemented(
    message = "elements of `{Self}` are not computed on as `{A}`",
    label = "not what the operator's `EmitBeside` has as `Beside`",
    note = "give as many inputs beside the elements as `Beside` has parts"
)]
pub trait Loads<A> {
    /// The elements, in the types that are computed on.
    fn loads(self) -> A;
}

impl<A, T: Load<A>> Loads<A> for T {
    #[inline(always)]
    fn loads(self) -> A {
        self.load()
    }
}

macro_rules! loads {
    ($(($($T:ident $A:ident . $index:tt),+))*) => {$(
        impl<$($A, $T: Load<$A>),+> Loads<($($A,)+)> for ($($T,)+) {
            #[inline(always)]
            fn loads(self) -> ($($A,)+) {
                ($(self.$index.load(),)+)
            }
        }
    )*};
}

loads! {
    (T A.0, U B.1)
    (T A.0, U B.1, V C.2)
}
