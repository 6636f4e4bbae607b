//! Several operators one after another: each is traced, and has an order of its own.

use reduce_core::adapt::Then;
use reduce_core::backend::{Chained, Emitting, Order, Pair, Parts, Single};
use reduce_core::bounds::Stored;
use reduce_core::{Element, Error, OnePass, Shape};

use super::{EmissionSteps, EmitFold};
use crate::layout::Layout;
use crate::trace::error::Untraceable;

/// An operator, or several one after another, that emit elements of type `O` over tensors of `T` and can be traced.
pub trait TraceEmit<T: Stored, O = <T as Stored>::First>: Sized {
    /// The steps of each, for a number of elements.
    ///
    /// # Errors
    /// If a step cannot be traced; the error says why.
    fn trace_emission(&self, count: usize) -> Result<Vec<EmissionSteps>, Untraceable>;

    /// The order in which each combines elements: the first those of the input, and each other one those that the one in front of it
    /// emits.
    ///
    /// # Errors
    /// As [`Parts::order`].
    fn orders<L: Layout<Stored = T>>(
        parts: Parts<'_, Self>,
        input: &L,
    ) -> Result<Vec<Order>, Error>;

    /// The orders over a tensor whose elements lie in row-major order.
    ///
    /// # Errors
    /// As [`Parts::order`].
    fn orders_in_rows(parts: Parts<'_, Self>, shape: &Shape) -> Result<Vec<Order>, Error>;
}

impl<T: Stored, O, Op> TraceEmit<T, O> for Op
where
    Op: Chained<Links: TraceLinks<Op, T, O>>,
{
    fn trace_emission(&self, count: usize) -> Result<Vec<EmissionSteps>, Untraceable> {
        Op::Links::trace(self, count)
    }

    fn orders<L: Layout<Stored = T>>(
        parts: Parts<'_, Self>,
        input: &L,
    ) -> Result<Vec<Order>, Error> {
        Op::Links::orders(parts, input)
    }

    fn orders_in_rows(parts: Parts<'_, Self>, shape: &Shape) -> Result<Vec<Order>, Error> {
        Op::Links::orders_in_rows(parts, shape)
    }
}

/// [`TraceEmit`] of `Op`, by whether it is one operator or two.
#[doc(hidden)]
pub trait TraceLinks<Op, T: Stored, O> {
    /// As [`TraceEmit::trace_emission`].
    fn trace(op: &Op, count: usize) -> Result<Vec<EmissionSteps>, Untraceable>;

    /// As [`TraceEmit::orders`].
    fn orders<L: Layout<Stored = T>>(parts: Parts<'_, Op>, input: &L) -> Result<Vec<Order>, Error>;

    /// As [`TraceEmit::orders_in_rows`].
    fn orders_in_rows(parts: Parts<'_, Op>, shape: &Shape) -> Result<Vec<Order>, Error>;
}

impl<Op, T, O> TraceLinks<Op, T, O> for Single
where
    T: Stored,
    Op: OnePass<T, Fold: EmitFold<Op, T, O>>,
{
    fn trace(op: &Op, count: usize) -> Result<Vec<EmissionSteps>, Untraceable> {
        Ok(vec![<Op::Fold as EmitFold<Op, T, O>>::trace(op, count)?])
    }

    fn orders<L: Layout<Stored = T>>(parts: Parts<'_, Op>, input: &L) -> Result<Vec<Order>, Error> {
        Ok(vec![input.order(parts)?])
    }

    fn orders_in_rows(parts: Parts<'_, Op>, shape: &Shape) -> Result<Vec<Order>, Error> {
        Ok(vec![parts.order_in_rows::<T>(shape)?])
    }
}

impl<First, Next, T, O, E> TraceLinks<Then<First, Next>, T, O> for Pair
where
    T: Stored,
    E: Element,
    First: Emitting<T, Emitted = E> + TraceEmit<T, E>,
    Next: TraceEmit<E, O>,
{
    fn trace(op: &Then<First, Next>, count: usize) -> Result<Vec<EmissionSteps>, Untraceable> {
        let mut all = op.first().trace_emission(count)?;
        all.extend(op.next().trace_emission(count)?);
        Ok(all)
    }

    fn orders<L: Layout<Stored = T>>(
        parts: Parts<'_, Then<First, Next>>,
        input: &L,
    ) -> Result<Vec<Order>, Error> {
        let mut all = First::orders(parts.first(), input)?;
        all.extend(Next::orders_in_rows(parts.next(), &input.shape_of()?)?);
        Ok(all)
    }

    fn orders_in_rows(
        parts: Parts<'_, Then<First, Next>>,
        shape: &Shape,
    ) -> Result<Vec<Order>, Error> {
        let mut all = First::orders_in_rows(parts.first(), shape)?;
        all.extend(Next::orders_in_rows(parts.next(), shape)?);
        Ok(all)
    }
}
