//! Tensors in a device's memory: inputs that were copied there, and results that stay there.

use std::sync::{Arc, OnceLock};

use reduce_core::backend::{Elements, Order, Parts};
use reduce_core::bounds::Input;
use reduce_core::{Element, OnePass, Shape, Tensor, View};

use crate::bytes::Bytes;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::layout::Layout;
use crate::results;
use crate::run::{Buffer, Device, DeviceError};
use crate::source::{Held, Source};

/// An input that was copied to a device, where any number of reductions can run over it; made by [`Gpu::upload`].
///
/// It borrows the elements that it was made from: results that an operator doubts are computed again from them.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gpu::Gpu;
/// use reduce_specs::{ReduceMax, ReduceSum};
///
/// # let Ok(_) = Gpu::new() else { return Ok(()) };
/// let gpu = Gpu::new()?;
/// let matrix = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let matrix = gpu.upload(&matrix)?;
/// let sums = gpu.prepare(Reduction::new(ReduceSum).axes([1])).run(&matrix)?;
/// let largest = gpu.prepare(Reduction::new(ReduceMax).axes([0])).run(&matrix)?;
/// assert_eq!((sums.data(), largest.data()), (&[3.0, 7.0][..], &[3.0, 4.0][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Uploaded<V> {
    host: V,
    device: Arc<Device>,
    held: Held,
}

impl Gpu {
    /// A view, or a tuple of views, copied to this device: of each the elements from the first that it reads to the last.
    ///
    /// # Errors
    /// If several views do not broadcast to one shape, or the device has no room.
    pub fn upload<'a, I: Input<Stored: Bytes>>(
        &self,
        input: &'a I,
    ) -> Result<Uploaded<I::Views<'a>>, Error> {
        Uploaded::of(self, input.host()?)
    }
}

impl<V: Input<Stored: Bytes>> Uploaded<V> {
    pub(crate) fn of(gpu: &Gpu, host: V) -> Result<Self, Error> {
        Ok(Uploaded { device: Arc::clone(&gpu.device), held: host.held(gpu)?, host })
    }
}

impl<V: Input> Layout for Uploaded<V> {
    type Stored = V::Stored;

    fn shape_of(&self) -> Result<Shape, reduce_core::Error> {
        self.host.shape_of()
    }

    fn order<Op: OnePass<V::Stored>>(
        &self,
        parts: Parts<'_, Op>,
    ) -> Result<Order, reduce_core::Error> {
        parts.order(&self.host)
    }

    fn elements<Op>(&self, parts: Parts<'_, Op>) -> Result<Elements, reduce_core::Error> {
        parts.elements(&self.host)
    }
}

impl<V: Input<Stored: Bytes>> Source for Uploaded<V> {
    type Host<'h>
        = V::Views<'h>
    where
        Self: 'h;

    fn host(&self) -> Result<V::Views<'_>, Error> {
        self.host.host()
    }

    fn held(&self, gpu: &Gpu) -> Result<Held, Error> {
        is_of(&self.device, gpu)?;
        Ok(self.held.clone())
    }
}

/// A row-major tensor in a device's memory: what [`Prepared::run_on_device`](crate::Prepared::run_on_device) gives.
///
/// It is copied to the host's memory when [`DeviceTensor::download`] asks for it, or when an operator that reduces it doubts a result.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gpu::Gpu;
/// use reduce_specs::{ReduceMax, ReduceSum};
///
/// # let Ok(_) = Gpu::new() else { return Ok(()) };
/// let gpu = Gpu::new()?;
/// let matrix = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let sums = gpu.prepare(Reduction::new(ReduceSum).axes([1])).run_on_device(&matrix)?;
/// let largest = gpu.prepare(Reduction::new(ReduceMax)).run(&sums)?;
/// assert_eq!(largest.data(), [7.0]);
/// assert_eq!(sums.download()?.data(), [3.0, 7.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DeviceTensor<T> {
    device: Arc<Device>,
    buffer: Buffer,
    shape: Shape,
    host: OnceLock<Tensor<T>>,
}

impl<T: Element + Bytes> DeviceTensor<T> {
    /// Elements that a buffer begins with.
    pub(crate) fn of(device: &Arc<Device>, buffer: Buffer, shape: Shape) -> Self {
        DeviceTensor { device: Arc::clone(device), buffer, shape, host: OnceLock::new() }
    }

    /// A tensor of the host's memory, copied.
    pub(crate) fn copied(gpu: &Gpu, tensor: Tensor<T>) -> Result<Self, Error> {
        let Held { mut buffers, .. } = tensor.view().held(gpu)?;
        let buffer = buffers.remove(0);
        let shape = tensor.shape().clone();
        Ok(DeviceTensor { host: OnceLock::from(tensor), ..Self::of(&gpu.device, buffer, shape) })
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The tensor in the host's memory.
    ///
    /// # Errors
    /// If the device fails.
    pub fn download(&self) -> Result<Tensor<T>, Error> {
        Ok(self.on_host()?.clone())
    }

    /// The tensor in the host's memory, copied there the first time.
    fn on_host(&self) -> Result<&Tensor<T>, Error> {
        if let Some(tensor) = self.host.get() {
            return Ok(tensor);
        }
        let count = self.shape.count();
        let words = (count * size_of::<T>()).div_ceil(4);
        let words = self.device.download_words(&self.buffer, 0..words)?;
        let tensor = Tensor::new(results::elements(&words, count), &self.shape)?;
        Ok(self.host.get_or_init(|| tensor))
    }
}

impl<T: Element> Layout for DeviceTensor<T> {
    type Stored = T;

    fn shape_of(&self) -> Result<Shape, reduce_core::Error> {
        Ok(self.shape.clone())
    }

    fn order<Op: OnePass<T>>(&self, parts: Parts<'_, Op>) -> Result<Order, reduce_core::Error> {
        parts.order_in_rows(&self.shape)
    }

    fn elements<Op>(&self, parts: Parts<'_, Op>) -> Result<Elements, reduce_core::Error> {
        parts.elements_in_rows(&self.shape)
    }
}

impl<T: Element + Bytes> Source for DeviceTensor<T> {
    type Host<'h> = View<'h, T>;

    fn host(&self) -> Result<View<'_, T>, Error> {
        Ok(self.on_host()?.view())
    }

    fn held(&self, gpu: &Gpu) -> Result<Held, Error> {
        is_of(&self.device, gpu)?;
        Ok(Held { buffers: vec![self.buffer.clone()], firsts: vec![0] })
    }
}

/// That memory is of the device that is to read it.
fn is_of(device: &Arc<Device>, gpu: &Gpu) -> Result<(), Error> {
    if Arc::ptr_eq(device, &gpu.device) {
        return Ok(());
    }
    let name = |device: &Device| device.adapter.name().to_owned();
    Err(DeviceError::OtherDevice { has: name(device), runs: name(&gpu.device) }.into())
}
