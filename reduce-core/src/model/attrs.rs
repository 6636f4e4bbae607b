//! The attributes of a node, held against those of its version.

use super::suggest::nearest;
use crate::facts::error::{Error, ErrorKind, Problems};
use crate::facts::schema::{
    AXES, AttrKind, AttrSchema, AttrValue, OpSchema, Params, VersionSchema,
};
use crate::facts::window::Window;

impl OpSchema {
    /// The operator's own parameters, by name, as its newest version has them: those that are given, held
    /// against kind and range, and the defaults of the others. [`OpSpec::configure`](crate::OpSpec::configure)
    /// makes the operator of them.
    ///
    /// ```
    /// use reduce_core::{OpSpec, Reduction, View};
    /// use reduce_gallery::Variance;
    ///
    /// let params = Variance::SCHEMA.params(&[("correction", 1.into())])?;
    /// let variance = Reduction::new(Variance::configure(&params));
    /// assert_eq!(variance.run(&View::new(&[1.0f64, 3.0], &[2])?)?.data(), [2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// All that is wrong: a name that is no parameter, a value of another kind or out of range, a name given
    /// twice.
    pub fn params(&self, given: &[(&str, AttrValue)]) -> Result<Params, Problems> {
        let newest = self.versions.last().copied().unwrap_or(1);
        let mut version = self.at(newest)?;
        version.attrs.retain(AttrSchema::is_param);
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let mut problems = Vec::new();
        let accepted = check_attrs(self, &version, &given, &mut problems);
        Problems::none(problems).map_err(|problems| problems.about(self.name, version.since))?;
        Ok(Params::new(&version.attrs, &accepted))
    }
}

/// The attributes of a node that its version has.
pub(super) type Attrs = Vec<(&'static str, AttrValue)>;

/// A `bool` attribute: as given, or its default; `false` where this version has
/// none of that name.
pub(super) fn flag(version: &VersionSchema, attrs: &Attrs, name: &str) -> bool {
    match given(attrs, name) {
        Some(value) => *value == AttrValue::Int(1),
        None => version.flag_default(name),
    }
}

/// The value given to an attribute.
pub(super) fn given<'a>(attrs: &'a Attrs, name: &str) -> Option<&'a AttrValue> {
    attrs.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// The attributes of this version among those given.
pub(super) fn check_attrs(
    schema: &OpSchema,
    version: &VersionSchema,
    given: &[(String, AttrValue)],
    problems: &mut Vec<Error>,
) -> Attrs {
    let mut accepted = Attrs::new();
    for (name, value) in given {
        let checked = known_attr(schema, version, name).and_then(|attr| {
            if accepted.iter().any(|(known, _)| *known == attr.name) {
                return Err(ErrorKind::DuplicateAttr { attr: attr.name });
            }
            check_value(&attr, value)?;
            Ok(attr.name)
        });
        match checked {
            Ok(name) => accepted.push((name, value.clone())),
            Err(kind) => problems.push(kind.into()),
        }
    }
    accepted
}

/// The attribute of this name at this version, or where it is to be found.
fn known_attr(
    schema: &OpSchema,
    version: &VersionSchema,
    name: &str,
) -> Result<AttrSchema, ErrorKind> {
    if let Some(attr) = version.attr(name) {
        return Ok(*attr);
    }
    let windows =
        |name: &str| windows_of(schema, |attr| attr.name == name && attr.kind != AttrKind::Input);
    let elsewhere = schema.attrs.iter().find(|attr| attr.name == name);
    if let Some(attr) = elsewhere.filter(|attr| !windows(attr.name).is_empty()) {
        let (windows, input_here) = (windows(name), name == AXES && version.axes_input);
        return Err(ErrorKind::AttrOfOtherVersion { attr: attr.name, windows, input_here });
    }
    let known: Vec<&'static str> = version.attrs.iter().map(|attr| attr.name).collect();
    let suggestion = nearest(name, schema.attrs.iter().map(|attr| attr.name));
    let suggestion = suggestion.filter(|name| !windows(name).is_empty());
    let missing_here = suggestion.filter(|name| version.attr(name).is_none());
    let elsewhere = missing_here.map(windows).unwrap_or_default();
    Err(ErrorKind::UnknownAttr { attr: name.to_owned(), known, suggestion, elsewhere })
}

