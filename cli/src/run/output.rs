//! Results as text, or in files.

use std::path::Path;

use reduce_core::AnyTensor;

use crate::error::{Error, one_line};
use crate::place::Place;
use crate::{display, npy};

/// One result.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) tensor: AnyTensor,
}

/// Where results go, claimed before they are there.
pub(super) struct Output<'a> {
    path: &'a Path,
    place: Place,
}

impl<'a> Output<'a> {
    /// Claims the place of a file.
    pub(super) fn claim(path: &'a Path) -> Result<Self, Error> {
        Ok(Output { path, place: Place::new(path)? })
    }
}

/// The text to print: of one result without its name.
pub(super) fn show(output: Option<Output<'_>>, results: &[Named]) -> Result<String, Error> {
    let heading = |result: &Named| match results.len() {
        1 => display::heading(&result.tensor),
        _ => format!("{}: {}", result.name, display::heading(&result.tensor)),
    };
    let Some(Output { path, place }) = output else {
        let shown = results
            .iter()
            .map(|result| format!("{}\n{}", heading(result), display::elements(&result.tensor)));
        return Ok(shown.collect());
    };
    let [result] = results else {
        let number = results.len();
        let problem = format!("takes one result, and there are {number}; name one operator of one");
        return Err(Error::at(path, problem));
    };
    npy::write(place, path, &result.tensor)?;
    Ok(one_line(&format!("wrote {}: {}", path.display(), heading(result))) + "\n")
}
