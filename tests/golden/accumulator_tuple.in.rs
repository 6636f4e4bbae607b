#[derive(Clone, Copy, Debug, PartialEq, reduce_core::Accumulator)]
#[accumulator(crate = ::reduce_core)]
pub struct Pair<A, B>(pub A, pub B)
where
    A: PartialEq;
