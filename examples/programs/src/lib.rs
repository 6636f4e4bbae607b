//! The programs of this package share some helpers: an error that prints as its sentence, sizes from the command line,
//! rows of CSV, and numbers that look random.

use std::fmt::{self, Debug, Display, Formatter};
use std::ops::RangeInclusive;

/// Why a program stopped. A `main` that returns it prints the sentence, and not a structure; `anyhow::Error` does the same.
pub struct Failure(String);

impl Failure {
    /// Says the same of a place.
    #[must_use]
    pub fn at(self, place: impl Display) -> Self {
        Failure(format!("{place}: {}", self.0))
    }
}

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(error.to_string())
    }
}

impl Debug for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The argument at a place of the command line, from 1 on, which is a number of something; or the default.
///
/// # Errors
/// If it is no such number.
pub fn size(
    place: usize,
    what: &str,
    default: usize,
    allowed: RangeInclusive<usize>,
) -> Result<usize, Failure> {
    let Some(text) = std::env::args().nth(place) else { return Ok(default) };
    match text.parse() {
        Ok(size) if allowed.contains(&size) => Ok(size),
        _ => {
            let (least, most) = allowed.into_inner();
            Err(format!("`{text}` {what}; write a number from {least} to {most}").into())
        }
    }
}

/// Numbers around 0 of deviation 1, nearly as those of a normal distribution: the same for the same seed.
pub fn noise(seed: u32) -> impl Iterator<Item = f32> {
    let mut state = seed;
    let mut uniform = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1u32 << 24) as f32
    };
    std::iter::repeat_with(move || (0..12).map(|_| uniform()).sum::<f32>() - 6.0)
}

/// Appends the numbers of a line of CSV, which stand behind a label; a field without one gives NaN.
///
/// # Errors
/// If a field is no number, or there are more or fewer than there are columns. The message says the number of the line.
pub fn append_row(
    row: &mut Vec<f64>,
    line: &str,
    number: usize,
    columns: usize,
) -> Result<(), Failure> {
    let fields = line.split(',').skip(1).map(str::trim);
    let found = fields.clone().count();
    if found != columns {
        return Err(format!(
            "line {number}: {found} values behind the label, where the first line names {columns}"
        )
        .into());
    }
    for field in fields {
        let value = if field.is_empty() { Ok(f64::NAN) } else { field.parse() };
        row.push(value.map_err(|_| format!("line {number}: `{field}` is no number"))?);
    }
    Ok(())
}
