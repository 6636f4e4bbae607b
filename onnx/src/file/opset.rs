//! The opset that a graph or a function runs under.

use reduce_specs::ONNX;

use super::proto::OperatorSetIdProto;
use crate::error::{Error, ErrorKind};

/// That there is such an opset, among those that are known.
///
/// # Errors
/// If there is not.
pub(crate) fn check_opset(opset: u32) -> Result<(), Error> {
    let known = ONNX.check_opset(opset);
    known.map(|_| ()).map_err(|error| Error::new(ErrorKind::Opset, error.to_string()))
}

/// Whether a domain is that of the standard, by either of its names.
pub(crate) fn is_standard(domain: &str) -> bool {
    domain.is_empty() || domain == "ai.onnx"
}

/// The domain, by the shorter of the two names of the standard's.
pub(crate) fn standard_name(domain: &str) -> &str {
    if is_standard(domain) { "" } else { domain }
}

/// The opset of the standard domain that is imported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opset {
    /// The one whose rules are applied.
    pub(crate) number: u32,
    /// The one that is imported, if it is newer than those that are known.
    pub(crate) newer: Option<i64>,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoOpset {
    Missing,
    /// No opset of this number was ever made.
    OutOfRange(i64),
}

/// The opset of a domain among the imports. Of several, the standard takes the highest.
pub(crate) fn imported(imports: &[OperatorSetIdProto], domain: &str) -> Option<i64> {
    let of_domain =
        |import: &&OperatorSetIdProto| standard_name(&import.domain) == standard_name(domain);
    imports.iter().filter(of_domain).map(|import| import.version).max()
}

impl Opset {
    /// The opset among the imports. Before version 3 of the format a model imports none, and its opset
    /// is 1.
    pub(crate) fn of(
        imports: &[OperatorSetIdProto],
        ir_version: Option<i64>,
    ) -> Result<Opset, NoOpset> {
        let Some(number) = imported(imports, "") else {
            let is_old = ir_version.is_some_and(|version| (1..3).contains(&version));
            return match imports.is_empty() && is_old {
                true => Ok(Opset { number: 1, newer: None }),
                false => Err(NoOpset::Missing),
            };
        };
        let newest = ONNX.newest();
        match u32::try_from(number) {
            Ok(number) if ONNX.check_opset(number).is_ok() => Ok(Opset { number, newer: None }),
            _ if number > i64::from(newest) => Ok(Opset { number: newest, newer: Some(number) }),
            _ => Err(NoOpset::OutOfRange(number)),
        }
    }
}

impl NoOpset {
    /// What is wrong, and what to do.
    pub(crate) fn sentence(&self) -> (String, String) {
        let newest = ONNX.newest();
        match self {
            NoOpset::Missing => (
                "no opset of the standard domain is imported".to_owned(),
                format!("add one to opset_import, 1..={newest}: it selects the versions"),
            ),
            NoOpset::OutOfRange(number) => {
                (format!("opset {number} does not exist"), format!("import one of 1..={newest}"))
            }
        }
    }

    /// The code that programs know it by.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            NoOpset::Missing => "no-opset-import",
            NoOpset::OutOfRange(_) => "opset-out-of-range",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoOpset, OperatorSetIdProto, Opset};

    #[test]
    fn the_standard_domain_has_two_names() {
        let of = |imports: &[(&str, i64)], ir_version| {
            let import = |&(domain, version): &(&str, i64)| OperatorSetIdProto {
                domain: domain.to_owned(),
                version,
            };
            let imports: Vec<_> = imports.iter().map(import).collect();
            Opset::of(&imports, ir_version)
        };
        let known = |number| Ok(Opset { number, newer: None });
        assert_eq!(of(&[("x", 3), ("", 13)], Some(8)), known(13));
        assert_eq!(of(&[("ai.onnx", 18), ("", 18)], None), known(18));
        assert_eq!(of(&[("", 999)], None), Ok(Opset { number: 28, newer: Some(999) }));
        assert_eq!(of(&[("", 0)], None), Err(NoOpset::OutOfRange(0)));
        assert_eq!(of(&[("", -1)], None), Err(NoOpset::OutOfRange(-1)));
        for two in [[("", 13), ("ai.onnx", 18)], [("", 18), ("", 13)], [("", -1), ("", 18)]] {
            assert_eq!(of(&two, None), known(18), "{two:?}");
        }
        assert_eq!(of(&[("", 999), ("", 13)], None), Ok(Opset { number: 28, newer: Some(999) }));
        assert_eq!(of(&[("x", 3)], Some(2)), Err(NoOpset::Missing));
        assert_eq!(of(&[], Some(3)), Err(NoOpset::Missing));
        assert_eq!(of(&[], None), Err(NoOpset::Missing));
        assert_eq!(of(&[], Some(2)), known(1));
    }
}
