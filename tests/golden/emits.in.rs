use reduce_core::{Emit, EmitBeside, Real, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Centre;

/// The mean; elements less it.
#[reduce_core::reduce_op(dtypes = [f16 => f32, f32], emits = [alone, beside(2)])]
impl<A: Real> ReduceOp<A> for Centre {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

impl<A: Real> Emit<A> for Centre {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, mean: &A) -> A {
        x - *mean
    }
}

impl<A: Real> EmitBeside<A> for Centre {
    type Beside = (A, A);
    type Emitted = A;

    #[inline(always)]
    fn emit_beside(&self, x: A, (scale, bias): (A, A), mean: &A) -> A {
        (x - *mean) * scale + bias
    }
}
