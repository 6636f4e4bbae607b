//! A folder of `.npy` files, one for each result: all of them are written, or none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use reduce_core::AnyTensor;

use super::npy;
use crate::error::{Error, reason};
use crate::place::Place;
use crate::signals::{self, Doomed};

/// Places for results in a folder. A folder that was made for them goes again if none was put there.
#[derive(Debug)]
pub(crate) struct Folder {
    // Dropped before the folder, which is empty then.
    places: Vec<(PathBuf, Place)>,
    _made: Option<Made>,
}

/// A folder that was made.
#[derive(Debug)]
struct Made {
    path: PathBuf,
    _doomed: Doomed,
}

impl Drop for Made {
    fn drop(&mut self) {
        // One that is not empty stays.
        let _ = fs::remove_dir(&self.path);
    }
}

impl Folder {
    /// Claims a place for each name, in a folder that is there or is made.
    ///
    /// # Errors
    /// If one cannot be written to.
    pub(crate) fn claim<'n>(
        folder: &Path,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Self, Error> {
        let doomed = (!folder.is_dir()).then(|| signals::remove_at_the_end(folder));
        fs::create_dir_all(folder).map_err(|error| {
            Error::at(folder, format!("cannot be made a folder: {}", reason(&error)))
        })?;
        let made = doomed.map(|_doomed| Made { path: folder.to_owned(), _doomed });
        let claim = |name: String| {
            let path = folder.join(name);
            Place::new(&path).map(|place| (path, place))
        };
        let places = file_names(names).into_iter().map(claim).collect::<Result<_, Error>>()?;
        Ok(Folder { places, _made: made })
    }

    /// Writes the result of a number beside its place. The path that it will have.
    pub(crate) fn fill(&self, number: usize, tensor: &AnyTensor) -> Result<&Path, Error> {
        let (path, place) = &self.places[number];
        place.fill(|file| npy::write(file, tensor))?;
        Ok(path)
    }

    /// Puts all results where they belong.
    ///
    /// # Errors
    /// If one cannot be put there, as is found at the last moment; those before it are there then.
    pub(crate) fn put(self) -> Result<(), Error> {
        self.places.into_iter().try_for_each(|(_, place)| place.put())
    }
}

/// Names of files for names of results, which may hold anything: letters, digits, `-`, `_` and dots stay,
/// and all else becomes `_`. No two are the same, not even where capitals are not told from small letters.
fn file_names<'m>(names: impl Iterator<Item = &'m str>) -> Vec<String> {
    /// Bytes of a name; file systems have names of up to 255.
    const LONGEST: usize = 180;
    let mut taken = BTreeSet::new();
    let mut number = 1;
    let mut safe = Vec::new();
    for name in names {
        let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let mut base: String = name.chars().map(kept).collect();
        while base.len() > LONGEST {
            base.pop();
        }
        if base.is_empty() || base.starts_with('.') {
            base.insert(0, '_');
        }
        let mut file = format!("{base}.npy");
        while !taken.insert(file.to_lowercase()) {
            number += 1;
            file = format!("{base}_{number}.npy");
        }
        safe.push(file);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::file_names;

    #[test]
    fn names_are_safe_and_differ() {
        let names = ["y", "a/b", "a\\b", "../up", "", "Y", "y", "t\n", "x:0", "é"];
        let expected = [
            "y.npy",
            "a_b.npy",
            "a_b_2.npy",
            "_.._up.npy",
            "_.npy",
            "Y_3.npy",
            "y_4.npy",
            "t_.npy",
            "x_0.npy",
            "é.npy",
        ];
        assert_eq!(file_names(names.into_iter()), expected);
        let long = ["n".repeat(1000), "n".repeat(1001)];
        let long = file_names(long.iter().map(String::as_str));
        assert!(long.iter().all(|name| name.len() < 200) && long[0] != long[1], "{long:?}");
    }
}
