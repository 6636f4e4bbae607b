//! How the table of mistakes is read.

/// Writes the enum of all mistakes from the table. A row has a code, a variant, and what it says.
macro_rules! mistakes {
    ($(
        $(#[$doc:meta])*
        $code:literal $variant:ident $({ $($field:ident: $type:ty),* $(,)? })? => $said:expr;
    )*) => {
        /// Every mistake a caller can make, with the values that were given.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the sentence of a mistake says what its values are")]
        pub enum ErrorKind {
            $($(#[$doc])* #[doc = concat!("\n\nIts code is `", $code, "`.")]
            $variant $({ $($field: $type),* })?,)*
        }

        impl ErrorKind {
            /// All mistakes: the code and the name of the variant of each.
            ///
            /// Two variants may share a code.
            pub const ALL: &'static [(&'static str, &'static str)] =
                &[$(($code, stringify!($variant))),*];

            /// The mistake's code. It stays the same when the sentence is reworded.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($field: _),* })? => $code,)*
                }
            }
        }

        impl std::fmt::Display for ErrorKind {
            #[allow(unused_variables, reason = "not every value is in the sentence")]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let said: String = match self {
                    $(Self::$variant $({ $($field),* })? => $said,)*
                };
                f.write_str(&said)
            }
        }
    };
}

pub(super) use mistakes;
