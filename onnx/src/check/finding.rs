//! Problems: what is wrong with a node, where, and what to do about it.

use reduce_core::{Error, ErrorKind};

use super::text::Part;
use crate::file::proto::NodeProto;
use crate::map::Site;
use crate::words::sentence;

/// How grave a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gravity {
    /// The model is wrong.
    Error,
    /// The model may be right; this could not be checked, or only in part.
    Note,
}

/// What is wrong with one node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) gravity: Gravity,
    pub(crate) code: &'static str,
    pub(crate) site: Site,
    /// The version of the operator that governs, if one does.
    pub(crate) version: Option<u32>,
    /// What is wrong.
    pub(crate) fact: String,
    /// What to do instead.
    pub(crate) help: Option<String>,
    /// What else a reader wants to know.
    pub(crate) note: Option<String>,
    pub(crate) part: Part,
    /// A few words that stand under the part.
    pub(crate) label: String,
}

impl Finding {
    /// An error.
    pub(crate) fn new(code: &'static str, site: Site, part: Part, fact: String) -> Self {
        let (gravity, label) = (Gravity::Error, String::new());
        let (version, help, note) = (None, None, None);
        Finding { gravity, code, site, version, fact, help, note, part, label }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The problem of an error that the library finds in a node.
    pub(crate) fn of(error: &Error, site: Site, node: &NodeProto) -> Self {
        let text = sentence(&error.kind().to_string());
        let (fact, help) = split(&text);
        let part = part(error.kind(), node);
        let mut problem = Finding::new(error.code(), site, part, fact.to_owned());
        problem.version = error.version();
        problem.help = help.map(str::to_owned);
        problem.label(label(error.kind(), error.version()))
    }
}

/// A sentence of the library: the fact, then, after a semicolon, the remedy. What is in backticks may be
/// from a file, and have a semicolon of its own.
fn split(sentence: &str) -> (&str, Option<&str>) {
    let mut in_name = false;
    let places = sentence.char_indices().filter(|(_, c)| {
        in_name ^= *c == '`';
        !in_name && *c == ';'
    });
    match places.map(|(place, _)| place).next() {
        Some(place) => (&sentence[..place], Some(sentence[place + 1..].trim_start())),
        None => (sentence, None),
    }
}

/// The part of the node that a mistake is in.
fn part(kind: &ErrorKind, node: &NodeProto) -> Part {
    let named = |name: &str| {
        let mut places = node.attribute.iter().enumerate().filter(|(_, attr)| attr.name == name);
        let last = matches!(kind, ErrorKind::DuplicateAttr { .. });
        let place = if last { places.next_back() } else { places.next() };
        place.map(|(index, _)| Part::Attribute(index))
    };
    let axes = || {
        let attr = named("axes").or_else(|| named("axis"));
        attr.or_else(|| (node.input.len() > 1).then_some(Part::Input(1)))
    };
    let part = match kind {
        ErrorKind::UnknownAttr { attr, .. } => named(attr),
        ErrorKind::AttrOfOtherVersion { attr, .. }
        | ErrorKind::DuplicateAttr { attr }
        | ErrorKind::AttrKind { attr, .. }
        | ErrorKind::AttrRange { attr, .. } => named(attr),
        ErrorKind::NoForm { what: "axes", .. } => axes(),
        ErrorKind::NoForm { what, .. } => named(what),
        ErrorKind::DTypeNotAllowed { .. } => Some(Part::Input(0)),
        ErrorKind::InputOfOtherVersion { .. }
        | ErrorKind::InputDType { .. }
        | ErrorKind::InputRank { .. } => Some(Part::Input(1)),
        ErrorKind::AxisOutOfRange { .. }
        | ErrorKind::DuplicateAxis { .. }
        | ErrorKind::RankTooLarge { .. }
        | ErrorKind::RankMismatch { .. } => axes(),
        _ => None,
    };
    part.unwrap_or(Part::Operator)
}

/// A few words to stand under the part.
fn label(kind: &ErrorKind, version: Option<u32>) -> String {
    let version = version.map_or_else(|| "this version".to_owned(), |v| format!("version {v}"));
    match kind {
        ErrorKind::UnknownAttr { .. } => "unknown".to_owned(),
        ErrorKind::AttrOfOtherVersion { input_here: true, .. } => format!("an input at {version}"),
        ErrorKind::AttrOfOtherVersion { .. } => format!("{version} has no such attribute"),
        ErrorKind::DuplicateAttr { .. } => "given again".to_owned(),
        ErrorKind::AttrKind { found, .. } => (*found).to_owned(),
        ErrorKind::AttrRange { accepted, .. } => format!("expected {accepted}"),
        ErrorKind::DTypeNotAllowed { dtype, .. } => format!("of `{dtype}`"),
        ErrorKind::InputOfOtherVersion { .. } => format!("{version} has no such input"),
        ErrorKind::InputDType { found, .. } => format!("of `{found}`"),
        ErrorKind::InputRank { found, .. } => format!("of rank {found}"),
        ErrorKind::AxisOutOfRange { rank, .. } => format!("the data has rank {rank}"),
        ErrorKind::DuplicateAxis { .. } => "named twice".to_owned(),
        ErrorKind::NoForm { .. } => format!("no form at {version}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_may_have_semicolons() {
        assert_eq!(split("a; b; c"), ("a", Some("b; c")));
        assert_eq!(split("unknown `a; b`; did you"), ("unknown `a; b`", Some("did you")));
        assert_eq!(split("unknown `a; b"), ("unknown `a; b", None));
    }
}
