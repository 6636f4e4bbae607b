//! The one error type: what is wrong, where, and what to do instead.

mod kind;
mod problems;
mod table;
mod words;

pub use kind::ErrorKind;
pub use problems::Problems;

use std::fmt;

/// The most elements that a stream or a group sees. Positions are numbers of type `i64`, and operators get counts as `usize`,
/// which is shorter on targets of 32 bits.
pub(crate) const MOST_COUNTED: u64 = match usize::BITS {
    64.. => i64::MAX.cast_unsigned(),
    _ => usize::MAX as u64,
};

/// A request that cannot be carried out.
///
/// It is displayed as one lower-case sentence without a full stop. An error of a named operator starts with its
/// name and the version that governs. `{:?}` is that sentence, too: a `main` that returns an error shows it,
/// and so does an `unwrap`. `{:#?}` has the fields.
///
/// ```
/// use reduce_core::{ErrorKind, Reduction, View};
/// use reduce_specs::ReduceSum;
///
/// let list = View::new(&[1.0f32, 2.0], &[2])?;
/// let error = Reduction::new(ReduceSum).axes([1]).run(&list).unwrap_err();
/// assert_eq!(error.code(), "axis-out-of-range"); // stable
/// assert_eq!(error.kind(), &ErrorKind::AxisOutOfRange { axis: 1, rank: 1 });
/// assert_eq!(error.to_string(), "axis 1 is out of range for rank 1; expected -1..=0"); // for people
/// assert_eq!(format!("{error:?}"), error.to_string());
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Error {
    op: Option<OpContext>,
    // Boxed, so that a `Result` stays as small as its good value.
    kind: Box<ErrorKind>,
}

/// The operator an error is about.
#[derive(Clone, Debug, PartialEq)]
struct OpContext {
    name: &'static str,
    version: u32,
}

impl Error {
    /// What is wrong, for programs.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The mistake's stable code, such as `axis-out-of-range`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The operator the error is about.
    pub fn op(&self) -> Option<&'static str> {
        self.op.as_ref().map(|op| op.name)
    }

    /// The version of the operator that governs.
    pub fn version(&self) -> Option<u32> {
        self.op.as_ref().map(|op| op.version)
    }

    /// This error, said of an operator at a version.
    #[must_use]
    pub fn about(mut self, name: &'static str, version: u32) -> Self {
        self.op.get_or_insert(OpContext { name, version });
        self
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error { op: None, kind: Box::new(kind) }
    }
}

impl std::error::Error for Error {}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        f.debug_struct("Error").field("op", &self.op).field("kind", &self.kind).finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = &self.op {
            write!(f, "{} at version {}: ", op.name, op.version)?;
        }
        self.kind.fmt(f)
    }
}
