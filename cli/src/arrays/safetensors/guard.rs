//! A guard in front of `safetensors`. It refuses headers that do not fit in their files, and numbers so large that sums
//! of them would overflow there.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::words::quoted;

/// Bytes of the length in front.
pub(super) const LENGTH: usize = 8;

/// Bytes of the longest header, also that of `safetensors`.
const LONGEST: u64 = 100_000_000;

/// Digits of the longest number: no file has more bytes.
const DIGITS: usize = 18;

/// That the file begins with a header that is safe to parse. Its text.
pub(super) fn check(file: &[u8]) -> Result<&[u8], String> {
    let none =
        || "is no safetensors file: it does not begin with the length of its header".to_owned();
    let (length, rest) = file.split_first_chunk::<LENGTH>().ok_or_else(none)?;
    let length = u64::from_le_bytes(*length);
    if length > LONGEST {
        return Err(format!("its header says {length} bytes; {LONGEST} are allowed"));
    }
    let header = usize::try_from(length).ok().and_then(|length| rest.get(..length));
    let header = header
        .ok_or_else(|| format!("its header says {length} bytes, and {} follow", rest.len()))?;
    if !header.starts_with(b"{") {
        return Err(none());
    }
    check_numbers(header)?;
    Ok(header)
}

/// That no number outside of strings is too long.
fn check_numbers(header: &[u8]) -> Result<(), String> {
    let (mut is_string, mut is_escaped, mut digits) = (false, false, 0);
    for &byte in header {
        digits = if byte.is_ascii_digit() && !is_string { digits + 1 } else { 0 };
        if digits > DIGITS {
            return Err("its header has a size that no file has".to_owned());
        }
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            _ => {}
        }
    }
    Ok(())
}

/// That no two tensors have one name: a reader would take one of them, and not say which.
///
/// A header that is not JSON is for others to refuse.
pub(super) fn check_names(header: &[u8]) -> Result<(), String> {
    let mut reader = serde_json::Deserializer::from_slice(header);
    match reader.deserialize_map(Names) {
        Ok(Some(name)) => Err(format!("has two tensors named {}; save it anew", quoted(&name))),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// Finds a name that is there twice, whatever escapes it is written with.
struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensors by their names")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Option<String>, M::Error> {
        let (mut names, mut twice) = (HashSet::new(), None);
        while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            if let Some(name) = names.replace(name) {
                twice.get_or_insert(name);
            }
        }
        Ok(twice)
    }
}

#[cfg(test)]
mod tests {
    use super::{check, check_names};

    #[test]
    fn names_are_there_once() {
        for (header, name) in [
            (r#"{"a": 1, "b": {"a": 2, "b": 3}, "c": []}"#, None),
            (r#"{"a": 1, "b": 2, "a": 3}"#, Some("a")),
            (r#"{"a": 1, "\u0061": 2}"#, Some("a")),
            (r#"{"__metadata__": {}, "__metadata__": {}}"#, Some("__metadata__")),
            (r#"{"a": 1, "a""#, None),
        ] {
            let found = check_names(header.as_bytes());
            let expected = name.map(|name| format!("has two tensors named `{name}`; save it anew"));
            assert_eq!(found.err(), expected, "{header}");
        }
    }

    fn file(header: &str) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat()
    }

    #[test]
    fn headers_are_held_against_the_file() {
        let digits = "1".repeat(19);
        assert!(check(&file("{}")).is_ok());
        assert!(check(&file(&format!(r#"{{"a\"{digits}": 1}}"#))).is_ok(), "a name");
        assert!(check(&file(&format!(r#"{{"a": [{digits}]}}"#))).is_err());
        assert!(check(&file("[]")).is_err());
        assert!(check(&[1, 0, 0]).is_err());
        let mut longer = file("{}");
        longer[0] = 3;
        assert_eq!(check(&longer), Err("its header says 3 bytes, and 2 follow".to_owned()));
        longer[7] = 1;
        assert!(check(&longer).expect_err("too long").contains("are allowed"));
    }
}
