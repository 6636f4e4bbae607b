//! Tuples of up to eight, of operators, accumulators or results: one list for all.

/// Calls a macro with the type parameters and the places of the members of each tuple.
macro_rules! for_tuples {
    ($each:ident) => {
        $each! {
            (A.0)
            (A.0, B.1)
            (A.0, B.1, C.2)
            (A.0, B.1, C.2, D.3)
            (A.0, B.1, C.2, D.3, E.4)
            (A.0, B.1, C.2, D.3, E.4, F.5)
            (A.0, B.1, C.2, D.3, E.4, F.5, G.6)
            (A.0, B.1, C.2, D.3, E.4, F.5, G.6, H.7)
        }
    };
}

pub(crate) use for_tuples;
