//! A device that reduces tensors.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use reduce_core::backend::{Mending, Order, Scattered};
use reduce_core::{Input, OnePass, Reduction, Stored, Written};

use crate::bytes::Bytes;
use crate::error::Error;
use crate::graph::Type;
use crate::print::Exactness;
use crate::results;
use crate::run::{Adapter, Buffer, Device, Numbers, Reducing, probe};
use crate::trace::{EmissionSteps, Trace, Traced};

/// A device, opened.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gpu::Gpu;
/// use reduce_specs::ReduceSum;
///
/// # let Ok(_) = Gpu::new() else { return Ok(()) };
/// let gpu = Gpu::new()?;
/// let rows = gpu.prepare(Reduction::new(ReduceSum).axes([1]));
/// let sums = rows.run(&View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?)?;
/// assert_eq!(sums.data(), [3.0, 7.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: Device,
    exactness: Exactness,
}

impl Gpu {
    /// The fastest device there is.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn new() -> Result<Self, Error> {
        Gpu::with(Adapter::find(None)?)
    }

    /// The first device whose name has this part, whatever its case.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub fn named(part: &str) -> Result<Self, Error> {
        Gpu::with(Adapter::find(Some(part))?)
    }

    /// All devices, the fastest kinds first.
    pub fn adapters() -> Vec<Adapter> {
        Adapter::all()
    }

    /// This device.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn with(adapter: Adapter) -> Result<Self, Error> {
        let device = Device::open(adapter)?;
        let exactness = probe(&device)?;
        Ok(Gpu { device, exactness })
    }

    /// What the device computes exactly: it was tried when it was opened. Whether results have the bits of the CPU's is
    /// [`Exactness::is_exact`], and what is weaker [`Exactness::weaknesses`].
    pub fn exactness(&self) -> Exactness {
        self.exactness
    }

    /// A reduction on this device. Its operator is traced when it first runs over a number of elements.
    pub fn prepare<Op, T: Stored>(&self, reduction: Reduction<Op>) -> Prepared<'_, Op, T> {
        Prepared {
            gpu: self,
            reduction,
            traced: Mutex::default(),
            emissions: Mutex::default(),
            of: PhantomData,
        }
    }
}

/// A reduction on a device; made by [`Gpu::prepare`].
#[derive(Debug)]
pub struct Prepared<'g, Op, T> {
    pub(crate) gpu: &'g Gpu,
    pub(crate) reduction: Reduction<Op>,
    traced: Mutex<HashMap<usize, Arc<Traced>>>,
    pub(crate) emissions: Mutex<HashMap<usize, Arc<[EmissionSteps]>>>,
    of: PhantomData<fn(T)>,
}

/// The tensors of all results.
type TensorsOf<Op, T> = <<Op as OnePass<T>>::Result as Written>::Tensors;

impl<Op, T: Bytes> Prepared<'_, Op, T> {
    /// The result over a view, or over a tuple of views: what [`Reduction::run`] gives. On a device that
    /// [computes exactly](Gpu::exactness) it has the same bits.
    ///
    /// # Errors
    /// As [`Reduction::run`]; and if the operator cannot be traced, or the device lacks a type or memory.
    pub fn run<I: Input<Stored = T>>(&self, input: &I) -> Result<TensorsOf<Op, T>, Error>
    where
        Op: Trace<T>,
    {
        let mut order = self.reduction.order(input)?;
        if order.count == 0 || order.results == 0 {
            // There is nothing to read.
            return Ok(self.reduction.run(input)?);
        }
        let shape = self.reduction.output_shape(&input.shape()?)?;
        let traced = self.traced(order.count)?;
        let buffers = upload(&self.gpu.device, input, &mut order)?;
        let numbers = Numbers::of(&order)?;
        let types: Vec<Type> = traced.outputs.iter().map(|output| output.ty).collect();
        let exactness = self.gpu.exactness;
        let functions =
            |main: &str| results::text(&traced.steps, &types, T::DTYPES, main, exactness);
        let came = Reducing {
            device: &self.gpu.device,
            steps: &traced.steps,
            results: &types,
            functions: &functions,
            order: &order,
            numbers,
        }
        .run(&buffers.iter().map(|(buffer, _)| buffer).collect::<Vec<_>>())?;
        let mut made = results::made::<Op::Result>(&traced.outputs, &came.results);
        if !came.doubted.is_empty() {
            let mending = Mending::new(&self.reduction, input)?;
            for &(number, doubts) in &came.doubted {
                mending.mend(number, doubts, &mut made[place(order.scatter.as_ref(), number)]);
            }
        }
        Ok(Op::Result::tensors(made, shape)?)
    }

    fn traced(&self, count: usize) -> Result<Arc<Traced>, Error>
    where
        Op: Trace<T>,
    {
        let known = || self.traced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(traced) = known().get(&count) {
            return Ok(Arc::clone(traced));
        }
        let traced = Arc::new(self.reduction.parts().op.trace(count)?);
        known().insert(count, Arc::clone(&traced));
        Ok(traced)
    }
}

/// Each input on the device, from its first element that is read to its last, and where that first element lies. The order then counts
/// places from there.
pub(crate) fn upload<I: Input<Stored: Bytes>>(
    device: &Device,
    input: &I,
    order: &mut Order,
) -> Result<Vec<(Buffer, usize)>, Error> {
    let mut buffers = Vec::new();
    for (index, bytes) in I::Stored::bytes(input.data()).into_iter().enumerate() {
        let size = I::Stored::DTYPES[index].size();
        let (first, last) = span(order, index);
        order.offsets[index] -= first;
        buffers.push((device.upload(&bytes[first * size..(last + 1) * size])?, first));
    }
    Ok(buffers)
}

/// The places of the first and of the last element of an input that are read.
fn span(order: &Order, input: usize) -> (usize, usize) {
    let (mut first, mut last) = (order.offsets[input], order.offsets[input]);
    for axis in order.kept.iter().chain(&order.reduced) {
        let way = axis.strides[input].wrapping_mul(axis.size.saturating_sub(1).cast_signed());
        if way < 0 {
            first = first.wrapping_add_signed(way);
        } else {
            last = last.wrapping_add_signed(way);
        }
    }
    (first, last)
}

/// The place of a result in row-major order.
fn place(scatter: Option<&Scattered>, number: usize) -> usize {
    let Some(scatter) = scatter else { return number };
    let (mut left, mut place) = (number, scatter.start);
    for &(size, stride) in scatter.axes.iter().rev() {
        place = place.wrapping_add_signed(stride.wrapping_mul((left % size).cast_signed()));
        left /= size;
    }
    place
}
