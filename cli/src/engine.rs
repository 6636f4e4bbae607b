//! Engines: devices that run reductions in place of the CPU, for programs that have one.
//!
//! The command itself runs on the CPU alone. A program that has a device gives [`run_process_with`](crate::run_process_with) a way to
//! open it, and is the same command, with `--gpu`.

use reduce_core::nodes::Call;
use reduce_core::{AnyTensor, AnyView, DType};

use crate::error::Error;

/// A device that was opened.
pub trait Engine: Sync {
    /// The device's name, such as `NVIDIA H200`.
    fn name(&self) -> String;

    /// What runs a call over inputs of these types, as often as one likes. It gives the results of the CPU, with the same bits.
    ///
    /// # Errors
    /// A sentence that says why the device cannot.
    fn prepare(&self, call: &Call, inputs: &[DType]) -> Result<Box<dyn Ready + '_>, String>;
}

/// A call that is ready to run on a device.
pub trait Ready {
    /// All results over some views, a tensor for each.
    ///
    /// # Errors
    /// A sentence that says why there are none.
    fn run(&self, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, String>;

    /// Copies some views to the device, and gives what runs over them there as often as it is called.
    ///
    /// # Errors
    /// A sentence that says why they cannot be copied.
    fn over<'a>(&'a self, inputs: &[AnyView<'a>]) -> Result<Repeated<'a>, String>;
}

/// Runs a call over data that stays on a device.
pub type Repeated<'a> = Box<dyn Fn() -> Result<Vec<AnyTensor>, String> + 'a>;

/// Opens a device: the first whose name has a part, or the fastest. An error is a sentence.
pub type Open = fn(Option<&str>) -> Result<Box<dyn Engine>, String>;

/// The device that `--gpu` asks for; an empty name asks for any.
///
/// # Errors
/// If there is none, or this program can open none.
pub(crate) fn open(open: Option<Open>, name: &str) -> Result<Box<dyn Engine>, Error> {
    let Some(open) = open else {
        return Err(Error::new(
            "this `reduce` runs on the CPU alone; `cargo install --path integrations/gpu/cli`, in a checkout of the repository, \
             installs the one that has --gpu",
        ));
    };
    open(Some(name).filter(|name| !name.is_empty())).map_err(Error::new)
}
