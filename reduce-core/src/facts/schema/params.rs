//! Validated parameters of an operator, on their way into its fields.

use super::{AttrSchema, AttrValue};

/// The parameters of a node with defaults filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params(Vec<(&'static str, AttrValue)>);

impl Params {
    /// The value of each parameter at a version: as given, or its default.
    pub(crate) fn new(attrs: &[AttrSchema], given: &[(&'static str, AttrValue)]) -> Self {
        let value = |attr: &AttrSchema| {
            let given = given.iter().find(|(name, _)| *name == attr.name);
            let value = given.map(|(_, value)| value.clone()).or_else(|| attr.default_value());
            Some((attr.name, value?))
        };
        Params(attrs.iter().filter(|attr| attr.is_param()).filter_map(value).collect())
    }

    /// A parameter that both have with different values.
    pub(crate) fn differing(&self, other: &Params) -> Option<&'static str> {
        let differs = |(name, value): &&(&'static str, AttrValue)| {
            other.0.iter().any(|(known, other)| known == name && other != value)
        };
        self.0.iter().find(differs).map(|(name, _)| *name)
    }

    /// Sets an operator's field to the parameter of the same name. A parameter
    /// that this version lacks leaves the field as it is.
    pub fn fill<F: ParamField>(&self, name: &str, field: &mut F) {
        let given = self.0.iter().find(|(known, _)| *known == name);
        if let Some(value) = given.and_then(|(_, value)| F::from_value(value)) {
            *field = value;
        }
    }
}

/// The type of a field that holds a parameter: `bool`, `i64` or `f64`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot hold a parameter",
    label = "expected `bool`, `i64` or `f64`",
    note = "a parameter of kind `bool`, `int` or `float` is a field of type `bool`, `i64` or `f64`"
)]
pub trait ParamField: Sized {
    /// The field's value, if the parameter is of the field's kind.
    fn from_value(value: &AttrValue) -> Option<Self>;
}

impl ParamField for bool {
    fn from_value(value: &AttrValue) -> Option<Self> {
        i64::from_value(value).map(|int| int != 0)
    }
}

impl ParamField for i64 {
    fn from_value(value: &AttrValue) -> Option<Self> {
        match value {
            AttrValue::Int(int) => Some(*int),
            _ => None,
        }
    }
}

impl ParamField for f64 {
    fn from_value(value: &AttrValue) -> Option<Self> {
        match value {
            AttrValue::Float(float) => Some(*float),
            _ => None,
        }
    }
}
