//! Validated parameters of an operator, on their way into its fields.

use super::{AttrValue, OpSchema, VersionSchema};

/// The parameters of a node with defaults filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params(Vec<(&'static str, AttrValue)>);

impl Params {
    /// The value of every parameter of an operator: as given, or the default at a
    /// version. A parameter that the version lacks has its first declared default,
    /// so that it says the same wherever it is not given.
    pub(crate) fn new(
        schema: &OpSchema,
        version: &VersionSchema,
        given: &[(&'static str, AttrValue)],
    ) -> Self {
        let mut params: Vec<(&'static str, AttrValue)> = Vec::new();
        for declared in schema.attrs.iter().filter(|attr| attr.is_param()) {
            if params.iter().any(|(name, _)| *name == declared.name) {
                continue;
            }
            let given = given.iter().find(|(name, _)| *name == declared.name);
            let default = || version.attr(declared.name).unwrap_or(declared).default_value();
            let value = given.map(|(_, value)| value.clone()).or_else(default);
            params.extend(value.map(|value| (declared.name, value)));
        }
        Params(params)
    }

    /// A parameter that both have with different values.
    pub(crate) fn differing(&self, other: &Params) -> Option<&'static str> {
        let differs = |(name, value): &&(&'static str, AttrValue)| {
            other.0.iter().any(|(known, other)| known == name && other != value)
        };
        self.0.iter().find(differs).map(|(name, _)| *name)
    }

    /// The value of the parameter of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&AttrValue> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Sets an operator's field to the parameter of the same name.
    pub fn fill<F: ParamField>(&self, name: &str, field: &mut F) {
        if let Some(value) = self.get(name).and_then(F::from_value) {
            *field = value;
        }
    }
}

/// The type of a field that holds a parameter: `bool`, `i64` or `f64`, for one of
/// kind `bool`, `int` or `float`.
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
