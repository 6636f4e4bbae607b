//! A source names a file and an array in it: `x.npy`, `x.npz:name`, `x.safetensors:name`, or `-`, the standard input.

use std::path::{Path, PathBuf};

use crate::files;
use crate::words::quoted;

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Npy,
    Npz,
    Safetensors,
}

impl Format {
    /// Bytes of a file's beginning that tell its format.
    pub(super) const TOLD_BY: usize = 9;

    /// The format that a file's name ends with, if that is a known one.
    pub(crate) fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "npy" => Some(Format::Npy),
            "npz" => Some(Format::Npz),
            "safetensors" => Some(Format::Safetensors),
            _ => None,
        }
    }

    /// The format that a file begins as, if that is a known one.
    pub(super) fn begun(bytes: &[u8]) -> Option<Format> {
        match bytes {
            [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => Some(Format::Npy),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Format::Npz),
            // The length of a header, which is never long, and the header.
            [_, _, _, _, 0, 0, 0, 0, b'{', ..] => Some(Format::Safetensors),
            _ => None,
        }
    }
}

/// That a file's name does not end with a known format.
pub(crate) fn no_format(path: &Path, done: &str) -> String {
    let ending = path.extension().map(|ending| quoted(&format!(".{}", ending.display())));
    let what = match ending {
        Some(ending) => format!("ends with {ending}, which is not {done}"),
        None => format!("has no ending that says how it is {done}"),
    };
    format!("{what}; .npy, .npz and .safetensors are")
}

/// A file, and which of its arrays, if that is said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) member: Option<String>,
}

impl Source {
    /// Reads an argument. A file of just that name comes first, whatever colons are in it. Otherwise the argument is
    /// split at the first colon behind the name of a file with members. The rest is the name of a member.
    pub(crate) fn of(given: &Path) -> Source {
        let whole = Source { path: given.to_owned(), member: None };
        let Some(text) = given.to_str().filter(|_| !given.exists()) else { return whole };
        let colons = text.match_indices(':').map(|(place, _)| text.split_at(place));
        let has_members = |(path, _): &(&str, &str)| {
            files::is_input(Path::new(path))
                || !matches!(Format::of(Path::new(path)), None | Some(Format::Npy))
        };
        match colons.into_iter().find(has_members) {
            Some((path, name)) => Source { path: path.into(), member: Some(name[1..].to_owned()) },
            None => whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Format, Source, no_format};

    #[test]
    fn formats_by_name_and_by_content() {
        let of = |text: &str| Format::of(Path::new(text));
        assert_eq!(
            (of("a.NPY"), of("a.npz"), of("-")),
            (Some(Format::Npy), Some(Format::Npz), None)
        );
        let no = |text: &str| no_format(Path::new(text), "read");
        assert_eq!(
            no("t.parquet"),
            "ends with `.parquet`, which is not read; .npy, .npz and .safetensors are"
        );
        assert_eq!(
            no("t"),
            "has no ending that says how it is read; .npy, .npz and .safetensors are"
        );
        assert_eq!(Format::begun(b"\x93NUMPY\x01\x00"), Some(Format::Npy));
        assert_eq!(Format::begun(b"PK\x03\x04"), Some(Format::Npz));
        assert_eq!(Format::begun(&[8, 0, 0, 0, 0, 0, 0, 0, b'{']), Some(Format::Safetensors));
        assert_eq!(Format::begun(b"{\"a\": [{"), None);
        assert_eq!(Format::begun(b""), None);
    }

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
        assert_eq!((of("-"), of("-:w")), (("-".to_owned(), None), found("-", "w")));
    }
}
