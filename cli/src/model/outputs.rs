//! The outputs of a model: printed, or each in a file of its name.

use reduce_onnx::{Error as ModelError, Value};

use crate::arrays::Folder;
use crate::display;
use crate::error::{Error, one_line};
use crate::words::plain;

/// Type, shape and elements of each, its name first.
pub(super) fn printed<'m>(
    names: impl Iterator<Item = &'m str>,
    results: &[Value<'_>],
) -> Result<String, Error> {
    let mut text = String::new();
    for (name, value) in names.zip(results) {
        let tensor = value.tensor().map_err(|error| about(name, &error))?;
        let heading = display::heading(&tensor);
        text.push_str(&format!("{}: {heading}", plain(name)));
        text.push('\n');
        text.push_str(&display::elements(&tensor));
    }
    Ok(text)
}

fn about(name: &str, error: &ModelError) -> Error {
    Error::new(format!("output `{name}`: {}", error.sentence()))
}

/// Writes all to the places that are claimed for them. What is printed says so.
///
/// # Errors
/// If one cannot be written. Then all files are as they were, unless it was found at the last moment.
pub(super) fn written<'m>(
    folder: Folder,
    names: impl Iterator<Item = &'m str>,
    results: &[Value<'_>],
) -> Result<String, Error> {
    let mut text = String::new();
    for (number, (name, value)) in names.zip(results).enumerate() {
        let tensor = value.tensor().map_err(|error| about(name, &error))?;
        let path = folder.fill(number, &tensor)?;
        let heading = display::heading(&tensor);
        let path = one_line(&path.display().to_string());
        text.push_str(&format!("wrote {} to {path}: {heading}", plain(name)));
        text.push('\n');
    }
    folder.put()?;
    Ok(text)
}
