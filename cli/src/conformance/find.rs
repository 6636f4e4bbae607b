//! Where the tests are: folders of a fixed layout, at any depth.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, reason};

/// A test: a folder with a model and data sets.
pub(super) struct Case {
    /// The folder's path from where the search began.
    pub(super) name: String,
    dir: PathBuf,
}

/// One set of inputs with the outputs expected.
pub(super) struct DataSet(PathBuf);

const MODEL: &str = "model.onnx";

/// The result of a search.
#[derive(Default)]
pub(super) struct Found {
    /// The tests, in the order of their names.
    pub(super) cases: Vec<Case>,
    /// Folders that cannot be read, by name, and why.
    pub(super) unreadable: Vec<(String, Error)>,
}

/// Every test at or below a folder.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn cases(root: &Path) -> Result<Found, Error> {
    let mut found = Found::default();
    let mut pending = vec![root.to_owned()];
    while let Some(dir) = pending.pop() {
        // Resolves `.`, which has no name.
        let full = fs::canonicalize(&dir).unwrap_or_else(|_| dir.clone());
        let is_test = full.file_name().is_some_and(|name| is_named(name, "test_"));
        let path = dir.strip_prefix(root).unwrap_or(&dir);
        let path = if path.as_os_str().is_empty() { &dir } else { path };
        let name = path.display().to_string();
        if is_test && is_there(&dir.join(MODEL)) {
            found.cases.push(Case { name, dir });
            continue;
        }
        match folders(&dir) {
            Ok(inner) => pending.extend(inner),
            Err(error) if dir == root => return Err(error),
            Err(error) => found.unreadable.push((name, error)),
        }
    }
    found.cases.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    found.unreadable.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// Whether there is anything of this path, be it a file or not, or whether that cannot be said.
fn is_there(path: &Path) -> bool {
    let found = fs::symlink_metadata(path);
    found.map_or_else(|error| error.kind() != io::ErrorKind::NotFound, |_| true)
}

impl Case {
    pub(super) fn model(&self) -> PathBuf {
        self.dir.join(MODEL)
    }

    /// The data sets, in the order of their names.
    pub(super) fn data_sets(&self) -> Result<Vec<DataSet>, Error> {
        let is_set =
            |path: &PathBuf| path.file_name().is_some_and(|name| is_named(name, "test_data_set_"));
        let mut sets: Vec<PathBuf> = folders(&self.dir)?.into_iter().filter(is_set).collect();
        sets.sort_unstable();
        Ok(sets.into_iter().map(DataSet).collect())
    }
}

impl DataSet {
    pub(super) fn name(&self) -> String {
        self.0.file_name().unwrap_or_default().display().to_string()
    }

    /// The files `input_0.pb`, `input_1.pb` and so on, or those of `output`.
    pub(super) fn files(&self, kind: &str) -> Vec<PathBuf> {
        let path = |index| self.0.join(format!("{kind}_{index}.pb"));
        (0u32..).map(path).take_while(|path| is_there(path)).collect()
    }
}

fn is_named(name: &OsStr, prefix: &str) -> bool {
    name.to_string_lossy().starts_with(prefix)
}

/// The folders in a folder. Links are not followed: they may lead in circles.
fn folders(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let cannot = |error: io::Error| Error::at(dir, format!("cannot be read: {}", reason(&error)));
    let mut folders = Vec::new();
    for entry in fs::read_dir(dir).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        if entry.file_type().map_err(cannot)?.is_dir() {
            folders.push(entry.path());
        }
    }
    Ok(folders)
}
