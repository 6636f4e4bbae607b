//! Attributes: what an operator declares, and what a caller gives.

use std::fmt;

use crate::facts::window::Window;

/// The attribute or input that lists the reduced axes.
pub(crate) const AXES: &str = "axes";
/// The attribute that names a single reduced axis.
pub(crate) const AXIS: &str = "axis";
/// The attribute that keeps reduced axes with size 1.
pub(crate) const KEEPDIMS: &str = "keepdims";
/// The attribute that makes an empty list of axes mean "none".
pub(crate) const NOOP_WITH_EMPTY_AXES: &str = "noop_with_empty_axes";

/// What an attribute takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrKind {
    /// 0 or 1.
    Bool,
    /// An integer.
    Int,
    /// A number.
    Float,
    /// A list of integers.
    Ints,
    /// No attribute: an optional second input, an `i64` tensor of rank 1.
    Input,
}

impl AttrKind {
    /// In words, for messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            AttrKind::Bool => "an integer, 0 or 1",
            AttrKind::Int => "an integer",
            AttrKind::Float => "a float",
            AttrKind::Ints => "a list of integers",
            AttrKind::Input => "a tensor",
        }
    }
}

/// The value of an attribute that is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttrDefault {
    /// Every axis.
    All,
    /// 0 or 1.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
}

/// The values a parameter may have, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttrRange {
    /// The least value, if there is one.
    pub low: Option<f64>,
    /// The greatest value, if there is one.
    pub high: Option<f64>,
}

impl AttrRange {
    /// Every value.
    pub const ALL: AttrRange = AttrRange { low: None, high: None };

    /// Whether a value may be given; where there is a limit, NaN and infinities may not.
    pub fn contains(&self, value: f64) -> bool {
        let is_any = self.low.is_none() && self.high.is_none();
        (is_any || value.is_finite())
            && self.low.is_none_or(|low| value >= low)
            && self.high.is_none_or(|high| value <= high)
    }
}

impl fmt::Display for AttrRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (None, None) => f.write_str("any value"),
            (Some(low), None) => write!(f, "at least {low}"),
            (None, Some(high)) => write!(f, "at most {high}"),
            (Some(low), Some(high)) => write!(f, "{low}..={high}"),
        }
    }
}

/// An attribute of an operator, over some versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttrSchema {
    /// The attribute's name in a model.
    pub name: &'static str,
    /// What it takes.
    pub kind: AttrKind,
    /// The value when it is not given.
    pub default: AttrDefault,
    /// The values accepted.
    pub range: AttrRange,
    /// The versions that have it.
    pub window: Window,
}

impl AttrSchema {
    /// An attribute; written by `#[reduce_op]`.
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        kind: AttrKind,
        default: AttrDefault,
        range: AttrRange,
        window: Window,
    ) -> Self {
        AttrSchema { name, kind, default, range, window }
    }

    /// Whether this is a parameter of the operator itself, and not one of the
    /// attributes of every reduction.
    pub fn is_param(&self) -> bool {
        ![AXES, AXIS, KEEPDIMS, NOOP_WITH_EMPTY_AXES].contains(&self.name)
    }

    /// The default as a value; nothing for axes, whose default is to be absent.
    pub(crate) fn default_value(&self) -> Option<AttrValue> {
        match self.default {
            AttrDefault::All => None,
            AttrDefault::Bool(value) => Some(AttrValue::Int(i64::from(value))),
            AttrDefault::Int(value) => Some(AttrValue::Int(value)),
            AttrDefault::Float(value) => Some(AttrValue::Float(value)),
        }
    }

    /// The default of a `bool` attribute.
    pub(crate) fn default_flag(&self) -> bool {
        self.default == AttrDefault::Bool(true)
    }

    /// The default of an `int` attribute.
    pub(crate) fn default_int(&self) -> i64 {
        match self.default {
            AttrDefault::Int(value) => value,
            _ => 0,
        }
    }
}

/// The value of an attribute as a model holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum AttrValue {
    /// An integer.
    Int(i64),
    /// A list of integers.
    Ints(Vec<i64>),
    /// A number.
    Float(f64),
    /// A value of a kind that no reduction takes; the text names the kind.
    Other(&'static str),
}

impl AttrValue {
    /// In words, for messages.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            AttrValue::Int(_) => "an integer",
            AttrValue::Ints(_) => "a list of integers",
            AttrValue::Float(_) => "a float",
            AttrValue::Other(words) => words,
        }
    }
}

impl fmt::Display for AttrValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::Int(int) => write!(f, "{int}"),
            AttrValue::Ints(list) => write!(f, "{list:?}"),
            AttrValue::Float(float) => write!(f, "{float:?}"),
            AttrValue::Other(words) => f.write_str(words),
        }
    }
}

impl From<i64> for AttrValue {
    fn from(value: i64) -> Self {
        AttrValue::Int(value)
    }
}

impl From<f64> for AttrValue {
    fn from(value: f64) -> Self {
        AttrValue::Float(value)
    }
}

impl From<Vec<i64>> for AttrValue {
    fn from(values: Vec<i64>) -> Self {
        AttrValue::Ints(values)
    }
}

impl<const N: usize> From<[i64; N]> for AttrValue {
    fn from(values: [i64; N]) -> Self {
        AttrValue::Ints(values.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::AttrRange;

    #[test]
    fn a_range_has_its_ends_and_no_infinity() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let values = [-inf, -1.0, 0.0, 1.0, 2.0, 3.0, inf];
        let inside = |low, high| values.map(|value| AttrRange { low, high }.contains(value));
        assert_eq!(inside(None, None), [true; 7]);
        assert_eq!(inside(Some(0.0), None), [false, false, true, true, true, true, false]);
        assert_eq!(inside(None, Some(2.0)), [false, true, true, true, true, false, false]);
        assert_eq!(inside(Some(0.0), Some(2.0)), [false, false, true, true, true, false, false]);
        let limited = AttrRange { low: None, high: Some(2.0) };
        assert_eq!([AttrRange::ALL.contains(nan), limited.contains(nan)], [true, false]);
    }
}
