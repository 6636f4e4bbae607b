//! Everything that is wrong with one request.

use std::fmt;

use super::Error;

/// One error or more, in the order in which they were found. `{:?}` is the text for people, as that of [`Error`].
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::nodes::Node;
/// use reduce_specs::ONNX;
///
/// let node = Node::new(18, DType::F32).attr("axes", [0]).attr("keepdims", 2);
/// let problems = ONNX.prepare("ReduceMean", &node).unwrap_err();
/// let codes: Vec<_> = problems.errors().iter().map(|error| error.code()).collect();
/// assert_eq!(codes, ["attribute-of-other-version", "attribute-range"]);
/// println!("{problems}"); // all sentences on one line
/// ```
#[derive(Clone, PartialEq)]
pub struct Problems(Vec<Error>);

impl Problems {
    /// `Ok` if nothing was found.
    pub(crate) fn none(errors: Vec<Error>) -> Result<(), Problems> {
        if errors.is_empty() { Ok(()) } else { Err(Problems(errors)) }
    }

    /// The errors; there is at least one.
    pub fn errors(&self) -> &[Error] {
        &self.0
    }

    /// These errors, said of an operator at a version.
    #[must_use]
    pub(crate) fn about(self, name: &'static str, version: u32) -> Self {
        Problems(self.0.into_iter().map(|error| error.about(name, version)).collect())
    }
}

impl From<Error> for Problems {
    fn from(error: Error) -> Self {
        Problems(vec![error])
    }
}

impl std::error::Error for Problems {}

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        f.debug_list().entries(&self.0).finish()
    }
}

impl fmt::Display for Problems {
    /// The sentences on one line, separated by `; also, `. The operator they are
    /// about is named once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Option<&Error> = None;
        for error in &self.0 {
            match before {
                None => error.fmt(f)?,
                Some(before) if before.op == error.op => write!(f, "; also, {}", error.kind)?,
                Some(_) => write!(f, "; also, {error}")?,
            }
            before = Some(error);
        }
        Ok(())
    }
}
