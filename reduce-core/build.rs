//! Chooses the CPU levels that kernels are compiled for: all of them, or none but the scalar one where
//! nothing is optimised, since vectors are slower than no vectors there, and take most of the time of a
//! build. `REDUCE_LEVELS` names others: `all`, `scalar`, or some of `neon`, `avx2` and `avx512`.
//!
//! Says, too, whether the workspace's pages are beside this crate, so that their examples can be tested: a
//! package that cargo made of the crate alone has none.

use std::path::Path;

const LEVELS: [&str; 3] = ["neon", "avx2", "avx512"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=REDUCE_LEVELS");
    println!("cargo::rustc-check-cfg=cfg(reduce_pages)");
    // Not watched: a file that is missing would count as changed, at every build.
    if Path::new("../docs/spec-language.md").exists() {
        println!("cargo::rustc-cfg=reduce_pages");
    }
    let quoted = LEVELS.map(|level| format!("{level:?}")).join(", ");
    println!("cargo::rustc-check-cfg=cfg(reduce_level, values({quoted}))");
    let is_optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let asked = std::env::var("REDUCE_LEVELS").ok().filter(|asked| !asked.is_empty());
    let asked = asked.unwrap_or_else(|| if is_optimised { "all" } else { "scalar" }.into());
    for name in asked.split(',').map(str::trim) {
        match name {
            "scalar" => {}
            "all" => LEVELS.into_iter().for_each(choose),
            // Some of its code is that of the level below.
            "avx512" => ["avx2", "avx512"].into_iter().for_each(choose),
            "neon" | "avx2" => choose(name),
            _ => println!(
                "cargo::error=no CPU level `{name}` in REDUCE_LEVELS; it takes `all`, `scalar`, or \
                 some of `neon`, `avx2` and `avx512` with commas between them"
            ),
        }
    }
}

fn choose(level: &str) {
    println!("cargo::rustc-cfg=reduce_level={level:?}");
}
