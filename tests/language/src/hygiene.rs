//! The files of `tests/diagnostics/pass`, as modules: under `cfg(test)` the operators' law tests
//! compile where names are scarce or taken, and run.

/// A module and a test of each file.
macro_rules! passes {
    ($($path:literal $name:ident)*) => {
        $(
            #[path = $path]
            #[allow(
                missing_docs,
                unreachable_pub,
                clippy::unwrap_used,
                reason = "a program to itself, run by trybuild as well"
            )]
            pub mod $name;
        )*

        #[test]
        fn every_file_runs() {
            $($name::main();)*
            let here = [$($path),*];
            for entry in std::fs::read_dir("../diagnostics/pass").expect("a folder") {
                let path = format!("../{}", entry.expect("an entry").path().display());
                assert!(here.contains(&path.as_str()), "{path} is not in the list");
            }
        }
    };
}

passes! {
    "../../diagnostics/pass/accumulators.rs" accumulators
    "../../diagnostics/pass/conditional.rs" conditional
    "../../diagnostics/pass/function_body.rs" function_body
    "../../diagnostics/pass/indexed.rs" indexed
    "../../diagnostics/pass/inputs.rs" inputs
    "../../diagnostics/pass/macro_rules.rs" macro_rules
    "../../diagnostics/pass/no_prelude.rs" no_prelude
    "../../diagnostics/pass/ordered.rs" ordered
    "../../diagnostics/pass/output_and_lanes.rs" output_and_lanes
    "../../diagnostics/pass/parameters.rs" parameters
    "../../diagnostics/pass/renamed_crate.rs" renamed_crate
    "../../diagnostics/pass/shadowed_crates.rs" shadowed_crates
    "../../diagnostics/pass/shadowed_names.rs" shadowed_names
    "../../diagnostics/pass/short_spec.rs" short_spec
    "../../diagnostics/pass/strict_lints.rs" strict_lints
    "../../diagnostics/pass/windows.rs" windows
}
