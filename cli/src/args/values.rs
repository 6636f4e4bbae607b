//! The values of arguments, as they are written on the command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use reduce_core::Level;
use reduce_core::nodes::AttrValue;
use reduce_specs::ONNX;

/// A CPU level, by its name.
pub(super) fn level(name: &str) -> Result<Level, String> {
    let level = Level::ALL.into_iter().find(|level| level.name() == name);
    level.ok_or_else(|| format!("choose one of: {}", Level::ALL.map(Level::name).join(", ")))
}

/// A number within a range, such as that of threads.
pub(super) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (low, high) = (range.start(), range.end());
        let expected = || format!("expected a whole number from {low} to {high}");
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(expected)
    }
}

/// A time, such as `2.5`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|&seconds| seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds above 0, such as 2.5".to_owned())
}

/// The opset of a model. One that is a number, and does not exist, is refused where all requests are.
pub(super) fn opset(text: &str) -> Result<u32, String> {
    let newest = ONNX.newest();
    text.parse().map_err(|_| format!("expected a whole number from 1 to {newest}"))
}

/// An attribute that is 0 or 1. Another number is refused where all attributes are.
pub(super) fn flag(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "expected 0 or 1".to_owned())
}

/// The list after `--axes`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisList(pub(crate) Vec<i64>);

impl FromStr for AxisList {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        integers(list).map(AxisList)
    }
}

/// One `NAME=FILE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedFile {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl FromStr for NamedFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, path) = text.split_once('=').ok_or("write NAME=FILE, such as x=x.npy")?;
        Ok(NamedFile { name: name.to_owned(), path: path.into() })
    }
}

/// One `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: AttrValue,
}

impl FromStr for Attribute {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as keepdims=0")?;
        let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let value = if let Some(list) = list {
            AttrValue::Ints(integers(list)?)
        } else if let Ok(int) = value.parse() {
            AttrValue::Int(int)
        } else {
            value.parse().map_or(AttrValue::Other("a string"), AttrValue::Float)
        };
        Ok(Attribute { name: name.to_owned(), value })
    }
}

/// Integers separated by commas; none in an empty text.
fn integers(list: &str) -> Result<Vec<i64>, String> {
    if list.trim().is_empty() {
        return Ok(Vec::new());
    }
    let integer = |item: &str| {
        let item = item.trim();
        item.parse()
            .map_err(|_| format!("`{item}` is no axis; write integers and commas, such as 0,-1"))
    };
    list.split(',').map(integer).collect()
}

#[cfg(test)]
mod tests {
    use reduce_core::nodes::AttrValue;

    use super::{Attribute, AxisList};

    #[test]
    fn lists_and_attributes() {
        assert_eq!("".parse(), Ok(AxisList(vec![])));
        assert_eq!(" 0, -1".parse(), Ok(AxisList(vec![0, -1])));
        for bad in ["0,", "a", "0 1", "1.0", "9223372036854775808"] {
            assert!(bad.parse::<AxisList>().is_err(), "{bad}");
        }
        for (text, value) in [
            ("p=2", AttrValue::Int(2)),
            ("p=2.0", AttrValue::Float(2.0)),
            ("p=[1,2]", AttrValue::Ints(vec![1, 2])),
            ("p=two", AttrValue::Other("a string")),
        ] {
            assert_eq!(text.parse(), Ok(Attribute { name: "p".to_owned(), value }));
        }
    }
}
