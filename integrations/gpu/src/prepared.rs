//! Reductions on a device: from what is reduced to results.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use reduce_core::backend::{Mending, Order, Scattered};
use reduce_core::bounds::Written;
use reduce_core::{Element, OnePass, Reduction};

use crate::bytes::Bytes;
use crate::emit::Stages;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::graph::Type;
use crate::results;
use crate::run::{Buffer, Came, DeviceError, Numbers, Reducing};
use crate::source::{Held, Source};
use crate::tensor::DeviceTensor;
use crate::trace::{Output, Trace, Traced};

/// A reduction on a device; made by [`Gpu::prepare`].
#[derive(Debug)]
pub struct Prepared<'g, Op, T> {
    pub(crate) gpu: &'g Gpu,
    pub(crate) reduction: Reduction<Op>,
    traced: Mutex<HashMap<usize, Arc<Traced>>>,
    pub(crate) emissions: Mutex<HashMap<usize, Arc<Stages>>>,
    of: PhantomData<fn(T)>,
}

impl<'g, Op, T> Prepared<'g, Op, T> {
    pub(crate) fn new(gpu: &'g Gpu, reduction: Reduction<Op>) -> Self {
        let (traced, emissions) = Default::default();
        Prepared { gpu, reduction, traced, emissions, of: PhantomData }
    }
}

/// The tensors of all results.
type TensorsOf<Op, T> = <<Op as OnePass<T>>::Result as Written>::Tensors;

impl<Op: Trace<T>, T: Bytes> Prepared<'_, Op, T> {
    /// The result over a view, over a tuple of views, or over [what is on the device](Source): what [`Reduction::run`] gives. On
    /// a device that [computes exactly](Gpu::exactness) it has the same bits.
    ///
    /// # Errors
    /// As [`Reduction::run`]; and if the operator cannot be traced, or the device lacks a type or memory.
    pub fn run<S: Source<Stored = T>>(&self, input: &S) -> Result<TensorsOf<Op, T>, Error> {
        self.start(input)?.finish()
    }

    /// Starts [`Prepared::run`] and waits for nothing: the results come when [`Started::finish`] asks for them. Meanwhile other reductions can be
    /// started.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_gpu::Gpu;
    /// use reduce_specs::{ReduceMax, ReduceSum};
    ///
    /// # let Ok(_) = Gpu::new() else { return Ok(()) };
    /// let gpu = Gpu::new()?;
    /// let list = View::new(&[1.0f32, 2.0, 3.0], &[3])?;
    /// let data = gpu.upload(&list)?;
    /// let (sum, max) = (gpu.prepare(Reduction::new(ReduceSum)), gpu.prepare(Reduction::new(ReduceMax)));
    /// let (sum, max) = (sum.start(&data)?, max.start(&data)?);
    /// assert_eq!((sum.finish()?.data(), max.finish()?.data()), (&[6.0][..], &[3.0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Prepared::run`].
    pub fn start<'s, S>(&'s self, input: &'s S) -> Result<Started<'s, Op, T, S>, Error>
    where
        S: Source<Stored = T>,
    {
        let order = input.order(self.reduction.parts())?;
        if is_nothing(&order) {
            return Ok(Started { prepared: self, input, running: None });
        }
        let job = self.job(input, order)?;
        #[allow(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is of one lifetime, and this is of any"
        )]
        let output = self.reducing(&job, |reducing, inputs| reducing.run(inputs))?;
        Ok(Started { prepared: self, input, running: Some((job, output)) })
    }

    /// Writes the result into a buffer, in row-major order; several results into a tuple of buffers: what
    /// [`Reduction::run_into`] writes.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_gpu::Gpu;
    /// use reduce_specs::ReduceSum;
    ///
    /// # let Ok(_) = Gpu::new() else { return Ok(()) };
    /// let gpu = Gpu::new()?;
    /// let rows = gpu.prepare(Reduction::new(ReduceSum).axes([1]));
    /// let mut sums = [0.0; 2];
    /// rows.run_into(&View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?, &mut sums)?;
    /// assert_eq!(sums, [3.0, 7.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Prepared::run`], and if a buffer is not of the result's length. After an error the buffers are as they were.
    pub fn run_into<S: Source<Stored = T>>(
        &self,
        input: &S,
        output: <Op::Result as Written>::Buffers<'_>,
    ) -> Result<(), Error> {
        let order = input.order(self.reduction.parts())?;
        Op::Result::check(order.results, &output)?;
        if is_nothing(&order) {
            return Ok(self.reduction.run_into(&input.host()?, output)?);
        }
        Op::Result::copy_into(&self.results(input, order)?, &|result| *result, output);
        Ok(())
    }

    /// The one result over an input, in the device's memory, where other reductions can run over it.
    ///
    /// Results of 32 and 64 bits that are computed in the same type stay where they are. Other results, such as
    /// those of `f16`, go by the host: they are stored there and copied back. All results do so if the operator doubts
    /// any. Either way they have the same bits.
    ///
    /// # Errors
    /// As [`Prepared::run`].
    pub fn run_on_device<S, O>(&self, input: &S) -> Result<DeviceTensor<O>, Error>
    where
        S: Source<Stored = T>,
        O: Element + Bytes,
        Op: Trace<T, Result = O>,
    {
        let order = input.order(self.reduction.parts())?;
        if is_nothing(&order) {
            return DeviceTensor::copied(self.gpu, self.reduction.run(&input.host()?)?);
        }
        let shape = self.reduction.parts().shape_of_results(&input.shape_of()?)?;
        let job = self.job(input, order)?;
        let stays = job.traced.outputs.iter().all(Output::is_stored);
        let came = self.reducing(&job, |reducing, inputs| {
            let output = reducing.run(inputs)?;
            if stays && reducing.doubted(&output)?.is_empty() {
                return Ok(Made::Stays(output));
            }
            Ok(Made::Came(reducing.came(&output)?))
        })?;
        match came {
            Made::Stays(output) => Ok(DeviceTensor::of(&self.gpu.device, output, shape)),
            Made::Came(came) => {
                let made = self.mended(input, &job, &came)?;
                DeviceTensor::copied(self.gpu, O::tensors(made, shape)?)
            }
        }
    }

    /// All results in row-major order.
    fn results<S>(&self, input: &S, order: Order) -> Result<Vec<Op::Result>, Error>
    where
        S: Source<Stored = T>,
    {
        let job = self.job(input, order)?;
        let came = self.reducing(&job, |reducing, inputs| reducing.came(&reducing.run(inputs)?))?;
        self.mended(input, &job, &came)
    }

    /// What a run needs beside the operator.
    fn job<S: Source<Stored = T>>(&self, input: &S, mut order: Order) -> Result<Job, Error> {
        let traced = self.traced(order.count)?;
        let numbers = Numbers::of(&order)?;
        let Held { buffers, firsts } = input.held(self.gpu)?;
        order.offsets.iter_mut().zip(firsts).for_each(|(offset, first)| *offset -= first);
        Ok(Job { traced, order, numbers, buffers })
    }

    /// What is made of the kernels of a job and its inputs.
    fn reducing<R>(
        &self,
        job: &Job,
        then: impl FnOnce(&Reducing<'_>, &[&Buffer]) -> Result<R, DeviceError>,
    ) -> Result<R, Error> {
        let Job { traced, order, numbers, buffers } = job;
        let types: Vec<Type> = traced.outputs.iter().map(|output| output.ty).collect();
        let exactness = self.gpu.exactness();
        let functions =
            |main: &str| results::text(&traced.steps, &types, T::DTYPES, main, exactness);
        let reducing = Reducing {
            device: &self.gpu.device,
            steps: &traced.steps,
            results: &types,
            functions: &functions,
            order,
            numbers: *numbers,
        };
        Ok(then(&reducing, &buffers.iter().collect::<Vec<_>>())?)
    }

    /// Results in row-major order, after the host has mended those that are doubted.
    fn mended<S>(&self, input: &S, job: &Job, came: &Came) -> Result<Vec<Op::Result>, Error>
    where
        S: Source<Stored = T>,
    {
        let mut made = results::made::<Op::Result>(&job.traced.outputs, &came.results);
        if !came.doubted.is_empty() {
            let host = input.host()?;
            let mending = Mending::new(&self.reduction, &host)?;
            for &(number, doubts) in &came.doubted {
                let place = place(job.order.scatter.as_ref(), number);
                mending.mend(number, doubts, &mut made[place]);
            }
        }
        Ok(made)
    }

    fn traced(&self, count: usize) -> Result<Arc<Traced>, Error> {
        let known = || self.traced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(traced) = known().get(&count) {
            return Ok(Arc::clone(traced));
        }
        let traced = Arc::new(self.reduction.parts().op.trace(count)?);
        known().insert(count, Arc::clone(&traced));
        Ok(traced)
    }
}

