//! Which array of which file is meant: `x.npy`, `x.npz:name` or `x.safetensors:name`.

use std::path::{Path, PathBuf};

use crate::words::quoted;

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Npy,
    Npz,
    Safetensors,
}

impl Format {
    /// The format that a file's name ends with; `.npy` if it ends with no known one.
    pub(crate) fn of(path: &Path) -> Format {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "npz" => Format::Npz,
            "safetensors" => Format::Safetensors,
            _ => Format::Npy,
        }
    }
}

/// A file, and which of its arrays, if that is said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) member: Option<String>,
}

impl Source {
    /// What an argument means. A file of just that name comes first, whatever colons are in it; otherwise a name
    /// stands behind the first colon that has the name of a file with members before it.
    pub(super) fn of(given: &Path) -> Source {
        let whole = Source { path: given.to_owned(), member: None };
        let Some(text) = given.to_str().filter(|_| !given.exists()) else { return whole };
        let colons = text.match_indices(':').map(|(place, _)| text.split_at(place));
        let has_members = |(path, _): &(&str, &str)| Format::of(Path::new(path)) != Format::Npy;
        match colons.into_iter().find(has_members) {
            Some((path, name)) => Source { path: path.into(), member: Some(name[1..].to_owned()) },
            None => whole,
        }
    }
}

/// Names of arrays, for a sentence: as many as can be read.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    /// Names that are shown.
    const MOST: usize = 8;
    let mut names = names.map(quoted);
    let shown: Vec<String> = names.by_ref().take(MOST).collect();
    match names.count() {
        0 => shown.join(", "),
        others => format!("{} and {others} others", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Source, listed};

    #[test]
    fn names_stand_behind_a_colon() {
        let of = |text: &str| {
            let Source { path, member } = Source::of(Path::new(text));
            (path.display().to_string(), member)
        };
        let found = |path: &str, member: &str| (path.to_owned(), Some(member.to_owned()));
        assert_eq!(of("a.npz:w"), found("a.npz", "w"));
        assert_eq!(of("a:b.npz:w:0"), found("a:b.npz", "w:0"));
        assert_eq!(of("C:/a.safetensors:layer.0"), found("C:/a.safetensors", "layer.0"));
        assert_eq!(of("a.npz:"), found("a.npz", ""));
        assert_eq!(of("a.npy:w"), ("a.npy:w".to_owned(), None));
        assert_eq!(of("a.npz"), ("a.npz".to_owned(), None));
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(["a", "b"].into_iter()), "`a`, `b`");
        let names: Vec<String> = (0..20).map(|name| name.to_string()).collect();
        let text = listed(names.iter().map(String::as_str));
        assert!(text.ends_with("`7` and 12 others"), "{text}");
        assert!(listed(["x".repeat(1000).as_str()].into_iter()).len() < 100);
    }
}
