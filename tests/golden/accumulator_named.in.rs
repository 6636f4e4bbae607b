#[derive(Clone, Copy, Debug, PartialEq, reduce_core::Accumulator)]
pub struct MaxSum<A> {
    pub max: A,
    pub sum: A,
}
