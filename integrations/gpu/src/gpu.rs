//! A device that reduces tensors.

use std::sync::Arc;

use reduce_core::Reduction;
use reduce_core::bounds::Stored;

use crate::error::Error;
use crate::prepared::Prepared;
use crate::print::Exactness;
use crate::run::{Adapter, Device, Kind, probe};

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
    pub(crate) device: Arc<Device>,
    exactness: Exactness,
    pub(crate) reads_anew: bool,
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
        let reads_anew = device.adapter.kind() != Kind::Software;
        Ok(Gpu { device: Arc::new(device), exactness, reads_anew })
    }

    /// Sets whether operators that emit one after another all read the inputs.
    ///
    /// Each of them, as in softmax, then computes again what is emitted in front of it. This needs inputs in row-major
    /// order. Otherwise each operator writes what it emits for the next one.
    ///
    /// Softmax goes over memory four times then, and six times otherwise, but takes two exponentials of each element.
    /// So it is what GPUs do unless this says otherwise, and a software device does not. Results are the same, to the
    /// last bit.
    #[must_use]
    pub fn reading_anew(mut self, reads_anew: bool) -> Self {
        self.reads_anew = reads_anew;
        self
    }

    /// The device, with its name.
    pub fn adapter(&self) -> &Adapter {
        &self.device.adapter
    }

    /// What the device computes exactly: it was tried when it was opened. Whether results have the bits of the CPU's is
    /// [`Exactness::is_exact`], and what is weaker [`Exactness::weaknesses`].
    pub fn exactness(&self) -> Exactness {
        self.exactness
    }

    /// Waits until all that was started on the device is done.
    ///
    /// # Errors
    /// If the device was lost.
    pub fn wait(&self) -> Result<(), Error> {
        Ok(self.device.wait()?)
    }

    /// A reduction on this device. Its operator is traced when it first runs over a number of elements.
    pub fn prepare<Op, T: Stored>(&self, reduction: Reduction<Op>) -> Prepared<'_, Op, T> {
        Prepared::new(self, reduction)
    }
}