/// A reduction that was started on a device; made by [`Prepared::start`].
#[derive(Debug)]
pub struct Started<'s, Op, T, S> {
    prepared: &'s Prepared<'s, Op, T>,
    input: &'s S,
    /// Nothing if there is nothing to read.
    running: Option<(Job, Buffer)>,
}

impl<Op: Trace<T>, T: Bytes, S: Source<Stored = T>> Started<'_, Op, T, S> {
    /// Waits for the results.
    ///
    /// # Errors
    /// If the device fails, or there is no memory for the results.
    pub fn finish(self) -> Result<TensorsOf<Op, T>, Error> {
        let Started { prepared, input, running } = self;
        let Some((job, output)) = running else {
            return Ok(prepared.reduction.run(&input.host()?)?);
        };
        let shape = prepared.reduction.parts().shape_of_results(&input.shape_of()?)?;
        let came = prepared.reducing(&job, |reducing, _| reducing.came(&output))?;
        Ok(Op::Result::tensors(prepared.mended(input, &job, &came)?, shape)?)
    }
}

/// A reduction of an input on a device.
#[derive(Debug)]
struct Job {
    traced: Arc<Traced>,
    /// Its offsets count from the first element that the device has.
    order: Order,
    numbers: Numbers,
    buffers: Vec<Buffer>,
}

/// Where results are.
enum Made {
    /// On the device, as they are stored.
    Stays(Buffer),
    /// On the host.
    Came(Came),
}

/// Whether there is nothing to read.
fn is_nothing(order: &Order) -> bool {
    order.count == 0 || order.results == 0
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
