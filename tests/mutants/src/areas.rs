//! What is mutated: areas, each of some files and folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A part of the workspace that the table of results has a row for.
#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) name: &'static str,
    /// Files and folders, from the root of the workspace.
    pub(crate) paths: &'static [&'static str],
}

const fn area(name: &'static str, paths: &'static [&'static str]) -> Area {
    Area { name, paths }
}

/// All of them. Code that works on each element by itself is left out. A switch would make it slow, and every test
/// sees most of what it computes.
pub(crate) const AREAS: [Area; 10] = [
    area("plan", &["reduce-core/src/plan"]),
    area("order", &["reduce-core/src/facts/order.rs", "reduce-core/src/backend/order.rs"]),
    area("tasks", &["reduce-core/src/kernel/walk", "reduce-core/src/kernel/block.rs"]),
    area("merge", &["reduce-core/src/front/stream", "reduce-core/src/kernel/fold/combine.rs"]),
    area("axes", &["reduce-core/src/facts/axes.rs", "reduce-core/src/model/axes.rs"]),
    area(
        "masks",
        &[
            "reduce-core/src/kernel/chosen",
            "reduce-core/src/front/chosen",
            "reduce-core/src/values/chooser.rs",
        ],
    ),
    area("groups", &["reduce-core/src/front/groups", "reduce-core/src/front/numbering"]),
    area(
        "validation",
        &[
            "reduce-core/src/model/validate.rs",
            "reduce-core/src/model/attrs.rs",
            "reduce-core/src/model/node.rs",
            "reduce-core/src/facts/window.rs",
            "reduce-core/src/facts/schema",
        ],
    ),
    area("conversion", &["reduce-core/src/model/convert.rs"]),
    area(
        "file writing",
        &[
            "cli/src/place",
            "cli/src/signals",
            "cli/src/arrays/npy/write.rs",
            "cli/src/arrays/npy/guard.rs",
            "cli/src/arrays/npz/write.rs",
            "cli/src/arrays/npz/guard.rs",
            "cli/src/arrays/safetensors/write.rs",
            "cli/src/arrays/safetensors/guard.rs",
        ],
    ),
];

impl Area {
    /// Its sources in a copy of the workspace, in order, without those of tests; paths from the root.
    pub(crate) fn files(&self, root: &Path) -> io::Result<Vec<PathBuf>> {
        let mut left: Vec<PathBuf> = self.paths.iter().map(PathBuf::from).collect();
        let mut files = Vec::new();
        while let Some(path) = left.pop() {
            if path.ends_with("tests") || path.ends_with("tests.rs") {
                continue;
            }
            if root.join(&path).is_dir() {
                for entry in fs::read_dir(root.join(&path))? {
                    left.push(path.join(entry?.file_name()));
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}
