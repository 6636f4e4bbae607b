//! The files of `pass/`, as modules: under `cfg(test)` the operators' law tests
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
            for entry in std::fs::read_dir("pass").expect("a folder") {
                let path = format!("../{}", entry.expect("an entry").path().display());
                assert!(here.contains(&path.as_str()), "{path} is not in the list");
            }
        }
    };
}

passes! {
    "../pass/accumulators.rs" accumulators
    "../pass/conditional.rs" conditional
    "../pass/function_body.rs" function_body
    "../pass/indexed.rs" indexed
    "../pass/inputs.rs" inputs
    "../pass/macro_rules.rs" macro_rules
    "../pass/no_prelude.rs" no_prelude
    "../pass/ordered.rs" ordered
    "../pass/output_and_lanes.rs" output_and_lanes
    "../pass/parameters.rs" parameters
    "../pass/renamed_crate.rs" renamed_crate
    "../pass/shadowed_crates.rs" shadowed_crates
    "../pass/shadowed_names.rs" shadowed_names
    "../pass/short_spec.rs" short_spec
    "../pass/strict_lints.rs" strict_lints
    "../pass/windows.rs" windows
}
