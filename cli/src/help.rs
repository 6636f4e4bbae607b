//! What stands below the help of each command: examples, and what the exit status means.

/// Examples, a line each, and what the exit status means.
macro_rules! examples {
    ($($line:literal)+) => {
        concat!(
            "Examples:\n",
            $("  ", $line, "\n",)+
            "\nExit status: 0 if all was done, 1 if a conformance test failed or a model has problems,\n\
             2 if a request could not be carried out, which one line on standard error says."
        )
    };
}
pub(crate) use examples;
