//! What went wrong, as a sentence for people and a code for programs.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use crate::words::sentence;

/// Why a model cannot be read, converted or run.
///
/// Displayed, it is one line in lower case: the file if the error is about one, the fact and, after a semicolon, what to do
/// instead. Names from the model are cut and escaped, so that they can be shown on a terminal.
///
/// ```
/// use reduce_onnx::{ErrorKind, Model};
///
/// let error = Model::open("no-such.onnx").expect_err("there is none");
/// assert_eq!(error.kind(), ErrorKind::Unreadable);
/// assert_eq!(error.code(), "unreadable");
/// assert_eq!(
///     error.to_string(),
///     "`no-such.onnx`: cannot be read: there is no such file or folder"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    path: Option<PathBuf>,
    sentence: String,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read.
    Unreadable,
    /// The bytes are no ONNX model, or a damaged one.
    Damaged,
    /// There is no such opset, or the model imports none of the standard domain.
    Opset,
    /// Some nodes do not come to the opset, or would mean something else there.
    NotConverted,
    /// The bytes are written as nobody writes a model, so that they cannot be changed in place.
    NotChanged,
    /// The model may be sound, but has something that this crate does not run.
    NotRun,
    /// The model cannot be run by anybody, or not over values of these types and shapes.
    Invalid,
    /// The values that are given are not those that the model asks for.
    Inputs,
}

impl ErrorKind {
    /// The code that programs know it by; it stays the same from version to version.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Unreadable => "unreadable",
            ErrorKind::Damaged => "damaged",
            ErrorKind::Opset => "opset",
            ErrorKind::NotConverted => "not-converted",
            ErrorKind::NotChanged => "not-changed",
            ErrorKind::NotRun => "not-run",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Inputs => "inputs",
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, sentence: impl Into<String>) -> Self {
        Error { kind, path: None, sentence: sentence.into() }
    }

    /// The same error, which is about a file.
    pub(crate) fn at(self, path: &Path) -> Self {
        Error { path: Some(path.to_owned()), ..self }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The code that programs know its kind by.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The file that it is about, if it is about one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The sentence as it is, uncut and with what it quotes unescaped. Its subject may be the file or the model, left out, as
    /// in `has no graph, so it is no model`.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => {
                f.write_str(&sentence(&format!("`{}`: {}", path.display(), self.sentence)))
            }
            None => f.write_str(&sentence(&self.sentence)),
        }
    }
}

impl std::error::Error for Error {}
