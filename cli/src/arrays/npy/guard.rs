//! Before `npyz`: headers that it would answer with a panic, or hardly ever.
//!
//! Its grammar takes any Python literal, in time exponential in the depth of
//! nesting, and its product of sizes may overflow. The header of a plain array
//! is a dictionary of two strings, a boolean and one tuple of sizes; anything
//! far from that is refused here, from the characters alone.

use std::fmt::Display;

/// numpy refuses longer ones, for the same reason.
const LONGEST: usize = 10_000;
/// Bytes of the longest header that is read, with what stands before its text.
pub(super) const MOST: usize = LONGEST + 16;
/// Brackets may nest up to this deep. That is enough for a structured type of structured types, so that the
/// refusal can name it.
const DEEPEST: usize = 8;
const MAGIC: &[u8] = b"\x93NUMPY";

/// The text of the file's header, if it is safe to parse.
pub(super) fn check(file: &[u8]) -> Result<&str, String> {
    let text = header(file)?;
    if text.len() > LONGEST {
        return Err(too_long(text.len()));
    }
    let text = std::str::from_utf8(text).map_err(|_| "its header is not text".to_owned())?;
    let bare = outside_of_strings(text)?;
    check_depth(&bare)?;
    check_sizes(&bare)?;
    Ok(text)
}

fn too_long(length: impl Display) -> String {
    format!("its header has {length} bytes; NumPy allows {LONGEST}")
}

/// The text of the header.
fn header(file: &[u8]) -> Result<&[u8], String> {
    let rest = file.strip_prefix(MAGIC).ok_or_else(|| {
        "is no `.npy` file: it does not begin with NumPy's magic bytes".to_owned()
    })?;
    let cut = || "is cut off within its header".to_owned();
    let (&[major, minor], rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let (length, rest) = match (major, minor) {
        (1, 0) => {
            rest.split_first_chunk().map(|(size, rest)| (u16::from_le_bytes(*size).into(), rest))
        }
        (2 | 3, 0) => {
            rest.split_first_chunk().map(|(size, rest)| (u32::from_le_bytes(*size), rest))
        }
        _ => return Err(format!("has format version {major}.{minor}; 1.0 to 3.0 are known")),
    }
    .ok_or_else(cut)?;
    let text = usize::try_from(length).ok().and_then(|length| rest.get(..length));
    // Where there are as many bytes as the longest takes, it is not the file that is too short.
    let is_too_long = file.len() >= MOST;
    text.ok_or_else(|| if is_too_long { too_long(length) } else { cut() })
}

/// The header with its strings left out.
fn outside_of_strings(text: &str) -> Result<String, String> {
    // An escape or a triple quote would need a whole parser to be followed.
    if ["\\", "'''", "\"\"\""].iter().any(|odd| text.contains(odd)) {
        return Err("its header has a string that NumPy does not write".to_owned());
    }
    let mut quote = None;
    let mut bare = String::new();
    for c in text.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (None, _) => bare.push(c),
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
        }
    }
    Ok(bare)
}

fn check_depth(bare: &str) -> Result<(), String> {
    let mut depth = 0usize;
    for c in bare.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err("its header is nested too deeply for an array of numbers".to_owned());
        }
    }
    Ok(())
}

/// Whether all numbers are plain, not negative, and have a product that fits.
fn check_sizes(bare: &str) -> Result<(), String> {
    let is_word = |c: char| c.is_alphanumeric() || "_.+-".contains(c);
    let words = bare.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    let mut product = 1u64;
    for word in words.filter(|word| !["True", "False"].contains(word)) {
        if word.starts_with('-') {
            return Err(format!("its header has the negative size {word}"));
        }
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("its header has `{word}` where a size belongs"));
        }
        let size = word.parse::<u64>().ok();
        product = size
            .and_then(|size| product.checked_mul(size.max(1)))
            .ok_or_else(|| format!("its sizes, {word} among them, are more than any file has"))?;
    }
    Ok(())
}
