use reduce_core::ReduceOp;

#[derive(Clone, Copy, Debug, Default)]
pub struct Any;

/// Whether any element is true.
#[reduce_core::reduce_op(dtypes = [bool])]
impl<A: Copy + Into<bool>> ReduceOp<A> for Any {
    type Acc = bool;
    type Output = bool;

    fn identity(&self) -> bool {
        false
    }

    fn map(&self, x: A) -> bool {
        x.into()
    }

    fn combine(&self, a: bool, b: bool) -> bool {
        a | b
    }

    fn finalize(&self, any: bool, _count: usize) -> bool {
        any
    }
}
