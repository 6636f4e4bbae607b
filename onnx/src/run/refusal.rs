//! Why a model is not run.

use crate::error::{Error, ErrorKind};

/// Why a model is not run: nodes that this program has no operators for, or something that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Sound as it may be, it is not run.
    NotRun(String),
    /// It cannot be run by anybody, or not with these inputs.
    Wrong(String),
}

impl Refusal {
    /// Says in front of the sentence what it is about.
    pub(crate) fn about(self, what: impl std::fmt::Display) -> Self {
        match self {
            Refusal::NotRun(sentence) => Refusal::NotRun(format!("{what}: {sentence}")),
            Refusal::Wrong(sentence) => Refusal::Wrong(format!("{what}: {sentence}")),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotRun(sentence) => Error::new(ErrorKind::NotRun, sentence),
            Refusal::Wrong(sentence) => Error::new(ErrorKind::Invalid, sentence),
        }
    }
}

impl From<String> for Refusal {
    fn from(sentence: String) -> Self {
        Refusal::Wrong(sentence)
    }
}

impl From<&str> for Refusal {
    fn from(sentence: &str) -> Self {
        Refusal::Wrong(sentence.to_owned())
    }
}
