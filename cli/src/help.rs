//! What stands below the help of each command: examples, and what the exit status means.

/// What the exit status means, as the help of all commands says it.
macro_rules! status {
    () => {
        "\
Exit status: 0 if all was done, 1 if a conformance test failed or a model has problems,
2 if a request could not be carried out, which one line on standard error says."
    };
}
pub(crate) use status;

/// Examples, a line each, and what the exit status means.
macro_rules! examples {
    ($($line:literal)+) => {
        concat!("Examples:\n", $("  ", $line, "\n",)+ "\n", $crate::help::status!())
    };
}
pub(crate) use examples;
