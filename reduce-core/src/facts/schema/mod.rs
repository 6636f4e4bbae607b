//! Schemas: the facts of an operator, version by version.
//!
//! `#[reduce_op]` writes an [`OpSchema`] as plain data; [`OpSchema::at`] reads it at one version.

mod attr;
mod params;

pub use attr::{AttrDefault, AttrKind, AttrRange, AttrSchema, AttrValue};
pub use params::{ParamField, Params};

pub(crate) use attr::{AXES, AXIS, KEEPDIMS, NOOP_WITH_EMPTY_AXES};

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::window::Window;

/// What an operator does with NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanPolicy {
    /// A NaN among the elements makes the result NaN, wherever it stands; a result
    /// that cannot be NaN, a position say, is decided by it.
    Propagate,
    /// A NaN among the elements changes nothing.
    Ignore,
    /// No promise.
    Unspecified,
}

/// What an operator gives over no elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// `finalize(identity(), 0)`.
    Identity,
    /// An error.
    Error,
}

/// How many elements a result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultLength {
    /// A single one: it is no array.
    One,
    /// It is an array of this many, which lie along one more axis.
    Fixed(usize),
    /// It is an array of as many as the parameter of this name says.
    Parameter(&'static str),
}

impl ResultLength {
    /// The number of elements of an array, if its type says it.
    pub const fn fixed(self) -> Option<usize> {
        match self {
            ResultLength::Fixed(length) => Some(length),
            ResultLength::One | ResultLength::Parameter(_) => None,
        }
    }

    /// That of a result whose type says it.
    pub(crate) const fn of(fixed: Option<usize>) -> Self {
        match fixed {
            Some(length) => ResultLength::Fixed(length),
            None => ResultLength::One,
        }
    }
}

/// A storage type of an operator, over some versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DTypeSchema {
    /// The versions that allow it.
    pub window: Window,
    /// The type of the input.
    pub input: DType,
    /// The Rust name of the type computed in.
    pub compute: &'static str,
    /// The type of the result.
    pub output: DType,
    /// How many elements a result has.
    pub length: ResultLength,
    /// The value over no elements.
    pub empty: Empty,
}

/// Everything that is known of an operator, over all versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpSchema {
    /// The operator's name in a model.
    pub name: &'static str,
    /// One sentence: what it computes.
    pub summary: &'static str,
    /// The opsets at which something changed, ascending; the first one
    /// introduced the operator.
    pub versions: &'static [u32],
    /// The last opset that has the operator, if it was withdrawn.
    pub last: Option<u32>,
    /// The storage types.
    pub dtypes: &'static [DTypeSchema],
    /// The attributes, and the axes input.
    pub attrs: &'static [AttrSchema],
    /// What the operator does with NaN.
    pub nan: NanPolicy,
    /// Whether the order of elements is free.
    pub commutative: bool,
    /// How many inputs lie beside the reduced ones when results are sent back over the elements, for each way in which the
    /// operator [emits](crate::Emit): 0 if the elements are alone. Nothing if it does not emit.
    pub emits: &'static [usize],
}

/// The facts of an operator at one version.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionSchema {
    /// The opset that introduced this version.
    pub since: u32,
    /// The last opset it governs, if there is a later version.
    pub until: Option<u32>,
    /// The storage types allowed.
    pub dtypes: Vec<DTypeSchema>,
    /// The attributes accepted.
    pub attrs: Vec<AttrSchema>,
    /// Whether the axes are a second input, of type `i64` and rank 1.
    pub axes_input: bool,
}

impl OpSchema {
    /// What a spec with mistakes gets, beside its errors.
    #[doc(hidden)]
    pub const fn inert(name: &'static str) -> Self {
        OpSchema {
            name,
            summary: "",
            versions: &[1],
            last: None,
            dtypes: &[],
            attrs: &[],
            nan: NanPolicy::Unspecified,
            commutative: true,
            emits: &[],
        }
    }

    /// The versions in which the operator exists.
    pub fn life(&self) -> Window {
        Window::new(self.versions.first().copied().unwrap_or(1), self.last)
    }

    /// The version that governs an opset.
    ///
    /// # Errors
    /// [`ErrorKind::NotInOpset`] if the operator does not exist there.
    pub fn resolve(&self, opset: u32) -> Result<u32, Error> {
        let since = self.versions.iter().copied().rfind(|&version| version <= opset);
        since.filter(|_| self.life().contains(opset)).ok_or_else(|| {
            ErrorKind::NotInOpset { name: self.name, opset, versions: self.life() }.into()
        })
    }

    /// The facts at an opset.
    ///
    /// # Errors
    /// As [`OpSchema::resolve`].
    pub fn at(&self, opset: u32) -> Result<VersionSchema, Error> {
        let since = self.resolve(opset)?;
        let next = self.versions.iter().copied().find(|&version| version > since);
        let attrs: Vec<AttrSchema> =
            self.attrs.iter().filter(|attr| attr.window.contains(since)).copied().collect();
        let (inputs, attrs): (Vec<_>, Vec<_>) =
            attrs.into_iter().partition(|attr| attr.kind == AttrKind::Input);
        Ok(VersionSchema {
            since,
            until: next.map_or(self.last, |next| Some(next - 1)),
            dtypes: self.dtypes.iter().filter(|row| row.window.contains(since)).copied().collect(),
            attrs,
            axes_input: !inputs.is_empty(),
        })
    }

    /// The facts of every version, the oldest first.
    pub fn history(&self) -> Vec<VersionSchema> {
        self.versions.iter().filter_map(|&version| self.at(version).ok()).collect()
    }
}

impl VersionSchema {
    /// The span of opsets this version governs.
    pub fn window(&self) -> Window {
        Window::new(self.since, self.until)
    }

    /// Whether a `bool` attribute of this name is 1 by default.
    pub(crate) fn flag_default(&self, name: &str) -> bool {
        self.attr(name).is_some_and(AttrSchema::default_flag)
    }

    /// The attribute of this name.
    pub fn attr(&self, name: &str) -> Option<&AttrSchema> {
        self.attrs.iter().find(|attr| attr.name == name)
    }
}
