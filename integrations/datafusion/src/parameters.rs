//! Parameters of operators: numbers that follow a function's inputs, as in `lp_norm(x, 3.0)`.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, plan_err};
use reduce_core::nodes::AttrValue;
use reduce_core::schema::{AttrKind, AttrRange, AttrSchema};

/// The default of a parameter, as [`Aggregate::with`](crate::Aggregate::with) takes it: a number or a truth value.
#[derive(Clone, Debug)]
pub struct Value(pub(crate) AttrValue);

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value(AttrValue::Float(value))
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value(AttrValue::Int(value))
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value(AttrValue::Int(value.into()))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value(AttrValue::Int(value.into()))
    }
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    kind: AttrKind,
    range: AttrRange,
}

impl Parameter {
    pub(crate) fn of(attr: &AttrSchema) -> Self {
        Parameter { name: attr.name, kind: attr.kind, range: attr.range }
    }

    /// The length of a family's results.
    pub(crate) fn size(name: &'static str, largest: usize) -> Self {
        #[allow(clippy::cast_precision_loss, reason = "a length of an array on the stack")]
        let high = Some(largest as f64);
        Parameter { name, kind: AttrKind::Int, range: AttrRange { low: Some(1.0), high } }
    }

    /// What it takes, in words.
    pub(crate) fn describe(&self) -> String {
        match self.range {
            AttrRange::ALL => self.words().to_owned(),
            range => format!("{}, {range}", self.words()),
        }
    }

    /// In words, for messages.
    fn words(&self) -> &'static str {
        match self.kind {
            AttrKind::Bool => "true or false",
            AttrKind::Int => "an integer",
            _ => "a number",
        }
    }

    /// The type that a literal of this type is made into.
    pub(crate) fn coerced(&self, function: &str, given: &DataType) -> Result<DataType> {
        // NULL, or what a prepared statement leaves open, has any type. The value is looked at later.
        let is_open = *given == DataType::Null;
        match self.kind {
            AttrKind::Bool if is_open || *given == DataType::Boolean => Ok(DataType::Boolean),
            AttrKind::Int if is_open || given.is_integer() => Ok(DataType::Int64),
            AttrKind::Float if is_open || given.is_numeric() => Ok(DataType::Float64),
            _ => plan_err!(
                "parameter `{}` of `{function}` is of type {given}; give {}",
                self.name,
                self.words()
            ),
        }
    }

    /// The value of a literal.
    pub(crate) fn read(&self, function: &str, literal: &ScalarValue) -> Result<AttrValue> {
        match literal {
            ScalarValue::Boolean(Some(value)) if self.kind == AttrKind::Bool => {
                return Ok(AttrValue::Int(i64::from(*value)));
            }
            value if value.is_null() || value.data_type() == DataType::Boolean => {}
            value if value.data_type().is_integer() => {
                if let Ok(ScalarValue::Int64(Some(value))) = value.cast_to(&DataType::Int64) {
                    return self.check(function, &AttrValue::Int(value));
                }
            }
            value if self.kind == AttrKind::Float && value.data_type().is_numeric() => {
                if let Ok(ScalarValue::Float64(Some(value))) = value.cast_to(&DataType::Float64) {
                    return self.check(function, &AttrValue::Float(value));
                }
            }
            _ => {}
        }
        self.refuse(function, literal)
    }

    /// A value of the parameter's kind and within its range; an integer may stand for a number.
    pub(crate) fn check(&self, function: &str, given: &AttrValue) -> Result<AttrValue> {
        #[allow(clippy::cast_precision_loss, reason = "compared with the ends of a range")]
        let (value, number) = match (self.kind, given) {
            (AttrKind::Float, AttrValue::Int(int)) => (AttrValue::Float(*int as f64), *int as f64),
            (AttrKind::Float, AttrValue::Float(float)) => (given.clone(), *float),
            (AttrKind::Int, AttrValue::Int(int)) => (given.clone(), *int as f64),
            (AttrKind::Bool, AttrValue::Int(0 | 1)) => return Ok(given.clone()),
            (_, AttrValue::Int(int)) => return self.refuse(function, int),
            (_, AttrValue::Float(float)) => return self.refuse(function, float),
            (_, other) => return self.refuse(function, format!("{other:?}")),
        };
        if self.range.contains(number) {
            return Ok(value);
        }
        let (name, range) = (self.name, self.range);
        plan_err!("parameter `{name}` of `{function}` is {number}; give {range}")
    }

    fn refuse<T>(&self, function: &str, value: impl std::fmt::Display) -> Result<T> {
        plan_err!("parameter `{}` of `{function}` is {value}; give {}", self.name, self.words())
    }
}
