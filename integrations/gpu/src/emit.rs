//! Emission on a device: a pass over all elements behind each reduction.

use std::sync::{Arc, PoisonError};

use reduce_core::backend::{Elements, Order};
use reduce_core::{Emits, Input, Tensor};

use crate::bytes::Bytes;
use crate::error::Error;
use crate::gpu::{Prepared, upload};
use crate::results;
use crate::run::{Buffer, Emission, Numbers, Reducing};
use crate::trace::{EmissionSteps, TraceEmit};

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
    pub fn emit<I: Input<Stored = T>>(&self, input: &I) -> Result<Tensor<T::First>, Error> {
        let elements = self.reduction.parts().elements(input)?;
        let orders = Op::orders(self.reduction.parts(), input)?;
        let Some(first) = orders.first().filter(|_| elements.count > 0) else {
            return Ok(self.reduction.emit(input)?);
        };
        let stages = self.emissions(first.count)?;
        let Some(words) = self.emitted(input, elements, orders, &stages)? else {
            return Ok(self.reduction.emit(input)?);
        };
        let Some(last) = stages.last() else { return Ok(self.reduction.emit(input)?) };
        let emitted = results::elements(&last.emitted, &words);
        Ok(Tensor::new(emitted, input.shape()?.dims())?)
    }

    /// The words of what the last operator emits; nothing if one doubts a result.
    fn emitted<I: Input<Stored = T>>(
        &self,
        input: &I,
        mut elements: Elements,
        orders: Vec<Order>,
        stages: &[EmissionSteps],
    ) -> Result<Option<Vec<u32>>, Error> {
        let device = &self.gpu.device;
        let mut buffers: Vec<Buffer> = Vec::new();
        for (number, (mut order, stage)) in orders.into_iter().zip(stages).enumerate() {
            if number == 0 {
                let uploaded = upload(device, input, &mut order)?;
                for (offset, (_, first)) in elements.offsets.iter_mut().zip(&uploaded) {
                    *offset -= first;
                }
                buffers = uploaded.into_iter().map(|(buffer, _)| buffer).collect();
            }
            let inputs: Vec<&Buffer> = buffers.iter().collect();
            let Some(emitted) = self.stage(stage, &order, &elements, &inputs)? else {
                return Ok(None);
            };
            buffers = vec![emitted];
            elements = in_rows(&elements);
        }
        match buffers.first() {
            Some(emitted) => Ok(Some(device.download(emitted)?)),
            None => Ok(None),
        }
    }

    /// What one operator emits; nothing if it doubts a result.
    fn stage(
        &self,
        stage: &EmissionSteps,
        order: &Order,
        elements: &Elements,
        inputs: &[&Buffer],
    ) -> Result<Option<Buffer>, Error> {
        let (device, exactness) = (&self.gpu.device, self.gpu.exactness());
        let numbers = Numbers::of(order)?;
        let EmissionSteps { steps, kept, .. } = stage;
        let functions = |main: &str| results::text(steps, kept, stage.inputs, main, exactness);
        let functions = &functions;
        let reducing = Reducing { device, steps, results: kept, functions, order, numbers };
        let results = reducing.results(inputs)?;
        let doubts = steps.doubts.is_some();
        if doubts && !reducing.came(&device.download(&results)?).doubted.is_empty() {
            return Ok(None);
        }
        let results_count = numbers.results;
        let emission =
            Emission { device, emission: stage, functions, elements, results: results_count };
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
