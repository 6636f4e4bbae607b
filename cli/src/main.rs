//! The command line of `reduce`.

fn main() {}