/// The spans of versions whose attributes satisfy a condition, touching ones
/// joined.
pub(super) fn windows_of(schema: &OpSchema, is_meant: impl Fn(&AttrSchema) -> bool) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    for attr in schema.attrs.iter().filter(|attr| is_meant(attr)) {
        match windows.last_mut() {
            Some(before) if before.next() == Some(attr.window.first()) => {
                *before = Window::new(before.first(), attr.window.last());
            }
            _ => windows.push(attr.window),
        }
    }
    windows
}

/// Whether a value is of the attribute's kind and within its range.
fn check_value(attr: &AttrSchema, value: &AttrValue) -> Result<(), ErrorKind> {
    let out_of_range = |found: String, accepted: String| {
        Err(ErrorKind::AttrRange { attr: attr.name, found, accepted })
    };
    match (attr.kind, value) {
        (AttrKind::Bool, AttrValue::Int(0 | 1)) | (AttrKind::Ints, AttrValue::Ints(_)) => Ok(()),
        (AttrKind::Bool, AttrValue::Int(int)) => out_of_range(int.to_string(), "0 or 1".to_owned()),
        #[allow(
            clippy::cast_precision_loss,
            reason = "a limit beyond 2^53 may be off by a rounding"
        )]
        (AttrKind::Int, AttrValue::Int(int)) if !attr.range.contains(*int as f64) => {
            out_of_range(int.to_string(), attr.range.to_string())
        }
        (AttrKind::Float, AttrValue::Float(float)) if !attr.range.contains(*float) => {
            let accepted = if float.is_finite() { "" } else { "a finite number, " };
            out_of_range(float.to_string(), format!("{accepted}{}", attr.range))
        }
        (AttrKind::Int, AttrValue::Int(_)) | (AttrKind::Float, AttrValue::Float(_)) => Ok(()),
        (kind, value) => {
            let (expected, found) = (kind.words(), value.words());
            Err(ErrorKind::AttrKind { attr: attr.name, expected, found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{check_value, known_attr, windows_of};
    use crate::facts::error::{Error, ErrorKind};
    use crate::facts::schema::{
        AXES, AttrDefault, AttrKind, AttrRange, AttrSchema, AttrValue, NanPolicy, OpSchema,
    };
    use crate::facts::window::Window;

    const fn attr(name: &'static str, window: Window) -> AttrSchema {
        AttrSchema::new(name, AttrKind::Int, AttrDefault::Int(0), AttrRange::ALL, window)
    }

    /// An operator with attributes of one version, of versions that touch, and of versions that do not.
    const SCHEMA: OpSchema = OpSchema {
        name: "Op",
        summary: "",
        versions: &[1, 2, 3, 4, 6],
        last: None,
        dtypes: &[],
        attrs: &[
            AttrSchema::new(
                AXES,
                AttrKind::Input,
                AttrDefault::All,
                AttrRange::ALL,
                Window::since(1),
            ),
            attr("k", Window::span(1, 1)),
            attr("k", Window::span(2, 2)),
            attr("k", Window::span(4, 5)),
            attr("other", Window::span(1, 9)),
            attr("k", Window::since(6)),
        ],
        nan: NanPolicy::Unspecified,
        commutative: true,
        emits: &[],
    };

    #[test]
    fn windows_that_touch_are_one() {
        let windows = windows_of(&SCHEMA, |attr| attr.name == "k");
        assert_eq!(windows, [Window::span(1, 2), Window::since(4)]);
        assert_eq!(windows_of(&SCHEMA, |attr| attr.name == "none"), []);
    }

    #[test]
    fn what_is_not_finite_is_said() {
        let range = AttrRange { low: Some(0.0), high: None };
        let window = Window::since(1);
        let attr = AttrSchema::new("p", AttrKind::Float, AttrDefault::Float(1.0), range, window);
        let says = |value: f64| {
            let problem = check_value(&attr, &AttrValue::Float(value)).expect_err("out of range");
            Error::from(problem).to_string().contains("a finite number, at least 0")
        };
        assert_eq!([f64::INFINITY, f64::NAN, -1.0].map(says), [true, true, false]);
    }

    #[test]
    fn only_axes_are_an_input() {
        let version = SCHEMA.at(3).expect("a version of it");
        let elsewhere = known_attr(&SCHEMA, &version, "k").expect_err("between its windows");
        assert!(matches!(elsewhere, ErrorKind::AttrOfOtherVersion { input_here: false, .. }));
    }
}
