//! Emission on a device: a pass over all elements behind each reduction.

use std::sync::{Arc, PoisonError};

use reduce_core::backend::{Elements, Order};
use reduce_core::bounds::Emits;
use reduce_core::{Element, Tensor};

use crate::bytes::Bytes;
use crate::error::Error;
use crate::prepared::Prepared;
use crate::results;
use crate::run::{Buffer, Emission, Numbers, Reducing};
use crate::source::{Held, Source};
use crate::tensor::DeviceTensor;
use crate::trace::{EmissionSteps, Output, TraceEmit, inlined};

/// The operators of an emission, traced.
#[derive(Debug)]
pub(crate) struct Stages {
    all: Vec<EmissionSteps>,
    /// The same over the elements of the first, if they can be.
    inlined: Option<Vec<EmissionSteps>>,
}

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
            Some(Emitted { words, output }) if output.is_stored() => {
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
        let Held { buffers, firsts } = input.held(self.gpu)?;
        for offsets in [&mut first.offsets, &mut elements.offsets] {
            offsets.iter_mut().zip(&firsts).for_each(|(offset, first)| *offset -= first);
        }
        match &stages.inlined {
            Some(inlined) if self.gpu.reads_anew && lies_in_rows(&elements) => {
                self.emitted_at_last(inlined, orders, &elements, buffers)
            }
            _ => {
                let in_rows = parts.elements_in_rows(&input.shape_of()?)?;
                self.emitted_in_turn(&stages.all, &orders, [&elements, &in_rows], buffers)
            }
        }
    }

    /// Lets the last operator alone write what it emits. All operators read the inputs, which lie in row-major order.
    fn emitted_at_last(
        &self,
        stages: &[EmissionSteps],
        orders: Vec<Order>,
        elements: &Elements,
        mut buffers: Vec<Buffer>,
    ) -> Result<Option<Emitted>, Error> {
        for (number, (mut order, stage)) in orders.into_iter().zip(stages).enumerate() {
            if number > 0 {
                // The order is that of one tensor in rows, as all inputs lie.
                let inputs = elements.offsets.len();
                order.offsets.clone_from(&elements.offsets);
                for axis in order.kept.iter_mut().chain(&mut order.reduced) {
                    axis.strides = vec![axis.strides[0]; inputs];
                }
            }
            let inputs: Vec<&Buffer> = buffers.iter().collect();
            let Some(results) = self.kept(stage, &order, &inputs)? else { return Ok(None) };
            if number + 1 == stages.len() {
                let words = self.stage(stage, &order, elements, (&results, &inputs))?;
                return Ok(Some(Emitted { words, output: stage.emitted }));
            }
            buffers.push(results);
        }
        Ok(None)
    }

    /// Lets each operator write what it emits for the next one. The two `Elements` say where the elements of the inputs
    /// lie, and where those that are emitted lie.
    fn emitted_in_turn(
        &self,
        stages: &[EmissionSteps],
        orders: &[Order],
        [mut elements, in_rows]: [&Elements; 2],
        mut buffers: Vec<Buffer>,
    ) -> Result<Option<Emitted>, Error> {
        let mut last = None;
        for (order, stage) in orders.iter().zip(stages) {
            let inputs: Vec<&Buffer> = buffers.iter().collect();
            let Some(results) = self.kept(stage, order, &inputs)? else { return Ok(None) };
            let words = self.stage(stage, order, elements, (&results, &inputs))?;
            buffers = vec![words.clone()];
            elements = in_rows;
            last = Some(Emitted { words, output: stage.emitted });
        }
        Ok(last)
    }

    /// What one operator keeps of its results; nothing if it doubts one.
    fn kept(
        &self,
        stage: &EmissionSteps,
        order: &Order,
        inputs: &[&Buffer],
    ) -> Result<Option<Buffer>, Error> {
        let (device, exactness) = (&*self.gpu.device, self.gpu.exactness());
        let numbers = Numbers::of(order)?;
        let EmissionSteps { steps, kept, .. } = stage;
        let functions = |main: &str| results::text(steps, kept, stage.inputs, main, exactness);
        let functions = &functions;
        let reducing = Reducing { device, steps, results: kept, functions, order, numbers };
        let results = reducing.run(inputs)?;
        let stand = reducing.doubted(&results)?.is_empty();
        Ok(stand.then_some(results))
    }

    /// What one operator emits, by what it keeps of results.
    fn stage(
        &self,
        stage: &EmissionSteps,
        order: &Order,
        elements: &Elements,
        (kept, inputs): (&Buffer, &[&Buffer]),
    ) -> Result<Buffer, Error> {
        let (device, exactness) = (&*self.gpu.device, self.gpu.exactness());
        let functions =
            |main: &str| results::text(&stage.steps, &stage.kept, stage.inputs, main, exactness);
        let results = Numbers::of(order)?.results;
        let emission =
            Emission { device, emission: stage, functions: &functions, elements, results };
        Ok(emission.run(kept, inputs)?)
    }

    fn emissions(&self, count: usize) -> Result<Arc<Stages>, Error> {
        let known = || self.emissions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stages) = known().get(&count) {
            return Ok(Arc::clone(stages));
        }
        let all = self.reduction.parts().op.trace_emission(count)?;
        let stages = Arc::new(Stages { inlined: inlined(&all), all });
        known().insert(count, Arc::clone(&stages));
        Ok(stages)
    }
}

/// Tells whether all inputs lie in row-major order.
fn lies_in_rows(elements: &Elements) -> bool {
    let mut stride = 1;
    elements.axes.iter().rev().all(|axis| {
        let expected = stride;
        stride *= axis.size.cast_signed();
        axis.strides.iter().take(elements.offsets.len()).all(|stride| *stride == expected)
    })
}
