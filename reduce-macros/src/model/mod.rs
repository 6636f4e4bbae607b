//! The model: a spec with every default filled in and every name resolved.

mod attrs;
mod dtype;
mod emits;
mod resolve;
mod window;

pub(crate) use dtype::{Compute, DType};
pub(crate) use resolve::resolve;
pub(crate) use window::Window;

use proc_macro2::{Ident, Span};
use syn::Expr;
use syn::ext::IdentExt;

use crate::parse::Form;

/// Everything the expansion asks for. Fields with a span are what a check may
/// point at.
pub(crate) struct OpSpec {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) versions: Versions,
    pub(crate) dtypes: Vec<DTypeRow>,
    pub(crate) attrs: Vec<AttrDecl>,
    pub(crate) nan: Nan,
    pub(crate) commutative: bool,
    pub(crate) outputs: Vec<Output>,
    pub(crate) emits: Vec<Way>,
    pub(crate) lanes: Option<Lanes>,
    pub(crate) krate: syn::Path,
    pub(crate) form: Form,
    /// The parameter that says how long results are.
    pub(crate) length: Option<Ident>,
    /// Where `commutative` is written.
    pub(crate) commutative_span: Option<Span>,
    /// The operator's name.
    pub(crate) span: Span,
}

/// A result.
pub(crate) struct Output {
    /// The storage type, if the spec or the type of the result says it.
    pub(crate) dtype: Option<DType>,
    /// How many elements it has, if it is an array.
    pub(crate) length: Option<Expr>,
}

/// An operator's life and the versions in it.
pub(crate) struct Versions {
    pub(crate) life: Window,
    /// The versions at which something changed, ascending, if they were listed.
    pub(crate) listed: Option<Vec<u32>>,
}

/// A storage type in a window of versions.
pub(crate) struct DTypeRow {
    pub(crate) window: Window,
    /// The type of each input that has the compute type.
    pub(crate) inputs: Vec<DType>,
    pub(crate) compute: Compute,
    pub(crate) empty: Empty,
    pub(crate) span: Span,
    pub(crate) compute_span: Span,
}

/// An attribute, or the axes input, in a window of versions.
pub(crate) struct AttrDecl {
    pub(crate) window: Window,
    pub(crate) name: String,
    /// The field that holds it, if it is a parameter.
    pub(crate) field: Ident,
    pub(crate) kind: Kind,
    pub(crate) default: Value,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) span: Span,
    pub(crate) kind_span: Span,
    pub(crate) default_span: Span,
    pub(crate) range_span: Option<Span>,
}

/// What an attribute takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Int,
    Float,
    Ints,
    Input,
}

/// A default.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Value {
    All,
    Bool(bool),
    Int(i64),
    Float(f64),
}

/// Says what becomes of NaN.
#[derive(Clone, Copy)]
pub(crate) enum Nan {
    Propagate,
    Ignore,
    Unspecified,
}

/// What is given over no elements.
#[derive(Clone, Copy)]
pub(crate) enum Empty {
    Identity,
    Error,
}

/// A way in which an operator emits: alone, or with other inputs beside its elements.
pub(crate) struct Way {
    pub(crate) beside: usize,
    pub(crate) span: Span,
}

/// A lane count of the spec's own.
pub(crate) struct Lanes {
    pub(crate) count: usize,
    pub(crate) span: Span,
}

impl Kind {
    pub(crate) const WORDS: [&'static str; 5] = ["bool", "int", "float", "ints", "input"];

    pub(crate) fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

impl DTypeRow {
    /// The storage types as they are written.
    pub(crate) fn words(&self) -> String {
        let words: Vec<&str> = self.inputs.iter().map(|input| input.word()).collect();
        match words.as_slice() {
            [first, others @ ..] if others.iter().any(|word| word != first) => {
                format!("({})", words.join(", "))
            }
            _ => words.first().copied().unwrap_or_default().to_owned(),
        }
    }
}

impl AttrDecl {
    /// Whether this is a parameter of the operator: a field of its struct.
    pub(crate) fn is_param(&self) -> bool {
        !["axes", "axis", "keepdims", "noop_with_empty_axes"].contains(&self.name.as_str())
    }
}

impl OpSpec {
    /// The versions at which something changed: as listed, or every start of a
    /// window and every version after the end of one.
    pub(crate) fn since_versions(&self) -> Vec<u32> {
        if let Some(listed) = &self.versions.listed {
            return listed.clone();
        }
        let windows = self.dtypes.iter().map(|row| row.window);
        let windows = windows.chain(self.attrs.iter().map(|attr| attr.window));
        let edges = windows.flat_map(|window| [Some(window.first), window.after()]).flatten();
        let life = self.versions.life;
        let mut since: Vec<u32> = edges.filter(|&version| life.contains(version)).collect();
        since.push(life.first);
        since.sort_unstable();
        since.dedup();
        since
    }

    /// The rows with each storage type once, in the order of the spec.
    pub(crate) fn kernels(&self) -> Vec<&DTypeRow> {
        let mut rows: Vec<&DTypeRow> = Vec::new();
        for row in &self.dtypes {
            if !rows.iter().any(|known| known.inputs == row.inputs) {
                rows.push(row);
            }
        }
        rows
    }

    /// The parameter that says how long results are, if it is declared.
    pub(crate) fn length_param(&self) -> Option<&AttrDecl> {
        let name = self.length.as_ref()?.unraw().to_string();
        self.attrs.iter().find(|attr| attr.is_param() && attr.name == name)
    }

    /// How many inputs lie beside the elements, for each way in which it emits.
    pub(crate) fn beside(&self) -> impl Iterator<Item = usize> {
        self.emits.iter().map(|way| way.beside)
    }

    /// The parameters with each name once.
    pub(crate) fn params(&self) -> Vec<&AttrDecl> {
        let mut params: Vec<&AttrDecl> = Vec::new();
        for attr in self.attrs.iter().filter(|attr| attr.is_param()) {
            if !params.iter().any(|known| known.name == attr.name) {
                params.push(attr);
            }
        }
        params
    }
}
