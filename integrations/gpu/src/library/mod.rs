//! Operators found by name, over types known at run time: nodes on a device.
//!
//! A registry of the core makes a [`Call`] of a node, with all its checks. It knows kernels, and no types. A [`Library`] knows
//! the types of operators, each with the element types that it takes, so it can trace them.

#[cfg(feature = "onnx")]
mod onnx;
mod rows;

use std::fmt;

use reduce_core::nodes::Call;
use reduce_core::{AnyTensor, AnyView, DType, ErrorKind, OpSpec};

use crate::error::Error;
use crate::gpu::Gpu;
pub use rows::RowsOf;
use rows::{Ready, Row};

/// Operators that run on devices, by their name and the types of their inputs.
///
/// `Library::onnx`, of the feature `onnx`, has all operators of ONNX. One of others:
///
/// ```
/// use reduce_core::nodes::{Node, OpEntry, Registry};
/// use reduce_core::{DType, View};
/// use reduce_gallery::Variance;
/// use reduce_gpu::{Gpu, Library};
///
/// static OPS: [OpEntry; 1] = [OpEntry::of::<Variance>()];
/// static ENGINE: Registry = Registry::new(&OPS, 1);
///
/// # let Ok(_) = Gpu::new() else { return Ok(()) };
/// let gpu = Gpu::new()?;
/// let library = Library::new().with::<Variance, (f32, f64)>();
/// let call = ENGINE.prepare("Variance", &Node::new(1, DType::F32).attr("keepdims", 0))?;
/// let data = View::new(&[1.0f32, 3.0], &[2])?;
/// let variance = library.run(&gpu, &call, &data.into())?;
/// assert_eq!(variance.downcast::<f32>().expect("as the data").data(), [1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Library {
    rows: Vec<Row>,
}

impl Library {
    /// A library without operators.
    pub fn new() -> Self {
        Library::default()
    }

    /// The library with one more operator over each of some types, in a tuple: `(f32,)`, or of an operator of two inputs
    /// `((f32, f32), (f64, f64))`.
    #[must_use]
    pub fn with<Op: OpSpec, Types: RowsOf<Op>>(mut self) -> Self {
        self.rows.extend(Types::rows());
        self
    }

    /// The types over which an operator of this name runs: those of all inputs, for each of its rows.
    pub fn types(&self, operator: &str) -> Vec<&'static [DType]> {
        self.rows.iter().filter(|row| row.name == operator).map(|row| row.inputs).collect()
    }

    /// The result of a call on a device: what [`Call::run`] gives, with the same bits.
    ///
    /// # Errors
    /// As [`Call::run`] and [`Prepared::run`](crate::Prepared::run); and if the operator is not in the library, or not over data
    /// of this type.
    pub fn run(&self, gpu: &Gpu, call: &Call, data: &AnyView<'_>) -> Result<AnyTensor, Error> {
        call.check(data)?;
        let mut results =
            self.prepare(gpu, call, &[data.dtype()])?.run(std::slice::from_ref(data))?;
        match (results.pop(), results.len()) {
            (Some(result), 0) => Ok(result),
            (_, others) => {
                let error =
                    reduce_core::Error::from(ErrorKind::SeveralResults { found: others + 1 });
                Err(error.about(call.name(), call.version()).into())
            }
        }
    }

    /// A call on a device, for inputs of these types, to be run as often as one likes: its operator is traced once for each
    /// number of elements. Operators of several inputs and results run so, too.
    ///
    /// # Errors
    /// If the operator is not in the library, or not for these types; if the axes are not known yet; and if the call skips NaN.
    pub fn prepare<'g>(
        &self,
        gpu: &'g Gpu,
        call: &Call,
        inputs: &[DType],
    ) -> Result<PreparedCall<'g>, Error> {
        for row in self.rows.iter().filter(|row| row.inputs == inputs) {
            if let Some(ready) = (row.prepare)(gpu, call)? {
                return Ok(PreparedCall { call: call.clone(), inputs: row.inputs, ready });
            }
        }
        Err(Error::NoRow {
            operator: call.name(),
            inputs: inputs.to_vec(),
            rows: self.types(call.name()),
        })
    }
}

/// A call on a device; made by [`Library::prepare`].
pub struct PreparedCall<'g> {
    call: Call,
    inputs: &'static [DType],
    ready: Box<dyn Ready + 'g>,
}

/// Runs a call over data that stays on the device.
pub type Repeated<'a> = Box<dyn Fn() -> Result<Vec<AnyTensor>, Error> + 'a>;

impl PreparedCall<'_> {
    /// All results over some views, a tensor for each.
    ///
    /// # Errors
    /// If the views are not of the types that were prepared for; and as [`Prepared::run`](crate::Prepared::run).
    pub fn run(&self, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, Error> {
        self.check(inputs)?;
        self.ready.run(inputs).map_err(|error| self.about(error))
    }

    /// Copies some views to the device, and gives what runs over them there as often as it is called.
    ///
    /// # Errors
    /// If the views are not of the types that were prepared for, or the device has no room.
    pub fn over<'a>(&'a self, inputs: &[AnyView<'a>]) -> Result<Repeated<'a>, Error> {
        self.check(inputs)?;
        let run = self.ready.over(inputs).map_err(|error| self.about(error))?;
        Ok(Box::new(move || run().map_err(|error| self.about(error))))
    }

    fn check(&self, inputs: &[AnyView<'_>]) -> Result<(), Error> {
        if let [data] = inputs {
            self.call.check(data)?;
        }
        let found: Vec<DType> = inputs.iter().map(AnyView::dtype).collect();
        if found == self.inputs {
            return Ok(());
        }
        Err(Error::NoRow { operator: self.call.name(), inputs: found, rows: vec![self.inputs] })
    }

    /// The error, said of the operator if it is one of the reduction.
    fn about(&self, error: Error) -> Error {
        match error {
            Error::Reduction(error) => error.about(self.call.name(), self.call.version()).into(),
            others => others,
        }
    }
}

impl fmt::Debug for PreparedCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedCall").field(&self.call).field(&self.inputs).finish()
    }
}
