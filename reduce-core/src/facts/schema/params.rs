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

    /// Notes the value of an operator's field as that of the parameter of the same name.
    pub fn give<F: ParamField>(&mut self, name: &'static str, field: &F) {
        self.0.push((name, field.to_value()));
    }

    /// Writes all names and values, `(p = 3.0)`; nothing if there are none.
    pub(crate) fn write(&self, to: &mut String) {
        for (place, (name, value)) in self.0.iter().enumerate() {
            to.push_str(if place == 0 { "(" } else { ", " });
            to.push_str(name);
            to.push_str(" = ");
            to.push_str(&value.to_string());
        }
        to.push_str(if self.0.is_empty() { "" } else { ")" });
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

    /// The parameter's value.
    fn to_value(&self) -> AttrValue;
}

impl ParamField for bool {
    fn from_value(value: &AttrValue) -> Option<Self> {
        i64::from_value(value).map(|int| int != 0)
    }

    fn to_value(&self) -> AttrValue {
        AttrValue::Int(i64::from(*self))
    }
}

impl ParamField for i64 {
    fn from_value(value: &AttrValue) -> Option<Self> {
        match value {
            AttrValue::Int(int) => Some(*int),
            _ => None,
        }
    }

    fn to_value(&self) -> AttrValue {
        AttrValue::Int(*self)
    }
}

impl ParamField for f64 {
    fn from_value(value: &AttrValue) -> Option<Self> {
        match value {
            AttrValue::Float(float) => Some(*float),
            _ => None,
        }
    }

    fn to_value(&self) -> AttrValue {
        AttrValue::Float(*self)
    }
}
