//! The outputs of a model: printed, or each in a file of its name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::value::Value;
use crate::error::{Error, one_line, reason};
use crate::place::Place;
use crate::{arrays, display};

/// Type, shape and elements of each, its name first.
pub(super) fn printed<'m>(
    names: impl Iterator<Item = &'m str>,
    results: &[Value],
) -> Result<String, Error> {
    let mut text = String::new();
    for (name, value) in names.zip(results) {
        let tensor = value.tensor().map_err(|problem| about(name, &problem))?;
        let heading = display::heading(&tensor);
        text.push_str(&one_line(&format!("{name}: {heading}")));
        text.push('\n');
        text.push_str(&display::elements(&tensor));
    }
    Ok(text)
}

fn about(name: &str, problem: &str) -> Error {
    Error::new(format!("output `{name}`: {problem}"))
}

/// Places for all outputs.
#[derive(Debug)]
pub(super) struct Outputs(Vec<(PathBuf, Place)>);

impl Outputs {
    /// Claims a place for each, in a folder that is there or is made.
    ///
    /// # Errors
    /// If one cannot be written to.
    pub(super) fn claim<'m>(
        folder: &Path,
        names: impl Iterator<Item = &'m str>,
    ) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|error| {
            Error::at(folder, format!("cannot be made a folder: {}", reason(&error)))
        })?;
        let claim = |name: String| {
            let path = folder.join(name);
            Place::new(&path).map(|place| (path, place))
        };
        Ok(Outputs(file_names(names).into_iter().map(claim).collect::<Result<_, Error>>()?))
    }

    /// Writes all, and only then puts them where they belong. What is printed says so.
    ///
    /// # Errors
    /// If one cannot be written. Then all files are as they were, unless it was found at the last moment.
    pub(super) fn write<'m>(
        self,
        names: impl Iterator<Item = &'m str>,
        results: &[Value],
    ) -> Result<String, Error> {
        let mut text = String::new();
        for (((path, place), name), value) in self.0.iter().zip(names).zip(results) {
            let tensor = value.tensor().map_err(|problem| about(name, &problem))?;
            arrays::fill(place, &tensor)?;
            let heading = display::heading(&tensor);
            text.push_str(&one_line(&format!("wrote {name} to {}: {heading}", path.display())));
            text.push('\n');
        }
        for (_, place) in self.0 {
            place.put()?;
        }
        Ok(text)
    }
}

/// Names of files for names of outputs, which may hold anything: letters, digits, `-`, `_` and dots stay,
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
