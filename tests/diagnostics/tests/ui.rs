//! What the compiler makes of each file: of those with mistakes the `.stderr` beside them, of sound
//! specs a program that runs.
//!
//! All are built at once: apart, trybuild would build what they depend on once for each kind.

#[test]
#[cfg_attr(miri, ignore = "runs the compiler")]
fn mistakes_are_reported_and_sound_specs_run() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/**/*.rs");
    cases.compile_fail("types/*.rs");
    cases.pass("pass/*.rs");
}
