//! Results as text, or in files.

use std::path::Path;

use reduce_core::AnyTensor;

use crate::arrays::{self, Folder, Format, no_format};
use crate::display;
use crate::error::{Error, one_line};
use crate::place::Place;

/// One result.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) tensor: AnyTensor,
}

/// Where results go, looked at before they are there.
pub(super) enum Output<'a> {
    /// A file, whose place is claimed.
    File(&'a Path, Format, Place),
    /// A folder, in which each result has a place.
    Folder(Folder),
}

impl<'a> Output<'a> {
    /// Claims places for results of these names. There must be a single result if the file has no names.
    pub(super) fn claim(path: &'a Path, names: &[String]) -> Result<Self, Error> {
        let results = names.len();
        if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            let outer = path.parent().filter(|outer| !outer.as_os_str().is_empty());
            return match outer.is_none_or(Path::is_dir) {
                true => Folder::claim(path, names.iter().map(String::as_str)).map(Output::Folder),
                false => {
                    Err(Error::at(path, "cannot be written: there is no folder to make it in"))
                }
            };
        }
        if results > 1 && Format::of(path) == Some(Format::Npy) {
            let problem = format!(
                "takes one result, and there are {results}; name a file .npz or .safetensors, or a folder"
            );
            return Err(Error::at(path, problem));
        }
        let place = Place::new(path)?;
        let format = match Format::of(path) {
            Some(format) => format,
            None if place.is_stream() && results == 1 => Format::Npy,
            None if place.is_stream() => Format::Npz,
            None => {
                let problem = no_format(path, "written") + ", and a folder, such as results/";
                return Err(Error::at(path, problem));
            }
        };
        Ok(Output::File(path, format, place))
    }
}

/// The text to print: of one result without its name.
pub(super) fn show(output: Option<Output<'_>>, results: &[Named]) -> Result<String, Error> {
    let heading = |result: &Named| match results.len() {
        1 => display::heading(&result.tensor),
        _ => format!("{}: {}", result.name, display::heading(&result.tensor)),
    };
    let wrote = |path: &Path, headings: String| {
        one_line(&format!("wrote {}: {headings}", path.display())) + "\n"
    };
    match output {
        None => {
            let shown = |result| heading(result) + "\n" + &display::elements(&result.tensor);
            Ok(results.iter().map(shown).collect())
        }
        Some(Output::File(path, format, place)) => {
            let named: Vec<_> =
                results.iter().map(|result| (result.name.clone(), &result.tensor)).collect();
            let is_output = place.is_output();
            arrays::write(place, format, &named)?;
            if is_output {
                return Ok(String::new());
            }
            Ok(wrote(path, results.iter().map(heading).collect::<Vec<_>>().join("; ")))
        }
        Some(Output::Folder(folder)) => {
            let mut text = String::new();
            for (number, Named { tensor, .. }) in results.iter().enumerate() {
                text += &wrote(folder.fill(number, tensor)?, display::heading(tensor));
            }
            folder.put()?;
            Ok(text)
        }
    }
}
