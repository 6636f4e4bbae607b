//! What is reduced on a device: views of the host's memory, or what the device has already.

use reduce_core::backend::spans;
use reduce_core::bounds::{Input, Stored};

use crate::bytes::Bytes;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::layout::Layout;
use crate::run::Buffer;

/// What a reduction on a device is given.
///
/// | type | elements are copied to the device |
/// |---|---|
/// | a `View`, or a tuple of them | each time that it is reduced |
/// | [`Uploaded`](crate::Uploaded) | once, by [`Gpu::upload`] |
/// | [`DeviceTensor`](crate::DeviceTensor) | never: results that another reduction left there |
///
/// Results that an operator doubts are computed again on the CPU, from [elements of the host](Source::host).
pub trait Source: Layout<Stored: Bytes> {
    /// Views of the elements in the host's memory.
    type Host<'h>: Input<Stored = <Self as Layout>::Stored>
    where
        Self: 'h;

    /// The elements in the host's memory.
    ///
    /// # Errors
    /// If they have to be copied from the device first, and that fails.
    fn host(&self) -> Result<Self::Host<'_>, Error>;

    /// The elements in a device's memory.
    ///
    /// # Errors
    /// If they do not fit there, or are on another device.
    #[doc(hidden)]
    fn held(&self, gpu: &Gpu) -> Result<Held, Error>;
}

/// The elements of all inputs in a device's memory.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Held {
    pub(crate) buffers: Vec<Buffer>,
    /// The place of the first element of each in the buffer that it was copied from.
    pub(crate) firsts: Vec<usize>,
}

impl<I: Input<Stored: Bytes>> Source for I {
    type Host<'h>
        = I::Views<'h>
    where
        I: 'h;

    fn host(&self) -> Result<I::Views<'_>, Error> {
        Ok(self.views(&Input::shape(self)?)?)
    }

    fn held(&self, gpu: &Gpu) -> Result<Held, Error> {
        let spans = spans(self)?;
        let mut buffers = Vec::new();
        let all = I::Stored::bytes(self.data()).into_iter().zip(I::Stored::DTYPES);
        for ((bytes, dtype), span) in all.zip(&spans) {
            let size = dtype.size();
            buffers.push(gpu.device.upload(&bytes[span.start * size..span.end * size])?);
        }
        Ok(Held { buffers, firsts: spans.iter().map(|span| span.start).collect() })
    }
}
