//! Programs for the compiler.
//!
//! `ui/` has every mistake the macros know of, `types/` mistakes in types, which only the compiler
//! finds, and `pass/` sound specs where names are scarce or taken. The tests beside them say what
//! must become of each.
