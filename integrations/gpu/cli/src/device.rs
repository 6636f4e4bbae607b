//! A GPU as the command's engine.

use reduce_cli::engine::{Engine, Ready, Repeated};
use reduce_core::nodes::Call;
use reduce_core::{AnyTensor, AnyView, DType};
use reduce_gpu::{Error, Gpu, Library, PreparedCall};

use crate::library::library;

/// A device, and the operators that run on it.
struct Device {
    gpu: Gpu,
    library: Library,
}

/// Opens the first device whose name has a part, or the fastest.
pub(crate) fn open(name: Option<&str>) -> Result<Box<dyn Engine>, String> {
    let gpu = name.map_or_else(Gpu::new, Gpu::named).map_err(|error| error.to_string())?;
    Ok(Box::new(Device { gpu, library: library() }))
}

impl Engine for Device {
    fn name(&self) -> String {
        self.gpu.adapter().name().to_owned()
    }

    fn prepare(&self, call: &Call, inputs: &[DType]) -> Result<Box<dyn Ready + '_>, String> {
        let prepared = self.library.prepare(&self.gpu, call, inputs).map_err(sentence)?;
        Ok(Box::new(OnDevice(prepared)))
    }
}

/// A call on a device.
struct OnDevice<'g>(PreparedCall<'g>);

impl Ready for OnDevice<'_> {
    fn run(&self, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, String> {
        self.0.run(inputs).map_err(sentence)
    }

    fn over<'a>(&'a self, inputs: &[AnyView<'a>]) -> Result<Repeated<'a>, String> {
        let run = self.0.over(inputs).map_err(sentence)?;
        Ok(Box::new(move || run().map_err(sentence)))
    }
}

/// The error for those who type, and write no library.
fn sentence(error: Error) -> String {
    match error {
        Error::NoRow { operator, rows, .. } if rows.is_empty() => {
            format!("operator `{operator}` does not run on a GPU; leave out --gpu")
        }
        error => error.to_string(),
    }
}
