//! A layout says where the reduced elements lie.

use reduce_core::backend::{Elements, Order, Parts};
use reduce_core::bounds::{Input, Stored};
use reduce_core::{Error, OnePass, Shape};

/// What is reduced, without its elements: views of the host's memory, and tensors of a device's.
pub trait Layout {
    /// What is stored for each index.
    type Stored: Stored;

    /// The shape that is reduced.
    ///
    /// # Errors
    /// If several views do not broadcast to one shape.
    fn shape_of(&self) -> Result<Shape, Error>;

    /// The order in which a reduction combines the elements.
    ///
    /// # Errors
    /// It fails where [`Reduction::order`](reduce_core::Reduction::order) does.
    fn order<Op: OnePass<Self::Stored>>(&self, parts: Parts<'_, Op>) -> Result<Order, Error>;

    /// The elements as an emission goes over them.
    ///
    /// # Errors
    /// It fails where [`Parts::elements`] does.
    fn elements<Op>(&self, parts: Parts<'_, Op>) -> Result<Elements, Error>;
}

impl<I: Input> Layout for I {
    type Stored = I::Stored;

    fn shape_of(&self) -> Result<Shape, Error> {
        Input::shape(self)
    }

    fn order<Op: OnePass<I::Stored>>(&self, parts: Parts<'_, Op>) -> Result<Order, Error> {
        parts.order(self)
    }

    fn elements<Op>(&self, parts: Parts<'_, Op>) -> Result<Elements, Error> {
        parts.elements(self)
    }
}
