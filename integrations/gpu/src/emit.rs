//! Emission on a device: a pass over all elements behind each reduction.

use std::sync::{Arc, PoisonError};

use reduce_core::backend::{Elements, Order};
use reduce_core::{Element, Emits, Tensor};

use crate::bytes::Bytes;
use crate::error::Error;
use crate::prepared::Prepared;
use crate::results;
use crate::run::{Buffer, Emission, Numbers, Reducing};
use crate::source::{Held, Source};
use crate::tensor::DeviceTensor;
use crate::trace::{EmissionSteps, Output, TraceEmit};

/// What is emitted: the words on the device, and what elements are made of them.
struct Emitted {
    words: Buffer,
    output: Output,
}

impl<Op, T> Prepared<'_, Op, T>
where
    T: Bytes,
    Op: TraceEmit<T> + Emits<T>,
{
    /// What each element becomes, once the result over its set is known: what [`Reduction::emit`](reduce_core::Reduction::emit) gives, a tensor
    /// of the input's shape. On a device that [computes exactly](crate::Gpu::exactness) it has the same bits.
    ///
    /// What is emitted between operators stays on the device, in the type that it is computed in. If an operator doubts a result, as
    /// it does where squares overflow, all is emitted on the CPU.
    ///
    /// ```
    /// use reduce_core::View;
    /// use reduce_gallery::softmax;
    /// use reduce_gpu::Gpu;
    ///
    /// # let Ok(_) = Gpu::new() else { return Ok(()) };
    /// let gpu = Gpu::new()?;
    /// let logits = View::new(&[1.0f32, 1.0, 0.0, 1000.0], &[2, 2])?;
    /// let shares = gpu.prepare(softmax().axes([1])).emit(&logits)?;
    /// assert_eq!(shares.data(), [0.5, 0.5, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Prepared::run`].
    pub fn emit<S: Source<Stored = T>>(&self, input: &S) -> Result<Tensor<T::First>, Error> {
        let Some(Emitted { words, output }) = self.emitted(input)? else {
            return Ok(self.reduction.emit(&input.host()?)?);
        };
        let words = self.gpu.device.download(&words)?;
        Ok(Tensor::new(results::converted(&output, &words), input.shape_of()?.dims())?)
    }

    /// As [`Prepared::emit`], into the device's memory, where other reductions can run over it.
    ///
    /// Elements of 32 and 64 bits stay there. Others, such as those of `f16`, go by the host: they are stored there and copied back.
    ///
    /// # Errors
    /// As [`Prepared::emit`].
    pub fn emit_on_device<S: Source<Stored = T>>(
        &self,
        input: &S,
    ) -> Result<DeviceTensor<T::First>, Error>
    where
        T::First: Element + Bytes,
    {
        match self.emitted(input)? {
            Some(Emitted { words, output }) if results::is_stored(&output) => {
                Ok(DeviceTensor::of(&self.gpu.device, words, input.shape_of()?))
            }
            Some(Emitted { words, output }) => {
                let words = self.gpu.device.download(&words)?;
                let shape = input.shape_of()?;
                let tensor = Tensor::new(results::converted(&output, &words), shape.dims())?;
                DeviceTensor::copied(self.gpu, tensor)
            }
            None => DeviceTensor::copied(self.gpu, self.reduction.emit(&input.host()?)?),
        }
    }

    /// What the last operator emits; nothing if there are no elements, or an operator doubts a result.
    fn emitted<S: Source<Stored = T>>(&self, input: &S) -> Result<Option<Emitted>, Error> {
        let parts = self.reduction.parts();
        let mut elements = input.elements(parts)?;
        let mut orders = Op::orders(parts, input)?;
        let Some(first) = orders.first_mut().filter(|_| elements.count > 0) else {
            return Ok(None);
        };
        let stages = self.emissions(first.count)?;
        let Held { mut buffers, firsts } = input.held(self.gpu)?;
        for offsets in [&mut first.offsets, &mut elements.offsets] {
            offsets.iter_mut().zip(&firsts).for_each(|(offset, first)| *offset -= first);
        }
        let mut last = None;
        for (order, stage) in orders.iter().zip(&*stages) {
            let inputs: Vec<&Buffer> = buffers.iter().collect();
            let Some(words) = self.stage(stage, order, &elements, &inputs)? else {
                return Ok(None);
            };
            buffers = vec![words.clone()];
            elements = in_rows(&elements);
            last = Some(Emitted { words, output: stage.emitted });
        }
        Ok(last)
    }

    /// What one operator emits; nothing if it doubts a result.
    fn stage(
        &self,
        stage: &EmissionSteps,
        order: &Order,
        elements: &Elements,
        inputs: &[&Buffer],
    ) -> Result<Option<Buffer>, Error> {
        let (device, exactness) = (&*self.gpu.device, self.gpu.exactness());
        let numbers = Numbers::of(order)?;
        let EmissionSteps { steps, kept, .. } = stage;
        let functions = |main: &str| results::text(steps, kept, stage.inputs, main, exactness);
        let functions = &functions;
        let reducing = Reducing { device, steps, results: kept, functions, order, numbers };
        let results = reducing.run(inputs)?;
        if !reducing.doubted(&results)?.is_empty() {
            return Ok(None);
        }
        let emission =
            Emission { device, emission: stage, functions, elements, results: numbers.results };
        Ok(Some(emission.run(&results, inputs)?))
    }

    fn emissions(&self, count: usize) -> Result<Arc<[EmissionSteps]>, Error> {
        let known = || self.emissions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stages) = known().get(&count) {
            return Ok(Arc::clone(stages));
        }
        let stages: Arc<[EmissionSteps]> = self.reduction.parts().op.trace_emission(count)?.into();
        known().insert(count, Arc::clone(&stages));
        Ok(stages)
    }
}

/// The same elements in row-major order, in one tensor.
fn in_rows(elements: &Elements) -> Elements {
    let mut stride = 1;
    let mut axes = elements.axes.clone();
    for axis in axes.iter_mut().rev() {
        let of_result = axis.strides.last().copied().unwrap_or(0);
        axis.strides = vec![stride, of_result];
        stride *= axis.size.cast_signed();
    }
    Elements { count: elements.count, axes, offsets: vec![0] }
}
