//! Readers: how a stored value becomes an element of an operator.

use std::marker::PhantomData;

use crate::element::Load;

/// An element and its position among the elements of its result, counted in
/// row-major order of the reduced axes. For one reduced axis that is the index
/// along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indexed<A> {
    /// The element.
    pub value: A,
    /// Its position; 64 bits wide, so it cannot wrap.
    pub index: u64,
}

/// Makes an operator's element of a stored value and its position.
pub trait Reader<T>: 'static {
    /// The element.
    type Element;

    /// Whether the position matters, and with it the order of the walk.
    const POSITIONED: bool;

    /// The element.
    fn read(x: T, position: u64) -> Self::Element;
}

/// For `ReduceOp<A>`: the value alone.
#[derive(Debug)]
pub struct Value<A>(PhantomData<A>);

/// For `ReduceOp<Indexed<A>>`: the value and its position.
#[derive(Debug)]
pub struct Positioned<A>(PhantomData<A>);

/// For an operator whose spec has mistakes: the stored value itself.
#[derive(Debug)]
pub struct Stored;

impl<T> Reader<T> for Stored {
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

impl<A: 'static, T: Load<A>> Reader<T> for Positioned<A> {
    type Element = Indexed<A>;
    const POSITIONED: bool = true;

    #[inline(always)]
    fn read(x: T, position: u64) -> Indexed<A> {
        Indexed { value: x.load(), index: position }
    }
}
