//! Chooses the CPU levels that kernels are compiled for. Where nothing is optimised, that is the scalar one alone:
//! vectors are slower than no vectors there, and take most of the time of a build. Otherwise it is all of them.
//! `REDUCE_LEVELS` names others: `all`, `scalar`, or some of those in the table of levels. A level of WebAssembly needs
//! that all of the program is compiled for its features: an engine without them would refuse the program.
//!
//! It also says whether the workspace's pages are beside this crate, so that their examples can be tested: a package
//! that cargo made of the crate alone has none.

use std::collections::BTreeSet;
use std::path::Path;

/// The crate's own table.
#[path = "src/facts/level_table.rs"]
mod level_table;

/// A row of the table.
struct Row {
    name: &'static str,
    narrow: &'static str,
    arch: &'static str,
    features: &'static [&'static str],
}

/// Lists the rows of the table.
macro_rules! list {
    ($(
        $(#[$doc:meta])*
        $level:ident {
            name: $name:literal, module: $module:ident, narrow: $narrow:ident,
            arch: $arch:literal, detect: $detect:ident, features: [$($feature:tt),+],
        }
    )+) => {
        const LEVELS: &[Row] = &[$(
            Row { name: $name, narrow: stringify!($narrow), arch: $arch, features: &[$($feature),+] }
        ),+];
    };
}

level_table::for_levels!(list);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/facts/level_table.rs");
    println!("cargo::rerun-if-env-changed=REDUCE_LEVELS");
    println!("cargo::rustc-check-cfg=cfg(reduce_pages)");
    // Not watched: a file that is missing would count as changed, at every build.
    if Path::new("../docs/spec-language.md").exists() {
        println!("cargo::rustc-cfg=reduce_pages");
    }
    let quoted: Vec<String> = LEVELS.iter().map(|level| format!("{:?}", level.name)).collect();
    println!("cargo::rustc-check-cfg=cfg(reduce_level, values({}))", quoted.join(", "));
    println!("cargo::rustc-check-cfg=cfg(reduce_all_levels)");
    let chosen = chosen();
    for name in &chosen {
        println!("cargo::rustc-cfg=reduce_level={name:?}");
    }
    let arch = variable("CARGO_CFG_TARGET_ARCH");
    let mut here = LEVELS.iter().filter(|level| level.arch == arch).peekable();
    if here.peek().is_some() && here.all(|level| chosen.contains(level.name)) {
        println!("cargo::rustc-cfg=reduce_all_levels");
    }
}

/// The levels beside the scalar one that kernels are compiled for.
fn chosen() -> BTreeSet<&'static str> {
    let is_optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let asked = std::env::var("REDUCE_LEVELS").ok().filter(|asked| !asked.is_empty());
    let asked = asked.unwrap_or_else(|| if is_optimised { "all" } else { "scalar" }.into());
    let mut chosen = BTreeSet::new();
    for asked in asked.split(',').map(str::trim) {
        let of_name = |level: &&Row| asked == "all" || asked == level.name;
        let levels: Vec<_> = LEVELS.iter().filter(of_name).collect();
        if levels.is_empty() && asked != "scalar" {
            println!(
                "cargo::error=no CPU level `{asked}` in REDUCE_LEVELS; it takes `all`, `scalar`, or \
                 some of {} with commas between them",
                in_words()
            );
        }
        let levels = levels.into_iter().filter(|level| is_compiled(level));
        chosen.extend(levels.flat_map(|level| [level.name, level.narrow]));
    }
    chosen
}

/// Whether kernels can be compiled for a level in this program.
fn is_compiled(level: &Row) -> bool {
    let enabled = variable("CARGO_CFG_TARGET_FEATURE");
    let is_enabled = |feature: &&str| enabled.split(',').any(|enabled| enabled == *feature);
    !level.arch.starts_with("wasm") || level.features.iter().all(is_enabled)
}

/// What cargo says of the target.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// The names of all levels beside the scalar one, as in "`neon`, `simd128`, `avx2` and `avx512`".
fn in_words() -> String {
    let quoted: Vec<String> = LEVELS.iter().map(|level| format!("`{}`", level.name)).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}
