//! Rows: an operator over one type, with both types erased.

use std::fmt;

use reduce_core::bounds::{Input, Written};
use reduce_core::nodes::Call;
use reduce_core::{AnyTensor, AnyView, DType, OpSpec};

use super::Repeated;
use crate::bytes::Bytes;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::prepared::Prepared;
use crate::tensor::Uploaded;
use crate::trace::Trace;

/// An operator over one type of each input.
#[doc(hidden)]
pub struct Row {
    pub(super) name: &'static str,
    pub(super) inputs: &'static [DType],
    pub(super) prepare: Prepare,
}

/// The reduction of a call on a device; nothing if the call is one of another operator.
type Prepare = for<'g> fn(&'g Gpu, &Call) -> Result<Option<Box<dyn Ready + 'g>>, Error>;

impl Row {
    fn of<Op, T>() -> Self
    where
        Op: OpSpec + Trace<T>,
        T: Bytes,
        for<'a> T::Views<'a>: Input<Stored = T>,
    {
        Row {
            name: Op::SCHEMA.name,
            inputs: T::DTYPES,
            prepare: |gpu, call| {
                let Some(reduction) = call.reduction::<Op>()? else { return Ok(None) };
                Ok(Some(Box::new(gpu.prepare::<Op, T>(reduction))))
            },
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.name).field(&self.inputs).finish()
    }
}

/// A reduction whose types are erased.
pub(super) trait Ready {
    /// The results over views, which are of the row's types.
    fn run(&self, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, Error>;

    /// What runs over a copy of views on the device.
    fn over<'a>(&'a self, inputs: &[AnyView<'a>]) -> Result<Repeated<'a>, Error>;
}

impl<Op, T> Ready for Prepared<'_, Op, T>
where
    Op: Trace<T>,
    T: Bytes,
    for<'a> T::Views<'a>: Input<Stored = T>,
{
    fn run(&self, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, Error> {
        let Some(views) = T::views(inputs) else { return Ok(Vec::new()) };
        Ok(Op::Result::any(Prepared::run(self, &views)?))
    }

    fn over<'a>(&'a self, inputs: &[AnyView<'a>]) -> Result<Repeated<'a>, Error> {
        let Some(views) = T::views(inputs) else { return Ok(Box::new(|| Ok(Vec::new()))) };
        let uploaded = Uploaded::of(self.gpu, views)?;
        Ok(Box::new(move || Ok(Op::Result::any(Prepared::run(self, &uploaded)?))))
    }
}

/// A tuple of types that an operator reduces on devices.
pub trait RowsOf<Op> {
    #[doc(hidden)]
    fn rows() -> Vec<Row>;
}

macro_rules! tuples {
    ($(($($T:ident),+))*) => {$(
        impl<Op, $($T),+> RowsOf<Op> for ($($T,)+)
        where
            Op: OpSpec $(+ Trace<$T>)+,
            $($T: Bytes, for<'a> $T::Views<'a>: Input<Stored = $T>,)+
        {
            fn rows() -> Vec<Row> {
                vec![$(Row::of::<Op, $T>()),+]
            }
        }
    )*};
}

tuples! {
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
    (A, B, C, D, E, F, G, H, I)
    (A, B, C, D, E, F, G, H, I, J)
    (A, B, C, D, E, F, G, H, I, J, K)
    (A, B, C, D, E, F, G, H, I, J, K, L)
    (A, B, C, D, E, F, G, H, I, J, K, L, M)
}
